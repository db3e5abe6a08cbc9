"""`python -m analysis.cli` is `stagefault`."""

from analysis.cli import main

main(prog_name="stagefault")
