"""The tables of a tournament as Plotly figures, each with a sentence that says the same.

A notebook shows both. The figures keep to what `exdec.charts` says of one: no template, a
transparent ground, text in the theme's colour. What is certain and what may be chance differ in
words, and not in colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any

from exdec.charts import EDGE, FONT, HEADING_HEIGHT, ITEMS
from exdec.items import GOODS, MATERIALS, Item
from exdec.model import MONTHS, month_name
from exdec.narrate import change, dollars, signed, whole
from exdec.rules import Rules
from exdec.theme import NEUTRAL, PARTS_LOOK, SERIES

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from exdec.standings import Standings

ROW = 38
"""Pixels that one strategy takes in the ranking: a line of text, and its bar."""

CELL = 30
"""Pixels that one strategy takes in the head-to-head table."""

PANEL = 170
"""Pixels that the prices of one item take."""

BELOW = 28
"""Pixels below a panel for the names of the months."""

GROUND = {
    "showlegend": False,
    "dragmode": False,
    "hovermode": "closest",
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "font": FONT,
}
QUIET = {
    "zeroline": False,
    "fixedrange": True,
    "gridcolor": NEUTRAL,
    "gridwidth": 0.5,
    "ticks": "",
}


@dataclass(frozen=True)
class Told:
    """A figure and the sentence that says the same; a notebook shows both.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        To change it, or to write it to a file.
    sentence : str
    """

    figure: go.Figure
    sentence: str

    def __repr__(self) -> str:
        return self.sentence

    def _ipython_display_(self) -> None:
        from IPython.display import display

        from exdec.notebook.live import chart_bundle, html_bundle

        told = html_bundle(f"<p>{escape(self.sentence)}</p>")
        for bundle in (chart_bundle(self.figure, self.sentence), told):
            display(bundle, raw=True)  # type: ignore[no-untyped-call]


def ranking_figure(standings: Standings) -> Told:
    """Draw each strategy's mean profit as a bar with its 95 % interval, the highest first.

    Parameters
    ----------
    standings : Standings

    Examples
    --------
    >>> from exdec.tournament import run
    >>> standings = run(["cautious", "random"], players=[2], games=200, workers=1)
    >>> [trace.type for trace in ranking_figure(standings).figure.data]
    ['bar']
    """
    rows = rows_of(standings.ranking.dropna(subset="profit"))
    looks = [PARTS_LOOK["gains" if row.profit >= 0 else "losses"] for row in rows]
    low = min([0, *(row.profit_low for row in rows if not isnan(row.profit_low))])
    high = max([0, *(row.profit_high for row in rows if not isnan(row.profit_high))])
    reach = max(high - low, 1) * 0.03
    figure = _figure(
        [
            {
                "type": "bar",
                "orientation": "h",
                "x": [row.profit for row in rows],
                "y": list(range(len(rows))),
                "width": 0.4,
                "offset": 0,
                "marker": {
                    "color": [look.colour for look in looks],
                    "pattern": {"shape": [look.pattern for look in looks]},
                },
                "error_x": {
                    "type": "data",
                    "array": [row.profit_high - row.profit for row in rows],
                    "color": NEUTRAL,
                    "thickness": 2,
                    "width": 5,
                },
                "hovertext": [escape(_row_words(row)) for row in rows],
                "hoverinfo": "text",
            }
        ],
        {
            "height": ROW * len(rows) + 40,
            "margin": {"l": 12, "r": 12, "t": 4, "b": 36},
            "xaxis": {
                **QUIET,
                "range": [low - reach if low else 0, high + reach],
                "tickformat": "$,d",
                "nticks": 6,
                "title": {"text": "mean profit a game", "standoff": 6, "font": {"size": 12}},
            },
            "yaxis": {
                **QUIET,
                "range": [len(rows) - 0.5, -0.5],
                "showticklabels": False,
                "showgrid": False,
            },
            "annotations": [
                {
                    "text": f"{place}  <b>{escape(row.strategy)}</b>  {amount(row)}, "
                    f"wins {percent(row.wins)}",
                    "xref": "paper",
                    "x": 0,
                    "y": place - 1,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "showarrow": False,
                }
                for place, row in enumerate(rows, start=1)
            ],
        },
    )
    return Told(figure, standings.sentences[0])


def ranking_sentence(ranking: pd.DataFrame, head_to_head: pd.DataFrame) -> str:
    """Say who is ahead, and how sure that is.

    Parameters
    ----------
    ranking, head_to_head : pandas.DataFrame
        See `Standings`.
    """
    rows = rows_of(ranking.dropna(subset="profit"))
    if not rows:
        return "No game is finished yet."
    first = rows[0]
    said = (
        f"{first.strategy} makes the most: {_dollars(first.profit)} a game on average, and "
        f"{percent(first.wins)} of the wins in its games."
    )
    # Too few games leave the interval unknown, and so the question open.
    met = (head_to_head["strategy"] == first.strategy) & head_to_head["difference"].notna()
    rivals = rows_of(head_to_head[met])
    ahead = [row for row in rivals if row.difference_low > 0]
    behind = [row for row in rivals if row.difference_high < 0]
    even = [row for row in rivals if row.difference_low == row.difference_high == 0]
    either = [row.rival for row in rivals if row not in (*ahead, *behind, *even)]
    if behind:
        worst = min(behind, key=lambda row: row.difference)
        said += f" In the games they share, {worst.rival} makes {_more(-worst.difference, worst)}."
    if ahead and not behind and not even and not either:
        near = min(ahead, key=lambda row: row.difference)
        said += f" In the games they share it beats every other; {near.rival} comes nearest, "
        said += f"{_more(near.difference, near).replace('more', 'behind')}."
    if either:
        said += f" Whether it beats {' or '.join(either[:3])}{' or others' * (len(either) > 3)} is "
        said += "open: more games would tell."
    return said


def _more(amount_: float, row: Any) -> str:
    half = (row.difference_high - row.difference_low) / 2
    return f"{_dollars(amount_)}{_margin(half)} a game more"


def head_to_head_figure(standings: Standings) -> Told:
    """Draw who makes how much more than whom, as a table of coloured cells.

    Violet: the strategy in the row makes more than the one in the column; orange: it makes less. A
    dot in place of a number: the difference may be chance.

    Parameters
    ----------
    standings : Standings

    Examples
    --------
    >>> from exdec.tournament import run
    >>> standings = run(["cautious", "random"], players=[2], games=200, workers=1)
    >>> figure = head_to_head_figure(standings).figure
    >>> figure.data[0].text[0][0], figure.data[0].text[0][1] == figure.data[0].text[1][0]
    ('', False)
    """
    head_to_head = standings.head_to_head
    names = list(dict.fromkeys(head_to_head["strategy"]))
    found = {(row.strategy, row.rival): row for row in rows_of(head_to_head)}
    rows = [[found.get((name, rival)) for rival in names] for name in names]
    most = max(
        (abs(row.difference) for row in found.values() if not isnan(row.difference)), default=1
    )
    gain, loss = (PARTS_LOOK[part].colour for part in ("gains", "losses"))
    places = list(range(1, len(names) + 1))
    figure = _figure(
        [
            {
                "type": "heatmap",
                "z": [
                    [None if row is None else _number(row.difference) for row in r] for r in rows
                ],
                "x": places,
                "y": places,
                "zmin": -most,
                "zmax": most,
                # Through to the ground, so that text in the theme's colour can be read on it.
                "colorscale": [
                    [0, _clear(loss, 0.6)],
                    [0.5, _clear(NEUTRAL, 0.06)],
                    [1, _clear(gain, 0.6)],
                ],
                "showscale": False,
                "xgap": 2,
                "ygap": 2,
                "text": [["" if row is None else versus(row) for row in r] for r in rows],
                "texttemplate": "%{text}",
                "textfont": {"size": 12},
                "hovertext": [
                    ["" if row is None else escape(_pair_words(row)) for row in r] for r in rows
                ],
                "hoverinfo": "text",
            }
        ],
        {
            "height": CELL * len(names) + 60,
            "margin": {"l": 12, "r": 12, "t": 48, "b": 12},
            "xaxis": {
                **QUIET,
                "showgrid": False,
                "side": "top",
                "tickvals": places,
                "title": {
                    "text": "… than this one (by its place)",
                    "standoff": 4,
                    "font": {"size": 12},
                },
            },
            "yaxis": {
                **QUIET,
                "showgrid": False,
                "automargin": True,
                "autorange": "reversed",
                "tickvals": places,
                "ticktext": [f"{escape(name)}  {place}" for place, name in enumerate(names, 1)],
            },
            "annotations": [
                {
                    "text": "this one makes …",
                    "xref": "paper",
                    "yref": "paper",
                    "x": 0,
                    "y": 1,
                    "xanchor": "right",
                    "yanchor": "bottom",
                    "xshift": -6,
                    "yshift": 4,
                    "showarrow": False,
                }
            ],
        },
    )
    return Told(figure, head_to_head_sentence(head_to_head))


def head_to_head_sentence(head_to_head: pd.DataFrame) -> str:
    """Say for each strategy how many others it is ahead of, and how many are ahead of it.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = ["strategy", "rival", "difference", "difference_low", "difference_high"]
    >>> rows = [["planner", "random", 90, 80, 100], ["random", "planner", -90, -100, -80]]
    >>> head_to_head_sentence(pd.DataFrame(rows, columns=columns))
    'planner is ahead of 1 and behind 0. random is ahead of 0 and behind 1.'
    """
    said = []
    for name, rows in head_to_head.groupby("strategy", sort=False):
        ahead, behind = (rows["difference_low"] > 0).sum(), (rows["difference_high"] < 0).sum()
        open_ = len(rows) - ahead - behind
        may = f"; {open_} may go either way" if open_ else ""
        said.append(f"{name} is ahead of {ahead} and behind {behind}{may}.")
    return " ".join(said)


def prices_figure(standings: Standings, players: int) -> Told:
    """Draw where prices went: the middle game as a line, and bands for half and nine in ten.

    Parameters
    ----------
    standings : Standings
    players : int
        Whose games: those of so many players.

    Examples
    --------
    >>> from exdec.tournament import run
    >>> standings = run(["cautious", "random"], players=[2], games=200, workers=1)
    >>> figure = prices_figure(standings, players=2).figure
    >>> [note.text for note in figure.layout.annotations][:2]
    ['<b>A</b>, $ a unit', '<b>B</b>']
    """
    rules, prices = standings.tournament.rules, standings.prices
    mine = prices[prices["players"] == players]
    opening = dict(zip(ITEMS, (*rules.opening_materials, *rules.opening_goods), strict=True))
    months = list(range(rules.months + 1))
    ticks = sorted({0, (rules.months + 1) // 2, rules.months})
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    plot = 2 * (PANEL + HEADING_HEIGHT) + BELOW
    sides: tuple[tuple[Item, ...], ...] = (GOODS, MATERIALS)
    for row, items in enumerate(sides):
        bottom = (
            max(plot - row * (PANEL + HEADING_HEIGHT + BELOW) - HEADING_HEIGHT - PANEL, 0) / plot
        )
        top = bottom + PANEL / plot
        here = mine[mine["item"].isin([item.value for item in items])]
        low = min([*(opening[item] for item in items), *here["p5"]])
        high = max([*(opening[item] for item in items), *here["p95"]])
        room = max(high - low, 1) * EDGE / PANEL
        for column, item in enumerate(items):
            number = 3 * row + column + 1
            x, y = f"x{number}", f"y{number}"
            left, right = column / 3 + 0.02 * (column > 0), (column + 1) / 3 - 0.01
            traces += _fan(item, opening[item], mine[mine["item"] == item.value], months, x, y)
            axes[f"xaxis{number}"] = {
                **QUIET,
                "anchor": y,
                "domain": [left, right],
                "range": [-0.2, rules.months + 0.2],
                "tickvals": ticks,
                # Only once, for it would run into its neighbour.
                "ticktext": [
                    MONTHS[month - 1][:3] if month else "Open" * (column == 0) for month in ticks
                ],
                "tickangle": 0,
                "showgrid": False,
                "ticks": "outside",
                "tickcolor": NEUTRAL,
            }
            axes[f"yaxis{number}"] = {
                **QUIET,
                "anchor": x,
                "domain": [bottom, top],
                "range": [max(low - room, min(low, 0)), high + room],
                "tickformat": "$,d",
                "nticks": 5,
                "showticklabels": column == 0,
            }
            notes.append(
                {
                    "text": f"<b>{item.label}</b>{', $ a unit' if number == 1 else ''}",
                    "xref": "paper",
                    "yref": "paper",
                    "x": left,
                    "y": top,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "showarrow": False,
                }
            )
    figure = _figure(
        traces,
        {
            "height": plot + 4 + BELOW,
            "margin": {"l": 44, "r": 12, "t": 4, "b": BELOW},
            "annotations": notes,
            **axes,
        },
    )
    return Told(figure, prices_sentence(rules, prices, players))


def prices_sentence(rules: Rules, prices: pd.DataFrame, players: int) -> str:
    """Say where prices begin and end.

    Examples
    --------
    >>> import pandas as pd
    >>> from exdec import STANDARD
    >>> columns = ["players", "item", "month", "p5", "p50", "p95"]
    >>> prices_sentence(STANDARD, pd.DataFrame([[2, "A", 12, 90, 101, 130]], columns=columns), 2)
    'A opens at $140; in December the middle game has $101, and nine games in ten $90 to $130.'
    """
    last = prices[(prices["players"] == players) & (prices["month"] == rules.months)]
    rows = {row.item: row for row in rows_of(last)}
    opening = dict(zip(ITEMS, (*rules.opening_materials, *rules.opening_goods), strict=True))
    said: list[str] = []
    items: tuple[Item, ...] = (*GOODS, *MATERIALS)
    for item in items:
        if row := rows.get(item.value):
            when, middle, nine = (
                (f"in {month_name(rules.months)} ", "the middle game has ", "nine games in ten ")
                if not said
                else ("", "", "")
            )
            said.append(
                f"{item.label} opens at {dollars(opening[item])}; {when}{middle}"
                f"{dollars(row.p50)}, {'and ' if not said else ''}{nine}"
                f"{dollars(row.p5)} to {dollars(row.p95)}."
            )
    return " ".join(said)


# -- words for a row of a table ------------------------------------------------------------------


def rows_of(frame: pd.DataFrame) -> list[Any]:
    """A table's rows, whose cells are their attributes."""
    return list(frame.itertuples())


