"""A page of paper, and the file that holds all pages.

Every page stands upright, and a wide sheet lies on its side there: browsers differ in whether they
can print both kinds in one go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from exdec.items import GOODS, MATERIALS, Good, Item, Material
from exdec.model import MONTHS
from exdec.narrate import dollars
from exdec.rules import Calculator, Rules
from exdec.theme import SERIES

PAPERS = {"a4": ("A4", 190, 277), "letter": ("Letter", 195, 259)}
"""The paper's own name, and what a margin of 10 mm leaves of it, in millimetres."""

GENERATOR = '<meta name="generator" content="exdec print">'

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The file asks for nothing, whatever it holds."""

SHAPES: dict[Item, str] = {
    Material.X: '<circle cx="12" cy="12" r="10"/>',
    Material.F: '<path d="M3 3h18v18H3z"/>',
    Material.S: '<path d="M12 1l11 11-11 11L1 12z"/>',
    Good.A: '<path d="M12 2l11 20H1z"/>',
    Good.B: '<path d="M9 2h6v7h7v6h-7v7H9v-7H2V9h7z"/>',
    Good.C: '<path d="M12 1l3 8h8l-6 5 2 8-7-4-7 4 2-8-6-5h8z"/>',
}
"""The markers of `exdec.theme`, drawn: a printer may have no letter for a star."""


class Page(NamedTuple):
    """One page: its title, its body as HTML, and whether it is wider than high."""

    title: str
    body: str
    wide: bool = False


def mark(item: Item) -> str:
    """An item's marker in its colour; its name stands beside it."""
    return f'<svg viewBox="0 0 24 24" aria-hidden="true"><use href="#{item.value}"/></svg>'


def named(item: Item) -> str:
    """Marker and name."""
    return f"{mark(item)}{item.label}"


def many(units: int, what: str = "unit") -> str:
    """Count things.

    Examples
    --------
    >>> many(1), many(12)
    ('1 unit', '12 units')
    """
    return f"{units} {what}{'' if units == 1 else 's'}"


def limits(rules: Rules, players: int) -> str:
    """What one firm may order in a month, as a sentence (R7).

    Examples
    --------
    >>> from exdec import STANDARD
    >>> limits(STANDARD, 2)
    'Order at most 18 units a month, and at most 12 of one grade.'
    """
    at_most = f"Order at most {many(rules.order_limit.at(players))} a month"
    one = rules.grade_limit.at(players)
    return (
        f"{at_most}, and at most {one} of one grade." if one else f"{at_most}, all grades together."
    )


def span(rules: Rules) -> str:
    """The months that are played.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> span(STANDARD)
    'January to December'
    """
    last = MONTHS[rules.months - 1]
    return last if rules.months == 1 else f"{MONTHS[0]} to {last}"


def halves(rules: Rules) -> list[list[str]]:
    """The months by the page that they stand on, six at most."""
    names = MONTHS[: rules.months]
    return [list(names[first : first + 6]) for first in range(0, len(names), 6)]


def recipe(rules: Rules, good: Good) -> str:
    """What one unit of a good takes (R4).

    Examples
    --------
    >>> from exdec import STANDARD
    >>> recipe(STANDARD, Good.C)
    '1 FINE + 2 STANDARD'
    """
    takes = zip(MATERIALS, rules.production[GOODS.index(good)], strict=True)
    return " + ".join(f"{units} {grade.label}" for grade, units in takes if units)


def substitutions(rules: Rules) -> str:
    """Which certificates may stand in for which, as a sentence (R12)."""
    pairs = [map(Material, one.value.split(" for ")) for one in rules.substitutions]
    said = [f"{other.label} may stand in for {grade.label}" for other, grade in pairs]
    if not said:
        return "No certificate stands in for another."
    return (
        f"{said[0]}{''.join(f', and {more}' for more in said[1:])}, one for one. Nothing else may."
    )


def movement(row: Calculator, verb: str) -> str:
    """A row of the Market Calculator as a sentence (R1, R2).

    Examples
    --------
    >>> from exdec import STANDARD
    >>> movement(STANDARD.goods_calculator, "offered")
    '$11 up if nothing is offered, and $2 down for each unit offered.'
    """
    each = _moved(row.per_unit)
    return f"{_moved(row.at_zero)} if nothing is {verb}, and {each} for each unit {verb}."


def _moved(by: int) -> str:
    return f"{dollars(abs(by))} {'down' if by < 0 else 'up'}" if by else "no change"


def document(pages: Sequence[Page], paper: str) -> str:
    """The file: pages of `paper` ("a4" or "letter") that print as they are."""
    name, width, height = PAPERS[paper]
    # Comments and what indents them need not travel.
    style = re.sub(
        r"(?s)/\*.*?\*/\s*", "", (files("exdec.printing") / "print.css").read_text("utf-8")
    )
    shapes = "".join(
        f'<symbol id="{item.value}" viewBox="0 0 24 24" class="{item.value}">{shape}</symbol>'
        for item, shape in SHAPES.items()
    )
    colours = " ".join(f".{item.value} {{ --own: {SERIES[item].colour}; }}" for item in SHAPES)
    sheets = "".join(
        f'<section class="sheet{" wide" if page.wide else ""}" aria-label="{escape(page.title)}">'
        f'<div class="inner">{page.body}</div></section>\n'
        for page in pages
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{GENERATOR}\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        "<title>Executive Decision on paper</title>\n"
        f"<style>:root {{ --w: {width}mm; --h: {height}mm; }}\n"
        f"@page {{ size: {name}; margin: 10mm; }}\n{colours}\n{style}</style>\n</head>\n<body>\n"
        f'<svg class="shapes" aria-hidden="true">{shapes}</svg>\n'
        f'<p class="screen">{many(len(pages), "page")} of {name} paper, for one table. Print them '
        "with your browser (Ctrl+P, or ⌘P on a Mac), in actual size. Black and white will do.</p>\n"
        f"<main>\n{sheets}</main>\n</body>\n</html>\n"
    )


def head(title: str, *facts: str) -> str:
    """A page's title, and what it is for."""
    said = "".join(f"<p>{fact}</p>" for fact in facts)
    return f"<header><h2>{title}</h2><div>{said}</div></header>"
