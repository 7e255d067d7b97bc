"""``exdec check-lessons``: what every lesson must hold to, each as a sentence when it does not.

A finding names the file, the line where there is one, what is amiss and how to mend it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from exdec.errors import ExdecError
from exdec.lessons.build import KEPT, Lesson, lesson_folders, notebook, read_lesson
from exdec.lessons.exercises import Exercise, read_exercises

VERBS = frozenset(
    "calculate choose compare compute decide derive describe draw estimate explain find forecast "
    "interpret judge measure name plot predict price rank read show sketch state tell test".split()
)
"""Verbs that one can watch a learner do."""

SECTION = re.compile(r"^##\s+(?P<title>.+?)(?:\s+·\s+(?P<minutes>\d+)\s+min)?\s*$", re.MULTILINE)
SLOT = re.compile(r"^\|\s*(?P<start>\d+)\s*–\s*(?P<end>\d+)\s*\|", re.MULTILINE)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)[^)]*\)")
MONEY = re.compile(r"\\?\$\s?\d")
BARE_DOLLAR = re.compile(r"(?<!\\)\$")
CODE = re.compile(r"`[^`]*`")
OWN_CHART = re.compile(r"go\.Figure|\.show\(|plt\.|px\.")
LARGEST = 100_000
CHECKED_CELLS = 5
HINTS = 2
MISCONCEPTIONS = 2
TEACHER = ("Say", "Board", "Wrong answers", "Debrief", "Without computers", "Standards")
"""What a teacher's plan has a heading for."""


def check_lessons(root: Path) -> list[str]:
    """Look through all lessons below a folder.

    Returns
    -------
    list of str
        What is amiss, a sentence each; empty if all is well.
    """
    folders = lesson_folders(root)
    if not folders:
        return [f"{root}: there are no lessons. A lesson is a folder such as 01_prices."]
    found = []
    known: Counter[str] = Counter()
    names = {f"{folder.name}.ipynb" for folder in folders}
    for folder in folders:
        try:
            lesson, exercises = read_lesson(folder), read_exercises(folder / "exercises.toml")
        except ExdecError as error:
            found.append(str(error))
            continue
        known.update(exercise.id for exercise in exercises)
        for rule in RULES:
            found += rule(lesson, exercises)
        found += _links(lesson, names)
    found += [f"Two exercises are called {name}. Rename one." for name, n in known.items() if n > 1]
    return found


def _objectives(lesson: Lesson, exercises: Iterable[Exercise]) -> Iterator[str]:
    path = lesson.folder / "lesson.md"
    served = {exercise.objective for exercise in exercises}
    for number, objective in enumerate(lesson.header["objectives"], 1):
        verb = str(objective).partition(" ")[0].lower().rstrip(",")
        if verb not in VERBS:
            yield (
                f"{path}: objective {number} begins with {verb!r}. Begin with what one can watch "
                f"a learner do: {', '.join(sorted(VERBS))}."
            )
        if number not in served:
            yield f"{path}: objective {number} has no exercise. Write one, or drop the objective."
    for number in sorted(served - set(range(1, len(lesson.header["objectives"]) + 1))):
        yield f"{lesson.folder / 'exercises.toml'}: there is no objective {number} to exercise."


def _minutes(lesson: Lesson, _exercises: Iterable[Exercise]) -> Iterator[str]:
    path, minutes = lesson.folder / "lesson.md", lesson.header["minutes"]
    sections = [found for cell in _texts(lesson) for found in SECTION.finditer(cell)]
    for section in sections:
        if section["minutes"] is None:
            yield f"{path}: '{section['title']}' has no minutes. Write '## Title · 5 min'."
    total = sum(int(section["minutes"] or 0) for section in sections)
    if total != minutes:
        yield f"{path}: the sections take {total} minutes, and the header says {minutes}."


def _teacher(lesson: Lesson, _exercises: Iterable[Exercise]) -> Iterator[str]:
    path = lesson.folder / "teacher.md"
    if not path.exists():
        yield f"{path} is missing. A teacher needs the minutes, the words and the board."
        return
    text = path.read_text("utf-8")
    headings = re.findall(r"^#+\s+(.+)$", text, re.MULTILINE)
    for heading in TEACHER:
        if not any(heading.lower() in one.lower() for one in headings):
            yield f"{path}: there is no heading '{heading}'."
    at = 0
    for slot in SLOT.finditer(text):
        if int(slot["start"]) != at:
            yield f"{path}: minute {at} is followed by {slot['start']}; the script has a gap there."
        at = int(slot["end"])
    if at != lesson.header["minutes"]:
        yield (
            f"{path}: the script ends with minute {at}, and the lesson takes "
            f"{lesson.header['minutes']}. Its rows look like '| 0–5 | … |'."
        )


