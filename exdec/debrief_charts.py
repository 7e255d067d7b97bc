"""What a class did, as Plotly figures, each with a sentence that says the same.

The figures keep to what `exdec.charts` says of one: no template, a transparent ground, text in the
theme's colour. The class's average is a thick line with markers, and each table a thin one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

from exdec.analysis import PARTS, GoodsSold
from exdec.charts import FONT, HEADING_HEIGHT, split_figure, split_sentence
from exdec.items import GOODS, MATERIALS, Good, Item
from exdec.model import MONTHS, month_name
from exdec.narrate import change, counted, dollars, signed, whole
from exdec.played import VOID, OpenBid, PlayedClass, PlayedTable, averages, listed, mean
from exdec.theme import NEUTRAL, PARTS_LOOK, SERIES, SKETCH_LOOK
from exdec.tournament_charts import BELOW, GROUND, QUIET, Told

PANEL = 150
"""Pixels that the lines of one item take."""

LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 1,
    "yanchor": "bottom",
    "itemclick": False,
    "itemdoubleclick": False,
}
LEGEND_HEIGHT = 28

GROUPS = (("solid", "circle"), ("dash", "square"), ("dot", "diamond"), ("dashdot", "cross"))
"""Dash and marker of each treatment."""

FEW = 8
"""So many tables can be told apart; the thin lines of more are fainter."""

FEW_MONTHS = 2
"""So few months are all named below a chart; with more, names would collide on a phone."""

HEADING = 11
"""Letters of an item and its price that stand above a chart on a phone without being cut off."""

MOST_BARS = 16
"""So many firms can be seen at once."""

FAR = 20
"""Dollars from the market; bids that lie further off stand apart, all at one place."""

APART = FAR + 2.5
"""Where they stand."""

NEAR = 2
"""A bid that misses the market by no more dollars than this is a near miss."""


def text(words: str) -> str:
    """Text of a figure, in which two dollar signs would begin and end a formula."""
    return escape(words, quote=False).replace("$", "&#36;")


# -- an average over tables, and each table ------------------------------------------------------


class Line(NamedTuple):
    """One line of a panel: a point for each month from `first` on."""

    name: str
    values: Sequence[float]
    first: int
    colour: str
    dash: str
    symbol: str
    thin: bool = False


class Panel(NamedTuple):
    """The lines of one item, and a level to compare them with."""

    heading: str
    lines: Sequence[Line]
    level: float | None = None


def _panels(
    rows: Sequence[Sequence[Panel]],
    months: int,
    unit: str,
    legend: Sequence[tuple[str, str, str, str]] = (),
    faint: float = 1,
) -> Any:
    """Draw small charts side by side, three in a row; those of a row share their scale."""
    import plotly.graph_objects as go

    plot = len(rows) * (PANEL + HEADING_HEIGHT + BELOW) - BELOW
    first = 1 if unit == "units" else 0
    ticks = [_ticks(first, months, beside) for beside in (False, True, True)]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "name": text(name),
            "x": [None],
            "y": [None],
            "mode": "lines+markers",
            "line": {"color": colour, "dash": dash, "width": 2},
            "marker": {"symbol": symbol, "size": 8},
            "showlegend": True,
        }
        for name, colour, dash, symbol in legend
    ]
    notes: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    for row, panels in enumerate(rows):
        bottom = max(plot - row * (PANEL + HEADING_HEIGHT + BELOW) - HEADING_HEIGHT - PANEL, 0)
        domain = [bottom / plot, (bottom + PANEL) / plot]
        values = [v for panel in panels for line in panel.lines for v in line.values]
        values += [panel.level for panel in panels if panel.level is not None]
        low, high = min(values, default=0), max(values, default=1)
        room = max(high - low, 1) * 0.12
        for column, panel in enumerate(panels):
            number = 3 * row + column + 1
            x, y = (f"{axis}{number}" if number > 1 else axis for axis in "xy")
            left, right = column / 3 + 0.02 * (column > 0), (column + 1) / 3 - 0.01
            traces += [_trace(line, x, y, unit, faint) for line in panel.lines]
            axes[f"xaxis{number}"] = {
                **QUIET,
                "anchor": y,
                "domain": [left, right],
                "range": [first - 0.3, months + 0.3],
                "tickvals": ticks[column],
                "ticktext": [MONTHS[month - 1][:3] if month else "Open" for month in ticks[column]],
                "tickangle": 0,
                "showgrid": False,
                "ticks": "outside",
                "tickcolor": NEUTRAL,
            }
            axes[f"yaxis{number}"] = {
                **QUIET,
                "anchor": x,
                "domain": domain,
                "range": [low - room if low < 0 else max(low - room, 0), high + room],
                "tickformat": ",d" if unit == "units" else "$,d",
                "nticks": 5,
                "showticklabels": column == 0,
            }
            notes.append(
                {
                    "text": panel.heading,
                    "xref": "paper",
                    "yref": "paper",
                    "x": left,
                    "y": domain[1],
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "showarrow": False,
                }
            )
            if panel.level is not None:
                shapes.append(
                    {
                        "type": "line",
                        "layer": "below",
                        "xref": f"{x} domain",
                        "yref": y,
                        "x0": 0,
                        "x1": 1,
                        "y0": panel.level,
                        "y1": panel.level,
                        "line": {"color": NEUTRAL, "dash": "longdash", "width": 1.5},
                    }
                )
    top = 4 + LEGEND_HEIGHT * bool(legend)
    figure = go.Figure(
        data=traces,
        layout={
            **GROUND,
            "height": plot + top + BELOW,
            # The last heading may reach beyond its chart: "STANDARD → $11".
            "margin": {"l": 44, "r": 28, "t": top, "b": BELOW},
            "showlegend": bool(legend),
            "legend": {**LEGEND, "y": 1 + 4 / plot},
            "annotations": notes,
            **({"shapes": shapes} if shapes else {}),
            **axes,
        },
    )
    figure.layout.template = None
    return figure


def _ticks(first: int, months: int, beside: bool) -> list[int]:
    """The months that are named below a chart; beside another the first would run into its last."""
    if months <= FEW_MONTHS:
        return list(range(first, months + 1))
    return [*([] if beside else [first]), (months + 1) // 2, months]


def _trace(line: Line, x: str, y: str, unit: str, faint: float) -> dict[str, Any]:
    months = [line.first + at for at in range(len(line.values))]
    said = [
        text(f"{line.name}, {month_name(month) if month else 'Opening'}: {_amount(value, unit)}")
        for month, value in zip(months, line.values, strict=True)
    ]
    return {
        "type": "scatter",
        "name": text(line.name),
        "x": months,
        "y": list(line.values),
        "xaxis": x,
        "yaxis": y,
        "mode": "lines" if line.thin else "lines+markers",
        "cliponaxis": line.thin,
        "line": {"color": line.colour, "dash": line.dash, "width": 1 if line.thin else 3},
        **({} if line.thin else {"marker": {"symbol": line.symbol, "size": 8}}),
        "opacity": faint if line.thin else 1,
        "hovertext": said,
        "hoverinfo": "text",
        "showlegend": False,
    }


def _amount(value: float, unit: str) -> str:
    return f"{value:.4g} units" if unit == "units" else dollars(whole(value))


Values = Callable[[PlayedTable, Item], Sequence[float]]


def _lines(played: PlayedClass, item: Item, values: Values, first: int) -> list[Line]:
    """Every table as a thin line, and the average of each treatment, or of all, as a thick one."""
    colour, dash, symbol, _ = SERIES[item]
    several = len(played.tables) > 1
    thin, thick = [], []
    for at, (name, tables) in enumerate(played.groups.items()):
        thin_dash = "solid"
        if name:
            dash, symbol = GROUPS[at % len(GROUPS)]
            thin_dash = dash
        lines = [values(table, item) for table in tables]
        what = name or (f"average of {len(tables)} tables" if several else tables[0].name)
        thick.append(Line(f"{item.label}, {what}", averages(lines), first, colour, dash, symbol))
        if several:
            thin += [
                Line(f"{item.label}, {table.name}", line, first, colour, thin_dash, "", thin=True)
                for table, line in zip(tables, lines, strict=True)
            ]
    return [*thin, *thick]


def _legend(played: PlayedClass, what: str = "") -> list[tuple[str, str, str, str]]:
    """What tells the treatments apart."""
    return [
        (f"{name}{what}", NEUTRAL, *GROUPS[at % len(GROUPS)])
        for at, name in enumerate(played.groups)
        if name
    ]


def _faint(played: PlayedClass) -> float:
    return 1 if len(played.tables) <= FEW else 0.4


def _last(tables: Sequence[PlayedTable], item: Item, values: Values) -> float:
    """The average over some tables of each one's own last value, however far it got."""
    return mean(values(table, item)[-1] for table in tables)


