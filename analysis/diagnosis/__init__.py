"""What a source tells, before any judging: counts, oddities, and where each fact was read.

    spans ─┬─ examination   coverage of every fact, over all turns
           ├─ clocks        times that cannot be as recorded
           ├─ advice        what to change in the instrumentation first
           └─ explaining    one span: which convention, rule and key told each fact

Counts only; nothing is judged or written.
"""
