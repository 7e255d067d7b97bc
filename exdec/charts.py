"""Games as Plotly figures, each with a sentence that says the same.

A figure is a plain ``go.Figure`` of plain lists without a template, so that it is a few kilobytes
of JSON. Its ground is transparent and its labels take the theme's colour from the stylesheet, so
one figure serves light and dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from exdec.analysis import PARTS, Split
from exdec.items import GOODS, MATERIALS, Item
from exdec.model import MONTHS, Step, month_name
from exdec.narrate import change, dollars, signed
from exdec.observe import Posting
from exdec.rules import Rules
from exdec.theme import CHART_HEIGHT, NEUTRAL, PARTS_LOOK, ROW_HEIGHT, SERIES

if TYPE_CHECKING:
    import plotly.graph_objects as go

T = TypeVar("T")

ITEMS: tuple[Item, ...] = (*MATERIALS, *GOODS)

FONT = {"color": NEUTRAL, "size": 12, "family": "system-ui, sans-serif"}

LABEL_HEIGHT = 15
"""Pixels that the name at a line's end takes."""

LINE = 42
"""Letters of a row's text that a phone can show side by side."""

TEXT_HEIGHT = 16
"""Pixels that each line of it takes."""

MARGIN = {"l": 44, "r": 96, "t": 4, "b": 28}
PLOT_HEIGHT = CHART_HEIGHT - MARGIN["t"] - MARGIN["b"]
HEADING_HEIGHT = 18
EDGE = 18
"""Pixels: what is drawn into, a panel's heading above it, and what stays free at its edges."""


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
    dollar, panels = _panels(lines)
    traces = []
    floors: list[dict[str, object]] = []
    labels: list[dict[str, object]] = []
    for panel in panels:
        labels.append(
            {
                "text": f"<b>{panel.heading}</b>, $ a unit",
                "xref": "paper",
                "yref": "paper",
                "x": 0,
                "y": panel.domain[1],
                "yanchor": "bottom",
                "xanchor": "left",
                "align": "left",
                "showarrow": False,
            }
        )
        traces += [_trace(item, lines[item], panel.axis) for item in panel.items]
        floor = rules.goods_floor if panel.items is GOODS else rules.materials_floor
        if any(point.price == floor for item in panel.items for point in lines[item][1:]):
            floors.append(_floor_line(floor, panel.axis))
        ends = {item: lines[item][-1].price for item in panel.items}
        for item, shift in apart(ends, dollar).items():
            labels.append(
                {
                    "text": f"{item.label} <b>{dollars(ends[item])}</b>",
                    "xref": "x",
                    "yref": panel.axis,
                    "x": lines[item][-1].month,
                    "y": ends[item],
                    "xanchor": "left",
                    # Where type is larger than it was measured, it grows away from the line.
                    "align": "left",
                    "xshift": 8,
                    "yshift": shift,
                    "showarrow": False,
                }
            )
    axes = {
        f"{'yaxis' if panel.axis == 'y' else 'yaxis2'}": {
            "domain": panel.domain,
            "range": panel.prices,
            "tickformat": "$,d",
            "nticks": 5,
            "zeroline": False,
            "gridcolor": NEUTRAL,
            "gridwidth": 0.5,
            "fixedrange": True,
        }
        for panel in panels
    }
    figure = go.Figure(
        data=traces,
        layout={
            "height": CHART_HEIGHT,
            "margin": MARGIN,
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": FONT,
            "xaxis": {
                "range": [-0.2, rules.months + 0.2],
                "tickvals": list(range(rules.months + 1)),
                "ticktext": _month_names(rules.months),
                "tickangle": 0,
                "ticks": "outside",
                "tickcolor": NEUTRAL,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
                "anchor": "y2",
            },
            "annotations": labels,
            **({"shapes": floors} if floors else {}),
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
    Point(month=1, price=30, why='X-FINE, January: 0 units ordered, −10, $30')
    """
    opening = (*rules.opening_materials, *rules.opening_goods)
    lines = {
        item: [Point(0, price, f"{item.label}, Opening: {dollars(price)}")]
        for item, price in zip(ITEMS, opening, strict=True)
    }
    for posting in postings:
        buying = posting.step is Step.BUY
        items: tuple[Item, ...] = MATERIALS if buying else GOODS
        floor = rules.materials_floor if buying else rules.goods_floor
        facts = zip(items, posting.units, posting.movement, posting.prices, strict=True)
        for item, units, move, price in facts:
            why = (
                f"{item.label}, {month_name(posting.month)}: {units} "
                f"{'unit' if units == 1 else 'units'} {'ordered' if buying else 'offered'}, "
                f"{signed(move)}, {dollars(price)}{', its lowest price' * (price == floor)}"
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


def price_table_html(rules: Rules, postings: Sequence[Posting]) -> str:
    """Every number behind `price_figure`, in a table.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> "<td>$40" in price_table_html(STANDARD, [])
    True
    """
    lines = price_lines(rules, postings)
    heads = "".join(f"<th scope=col>{item.label}" for item in ITEMS)
    opening = "".join(f"<td>{dollars(lines[item][0].price)}" for item in ITEMS)
    rows = [f"<tr><th scope=row>Opening{opening}"]
    for first in range(0, len(postings), 2):
        cells = [cell for posting in postings[first : first + 2] for cell in _table_cells(posting)]
        month = month_name(postings[first].month)
        rows.append(f"<tr><th scope=row>{month}{''.join(cells)}{'<td>' * (6 - len(cells))}")
    return (
        '<div class="exdec exdec-tally"><div class="exdec-scroll" role="region" tabindex="0" '
        'aria-label="Posted prices">'
        "<table><caption>Posted prices, $ a unit, and the units that moved them</caption>"
        f"<thead><tr><th scope=col>month{heads}</thead><tbody>{''.join(rows)}</tbody></table>"
        "</div></div>"
    )


def _table_cells(posting: Posting) -> list[str]:
    verb = "ordered" if posting.step is Step.BUY else "offered"
    facts = zip(posting.units, posting.movement, posting.prices, strict=True)
    return [
        f"<td>{dollars(price)} <small>{units} {verb}, {signed(move)}</small>"
        for units, move, price in facts
    ]


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


def _floor_line(floor: int, axis: str) -> dict[str, object]:
    return {
        "type": "line",
        "layer": "below",
        "xref": "paper",
        "yref": axis,
        "x0": 0,
        "x1": 1,
        "y0": floor,
        "y1": floor,
        "line": {"color": NEUTRAL, "dash": "longdash", "width": 1},
        "label": {
            "text": f"lowest price {dollars(floor)}",
            "textposition": "start",
            "yanchor": "top",
        },
    }


def _month_names(months: int) -> list[str]:
    """What stands below the ticks; from five months on every other name, for charts on phones."""
    names = ["Opening", *(name[:3] for name in MONTHS[:months])]
    return names if months < 5 else [name if at % 2 == 0 else "" for at, name in enumerate(names)]


class Panel(NamedTuple):
    """What is drawn together: its axis, its part of the chart's height, and the prices it spans."""

    items: tuple[Item, ...]
    heading: str
    axis: str
    domain: tuple[float, float]
    prices: tuple[float, float]


def _panels(lines: dict[Item, list[Point]]) -> tuple[float, list[Panel]]:
    """Pixels that a dollar is high, and the panels: goods above, materials below.

    The one whose prices lie further apart gets more of the height, so that a dollar can be high.
    """
    parts: list[tuple[tuple[Item, ...], str, str]] = [
        (GOODS, "Goods", "y"),
        (MATERIALS, "Materials", "y2"),
    ]
    prices = [[point.price for item in items for point in lines[item]] for items, _, _ in parts]
    spreads = [max(some) - min(some) + 1 for some in prices]
    free = PLOT_HEIGHT - 2 * HEADING_HEIGHT
    share = min(max(spreads[0] / sum(spreads), 0.35), 0.65)
    heights = [free * share, free * (1 - share)]
    dollar = min((h - 2 * EDGE) / spread for h, spread in zip(heights, spreads, strict=True))
    top: float = PLOT_HEIGHT - HEADING_HEIGHT
    panels = []
    for (items, heading, axis), some, height in zip(parts, prices, heights, strict=True):
        # In the middle, but no emptiness below $0.
        low = (max(some) + min(some) - height / dollar) / 2
        low = max(low, min(min(some) - EDGE / dollar, 0))
        domain = (max(top - height, 0) / PLOT_HEIGHT, top / PLOT_HEIGHT)
        panels.append(Panel(items, heading, axis, domain, (low, low + height / dollar)))
        top -= height + HEADING_HEIGHT
    return dollar, panels


def apart(prices: Mapping[T, float], dollar: float) -> dict[T, int]:
    """Pixels by which labels move up or down so that none covers another.

    Parameters
    ----------
    prices : mapping of what is labelled to dollars
    dollar : float
        Pixels that a dollar is high.

    Examples
    --------
    >>> apart({"X": 60, "F": 30, "S": 30}, 2)
    {'F': -8, 'S': 8, 'X': 0}
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


# -- profits -------------------------------------------------------------------------------------


def split_figure(splits: Iterable[Split]) -> go.Figure:
    """Draw the parts of each firm's profit end to end: what it gained to the right of zero.

    Parameters
    ----------
    splits : iterable of Split
        See `exdec.analysis.split_profit`.

    Examples
    --------
    >>> from exdec.analysis import Split
    >>> figure = split_figure([Split("Ann", gains=50, losses=-20, unsold=-5)])
    >>> [trace.name for trace in figure.data]
    ['goods sold above cost', 'goods sold below cost', 'certificates left over']
    """
    by_player = {split.player: split for split in splits}
    ranked = [
        by_player[player]
        for player in _ranked({player: split.profit for player, split in by_player.items()})
    ]
    bars = [
        {
            "name": name,
            "x": [getattr(split, part) for split in ranked],
            "marker": {
                "color": PARTS_LOOK[part].colour,
                "pattern": {"shape": PARTS_LOOK[part].pattern},
            },
            "hovertext": [
                _as_text(f"{split.player}, {name}: {change(getattr(split, part))}")
                for split in ranked
            ],
        }
        for part, name in PARTS.items()
    ]
    sums = [" ".join(change(getattr(split, part)) for part in PARTS) for split in ranked]
    rows = [
        _wrapped(split.player, f"{terms} = {change(split.profit)}")
        for split, terms in zip(ranked, sums, strict=True)
    ]
    return _bars(bars, rows, legend=True)


def _wrapped(name: str, numbers: str) -> list[str]:
    """A row's text in lines that a phone can show: a number that is cut off reads as another."""
    lines = [f"<b>{_as_text(part)}</b>" for part in wrap(name, LINE)]
    if len(name) + len(numbers) < LINE:
        return [f"{lines[0]} {_as_text(numbers)}"]
    return [*lines, _as_text(numbers)]


def split_sentence(splits: Iterable[Split]) -> str:
    """Say what `split_figure` shows.

    Examples
    --------
    >>> from exdec.analysis import Split
    >>> split_sentence([Split("Ann", gains=50, losses=-20, unsold=-5)])
    'Ann: goods sold above cost +$50, goods sold below cost −$20, certificates left over −$5.'
    """
    return " ".join(
        f"{split.player}: "
        f"{', '.join(f'{name} {change(getattr(split, part))}' for part, name in PARTS.items())}."
        for split in sorted(splits, key=lambda split: -split.profit)
    )


def _as_text(words: str) -> str:
    """Words that Plotly shows as they are: no marks, and no formula between two dollar signs."""
    return escape(words, quote=False).replace("$", "&#36;")


def _ranked(profit: Mapping[str, int]) -> list[str]:
    return sorted(profit, key=lambda player: -profit[player])


def _bars(bars: list[dict[str, Any]], rows: list[list[str]], *, legend: bool = False) -> go.Figure:
    """Bars that lie on one another's ends, a row for each firm with its text above the bar."""
    import plotly.graph_objects as go

    at = list(range(len(rows)))
    top = 28 if legend else 4
    # The row with the most lines says how high all are; a bar stays as thick as it is.
    row = ROW_HEIGHT + TEXT_HEIGHT * (max(map(len, rows), default=1) - 1)
    thick = 0.36 * ROW_HEIGHT / row
    below = ROW_HEIGHT / row / 2
    bar = {
        "type": "bar",
        "orientation": "h",
        "y": at,
        "width": thick,
        "offset": 0,
        "hoverinfo": "text",
    }
    figure = go.Figure(
        data=[{**bar, **one} for one in bars],
        layout={
            "height": row * len(rows) + top + 28,
            "margin": {"l": 12, "r": 12, "t": top, "b": 28},
            "barmode": "relative",
            "showlegend": legend,
            "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False},
            "dragmode": False,
            "hovermode": "closest",
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": FONT,
            "xaxis": {
                "tickformat": "$,d",
                "nticks": 6,
                "showgrid": False,
                "ticks": "outside",
                "tickcolor": NEUTRAL,
                "zeroline": False,
                "fixedrange": True,
            },
            # Zero is marked beside the bars alone: a whole line would run through the texts.
            "shapes": [
                {
                    "type": "line",
                    "x0": 0,
                    "x1": 0,
                    "y0": y,
                    "y1": y + thick,
                    "line": {"color": NEUTRAL, "width": 1},
                }
                for y in at
            ],
            "yaxis": {
                "range": [len(rows) - 1 + below, below - 1],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            "annotations": [
                {
                    "text": "<br>".join(lines),
                    "xref": "paper",
                    "x": 0,
                    "y": y,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "align": "left",
                    "showarrow": False,
                }
                for y, lines in zip(at, rows, strict=True)
            ],
        },
    )
    figure.layout.template = None
    return figure
