"""What hangs on the wall: the Price Level Board, the Market Calculator, the Production Chart."""

from __future__ import annotations

from exdec.items import GOODS, MATERIALS, Good, Item
from exdec.model import MONTHS
from exdec.narrate import signed
from exdec.printing.page import Page, halves, head, mark, named, substitutions
from exdec.rules import Calculator, PastTable, Rules

BAND = 13
"""Columns of the Market Calculator that stand side by side."""


def board(rules: Rules) -> list[Page]:
    """The Price Level Board with the opening prices; two pages hang side by side."""
    opening: dict[Item, int] = dict(
        zip((*MATERIALS, *GOODS), (*rules.opening_materials, *rules.opening_goods), strict=True)
    )
    found = []
    for months in halves(rules):
        first = months[0] == MONTHS[0]
        heads = "".join(f"<th scope=col>{name}</th>" for name in months)
        rows = "".join(
            f"<tr{' class=first-good' if item is Good.A else ''}><th scope=row>{named(item)}</th>"
            f"{f'<td>{price}</td>' if first else ''}{'<td></td>' * len(months)}</tr>"
            for item, price in opening.items()
        )
        found.append(
            Page(
                "Price Level Board",
                head("Price Level Board", "$ a unit") + f'<table class="board"><thead><tr><td></td>'
                f"{'<th scope=col>Opening</th>' if first else ''}{heads}</tr></thead>"
                f"<tbody>{rows}</tbody></table>",
                wide=True,
            )
        )
    return found


def calculator(rules: Rules) -> list[Page]:
    """The Market Calculator: every column of both rows (R1, R2, R5)."""
    rows = (
        (rules.materials_calculator, "Raw materials", "ordered", rules.materials_floor),
        (rules.goods_calculator, "Finished goods", "offered", rules.goods_floor),
    )
    body = "".join(
        f"<h3>{title}: units {verb} by all firms together</h3>{_bands(row, verb)}"
        f"<p>{_past(row, rules.past_table)} No price goes below ${floor}.</p>"
        for row, title, verb, floor in rows
    )
    about = "Add up the units of one grade or good, and move its last price, in dollars."
    return [Page("Market Calculator", head("Market Calculator", about) + body, wide=True)]


def _bands(row: Calculator, verb: str) -> str:
    """The row in as many tables as it needs, all about as wide."""
    columns = len(row.column)
    bands = -(-columns // BAND)
    wide = -(-columns // bands)
    found = ""
    for first in range(0, columns, wide):
        moves = row.column[first : first + wide]
        blank = '<td class="none"></td>' * (wide - len(moves))
        units = "".join(f"<th scope=col>{first + n}</th>" for n in range(len(moves)))
        found += (
            f'<table class="calculator"><thead><tr><th scope=row>{verb}</th>{units}{blank}</tr>'
            "</thead><tbody><tr><th scope=row>price</th>"
            f"{''.join(f'<td>{signed(move)}</td>' for move in moves)}{blank}</tr></tbody></table>"
        )
    return found


def _past(row: Calculator, past: PastTable) -> str:
    """What holds past the last column (R5)."""
    if past is PastTable.CLAMP:
        return f"More than {row.last}: as for {row.last}."
    return f"More than {row.last}: {signed(row.per_unit)} for each further unit."


def production(rules: Rules) -> list[Page]:
    """The Production Chart, drawn with certificates (R4, R12)."""
    rows = "".join(
        f'<tr><th scope=row>{mark(good)}<b>{good}</b></th><td class="takes">takes</td><td>'
        + "".join(
            f'<span class="certificate {grade.value}">{mark(grade)}<b>{grade.label}</b></span>'
            for grade, units in zip(MATERIALS, recipe, strict=True)
            for _ in range(units)
        )
        + "</td></tr>"
        for good, recipe in zip(GOODS, rules.production, strict=True)
    )
    return [
        Page(
            "Production Chart",
            head("Production Chart", "Certificates that one unit of each good takes.")
            + f'<table class="production"><tbody>{rows}</tbody></table>'
            f'<p class="large">{substitutions(rules)}</p>',
            wide=True,
        )
    ]
