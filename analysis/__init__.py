"""Numbers: turns and verdicts to metrics, findings and reports."""
