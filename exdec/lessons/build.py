"""Notebooks from the lessons' sources: one source, a notebook for learners and one with solutions.

A lesson is a folder such as ``lessons/02_demand``. Its ``lesson.md`` is MyST Markdown as jupytext
reads it, with a header:

.. code-block:: yaml

    title: Demand
    minutes: 45
    needs: Lesson 1, or three months played.
    objectives:
      - Compute what a unit of X-FINE is worth to you.

What a learner is to find out stands in the source and stays out of the learner's notebook:

- ``ask("02-3", answer=12)`` becomes ``ask("02-3")``;
- a line ``worth = 2 * 41 + 30  # solution`` becomes ``worth = ...``;
- a cell tagged ``solution-only`` is left out.

A cell tagged ``hide-input`` has its code folded away, a click from being read. A last cell leads
back to each part of the page, since JupyterLab stands at the end after Run All Cells.

Numbers in the text come from the engine: ``{{ january_x }}`` is what ``january_x`` comes to in the
lesson's ``numbers.py``. Cells tagged ``nbval-check-output`` are run, and what they print is kept.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
import runpy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exdec.kit import plain_dollars
from exdec.lessons.exercises import LessonError

KEPT = "nbval-check-output"
SOLUTION_ONLY = "solution-only"
HIDE_INPUT = "hide-input"

HOW_TO_GO_ON = (
    "**How to go on.** Press **▶** in the bar above this page, or Shift+Enter. Each press takes "
    "you one piece down, and runs it if it is code. Read, answer or play what comes, then press ▶ "
    "again. Code that you need not read is folded away; a click on **•••** opens it.\n\n"
    "Back another day, or jumped ahead? Choose **Run ▸ Run All Cells**. All that you did is still "
    "there, and links at the end of the page take you to where you were."
)
"""How to work through a notebook; all of them say it in the same words."""

END_OF_PAGE = "This is the end of the page. **Go to a part of it:**"
"""What stands before the links that lead back up."""

PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
HEADING = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
TIMED = re.compile(r"^##\s+(?P<title>.+?)\s+·\s+(?P<time>\d+ min|at home)[ \t]*$", re.MULTILINE)
GIVEN = re.compile(r"^(?P<start>\s*\w+\s*=\s).*#\s*solution\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Lesson:
    """A lesson as it is written.

    Parameters
    ----------
    folder : Path
        Such as ``lessons/02_demand``.
    header : mapping
        What stands above the text: title, minutes, needs, objectives.
    cells : list
        Jupyter's cells, as written.
    """

    folder: Path
    header: Mapping[str, Any]
    cells: list[Any]

    @property
    def number(self) -> int:
        """Which lesson it is, from 1."""
        return int(self.folder.name.partition("_")[0])

    @property
    def notebook_name(self) -> str:
        """The file that learners open."""
        return f"{self.folder.name}.ipynb"


def lesson_folders(root: Path) -> list[Path]:
    """The folders of all lessons below `root`, in the order of the course."""
    return sorted(path.parent for path in root.glob("[0-9][0-9]_*/lesson.md"))


def read_lesson(folder: Path) -> Lesson:
    """Read a lesson's source.

    Raises
    ------
    LessonError
        The file is missing, or its header lacks something; the message says what.
    """
    try:
        import jupytext
    except ImportError:
        raise LessonError("Building needs jupytext: pip install jupytext") from None

    path = folder / "lesson.md"
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise LessonError(f"{path} cannot be read: {error.strerror}.") from None
    source = jupytext.reads(text, fmt="md:myst")
    header = {key: value for key, value in source.metadata.items() if key != "jupytext"}
    for name, kind in {"title": str, "minutes": int, "needs": str, "objectives": list}.items():
        if not isinstance(header.get(name), kind):
            raise LessonError(f"{path}: the header has no {name}, or not as {kind.__name__}.")
    return Lesson(folder, header, list(source.cells))


def notebook(lesson: Lesson, *, solved: bool = False) -> Any:
    """Make a lesson's notebook, without outputs.

    Parameters
    ----------
    lesson : Lesson
    solved : bool
        With the solutions, for teachers and tests; otherwise the one that learners open.

    Returns
    -------
    nbformat.NotebookNode

    Raises
    ------
    LessonError
        The text asks for a number that ``numbers.py`` does not give.
    """
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    numbers = _numbers(lesson.folder)
    cells = [new_markdown_cell(_head(lesson))]
    for cell in lesson.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            cells.append(new_markdown_cell(time_below(_filled(lesson, cell.source, numbers))))
        elif solved or SOLUTION_ONLY not in tags:
            source = cell.source if solved else unsolved(cell.source)
            kept = [tag for tag in tags if tag != SOLUTION_ONLY]
            metadata: dict[str, Any] = {"tags": kept} if kept else {}
            if HIDE_INPUT in kept:
                metadata["jupyter"] = {"source_hidden": True}
            cells.append(new_code_cell(source, metadata=metadata))
    cells.append(new_markdown_cell(_foot(cells)))
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = plain_dollars(cell.source)
    _name(cells)
    made = new_notebook(cells=cells)
    made.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    made.nbformat_minor = 5
    return made


def run(made: Any, folder: Path) -> Any:
    """Run a notebook in a folder, and keep what its checked cells print.

    Parameters
    ----------
    made : nbformat.NotebookNode
    folder : Path
        Where the notebook's own files go, such as the record of a game.

    Returns
    -------
    nbformat.NotebookNode
        A copy with the outputs of the cells tagged ``nbval-check-output``, and nothing else.

    Raises
    ------
    LessonError
        A cell fails; the message quotes it.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_output

    done = copy.deepcopy(made)
    try:
        NotebookClient(done, timeout=120, resources={"metadata": {"path": folder}}).execute()
    except CellExecutionError as error:
        raise LessonError(f"A cell fails.\n{error}") from None
    finished = copy.deepcopy(made)
    for cell, played in zip(finished.cells, done.cells, strict=True):
        if KEPT in cell.metadata.get("tags", []):
            said = [out.text for out in played.outputs if out.get("name") == "stdout"]
            # The kernel sends what is printed in one piece or in several, as time would have it.
            cell.outputs = [new_output("stream", name="stdout", text="".join(said))]
    return finished


