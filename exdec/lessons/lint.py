"""``exdec check-lessons``: what every lesson must hold to, each as a sentence when it does not.

A finding names the file, the line where there is one, what is amiss and how to mend it.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import exdec.lessons
from exdec.errors import ExdecError
from exdec.lessons.build import KEPT, Lesson, lesson_folders, notebook, read_lesson
from exdec.lessons.exercises import Workbook, read_exercises

VERBS = (
    *("calculate", "choose", "compare", "compute", "decide", "derive", "describe", "draw"),
    *("estimate", "explain", "find", "forecast", "interpret", "judge", "measure", "name", "plot"),
    *("predict", "price", "rank", "read", "show", "sketch", "state", "tell", "test"),
)
"""Verbs that one can watch a learner do."""

SECTION = re.compile(
    r"^##\s+(?P<title>.+?)(?:\s+·\s+(?:(?P<minutes>\d+)\s+min|(?P<home>at home)))?\s*$",
    re.MULTILINE,
)
SLOT = re.compile(r"^\|\s*(?P<start>\d+)\s*–\s*(?P<end>\d+)\s*\|", re.MULTILINE)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)[^)]*\)")
MONEY = re.compile(r"\\?\$\s?\d")
BARE_DOLLAR = re.compile(r"(?<!\\)\$")
CODE = re.compile(r"`[^`]*`")
OWN_CHART = re.compile(r"go\.Figure|\.show\(|plt\.|px\.")
LARGEST = 100_000
CHECKED_CELLS = 5
CHECKS, ON_THE_GAME = 8, 4
PREDICTIONS, EXPLANATIONS = 1, 3
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
            lesson, workbook = read_lesson(folder), read_exercises(folder / "exercises.toml")
        except ExdecError as error:
            found.append(str(error))
            continue
        known.update([*workbook.exercises, *workbook.predictions, *workbook.explanations])
        for rule in RULES:
            found += rule(lesson, workbook)
        found += _links(lesson, names)
    found += [f"Two exercises are called {name}. Rename one." for name, n in known.items() if n > 1]
    return found


def _objectives(lesson: Lesson, workbook: Workbook) -> Iterator[str]:
    path = lesson.folder / "lesson.md"
    served = {exercise.objective for exercise in workbook}
    for number, objective in enumerate(lesson.header["objectives"], 1):
        verb = str(objective).partition(" ")[0].lower().rstrip(",")
        if verb not in VERBS:
            yield (
                f"{path}: objective {number} begins with {verb!r}. Begin with what one can watch "
                f"a learner do: {', '.join(VERBS)}."
            )
        if number not in served:
            yield f"{path}: objective {number} has no exercise. Write one, or drop the objective."
    for number in sorted(served - set(range(1, len(lesson.header["objectives"]) + 1))):
        yield f"{lesson.folder / 'exercises.toml'}: there is no objective {number} to exercise."


def _minutes(lesson: Lesson, _workbook: Workbook) -> Iterator[str]:
    path, minutes = lesson.folder / "lesson.md", lesson.header["minutes"]
    sections = [found for cell in _texts(lesson) for found in SECTION.finditer(cell)]
    for section in sections:
        if section["minutes"] is None and section["home"] is None:
            yield (
                f"{path}: '{section['title']}' has no minutes. Write '## Title · 5 min', or "
                "'## Title · at home' for what the lesson has no time for."
            )
    total = sum(int(section["minutes"] or 0) for section in sections)
    if total != minutes:
        yield f"{path}: the sections take {total} minutes, and the header says {minutes}."


def _teacher(lesson: Lesson, _workbook: Workbook) -> Iterator[str]:
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


def _exercises(lesson: Lesson, workbook: Workbook) -> Iterator[str]:
    path = lesson.folder / "exercises.toml"
    for many, least, what in (
        (len(workbook.exercises), CHECKS, "exercises"),
        (sum(one.on_the_game for one in workbook), ON_THE_GAME, "exercises on the learner's game"),
        (len(workbook.predictions), PREDICTIONS, "predictions"),
        (len(workbook.explanations), EXPLANATIONS, "prompts to explain"),
    ):
        if many < least:
            yield f"{path}: there are {many} {what}; a lesson has at least {least}."
    for exercise in workbook:
        known = len(exercise.misconceptions)
        if known < MISCONCEPTIONS:
            yield (
                f"{path}: {exercise.id} knows {known} misconceptions; name at least "
                f"{MISCONCEPTIONS}, each with the sentence that it deserves."
            )
        if exercise.hints[0] == exercise.hints[1]:
            yield f"{path}: {exercise.id} gives the same hint twice; make the second one stronger."


def _asked(lesson: Lesson, workbook: Workbook) -> Iterator[str]:
    """Everything in the workbook has its place in the lesson, a forecast before its reveal."""
    path = lesson.folder / "lesson.md"
    code = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "code")
    calls = re.findall(r"""\b(ask|check|predict|reveal|explain)\(\s*["']([^"']+)["']""", code)
    first = {call: at for at, call in reversed(list(enumerate(calls)))}
    for name in workbook.exercises:
        if not {("ask", name), ("check", name)} & set(calls):
            yield f"{path}: {name} is asked nowhere. Write ask({name!r}) or check({name!r}, …)."
    for name in workbook.explanations:
        if ("explain", name) not in first:
            yield f"{path}: {name} is asked nowhere. Write explain({name!r})."
    for name in workbook.predictions:
        sealed, shown = first.get(("predict", name)), first.get(("reveal", name))
        if sealed is None or shown is None or shown < sealed:
            yield f"{path}: {name} needs predict({name!r}), and reveal({name!r}) after it."


def _optional(lesson: Lesson, workbook: Workbook) -> Iterator[str]:
    """What is done at home is optional, and nothing else."""
    home = False
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            for section in SECTION.finditer(cell.source):
                home = section["home"] is not None
            continue
        for name in re.findall(r"""\b(?:ask|check)\(\s*["']([^"']+)["']""", cell.source):
            exercise = workbook.exercises.get(name)
            if exercise and exercise.optional != home:
                where = "in a section at home" if home else "in the lesson's time"
                yield (
                    f"{lesson.folder / 'exercises.toml'}: {name} stands {where}. "
                    f"{'Write' if home else 'Leave out'} optional = true."
                )


def _prose(lesson: Lesson, _workbook: Workbook) -> Iterator[str]:
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


def _checked(lesson: Lesson, _workbook: Workbook) -> Iterator[str]:
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


def _by_itself(lesson: Lesson, _workbook: Workbook) -> Iterator[str]:
    """Whoever opens the lesson may run any cell next: it needs the first one alone."""
    path = lesson.folder / "lesson.md"
    cells = [cell.source for cell in lesson.cells if cell.cell_type == "code"]
    given = {*dir(builtins), *exdec.lessons.__all__, "display"}
    for at, source in enumerate(cells):
        needs, makes = names_in(source)
        for name in sorted(needs - makes - given):
            yield (
                f"{path}: the cell {source.splitlines()[0]!r} … takes {name} from another cell, "
                "which may not have run. Let it import or make its own."
            )
        if at == 0:
            given |= makes


def names_in(source: str) -> tuple[set[str], set[str]]:
    r"""Names that a cell takes, and those that it makes.

    Examples
    --------
    >>> takes, makes = names_in("from exdec import Game\ndemo = Game(players)")
    >>> sorted(takes - makes)
    ['players']
    """
    takes, makes = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name, ast.Load()):
                takes.add(name)
            case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name) | ast.ClassDef(name):
                makes.add(name)
            case ast.Import(names) | ast.ImportFrom(names=names):
                makes |= {(one.asname or one.name).partition(".")[0] for one in names}
    return takes, makes


def _links(lesson: Lesson, notebooks: set[str]) -> Iterator[str]:
    for path in (lesson.folder / "lesson.md", lesson.folder / "teacher.md"):
        if not path.exists():
            continue
        for link in LINK.finditer(path.read_text("utf-8")):
            target = link["target"].partition("#")[0]
            if path.name == "teacher.md":
                # It is read where it lies; the lesson's text, as a notebook among notebooks.
                target = target.removeprefix("../../notebooks/")
            if link["image"] and not link["text"].strip():
                yield f"{path}: the image {target} has no text for those who cannot see it."
            if target and "://" not in target and target not in notebooks:
                beside = (path.parent, path.parents[2] / "notebooks")
                if not any((place / target).exists() for place in beside):
                    yield f"{path}: the link to {target} leads nowhere."


RULES: tuple[Callable[[Lesson, Workbook], Iterable[str]], ...] = (
    _objectives,
    _minutes,
    _teacher,
    _exercises,
    _asked,
    _optional,
    _prose,
    _checked,
    _by_itself,
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
