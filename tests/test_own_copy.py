import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from page_links import CODE, links, prose, wrong

from exdec.kit import KIT, files
from exdec.own_copy import NAME, KitError, mismatch, working_copy

NEWS = "02_demand.new-0.2.0.ipynb"
RULES = "docs/rules.md"


def notebook(*cells, **metadata):
    """A notebook as the kit has it: sources, and what one cell printed."""
    made = [
        nbformat.v4.new_code_cell(source, id=f"cell-{n}", outputs=printed("ready"))
        for n, source in enumerate(cells)
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=made, metadata=metadata)) + "\n"


def printed(text):
    return [nbformat.v4.new_output("execute_result", {"text/plain": text}, execution_count=None)]


@pytest.fixture
def old(tmp_path):
    """The kit of exdec 0.1.0."""
    old = tmp_path / "old"
    for name, text in {
        "notebooks/01_prices.ipynb": notebook("price = 1"),
        "notebooks/02_demand.ipynb": notebook("demand = 1"),
        "notebooks/instructor/debrief.ipynb": notebook("debrief()"),
        "notebooks/instructor/class_example/table_1.jsonl": "{}\n",
        RULES: "One price = 1.\n",
    }.items():
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).write_text(text, "utf-8")
    return old


@pytest.fixture
def new(tmp_path, old):
    """The kit of exdec 0.2.0, in which everything is other than it was."""
    new = tmp_path / "new"
    shutil.copytree(old, new)
    for path in [*new.rglob("*.ipynb"), new / RULES]:
        path.write_text(path.read_text("utf-8").replace("= 1", "= 2").replace("()", "(2)"), "utf-8")
    (new / "notebooks/instructor/class_example/table_1.jsonl").write_text("{2}\n", "utf-8")
    return new


@pytest.fixture
def folder(tmp_path, old):
    """A learner's folder, which exdec 0.1.0 made."""
    return working_copy(tmp_path, old, "0.1.0")[0]


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def same(folder, other):
    return all((folder / name).read_bytes() == (other / name).read_bytes() for name in names(other))


def change(path, old="= 1", new="= 'mine'"):
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_a_working_copy_has_every_file_and_a_note_of_it(tmp_path, old):
    folder, done = working_copy(tmp_path, old, "0.1.0")
    assert folder == tmp_path / "exdec-kit"
    assert names(folder) == names(old) | {NAME}
    assert same(folder, old)
    assert done == [f"Put 5 files into {folder}, your own copy of the kit."]
    note = json.loads((folder / NAME).read_text("utf-8"))
    assert (note["format"], note["version"]) == ("exdec-kit", 1)
    assert note["files"].keys() == names(old)
    assert {one["exdec"] for one in note["files"].values()} == {"0.1.0"}


def test_in_a_working_copy_it_is_that_one(tmp_path, old, folder):
    folder = folder.rename(tmp_path / "year 11")
    for here in (folder, folder / "notebooks" / "instructor"):
        assert working_copy(here, old, "0.1.0") == (folder, [])
    assert not list(folder.rglob("exdec-kit"))


def test_what_is_copied_is_what_people_open(tmp_path, old):
    shutil.copytree(KIT / "notebooks", tmp_path / "kit" / "notebooks")
    for left in ("notebooks/games/mine.jsonl", "notebooks/progress.json", "docs/index.md", "x.md"):
        (tmp_path / "kit" / left).parent.mkdir(exist_ok=True)
        (tmp_path / "kit" / left).touch()
    assert {path.parts[0] for path in files(tmp_path / "kit")} == {"notebooks"}
    assert not {"games", "progress.json"} & {part for path in files() for part in path.parts}
    ours = {path.as_posix() for path in files()}
    assert {"notebooks/00_start_here.ipynb", "lessons/README.md", RULES} <= ours
    assert "lessons/01_prices/teacher.md" in ours