def _until(tables: Sequence[PlayedTable], together: str = "", apart: str = "") -> str:
    """Name where lines end: together, or each table's somewhere else.

    Parameters
    ----------
    tables : sequence of PlayedTable
    together, apart : str
        What stands before a time, and before the months of tables that end apart.
    """
    steps = {len(table.game.steps) for table in tables}
    if len(steps) > 1:
        return f"{apart}each table's last month"
    if all(table.over for table in tables):
        return f"{together}the end"
    return f"{apart}{month_name((steps.pop() + 1) // 2)}"


def _where(group: str, tables: Sequence[PlayedTable]) -> str:
    """Begin a sentence about some tables: "On average over 3 tables", "At Table 2"."""
    if len(tables) == 1:
        return f"At {tables[0].name}" + f', "{group}"' * bool(group)
    return f"On average over {counted(len(tables), 'table')}" + f' with "{group}"' * bool(group)


def prices_told(played: PlayedClass) -> Told:
    """Draw the posted prices of a class."""

    def values(table: PlayedTable, item: Item) -> Sequence[float]:
        return table.prices[item]

    # A number in a heading is one at which the average's line ends.
    alone = len(played.groups) == 1

    def panel(item: Item) -> Panel:
        together = len({len(table.prices[item]) for table in played.tables}) == 1
        end = dollars(whole(_last(played.tables, item, values)))
        fits = len(item.label + end) <= HEADING
        heading = f"<b>{item.label}</b>" + text(f" → {end}") * (alone and together and fits)
        return Panel(heading, _lines(played, item, values, 0))

    rows = [[panel(item) for item in items] for items in (GOODS, MATERIALS)]
    figure = _panels(rows, played.months, "$", _legend(played), _faint(played))
    said = [_prices_words(name, tables) for name, tables in played.groups.items()]
    return Told(figure, f"Posted prices, from Opening to {_until(played.tables)}. {' '.join(said)}")