def amount(row: Any) -> str:
    """A mean profit of `Standings.ranking`, with half the width of its interval if it has one."""
    if isnan(row.profit):
        return "–"
    return f"{_dollars(row.profit)}{_margin(row.profit_high - row.profit)}"


def _margin(half: float) -> str:
    """Half an interval; "" where nothing is left to chance, and never 0 where something is."""
    if half == 0:
        return ""
    return f" ± {'?' if isnan(half) else f'{max(whole(half), 1):,}'}"


def percent(share: float) -> str:
    """A share of 1, in hundredths."""
    return "–" if isnan(share) else f"{100 * share:.0f} %"


def versus(row: Any) -> str:
    """A difference of `Standings.head_to_head`; a dot where it may be chance."""
    if isnan(row.difference):
        return ""
    sure = row.difference_low > 0 or row.difference_high < 0
    if row.difference_low == row.difference_high == 0:
        return "0"
    return signed(whole(row.difference)) if sure else "·"


# -- parts ---------------------------------------------------------------------------------------


def _fan(
    item: Item, opening: int, rows: pd.DataFrame, months: list[int], x: str, y: str
) -> list[dict[str, Any]]:
    """Two bands and a line for one item, from the opening price on."""
    look = SERIES[item]
    paths = {name: [opening, *rows[name].tolist()] for name in ("p5", "p25", "p50", "p75", "p95")}
    band = {
        "type": "scatter",
        "x": [*months, *reversed(months)],
        "xaxis": x,
        "yaxis": y,
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "hoverinfo": "skip",
    }
    words = [f"{item.label}, Opening: {dollars(opening)}"]
    for month, low, lower, middle, upper, high in zip(
        months[1:], *(paths[name][1:] for name in paths), strict=True
    ):
        words.append(
            f"{item.label}, {month_name(month)}: {dollars(middle)} in the middle,<br>"
            f"half of the games {dollars(lower)} to {dollars(upper)},<br>"
            f"nine in ten {dollars(low)} to {dollars(high)}"
        )
    return [
        {
            **band,
            "y": [*paths["p95"], *reversed(paths["p5"])],
            "fillcolor": _clear(look.colour, 0.18),
        },
        {
            **band,
            "y": [*paths["p75"], *reversed(paths["p25"])],
            "fillcolor": _clear(look.colour, 0.3),
        },
        {
            "type": "scatter",
            "name": item.label,
            "x": months,
            "y": paths["p50"],
            "xaxis": x,
            "yaxis": y,
            "mode": "lines+markers",
            "line": {"color": look.colour, "dash": look.dash, "width": 2},
            "marker": {"symbol": look.symbol, "size": 6},
            "hovertext": words,
            "hoverinfo": "text",
        },
    ]