def dumps(made: Any) -> str:
    """Write a notebook the way it is committed."""
    import nbformat

    return str(nbformat.writes(made, version=4)) + "\n"


def without_outputs(made: Any) -> Any:
    """Take all outputs away, so that what is written can be compared without running it."""
    bare = copy.deepcopy(made)
    for cell in bare.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return bare


def build(
    lessons: Path, notebooks: Path, solutions: Path | None = None, check: bool = False
) -> tuple[list[Path], list[Path]]:
    """Make the notebooks of all lessons.

    Parameters
    ----------
    lessons, notebooks : Path
        Where the sources are, and where learners' notebooks go.
    solutions : Path, optional
        Make the solved ones, into this folder, in place of the learners'.
    check : bool
        Write nothing, and only compare what is written there, outputs aside.

    Returns
    -------
    written, differing : list of Path

    Raises
    ------
    LessonError
        A source cannot be read, or a cell fails; the message quotes it.
    """
    import nbformat

    folders = lesson_folders(lessons)
    if not folders:
        raise LessonError(f"{lessons} holds no lessons. A lesson is a folder such as 01_prices.")
    written, differing = [], []
    for folder in folders:
        lesson = read_lesson(folder)
        made = notebook(lesson, solved=solutions is not None)
        path = (solutions or notebooks) / lesson.notebook_name
        if check:
            there = nbformat.read(path, as_version=4) if path.exists() else None
            if there is None or dumps(without_outputs(there)) != dumps(made):
                differing.append(path)
            continue
        with TemporaryDirectory() as scratch:
            made = run(made, Path(scratch))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dumps(made), "utf-8", newline="\n")
        written.append(path)
    return written, differing