def _prices_words(group: str, tables: Sequence[PlayedTable]) -> str:
    """How far the prices of some tables went, on average."""
    said = []
    for items, what in ((GOODS, "goods"), (MATERIALS, "materials")):
        moves = []
        for item in items:
            first, last = (
                whole(mean(table.prices[item][at] for table in tables)) for at in (0, -1)
            )
            moves.append(
                f"{item.label} {dollars(first)} to {dollars(last)} ({signed(last - first)})"
            )
        said.append(f"{what} {', '.join(moves)}")
    return f"{_where(group, tables)}: {'; '.join(said)}."


def quantities_told(played: PlayedClass) -> Told:
    """Draw the units ordered and offered at a table, beside the number at which a price stays."""

    def values(table: PlayedTable, item: Item) -> Sequence[float]:
        return table.units[item]

    def panel(item: Item) -> Panel:
        lines = _lines(played, item, values, 1)
        return Panel(f"<b>{item.label}</b>", lines, neutral_of(played, item))

    rows = [[panel(item) for item in items] for items in (GOODS, MATERIALS)]
    figure = _panels(rows, played.months, "units", _legend(played), _faint(played))
    said = [
        _quantities_words(name, replace(played, tables=tables))
        for name, tables in played.groups.items()
    ]
    return Told(figure, " ".join(said))


def _quantities_words(group: str, played: PlayedClass) -> str:
    """What a table of some that are alike offers and orders in a month."""
    said = []
    for items, what in ((GOODS, "offers"), (MATERIALS, "orders")):
        parts = [
            f"{mean(n for table in played.tables for n in table.units[item]):.1f} {item.label}"
            for item in items
        ]
        levels = {neutral_of(played, item) for item in items}
        level = levels.pop() if len(levels) == 1 else None
        stays = "" if level is None else f"; a price stays at {neutral_words(level)}"
        who = f'With "{group}" a table' if group else "A table"
        said.append(f"{who} {what} {listed(parts)} a month{stays}.")
    return " ".join(said)


