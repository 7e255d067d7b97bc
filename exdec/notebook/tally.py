"""The Tally sheet, as the paper shows it, and what lies open on the table beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import zip_longest

from exdec.items import GOODS, MATERIALS, Item
from exdec.model import Line, Outcome, Purchase, Result, Step, month_name
from exdec.narrate import change, dollars
from exdec.observe import Observation, Posting
from exdec.theme import mark

LINE_HEADS = ("units", "price", "market", "amount")


def tally_html(view: Observation) -> str:
    """One player's whole game so far, month by month, and the others' public facts (R21).

    A bid that failed is struck through, and the reason stands where its amount would be.

    Parameters
    ----------
    view : Observation
        The seat that looks at it; nothing else goes into the sheet.

    Examples
    --------
    >>> from exdec import Game
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", X=(2, 30))
    >>> game.order("Ben", X=(1, 35))
    >>> sheet = tally_html(game.observe("Ann"))
    >>> "<s>2</s>" in sheet, "below market" in sheet, "$35" in sheet
    (True, True, False)
    """
    return f'<div class="exdec exdec-tally">{_sheet(view)}{_open_to_all(view)}</div>'


def _sheet(view: Observation) -> str:
    heads = "".join(f'<th scope="col">{head}</th>' for head in LINE_HEADS)
    bodies = "".join(_month(month, postings, results) for month, postings, results in _months(view))
    start = view.rules.starting_cash.at(len(view.players))
    whose = "Your" if view.player == "You" else f"{view.player}:"
    return (
        f"<table><caption>{escape(whose)} Tally sheet</caption><thead><tr>"
        '<th></th><th scope="colgroup" colspan="5">order</th>'
        '<th scope="colgroup" colspan="5">offer</th><th></th></tr><tr><th scope="col">month</th>'
        f'<th scope="col">material</th>{heads}<th scope="col">good</th>{heads}'
        '<th scope="col">cash</th></tr></thead>'
        f'<tbody><tr class="exdec-sum"><th scope="row">Start</th><td colspan="10"></td>'
        f"<td>{dollars(start)}</td></tr></tbody>{bodies}"
        f"<tfoot>{_totals(view, start)}</tfoot></table>"
    )


def _months(view: Observation) -> Iterator[tuple[int, list[Posting], list[Result]]]:
    """The steps of each month: one while its offers are still open, then two."""
    for first in range(0, len(view.postings), 2):
        postings = list(view.postings[first : first + 2])
        yield postings[0].month, postings, list(view.results[first : first + 2])


def _month(month: int, postings: list[Posting], results: list[Result]) -> str:
    sides = [_lines(posting, result) for posting, result in zip(postings, results, strict=True)]
    if len(sides) == 1:
        sides.append(['<td colspan="5" class="exdec-quiet">not yet</td>'])
    rows = list(zip_longest(*sides, fillvalue='<td colspan="5"></td>'))
    paid, received = _moved(results)
    head = f'<th scope="rowgroup" rowspan="{len(rows) + 1}">{month_name(month)}</th>'
    html = [
        f"<tr>{head if at == 0 else ''}{order}{offer}<td></td></tr>"
        for at, (order, offer) in enumerate(rows)
    ]
    html.append(_sum_row("", paid, received if len(results) == 2 else None, results[-1].cash))
    return f"<tbody>{''.join(html)}</tbody>"


def _lines(posting: Posting, result: Result) -> list[str]:
    items: tuple[Item, ...] = MATERIALS if isinstance(result, Purchase) else GOODS
    lines = [
        _line(item, line, price)
        for item, line, price in zip(items, result.lines, posting.prices, strict=True)
        if line.units
    ]
    return lines or ['<td colspan="5" class="exdec-quiet">passed</td>']


def _line(item: Item, line: Line, market: int) -> str:
    units, price, amount = str(line.units), str(line.price), dollars(line.amount)
    if line.outcome is Outcome.PARTLY_FILLED:
        units = f"<s>{units}</s> {line.filled}"
        amount = f'<span class="exdec-why">{line.filled} of {line.units}</span> {amount}'
    elif line.outcome is not Outcome.FILLED:
        units, price = f"<s>{units}</s>", f"<s>{price}</s>"
        amount = f'<span class="exdec-why">{line.outcome}</span>'
    return (
        f'<td class="exdec-item">{mark(item)}{item.label}</td><td>{units}</td><td>{price}</td>'
        f'<td class="exdec-market">{market}</td><td>{amount}</td>'
    )


def _moved(results: Iterable[Result]) -> tuple[int, int]:
    """Dollars paid, and dollars received."""
    paid = received = 0
    for result in results:
        if isinstance(result, Purchase):
            paid += result.paid
        else:
            received += result.received
    return paid, received


def _sum_row(name: str, paid: int, received: int | None, cash: int) -> str:
    head = f'<th scope="row">{name}</th>' if name else ""
    got = "" if received is None else f"received {dollars(received)}"
    return (
        f'<tr class="exdec-sum">{head}<td colspan="5">paid {dollars(paid)}</td>'
        f'<td colspan="5">{got}</td><td>{dollars(cash)}</td></tr>'
    )


def _totals(view: Observation, start: int) -> str:
    paid, received = _moved(view.results)
    rows = [_sum_row("All months", paid, received, view.cash)]
    if view.step is Step.OVER:
        held = zip(view.materials, view.material_prices, strict=True)
        sold = sum(units * price for units, price in held)
        cash = view.cash + sold
        profit = cash - start
        word = "profit" if profit >= 0 else "loss"
        rows.append(
            '<tr class="exdec-sum"><th scope="row">The end</th><td colspan="5"></td>'
            f'<td colspan="5">the Broker pays for certificates {dollars(sold)}</td>'
            f"<td>{dollars(cash)}</td></tr>"
            f'<tr class="exdec-sum"><th scope="row">{word.capitalize()}</th>'
            f'<td colspan="10">{dollars(cash)} less the {dollars(start)} of the start</td>'
            f"<td>{change(profit)}</td></tr>"
        )
    return "".join(rows)


def _open_to_all(view: Observation) -> str:
    """What each firm announced and holds, month by month."""
    opened = any(posting.cash is not None for posting in view.postings)
    names = "".join(f'<th scope="col">{item}</th>' for item in (*MATERIALS, *GOODS, *MATERIALS))
    bodies = "".join(_firms(view, month, postings) for month, postings, _ in _months(view))
    cash = ('<th rowspan="2" scope="col">cash</th>') if opened else ""
    return (
        "<table><caption>Open to all: announced and held</caption><thead><tr>"
        '<th rowspan="2" scope="col">month</th><th rowspan="2" scope="col">firm</th>'
        '<th scope="colgroup" colspan="3">ordered</th><th scope="colgroup" colspan="3">offered</th>'
        f'<th scope="colgroup" colspan="3">holds then</th>{cash}</tr><tr>{names}</tr></thead>'
        f"{bodies}</table>"
    )


def _firms(view: Observation, month: int, postings: list[Posting]) -> str:
    rows = []
    for at, player in enumerate(view.players):
        announced = [*postings[0].announced[at]]
        announced += [*postings[1].announced[at]] if len(postings) == 2 else [""] * 3
        cells = "".join(f"<td>{n}</td>" for n in (*announced, *postings[-1].certificates[at]))
        cash = postings[-1].cash
        cells += "" if cash is None else f"<td>{dollars(cash[at])}</td>"
        head = f'<th scope="rowgroup" rowspan="{len(view.players)}">{month_name(month)}</th>'
        rows.append(
            f'<tr>{head if at == 0 else ""}<th scope="row">{escape(player)}</th>{cells}</tr>'
        )
    return f"<tbody>{''.join(rows)}</tbody>"
