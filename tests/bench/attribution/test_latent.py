"""Adding a latent fault to a passed or generation-rooted turn changes no root stage."""

import pytest

from bench.attribution import plant_generation
from bench.attribution.corpus import Corpus
from bench.attribution.judging import Result, judged
from bench.attribution.plant_pairs import LATENT, then
from bench.attribution.planting import run_of, variants_of
from bench.attribution.turns import GoodTurn
from bench.attribution.variants import Fault, Plant

A_FEW = 3
BROKEN = {
    fault.name: fault.plant
    for fault in plant_generation.FAULTS
    if fault.name not in ("number_repeated", "neighbour_told")
}
"""Faults of one turn whose searches are those of the good turn."""


def _place(name: str, good: GoodTurn) -> tuple[str, str, int]:
    return name.rstrip("+"), good.conversation_id, good.turn


def _fault(name: str, plant: Plant) -> Fault:
    return Fault(name=name, plant=plant, stage="generation", kind=None)


@pytest.mark.parametrize("latent", LATENT)
def test_a_latent_fault_changes_no_root(corpora: tuple[Corpus, ...], latent: str) -> None:
    faults = [_fault(name, plant) for name, plant in BROKEN.items()]
    both = [_fault(f"{name}+", then(LATENT[latent], plant)) for name, plant in BROKEN.items()]
    chosen = variants_of(corpora, A_FEW, both)
    wanted = {_place(one.fault.name, one.scene.good) for one in chosen}
    alike = variants_of(corpora, None, faults)
    alone = [one for one in alike if _place(one.fault.name, one.scene.good) in wanted]
    pairs: dict[tuple[str, str, int], list[Result]] = {}
    for result in judged(run_of(corpora, [*alone, *chosen]), "oracle").results:
        turn = result.planted.turn
        if result.planted.stage is not None:
            conversation = turn.conversation_id.partition("+")[0]
            key = (result.planted.name.rstrip("+"), conversation, turn.turn)
            pairs.setdefault(key, []).append(result)
    assert len(pairs) >= 3 * A_FEW
    for key, (before, after) in pairs.items():
        assert (before.found, after.found) == ("generation", "generation"), key
