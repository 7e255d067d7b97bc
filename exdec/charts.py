"""Games as Plotly figures, each with a sentence that says the same.

A figure is a plain ``go.Figure`` of plain lists without a template, so that it is a few kilobytes
of JSON. Its ground is transparent and its labels take the theme's colour from the stylesheet, so
one figure serves light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from exdec.items import GOODS, MATERIALS, Item
from exdec.model import MONTHS, Step, month_name
from exdec.narrate import dollars, signed
from exdec.observe import Posting
from exdec.rules import Rules
from exdec.theme import CHART_HEIGHT, NEUTRAL, SERIES

if TYPE_CHECKING:
    import plotly.graph_objects as go

ITEMS: tuple[Item, ...] = (*MATERIALS, *GOODS)

LABEL_HEIGHT = 15
"""Pixels that the name at a line's end takes."""

PANELS: tuple[tuple[tuple[Item, ...], str, str, tuple[float, float]], ...] = (
    (GOODS, "Goods", "y", (0.54, 0.95)),
    (MATERIALS, "Materials", "y2", (0.0, 0.41)),
)
"""What is drawn together, its heading, its axis, and where it stands in the chart's height."""


class Point(NamedTuple):
    """One posted price: dollars a unit, and the sentence that explains it."""

    month: int
    price: int
    why: str


def price_figure(rules: Rules, postings: Sequence[Posting]) -> go.Figure:
    """Draw the posted prices, from Opening on.

    Goods stand above, materials below; a dollar is as high in both, so that movements compare.

    Parameters
    ----------
    rules : Rules
        For the opening prices and the number of months.
    postings : sequence of Posting
        What was posted so far, the oldest first; see `Observation.postings`.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> figure = price_figure(STANDARD, [])
    >>> [trace.name for trace in figure.data]
    ['A', 'B', 'C', 'X-FINE', 'FINE', 'STANDARD']
    """
    import plotly.graph_objects as go

    lines = price_lines(rules, postings)
    span, middles = _scale(lines)
    traces = []
    labels = []
    for items, heading, axis, (low, high) in PANELS:
        labels.append(
            {
                "text": f"<b>{heading}</b>, $ a unit",
                "xref": "paper",
                "yref": "paper",
                "x": 0,
                "y": high,
                "yanchor": "bottom",
                "xanchor": "left",
                "showarrow": False,
            }
        )
        traces += [_trace(item, lines[item], axis) for item in items]
        dollar = CHART_HEIGHT * 0.85 * (high - low) / span
        ends = {item: lines[item][-1].price for item in items}
        for item, shift in _apart(ends, dollar).items():
            labels.append(
                {
                    "text": f"{item.label} <b>{dollars(ends[item])}</b>",
                    "xref": "x",
                    "yref": axis,
                    "x": lines[item][-1].month,
                    "y": ends[item],
                    "xanchor": "left",
                    "xshift": 8,
                    "yshift": shift,
                    "showarrow": False,
                }
            )
    axes = {
        f"{'yaxis' if axis == 'y' else 'yaxis2'}": {
            "domain": [low, high],
            "range": [middles[heading] - span / 2, middles[heading] + span / 2],
            "tickprefix": "$",
            "nticks": 5,
            "zeroline": False,
            "gridcolor": NEUTRAL,
            "gridwidth": 0.5,
            "fixedrange": True,
        }
        for _, heading, axis, (low, high) in PANELS
    }
    figure = go.Figure(
        data=traces,
        layout={
            "height": CHART_HEIGHT,
            "margin": {"l": 44, "r": 96, "t": 4, "b": 28},
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": NEUTRAL, "size": 12, "family": "system-ui, sans-serif"},
            "xaxis": {
                "range": [-0.2, rules.months + 0.2],
                "tickvals": list(range(rules.months + 1)),
                "ticktext": ["Opening", *(name[:3] for name in MONTHS[: rules.months])],
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
                "anchor": "y2",
            },
            "annotations": labels,
            **axes,
        },
    )
    # Plotly's default template weighs seven kilobytes a figure, and paints a ground of its own.
    figure.layout.template = None
    return figure