def test_every_link_in_a_working_copy_leads_somewhere_in_it(tmp_path):
    folder, _ = working_copy(tmp_path)
    found = [
        f"{path.relative_to(folder)}: {link} {why}"
        for path in folder.rglob("*")
        if path.suffix in (".md", ".ipynb")
        for link in links(path)
        if (why := wrong(folder, path, link))
    ]
    assert not found


def test_amounts_in_a_page_make_no_formula(tmp_path, old):
    (old / RULES).write_text("Ann pays \\$40, Ben \\$41.\n", "utf-8")
    folder, _ = working_copy(tmp_path, old, "0.1.0")
    shown = r"Ann pays <span>\$</span>40, Ben <span>\$</span>41."
    assert (folder / RULES).read_text("utf-8") == f"{shown}\n"
    assert working_copy(tmp_path, old, "0.1.0")[1] == []


@pytest.mark.parametrize("name", [name for name in files() if name.suffix == ".md"], ids=str)
def test_a_dollar_in_a_page_is_written_so_that_it_begins_no_formula(name):
    # A drawing is indented by four; JupyterLab finds no formulas in it.
    text = re.sub(r"^ {4}.*", "", prose(KIT / name), flags=re.M)
    assert not re.search(r"(?<!\\)\$", CODE.sub("", text))


def test_where_all_is_there_nothing_is_written_and_nothing_said(tmp_path, old, folder):
    before = (folder / NAME).stat()
    assert working_copy(tmp_path, old, "0.1.0")[1] == []
    assert (folder / NAME).stat().st_mtime_ns == before.st_mtime_ns


def test_an_upgrade_replaces_what_nobody_changed(tmp_path, old, new, folder):
    _, done = working_copy(tmp_path, new, "0.2.0")
    assert same(folder, new)
    assert names(folder) == names(new) | {NAME}
    assert done == ["Brought 5 files up to date with exdec 0.2.0."]


def test_an_upgrade_keeps_what_a_learner_changed_and_puts_the_new_one_beside_it(
    tmp_path, new, folder
):
    change(folder / "notebooks/02_demand.ipynb")
    change(folder / "notebooks/instructor" / "debrief.ipynb", "debrief()", "debrief(mine)")
    mine = (folder / "notebooks/02_demand.ipynb").read_bytes()
    _, done = working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks/02_demand.ipynb").read_bytes() == mine
    assert (folder / "notebooks" / NEWS).read_bytes() == (
        new / "notebooks/02_demand.ipynb"
    ).read_bytes()
    assert (folder / "notebooks/instructor" / "debrief.new-0.2.0.ipynb").exists()
    assert done == [
        "Brought 3 files up to date with exdec 0.2.0.",
        f"{Path('notebooks', '02_demand.ipynb')} stays as you have changed it. "
        f"The new one is beside it: {NEWS}.",
        f"{Path('notebooks', 'instructor', 'debrief.ipynb')} stays as you have changed it. "
        "The new one is beside it: debrief.new-0.2.0.ipynb.",
    ]


def test_the_new_one_is_offered_once(tmp_path, old, new, folder):
    change(folder / "notebooks/02_demand.ipynb")
    working_copy(tmp_path, new, "0.2.0")
    (folder / "notebooks" / NEWS).unlink()
    assert working_copy(tmp_path, new, "0.2.0")[1] == []
    # Nor is it offered by a later exdec that has the same.
    assert working_copy(tmp_path, new, "0.3.0")[1] == []
    assert names(folder) == names(new) | {NAME}


def test_what_is_beside_already_may_be_worked_in(tmp_path, new, folder):
    change(folder / "notebooks/02_demand.ipynb")
    (folder / "notebooks" / NEWS).write_text("mine too", "utf-8")
    working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks" / NEWS).read_text("utf-8") == "mine too"


