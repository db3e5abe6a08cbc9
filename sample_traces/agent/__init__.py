"""The small agent that wrote `sample_traces`.

    scripts/*.toml ─▶ Conversation ─▶ assistant ─┬─▶ spans ─▶ trace files
      what is asked, what the        runs it     │
      model decides and says                     └─▶ TurnRecord ─▶ answers.jsonl, truth.jsonl

What a model would decide is written down in the scripts; everything else is real: the
passages are found by BM25, the tools look into a database, the answer is given from the
prompt that was put together, and all of it is recorded with the OpenTelemetry SDK. A
planted fault is a decision of the script (another collection, another order number) or
a disturbance (a tool that is down, a passage missing from the index); what follows from
it is not written but happens.

It imports nothing of the product, and writes the same bytes every time.
"""
