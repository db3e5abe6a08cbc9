"""Whatever the disk refuses: what was said to be stored is there, whole, and nothing else.

A short form of `python -m tests.judge.io_faults`.
"""

from collections.abc import Iterator

import pytest

from tests.judge.io_faults import CALLS, Fault, Faults, Job, compiler, sweep

pytestmark = pytest.mark.skipif(compiler() is None, reason="needs a C compiler, on Linux")


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    made = Faults(tmp_path_factory.mktemp("faults"))
    yield made
    made.close()


def test_every_so_many_th_call_fails(faults: Faults) -> None:
    struck, problems = sweep(faults, step=11)
    assert problems == []
    assert struck > 50


@pytest.mark.parametrize("call", CALLS)
def test_each_kind_of_call_can_be_made_to_fail(faults: Faults, call: str) -> None:
    """Else the sweep above would prove nothing."""
    job: Job = "repair" if call in ("rename", "truncate") else "store"
    fault = Fault(job=job, call=call, error="bad disk", for_good=True, nth=1)
    assert faults.problems(fault) == (True, [])