def test_a_clone_that_changes_without_a_new_number_leaves_one_new_one_beside(tmp_path, new, folder):
    page, beside = folder / RULES, folder / "docs" / "rules.new-0.1.0.md"
    page.write_text("mine", "utf-8")
    working_copy(tmp_path, new, "0.1.0")
    (new / RULES).write_text("One price = 3.\n", "utf-8")
    working_copy(tmp_path, new, "0.1.0")
    assert beside.read_text("utf-8") == "One price = 3.\n"
    beside.write_text("mine too", "utf-8")
    (new / RULES).write_text("One price = 4.\n", "utf-8")
    _, (said,) = working_copy(tmp_path, new, "0.1.0")
    assert said.endswith("The new one is beside it: rules.new-0.1.0-2.md.")
    texts = {path.name: path.read_text("utf-8") for path in page.parent.iterdir()}
    assert texts == {
        "rules.md": "mine",
        "rules.new-0.1.0.md": "mine too",
        "rules.new-0.1.0-2.md": "One price = 4.\n",
    }


def test_a_change_that_only_the_learner_made_needs_no_word(tmp_path, old, folder):
    change(folder / "notebooks/02_demand.ipynb")
    assert working_copy(tmp_path, old, "0.2.0")[1] == []
    assert names(folder) == names(old) | {NAME}


def test_who_takes_the_new_one_is_up_to_date_again(tmp_path, old, new, folder):
    change(folder / "notebooks/02_demand.ipynb")
    working_copy(tmp_path, new, "0.2.0")
    (folder / "notebooks" / NEWS).replace(folder / "notebooks/02_demand.ipynb")
    assert working_copy(tmp_path, new, "0.2.0")[1] == []
    working_copy(tmp_path, old, "0.3.0")
    assert same(folder, old)


def test_data_stay_and_get_nothing_beside_them_that_would_be_read_with_them(tmp_path, new, folder):
    table = folder / "notebooks/instructor" / "class_example" / "table_1.jsonl"
    table.write_text("mine\n", "utf-8")
    _, done = working_copy(tmp_path, new, "0.2.0")
    assert table.read_text("utf-8") == "mine\n"
    assert [path.name for path in table.parent.iterdir()] == ["table_1.jsonl"]
    name = Path("notebooks", "instructor", "class_example", "table_1.jsonl")
    assert done[-1] == f"{name} stays as you have changed it. For the new one, rename yours first."


def test_what_is_missing_comes_back_and_what_the_kit_has_no_more_stays(tmp_path, new, folder):
    (folder / "notebooks/02_demand.ipynb").unlink()
    (new / "notebooks/01_prices.ipynb").rename(new / "notebooks/05_trade.ipynb")
    _, done = working_copy(tmp_path, new, "0.2.0")
    assert done[0] == f"Put 2 files into {folder}, your own copy of the kit."
    assert {f"notebooks/{n}.ipynb" for n in ("01_prices", "02_demand", "05_trade")} <= names(folder)


def test_a_learners_own_files_are_not_looked_at(tmp_path, new, folder):
    (folder / "notebooks/games").mkdir()
    own = {
        "notebooks/progress.json": b"{",
        "notebooks/games/ours.jsonl": b"\xff",
        "notebooks/mine.ipynb": b"not JSON",
    }
    for name, data in own.items():
        (folder / name).write_bytes(data)
    working_copy(tmp_path, new, "0.2.0")
    assert {name: (folder / name).read_bytes() for name in own} == own


# -- what counts as a change ---------------------------------------------------------------------


def saved(path, **changes):
    """Save a notebook as Jupyter does, with changes to its first cell."""
    made = nbformat.read(path, 4)
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    made.cells[0].update({"id": "another", "execution_count": 7, **changes})
    for output in made.cells[0].outputs:
        output["execution_count"] = 7
    path.write_text(nbformat.writes(made, indent=2), "utf-8")


@pytest.mark.parametrize(
    "metadata", [{}, {"jupyter": {"source_hidden": False}}, {"collapsed": True, "scrolled": True}]
)
def test_a_notebook_that_was_only_looked_at_is_not_changed(tmp_path, new, folder, metadata):
    saved(folder / "notebooks/02_demand.ipynb", metadata=metadata)
    working_copy(tmp_path, new, "0.2.0")
    assert same(folder, new)


