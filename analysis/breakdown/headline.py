"""One sentence that says what came of a run."""

from analysis.breakdown.model import Breakdown


def headline(breakdown: Breakdown) -> str:
    """Return how many judged turns failed, and which stage was the root most often."""
    failed = breakdown.failed
    if not breakdown.turns:
        return "There is no turn to report on."
    if not failed.n:
        return _told(breakdown.turns, "turn", "could not be judged", "could be judged")
    by = by_roots(breakdown)
    if not failed.hits:
        return _told(failed.n, "judged turn", f"did not fail{by}", f"failed{by}")
    some = "The only" if failed.n == 1 else f"{failed.hits:,} of {failed.n:,}"
    told = f"{some} judged turn{'' if failed.n == 1 else 's'} failed{by}."
    return told if len(breakdown.stages) == 1 else f"{told} {_first_stage(breakdown)}"


def by_roots(breakdown: Breakdown) -> str:
    """Return which roots count, as ` by routing or retrieval`; empty when all do."""
    typed = [root for root in breakdown.roots.split(",") if root]
    wanted = " or ".join(root for root in typed if not root.startswith("!"))
    refused = " or ".join(root[1:] for root in typed if root.startswith("!"))
    if not refused:
        return f" by {wanted}" if wanted else ""
    return f" by {wanted} but not {refused}" if wanted else f" by anything but {refused}"


def _told(number: int, what: str, one: str, none_of: str) -> str:
    if number == 1:
        return f"The only {what} {one}."
    return f"None of the {number:,} {what}s {none_of}."


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
