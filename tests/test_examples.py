"""The example notebook runs from its first cell to its last, and shows what it says."""

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: str(path.stem))
def executed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """The outputs of a notebook's cells, each a bundle of renderings."""
    notebook: Any = nbformat.read(request.param, as_version=4)  # type: ignore[no-untyped-call]
    store = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORE", str(store))
        patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert (store / "report.html").is_file()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output["data"] for output in outputs if "data" in output]


def test_a_notebook_is_stored_without_outputs() -> None:
    for path in NOTEBOOKS:
        notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        assert [cell for cell in notebook.cells if cell.get("outputs")] == []


def test_every_part_is_shown_as_html_and_as_text(executed: list[dict[str, Any]]) -> None:
    ours = [data for data in executed if 'class="stagefault"' in data.get("text/html", "")]
    assert len(ours) == 3
    for data in ours:
        assert "<script" not in data["text/html"]
        assert len(data["text/html"].encode()) < 100_000
        assert data["text/markdown"]
    run, breakdown, turn = (data["text/html"] for data in ours)
    assert "judged turns failed" in run
    assert "manuals_agent" in breakdown
    assert "Routing" in turn


def test_tables_are_frames(executed: list[dict[str, Any]]) -> None:
    assert "routing" in executed[2]["text/plain"]
    assert "manual-rx-200" in executed[3]["text/html"]
    assert [data["text/plain"] for data in executed[-2:]] == ["'report.html'", "True"]