def _figure(traces: list[dict[str, Any]], layout: dict[str, Any]) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure(data=traces, layout={**GROUND, **layout})
    figure.layout.template = None  # seven kilobytes, and a ground of its own
    return figure


def _clear(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def _number(value: float) -> float | None:
    return None if isnan(value) else round(value, 1)


def _dollars(amount: float) -> str:
    return dollars(whole(amount))


def _row_words(row: Any) -> str:
    if row.profit_low == row.profit_high:
        return f"{row.strategy}: {_dollars(row.profit)} a game; {row.games:,} games"
    return (
        f"{row.strategy}: {_dollars(row.profit)} a game, between {_dollars(row.profit_low)} and "
        f"{_dollars(row.profit_high)} (95 %); {row.games:,} games"
    )


def _pair_words(row: Any) -> str:
    if isnan(row.difference):
        return f"{row.strategy} and {row.rival} have not met"
    if row.difference_low == row.difference_high:
        gap = change(whole(row.difference))
        return f"{row.strategy} − {row.rival}: {gap} a game; {row.games:,} games"
    return (
        f"{row.strategy} − {row.rival}: {change(whole(row.difference))} a game, between "
        f"{change(whole(row.difference_low))} and {change(whole(row.difference_high))} (95 %); "
        f"{row.games:,} games"
    )
