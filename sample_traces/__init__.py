"""Traces of an invented assistant with planted faults, and the agent that wrote them."""