def _exercises(lesson: Lesson, exercises: Iterable[Exercise]) -> Iterator[str]:
    path = lesson.folder / "exercises.toml"
    code = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "code")
    for exercise in exercises:
        where = f"{path}: {exercise.id}"
        if not exercise.id.startswith(f"{lesson.number:02}-"):
            yield f"{where}: ids of this lesson begin with {lesson.number:02}-."
        if not re.search(rf"""\w\(\s*["']{re.escape(exercise.id)}["']""", code):
            yield f"{where} is asked nowhere in lesson.md."
        if len(exercise.hints) != HINTS:
            yield f"{where} has {len(exercise.hints)} hints; give {HINTS}, the second one stronger."
        if len(exercise.misconceptions) < MISCONCEPTIONS:
            yield (
                f"{where} knows {len(exercise.misconceptions)} misconceptions; name at least "
                f"{MISCONCEPTIONS}, each with the sentence that it deserves."
            )


def _prose(lesson: Lesson, _exercises: Iterable[Exercise]) -> Iterator[str]:
    """Numbers come from the engine, and dollars are no formulas."""
    path = lesson.folder / "lesson.md"
    for line, text in _lines(lesson):
        bare = CODE.sub("", text)
        if MONEY.search(bare):
            yield (
                f"{path}, line {line}: {bare.strip()!r} has an amount that nobody recomputes. "
                "Let numbers.py work it out, and write {{ its_name }}."
            )
        if BARE_DOLLAR.search(bare):
            yield f"{path}, line {line}: a bare $ begins a formula. Write \\$."


def _checked(lesson: Lesson, _exercises: Iterable[Exercise]) -> Iterator[str]:
    path = lesson.folder / "lesson.md"
    tags = [cell.metadata.get("tags", []) for cell in lesson.cells]
    checked = sum(KEPT in one for one in tags)
    if checked < CHECKED_CELLS:
        yield (
            f"{path}: {checked} cells are tagged {KEPT}; give at least {CHECKED_CELLS}, so that a "
            "change of the rules shows up here."
        )
    for cell in lesson.cells:
        if cell.cell_type == "code" and OWN_CHART.search(cell.source):
            yield (
                f"{path}: a cell draws a chart of its own ({cell.source.splitlines()[0]!r} …). "
                "Use one that brings its sentence, from exdec."
            )
    try:
        size = len(str(notebook(lesson)).encode())
    except ExdecError as error:
        yield str(error)
    else:
        if size > LARGEST:
            yield f"{path}: the notebook takes {size:,} bytes; keep it below {LARGEST:,}."


def _links(lesson: Lesson, notebooks: set[str]) -> Iterator[str]:
    for path in (lesson.folder / "lesson.md", lesson.folder / "teacher.md"):
        if not path.exists():
            continue
        for link in LINK.finditer(path.read_text("utf-8")):
            target = link["target"].partition("#")[0]
            if link["image"] and not link["text"].strip():
                yield f"{path}: the image {target} has no text for those who cannot see it."
            if target and "://" not in target and target not in notebooks:
                beside = (path.parent / target, path.parents[2] / "notebooks" / target)
                if not any(place.exists() for place in beside):
                    yield f"{path}: the link to {target} leads nowhere."


RULES: tuple[Callable[[Lesson, list[Exercise]], Iterable[str]], ...] = (
    _objectives,
    _minutes,
    _teacher,
    _exercises,
    _prose,
    _checked,
)


def _texts(lesson: Lesson) -> list[str]:
    return [cell.source for cell in lesson.cells if cell.cell_type == "markdown"]


def _lines(lesson: Lesson) -> Iterator[tuple[int, str]]:
    """The lines of prose in lesson.md, with their numbers; neither header nor code."""
    within_header, within_code = False, False
    for number, line in enumerate((lesson.folder / "lesson.md").read_text("utf-8").splitlines(), 1):
        if line.strip() == "---" and (number == 1 or within_header):
            within_header = number == 1
        elif line.startswith("```"):
            within_code = not within_code
        elif not within_header and not within_code:
            yield number, line
