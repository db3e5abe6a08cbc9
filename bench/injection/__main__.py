"""Run the benchmark; see the package."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.injection.live import measure
from bench.injection.offline import check
from bench.injection.payloads import Payload, payloads
from judge.anthropic_judge import AnthropicJudge, AnthropicSettings, require_model
from judge.asking_once import ask
from judge.ledger import Ledger

GIVEN = Path(__file__).parents[2].parent / "shared" / "bench" / "injection"


def given_payloads(folder: Path = GIVEN) -> Iterator[Payload]:
    """Yield the attacks of the given set; none where it is absent."""
    path = folder / "text_attack_train.json"
    if path.is_file():
        for category, attacks in json.loads(path.read_text("utf-8")).items():
            for number, attack in enumerate(attacks):
                yield Payload(category, str(number), attack)


def main() -> int:
    """Check offline, and measure live where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--live", action="store_true", help="ask a model; costs money")
    parser.add_argument("--judge-model")
    parser.add_argument("--store", type=Path, default=Path(".stagefault"))
    parser.add_argument("--max-cost", type=float, default=5.0)
    given = parser.parse_args()
    everything = [*payloads(), *given_payloads()]
    if not GIVEN.is_dir():
        print(f"{GIVEN} is not here: own payloads only")
    found = check(everything)
    print(
        f"offline: {found.payloads} payloads in {found.prompts} prompts: "
        f"{len(found.breakouts)} breakouts; {found.replies} replies that quote them: "
        f"{len(found.planted)} planted verdicts read; unjudged {dict(found.unjudged)}"
    )
    for problem in (found.breakouts + found.planted)[:20]:
        print(f"  {problem}")
    if given.live:
        settings = AnthropicSettings(
            model=require_model(given.judge_model), max_cost_usd=given.max_cost
        )
        judge = AnthropicJudge(settings)
        with Ledger(given.store / "verdicts.sqlite") as ledger:
            print(f"live: {measure(everything, lambda asked: ask(asked, judge, ledger))}")
            judge.close()
    return 1 if found.breakouts or found.planted else 0


if __name__ == "__main__":
    sys.exit(main())
