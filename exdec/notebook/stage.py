"""The outputs of one cell on which a game is shown to a whole room.

Hot seat, exhibition and replay show what everyone may see, and put their own controls where one
player's form would be. All of it is redrawn in place.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as widgets
from ipywidgets.comm import get_comm_manager

from exdec.analysis import split_profit
from exdec.charts import price_figure, price_sentence, split_figure, split_sentence
from exdec.game import Game
from exdec.items import Materials
from exdec.model import BuyReport, Line, Purchase, Report, Result, Step, month_name
from exdec.narrate import dollars, items_of, posting_sentence
from exdec.notebook.board import board_html
from exdec.notebook.live import Bundle, Live, chart_bundle, html_bundle, show_widget
from exdec.observe import Observation
from exdec.theme import STYLESHEET, mark

Parts = Iterable[tuple[str, Bundle]]
"""What a stage shows, part by part, each made when it is asked for: a chart takes its time."""

PARTS = ("facts", "profit", "chart", "sheet")
"""The outputs that are no widgets; the first stands above the controls."""

STEPS = (Step.BUY, None, Step.SELL, None)
STEP_NAMES = ("order", "market", "offer", "market")
"""A month's four steps; the market takes the second and the fourth by itself."""

CONTROL = "jupyter.widget.control"
"""What a page opens to the kernel when it connects, to ask which widgets there are."""

_shown: weakref.WeakSet[Stage] = weakref.WeakSet()


class Stage:
    """Facts, controls, charts and sheet, each redrawn where it stands.

    Parameters
    ----------
    large : bool
        For a projector: larger type, and less of what the back row does not need.
    """

    def __init__(self, *, large: bool = False) -> None:
        self.large = large
        self._box: widgets.Box | None = None
        # A page makes anew what comes after a new child, and forgets what is typed into it.
        self._above = widgets.Box(_dom_classes=["exdec-above"])
        self._controls: widgets.Widget | None = None
        self._lives = {part: Live(part) for part in PARTS}

    @property
    def controls(self) -> widgets.Widget | None:
        """What stands where a player's form would be."""
        return self._controls

    @controls.setter
    def controls(self, controls: widgets.Widget) -> None:
        self._controls = controls
        if self._box is not None:
            self._box.children = self._children()

    def draw(self, parts: Parts, *, private: bool = False) -> None:
        """Show these, in place of what was there.

        Parameters
        ----------
        parts : iterable of (part, bundle)
        private : bool
            Only one person may see them, so they are shown by widgets alone: no saved notebook
            keeps them, and nothing of them comes back when the page is loaded again.
        """
        if private:
            self.follow()
        for part, bundle in parts:
            self._lives[part].update(bundle, private=private)

    def show(self, parts: Parts) -> None:
        """Show all of it below the cell that runs now."""
        Live("style").show(html_bundle(f'<style class="exdec-style">{STYLESHEET}</style>'))
        if self._box is None:
            self._box = widgets.Box(
                self._children(), layout=self._above.layout, _dom_classes=["exdec-stage"]
            )
        for part, bundle in parts:
            self._lives[part].show(bundle)
            if part == PARTS[0]:
                show_widget(self._box)
        _shown.add(self)
        get_comm_manager().register_target(CONTROL, _page_connected)

    def follow(self) -> None:
        """Show the same by widgets, which outlive the page; the stylesheet hides the outputs."""
        for live in self._lives.values():
            live.follow()
        self._above.children = [self._lives[PARTS[0]].widget]
        if self._box is not None:
            self._box.children = self._children()

    def _children(self) -> list[widgets.Widget]:
        below = (self._lives[part].widget for part in PARTS[1:])
        return [one for one in (self._above, self._controls, *below) if one is not None]


def _page_connected(comm: Any, message: dict[str, Any]) -> None:
    """Let every game go on for a page that may have been loaded again.

    It may also be the same page after a pause; then it looks as it did.
    """
    widgets.Widget.handle_control_comm_opened(comm, message)
    for stage in list(_shown):
        stage.follow()


def widgets_of(part: object, *, but: object = None) -> Iterator[widgets.Widget]:
    """Every widget that a part of a view holds, wherever it keeps it, with layouts and links.

    Parameters
    ----------
    part, but : object
        What `but` holds is left out.

    Examples
    --------
    >>> box = widgets.HBox([widgets.IntText()])
    >>> sorted(type(widget).__name__ for widget in widgets_of({"kept here": [box]}))
    ['DescriptionStyle', 'HBox', 'IntText', 'Layout', 'Layout']
    """
    seen: set[int] = {id(but)}
    queue = [part]
    while queue:
        one = queue.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, widgets.Widget):
            yield one
            queue += one.trait_values().values()
        elif isinstance(one, Mapping):
            queue += one.values()
        elif isinstance(one, list | tuple):
            queue += one
        elif type(one).__module__.startswith("exdec.notebook"):
            queue += vars(one).values()


# -- what a room may see -------------------------------------------------------------------------


