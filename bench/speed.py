"""How many questions the local judge answers in a second of one core.

    python -m bench.speed [--limit N] [--json]

The turns of bench/turns with their planted faults are judged as a replay judges them, from
an empty store. Each kind of question stands beside the time that it takes to read the same
texts once into words with the judge's own splitter: a ratio that travels between machines.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.closed_pipe import ending
from bench.attribution.judging import judged
from bench.attribution.planting import read_corpora, run_of, variants_of
from judge.local.text import terms
from judge.question import Judge, JudgeIdentity, Question, QuestionKind, Reply
from judge.screening import texts_in

_terms_of = terms.__wrapped__  # without what it remembers
TURNS = Path(__file__).parent / "turns"


@dataclass(slots=True)
class Spent:
    """Processor time of one kind of question."""

    questions: int = 0
    judging_s: float = 0.0
    reading_s: float = 0.0
    """To split the same texts into words."""


@dataclass(slots=True)
class Timed:
    """A judge, with a watch."""

    judge: Judge
    spent: dict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))

    @property
    def identity(self) -> JudgeIdentity:
        """That of the judge."""
        return self.judge.identity

    def prompt_version(self, kind: QuestionKind) -> str:
        """Return that of the judge."""
        return self.judge.prompt_version(kind)

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """Yield the judge's replies."""
        for question in questions:
            spent = self.spent[question.kind]
            spent.questions += 1
            start = time.process_time()
            replies = list(self.judge.answer([question]))
            answered = time.process_time()
            for text in texts_in(list(question.content.values())):
                _terms_of(text)
            spent.judging_s += answered - start
            spent.reading_s += time.process_time() - answered
            yield from replies


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--limit", type=int, default=20, help="variants of one fault")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    corpora = read_corpora(sorted(TURNS.glob("*.jsonl")))
    run = run_of(corpora, variants_of(corpora, options.limit))
    watches: list[Timed] = []

    def watched(judge: Judge) -> Judge:
        watches.append(Timed(judge))
        return watches[-1]

    judged(run, "local", watched=watched)
    (watch,) = watches
    rows = {kind: _row(spent) for kind, spent in sorted(watch.spent.items())}
    total = Spent(
        sum(one.questions for one in watch.spent.values()),
        sum(one.judging_s for one in watch.spent.values()),
        sum(one.reading_s for one in watch.spent.values()),
    )
    rows["all"] = _row(total)
    if options.json:
        print(json.dumps(rows))
        return
    print(f"{'question':<12}{'asked':>8}{'per second':>12}{'times reading':>15}")
    for kind, row in rows.items():
        asked, per_second, times = row["asked"], row["per_second"], row["times_reading"]
        print(f"{kind:<12}{asked:>8,}{per_second:>12,.0f}{times:>15.1f}")


def _row(spent: Spent) -> dict[str, float]:
    return {
        "asked": spent.questions,
        "per_second": spent.questions / spent.judging_s,
        "times_reading": spent.judging_s / spent.reading_s,
    }


if __name__ == "__main__":
    ending(main)
