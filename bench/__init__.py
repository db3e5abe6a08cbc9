"""Benchmarks: scripts that measure the project on data that lies beside the repository."""
