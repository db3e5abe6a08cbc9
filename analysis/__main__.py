"""`python -m analysis` is `stagefault`."""

from analysis.cli import main

main(prog_name="stagefault")
