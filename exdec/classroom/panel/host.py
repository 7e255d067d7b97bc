"""The instructor's panel: it opens a class, and then shows it as it goes.

The class is in the notebook's server. The panel asks it once a second how it stands; closing the
page or restarting the kernel changes nothing, and running the cell again shows it again.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from exdec.classroom.client import Client, HostError
from exdec.classroom.panel.kept import Kept
from exdec.classroom.panel.open import Setup
from exdec.classroom.panel.parts import Fold, box
from exdec.classroom.panel.run import Running
from exdec.classroom.settings import ClassSettings
from exdec.errors import ExdecError
from exdec.lessons.views import View
from exdec.notebook.clicks import guarded, said_html
from exdec.notebook.stage import widgets_of

EVERY = 1.0
"""Seconds between two looks at the class."""

SLOWER = 5.0
"""Seconds between two looks while the server does not answer."""

OPENED = "The class is open. Open the projector, so that pupils see the code."
RESUMED = "The class is open again, as it was."

_shown: weakref.ref[HostPanel] | None = None
"""The panel that was made last; the others stop asking."""


class HostPanel(View):
    """Open a class, or run the one that is open. Make it the last line of a cell.

    Parameters
    ----------
    client : Client, optional
        The class's server; the one that runs this notebook if left out.

    Attributes
    ----------
    setup : Setup or None
        What a class is opened with, while none is.
    kept : Kept or None
        The classes that are kept as files, while none is open.
    running : Running or None
        The class that is open.
    """

    def __init__(self, client: Client | None = None) -> None:
        global _shown
        super().__init__("host")
        before = _shown() if _shown is not None else None
        if before is not None:
            before.retire()
        _shown = weakref.ref(self)
        self.setup: Setup | None = None
        self.kept: Kept | None = None
        self.running: Running | None = None
        self._retired = False
        self._watching: asyncio.Task[None] | None = None
        self._said = ""
        try:
            self.client = client or Client.here()
            self.look()
        except HostError as error:
            self._replace(widgets.HTML(_title("No class can be opened yet")), self.message)
            self.complain(str(error))
            if client is not None or hasattr(self, "client"):
                self._again()

    def look(self) -> None:
        """Ask the server how things stand, and show that.

        Raises
        ------
        HostError
            It does not answer, or is another one.
        """
        state = self.client.state()
        if state["t"] == "state":
            self._run(state)
        else:
            self._offer(state)

    def retire(self) -> None:
        """Stop asking; another panel shows the class now."""
        self._retired = True
        self.running = self.setup = self.kept = None
        self._replace(widgets.HTML("<p>The class is shown where the cell was run last.</p>"))

    def _replace(self, *parts: widgets.Widget) -> None:
        """Show these, and let go of what was there: nothing that was typed stays behind."""
        before = self.widget.children[1:]
        self.put(*parts)
        kept = {id(self.message), id(self.message.layout), id(self.message.style)}
        for one in list(widgets_of(before)):
            if id(one) not in kept:
                one.close()

    # -- without a class -------------------------------------------------------------------------

    def _offer(self, state: dict[str, Any]) -> None:
        self.running = None
        self.setup = Setup(self._open)
        self.kept = Kept(Path(state["folder"]), state["classes"], self._resume)
        head = [widgets.HTML(_title("Open a class")), self.message]
        self.message.value = ""
        opening = self.setup.widgets
        if not state["classes"]:
            self.message.value = said_html(self._said)
            self._replace(*head, *opening)
        elif self._said or self.kept.cut_off:
            # What was there a moment ago comes first.
            told = self._said or "A class was cut off. Everything that was handed in is there."
            self.message.value = said_html(told)
            title = "The class is over" if self._said else "Go on with a class"
            fold = Fold("Open a new class", *opening)
            self._replace(
                *(widgets.HTML(_title(title)), self.message, self.kept.widget),
                *(box("buttons", fold.button), fold.box),
            )
            self.kept.export.button.focus()
        else:
            fold = Fold("Earlier classes", self.kept.widget)
            self._replace(*head, *opening, box("buttons", fold.button), fold.box)
        self._said = ""

    def _open(self, settings: ClassSettings) -> None:
        self._begin(lambda: self.client.open(settings), OPENED)

    def _resume(self, file: str) -> None:
        self._begin(lambda: self.client.resume(file), RESUMED)

    def _begin(self, ask: Callable[[], object], said: str) -> None:
        try:
            ask()
        except HostError:
            # Perhaps another page opened one meanwhile; then that one is shown.
            self.look()
            if self.running is None:
                raise
            return
        self.look()
        if self.running is not None:
            self.running.controls.answer.say(said)
            self.running.folds[1].button.focus()

    def _again(self) -> None:
        again = widgets.Button(description="Try again")
        again.on_click(guarded(self.look, self.complain))
        self.widget.children = [*self.widget.children, box("buttons", again)]

    # -- with a class ----------------------------------------------------------------------------

    def _run(self, state: dict[str, Any]) -> None:
        self.setup = self.kept = None
        self.running = Running(self.client, state, self._closed)
        self._replace(*self.running.widgets)
        self._watch()

    def _closed(self, text: str) -> None:
        self._said = text
        self.look()

    async def follow(self) -> None:
        """Look at the class once; what goes wrong is said."""
        running = self.running
        if running is None:
            return
        try:
            state = await asyncio.to_thread(self.client.state, running.table)
            if self.running is running and not self._retired:
                running.update(state)
        except ExdecError as error:
            running.lose(str(error))

    def _watch(self) -> None:
        """Look at the class again and again, as long as it is open and shown here."""
        if self._watching is not None and not self._watching.done():
            return
        try:
            self._watching = asyncio.get_running_loop().create_task(self._keep_watching())
        except RuntimeError:
            return  # without a kernel there is nobody to look

    async def _keep_watching(self) -> None:
        # The chart needs it as soon as the game begins; it takes a second, and nobody waits yet.
        await asyncio.to_thread(import_module, "plotly.graph_objects")
        while self.running is not None and not self._retired and self.widget.comm is not None:
            lost = bool(self.running.lost.value)
            await asyncio.sleep(SLOWER if lost else EVERY)
            await self.follow()


def _title(text: str) -> str:
    return f'<p class="exdec-where">{text}</p>'
