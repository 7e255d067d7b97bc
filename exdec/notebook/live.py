"""An output of a cell that is redrawn in place.

Raw displays with an id cost a few kilobytes each. A plotly ``FigureWidget`` would send five
megabytes of JavaScript through the kernel for every figure.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

Bundle = dict[str, Any]

PLOTLY = "application/vnd.plotly.v1+json"


class Live:
    """One output, shown once and updated as often as need be."""

    def __init__(self) -> None:
        self._id = uuid.uuid4().hex
        self._shown: Bundle | None = None

    def show(self, bundle: Bundle) -> None:
        """Show it below the cell that runs now."""
        from IPython.display import display

        self._shown = bundle
        display(bundle, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]

    def update(self, bundle: Bundle) -> None:
        """Redraw it wherever it is shown, if it has changed."""
        from IPython.display import update_display

        if bundle == self._shown:
            return
        self._shown = bundle
        # JupyterLab's renderer of plotly figures draws the first one it is given and passes over
        # all others. An empty output between two figures, as high as they are, makes it draw anew.
        figures = [bundle] if PLOTLY not in bundle else [_gap(bundle), bundle]
        for figure in figures:
            update_display(figure, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]


def _gap(chart: Bundle) -> Bundle:
    height = chart[PLOTLY]["layout"]["height"]
    return html_bundle(f'<div class="exdec-gap" style="height:{height}px"></div>')


def html_bundle(html: str) -> Bundle:
    """HTML as an output, in which a dollar sign is a dollar sign and does not begin a formula."""
    return {"text/html": f'<div class="mathjax_ignore">{html}</div>', "text/plain": ""}


def chart_bundle(figure: go.Figure, sentence: str) -> Bundle:
    """A figure as an output, with the sentence that says the same where no chart can be drawn."""
    return {
        PLOTLY: {
            **figure.to_plotly_json(),
            "config": {
                "displaylogo": False,
                # No zooming, and nothing that shares: a picture to keep is all there is.
                "modeBarButtons": [["toImage"]],
            },
        },
        "text/plain": sentence,
    }
