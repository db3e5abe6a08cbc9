"""Formats and conventions: bytes to `Span`."""
