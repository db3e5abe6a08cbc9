"""From turns to verdicts: every question is asked once, and every reply is kept."""
