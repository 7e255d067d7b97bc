"""Charts of curves for lessons: drawn at once, built up step by step, or moved by sliders.

For a lesson's writer
---------------------
**A picture** has two axes, and whatever is added to it: lines, staircases, points, clouds
of points, areas. It draws
itself in house style and says the same in a sentence.

>>> from exdec import Material
>>> x, y = Axis("units ordered", "units", high=24), Axis("X-FINE", "$", low=20, high=60)
>>> line = Line("posted price", [(0, 30), (24, 54)], Material.X)
>>> picture = Picture(x, y).add(line, Point("12 ordered", (12, 42), guides=True))
>>> picture.sentence
'posted price: from $30 at 0 units to $54 at 24 units. 12 ordered: $42 at 12 units.'

Make a function of your module in `exdec.lessons.explore` return it, so that the notebook's cell is
one line. A figure of another kind (bars, say) is a `Chart(figure, sentence)`; everything below
takes either.

**Looks.** A material or a good keeps its own colour, dash and marker (`Material.X`, `Good.A`).
Curves of theory are `DEMAND`, `SUPPLY`, `BEFORE` (what a curve was before it moved) or `OTHER`.
No two lines of one picture should have the same look.

**Built up.** `build_up([(text, picture), …])` shows one step at a time, with the buttons
Next and Back; all texts stand below it, folded, for whoever reads without clicking. Give every
step the same axes, so that nothing jumps: begin with one picture and `add` to it.

>>> view = build_up(
...     [
...         ("Nobody orders: it falls by $10.", Picture(x, y)),
...         ("Each unit ordered adds $1.", picture),
...     ]
... )

**Explored.** `explore(question, knobs, draw)` shows a question, sliders, and what `draw` makes of
their values, which it takes by name. Its sentence is said anew at every move.

>>> def draw(units):
...     return Picture(x, y).add(line, Point("here", (units, 30 + units), guides=True))
>>> view = explore(
...     "How many units does it take to post $50?",
...     [Knob("units", "units ordered by all", 0, 24, start=10)],
...     draw,
... )

Each of them is what a notebook's cell ends with. All work by keyboard: sliders by the arrow keys,
buttons by Enter. A slider's question is answered in an exercise (`ask`), never by the chart alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import ipywidgets as widgets

from exdec.charts import FONT, apart
from exdec.items import Item
from exdec.lessons.checking import amount
from exdec.lessons.views import labelled
from exdec.notebook.clicks import guarded, warning_html
from exdec.notebook.live import Live, chart_bundle, html_bundle
from exdec.notebook.stage import Parts, Stage
from exdec.theme import CHART_HEIGHT, NEUTRAL, SERIES, STYLESHEET, Series

if TYPE_CHECKING:
    import plotly.graph_objects as go

DEMAND = Series("#7B61C9", "solid", "circle", "●")
SUPPLY = Series("#B5651D", "dash", "square", "■")
BEFORE = Series("#767676", "dot", "diamond", "◆")
OTHER = Series("#2B8A3E", "dashdot", "triangle-up", "▲")
"""Looks of curves that belong to no one material or good."""

Look: TypeAlias = Series | Item
"""One of the four, or a `Material` or `Good`."""

Place: TypeAlias = tuple[float, float]
"""Where something stands: across, then up."""

MARGIN = {"l": 52, "r": 104, "t": 24, "b": 44}
LEGEND_HEIGHT = 24
LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 1.06,
    "yanchor": "bottom",
    "itemclick": False,
    "itemdoubleclick": False,
}
LABEL_WIDTH = 15
"""Characters of a name before it goes on in a line below."""
MOST_MARKERS = 24
"""A line of more points than that is a curve, and its points are not marked."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is counted along one side.

    Parameters
    ----------
    title : str
    unit : str
        "$", "units", "%" or "", as in exercises.
    low, high : float
        Where it begins and ends. They stay as they are whatever is added.
    """

    title: str
    unit: str = ""
    low: float = 0
    high: float = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Points that are joined.

    Parameters
    ----------
    name : str
        Stands at its end, and in the sentence.
    points : sequence of (across, up)
    look : Look
    says : str, optional
        Its sentence, "" for none; the first and the last point if left out.
    marked : sequence of (across, up), optional
        The points that get a marker; all of them if left out.
    label : str
        What stands at its end, if that is not its name.
    """

    name: str
    points: Sequence[Place]
    look: Look = DEMAND
    says: str | None = None
    marked: Sequence[Place] | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """One place that is named.

    Parameters
    ----------
    name : str
    at : (across, up)
    look : Look
    guides : bool
        Whether dotted lines lead from it to both axes.
    side : str
        Where its name stands: "right", "left", "above" or "below".
    says : str, optional
        Its sentence, "" for none; its name and place if left out.
    """

    name: str
    at: Place
    look: Look = DEMAND
    guides: bool = False
    side: str = "right"
    says: str | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the plane, such as a revenue.

    Parameters
    ----------
    name : str
        Stands in its middle.
    corners : sequence of (across, up)
    look : Look
    says : str, optional
        Its sentence, "" for none; only its name if left out.
    """

    name: str
    corners: Sequence[Place]
    look: Look = DEMAND
    says: str | None = None


@dataclass(frozen=True, slots=True)
class Cloud:
    """Places that belong together and are not joined, such as what happened month by month.

    Parameters
    ----------
    name : str
        Stands above the picture, beside its marker.
    places : sequence of (across, up)
    look : Look
    says : str, optional
        Its sentence, "" for none; all its places if left out.
    """

    name: str
    places: Sequence[Place]
    look: Look = DEMAND
    says: str | None = None


Thing: TypeAlias = Line | Point | Area | Cloud


def staircase(
    name: str,
    heights: Sequence[float],
    look: Look = DEMAND,
    says: str | None = None,
    label: str = "",
) -> Line:
    """A curve of whole units: the first at the first height, the second at the second, and so on.

    Examples
    --------
    >>> stairs = staircase("what I would pay", [50, 30])
    >>> stairs.points
    [(0, 50), (1, 50), (1, 30), (2, 30)]
    >>> stairs.says
    'what I would pay: $50, $30.'
    """
    points = [(at + more, height) for at, height in enumerate(heights) for more in (0, 1)]
    if says is None:
        says = f"{name}: {', '.join(amount(height, '$') for height in heights)}."
    return Line(name, points, look, says, marked=points[1::2], label=label)


def rectangle(
    name: str, across: Place, up: Place, look: Look = DEMAND, says: str | None = None
) -> Area:
    """An area from one place to another on each axis.

    Examples
    --------
    >>> rectangle("revenue", (0, 3), (0, 137)).corners
    [(0, 0), (3, 0), (3, 137), (0, 137)]
    """
    (left, right), (low, high) = across, up
    return Area(name, [(left, low), (right, low), (right, high), (left, high)], look, says)


class Shows(Protocol):
    """What can be drawn and said: a `Picture` or a `Chart`."""

    @property
    def figure(self) -> go.Figure:
        """A Plotly figure."""

    @property
    def sentence(self) -> str:
        """The same in words."""


class _Displayed:
    """Shows itself as the last line of a cell, with its sentence below."""

    def _ipython_display_(self: Shows) -> None:
        Live("chart").show(chart_bundle(self.figure, self.sentence))
        Live("says").show(
            html_bundle(
                f'<div class="exdec-static"><style>{STYLESHEET}</style>'
                f"{sentence_html(self.sentence)}</div>"
            )
        )


@dataclass(frozen=True)
class Chart(_Displayed):
    """Any figure, with the sentence that says the same.

    Parameters
    ----------
    figure : go.Figure
        Without a template, and of one type of trace; its layout has a ``height``.
    sentence : str
    """

    figure: go.Figure
    sentence: str

    def __repr__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Picture(_Displayed):
    """Lines, points, clouds and areas between two axes.

    Parameters
    ----------
    x, y : Axis
    things : tuple of Line, Point, Area or Cloud
        What is drawn, the later above the earlier.
    note : str
        A sentence of your own, after those of the things.
    """

    x: Axis
    y: Axis
    things: tuple[Thing, ...] = ()
    note: str = ""

    def add(self, *things: Thing, note: str = "") -> Picture:
        """The same picture with more in it, and perhaps another note."""
        return replace(self, things=(*self.things, *things), note=note or self.note)

    @property
    def sentence(self) -> str:
        """What it shows, in words."""
        said = [_says(thing, self.x, self.y) for thing in self.things]
        return " ".join(filter(None, [*said, self.note]))

    @cached_property
    def figure(self) -> go.Figure:
        """The picture as a Plotly figure."""
        import plotly.graph_objects as go

        clouds = any(isinstance(thing, Cloud) for thing in self.things)
        margin = {**MARGIN, "t": MARGIN["t"] + LEGEND_HEIGHT * clouds}
        parts = sorted(self.things, key=lambda thing: LAYERS.index(type(thing)))
        figure = go.Figure(
            data=[_trace(thing, self.x, self.y) for thing in parts] or [_EMPTY],
            layout={
                "height": CHART_HEIGHT + LEGEND_HEIGHT * clouds,
                "margin": margin,
                "showlegend": clouds,
                "legend": LEGEND,
                "hovermode": "closest",
                "dragmode": False,
                "paper_bgcolor": "rgba(0,0,0,0)",
                "plot_bgcolor": "rgba(0,0,0,0)",
                "font": FONT,
                "xaxis": {
                    **_axis(self.x),
                    "title": {"text": _text(self.x.title), "standoff": 8, "font": FONT},
                },
                "yaxis": _axis(self.y),
                "annotations": [self._heading(), *self._names()],
                "shapes": [shape for thing in parts for shape in _guides(thing, self.x, self.y)],
            },
        )
        figure.layout.template = None
        return figure

    def __repr__(self) -> str:
        return self.sentence

    def _heading(self) -> dict[str, object]:
        return {
            "text": f"<b>{_text(self.y.title)}</b>",
            "xref": "paper",
            "yref": "paper",
            "x": 0,
            "y": 1,
            "xanchor": "left",
            "yanchor": "bottom",
            "showarrow": False,
        }

    def _names(self) -> list[dict[str, object]]:
        lines = [thing for thing in self.things if isinstance(thing, Line)]
        others = [thing for thing in self.things if isinstance(thing, Point | Area)]
        return [*self._ends(lines), *(_name(thing) for thing in others if thing.name)]

    def _ends(self, lines: Iterable[Line]) -> list[dict[str, object]]:
        """Names at the ends of lines, moved apart where ends are near one another."""
        span = self.x.high - self.x.low
        plot = CHART_HEIGHT - MARGIN["t"] - MARGIN["b"]
        dollar = plot / (self.y.high - self.y.low)

        def column(line: Line) -> int:
            return round(8 * (line.points[-1][0] - self.x.low) / span)

        notes = []
        for _, group in groupby(sorted(lines, key=column), column):
            named = [(line, _wrapped(line.label or line.name)) for line in group]
            rows = max(text.count("<br>") + 1 for _, text in named)
            ends = {at: line.points[-1][1] for at, (line, _) in enumerate(named)}
            shifts = apart(ends, dollar / rows)
            for at, (line, text) in enumerate(named):
                notes.append(
                    {
                        "text": text,
                        "x": line.points[-1][0],
                        "y": line.points[-1][1],
                        "xanchor": "left",
                        "align": "left",
                        "xshift": 8,
                        "yshift": shifts[at] * rows,
                        "showarrow": False,
                    }
                )
        return notes


LAYERS = (Area, Line, Cloud, Point)
"""What lies below what."""
_EMPTY: dict[str, object] = {"type": "scatter", "x": [], "y": []}


def _series(look: Look) -> Series:
    return look if isinstance(look, Series) else SERIES[look]


def _text(text: str) -> str:
    """Text of a figure, in which two dollar signs would begin and end a formula."""
    return escape(text, quote=False).replace("$", "&#36;")


def _wrapped(text: str) -> str:
    return "<br>".join(map(_text, textwrap.wrap(text, LABEL_WIDTH)))


def _axis(axis: Axis) -> dict[str, object]:
    # Left to itself, Plotly marks half units on a short axis, and writes each number twice.
    short = {"dtick": 1} if axis.high - axis.low <= 8 else {}
    return {
        **short,
        "range": [axis.low, axis.high],
        "tickformat": "$,d" if axis.unit == "$" else ",d",
        "ticksuffix": " %" if axis.unit == "%" else "",
        "nticks": 8,
        "ticks": "outside",
        "tickcolor": NEUTRAL,
        "gridcolor": NEUTRAL,
        "gridwidth": 0.5,
        "zeroline": False,
        "fixedrange": True,
    }


def _trace(thing: Thing, x: Axis, y: Axis) -> dict[str, object]:
    series = _series(thing.look)
    match thing:
        case Area():
            places = list(thing.corners)
        case Line():
            places = list(thing.points)
        case Cloud():
            places = list(thing.places)
        case Point():
            places = [thing.at]
    base: dict[str, object] = {
        "type": "scatter",
        "name": _text(thing.name),
        "x": [place[0] for place in places],
        "y": [place[1] for place in places],
        # A marker on the edge is drawn whole; what leaves the axes is cut off there.
        "cliponaxis": not all(
            x.low <= across <= x.high and y.low <= up <= y.high for across, up in places
        ),
        "hoverinfo": "text",
        "hovertext": [_text(f"{thing.name}: {where(place, x, y)}") for place in places],
    }
    match thing:
        case Area():
            return base | {
                "showlegend": False,
                "mode": "lines",
                "fill": "toself",
                "fillcolor": _faint(series.colour),
                "line": {"color": series.colour, "width": 1},
                "hoverinfo": "skip",
            }
        case Line():
            marked = places if len(places) <= MOST_MARKERS else []
            marked = list(thing.marked) if thing.marked is not None else marked
            return base | {
                "showlegend": False,
                "mode": "lines+markers" if marked else "lines",
                "line": {"color": series.colour, "dash": series.dash, "width": 2},
                "marker": {
                    "symbol": series.symbol,
                    "color": series.colour,
                    "size": [8 if place in marked else 0 for place in places],
                    "line": {"width": 0},
                    "opacity": 1,
                },
            }
    return base | {
        "mode": "markers",
        "marker": {"symbol": series.symbol, "color": series.colour, "size": 12},
        "showlegend": isinstance(thing, Cloud),
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


SIDES = {
    "right": ("left", "middle", 10, 0),
    "left": ("right", "middle", -10, 0),
    "above": ("center", "bottom", 0, 8),
    "below": ("center", "top", 0, -8),
}


def _name(thing: Point | Area) -> dict[str, object]:
    if isinstance(thing, Point):
        (x, y), (xanchor, yanchor, xshift, yshift) = thing.at, SIDES[thing.side]
    else:
        x, y = (sum(values) / len(thing.corners) for values in zip(*thing.corners, strict=True))
        xanchor, yanchor, xshift, yshift = "center", "middle", 0, 0
    return {
        "text": f"<b>{_text(thing.name)}</b>",
        "x": x,
        "y": y,
        "xanchor": xanchor,
        "yanchor": yanchor,
        "xshift": xshift,
        "yshift": yshift,
        "showarrow": False,
    }


def _guides(thing: Thing, x: Axis, y: Axis) -> list[dict[str, object]]:
    if not (isinstance(thing, Point) and thing.guides):
        return []
    across, up = thing.at
    ends = [(x.low, up, across, up), (across, y.low, across, up)]
    return [
        {
            "type": "line",
            "layer": "below",
            "x0": x0,
            "y0": y0,
            "x1": x1,
            "y1": y1,
            "line": {"color": NEUTRAL, "dash": "dot", "width": 1},
        }
        for x0, y0, x1, y1 in ends
    ]


def where(place: Place, x: Axis, y: Axis) -> str:
    """Say where a place is.

    Examples
    --------
    >>> where((12, 42), Axis("units ordered", "units"), Axis("price", "$"))
    '$42 at 12 units'
    """
    return f"{amount(place[1], y.unit)} at {amount(place[0], x.unit)}"


def _says(thing: Thing, x: Axis, y: Axis) -> str:
    if thing.says is not None:
        return thing.says
    match thing:
        case Line():
            first, last = (where(thing.points[at], x, y) for at in (0, -1))
            return f"{thing.name}: from {first} to {last}."
        case Point():
            return f"{thing.name}: {where(thing.at, x, y)}."
        case Cloud():
            return f"{thing.name}: {', '.join(where(place, x, y) for place in thing.places)}."
    return f"{thing.name} is shaded."


def sentence_html(text: str, *, new: bool = False) -> str:
    """A chart's sentence; what is new in it is said at once."""
    alert = ' role="alert"' * new
    return f'<div class="exdec exdec-says"><p{alert}>{escape(text)}</p></div>'


