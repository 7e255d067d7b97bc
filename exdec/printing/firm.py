"""What a firm has before it: its Tally sheet, slips for its bids, and certificates."""

from __future__ import annotations

from exdec.items import GOODS, MATERIALS, Item, Material
from exdec.model import MONTHS
from exdec.narrate import dollars
from exdec.printing.page import Page, halves, head, limits, mark, named
from exdec.rules import Rules

SLIP_ROWS = 6
"""Rows of slips on a page; each has two pairs."""

CERTIFICATES = (4, 9)
"""Columns and rows of certificates on a page."""


def tally(rules: Rules, players: int) -> list[Page]:
    """Tally sheets, one for each player, with at most six months on a page."""
    one = [_tally_page(rules, players, months) for months in halves(rules)]
    return one * players


def _tally_page(rules: Rules, players: int, months: list[str]) -> Page:
    start = dollars(rules.starting_cash.at(players))
    first, last = months[0] == MONTHS[0], months[-1] == MONTHS[rules.months - 1]
    begin = f"You begin with {start}." if first else "Carry over your cash from June."
    blocks = "".join(_month(name, start if name == MONTHS[0] else "") for name in months)
    return Page(
        "Tally sheet",
        head("Tally sheet", begin, limits(rules, players))
        + '<p class="who"><span>firm</span><span>who plays it</span></p>'
        + f'<div class="months">{blocks}</div>'
        + (_ending(start) if last else ""),
    )


def _month(name: str, cash: str) -> str:
    lines = "".join(
        f"<tr><th scope=row>{named(grade)}</th><td><td><td>"
        f'<th scope=row class="good">{named(good)}</th><td><td><td></tr>'
        for grade, good in zip(MATERIALS, GOODS, strict=True)
    )
    return (
        f'<table class="month"><thead><tr><th scope=col class="name">{name}</th>'
        "<th scope=col>order</th><th scope=col>bid, $</th><th scope=col>paid, $</th>"
        '<th scope=col class="good"></th><th scope=col>offer</th><th scope=col>ask, $</th>'
        f"<th scope=col>received, $</th></tr></thead><tbody>{lines}</tbody><tfoot><tr>"
        f'<td colspan=2 class="cash"><small>cash</small> <b>{cash}</b></td>'
        '<td class="sum"><small>− paid</small></td><td class="box"></td>'
        '<td colspan=2 class="cash good"><small>= cash now</small></td>'
        '<td class="sum"><small>+ received</small></td><td class="box"></td></tr></tfoot></table>'
    )


def _ending(start: str) -> str:
    """The Broker's last purchase, and the profit (R19)."""
    grades = " + ".join(f"{named(grade)} <i></i> × $<i></i>" for grade in MATERIALS)
    return (
        '<div class="ending"><p>The Broker buys what is left, at the last posted prices:</p>'
        f"<p>{grades} = $<i></i></p><p>cash $<i></i> + Broker $<i></i> − start {start} = "
        "<b>profit</b> $<i></i></p></div>"
    )


def slips(rules: Rules, players: int) -> list[Page]:
    """A slip for each player's order and one for each offer, month by month, to cut out."""
    pairs = rules.months * players
    pair = _slip("Order", "bid", MATERIALS) + _slip("Offer", "ask", GOODS)
    one = Page("Slips for sealed bids", f'<div class="slips">{pair * (2 * SLIP_ROWS)}</div>')
    return [one] * -(-pairs // (2 * SLIP_ROWS))


def _slip(title: str, price: str, items: tuple[Item, ...]) -> str:
    lines = "".join(f"<tr><th scope=row>{named(item)}</th><td><td></tr>" for item in items)
    return (
        f'<div><p class="who"><b>{title}</b><span>firm</span><span>month</span></p>'
        f"<table><thead><tr><td></td><th scope=col>units</th><th scope=col>{price}, $</th></tr>"
        f"</thead><tbody>{lines}</tbody></table></div>"
    )


def certificates(rules: Rules, players: int) -> list[Page]:
    """Certificates to cut out: as many of each grade as all firms can order of it in a month.

    The Broker's supply has no end (R22). If a grade runs out, its page is printed once more.
    """
    limit = rules.order_limit.at(players)
    of_one_grade = min(limit, rules.grade_limit.at(players) or limit)
    columns, rows = CERTIFICATES
    per_page = columns * rows
    found = []
    for grade in MATERIALS:
        left = players * of_one_grade
        while left > 0:
            cut = _certificate(grade) * min(left, per_page)
            found.append(
                Page(f"{grade.label} certificates", f'<div class="certificates">{cut}</div>')
            )
            left -= per_page
    return found


def _certificate(grade: Material) -> str:
    return (
        f'<div><div class="certificate {grade.value}">{mark(grade)}<b>{grade.label}</b>'
        "<small>raw material, 1 unit</small></div></div>"
    )
