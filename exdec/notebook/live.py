"""An output of a cell that is redrawn in place.

Raw displays with an id cost a few kilobytes each, and a saved notebook keeps them. A plotly
``FigureWidget`` would send five megabytes of JavaScript through the kernel for every figure.
A page that is loaded again has forgotten the ids; from then on a widget shows the same.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from exdec.places import in_colab

if TYPE_CHECKING:
    import plotly.graph_objects as go

Bundle = dict[str, Any]

PLOTLY = "application/vnd.plotly.v1+json"

WIDGET = "application/vnd.jupyter.widget-view+json"

NO_WIDGETS = (
    "Fields and buttons stand here, and this page does not run them. To use them, open the "
    "notebook in JupyterLab and run this cell."
)
"""What a page says that draws no widgets, such as an export or an editor without its extension."""

CONFIG = {
    "displaylogo": False,
    # No zooming, and nothing that shares: a picture to keep is all there is.
    "modeBarButtons": [["toImage"]],
}


class Live:
    """One output, shown once and updated as often as need be.

    Parameters
    ----------
    part : str
        What it is, for the stylesheet.

    Attributes
    ----------
    widget : widgets.Output or None
        The same as a widget, once `follow` has made it.
    """

    def __init__(self, part: str) -> None:
        self._part = part
        self._id = uuid.uuid4().hex
        self._shown: Bundle | None = None
        self.widget: widgets.Output | None = None

    def show(self, bundle: Bundle) -> None:
        """Show it below the cell that runs now."""
        from IPython.display import display

        self._shown = bundle
        display(bundle, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]

    def update(self, bundle: Bundle, *, private: bool = False) -> None:
        """Redraw it wherever it is shown, if it has changed.

        Parameters
        ----------
        bundle : dict
        private : bool
            Redraw the widget only: a notebook that is saved must not hold it.
        """
        if self.widget is not None:
            self.widget.outputs = (_output(bundle),)
        if not private and bundle != self._shown:
            self._shown = bundle
            self._update_display(bundle)

    def follow(self) -> None:
        """Make a widget that shows the same, and goes on where the page forgot the output."""
        if self.widget is None:
            self.widget = widgets.Output(
                outputs=() if self._shown is None else (_output(self._shown),),
                _dom_classes=["exdec-part", f"exdec-part-{self._part}"],
            )

    def _update_display(self, bundle: Bundle) -> None:
        from IPython.display import update_display

        # JupyterLab's renderer of plotly figures draws the first one it is given and passes over
        # all others. An empty output between two figures, as high as they are, makes it draw anew.
        figures = [bundle] if PLOTLY not in bundle else [_gap(bundle), bundle]
        for figure in figures:
            update_display(figure, raw=True, display_id=self._id)  # type: ignore[no-untyped-call]


def _output(bundle: Bundle) -> dict[str, Any]:
    return {"output_type": "display_data", "data": bundle, "metadata": {}}


def _gap(chart: Bundle) -> Bundle:
    height = chart[PLOTLY]["layout"]["height"]
    return html_bundle(f'<div class="exdec-gap" style="height:{height}px"></div>')


def html_bundle(html: str) -> Bundle:
    """HTML as an output, in which a dollar sign is a dollar sign and does not begin a formula."""
    return {"text/html": f'<div class="mathjax_ignore">{html}</div>', "text/plain": ""}


def show_widget(widget: widgets.Widget, told: str = "") -> None:
    """Show a widget below the cell that runs now, and in its place a sentence where none runs.

    Parameters
    ----------
    widget : widgets.Widget
    told : str
        What stands before that sentence. A saved notebook keeps it, so it is for everyone.
    """
    from IPython.display import display

    text = f"{told}\n\n{NO_WIDGETS}" if told else NO_WIDGETS
    bundle = {WIDGET: widget.get_view_spec(), "text/plain": text}
    display(bundle, raw=True)  # type: ignore[no-untyped-call]


def chart_bundle(figure: go.Figure, sentence: str) -> Bundle:
    """A figure as an output, with the sentence that says the same where no chart can be drawn."""
    if in_colab():
        return {"text/html": _colab_html(figure), "text/plain": sentence}
    return {PLOTLY: chart_json(figure), "text/plain": sentence}


def chart_json(figure: go.Figure) -> dict[str, Any]:
    """A figure as JupyterLab's renderer and plotly.js take it."""
    return {**lean(figure.to_plotly_json()), "config": CONFIG}


def _colab_html(figure: go.Figure) -> str:
    """A figure as Plotly's own renderer for Colab draws it, which knows no other kind.

    Every output of Colab is a page of its own, and loads plotly.js from Plotly's server: with its
    five megabytes in each, a lesson would be larger than Colab saves.
    """
    from plotly.io.base_renderers import ColabRenderer

    html: str = ColabRenderer(config=CONFIG).to_mimebundle(figure.to_plotly_json())["text/html"]
    return html


def lean(figure: dict[str, Any]) -> dict[str, Any]:
    """Say once what all traces have in common, and what all annotations have.

    Parameters
    ----------
    figure : dict
        ``{"data": [trace, …], "layout": {…}}`` with traces of one type and no template.

    Returns
    -------
    dict
        A figure that looks the same; a chart is sent anew at every step, so its size counts.

    Examples
    --------
    >>> from pprint import pprint
    >>> bars = [{"type": "bar", "x": [0, 1], "y": [3, 4], "width": 2}]
    >>> pprint(lean({"data": bars, "layout": {}}))
    {'data': [{'type': 'bar', 'y': [3, 4]}],
     'layout': {'template': {'data': {'bar': [{'width': 2}]}}}}
    """
    data, layout = figure["data"], dict(figure["layout"])
    traces = [{k: v for k, v in trace.items() if k not in ("type", "y")} for trace in data]
    for trace in traces:
        if trace.get("x") == list(range(len(trace.get("x", ())))):
            del trace["x"]  # this is where points stand if nothing is said
    shared = _common(traces)
    kept = [
        {"type": trace["type"], "y": trace["y"], **_without(rest, shared)}
        for trace, rest in zip(data, traces, strict=True)
    ]
    template: dict[str, Any] = {"data": {data[0]["type"]: [shared]}}
    if notes := layout.get("annotations"):
        same = _common(notes)
        layout["annotations"] = [_without(note, same) for note in notes]
        template["layout"] = {"annotationdefaults": same}
    return {"data": kept, "layout": {**layout, "template": template}}


def _common(dicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all of them say alike, dictionaries within them included."""
    first, *others = dicts
    same: dict[str, Any] = {}
    for key, value in first.items():
        values = [other.get(key) for other in others]
        inner = [each for each in (value, *values) if isinstance(each, dict)]
        if len(inner) == len(dicts):
            if part := _common(inner):
                same[key] = part
        elif all(other == value for other in values):
            same[key] = value
    return same


def _without(one: dict[str, Any], same: dict[str, Any]) -> dict[str, Any]:
    rest = {}
    for key, value in one.items():
        if key not in same:
            rest[key] = value
        elif isinstance(value, dict) and (part := _without(value, same[key])):
            rest[key] = part
    return rest
