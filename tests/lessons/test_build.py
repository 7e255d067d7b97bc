import json
import shutil
from pathlib import Path

import nbformat
import pytest

from exdec.cli import main
from exdec.lessons.build import (
    build,
    dumps,
    lesson_folders,
    notebook,
    read_lesson,
    run,
    unsolved,
    without_outputs,
)
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import LessonError, read_exercises

ROOT = Path(__file__).parents[2]
FOLDERS = lesson_folders(Desk().sources)
ONE = """---
title: A lesson
minutes: 5
needs: nothing.
objectives:
  - Compute one and one.
---

## Begin · 5 min

One and one is {{ two }}, {{ owed }}, {{ word }}.

```{code-cell}
:tags: [nbval-check-output]

print(1 + 1)
```

```{code-cell}
two = 1 + 1  # solution
ask("09-1", answer=two)
```

```{code-cell}
:tags: [solution-only]

assert two == 2
```
"""


@pytest.fixture
def lesson(tmp_path):
    folder = tmp_path / "lessons" / "09_one"
    folder.mkdir(parents=True)
    (folder / "lesson.md").write_text(ONE, "utf-8")
    (folder / "numbers.py").write_text("two, owed, word = 1 + 1, -1_234, 'so'", "utf-8")
    return folder


def test_there_are_four_lessons():
    assert [folder.name for folder in FOLDERS] == [
        "01_prices",
        "02_demand",
        "03_supply",
        "04_margin",
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_committed_is_what_the_source_makes(folder):
    path = ROOT / "notebooks" / f"{folder.name}.ipynb"
    there = nbformat.read(path, as_version=4)
    assert dumps(without_outputs(there)) == dumps(notebook(read_lesson(folder)))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_learners_find_no_answer_in_their_notebook(folder):
    lesson = read_lesson(folder)
    student, solved = dumps(notebook(lesson)), dumps(notebook(lesson, solved=True))
    assert "answer=" in solved
    assert "answer=" not in student
    assert "# solution" not in student
    assert "solution-only" not in student


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_solved_notebook_passes_every_check(folder, tmp_path):
    """`ask` raises when the answer in the source is not right."""
    run(notebook(read_lesson(folder), solved=True), tmp_path)
    progress = json.loads((tmp_path / "progress.json").read_text("utf-8"))
    verdicts = {
        name: {attempt["verdict"] for attempt in one["attempts"]}
        for name, one in progress["exercises"].items()
    }
    assert list(verdicts) == sorted(read_exercises(folder / "exercises.toml").exercises)
    assert set.union(*verdicts.values()) == {"right"}


def test_a_cell_is_named_by_what_it_says(lesson):
    first = [cell.id for cell in notebook(read_lesson(lesson)).cells]
    source = (lesson / "lesson.md").read_text("utf-8")
    (lesson / "lesson.md").write_text(source.replace("## Begin", "+++\n\nNew.\n\n+++\n\n## Begin"))
    then = [cell.id for cell in notebook(read_lesson(lesson)).cells]
    assert len(then) == len(first) + 1
    assert set(first) < set(then)


def test_numbers_and_solutions_are_filled_in_and_taken_out(lesson):
    made = notebook(read_lesson(lesson))
    texts = [cell.source for cell in made.cells]
    assert texts[0].startswith("# 9. A lesson\n\n**5 minutes.** You need: nothing.")
    assert "One and one is 2, −1,234, so." in texts[1]
    assert texts[3] == 'two = ...\nask("09-1")'
    assert len(texts) == 5
    assert texts[4].endswith("[Begin](#Begin)")
    solved = [cell.source for cell in notebook(read_lesson(lesson), solved=True).cells]
    assert solved[3:5] == [
        'two = 1 + 1  # solution\nask("09-1", answer=two)',
        "assert two == 2",
    ]


@pytest.mark.parametrize(
    ("source", "student"),
    [
        ('ask("1", answer={"X": [1, 2]}, note="ä")', 'ask("1", note="ä")'),
        ('ask("ä", answer=(\n  1,\n))', 'ask("ä")'),
        ('a = ask("1", answer=1); ask("2", answer=2)', 'a = ask("1"); ask("2")'),
        ("x = 5", "x = 5"),
        ("    y = f(1)  # solution", "    y = ..."),
    ],
)
def test_what_a_learner_sees_of_a_cell(source, student):
    if source.startswith(" "):
        source, student = f"if True:\n{source}", f"if True:\n{student}"
    assert unsolved(source) == student


def test_running_keeps_what_checked_cells_print_and_nothing_else(lesson, tmp_path):
    source = (lesson / "lesson.md").read_text("utf-8")
    (lesson / "lesson.md").write_text(source.replace('ask("09-1", answer=two)', "print(two)"))
    done = run(notebook(read_lesson(lesson)), tmp_path)
    outputs = [cell.get("outputs") for cell in done.cells if cell.cell_type == "code"]
    assert [output["text"] for output in outputs[0]] == ["2\n"]
    assert outputs[1] == []
    assert {cell.get("execution_count") for cell in done.cells} == {None}


@pytest.mark.slow
def test_check_tells_a_notebook_that_differs(lesson, tmp_path, capsys):
    source = lesson / "lesson.md"
    source.write_text(source.read_text("utf-8").replace('ask("09-1", answer=two)', ""), "utf-8")
    folder, notebooks = lesson.parent, tmp_path / "notebooks"
    assert build(folder, notebooks, check=True) == ([], [notebooks / "09_one.ipynb"])
    assert build(folder, notebooks) == ([notebooks / "09_one.ipynb"], [])
    assert build(folder, notebooks, check=True) == ([], [])
    source.write_text(source.read_text("utf-8").replace("One and one", "1 + 1"), "utf-8")
    assert main(["build-notebooks", "--check", str(folder)]) == 2
    assert "09_one.ipynb: not as the lesson's source has it" in capsys.readouterr().err


def test_what_is_wrong_with_a_source_is_said(lesson, tmp_path):
    source = (lesson / "lesson.md").read_text("utf-8")
    (lesson / "lesson.md").write_text(source.replace("{{ two }}", "{{ three }}"))
    with pytest.raises(LessonError, match=r"asks for \{\{ three \}\}, which .*numbers\.py"):
        notebook(read_lesson(lesson))
    (lesson / "lesson.md").write_text(source.replace("minutes: 5", "minutes: five"))
    with pytest.raises(LessonError, match="the header has no minutes"):
        read_lesson(lesson)
    (lesson / "lesson.md").write_text(source.replace("print(1 + 1)", "print(1 / 0)"))
    with pytest.raises(LessonError, match="ZeroDivisionError"):
        run(notebook(read_lesson(lesson)), tmp_path)
    shutil.rmtree(lesson)
    with pytest.raises(LessonError, match="holds no lessons"):
        build(lesson.parent, tmp_path)
