"""Prompts: a question becomes what is sent to a remote judge.

    Question ──templates──▶ instructions (the same for all of a kind)  ─┐
             ──rendering──▶ data between fresh markers                  ├─▶ one request
             ──schemas────▶ JSON schema of the answer                   ─┘

Instructions stand in the system prompt and nowhere else. Text of a trace stands in the
data and nowhere else, between markers that it cannot contain.
"""
