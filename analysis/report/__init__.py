"""What a run says, in the forms that people and programs read.

    Run ──report_of──▶ Report ──RENDERERS──▶ str

Everything a rendering prints is in the `Report`: none of them counts, judges or reads.
Nothing is imported here: the command line needs `terminal` long before it needs tables.
"""
