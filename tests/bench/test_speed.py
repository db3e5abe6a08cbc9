import json

import pytest

from bench import speed


def test_every_kind_of_question_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    speed.main(["--limit", "1", "--json"])
    rows = json.loads(capsys.readouterr().out)
    kinds = ["answer", "probe", "relevance", "routing", "statements", "support"]
    assert list(rows) == [*kinds, "all"]
    assert rows["all"]["asked"] == sum(rows[kind]["asked"] for kind in kinds)
    assert all(row["per_second"] > 0 and row["times_reading"] > 0 for row in rows.values())
