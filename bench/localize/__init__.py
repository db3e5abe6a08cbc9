"""Where in a trace, and what kind: findings held against labels that people gave to spans.

    labels ─┐                                    location    did it name the span?
            ├─▶ replay ─▶ placing ─▶ scoring     category    did it name the kind of error?
    traces ─┘   any judge  a span     P, R, F1   joint       both at once
                           a finding

The labels are of agents that plan and act; the findings are of stages that route, retrieve
and write. What their categories mean in our kinds is written down in `categories.toml`,
before anything was measured, and never fitted to the labels.
"""
