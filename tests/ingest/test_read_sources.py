"""Arguments to files: found, read once, in one order, or refused with a reason."""

import gzip
import hashlib
import io
import os
from pathlib import Path

import pytest

from ingest import SourceError, read_spans
from ingest.sources import InputFile, expand, open_input
from tests.ingest.exports import SPANS, line
from tests.ingest.outcome import read_paths


def names(folder: Path, *arguments: Path | str) -> list[tuple[str, bool]]:
    """Return the files behind *arguments*, below *folder*, and whether they were named."""
    return [(os.path.relpath(file.path, folder), file.explicit) for file in expand(arguments).files]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("b.jsonl", "a.jsonl", "sub/c.jsonl", ".hidden", "sub/.git/d.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(line(1))
    return tmp_path


def test_a_folder_is_searched_without_hidden_files(tree: Path) -> None:
    found = [("a.jsonl", False), ("b.jsonl", False), ("sub/c.jsonl", False)]
    assert names(tree, tree) == found
    assert names(tree, str(tree), tree / "sub") == found


def test_a_file_named_twice_is_read_once_and_meant(tree: Path) -> None:
    assert names(tree, tree / "b.jsonl", tree) == [
        ("a.jsonl", False),
        ("b.jsonl", True),
        ("sub/c.jsonl", False),
    ]


def test_a_pattern_stands_for_what_it_matches(tree: Path) -> None:
    assert names(tree, tree / "*.jsonl") == [("a.jsonl", True), ("b.jsonl", True)]
    assert names(tree, tree / "**" / "c.*") == [("sub/c.jsonl", True)]
    (tree / "x[1].jsonl").write_bytes(line(1))
    assert names(tree, tree / "x[1].jsonl") == [("x[1].jsonl", True)]


def test_links_lead_to_files_once(tree: Path) -> None:
    (tree / "0-link.jsonl").symlink_to(tree / "b.jsonl")
    os.link(tree / "b.jsonl", tree / "z-link.jsonl")
    (tree / "sub" / "loop").symlink_to(tree)
    found = [name for name, _ in names(tree, tree)]
    assert found == ["0-link.jsonl", "a.jsonl", "sub/c.jsonl"]


def test_what_is_no_file_is_never_opened(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    (tree / "gone.jsonl").symlink_to(tree / "nowhere")
    expansion = expand([tree])
    assert len(expansion.files) == 3
    assert [(Path(x.path).name, x.reason) for x in expansion.skipped] == [
        ("gone.jsonl", "broken_link"),
        ("pipe", "not_a_regular_file"),
    ]


def test_a_store_of_runs_is_no_source(tree: Path) -> None:
    (tree / "store" / "runs" / "r-1").mkdir(parents=True)
    (tree / "store" / "verdicts.sqlite").touch()
    (tree / "store" / "runs" / "r-1" / "run.json").write_text("{}")
    expansion = expand([tree])
    assert len(expansion.files) == 3
    assert [(Path(x.path).name, x.reason) for x in expansion.skipped] == [
        ("store", "store_of_runs")
    ]


def test_a_pipe_that_nobody_writes_to_is_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = read_paths(tmp_path / "pipe")
    assert [x.reason for x in found.reading.skipped_files] == ["empty_file"]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("nowhere.jsonl", "nowhere.jsonl: no such file or folder. Check the path."),
        ("*.nothing", "*.nothing: no file matches this pattern. Check the folder."),
        ("link", "link: broken link. Check the path."),
    ],
)
def test_a_path_that_leads_to_nothing_is_an_error(
    argument: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(SourceError) as error:
        read_spans([tmp_path / argument])
    assert str(error.value) == f"{tmp_path}/{message}"
    assert error.value.exit_code == 2


def test_a_device_is_an_error() -> None:
    with pytest.raises(SourceError, match="/dev/zero: neither a file nor a folder"):
        expand(["/dev/zero"])


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_an_error(tree: Path) -> None:
    (tree / "a.jsonl").chmod(0)
    with pytest.raises(SourceError, match="no permission"):
        expand([tree / "a.jsonl"])


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(gzip.compress(line(1)))

    monkeypatch.setattr("sys.stdin", Stdin)
    reading = read_spans(["-"])
    spans = [span for batch in reading for span in batch.spans]
    assert len(spans) == SPANS
    assert [(source.path, source.container) for source in reading.sources] == [("-", "gzip")]


def test_a_source_tells_its_stored_bytes(tmp_path: Path) -> None:
    data = gzip.compress(line(1))
    (tmp_path / "a").write_bytes(data)
    [source] = read_paths(tmp_path / "a").reading.sources
    assert source.bytes == len(data)
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_files_of_a_folder_that_are_no_traces_are_listed(tmp_path: Path) -> None:
    others = {
        "README.md": b'# Traces\n\n```\n{"resourceSpans":[]}\n```\nand more text, as pages have.\n',
        "agent.py": b"import json\n\nprint(json.dumps({'a': 1}))\n",
        "empty.jsonl": b"",
        "expected.json": b'{"resource": "spans"}',
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "truth.jsonl": b'{"turn": 1, "root": "routing"}\n' * 9,
        "notes.gz": gzip.compress(b"notes of a meeting"),
    }
    for name, data in others.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "traces.jsonl").write_bytes(line(1))
    reading = read_paths(tmp_path).reading
    assert reading.losses == []
    assert [Path(source.path).name for source in reading.sources] == ["traces.jsonl"]
    skipped = {Path(x.path).name: x.reason for x in reading.skipped_files}
    assert skipped == dict.fromkeys(others, "not_a_trace_file") | {"empty.jsonl": "empty_file"}


@pytest.mark.parametrize("data", [b"some text", b'{"turn": 1}\n{"turn": 2}\n', b"\0" * 99])
def test_a_named_file_that_is_no_trace_is_one_loss(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    found = read_paths(path)
    assert [(x.outcome, x.reason, x.file, x.offset) for x in found.losses] == [
        ("rejected", "not_a_trace_file", str(path), 0)
    ]
    assert found.reading.sources[0].sha256 == hashlib.sha256(data).hexdigest()


def test_a_damaged_archive_in_a_folder_is_a_loss(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(line(1))[:12])
    found = read_paths(tmp_path)
    assert found.reasons == ["truncated_stream"]


def test_a_name_that_is_no_text_is_shown_as_one(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.jsonl"
    Path(os.fsdecode(path)).write_bytes(line(1))
    [source] = read_paths(tmp_path).reading.sources
    assert source.path.endswith("/\ufffd.jsonl")


def test_a_file_that_became_a_device_is_not_read() -> None:
    file = InputFile(path="/dev/zero", explicit=False)
    with pytest.raises(OSError, match="not a file any more"), open_input(file):
        pass


class FailingDisk(io.BytesIO):
    """Fails once the first bytes were read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell():
            raise OSError(5, "Input/output error")
        return super().read(min(size or 0, len(line(1)) + 100))


def test_a_failing_disk_costs_the_rest_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = FailingDisk(line(1) + b"\n" + line(2))

    monkeypatch.setattr("sys.stdin", Stdin)
    reading = read_spans(["-"])
    spans = [span for batch in reading for span in batch.spans]
    assert len(spans) == SPANS
    assert [(x.reason, x.offset, x.detail) for x in reading.losses] == [
        ("read_error", len(line(1)) + 1, "Input/output error")
    ]
