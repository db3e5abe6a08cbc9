"""Finds planted faults: how often is the root stage, and its kind, the one that was planted?

    python -m bench.attribution [--turns FILE … | --clapnq FILE | --samples]
                                [--judge oracle|local|both] [--limit N] [--json]
                                [--questions] [--errors [N]] [--only NAME]

Good turns (bench/turns by default) get one known fault each, or a pair. `--samples` takes
those of `sample_traces`, on which nothing may be tuned, and tells on stderr how many cannot
be used. With the oracle the answers to all questions are known, so every disagreement is a
fault of the rules; with the local judge it is a measurement of that judge, end to end.
`--questions` measures the local judge question by question instead. `--errors` lists what
went wrong; `--only` keeps one fault, kind or measure of that list. Exit codes: 0 done, 2 the
turns cannot be read or are not in the format.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bench.attribution.clapnq import corpus_of_rows
from bench.attribution.corpus import Corpus
from bench.attribution.errors import question_errors, turn_errors
from bench.attribution.judging import JudgeName, judge_for, judged
from bench.attribution.planting import PlantedRun, read_corpora, run_of, variants_of
from bench.attribution.questions import agreement, measures, text_of
from bench.attribution.samples import read_samples
from bench.attribution.scoring import score, table
from ingest.errors import StagefaultError

TURNS: Final = Path(__file__).parents[1] / "turns"
LIMIT: Final = 20
"""Variants of one fault, unless told otherwise."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, judge, print."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.samples and options.errors is not None:
        parser.error("--errors shows single turns, and nothing may be tuned on the samples")
    try:
        corpora = _corpora(options)
    except StagefaultError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    run = run_of(corpora, variants_of(corpora, options.limit or None))
    if options.questions:
        _questions(run, options)
    else:
        _faults(run, options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.attribution",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--turns", nargs="+", type=Path, metavar="FILE", help="good turns, JSONL")
    source.add_argument("--clapnq", type=Path, metavar="FILE", help="rows of question and chunk")
    source.add_argument("--samples", action="store_true", help="good turns of sample_traces")
    parser.add_argument("--judge", choices=["oracle", "local", "both"], default="both")
    parser.add_argument(
        "--limit", type=int, default=LIMIT, metavar="N", help="variants of one fault; 0: all"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--questions", action="store_true", help="measure question by question")
    parser.add_argument("--errors", nargs="?", type=int, const=0, metavar="N", help="list them")
    parser.add_argument("--only", metavar="NAME", help="a fault, a kind or a measure")
    return parser


def _corpora(options: argparse.Namespace) -> tuple[Corpus, ...]:
    if options.clapnq is not None:
        return (corpus_of_rows(options.clapnq),)
    if options.samples:
        samples = read_samples()
        print(f"sample_traces: {samples.counts()}", file=sys.stderr)
        return samples.corpora
    return read_corpora(options.turns or sorted(TURNS.glob("*.jsonl")))


def _faults(run: PlantedRun, options: argparse.Namespace) -> None:
    names: list[JudgeName] = ["oracle", "local"] if options.judge == "both" else [options.judge]
    if options.errors is not None:
        names = ["oracle", "local"]
    found = {name: judged(run, name).results for name in names}
    scores = {name: score(results) for name, results in found.items()}
    if options.json:
        print(json.dumps({name: asdict(one) for name, one in scores.items()}, indent=1))
        return
    if options.errors is None:
        texts = [table(name, scores[name], found[name]) for name in names]
        print("\n\n".join(texts))
        return
    _listed(turn_errors(found["oracle"], found["local"], options.only), options.errors)


def _questions(run: PlantedRun, options: argparse.Namespace) -> None:
    known = judged(run, "oracle").verdicts
    with tempfile.TemporaryDirectory() as place:
        found = agreement(known, judge_for(run, "local", Path(place)))
    if options.json:
        told: dict[str, Any] = {"questions": measures(found)}
        print(json.dumps(told, indent=1, ensure_ascii=False))
    elif options.errors is None:
        print(text_of(found))
    else:
        _listed(question_errors(found.disagreements, options.only), options.errors)


def _listed(blocks: Iterable[str], most: int) -> None:
    for block in islice(blocks, most or None):
        print(f"{block}\n")


if __name__ == "__main__":
    raise SystemExit(main())