def neutral_of(played: PlayedClass, item: Item) -> float | None:
    """Units at which an item's price stays, if that is one number for all tables."""
    levels = {table.neutral(item) for table in played.tables}
    return levels.pop() if len(levels) == 1 else None


def neutral_words(level: float) -> str:
    """Name a number of units that may lie between two whole ones.

    Examples
    --------
    >>> neutral_words(10), neutral_words(5.5)
    ('10', '5 to 6')
    """
    lower = int(level)
    return f"{lower}" if lower == level else f"{lower} to {lower + 1}"


def margins_told(played: PlayedClass) -> Told:
    """Draw what a good leaves above its materials at posted prices, and what firms really made."""
    own = SKETCH_LOOK["own"]
    several = len(played.tables) > 1

    def values(table: PlayedTable, good: Item) -> Sequence[float]:
        assert isinstance(good, Good)
        return table.margins[good]

    panels = []
    for good in GOODS:
        lines = _lines(played, good, values, 0)
        for at, (group, tables) in enumerate(played.groups.items()):
            who = f", {group}" if group else ", all tables" * several
            dash, symbol = GROUPS[at % len(GROUPS)] if group else ("dash", "diamond")
            for first, run in runs(earned_by_month(tables, good)):
                name = f"{good.label}, earned on each sold{who}"
                lines.append(Line(name, run, first, own.colour, dash, f"{symbol}-open"))
        panels.append(Panel(f"<b>{good.label}</b>", lines, 0))
    said = [_margins_words(group, tables) for group, tables in played.groups.items()]
    legend = [
        *_legend(played, ", at posted prices"),
        ("earned", own.colour, "dash", "diamond-open"),
    ]
    if len(legend) == 1:
        legend.insert(0, ("at posted prices", NEUTRAL, "solid", "circle"))
    else:
        legend[-1] = ("earned, with the same dashes", own.colour, "solid", "circle-open")
    figure = _panels([panels], played.months, "$", legend, _faint(played))
    return Told(figure, f"Price less materials, at posted prices, for one good. {' '.join(said)}")


def _margins_words(group: str, tables: Sequence[PlayedTable]) -> str:
    """What goods leave at some tables above their materials, and what was earned on them."""
    said = []
    for good in GOODS:
        first, last = (
            change(whole(mean(table.margins[good][at] for table in tables))) for at in (0, -1)
        )
        sold = _sold(tables, good)
        units = sum(one.units for one in sold)
        made = sum(one.margin for one in sold)
        really = (
            f"earned {change(whole(made / units))} on each of {units} sold"
            if units
            else "none sold"
        )
        until = _until(tables, "at ", "in ")
        said.append(f"{good.label}: {first} at Opening, {last} {until}; {really}.")
    return f"{_where(group, tables)}: {' '.join(said)}"


def _sold(tables: Iterable[PlayedTable], good: Good) -> list[GoodsSold]:
    return [
        sold
        for table in tables
        for firm in table.sold.values()
        for sold in firm
        if sold.good is good
    ]


def earned_by_month(tables: Iterable[PlayedTable], good: Good) -> dict[int, float]:
    """Dollars above cost on each unit sold, by month; months without a sale are not there."""
    units: Counter[int] = Counter()
    made: Counter[int] = Counter()
    for sold in _sold(tables, good):
        units[sold.month] += sold.units
        made[sold.month] += sold.margin
    return {month: made[month] / units[month] for month in sorted(units)}


def runs(by_month: Mapping[int, float]) -> list[tuple[int, list[float]]]:
    """Months that follow one another, as lines of their own.

    Examples
    --------
    >>> runs({1: 20.0, 2: 15.0, 4: 9.0})
    [(1, [20.0, 15.0]), (4, [9.0])]
    """
    lines: list[tuple[int, list[float]]] = []
    for month, value in by_month.items():
        if lines and lines[-1][0] + len(lines[-1][1]) == month:
            lines[-1][1].append(value)
        else:
            lines.append((month, [value]))
    return lines


# -- bids against the market ---------------------------------------------------------------------

KINDS = {
    "filled": ("filled", PARTS_LOOK["gains"].colour, "circle"),
    "missed": ("missed the market", PARTS_LOOK["losses"].colour, "x"),
    "void": ("won, but void", PARTS_LOOK["unsold"].colour, "diamond-open"),
}
"""What became of a bid: its name, colour and marker."""