def onlooker(game: Game) -> Observation:
    """What everyone may know of a game: the view from a seat that nobody has."""
    seat = game.observe(game.players[0])
    return replace(seat, player="", cash=0, materials=Materials(0, 0, 0), results=())


def room_parts(game: Game, rivals: Mapping[str, str], head: str, report: str) -> Parts:
    """A whole stage: what is said of the game, then charts and board as everyone may see them."""
    view = onlooker(game)
    yield "facts", html_bundle(head + report + board_html(view, rivals))
    yield from chart_parts(game, view)
    yield "sheet", html_bundle("")


def chart_parts(game: Game, view: Observation) -> Parts:
    """What made each firm's profit, once the game is over; and the prices."""
    if game.step is Step.OVER:
        splits = split_profit(game)
        yield "profit", chart_bundle(split_figure(splits), split_sentence(splits))
    else:
        yield "profit", html_bundle("")
    sentence = price_sentence(view.rules, view.postings)
    yield "chart", chart_bundle(price_figure(view.rules, view.postings), sentence)


def where_sentence(at: Game | Observation) -> str:
    """Name the month and the step that comes next.

    Examples
    --------
    >>> where_sentence(Game(["Ann", "Ben"]))
    'January (1 of 12) · step 1 of 4: order'
    """
    month = month_name(at.month)
    if at.step is Step.OVER:
        return f"The game ended with {month}"
    step = STEPS.index(at.step)
    return (
        f"{month} ({at.month} of {at.rules.months}) · step {step + 1} of {len(STEPS)}: "
        f"{STEP_NAMES[step]}"
    )


def head_html(
    where: str,
    beside: str,
    then: str,
    notes: Iterable[str] = (),
    *,
    step: Step | None = None,
    large: bool = False,
) -> str:
    """Where a game stands, something beside it, what to do next, and notes for everyone.

    Parameters
    ----------
    where, then : str
    beside : str
        HTML.
    notes : iterable of str
    step : Step, optional
        Which of a month's steps to point out.
    large : bool
        For a projector.
    """
    said = "".join(f'<p class="exdec-next exdec-note">{escape(note)}</p>' for note in notes)
    size = " exdec-large" if large else ""
    return (
        f'<div class="exdec exdec-head{size}"><p class="exdec-where">{escape(where)}</p>'
        f'<p class="exdec-purse">{beside}</p>{_steps_html(step)}'
        f'<p class="exdec-next">{escape(then)}</p>{said}</div>'
    )


def _steps_html(step: Step | None) -> str:
    """The four steps of a month, the present one marked."""
    if step not in (Step.BUY, Step.SELL):
        return ""
    names = " · ".join(
        f'<b aria-current="step">{at} {name}</b>' if one is step else f"{at} {name}"
        for at, (one, name) in enumerate(zip(STEPS, STEP_NAMES, strict=True), start=1)
    )
    return (
        f'<p class="exdec-next exdec-quiet">{names}. '
        "The market posts by itself once all have handed in.</p>"
    )


def posted_html(report: Report, *, bids: bool, new: bool, then: str = "") -> str:
    """A settled step for a room: every posted price, and every bid if they lie open.

    Parameters
    ----------
    report : BuyReport or SaleReport
    bids : bool
        Show what every firm bid and what came of it.
    new : bool
        It has just happened, so a screen reader announces it.
    then : str
        A sentence to end with.
    """
    items = items_of(report)
    what = "materials" if isinstance(report, BuyReport) else "goods"
    live = ' role="alert" aria-live="polite"' if new else ""
    lines = [f"<li>{mark(item)}{escape(posting_sentence(report, item))}</li>" for item in items]
    end = f'<p class="exdec-result">{escape(then)}</p>' if then else ""
    return (
        f'<div class="exdec exdec-report exdec-posted"{live}>'
        f"<p><strong>{month_name(report.month)}, {what}</strong></p>"
        f"<ul>{''.join(lines)}</ul>{_bids_html(report) if bids else ''}{end}</div>"
    )


def _bids_html(report: Report) -> str:
    """What every firm bid, and what came of it."""
    items = items_of(report)
    firms: tuple[Result, ...] = report.firms
    money = "pays" if isinstance(report, BuyReport) else "receives"
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in (*(item.label for item in items), money, "has")
    )
    rows = []
    for player, firm in zip(report.players, firms, strict=True):
        amount = firm.paid if isinstance(firm, Purchase) else firm.received
        cells = "".join(f"<td>{_line_html(line)}</td>" for line in firm.lines)
        rows.append(
            f'<tr><th scope="row">{escape(player)}</th>{cells}'
            f"<td>{dollars(amount)}</td><td>{dollars(firm.cash)}</td></tr>"
        )
    return (
        f'<div class="exdec-scroll"><table><thead><tr><th scope="col">firm</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _line_html(line: Line) -> str:
    if not line.units:
        return ""
    came = f"{line.filled} of {line.units}" if line.filled else line.outcome.value
    return f"{line.units} at {dollars(line.price)}<small>{came}</small>"


def told_html(text: str) -> str:
    """A sentence in the report's place."""
    return f'<div class="exdec exdec-report"><p>{escape(text)}</p></div>'
