"""A whole game for one person: where it stands, what happened, the form, the chart, the board.

The view is several outputs of one cell, which the stylesheet lays out. Only what is typed into or
clicked is made of widgets; the rest is HTML and a figure that are redrawn in place, so that a
saved or exported notebook still shows the game. Everything that a step changes goes to the page in
as few messages as can be: each costs a kilobyte before it says anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import ipywidgets as widgets

from exdec.charts import price_table_html
from exdec.game import Game
from exdec.items import MATERIALS
from exdec.model import Final, Step
from exdec.narrate import dollars
from exdec.notebook.again import Again, kept_html
from exdec.notebook.board import board_html
from exdec.notebook.calculator import MarketCalculator
from exdec.notebook.clicks import guarded
from exdec.notebook.ending import ending_html
from exdec.notebook.form import BidForm
from exdec.notebook.live import Bundle, html_bundle
from exdec.notebook.production import production_html
from exdec.notebook.report import report_html, story, welcome_html
from exdec.notebook.stage import Parts, Stage, chart_parts, head_html, where_sentence
from exdec.notebook.tally import tally_html
from exdec.observe import Observation
from exdec.table import Table
from exdec.theme import mark

TALLY, PRICES = "Tally sheet", "Price table"
"""What is one click away, and costs nothing until then."""

OPENED = {TALLY: "▾ below", PRICES: "▾"}
"""What their buttons say then: wide screens have the Tally sheet below everything else."""

NEXT = {
    Step.BUY: "Your turn: write how many units of each grade you want, and the most you pay "
    "for one. Then hand in.",
    Step.SELL: "Your turn: write how many units of each good you make, and the least you take for "
    "one. Then hand in.",
    Step.OVER: "Read how it went. The buttons below let you play again, or go back to one step and "
    "decide it anew.",
}


class TableView:
    """One person's seat at a table of rivals.

    Show it by making it the last line of a cell.

    Parameters
    ----------
    table : Table
    player : str
        The seat of the person who looks at this.
    stage : Stage, optional
        Outputs to draw on; without it, its own.

    Attributes
    ----------
    widget : widgets.Box
        The form, and what stands with it.
    """

    private = False
    """Whether no saved notebook may keep what this player sees."""

    def __init__(self, table: Table, player: str, stage: Stage | None = None) -> None:
        self.table = table
        self.player = player
        self.stage = stage or Stage()
        self.new = False
        self._kept = ""
        self.again: Again | None = None
        self.form = BidForm(self.hand_in, self.undo if table.practice else None)
        view = self._view()
        self.calculator = MarketCalculator(view, **self.form.plain)
        self.sheets = {
            sheet: widgets.Button(description=f"{sheet} ▸", **self.form.plain)
            for sheet in (TALLY, PRICES)
        }
        self._open: set[str] = set()
        for sheet, button in self.sheets.items():
            button.on_click(guarded(partial(self._toggle, sheet), self.form.complain))
        production = widgets.HTML(production_html(view.rules), **self.form.text)
        plain = {"layout": production.layout}
        self._tools = widgets.Box(
            [*self.sheets.values(), self.calculator.widget, production],
            **plain,
            _dom_classes=["exdec", "exdec-tools"],
        )
        self.widget = widgets.Box(
            [self.form.widget, self._tools], **plain, _dom_classes=["exdec-seat"]
        )
        self.form.ask(view)
        self._offer_again()

    @property
    def game(self) -> Game:
        """The game that is played, secrets of the rivals and all."""
        return self.table.game

    @property
    def story(self) -> str:
        """What happened so far, in sentences, as this player may know it."""
        return story(self.game, self.player)

    def sit(self, table: Table, player: str | None = None) -> None:
        """Go on at another table, in place.

        Parameters
        ----------
        table : Table
        player : str, optional
            The seat there; the same name as before if left out.
        """
        self.table = table
        self._kept = kept_html(table)
        self.player = player or self.player
        self.new = False
        self.form.clear()
        self._move_on()

    def hand_in(self, bids: dict[str, tuple[int, int]]) -> None:
        """Hand in this player's order or offer; the rivals answer, and the view moves on.

        Raises
        ------
        BidError, TurnError, RecordError
            As `Table.hand_in`; nothing has changed.
        """
        self.table.hand_in(self.player, bids, self.table.turn)
        self.new = True
        self._move_on()

    def undo(self) -> None:
        """Take the last step back, and put what was bid in it into the form again.

        Raises
        ------
        TurnError
            Nothing has been settled yet.
        """
        typed = self.game.steps[-1].bids[self.player] if self.game.steps else {}
        self.table.undo()
        self.new = False
        self.form.clear()
        self._move_on(typed)

    def _view(self) -> Observation:
        return self.game.observe(self.player)

    def _move_on(self, typed: Mapping[str, tuple[int, int]] | None = None) -> None:
        view = self._view()
        self.form.ask(view, typed)
        self.draw()
        self.calculator.look(view)
        self._offer_again()
        self.form.focus()

    def _offer_again(self) -> None:
        """Show the buttons of a game that is over, or hide them."""
        if self.game.step is Step.OVER:
            self.again = Again(self.table, self.sit, self.form)
            self.widget.children = [self.form.widget, self.again.widget, self._tools]
        elif self.again is not None:
            self.again = None
            self.widget.children = [self.form.widget, self._tools]

    def _toggle(self, sheet: str) -> None:
        self._open ^= {sheet}
        button = self.sheets[sheet]
        button.description = f"{sheet} {OPENED[sheet] if sheet in self._open else '▸'}"
        self.stage.draw([self._sheet(self._view())], private=self.private)

    def draw(self) -> None:
        """Draw what this player may see, on outputs that are shown already."""
        self.stage.draw(self.parts(), private=self.private)

    def _ipython_display_(self) -> None:
        self.stage.controls = self.widget
        self.stage.show(self.parts())
        # The rivals need it. It takes a quarter of a second, which nobody misses while reading.
        import numpy  # noqa: F401

    def parts(self) -> Parts:
        """What this player may see, part by part."""
        game, rivals = self.game, self.table.rivals
        view = self._view()
        final = game.final if view.step is Step.OVER else None
        if game.report is None:
            report = welcome_html(view, rivals)
        else:
            report = report_html(game.report, self.player, new=self.new)
        end = ending_html(game, self.player, rivals) if final is not None else ""
        who = "" if self.player == "You" else f"{self.player} · "
        head = head_html(
            f"{who}{where_sentence(view)}",
            _purse_html(view, final),
            NEXT[view.step],
            [self.table.lost] if self.table.lost else [],
            step=view.step,
            large=self.stage.large,
        )
        news = f'<div class="exdec-news">{end}{report}{self._kept}</div>'
        yield "facts", html_bundle(f"{head}{news}{board_html(view, rivals)}")
        yield from chart_parts(game, view)
        yield self._sheet(view)

    def _sheet(self, view: Observation) -> tuple[str, Bundle]:
        html = ""
        if TALLY in self._open:
            html += tally_html(view)
        if PRICES in self._open:
            html += price_table_html(view.rules, view.postings)
        wide = " exdec-wide" if TALLY in self._open else ""
        return "sheet", html_bundle(html and f'<div class="exdec exdec-sheets{wide}">{html}</div>')


def _purse_html(view: Observation, final: Final | None) -> str:
    """What a player has; at the end, what came of it."""
    if final is not None:
        profit = final.profit[final.players.index(view.player)]
        return f"profit <strong>{dollars(profit)}</strong>"
    held = zip(MATERIALS, view.materials, strict=True)
    return f"cash <strong>{dollars(view.cash)}</strong> " + "".join(
        f"<span>{mark(grade)}{grade.label} <strong>{units}</strong></span>" for grade, units in held
    )
