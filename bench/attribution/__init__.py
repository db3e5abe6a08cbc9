"""The attribution bench: known faults in good turns, and whether they are found.

    turns ─▶ desk, facts, scenes ─▶ plant_* ─▶ planting ─▶ judging ─▶ scoring, errors
             what is good           faults     one run     both       questions
                                               of all      judges

What plants (everything left of `judging`) imports nothing of `analysis`: it writes down
answers to questions, never who is to blame.
"""
