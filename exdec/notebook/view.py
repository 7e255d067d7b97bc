"""A whole game for one person: where it stands, what happened, the form, the chart, the board.

The view is several outputs of one cell, which the stylesheet lays out. Only what is typed into or
clicked is made of widgets; the rest is HTML and a figure that are redrawn in place, so that a
saved or exported notebook still shows the game. Everything that a step changes goes to the page in
as few messages as can be: each costs a kilobyte before it says anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape

import ipywidgets as widgets

from exdec.charts import price_figure, price_sentence
from exdec.game import Game
from exdec.items import MATERIALS
from exdec.model import Final, Step, month_name
from exdec.narrate import dollars
from exdec.notebook.again import Again
from exdec.notebook.board import board_html
from exdec.notebook.calculator import MarketCalculator
from exdec.notebook.ending import ending_html
from exdec.notebook.form import BidForm
from exdec.notebook.live import Bundle, Live, chart_bundle, html_bundle
from exdec.notebook.production import production_html
from exdec.notebook.report import report_html, story, welcome_html
from exdec.notebook.tally import tally_html
from exdec.observe import Observation
from exdec.table import Table
from exdec.theme import STYLESHEET, mark

STEPS = ("order", "market", "offer", "market")

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
    large : bool
        For a projector: larger type, and less of what the back row does not need.
    """

    def __init__(self, table: Table, player: str, *, large: bool = False) -> None:
        self.table = table
        self.player = player
        self._large = large
        self._new = False
        self.again: Again | None = None
        self._live = {part: Live() for part in ("facts", "chart", "sheet")}
        self.form = BidForm(self.hand_in, self.undo if table.practice else None)
        view = self._view()
        self.calculator = MarketCalculator(view, **self.form.plain)
        self.sheet = widgets.Button(description="Tally sheet ▸", **self.form.plain)
        self.sheet.on_click(partial(self.form.guard, self._toggle_sheet))
        self._sheet_open = False
        production = widgets.HTML(production_html(view.rules), **self.form.text)
        plain = {"layout": production.layout}
        self._tools = widgets.Box(
            [self.sheet, self.calculator.widget, production],
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
        self.player = player or self.player
        self._new = False
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
        self._new = True
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
        self._new = False
        self.form.clear()
        self._move_on(typed)

    def _view(self) -> Observation:
        return self.game.observe(self.player)

    def _move_on(self, typed: Mapping[str, tuple[int, int]] | None = None) -> None:
        view = self._view()
        self.form.ask(view, typed)
        for part, bundle in self._bundles().items():
            self._live[part].update(bundle)
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

    def _toggle_sheet(self) -> None:
        self._sheet_open = not self._sheet_open
        self.sheet.description = f"Tally sheet {'▾' if self._sheet_open else '▸'}"
        self._live["sheet"].update(self._bundles()["sheet"])

    def _ipython_display_(self) -> None:
        from IPython.display import display

        bundles = self._bundles()
        Live().show(html_bundle(f'<style class="exdec-style">{STYLESHEET}</style>'))
        self._live["facts"].show(bundles["facts"])
        display(self.widget)  # type: ignore[no-untyped-call]
        self._live["chart"].show(bundles["chart"])
        self._live["sheet"].show(bundles["sheet"])
        # The rivals need it. It takes a quarter of a second, which nobody misses while reading.
        import numpy  # noqa: F401

    def _bundles(self) -> dict[str, Bundle]:
        view, rivals = self._view(), self.table.rivals
        final = self.game.final if view.step is Step.OVER else None
        if self.game.report is None:
            report = welcome_html(view, rivals)
        else:
            report = report_html(self.game.report, self.player, new=self._new)
        end = ending_html(self.game, self.player, rivals) if final is not None else ""
        news = f'<div class="exdec-news">{end}{report}</div>'
        head = head_html(view, final, self.table.lost, large=self._large)
        sentence = price_sentence(view.rules, view.postings)
        return {
            "facts": html_bundle(f"{head}{news}{board_html(view, rivals)}"),
            "chart": chart_bundle(price_figure(view.rules, view.postings), sentence),
            "sheet": html_bundle(tally_html(view) if self._sheet_open else ""),
        }


def head_html(
    view: Observation, final: Final | None, lost: str | None = None, *, large: bool = False
) -> str:
    """Where the game stands: month and step, what the player has, and what to do next.

    Where several people share a machine, it says whose turn it is; and what a torn record `lost`.
    """
    who = "" if view.player == "You" else f"{escape(view.player)} · "
    note = f'<p class="exdec-next exdec-note">{escape(lost)}</p>' if lost else ""
    month = month_name(view.month)
    when = f"{month} ({view.month} of {view.rules.months})"
    where = {
        Step.BUY: f"{when} · step 1 of 4: order",
        Step.SELL: f"{when} · step 3 of 4: offer",
        Step.OVER: f"The game ended with {month}",
    }[view.step]
    if final is None:
        held = zip(MATERIALS, view.materials, strict=True)
        purse = f"cash <strong>{dollars(view.cash)}</strong> " + "".join(
            f"<span>{mark(grade)}{grade.label} <strong>{units}</strong></span>"
            for grade, units in held
        )
    else:
        profit = final.profit[final.players.index(view.player)]
        purse = f"profit <strong>{dollars(profit)}</strong>"
    size = " exdec-large" if large else ""
    return (
        f'<div class="exdec exdec-head{size}"><p class="exdec-where">{who}{where}</p>'
        f'<p class="exdec-purse">{purse}</p><p class="exdec-next">{NEXT[view.step]}</p>{note}</div>'
    )
