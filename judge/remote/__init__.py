"""A judge behind an API: every reply costs money, so every step is written down first.

    questions ─claim─▶ intent ─send─▶ outcome ─settle─▶ reply + usage ─read─▶ answer
               (one transaction)       (one transaction, before it is read)

What is paid for is in the store before anything is done with it. What may have been paid
for without leaving a trace (a connection that broke, a killed process) is listed as
`maybe_paid`. Nothing else can be paid for twice: not by two runs at once, not after a
crash, not when a reply cannot be read.
"""
