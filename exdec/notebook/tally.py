"""The Tally sheet, as the paper shows it, and what lies open on the table beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import zip_longest

from exdec.items import GOODS, MATERIALS, Item
from exdec.model import Line, Outcome, Purchase, Result, Step, month_name, possessive
from exdec.narrate import change, dollars
from exdec.observe import Observation, Posting
from exdec.theme import mark

# The page needs no end tag for a row or a cell; a year's sheet is a third lighter without them.
LINE = "<th scope=col>units<th scope=col>price<th scope=col>market<th scope=col>amount"
GRADES = " · ".join(MATERIALS)
KINDS = " · ".join(GOODS)


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
    >>> "<s>2</s>" in sheet, "below market" in sheet, "35" in sheet
    (True, True, False)
    """
    months = list(_months(view))
    return f'<div class="exdec exdec-tally">{_sheet(view, months)}{_others(view, months)}</div>'


Month = tuple[int, Sequence[Posting], Sequence[Result]]
"""A month's number, and its one or two settled steps."""


def _months(view: Observation) -> Iterator[Month]:
    for first in range(0, len(view.postings), 2):
        both = slice(first, first + 2)
        yield view.postings[first].month, view.postings[both], view.results[both]


# -- the sheet -----------------------------------------------------------------------------------


def _sheet(view: Observation, months: Iterable[Month]) -> str:
    start = view.rules.starting_cash.at(len(view.players))
    bodies = "".join(f"<tbody>{_month(*month)}</tbody>" for month in months)
    return _region(
        "Tally sheet",
        f"<table><caption>{escape(possessive(view.player))} Tally sheet</caption><thead>"
        "<tr><td><th scope=colgroup colspan=5>order<th scope=colgroup colspan=5>offer<td><td>"
        f"<tr><th scope=col>month<th scope=col>material{LINE}<th scope=col>good{LINE}"
        f"<th scope=col>cash<th scope=col>holds {GRADES}</thead>"
        f"<tbody><tr><th scope=row>Start<td colspan=10><td>{dollars(start)}<td></tbody>{bodies}"
        f"<tfoot>{_totals(view, start)}</tfoot></table>",
    )


def _month(number: int, postings: Sequence[Posting], results: Sequence[Result]) -> str:
    sides = [_lines(posting, result) for posting, result in zip(postings, results, strict=True)]
    if len(sides) == 1:
        sides.append(["<td colspan=5 class=exdec-none>not yet"])
    lines = list(zip_longest(*sides, fillvalue="<td colspan=5>"))
    head = f"<th scope=rowgroup rowspan={len(lines) + 1}>{month_name(number)[:3]}"
    rows = [f"<tr>{head}{lines[0][0]}{lines[0][1]}<td><td>"]
    rows += [f"<tr>{order}{offer}<td><td>" for order, offer in lines[1:]]
    after = results[-1]
    held = " · ".join(map(str, after.materials))
    rows.append(f"<tr class=exdec-sum>{_moved(results)}<td>{dollars(after.cash)}<td>{held}")
    return "".join(rows)


def _lines(posting: Posting, result: Result) -> list[str]:
    items: tuple[Item, ...] = MATERIALS if isinstance(result, Purchase) else GOODS
    facts = zip(items, result.lines, posting.prices, strict=True)
    lines = [_line(item, line, market) for item, line, market in facts if line.units]
    return lines or ["<td colspan=5 class=exdec-none>no bids"]


def _line(item: Item, line: Line, market: int) -> str:
    units, price, came_to = str(line.units), str(line.price), dollars(line.amount)
    if line.outcome is Outcome.PARTLY_FILLED:
        units = f"<s>{units}</s> {line.filled}"
        came_to = f"<small>{line.filled} of {line.units}</small> {came_to}"
    elif line.outcome is not Outcome.FILLED:
        units, price = f"<s>{units}</s>", f"<s>{price}</s>"
        came_to = f"<small>{line.outcome}</small>"
    return (
        f"<td class=exdec-item>{mark(item)}{item.label}<td>{units}<td>{price}<td>{market}"
        f"<td>{came_to}"
    )


def _moved(results: Iterable[Result]) -> str:
    """What was paid, and what was received."""
    bought = [result.paid for result in results if isinstance(result, Purchase)]
    sold = [result.received for result in results if not isinstance(result, Purchase)]
    received = f"<small>received</small> {dollars(sum(sold))}" if sold else ""
    paid = f"<small>paid</small> {dollars(sum(bought))}"
    return f"<td colspan=5>{paid}<td colspan=5>{received}"


def _totals(view: Observation, start: int) -> str:
    rows = ""
    if view.results:
        rows = f"<tr><th scope=row>In all{_moved(view.results)}<td>{dollars(view.cash)}<td>"
    if view.step is Step.OVER:
        held = zip(view.materials, view.material_prices, strict=True)
        brought = sum(units * price for units, price in held)
        end = view.cash + brought
        rows += (
            f"<tr><th scope=row>Broker<td colspan=10>{dollars(brought)} for the last certificates"
            f"<td>{dollars(end)}<td><tr><th scope=row>{'Loss' if end < start else 'Profit'}"
            f"<td colspan=10>{dollars(end)} less {dollars(start)} at the start"
            f"<td>{change(end - start)}<td>"
        )
    return rows


# -- what lies open ------------------------------------------------------------------------------


def _others(view: Observation, months: Sequence[Month]) -> str:
    """What every other firm announced and holds, a row for each month."""
    others = [at for at, player in enumerate(view.players) if player != view.player]
    opened = any(posting.cash is not None for posting in view.postings)
    facts = f"<th scope=col>ordered<br>{GRADES}<th scope=col>offered<br>{KINDS}"
    facts += f"<th scope=col>holds<br>{GRADES}{'<th scope=col>cash' if opened else ''}"
    names = "".join(
        f"<th scope=colgroup colspan={4 if opened else 3}>{escape(view.players[at])}"
        for at in others
    )
    rows = "".join(
        f"<tr><th scope=row>{month_name(number)[:3]}{''.join(_firm(at, postings) for at in others)}"
        for number, postings, _ in months
    )
    if not rows:
        return ""
    return _region(
        "The other firms",
        f"<table class=exdec-others><caption>The other firms</caption><thead><tr><td>{names}"
        f"<tr><th scope=col>month{facts * len(others)}</thead><tbody>{rows}</tbody></table>",
    )


def _firm(at: int, postings: Sequence[Posting]) -> str:
    """One firm's month: ordered, offered, held, and cash if it lies open."""
    announced: list[Iterable[int]] = [posting.announced[at] for posting in postings]
    last = postings[-1]
    facts = [*announced, *[[]] * (2 - len(announced)), last.certificates[at]]
    cells = "".join(f"<td>{' · '.join(map(str, units))}" for units in facts)
    return cells if last.cash is None else f"{cells}<td>{dollars(last.cash[at])}"


def _region(name: str, table: str) -> str:
    """A table that scrolls sideways, by keyboard too, where the page is too narrow for it."""
    return f'<div class="exdec-scroll" role="region" tabindex="0" aria-label="{name}">{table}</div>'
