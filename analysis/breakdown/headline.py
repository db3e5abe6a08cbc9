"""One sentence that says what came of a run."""

from analysis.breakdown.model import Breakdown


def headline(breakdown: Breakdown) -> str:
    """Return how many judged turns failed, and which stage was the root most often."""
    failed = breakdown.failed
    if not breakdown.turns:
        return "There is no turn to report on."
    if not failed.n:
        return f"None of the {breakdown.turns:,} turns could be judged."
    if not failed.hits:
        return f"None of the {failed.n:,} judged turns failed."
    return f"{failed.hits:,} of {failed.n:,} judged turns failed. {_first_stage(breakdown)}"


def _first_stage(breakdown: Breakdown) -> str:
    failed = breakdown.failed.hits
    most = max(row.rate.hits for row in breakdown.stages)
    first = [row.stage for row in breakdown.stages if row.rate.hits == most]
    if first == ["undetermined"]:
        return f"The stage is undetermined in {_how_many(most, failed)}."
    if len(first) > 1:
        names = f"{', '.join(first[:-1])} and {first[-1]}"
        return f"{names.capitalize()} come first, with {most:,} each."
    return f"{first[0].capitalize()} was the root in {_how_many(most, failed)}."


def _how_many(number: int, of: int) -> str:
    if of == 1:
        return "it"
    return "all of them" if number == of else f"{number:,} of them"
