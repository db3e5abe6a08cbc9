"""Finds planted faults: how often is the root stage, and its kind, the one that was planted?

    python -m bench.attribution [--turns FILE … | --clapnq FILE | --samples | --worlds [NAME …]]
                                [--judge oracle|local|both] [--limit N] [--json]
                                [--questions] [--errors [N]] [--only NAME]

Good turns (bench/turns by default) get one known fault each, or a pair. `--samples` takes
those of `sample_traces`, on which nothing may be tuned, and tells on stderr how many cannot
be used. `--worlds` judges whole conversations of `bench/worlds` whose faults were planted by
hand, each world as a run of its own. With the oracle the answers to all questions are known,
so every disagreement is a fault of the rules; with the local judge it is a measurement of
that judge, end to end.
`--questions` measures the local judge question by question instead. `--errors` lists what
went wrong with the local judge, of `--judge oracle` where the rules went wrong; `--only` keeps
one fault, kind or measure of that list. Exit codes: 0 done, 2 the
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

from analysis.closed_pipe import ending
from bench.attribution.clapnq import corpus_of_rows
from bench.attribution.corpus import Corpus
from bench.attribution.errors import question_errors, turn_errors
from bench.attribution.judging import JudgeName, judge_for, judged
from bench.attribution.planting import PlantedRun, read_corpora, run_of, variants_of
from bench.attribution.questions import agreement, measures, merged, text_of
from bench.attribution.samples import read_samples
from bench.attribution.scoring import score, table
from bench.attribution.worlds import HELD_OUT, names, run_of_world
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
    worlds = () if options.worlds is None else options.worlds or names()
    aside = " and ".join(name for name in HELD_OUT if name in worlds)
    if aside and options.errors is not None:
        parser.error(f"--errors shows single turns, and nothing may be tuned on {aside}")
    try:
        runs = _runs(options)
    except StagefaultError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    if options.questions:
        _questions(runs, options)
    else:
        _faults(runs, options)
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
    source.add_argument("--worlds", nargs="*", metavar="NAME", help="of bench/worlds; all")
    parser.add_argument("--judge", choices=["oracle", "local", "both"], default="both")
    parser.add_argument(
        "--limit", type=int, default=LIMIT, metavar="N", help="variants of one fault; 0: all"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--questions", action="store_true", help="measure question by question")
    parser.add_argument("--errors", nargs="?", type=int, const=0, metavar="N", help="list them")
    parser.add_argument("--only", metavar="NAME", help="a fault, a kind or a measure")
    return parser


def _runs(options: argparse.Namespace) -> list[PlantedRun]:
    if options.worlds is not None:
        return [run_of_world(name) for name in options.worlds or names()]
    corpora = _corpora(options)
    return [run_of(corpora, variants_of(corpora, options.limit or None))]


def _corpora(options: argparse.Namespace) -> tuple[Corpus, ...]:
    if options.clapnq is not None:
        return (corpus_of_rows(options.clapnq),)
    if options.samples:
        samples = read_samples()
        print(f"sample_traces: {samples.counts()}", file=sys.stderr)
        return samples.corpora
    return read_corpora(options.turns or sorted(TURNS.glob("*.jsonl")))


def _faults(runs: Sequence[PlantedRun], options: argparse.Namespace) -> None:
    judges: list[JudgeName] = ["oracle", "local"] if options.judge == "both" else [options.judge]
    if options.errors is not None and options.judge != "oracle":
        judges = ["oracle", "local"]
    found = {name: [one for run in runs for one in judged(run, name).results] for name in judges}
    scores = {name: score(results) for name, results in found.items()}
    if options.json:
        print(json.dumps({name: asdict(one) for name, one in scores.items()}, indent=1))
        return
    if options.errors is None:
        texts = [table(name, scores[name], found[name]) for name in judges]
        print("\n\n".join(texts))
        return
    _listed(turn_errors(found["oracle"], found[judges[-1]], options.only), options.errors)


def _questions(runs: Sequence[PlantedRun], options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as place:
        found = merged(
            agreement(judged(run, "oracle").verdicts, judge_for(run, "local", Path(place)))
            for run in runs
        )
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
    ending(main)
