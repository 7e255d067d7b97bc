"""The outputs of one cell on which a game is shown to a whole room.

Hot seat, exhibition and replay show what everyone may see, and put their own controls where one
player's form would be. All of it is redrawn in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape

import ipywidgets as widgets

from exdec.charts import price_figure, price_sentence
from exdec.errors import ExdecError
from exdec.game import Game
from exdec.items import Materials
from exdec.model import BuyReport, Line, Purchase, Report, Result, Step, month_name
from exdec.narrate import dollars, items_of, posting_sentence
from exdec.notebook.board import board_html
from exdec.notebook.live import Bundle, Live, chart_bundle, html_bundle
from exdec.observe import Observation
from exdec.theme import STYLESHEET, mark

PARTS = ("facts", "chart", "sheet")
"""The outputs that are no widgets; the first stands above the controls."""


class Stage:
    """Facts, controls, chart and sheet, each redrawn where it stands.

    Parameters
    ----------
    large : bool
        For a projector: larger type, and less of what the back row does not need.

    Attributes
    ----------
    controls : widgets.Box
        What stands where a player's form would be.
    lives : dict of str to Live
        The outputs, by the names in `PARTS`.
    """

    def __init__(self, *, large: bool = False) -> None:
        self.large = large
        self.controls = widgets.Box(_dom_classes=["exdec", "exdec-stage"])
        self.lives = {part: Live() for part in PARTS}

    def draw(self, parts: Mapping[str, Bundle]) -> None:
        """Show these, in place of what was there."""
        for part, bundle in parts.items():
            self.lives[part].update(bundle)

    def show(self, parts: Mapping[str, Bundle]) -> None:
        """Show all of it below the cell that runs now."""
        from IPython.display import display

        Live().show(html_bundle(f'<style class="exdec-style">{STYLESHEET}</style>'))
        first, *others = PARTS
        self.lives[first].show(parts[first])
        display(self.controls)  # type: ignore[no-untyped-call]
        for part in others:
            self.lives[part].show(parts[part])

    def head_html(self, where: str, beside: str, then: str, notes: tuple[str, ...] = ()) -> str:
        """Where the game stands, something beside it, what to do next, and notes for everyone."""
        said = "".join(f'<p class="exdec-next exdec-note">{escape(note)}</p>' for note in notes)
        size = " exdec-large" if self.large else ""
        return (
            f'<div class="exdec exdec-head{size}"><p class="exdec-where">{escape(where)}</p>'
            f'<p class="exdec-purse">{escape(beside)}</p>'
            f'<p class="exdec-next">{escape(then)}</p>{said}</div>'
        )


class Press:
    """A button whose click comes after everything that was typed before it.

    The page holds keystrokes back while the kernel is busy, but sends a click at once. So a click
    asks the page for an echo, which comes after whatever was held back.

    Parameters
    ----------
    description : str
    action : callable
        What a click does.
    complain : callable
        Shows the sentence of an error.
    """

    def __init__(
        self, description: str, action: Callable[[], None], complain: Callable[[str], None]
    ) -> None:
        self.button = widgets.Button(description=description, button_style="primary")
        self.ask, self.echo = widgets.IntText(), widgets.IntText()
        self._link = widgets.jsdlink((self.ask, "value"), (self.echo, "value"))
        self._action = action
        self._complain = complain
        self._clicked = False
        self.button.on_click(self.click)
        self.echo.observe(self._echoed, "value")

    def click(self, *_event: object) -> None:
        """Do the action once the page has sent all that was typed."""
        self._clicked = True
        self.ask.value += 1

    def _echoed(self, _change: object) -> None:
        clicked, self._clicked = self._clicked, False
        if clicked:
            guarded(self._action, self._complain)()


def guarded(action: Callable[[], object], complain: Callable[[str], None]) -> Callable[..., None]:
    """Make an event's callback of an action; an error becomes text, where it would be lost."""

    def callback(*_event: object) -> None:
        try:
            action()
        except ExdecError as error:
            complain(str(error))
        except Exception as error:  # noqa: BLE001
            complain(
                f"This did not work ({type(error).__name__}: {error}). "
                "Run the cell again to go on from the last settled step."
            )

    return callback


def warning_html(text: str) -> str:
    """A sentence that a screen reader says at once; "" for no sentence."""
    return f'<p class="exdec-warn" role="alert">{escape(text)}</p>' if text else ""


def widgets_of(part: object) -> Iterator[widgets.Widget]:
    """Every widget that a part of a view holds, wherever it keeps it, with layouts and links.

    Examples
    --------
    >>> box = widgets.HBox([widgets.IntText()])
    >>> sorted(type(widget).__name__ for widget in widgets_of({"kept here": [box]}))
    ['DescriptionStyle', 'HBox', 'IntText', 'Layout', 'Layout']
    """
    seen: set[int] = set()
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


def room_parts(game: Game, rivals: Mapping[str, str], head: str, report: str) -> dict[str, Bundle]:
    """A whole stage: what is said of the game, then chart and board as everyone may see them."""
    view = onlooker(game)
    sentence = price_sentence(view.rules, view.postings)
    return {
        "facts": html_bundle(head + report + board_html(view, rivals)),
        "chart": chart_bundle(price_figure(view.rules, view.postings), sentence),
        "sheet": html_bundle(""),
    }


def where_sentence(game: Game) -> str:
    """Name the month and the step that comes next.

    Examples
    --------
    >>> where_sentence(Game(["Ann", "Ben"]))
    'January (1 of 12) · step 1 of 4: order'
    """
    month = month_name(game.month)
    if game.step is Step.OVER:
        return f"The game ended with {month}"
    step = "step 1 of 4: order" if game.step is Step.BUY else "step 3 of 4: offer"
    return f"{month} ({game.month} of {game.rules.months}) · {step}"


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


def counted(number: int, what: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "month"), counted(3, "firm")
    ('1 month', '3 firms')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def said_html(text: str) -> str:
    """A sentence in the report's place."""
    return f'<div class="exdec exdec-report"><p>{escape(text)}</p></div>'
