"""How a fault of generation is worded, of one paragraph and of several."""

import pytest

from analysis.attribution.generation_faults import generation_fault
from analysis.attribution.kinds import KINDS, Symptom


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        pytest.param("unsupported_claim", "P2, P3 are not supported by the evidence", id="is"),
        pytest.param(
            "over_abstention",
            "P2, P3 were refused although their evidence stood before the model",
            id="was",
        ),
        pytest.param("wrong_citation", "P2, P3 cite a source that does not say it; another one does", id="cites"),
        pytest.param("ignored_evidence", "P2, P3 answer with something else than the evidence before the model", id="answers"),
        pytest.param("contradicts_source", "P2, P3 contradict what stood before the model", id="contradicts"),
        pytest.param("off_topic", "P2, P3 do not answer what was asked", id="does"),
        pytest.param("absence_misreported", "P2, P3 say that there is none although the source failed", id="says"),
        pytest.param("incoherent", "P2, P3 cannot be followed", id="cannot"),
    ],
)  # fmt: skip
def test_several_paragraphs_take_a_plural(kind: str, told: str) -> None:
    symptom = Symptom(kind="unfounded", paragraphs=(2, 3))
    assert generation_fault(symptom, kind).explanation == told


def test_every_kind_has_both_forms() -> None:
    for kind in KINDS["generation"]:
        one = generation_fault(Symptom(kind="unfounded", paragraphs=(2,)), kind).explanation
        two = generation_fault(Symptom(kind="unfounded", paragraphs=(2, 3)), kind).explanation
        assert one.split()[0] == "P2"
        verb = two.removeprefix("P2, P3 ").split()[0]
        assert verb == "cannot" or verb != one.split()[1], kind
