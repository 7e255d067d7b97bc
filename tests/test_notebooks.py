import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert {"00_start_here.ipynb", "play.ipynb"} <= {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_committed_clean(path):
    text = path.read_text("utf-8")
    assert len(text.encode()) < 100_000
    notebook = json.loads(text)
    checked = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["execution_count"] is None
        if "nbval-check-output" in cell["metadata"].get("tags", []):
            checked += 1
            assert [output["output_type"] for output in cell["outputs"]] == ["stream"]
        else:
            assert cell["outputs"] == []
    assert checked >= 5
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"]
