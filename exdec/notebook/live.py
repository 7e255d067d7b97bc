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

    def show(self, bundle: Bundle) -> None:
        """Show it below the cell that runs now."""
        from IPython.display import display

        display(bundle, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]

    def update(self, bundle: Bundle) -> None:
        """Redraw it wherever it is shown."""
        from IPython.display import update_display

        update_display(bundle, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]


def html_bundle(html: str) -> Bundle:
    """HTML as an output; a notebook needs some text beside it."""
    return {"text/html": html, "text/plain": ""}


def chart_bundle(figure: go.Figure, sentence: str) -> Bundle:
    """A figure as an output, with the sentence that says the same where no chart can be drawn."""
    return {
        PLOTLY: {
            **figure.to_plotly_json(),
            "config": {
                "displaylogo": False,
                "responsive": True,
                # No zooming, and nothing that shares: a picture to keep is all there is.
                "modeBarButtons": [["toImage"]],
            },
        },
        "text/plain": sentence,
    }
