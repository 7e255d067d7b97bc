"""A whole game for one person: where it stands, what happened, the form, the chart, the board.

The view is several outputs of one cell, which the stylesheet lays out. Only the form is made of
widgets; the rest is HTML and a figure that are redrawn in place, so that a saved or exported
notebook still shows the game.
"""

from __future__ import annotations

from collections.abc import Callable

from exdec.charts import price_figure, price_sentence
from exdec.game import Game
from exdec.items import MATERIALS
from exdec.model import Final, Step, month_name
from exdec.narrate import dollars
from exdec.notebook.board import board_html
from exdec.notebook.form import BidForm
from exdec.notebook.live import Bundle, Live, chart_bundle, html_bundle
from exdec.notebook.report import report_html, story, welcome_html
from exdec.observe import Observation
from exdec.table import Table
from exdec.theme import STYLESHEET

NEXT = {
    Step.BUY: "Order materials: write how many units of each grade you want, and the most you pay "
    "for one. Then hand in.",
    Step.SELL: "Offer goods: write how many units of each you make, and the least you take for "
    "one. Then hand in.",
    Step.OVER: "Read below how it went. To play again, give the record another name and run "
    "the cell.",
}


class TableView:
    """One person's seat at a table of rivals.

    Show it by making it the last line of a cell.

    Parameters
    ----------
    table : Table
    player : str
        The seat of the person who looks at this.
    begin : callable, optional
        Makes the table that is played at, when the first order is handed in. A game that nobody
        begins leaves no file behind.
    """

    def __init__(self, table: Table, player: str, begin: Callable[[], Table] | None = None) -> None:
        self.table = table
        self.player = player
        self._begin = begin
        self._new = False
        self._live = {part: Live() for part in ("head", "report", "chart", "board")}
        self.form = BidForm(self.hand_in, self.undo)
        self.form.ask(self._view())

    @property
    def game(self) -> Game:
        """The game that is played, secrets of the rivals and all."""
        return self.table.game

    @property
    def story(self) -> str:
        """What happened so far, in sentences, as this player may know it."""
        return story(self.game, self.player)

    def hand_in(self, bids: dict[str, tuple[int, int]]) -> None:
        """Hand in this player's order or offer; the rivals answer, and the view moves on.

        Raises
        ------
        BidError, TurnError, RecordError
            As `Table.hand_in`; nothing has changed.
        """
        turn = self.table.turn
        if self._begin is not None:
            self.table, self._begin = self._begin(), None
        self.table.hand_in(self.player, bids, turn)
        self._new = True
        self.form.ask(self._view())
        self._redraw()

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
        self.form.ask(self._view(), typed)
        self._redraw()

    def _view(self) -> Observation:
        return self.game.observe(self.player)

    def _redraw(self) -> None:
        for part, bundle in self._bundles().items():
            self._live[part].update(bundle)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        bundles = self._bundles()
        Live().show(html_bundle(f'<style class="exdec-style">{STYLESHEET}</style>'))
        self._live["head"].show(bundles["head"])
        self._live["report"].show(bundles["report"])
        display(self.form.widget)  # type: ignore[no-untyped-call]
        self._live["chart"].show(bundles["chart"])
        self._live["board"].show(bundles["board"])
        # The rivals need it. It takes a quarter of a second, which nobody misses while reading.
        import numpy  # noqa: F401

    def _bundles(self) -> dict[str, Bundle]:
        view, rivals = self._view(), self.table.rivals
        final = self.game.final if view.step is Step.OVER else None
        if self.game.report is None:
            report = welcome_html(view, rivals)
        else:
            report = report_html(self.game.report, self.player, final, new=self._new)
        sentence = price_sentence(view.rules, view.postings)
        return {
            "head": html_bundle(head_html(view, final)),
            "report": html_bundle(report),
            "chart": chart_bundle(price_figure(view.rules, view.postings), sentence),
            "board": html_bundle(board_html(view, rivals)),
        }


def head_html(view: Observation, final: Final | None) -> str:
    """Where the game stands: month and step, what the player has, and what to do next."""
    month = month_name(view.month)
    when = f"{month} ({view.month} of {view.rules.months})"
    where = {
        Step.BUY: f"{when} · step 1 of 4: order",
        Step.SELL: f"{when} · step 3 of 4: offer",
        Step.OVER: f"The game ended with {month}",
    }[view.step]
    if final is None:
        held = zip(MATERIALS, view.materials, strict=True)
        purse = f"cash <strong>{dollars(view.cash)}</strong> · " + " ".join(
            f"{grade} {units}" for grade, units in held
        )
    else:
        profit = final.profit[final.players.index(view.player)]
        purse = f"profit <strong>{dollars(profit)}</strong>"
    return (
        f'<div class="exdec exdec-head"><p class="exdec-where">{where}</p>'
        f'<p class="exdec-purse">{purse}</p><p class="exdec-next">{NEXT[view.step]}</p></div>'
    )