def kind(bid: OpenBid) -> str:
    """What became of a bid; one that was filled in part has missed the market."""
    if bid.outcome in VOID:
        return "void"
    return "missed" if bid.lost else "filled"


def bids_told(played: PlayedClass) -> Told:
    """Draw every bid: how far it lay from the market, and for how many units it was."""
    import plotly.graph_objects as go

    furthest = max((abs(bid.gap) for bid in played.bids), default=1)
    reach = APART + 1.5 if furthest > FAR else furthest + 1
    far = {math.copysign(1, bid.gap) for bid in played.bids if abs(bid.gap) > FAR}
    traces: list[dict[str, Any]] = []
    # Where few bids lie together, a single one is still large enough to see.
    most = max(8, *Counter(map(_place, played.bids)).values(), 1)
    for side, buying in enumerate((True, False)):
        for name, (label, colour, symbol) in KINDS.items():
            places: dict[tuple[float, int], list[OpenBid]] = {}
            for bid in played.bids:
                if bid.buying is buying and kind(bid) == name:
                    places.setdefault(_place(bid)[2:], []).append(bid)
            traces.append(
                {
                    "type": "scatter",
                    "name": label,
                    "mode": "markers",
                    "x": [gap for gap, _ in places],
                    "y": [units for _, units in places],
                    "xaxis": f"x{side + 1}",
                    "yaxis": f"y{side + 1}",
                    "marker": {
                        "color": colour,
                        "symbol": symbol,
                        "size": [5 + 15 * (len(bids) / most) ** 0.5 for bids in places.values()],
                        "opacity": 1,
                        "line": {"width": 0 if name == "filled" else 1, "color": colour},
                    },
                    "hovertext": [_hover(bids, len(played.tables) > 1) for bids in places.values()],
                    "hoverinfo": "text",
                    "showlegend": False,
                }
            )
    # Orders and offers share one legend, which names a mark that stands in either.
    kinds = {kind(bid) for bid in played.bids}
    traces += [
        {
            "type": "scatter",
            "name": label,
            "mode": "markers",
            "x": [None],
            "y": [None],
            "marker": {"color": colour, "symbol": symbol},
        }
        for name, (label, colour, symbol) in KINDS.items()
        if name in kinds
    ]
    heights = [
        # Above the marks there is room for the hints.
        1.3 * max((bid.units for bid in played.bids if bid.buying is buying), default=1) + 0.5
        for buying in (True, False)
    ]
    plot = 2 * (PANEL + HEADING_HEIGHT) + 2 * BELOW + 12
    tops = [plot - HEADING_HEIGHT, PANEL]
    axes: dict[str, Any] = {}
    notes, shapes = [], []
    steps = range(-FAR, FAR + 1, 10 if far else 5)
    ticks: dict[float, str] = {
        at: signed(at) if at else "market" for at in steps if abs(at) < reach
    }
    for sign in far:
        # Both words would not find room side by side.
        ticks |= {sign * FAR: "", sign * APART: f"over {FAR}"}
    headings = (
        ("Orders", "too low: not bought", "bought, for more"),
        ("Offers", "sold, for less", "too dear: not sold"),
    )
    for side, (heading, left, right) in enumerate(headings):
        top = tops[side] / plot
        x, y = ("x2", "y2") if side else ("x", "y")
        axes[f"xaxis{side + 1}"] = {
            **QUIET,
            "anchor": y,
            "range": [-reach, reach],
            "tickprefix": "",
            "tickvals": list(ticks),
            "ticktext": list(ticks.values()),
            "ticks": "outside",
            "tickcolor": NEUTRAL,
            "tickangle": 0,
        }
        axes[f"yaxis{side + 1}"] = {
            **QUIET,
            "anchor": x,
            "domain": [max(top - PANEL / plot, 0), top],
            "range": [0, heights[side]],
            "nticks": 5,
        }
        notes += [
            {
                "text": words,
                "xref": "paper",
                "yref": "paper",
                "x": at,
                "y": top,
                "xanchor": anchor,
                "yanchor": "top" if hint else "bottom",
                "showarrow": False,
            }
            for words, at, anchor, hint in (
                (f"<b>{heading}</b>, units by &#36; from the market", 0, "left", False),
                (f"← {left}", 0, "left", True),
                (f"{right} →", 1, "right", True),
            )
        ]
        shapes.append(
            {
                "type": "line",
                "layer": "below",
                "xref": x,
                "yref": f"{y} domain",
                "x0": 0,
                "x1": 0,
                "y0": 0,
                "y1": 1,
                "line": {"color": NEUTRAL, "dash": "longdash", "width": 1.5},
            }
        )
    figure = go.Figure(
        data=traces,
        layout={
            **GROUND,
            "height": plot + LEGEND_HEIGHT + BELOW,
            # Plotly drops the name of a tick that would run over the edge.
            "margin": {"l": 44, "r": 12 + 12 * bool(far), "t": LEGEND_HEIGHT, "b": BELOW},
            "showlegend": True,
            "legend": {**LEGEND, "y": 1 + 4 / plot, "itemsizing": "constant"},
            "annotations": notes,
            "shapes": shapes,
            **axes,
        },
    )
    figure.layout.template = None
    return Told(figure, bids_sentence(played.bids))


