"""Invented companies whose agents fail on purpose: development data for the local judge.

A world is a folder: `world.toml` (services, agents, tools), `documents/*.md`, `records.toml`
and `scripts/*.toml`. The agent of `sample_traces` plays it; README.md tells the format.
"""
