import builtins
import json
import re
from pathlib import Path

import pytest

from exdec.lessons.build import END_OF_PAGE, HEADING, HOW_TO_GO_ON, link_to
from exdec.lessons.lint import names_in

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


def texts(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_first_cell_says_how_to_go_on_and_the_last_one_leads_back_up(path):
    """Run All leaves JupyterLab at the end of the page."""
    first, *_, last = texts(path)
    assert HOW_TO_GO_ON in first or path.name == "play.ipynb"
    assert "Press **▶** in the bar above this page".lower() in first.lower()
    headings = [found for text in texts(path) for found in HEADING.findall(text)]
    assert last == f"{END_OF_PAGE} {' · '.join(map(link_to, headings))}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_link_within_the_page_leads_to_a_heading(path):
    whole = "\n".join(texts(path))
    there = {heading.replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", whole, re.M)}
    links = set(re.findall(r"\]\(#([^)]+)\)", whole))
    assert links <= there
    # JupyterLab does not decode what a browser encodes.
    assert all(link.isascii() for link in links)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_folded_code_says_what_it_shows(path):
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
        assert hidden == ("hide-input" in cell["metadata"].get("tags", []))
        if hidden:
            assert cell["source"][0].startswith("# ")


def test_each_cell_of_the_first_notebook_runs_by_itself():
    """Only the words about the learner's own game need it to be played."""
    cells = json.loads(NOTEBOOKS[0].read_text("utf-8"))["cells"]
    missing = set()
    for cell in cells:
        if cell["cell_type"] == "code":
            takes, makes = names_in("".join(cell["source"]))
            missing |= takes - makes - set(dir(builtins))
    assert missing == {"mine"}


def test_the_first_notebook_says_what_a_certificate_is():
    whole = "\n".join(texts(NOTEBOOKS[0]))
    assert whole.index("certificate") == whole.index("**certificate** for each, the paper") + 2


def test_no_two_notebooks_share_a_heading_that_is_linked():
    """JupyterLab goes to the first heading of that name in any notebook that is open."""
    linked, where = set(), {}
    for path in [*NOTEBOOKS, *NOTEBOOKS[0].parent.glob("instructor/*.ipynb")]:
        whole = "\n".join(texts(path))
        linked |= set(re.findall(r"\]\(#([^)]+)\)", whole))
        for heading in set(re.findall(r"^#+ (.+)$", whole, re.M)):
            where.setdefault(heading.replace(" ", "-"), []).append(path.name)
    assert {link: where[link] for link in linked if len(where.get(link, ())) > 1} == {}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_what_is_folded_in_the_text_is_closed_and_is_set_as_markdown(path):
    for text in texts(path):
        assert text.count("<details>") == text.count("\n\n</details>")
        assert text.count("<details>") == text.count("</summary>\n\n")


def test_no_answer_stands_below_its_question_before_it_is_asked_for():
    cells = json.loads(NOTEBOOKS[0].read_text("utf-8"))["cells"]
    asked = [at for at, cell in enumerate(cells) if "line that appears" in str(cell["source"])]
    assert len(asked) == 2
    for at in asked:
        assert cells[at + 1]["outputs"] == []
        assert "<details" in "".join(cells[at + 1]["source"])
