"""Agents: spans to conversations, turns and what each stage did."""
