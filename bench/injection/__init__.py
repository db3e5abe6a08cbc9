"""Texts that try to steer their judge: does any of them get out of its place?

    python -m bench.injection                                    offline, in seconds
    python -m bench.injection --live --judge-model NAME          with a model; needs a key

Offline, 20 templates in 10 languages and encodings are put into answer, chunk, question and
tool result. No text may end its own block, and no verdict that it plants may be read from a
reply that quotes it. Live, it measures how often a verdict turns in the attacker's favour.
"""