# -- built up step by step -----------------------------------------------------------------------


class BuildUp:
    """A chart that grows; see `build_up`.

    Attributes
    ----------
    at : int
        Which step is shown, from 0.
    next, back : widgets.Button
    """

    def __init__(self, steps: Sequence[tuple[str, Shows]]) -> None:
        if not steps:
            raise ValueError("A chart that is built up needs at least one step.")
        self.steps = list(steps)
        self.at = 0
        self._text = widgets.HTML()
        self.next = widgets.Button(description="Next", button_style="primary")
        self.back = widgets.Button(description="Back")
        self.next.on_click(guarded(lambda: self.go(self.at + 1), self._complain))
        self.back.on_click(guarded(lambda: self.go(self.at - 1), self._complain))
        buttons = widgets.Box([self.back, self.next], _dom_classes=["exdec-buttons"])
        self._stage = Stage()
        self._stage.controls = widgets.Box(
            [buttons, self._text], _dom_classes=["exdec", "exdec-steps"]
        )
        self._set(new=False)

    def go(self, at: int) -> None:
        """Show a step; past either end, the end."""
        self.at = max(0, min(at, len(self.steps) - 1))
        self._set(new=True)
        self._stage.draw(self._parts())

    def _set(self, *, new: bool) -> None:
        self.back.disabled = self.at == 0
        self.next.disabled = self.at == len(self.steps) - 1
        text = escape(self.steps[self.at][0])
        many = f"<small>Step {self.at + 1} of {len(self.steps)}</small>"
        self._text.value = f"<p{' role=alert' * new}>{many}<br>{text}</p>"

    def _complain(self, text: str) -> None:
        self._text.value = warning_html(text)

    def _parts(self) -> Parts:
        chart = self.steps[self.at][1]
        said = "".join(f"<li>{escape(text)}</li>" for text, _ in self.steps)
        yield "profit", html_bundle("")
        yield "chart", chart_bundle(chart.figure, chart.sentence)
        yield (
            "sheet",
            html_bundle(
                f"{sentence_html(chart.sentence)}<div class='exdec exdec-sheets exdec-all-steps'>"
                f"<details><summary>All steps as text</summary><ol>{said}</ol></details></div>"
            ),
        )

    def _ipython_display_(self) -> None:
        self._stage.show([("facts", html_bundle("")), *self._parts()])

    def __repr__(self) -> str:
        return "\n".join(f"{at}. {text}" for at, (text, _) in enumerate(self.steps, start=1))


