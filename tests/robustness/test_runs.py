"""The tables of a run are the same bytes, whatever the order of files and lines."""

import json
from pathlib import Path
from random import Random

from click.testing import CliRunner

from analysis.cli import main
from tests.robustness.corpus import SAMPLES
from tests.robustness.test_order import as_request

SPANS = 40
FILES = 3


def tables(folder: Path, store: Path) -> dict[str, bytes]:
    """Replay a folder with the local judge and return the tables of the run by name."""
    words = ["replay", str(folder), "--judge", "local", "--store", str(store), "-q"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return {path.name: path.read_bytes() for path in store.glob("runs/*/*.parquet")}


def test_tables_of_a_run(tmp_path: Path) -> None:
    text = (SAMPLES / "service-desk-mon-wed.jsonl").read_text("utf-8")
    lines = [json.dumps(one) for one in as_request(json.loads(text.partition("\n")[0]))][:SPANS]
    found = []
    for seed in range(2):
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        Random(seed).shuffle(lines)
        for number in range(FILES):
            part = "\n".join(lines[number::FILES]) + "\n"
            (folder / f"{number}.jsonl").write_text(part, "utf-8")
        found.append(tables(folder, tmp_path / f"store-{seed}"))
    assert found[0].keys() == found[1].keys()
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []
    assert {"turns.parquet", "spans.parquet", "verdicts.parquet"} <= found[0].keys()
