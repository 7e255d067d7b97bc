"""A curve drawn by sliders, beside the one that it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from exdec.charts import FONT, LABEL_HEIGHT
from exdec.lessons.checking import amount
from exdec.lessons.exercises import Exercise
from exdec.theme import NEUTRAL, SKETCH_LOOK

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 280
PLOT_HEIGHT = 228
"""Pixels: the chart, and what is drawn into."""


def sketch_figure(
    exercise: Exercise, heights: Sequence[float], base: Sequence[float] | None
) -> go.Figure:
    """Draw the learner's curve, and the base if there is one.

    Parameters
    ----------
    exercise : Exercise
        Whose sliders say where the points stand, and how high they can be.
    heights, base : sequence of float
        The height of each point.
    """
    import plotly.graph_objects as go

    xs = [slider.x for slider in exercise.sliders]
    low = min(slider.low for slider in exercise.sliders)
    high = max(slider.high for slider in exercise.sliders)
    money = "$,d" if exercise.unit == "$" else ",d"
    curves = {"own": ("yours", list(heights))}
    if base is not None:
        curves["base"] = (exercise.base_label, [float(one) for one in base])
    edge = (max(xs) - min(xs)) * 0.08
    figure = go.Figure(
        data=[
            {
                "type": "scatter",
                "name": name,
                "x": xs,
                "y": ys,
                "mode": "lines+markers",
                "line": {
                    "color": SKETCH_LOOK[look].colour,
                    "dash": SKETCH_LOOK[look].dash,
                    "width": 2,
                },
                "marker": {
                    "color": SKETCH_LOOK[look].colour,
                    "symbol": SKETCH_LOOK[look].symbol,
                    "size": 10,
                },
                "hovertext": [f"{name}: {amount(y, exercise.unit)}" for y in ys],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
            for look, (name, ys) in curves.items()
        ],
        layout={
            "height": HEIGHT,
            "margin": {"l": 56, "r": 72, "t": 12, "b": 40},
            "showlegend": False,
            "dragmode": False,
            "hovermode": "closest",
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": FONT,
            "xaxis": _axis(exercise.x_title, (min(xs) - edge, max(xs) + edge)) | {"tickvals": xs},
            "yaxis": _axis(exercise.y_title, (low, high)) | {"tickformat": money, "nticks": 6},
            "annotations": _names(curves, xs[-1], LABEL_HEIGHT * (high - low) / PLOT_HEIGHT),
        },
    )
    figure.layout.template = None
    return figure


def _names(
    curves: dict[str, tuple[str, list[float]]], x: float, apart: float
) -> list[dict[str, Any]]:
    """What each curve is called, at its end; where they meet, one name stands above the other."""
    ends = {look: ys[-1] for look, (_, ys) in curves.items()}
    if len(ends) > 1 and abs(ends["own"] - ends["base"]) < apart:
        middle = (ends["own"] + ends["base"]) / 2
        side = apart / 2 if ends["own"] >= ends["base"] else -apart / 2
        ends = {"own": middle + side, "base": middle - side}
    return [
        {
            "text": escape(name),
            "x": x,
            "y": ends[look],
            "xanchor": "left",
            "align": "left",
            "xshift": 8,
            "showarrow": False,
        }
        for look, (name, _) in curves.items()
    ]


def _axis(title: str, ends: tuple[float, float]) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "range": ends,
        "gridcolor": NEUTRAL,
        "gridwidth": 0.5,
        "zeroline": False,
        "fixedrange": True,
    }


def sketch_sentence(
    exercise: Exercise, heights: Sequence[float], base: Sequence[float] | None
) -> str:
    """Say what `sketch_figure` shows."""
    said = f"Your curve: {amount(list(heights), exercise.unit)}."
    if base is not None:
        said += f" {exercise.base_label.capitalize()}: {amount(list(base), exercise.unit)}."
    return said