def build_up(steps: Sequence[tuple[str, Shows]]) -> BuildUp:
    """Show a chart that grows step by step.

    Parameters
    ----------
    steps : sequence of (text, picture)
        What to say, and what to show with it.

    Returns
    -------
    BuildUp
        Make it the last line of a cell.
    """
    return BuildUp(steps)


# -- moved by sliders ----------------------------------------------------------------------------


class Knob(NamedTuple):
    """One slider of an exploration.

    Parameters
    ----------
    name : str
        The parameter of ``draw`` that takes its value.
    label : str
    low, high, step, start : int
        Whole numbers: units or dollars.
    unit : str
        "$" or "units".
    """

    name: str
    label: str
    low: int
    high: int
    start: int
    step: int = 1
    unit: str = "units"


class Exploration:
    """Sliders and the chart they move; see `explore`.

    Attributes
    ----------
    sliders : dict of name to widgets.IntSlider
    """

    def __init__(self, question: str, knobs: Sequence[Knob], draw: Callable[..., Shows]) -> None:
        self.question = question
        self._draw = draw
        self.sliders = {knob.name: _slider(knob) for knob in knobs}
        self._message = widgets.HTML()
        for slider in self.sliders.values():
            slider.observe(guarded(self._moved, self._complain), "value")
        self._stage = Stage()
        self._stage.controls = widgets.Box(
            [*self.sliders.values(), self._message], _dom_classes=["exdec", "exdec-explore"]
        )

    @property
    def values(self) -> Mapping[str, int]:
        """What each slider stands at."""
        return {name: slider.value for name, slider in self.sliders.items()}

    @property
    def chart(self) -> Shows:
        """What is drawn for these values."""
        return self._draw(**self.values)

    def _moved(self) -> None:
        self._message.value = ""
        self._stage.draw(self._parts(new=True))

    def _complain(self, text: str) -> None:
        self._message.value = warning_html(text)

    def _parts(self, *, new: bool = False) -> Parts:
        chart = self.chart
        yield "profit", html_bundle("")
        yield "chart", chart_bundle(chart.figure, chart.sentence)
        yield "sheet", html_bundle(sentence_html(chart.sentence, new=new))

    def _ipython_display_(self) -> None:
        question = (
            f'<div class="exdec exdec-head"><p class="exdec-next">{escape(self.question)}</p></div>'
        )
        self._stage.show([("facts", html_bundle(question)), *self._parts()])

    def __repr__(self) -> str:
        return f"{self.question}\n{self.chart.sentence}"


def _slider(knob: Knob) -> widgets.IntSlider:
    return widgets.IntSlider(
        value=knob.start,
        min=knob.low,
        max=knob.high,
        step=knob.step,
        **labelled(knob.label),
        readout_format="$,d" if knob.unit == "$" else ",d",
        style={"description_width": "initial"},
        layout={"width": "auto"},
    )


def explore(question: str, knobs: Sequence[Knob], draw: Callable[..., Shows]) -> Exploration:
    """Let the learner move sliders and see what becomes of a chart.

    Parameters
    ----------
    question : str
        What to find out; an exercise takes the answer.
    knobs : sequence of Knob
    draw : callable
        Takes each knob's value by its name, and returns a `Picture` or a `Chart`.

    Returns
    -------
    Exploration
        Make it the last line of a cell.
    """
    return Exploration(question, knobs, draw)
