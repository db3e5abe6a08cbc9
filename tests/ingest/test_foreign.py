"""Files that are no traces are named with what to export instead."""

from pathlib import Path

import pytest

from ingest.foreign import hint_of
from tests.ingest.outcome import read_bytes, read_paths


@pytest.mark.parametrize(
    ("head", "word"),
    [
        pytest.param(
            b'[{"final_answer_called": true, "tools_used": []}]', "smoltrace", id="results"
        ),
        pytest.param(b'{"resourceMetrics": []}', "OTLP metrics", id="metrics"),
        pytest.param(b'{"dataset_id": "d", "inputs": {}}', "list_runs", id="examples"),
        pytest.param(b'{"run_uuid": "r", "experiment_id": "1"}', "MLflow", id="runs"),
        pytest.param(b'{"traceEvents": []}', "timeline", id="profile"),
        pytest.param(b"interactions:\n- request:\n", "Recorded HTTP", id="cassette"),
        pytest.param(b"PK\x03\x04rest", "ZIP", id="archive"),
        pytest.param(b"SQLite format 3\0", "data base", id="data base"),
        pytest.param(b"  <!DOCTYPE html>", "web page", id="page"),
        pytest.param(b'{"a": 1}', "", id="anything"),
        pytest.param(b"text about PK\x03\x04", "", id="a mark elsewhere"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_a_file_is_known_by_its_marks(head: bytes, word: str) -> None:
    hint = hint_of(head)
    assert word in hint
    assert bool(hint) is bool(word)
    assert not hint or hint.endswith(".")


def test_a_named_file_tells_it_in_its_loss_and_one_of_a_folder_beside_the_reason(
    tmp_path: Path,
) -> None:
    data = b'{"traceEvents": []}'
    (loss,) = read_bytes(tmp_path, data).losses
    assert (loss.reason, loss.detail) == ("not_a_trace_file", hint_of(data))
    (skipped,) = read_paths(tmp_path).reading.skipped_files
    assert (skipped.reason, skipped.hint) == ("not_a_trace_file", loss.detail)
