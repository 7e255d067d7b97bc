"""The view of a class that is open: what happens in it, and the controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from exdec.classroom.client import Client, HostError
from exdec.classroom.panel.board import (
    audit_html,
    board_chart,
    board_html,
    head_html,
    notes_html,
    people_html,
    standings_html,
    tables_html,
)
from exdec.classroom.panel.controls import EVERY_TABLE, Controls, tables
from exdec.classroom.panel.kept import Export, gone
from exdec.classroom.panel.paper import Paper
from exdec.classroom.panel.parts import Fold, State, box, choose, show
from exdec.notebook.clicks import warning_html
from exdec.notebook.live import Live

REACHED = (
    "Phones in this room's network open <strong>{}</strong>, or scan the QR code that the "
    "projector shows."
)
SHOWN = "The projector shows the QR code and the address that phones open."
ONLY_HERE = (
    "Does this page's own address begin with localhost or 127.0.0.1? Then phones cannot come in "
    "yet: press Open an address for phones in this room."
)


class Running:
    """The class that is open. Everything shown is the server's; nothing of it lives here.

    Parameters
    ----------
    client : Client
    state : dict
    closed : callable
        Called with a sentence once the class was closed or deleted from here.

    Attributes
    ----------
    widgets : list of widgets
        Its parts, from top to bottom.
    table : int or None
        Whose prices are shown; None for the average.
    """

    def __init__(self, client: Client, state: State, closed: Callable[[str], None]) -> None:
        self._client = client
        self._closed = closed
        self._leaving = False
        self.head = widgets.HTML(_dom_classes=["exdec-head"])
        self.join = widgets.HTML(_dom_classes=["exdec-join"])
        self.lost = widgets.HTML(_dom_classes=["exdec-message"])
        self.unreached = widgets.HTML(_dom_classes=["exdec-message"])
        self.notes = widgets.HTML()
        self.people = widgets.HTML()
        self.tables = widgets.HTML(_dom_classes=["exdec-tables"])
        self.standings = widgets.HTML()
        self.board = widgets.HTML()
        self.audit = widgets.HTML()
        self.prices = widgets.Dropdown(description="Prices of")
        self.prices.observe(lambda _: self.look(), "value")
        self._chart = Live("chart")
        self._chart.follow()
        self._market = box("market", self.prices, self._chart.widget, self.board)
        self.controls = Controls(self._do, state)
        self.paper = Paper(self._do, state)
        self._file, self._title = Path(state["file"]), state["title"]
        self.export = Export(self._file)
        back, people, whole = self.controls.folds
        self._paper_fold = Fold("Paper tally", self.paper.widget)
        self._export_fold = Fold("Export", self.export.widget)
        self.folds = [back, people, self._paper_fold, whole, self._export_fold]
        self.widgets = [
            *(self.head, self.join, self.lost, self.unreached, self.controls.clock),
            *(self.people, self.notes),
            box("buttons", *(fold.button for fold in self.folds)),
            *(fold.box for fold in self.folds),
            box("sides", box("side", self.tables, self.standings, self.audit), self._market),
        ]
        self.update(state)

    @property
    def table(self) -> int | None:
        """Whose prices are shown; None for the average."""
        chosen = self.prices.value
        return None if chosen in (None, EVERY_TABLE) else int(chosen)

    def look(self) -> None:
        """Ask the server how the class stands, and show it."""
        self.update(self._client.state(self.table))

    def update(self, state: State) -> None:
        """Show how the class stands; what has not changed is not sent."""
        if state["t"] != "state":
            if not self._leaving:
                self._closed("The class is closed.")
            return
        self.lost.value = ""
        self.head.value = head_html(state)
        self.join.value = self._join_html(state)
        unreached = warning_html(state["unreached"])
        if self.unreached.value != unreached:
            self.unreached.value = unreached
        over = f"<p>{escape(over_words(state))}</p>" if state["phase"] == "over" else ""
        self.people.value = people_html(state) + over
        self.notes.value = notes_html(state)
        self.tables.value = tables_html(state)
        self.standings.value = standings_html(state)
        self.audit.value = audit_html(state)
        begun = bool(state["tables"])
        choose(self.prices, [("all tables, on average", EVERY_TABLE), *tables(state)])
        show(self.prices, len(state["tables"]) > 1)
        for fold in (self._paper_fold, self._export_fold):
            fold.offer(begun)
        show(self._market, begun)
        if begun:
            self.board.value = board_html(state)
            self._chart.update(board_chart(state), private=True)
        self.controls.update(state)
        self.paper.update(state)

    def lose(self, text: str) -> None:
        """Say that the server does not answer at this moment."""
        self.lost.value = warning_html(text)

    def _do(self, what: str, **args: Any) -> Mapping[str, Any]:
        # Somebody who looks meanwhile, in another thread, finds no class; the answer says why.
        self._leaving = what in ("delete", "finish")
        try:
            done = self._client.do(what, **args)
        except HostError:
            self._leaving = False
            raise
        if what == "delete":
            self._closed(gone(self._file, self._title))
        elif what == "finish":
            self._closed(done["text"])
        else:
            self.look()
        return done

    def _join_html(self, state: State) -> str:
        code = escape(f"{state['code'][:3]} {state['code'][3:]}")
        links = "".join(
            f'<a target="_blank" rel="noopener" href="{escape(page)}">{label}</a>'
            for label, page in (
                ("Open the projector", self._client.page(state["host"], "projector")),
                ("Slips and controls", self._client.page(state["host"], "controls")),
            )
        )
        can_open = any(one["do"] == "room" for one in state["controls"])
        if state["join"] is not None:
            way = REACHED.format(escape(state["join"]))
        elif can_open and state["phase"] == "lobby":
            way = f"{SHOWN} {ONLY_HERE}"
        elif state["unreached"]:
            way = ""
        else:
            way = SHOWN
        said = f"<p>{way}</p>" if way and state["joining"] else ""
        return (
            f'<p class="exdec-code"><span>Code</span> <strong>{code}</strong></p>'
            f'<p class="exdec-links">{links}</p>{said}'
        )


def over_words(state: State) -> str:
    """What is left to do after the game."""
    standings = "" if state["reveal"] else "Show the standings (The class). "
    return (
        f"The game is over. {standings}Export makes what the debrief needs. Then close the class."
    )