def price_lines(rules: Rules, postings: Sequence[Posting]) -> dict[Item, list[Point]]:
    """Every item's posted prices from Opening on, each with its explanation.

    Examples
    --------
    >>> from exdec import STANDARD, Game, Material
    >>> game = Game(["Ann", "Ben"])
    >>> report = game.open_bids()
    >>> price_lines(STANDARD, game.postings)[Material.X][-1]
    Point(month=1, price=30, why='X-FINE, January: 0 ordered, −10, $30')
    """
    opening = (*rules.opening_materials, *rules.opening_goods)
    lines = {
        item: [Point(0, price, f"{item.label}, Opening: {dollars(price)}")]
        for item, price in zip(ITEMS, opening, strict=True)
    }
    for posting in postings:
        buying = posting.step is Step.BUY
        items: tuple[Item, ...] = MATERIALS if buying else GOODS
        facts = zip(items, posting.units, posting.movement, posting.prices, strict=True)
        for item, units, move, price in facts:
            why = (
                f"{item.label}, {month_name(posting.month)}: {units} "
                f"{'ordered' if buying else 'offered'}, {signed(move)}, {dollars(price)}"
            )
            lines[item].append(Point(posting.month, price, why))
    return lines


def price_sentence(rules: Rules, postings: Sequence[Posting]) -> str:
    """Say what `price_figure` shows at its right end, for someone who cannot see it.

    Examples
    --------
    >>> from exdec import STANDARD, Game
    >>> game = Game(["Ann", "Ben"])
    >>> report = game.open_bids()
    >>> print(price_sentence(STANDARD, game.postings))
    January's materials: X-FINE $30 (−10), FINE $20 (−10), STANDARD $10 (−10). \
Opening prices of goods: A $140, B $115, C $90.
    """
    sentences = []
    sides: tuple[tuple[tuple[Item, ...], str, Step, Sequence[int]], ...] = (
        (MATERIALS, "materials", Step.BUY, rules.opening_materials),
        (GOODS, "goods", Step.SELL, rules.opening_goods),
    )
    for items, what, step, opening in sides:
        posted = [posting for posting in postings if posting.step is step]
        if posted:
            last = posted[-1]
            when = f"{month_name(last.month)}'s {what}"
            prices = [
                f"{item.label} {dollars(price)} ({signed(price - before)})"
                for item, price, before in zip(items, last.prices, last.before, strict=True)
            ]
        else:
            when = f"Opening prices of {what}"
            prices = [
                f"{item.label} {dollars(price)}" for item, price in zip(items, opening, strict=True)
            ]
        sentences.append(f"{when}: {', '.join(prices)}.")
    return " ".join(sentences)


def _trace(item: Item, line: list[Point], axis: str) -> dict[str, object]:
    series = SERIES[item]
    return {
        "type": "scatter",
        "name": item.label,
        "x": [point.month for point in line],
        "y": [point.price for point in line],
        "yaxis": axis,
        "mode": "lines+markers",
        "line": {"color": series.colour, "dash": series.dash, "width": 2},
        "marker": {"symbol": series.symbol, "size": 9},
        "hovertext": [point.why for point in line],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _scale(lines: dict[Item, list[Point]]) -> tuple[float, dict[str, float]]:
    """Dollars that both panels span, and the middle of each."""
    spans = []
    middles = {}
    for items, heading, _, _ in PANELS:
        prices = [point.price for item in items for point in lines[item]]
        spans.append(max(prices) - min(prices))
        middles[heading] = (max(prices) + min(prices)) / 2
    return max(spans) * 1.2 + 4, middles


def _apart(prices: dict[Item, int], dollar: float) -> dict[Item, int]:
    """Pixels by which labels move up or down so that none covers another.

    Parameters
    ----------
    prices : dict of item to dollars
    dollar : float
        Pixels that a dollar is high.
    """
    ranked = sorted(prices, key=lambda item: prices[item])
    natural = [prices[item] * dollar for item in ranked]
    # Push up from below, then take half of the push back, so that a group stays centred.
    up = list(natural)
    for at in range(1, len(up)):
        up[at] = max(up[at], up[at - 1] + LABEL_HEIGHT)
    down = list(natural)
    for at in reversed(range(len(down) - 1)):
        down[at] = min(down[at], down[at + 1] - LABEL_HEIGHT)
    return {
        item: round((high + low) / 2 - here)
        for item, high, low, here in zip(ranked, up, down, natural, strict=True)
    }