def _place(bid: OpenBid) -> tuple[bool, str, float, int]:
    """Where a bid is drawn, and as what; those at one place are one mark."""
    gap = bid.gap if abs(bid.gap) <= FAR else math.copysign(APART, bid.gap)
    return bid.buying, kind(bid), gap, bid.units


def far_words(bids: Sequence[OpenBid]) -> str:
    """Name the bid that lies furthest from the market, if it is drawn nearer than it lies."""
    furthest = max(bids, key=lambda bid: abs(bid.gap), default=None)
    if furthest is None or abs(furthest.gap) <= FAR:
        return ""
    side = "above" if furthest.gap > 0 else "below"
    return (
        f'Bids more than {dollars(FAR)} from the market stand together at "over {FAR}"; the '
        f"furthest is {dollars(abs(furthest.gap))} {side} it."
    )


def _hover(bids: Sequence[OpenBid], several: bool) -> str:
    """Name the first few bids of a place."""
    said = [
        text(
            f"{bid.player}{f' ({bid.table})' * several}, {month_name(bid.month)}: {bid.units} "
            f"{bid.item.label} at {dollars(bid.price)}, market {dollars(bid.market)}: "
            f"{bid.filled if bid.filled else 'none'} {'bought' if bid.buying else 'sold'}"
        )
        for bid in bids[:6]
    ]
    more = [f"and {len(bids) - 6} more"] if len(bids) > 6 else []
    return "<br>".join([*said, *more])


def bids_sentence(bids: Iterable[OpenBid]) -> str:
    """Say what bids beyond the market cost, and what bids that missed it lost."""
    bids = list(bids)
    said = []
    for buying in (True, False):
        mine = [bid for bid in bids if bid.buying is buying]
        if not mine:
            continue
        beyond = sum(bid.beyond for bid in mine)
        missed = [bid for bid in mine if bid.lost]
        near = sum(abs(bid.gap) <= NEAR for bid in missed)
        lost = sum(bid.lost for bid in missed)
        if buying:
            over = f"Those above the market paid {dollars(beyond)} more than it asked"
        else:
            over = f"Those below the market gave away {dollars(beyond)}"
        wrong = "too low" if buying else "too high"
        under = f"none was {wrong}"
        if missed:
            several = "all " if near == len(missed) else f"{near} of them "
            narrowly = f", {several * (len(missed) > 1)}by $1 or $2," if near else ""
            under = (
                f"{len(missed)} {'was' if len(missed) == 1 else 'were'} {wrong}{narrowly} "
                f"and lost {counted(lost, 'unit')}"
            )
        filled = sum(kind(bid) == "filled" for bid in mine)
        said.append(
            f"{'Orders' if buying else 'Offers'}: {filled:,} of {counted(len(mine), 'bid')} "
            f"{'is' if len(mine) == 1 else 'are'} filled. {over}; {under}."
        )
    void = sum(bid.outcome in VOID for bid in bids)
    if void:
        said.append(
            f"{counted(void, 'bid')} won and came to nothing: the cash or the goods were not there."
        )
    return " ".join(said) or "Nobody has bid."


# -- profit --------------------------------------------------------------------------------------


