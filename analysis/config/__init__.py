"""`stagefault.toml`: what a house says once instead of on every command line.

    file ──finding, files──▶ tables ─┬─ mapping   [mapping] to rules over attribute names
                                     ├─ limits    [limits] to bounds on what is read
                                     └─ options   defaults of the commands, checked by them

Flag, environment, file, default: the first that says something counts. A key that nobody
knows, or a value of another type, is an error that names its place; nothing is guessed.

Its modules are imported one by one: a command without a file starts without them.
"""
