"""Classes that are kept as files: going on with one, exporting it, deleting it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from exdec.classroom.elsewhere import elsewhere
from exdec.classroom.panel.parts import Answer, box, button, show
from exdec.classroom.store import Store
from exdec.errors import ExdecError
from exdec.narrate import counted


class Export:
    """A button that writes down everything of a class, beside its file.

    Parameters
    ----------
    path : Path
        The class's file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pseudonyms = widgets.Checkbox(
            description="Pupil 1, Pupil 2, … in place of names", indent=False
        )
        self.answer = Answer()
        self.made = widgets.HTML()
        self.button = button("Export everything", self.export, self.answer, typed=True)
        self.widget = box(
            "group", box("row", self.button, self.pseudonyms), self.answer.widget, self.made
        )

    def choose(self, path: Path) -> None:
        """Take another class."""
        self.path = path
        self.made.value = ""
        self.answer.say("")

    def export(self) -> None:
        """Write records, tables and a workbook into a new folder.

        Raises
        ------
        ExdecError
            The class cannot be read, or the folder not written.
        """
        from exdec.classroom.exports import export, to_debrief
        from exdec.played import export_named

        pseudonyms = self.pseudonyms.value
        folder = export(self.path, _free_folder(self.path, pseudonyms), pseudonyms)
        self.answer.say("Everything is exported: game records, tables for a spreadsheet, grades.")
        # debrief.ipynb is beside this notebook, and finds there what this kernel finds.
        found = export_named(Path(folder.name)).absolute() == folder.absolute()
        way, line, otherwise = to_debrief(
            folder.name if found else Path(os.path.relpath(folder)).as_posix()
        )
        self.made.value = (
            f"<p>It is in the folder <strong>{escape(str(folder.absolute()))}</strong>.</p>"
            f"<p>{escape(way)}</p>"
            f'<pre class="exdec-copy">{escape(line, quote=False)}</pre><p>{escape(otherwise)}</p>'
        )


def _free_folder(path: Path, pseudonyms: bool) -> Path:
    """A folder beside the class's file that is not there yet."""
    from exdec.classroom.exports import results_of

    first = results_of(path, pseudonyms)
    number = 1
    while True:
        folder = first.with_name(f"{first.name}{'' if number == 1 else f'-{number}'}")
        if not folder.exists():
            return folder
        number += 1


class Kept:
    """The classes in the server's folder.

    Parameters
    ----------
    folder : Path
    classes : sequence of dict
        As the server lists them, the newest first.
    resume : callable
        Goes on with a class, by the name of its file.
    """

    def __init__(
        self,
        folder: Path,
        classes: Sequence[Mapping[str, Any]],
        resume: Callable[[str], None],
    ) -> None:
        self._folder = folder
        self._classes = {one["file"]: one for one in classes}
        self._resume = resume
        self.answer = Answer()
        self.classes = widgets.Dropdown(
            options=[(_line(one), one["file"]) for one in classes], description="Class"
        )
        self.resume = button("Go on with it", self._go_on, self.answer)
        self.resume.button_style = "primary"
        self.delete = button("Delete it", self._ask, self.answer)
        self.export = Export(folder)
        self._row = box("row", self.classes, self.resume, self.delete)
        self.widget = box("group", self._row, self.answer.widget, self.export.widget)
        self.classes.observe(self._choose, "value")
        self._choose()

    @property
    def cut_off(self) -> bool:
        """Whether the newest class was not closed."""
        newest = next(iter(self._classes.values()), None)
        return newest is not None and not newest["closed"]

    def _choose(self, _change: object = None) -> None:
        file = self.classes.value
        show(self._row, file is not None)
        show(self.export.widget, file is not None)
        if file is not None:
            self.answer.say("")
            self.export.choose(self._folder / file)
            show(self.resume, not self._classes[file]["closed"])

    def _go_on(self) -> None:
        file = self.classes.value
        if warning := elsewhere(self._folder / file, time.time()):
            self.answer.ask(warning, "Go on all the same", partial(self._resume, file))
        else:
            self._resume(file)

    def _ask(self) -> None:
        file = self.classes.value
        title = self._classes[file]["title"]
        self.answer.ask(
            f"Delete {title} ({file}) with all names, bids and results?"
            f"{still_named(self._folder / file, title)}",
            "Really delete it",
            partial(self._delete, file),
        )

    def _delete(self, file: str) -> None:
        path = self._folder / file
        if not path.is_file():
            raise ExdecError(f"{file} is gone already.")
        Store.open(path).delete()
        title = self._classes.pop(file)["title"]
        self.classes.options = [(_line(one), name) for name, one in self._classes.items()]
        self._choose()
        self.answer.say(gone(path, title))


def still_named(path: Path, title: str) -> str:
    """Say where the names of a class are besides its file; "" for nowhere.

    debrief.ipynb is beside this notebook, and keeps its pages there; a saved notebook keeps
    what it showed, and so does JupyterLab's copy of it.
    """
    from exdec.classroom.exports import also_named, exported
    from exdec.debrief import page_stem

    pages = re.compile(rf"{re.escape(page_stem(title))}(-\d+)?\.html")
    saved = sorted(one for one in Path.cwd().iterdir() if pages.fullmatch(one.name))
    here = [*Path.cwd().glob("*.ipynb"), *Path.cwd().glob(".ipynb_checkpoints/*.ipynb")]
    shown = sorted(one for one in here if path.stem.encode() in one.read_bytes())
    return also_named([*exported(path), *saved, *shown])


def gone(path: Path, title: str) -> str:
    """Say that a class was deleted, and where its names are all the same."""
    return f"{path.name} and all that was in it is gone.{still_named(path, title)}"


def _line(one: Mapping[str, Any]) -> str:
    """One class as a line of a list."""
    day = datetime.fromtimestamp(one["at"]).strftime("%d %b %Y, %H:%M")
    state = "closed" if one["closed"] else "cut off"
    return f"{one['title']} · {day} · {counted(one['pupils'], 'pupil')} · {state}"
