import re

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

OPENED = 'from exdec.lessons import *\nlesson("01");'


@pytest.fixture
def errors(tmp_path):
    """What a notebook shows below each of these cells that fails, once a lesson is open."""
    cells = [OPENED, "print(cost + 1)", "%tb", "def f():\n    x += 1\nf()"]
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells])
    resources = {"metadata": {"path": tmp_path}}
    NotebookClient(notebook, resources=resources, timeout=60, allow_errors=True).execute()
    return [
        "\n".join(line for out in cell.outputs for line in out.get("traceback", ()))
        for cell in notebook.cells
    ]


def test_a_missing_name_in_an_opened_lesson_is_said_in_sentences(errors):
    opened, missing, lines, misuse = errors
    assert opened == ""
    assert missing == (
        "There is no 'cost' yet: a cell further up has not run.\n"
        "Choose Run ▸ Run All Above Selected Cell, then run this cell again.\n"
        "If you wrote 'cost' yourself, look at its spelling."
    )
    assert re.search("Traceback.*NameError", lines, re.S)  # for who asks
    assert re.search("UnboundLocalError.*Traceback", misuse, re.S)
