"""One look for everything that people see.

Each series keeps its colour, dash and marker everywhere. Spacing, type and the colours of text are
in ``theme.css`` beside this module.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

from exdec.items import Good, Item, Material


class Series(NamedTuple):
    """How one material or good is drawn.

    Parameters
    ----------
    colour : str
        At least 3.9 : 1 on white and on JupyterLab's dark ground.
    dash, symbol : str
        Plotly's names for the line and its markers.
    glyph : str
        The marker as a letter, for tables and forms.
    """

    colour: str
    dash: str
    symbol: str
    glyph: str


SERIES: dict[Item, Series] = {
    Material.X: Series("#2F6FDB", "solid", "circle", "●"),
    Material.F: Series("#0E8C8C", "dash", "square", "■"),
    Material.S: Series("#7A7F87", "dot", "diamond", "◆"),
    Good.A: Series("#D4560B", "solid", "triangle-up", "▲"),
    Good.B: Series("#B8469B", "dash", "cross", "✚"),
    Good.C: Series("#8F7A00", "dot", "star", "★"),
}
"""Cool colours for what is bought, warm ones for what is sold."""


class PartLook(NamedTuple):
    """How one part of a profit is drawn: Plotly's names for a bar's colour and its pattern."""

    colour: str
    pattern: str


PARTS_LOOK: dict[str, PartLook] = {
    "gains": PartLook("#7B61C9", ""),
    "losses": PartLook("#B5651D", "/"),
    "unsold": PartLook("#767676", "."),
}
"""None of them is a colour of a series. Violet and orange differ for every kind of eye, and the
patterns differ in print; a gain also stands on the other side of zero than a loss."""

SKETCH_LOOK: dict[str, Series] = {
    "own": Series("#7B61C9", "solid", "circle", "●"),
    "base": Series("#767676", "dash", "diamond-open", "◇"),
}
"""A learner's curve and the one to compare it with; what happened and what was predicted."""

NEUTRAL = "#767676"
"""Text of a chart where no stylesheet reaches it; readable on white, and on black."""

CHART_HEIGHT = 340
"""Pixels."""

ROW_HEIGHT = 44
"""Pixels that one firm takes in a chart of bars: a line of text, and its bar."""


def mark(item: Item) -> str:
    """An item's marker in its colour, as HTML that is no part of the text."""
    return f'<b class="exdec-mark exdec-{item}" aria-hidden="true">{SERIES[item].glyph}</b>'


def _stylesheet() -> str:
    """``theme.css`` without its comments, and the colours of the series."""
    rules = re.sub(r"(?s)/\*.*?\*/\s*", "", (files("exdec") / "theme.css").read_text("utf-8"))
    colours = (f".exdec-{item} {{ color: {one.colour}; }}" for item, one in SERIES.items())
    return "\n".join([rules, *colours])


STYLESHEET = _stylesheet()
"""The rules for every view in a notebook, as CSS."""
