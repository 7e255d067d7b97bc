import shutil

import pytest

from exdec.cli import main
from exdec.lessons.build import lesson_folders
from exdec.lessons.desk import Desk
from exdec.lessons.lint import check_lessons


@pytest.fixture
def lessons(tmp_path):
    """A copy of the first lesson, where what it links to is to be found."""
    folder = lesson_folders(Desk().sources)[0]
    shutil.copytree(folder, tmp_path / "lessons" / folder.name)
    (tmp_path / "notebooks").mkdir()
    for name in ("00_start_here", "02_demand", "play"):
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    return tmp_path / "lessons"


def change(lessons, name, before, after, count=1):
    path = next(lessons.glob("01_*")) / name
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, count), "utf-8")


def test_the_lessons_hold_to_every_rule(capsys):
    assert check_lessons(Desk().sources) == []
    assert main(["check-lessons", str(Desk().sources)]) == 0
    assert capsys.readouterr().out == "All is well with the lessons.\n"


def test_a_copy_is_as_well(lessons):
    assert check_lessons(lessons) == []


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("lesson.md", "  - Predict", "  - Understand", "begins with 'understand'. Begin with what"),
        ("lesson.md", "objectives:\n", "objectives:\n  - Sing a song\n", "begins with 'sing'"),
        ("lesson.md", "minutes: 45", "minutes: 50", "and the header says 50"),
        ("lesson.md", " min\n", "\n", "has no minutes. Write '## Title · 5 min'"),
        ("lesson.md", " · at home\n", "\n", "or '## Title · at home' for what the lesson has no"),
        ("lesson.md", 'explain("01', 'print("01', "is asked nowhere. Write explain('01"),
        ("lesson.md", 'predict("01', 'print("01', "needs predict('01"),
        ("lesson.md", "\n## ", "\nIt costs \\$5.\n\n## ", "an amount that nobody recomputes"),
        ("lesson.md", "\n## ", "\nIt costs $x.\n\n## ", "a bare $ begins a formula"),
        ("lesson.md", "\n## ", "\n![](x.png)\n\n## ", "the image x.png has no text"),
        (
            "lesson.md",
            "\n## ",
            "\n[Next](99_x.ipynb)\n\n## ",
            "the link to 99_x.ipynb leads nowhere",
        ),
        ("lesson.md", "\n## ", "\n{{ nothing }}\n\n## ", "asks for {{ nothing }}"),
        ("exercises.toml", "optional = true\n", "", "at home. Write optional = true"),
        ("exercises.toml", "minutes = 1\n", "minutes = 1\noptional = true\n", "Leave out opt"),
        ("lesson.md", "from exdec import Game\n\nlow", "low", "takes Game from another cell"),
        (
            "lesson.md",
            "\n## ",
            "\n```{code-cell}\ngo.Figure()\n```\n\n## ",
            "draws a chart of its own",
        ),
        ("teacher.md", "| 0–", "| 1–", "the script has a gap there"),
        ("exercises.toml", "objective = 1", "objective = 9", "there is no objective 9"),
        ("exercises.toml", "hints = [", "hunts = [", '"hints" is missing'),
    ],
)
def test_what_is_amiss_is_said(lessons, name, before, after, said):
    change(lessons, name, before, after)
    assert said in "\n".join(check_lessons(lessons))


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        (
            "lesson.md",
            "nbval-check-output",
            "nbval-ignore",
            "0 cells are tagged nbval-check-output",
        ),
        ("teacher.md", "Debrief", "Talk", "there is no heading 'Debrief'"),
        ("teacher.md", "–45 |", "–44 |", "ends with minute 44, and the lesson takes 45"),
    ],
)
def test_what_is_amiss_all_over(lessons, name, before, after, said):
    change(lessons, name, before, after, -1)
    assert said in "\n".join(check_lessons(lessons))


def test_an_exercise_that_is_never_asked(lessons):
    change(lessons, "lesson.md", 'ask("01-1"', 'print("01-1"')
    assert "01-1 is asked nowhere. Write ask('01-1')" in "\n".join(check_lessons(lessons))


def test_two_exercises_of_one_name(lessons):
    shutil.copytree(next(lessons.glob("01_*")), lessons / "02_again")
    assert "Two exercises are called 01-1. Rename one." in check_lessons(lessons)


def test_a_lesson_without_a_teachers_plan(lessons, capsys):
    (next(lessons.glob("01_*")) / "teacher.md").unlink()
    assert main(["check-lessons", str(lessons)]) == 2
    said = capsys.readouterr()
    assert "teacher.md is missing. A teacher needs" in said.out
    assert "1 to mend." in said.err


def test_a_folder_without_lessons(tmp_path):
    assert "there are no lessons" in check_lessons(tmp_path)[0]
