"""The development turns, read once for all tests of the bench."""

import pytest

from bench.attribution.corpus import Corpus
from bench.attribution.planting import read_corpora
from tests.bench.attribution.files import TURNS


@pytest.fixture(scope="session")
def corpora() -> tuple[Corpus, ...]:
    return read_corpora(sorted(TURNS.glob("*.jsonl")))