def profits_told(played: PlayedClass) -> Told:
    """Draw each firm's profit as parts end to end; of many firms the first and the last."""
    firms = played.firms
    some = (
        firms if len(firms) <= MOST_BARS else [*firms[: MOST_BARS // 2], *firms[-MOST_BARS // 2 :]]
    )
    splits = [firm.split._replace(player=firm.named) for firm in some]
    if len(firms) <= FEW:
        return Told(split_figure(splits), split_sentence(splits))
    profits = [firm.profit for firm in firms]
    sums = [
        f"{name} {change(sum(getattr(firm.split, part) for firm in firms))}"
        for part, name in PARTS.items()
    ]
    said = (
        f"From {change(max(profits))} to {change(min(profits))}. "
        f"All {len(firms)} firms together: {', '.join(sums)}."
    )
    if len(some) < len(firms):
        said += f" The chart has the first {MOST_BARS // 2} firms, and the last {MOST_BARS // 2}."
    return Told(split_figure(splits), said)


def tables_told(played: PlayedClass) -> Told:
    """Draw every firm's profit as a mark in its table's row, with the table's average."""
    import plotly.graph_objects as go

    tables = played.tables
    looks = {
        "people": (SKETCH_LOOK["own"].colour, "circle"),
        "bots": (PARTS_LOOK["losses"].colour, "square-open"),
        "both in turn": (PARTS_LOOK["unsold"].colour, "diamond-open"),
    }

    def played_by(table: PlayedTable, player: str) -> str:
        if table.is_person(player):
            return "people"
        return "bots" if table.is_bot(player) else "both in turn"

    traces: list[dict[str, Any]] = []
    for who, (colour, symbol) in looks.items():
        marks = [
            (at, split)
            for at, table in enumerate(tables)
            for split in table.splits
            if played_by(table, split.player) == who
        ]
        if marks:
            traces.append(
                {
                    "type": "scatter",
                    "name": who,
                    "mode": "markers",
                    "x": [split.profit for _, split in marks],
                    "y": [at for at, _ in marks],
                    "marker": {"color": colour, "symbol": symbol, "size": 10},
                    "hovertext": [
                        text(
                            f"{split.player}{tables[at].mark(split.player)}, {tables[at].name}: "
                            f"{change(split.profit)}"
                        )
                        for at, split in marks
                    ],
                    "hoverinfo": "text",
                }
            )
    means = [mean(split.profit for split in table.splits) for table in tables]
    traces.append(
        {
            "type": "scatter",
            "name": "the table's average",
            "mode": "markers",
            "x": means,
            "y": list(range(len(tables))),
            "marker": {
                "color": NEUTRAL,
                "symbol": "line-ns-open",
                "size": 20,
                "line": {"width": 3, "color": NEUTRAL},
            },
            "hovertext": [
                text(f"{table.name}, average: {change(whole(average))}")
                for table, average in zip(tables, means, strict=True)
            ],
            "hoverinfo": "text",
        }
    )
    row = 40
    figure = go.Figure(
        data=traces,
        layout={
            **GROUND,
            "height": row * len(tables) + LEGEND_HEIGHT + BELOW,
            "margin": {"l": 12, "r": 12, "t": LEGEND_HEIGHT, "b": BELOW},
            "showlegend": True,
            "legend": {**LEGEND, "itemsizing": "constant"},
            "xaxis": {**QUIET, "tickformat": "$,d", "nticks": 6, "ticks": "outside"},
            "yaxis": {
                **QUIET,
                "range": [len(tables) - 0.6, -0.7],
                "showticklabels": False,
                "showgrid": False,
            },
            "annotations": [
                {
                    "text": f"<b>{text(table.name)}</b> "
                    + text(f"{change(whole(average))} a firm{'' if table.over else ' so far'}"),
                    "xref": "paper",
                    "x": 0,
                    "y": at,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "yshift": 5,
                    "showarrow": False,
                    "font": FONT,
                }
                for at, (table, average) in enumerate(zip(tables, means, strict=True))
            ],
        },
    )
    figure.layout.template = None
    return Told(figure, tables_sentence(played))


def tables_sentence(played: PlayedClass) -> str:
    """Say what a firm makes on average at each table, and how far its firms lie apart."""
    said = []
    for table in played.tables:
        profits = [split.profit for split in table.splits]
        so_far = "" if table.over else " so far"
        said.append(
            f"{table.name}: {change(whole(mean(profits)))} a firm{so_far}, from "
            f"{change(min(profits))} to {change(max(profits))}."
        )
    return " ".join(said)
