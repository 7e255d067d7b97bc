"""A curve drawn by sliders, beside the one that it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exdec.charts import FONT
from exdec.lessons.checking import amount
from exdec.lessons.exercises import Exercise
from exdec.theme import NEUTRAL, SKETCH_LOOK

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 280
"""Pixels."""


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
    curves = [("yours", list(heights), "own")]
    if base is not None:
        curves.append((exercise.base_label, [float(one) for one in base], "base"))
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
                "marker": {"symbol": SKETCH_LOOK[look].symbol, "size": 10},
                "hovertext": [f"{name}: {amount(y, exercise.unit)}" for y in ys],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
            for name, ys, look in curves
        ],
        layout={
            "height": HEIGHT,
            "margin": {"l": 56, "r": 12, "t": 28, "b": 40},
            "showlegend": base is not None,
            "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False},
            "dragmode": False,
            "hovermode": "closest",
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": FONT,
            "xaxis": _axis(exercise.x_title, (min(xs) - edge, max(xs) + edge)) | {"tickvals": xs},
            "yaxis": _axis(exercise.y_title, (low, high)) | {"tickformat": money, "nticks": 6},
        },
    )
    figure.layout.template = None
    return figure


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
