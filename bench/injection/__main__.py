"""Run the benchmark; see the package."""

import argparse
from pathlib import Path

from analysis.closed_pipe import ending
from bench.injection.alarms import look
from bench.injection.given import FOLDER, clean_texts, given_payloads
from bench.injection.live import measure
from bench.injection.offline import check
from bench.injection.payloads import payloads
from judge.anthropic_judge import AnthropicJudge, AnthropicSettings, require_model
from judge.asking_once import ask
from judge.ledger import Ledger


def main() -> int:
    """Check offline, and measure live where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--live", action="store_true", help="ask a model; costs money")
    parser.add_argument("--judge-model")
    parser.add_argument("--store", type=Path, default=Path(".stagefault"))
    parser.add_argument("--max-cost", type=float, default=5.0)
    given = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"{FOLDER} is not here: own payloads only")
    failed = False
    for name, texts in (("own", [*payloads()]), ("given", [*given_payloads()])):
        found = check(texts)
        print(
            f"{name}: {found.payloads} payloads in {found.prompts} prompts: "
            f"{len(found.breakouts)} breakouts; {found.replies} replies that quote them: "
            f"{len(found.planted)} planted verdicts read; unjudged {dict(found.unjudged)}"
        )
        for problem in (found.breakouts + found.planted)[:20]:
            print(f"  {problem}")
        failed = failed or bool(found.breakouts or found.planted)
    print(f"screen, own: {look(payloads(), clean_texts())}")
    print(f"screen, given, which are orders to an assistant: {look(given_payloads(), ())}")
    if given.live:
        settings = AnthropicSettings(
            model=require_model(given.judge_model), max_cost_usd=given.max_cost
        )
        judge = AnthropicJudge(settings)
        with Ledger(given.store / "verdicts.sqlite") as ledger:
            print(f"live: {measure(payloads(), lambda asked: ask(asked, judge, ledger))}")
            judge.close()
    return int(failed)


if __name__ == "__main__":
    ending(main)