@pytest.mark.parametrize(
    "changes",
    [
        {"source": "demand = 3"},
        {"outputs": printed("278")},
        {"outputs": []},
        {"metadata": {"tags": ["for-monday"]}},
    ],
    ids=["source", "another output", "output cleared", "tag"],
)
def test_a_cell_and_what_it_showed_are_the_learners(tmp_path, new, folder, changes):
    saved(folder / "notebooks/02_demand.ipynb", **changes)
    mine = (folder / "notebooks/02_demand.ipynb").read_bytes()
    working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks/02_demand.ipynb").read_bytes() == mine
    assert (folder / "notebooks" / NEWS).exists()


def test_a_notebook_that_is_broken_is_changed(tmp_path, new, folder):
    (folder / "notebooks/02_demand.ipynb").write_text('{"cells": 1', "utf-8")
    working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks/02_demand.ipynb").read_text("utf-8") == '{"cells": 1'
    assert (folder / "notebooks" / NEWS).exists()


# -- folders that others made --------------------------------------------------------------------


@pytest.mark.parametrize("note", [None, "{", "[]", '{"format": "exdec-kit", "version": 1}'])
def test_without_a_note_all_that_is_not_as_in_the_kit_is_the_learners(
    tmp_path, old, new, folder, note
):
    (folder / NAME).unlink()
    if note is not None:
        (folder / NAME).write_text(note, "utf-8")
    (folder / "notebooks/01_prices.ipynb").write_bytes(
        (new / "notebooks/01_prices.ipynb").read_bytes()
    )
    mine = (folder / "notebooks/02_demand.ipynb").read_bytes()
    working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks/02_demand.ipynb").read_bytes() == mine
    assert (folder / "notebooks" / NEWS).exists()
    assert not (folder / "notebooks/01_prices.new-0.2.0.ipynb").exists()
    # From now on there is a note.
    assert working_copy(tmp_path, new, "0.2.0")[1] == []
    working_copy(tmp_path, old, "0.3.0")
    assert (folder / "notebooks/01_prices.ipynb").read_bytes() == (
        old / "notebooks/01_prices.ipynb"
    ).read_bytes()


def test_an_older_exdec_changes_nothing_and_says_so(tmp_path, old, new):
    folder, _ = working_copy(tmp_path, new, "0.10.0")
    (folder / "notebooks/01_prices.ipynb").unlink()
    _, done = working_copy(tmp_path, old, "0.9.0")
    assert (folder / "notebooks/02_demand.ipynb").read_bytes() == (
        new / "notebooks/02_demand.ipynb"
    ).read_bytes()
    assert done == [
        f"Put {Path('notebooks', '01_prices.ipynb')} into {folder}, your own copy of the kit.",
        "Left 4 files as a newer exdec put it there. You have exdec 0.9.0. "
        "Update exdec: pip install --upgrade exdec",
    ]
    assert not list(folder.rglob("*.new-*"))


def test_notes_of_a_later_format_are_left_alone(tmp_path, old, folder):
    (folder / NAME).write_text('{"format": "exdec-kit", "version": 2}', "utf-8")
    (folder / "notebooks/01_prices.ipynb").unlink()
    _, done = working_copy(tmp_path, old, "0.1.0")
    assert done == [
        f"A newer exdec keeps what is in {folder}. Update exdec: pip install --upgrade exdec"
    ]
    assert not (folder / "notebooks/01_prices.ipynb").exists()


# -- disks ---------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_named(tmp_path, old):
    (tmp_path / "exdec-kit").write_text("a file")
    with pytest.raises(KitError, match=r"exdec-kit: .*\. Try it in another folder\.$"):
        working_copy(tmp_path, old)
    assert (tmp_path / "exdec-kit").read_text() == "a file"


def refuse(path):
    """Let nothing be written there, whoever asks; permissions do not bind everybody."""
    path.with_name(f"{path.name}.part").mkdir()


