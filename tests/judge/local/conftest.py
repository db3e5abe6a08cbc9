"""The judge that knows the development corpus."""

import pytest

from judge.local import LocalJudge
from tests.judge.local.faults import library


@pytest.fixture(scope="session")
def judge() -> LocalJudge:
    return LocalJudge(library())