def unsolved(source: str) -> str:
    r"""Take the solutions out of a cell.

    Examples
    --------
    >>> print(unsolved('worth = 2 * 41 + 30  # solution\ncheck("02-3", worth)'))
    worth = ...
    check("02-3", worth)
    >>> print(unsolved('ask("02-4", answer=[1, 2])'))
    ask("02-4")
    """
    source = GIVEN.sub(lambda found: f"{found['start']}...", source)
    lines = source.splitlines(keepends=True)
    for call in _calls(source):
        answer = next((word for word in call.keywords if word.arg == "answer"), None)
        if answer is not None and call.args:
            last = call.args[-1]
            start = _offset(lines, last.end_lineno, last.end_col_offset)
            end = _offset(lines, answer.value.end_lineno, answer.value.end_col_offset)
            source = source[:start] + source[end:]
            lines = source.splitlines(keepends=True)
    return source


def time_below(text: str) -> str:
    r"""Write the time that a section takes below its heading.

    JupyterLab finds no heading with a dot such as this by a link.

    Examples
    --------
    >>> print(time_below("## Glut · 6 min\n\nBack to pure numbers."))
    ## Glut
    <BLANKLINE>
    *6 minutes*
    <BLANKLINE>
    Back to pure numbers.
    """

    def below(found: re.Match[str]) -> str:
        time = found["time"].replace("min", "minute" if found["time"] == "1 min" else "minutes")
        return f"## {found['title']}\n\n*{time.capitalize()}*"

    return TIMED.sub(below, text)


def _calls(source: str) -> list[ast.Call]:
    """Calls in a cell that give an answer, the last one first."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset), reverse=True)


def _offset(lines: list[str], line: int | None, column: int | None) -> int:
    assert line is not None
    assert column is not None
    before = sum(len(one) for one in lines[: line - 1])
    # Python counts columns in bytes.
    return before + len(lines[line - 1].encode()[:column].decode())


def _head(lesson: Lesson) -> str:
    header = lesson.header
    objectives = "\n".join(f"- {objective}" for objective in header["objectives"])
    return (
        f"# {lesson.number}. {header['title']}\n\n"
        f"**{header['minutes']} minutes.** You need: {header['needs']}\n\n"
        f"{HOW_TO_GO_ON}\n\n"
        f"After this lesson you can:\n\n{objectives}"
    )


def _foot(cells: list[Any]) -> str:
    """Links to all headings of the second level."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    links = [link_to(heading) for text in texts for heading in HEADING.findall(text)]
    return f"{END_OF_PAGE} {' · '.join(links)}"


def link_to(heading: str) -> str:
    """A link to a heading on the same page, as JupyterLab finds it.

    Examples
    --------
    >>> link_to("Your game")
    '[Your game](#Your-game)'
    """
    return f"[{heading}](#{heading.replace(' ', '-')})"


def _numbers(folder: Path) -> dict[str, Any]:
    path = folder / "numbers.py"
    return runpy.run_path(str(path)) if path.exists() else {}


def _filled(lesson: Lesson, text: str, numbers: Mapping[str, Any]) -> str:
    def number(found: re.Match[str]) -> str:
        if found[1] not in numbers:
            path = lesson.folder / "numbers.py"
            raise LessonError(f"lesson.md asks for {found[0]}, which {path} does not give.")
        value = numbers[found[1]]
        return f"{value:,}".replace("-", "−") if isinstance(value, int | float) else str(value)

    return PLACEHOLDER.sub(number, text)


def _name(cells: list[Any]) -> None:
    """Name each cell by what it says, so that its name stays when others come and go."""
    seen: dict[str, int] = {}
    for cell in cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