def test_notebooks_that_cannot_be_written_open_as_they_are(tmp_path, old, new, folder):
    refuse(folder / RULES)  # which comes first
    _, (said,) = working_copy(tmp_path, new, "0.2.0")
    assert said.startswith(f"What is in {folder} cannot be brought up to date: ")
    assert same(folder, old)


def test_an_old_folder_where_no_note_can_be_kept_opens_too(tmp_path, old, folder):
    (folder / NAME).unlink()
    refuse(folder / NAME)
    assert "It opens as it is." in working_copy(tmp_path, old, "0.1.0")[1][0]


def test_the_next_call_does_what_a_crash_left(tmp_path, new, folder):
    change(folder / "notebooks/02_demand.ipynb")
    mine = (folder / "notebooks/02_demand.ipynb").read_bytes()
    refuse(folder / "notebooks/instructor" / "debrief.ipynb")  # which comes last
    working_copy(tmp_path, new, "0.2.0")
    assert (folder / "notebooks/01_prices.ipynb").read_bytes() == (
        new / "notebooks/01_prices.ipynb"
    ).read_bytes()
    (folder / "notebooks/instructor" / "debrief.ipynb.part").rmdir()
    (folder / "notebooks/instructor" / "debrief.ipynb.part").write_text("half of i")
    _, done = working_copy(tmp_path, new, "0.2.0")
    last = Path("notebooks", "instructor", "debrief.ipynb")
    assert done[0] == f"Brought {last} up to date with exdec 0.2.0."
    assert names(folder) == names(new) | {NAME, f"notebooks/{NEWS}"}
    assert (folder / "notebooks/02_demand.ipynb").read_bytes() == mine


# -- when a lesson opens -------------------------------------------------------------------------


def test_a_lesson_of_the_same_version_needs_no_word(tmp_path, folder):
    assert mismatch(folder / "notebooks", "02", "0.1.0") == ""
    assert mismatch(folder / "notebooks", "07", "0.2.0") == ""
    assert mismatch(tmp_path, "02", "0.2.0") == ""


def test_a_lesson_of_another_version_says_what_to_do(tmp_path, old, new, folder):
    assert mismatch(folder / "notebooks", "02", "0.0.9") == (
        "This notebook is of exdec 0.1.0, and you have exdec 0.0.9. "
        "Update exdec: pip install --upgrade exdec"
    )
    assert mismatch(folder / "notebooks", "02", "0.2.0") == (
        "This notebook is of exdec 0.1.0, and you have exdec 0.2.0. Start with exdec lab, which "
        "brings up to date what you have not changed."
    )
    change(folder / "notebooks/02_demand.ipynb")
    working_copy(tmp_path, new, "0.2.0")
    assert mismatch(folder / "notebooks", "01", "0.2.0") == ""
    assert mismatch(folder / "notebooks", "02", "0.2.0") == (
        "You have changed this notebook, so it is still of exdec 0.1.0. "
        f"The new one is beside it: {NEWS}."
    )
    (folder / "notebooks" / NEWS).unlink()
    assert mismatch(folder / "notebooks", "02", "0.2.0") == ""
    (folder / NAME).write_text('{"format": "exdec-kit", "version": 2}', "utf-8")
    assert mismatch(folder / "notebooks", "02", "0.2.0").startswith(
        "A newer exdec keeps what is in "
    )


def test_a_lesson_that_nobody_took_note_of_is_of_an_older_exdec(tmp_path, new, folder):
    (folder / NAME).unlink()
    working_copy(tmp_path, new, "0.2.0")
    assert "it is still of an older exdec. The new one" in mismatch(
        folder / "notebooks", "02", "0.2.0"
    )


HOSTING = KIT / "docs" / "hosting.md"


def test_the_line_for_departments_puts_the_kit_into_each_home(tmp_path):
    (line,) = re.findall(r'- python -c "(.*working_copy.*)"', HOSTING.read_text(encoding="utf-8"))
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", line], env={**os.environ, **home}, check=True)
    assert (tmp_path / "exdec-kit" / "notebooks" / "00_start_here.ipynb").exists()
