"""The Price Level Board as on the table: six rows, Opening and a column for each month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from exdec.charts import Point, price_lines, price_sentence
from exdec.items import MATERIALS, Good, Item
from exdec.model import MONTHS, Step
from exdec.narrate import signed
from exdec.observe import Observation, Posting
from exdec.rules import Rules
from exdec.theme import mark


def board_html(view: Observation, rivals: Mapping[str, str]) -> str:
    """The board, the sentence that the price chart shows, and what lies open before the rivals."""
    now = view.month if view.step is not Step.OVER else None
    return (
        '<div class="exdec exdec-board">'
        f"<p>{escape(price_sentence(view.rules, view.postings))}</p>"
        '<div class="exdec-scroll" role="region" tabindex="0" aria-label="Price Level Board">'
        f"{prices_html(view.rules, view.postings, now)}</div>{_rivals(view, rivals)}</div>"
    )


def prices_html(
    rules: Rules, postings: Sequence[Posting], now: int | None, *, moves: bool = True
) -> str:
    """The Price Level Board as a table.

    Parameters
    ----------
    rules : Rules
        For the opening prices, the lowest ones, and the number of months.
    postings : sequence of Posting
        What was posted so far, the oldest first.
    now : int or None
        The month that is played.
    moves : bool
        Whether each price says how far it moved; those of averages follow no rule.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> "<th>Opening</th>" in prices_html(STANDARD, [], 1)
    True
    """
    heads = ["<td></td>", "<th>Opening</th>"]
    for month, name in enumerate(MONTHS[: rules.months], start=1):
        mark_now = ' class="exdec-now" aria-current="date"' if month == now else ""
        heads.append(f"<th{mark_now}>{name[:3]}</th>")
    rows = []
    for item, line in price_lines(rules, postings).items():
        cells = [
            _cell(item, line, month, rules, month == now, moves)
            for month in range(rules.months + 1)
        ]
        first = ' class="exdec-first-good"' if item is Good.A else ""
        rows.append(
            f'<tr{first}><th scope="row">{mark(item)}{item.label}</th>{"".join(cells)}</tr>'
        )
    return (
        "<table><caption>Price Level Board, $ a unit</caption>"
        f"<thead><tr>{''.join(heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _cell(item: Item, line: list[Point], month: int, rules: Rules, now: bool, moves: bool) -> str:
    """A price, and below it how it moved; the page needs no end tag for a cell."""
    kind = " class=exdec-now" if now else ""
    if month >= len(line):
        return f"<td{kind}>"
    price = line[month].price
    if month == 0:
        return f"<td>{price}"
    floor = rules.materials_floor if item in MATERIALS else rules.goods_floor
    lowest = "<small>lowest</small>" if price == floor else ""
    moved = _move(price - line[month - 1].price) if moves else ""
    return f"<td{kind}>{price}{moved}{lowest}"


def _move(change: int) -> str:
    """A movement as arrow and sign; which of two short tags it is in gives it a colour."""
    if change == 0:
        return "<small>±0</small>"
    arrow, kind = ("▲", "i") if change > 0 else ("▼", "u")
    return f"<{kind}>{arrow}{signed(change)}</{kind}>"


def _rivals(view: Observation, rivals: Mapping[str, str]) -> str:
    """What everyone may know of the others (R21): certificates, and units announced."""
    last = view.postings[-1] if view.postings else None
    rows = []
    for at, player in enumerate(view.players):
        if player == view.player:
            continue
        held = _units(view.certificates[at]._asdict())
        announced = _announced(last, at) if last else "nothing yet"
        style = escape(rivals.get(player, ""))
        rows.append(
            f'<tr><th scope="row">{escape(player)} <span class="exdec-quiet">{style}</span></th>'
            f"<td>{held}</td><td>{announced}</td></tr>"
        )
    caption = "Rivals" if view.player else "Firms"
    return (
        f'<table class="exdec-rivals"><caption>{caption}</caption><thead><tr><th>firm</th>'
        "<th>holds</th><th>announced last</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _announced(posting: Posting, at: int) -> str:
    verb = "ordered" if posting.step is Step.BUY else "offered"
    return f"{verb} {_units(posting.announced[at]._asdict())}"


def _units(units: Mapping[str, int]) -> str:
    return " · ".join(f"{name} {n}" for name, n in units.items())
