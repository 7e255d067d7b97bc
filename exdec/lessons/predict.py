"""Predictions: sealed before anything is shown, and then compared with what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets

from exdec.charts import FONT
from exdec.lessons.answers import NotInGameError
from exdec.lessons.checking import UNIT_NAMES, UnclearError, amount, key_of, read_number
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import LessonError, Prediction
from exdec.lessons.own_game import OwnGame, recorded_game
from exdec.lessons.progress import Forecast, Values, values_of
from exdec.lessons.views import STYLE, View, enter_goes_on, labelled, plain, prose_html, with_unit
from exdec.model import month_name
from exdec.notebook.clicks import Press, said_html
from exdec.notebook.form import Field
from exdec.notebook.live import Bundle, chart_bundle, html_bundle
from exdec.theme import NEUTRAL, ROW_HEIGHT, SKETCH_LOOK

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW = ROW_HEIGHT + 20
"""Pixels that one quantity takes: two lines of text, and its markers."""

EARLIER = "Your last forecast was compared with another game."

CHANGES = "Kept. You can change it until you compare it with what happened."

LAYOUT = {"style": {"description_width": "initial"}, "continuous_update": False}


class Predict(View):
    """The fields of a prediction, and the button that seals it.

    Parameters
    ----------
    desk : Desk
    prediction : Prediction

    Attributes
    ----------
    fields : dict of str to Field
        By the name of each quantity.
    """

    def __init__(self, desk: Desk, prediction: Prediction) -> None:
        super().__init__("predict")
        self._desk = desk
        self.prediction = prediction
        self.question = f"Prediction {prediction.id}. {plain(prediction.question)}"
        self.head = widgets.HTML(
            f'<p class="exdec-quiet">Prediction {prediction.id}</p>'
            f"{prose_html(prediction.question)}",
            _dom_classes=["exdec-question"],
        )
        self.fields = {
            one.name: Field(**labelled(with_unit(one.label, prediction.unit)), **LAYOUT)
            for one in prediction.quantities
        }
        self.state = widgets.HTML()
        self.press = Press("Keep it", self._seal, self.complain)
        fields = list(self.fields.values())
        enter_goes_on(fields, self.press)
        self._look()
        forecast = self._forecast
        self._put(dict(forecast.values) if forecast else {})
        buttons = widgets.Box([self.press.button], _dom_classes=["exdec-buttons"])
        box = widgets.Box(fields, _dom_classes=["exdec-boxes"])
        self.put(self.head, box, buttons, self.message, self.state)
        self.refresh()
        desk.listen(self)

    def seal(self, values: Mapping[str, Any]) -> None:
        """Seal a forecast of every quantity.

        Raises
        ------
        ProgressError
            The prediction was revealed already.
        LessonError
            There is no such quantity, or some have no value that can be; the message names all.
        """
        quantities = {one.name: one.label for one in self.prediction.quantities}
        if values.keys() != quantities.keys():
            raise LessonError(
                f"{self.prediction.id} predicts {', '.join(quantities)}. Give a value for each."
            )
        read, wrong = {}, []
        for name, label in quantities.items():
            try:
                read[name] = self._read(label, values[name])
            except LessonError as error:
                wrong.append(str(error))
        if wrong:
            raise LessonError(" ".join(wrong))
        together, most = sum(read.values()), self.prediction.together
        if most is not None and together > most:
            unit = self.prediction.unit
            raise LessonError(
                f"Together these are {amount(together, unit)}, and there can be "
                f"{amount(most, unit)} at most. Lower some of them."
            )
        self._look()
        self._desk.update(
            lambda progress: progress.predicted(self.prediction.id, read, self._happened)
        )
        self._put(read)
        notice = self._desk.file.notice
        self.message.value = said_html(notice or CHANGES)

    def refresh(self) -> None:
        """Show the progress as it is now."""
        forecast = self._forecast
        revealed = forecast is not None and forecast.revealed
        if revealed and not self.press.button.disabled:
            self.message.value = ""
        for field in self.fields.values():
            field.disabled = revealed
        self.press.button.disabled = revealed
        text = ""
        if forecast:
            text = f"Your forecast: {self._said(forecast)}"
            text += " It is compared with what happened, so it stays as it is." if revealed else ""
        elif earlier := self._desk.progress.earlier_forecast(self.prediction.id):
            text = f"{EARLIER} It was: {self._said(earlier)} Make a new one for this game."
        self.state.value = f'<p class="exdec-quiet">{escape(text)}</p>' if text else ""

    def _look(self) -> None:
        """See which game is there now."""
        self._happened = happened_in(self._desk, self.prediction)[0]

    @property
    def _forecast(self) -> Forecast | None:
        return self._desk.progress.forecast(self.prediction.id, self._happened)

    def _said(self, forecast: Forecast) -> str:
        known = dict(forecast.values)
        said = [
            f"{_upper(one.label)} {amount(known[one.name], self.prediction.unit)}"
            for one in self.prediction.quantities
            if one.name in known
        ]
        return f"{'. '.join(said)}."

    def _put(self, values: Mapping[str, float]) -> None:
        for name, field in self.fields.items():
            if name in values:
                field.value = key_of(values[name])

    def _read(self, label: str, given: Any) -> float:
        if given is Ellipsis or (isinstance(given, str) and not given.strip()):
            raise LessonError(f"{label}: nothing is written yet. A guess will do.")
        try:
            number, unit = read_number(given, self.prediction.unit)
        except UnclearError as unclear:
            raise LessonError(f"{label}: {unclear}") from None
        if unit != self.prediction.unit:
            asked = UNIT_NAMES.get(self.prediction.unit, "a plain number")
            raise LessonError(f"{label}: that is in {UNIT_NAMES[unit]}. Predict {asked}.")
        if unit == "units" and (number < 0 or number != int(number)):
            raise LessonError(
                f"{label}: {amount(number, unit)} cannot be. Units are whole, and 0 or more."
            )
        return _light(number)

    def _seal(self) -> None:
        self.seal({name: field.value for name, field in self.fields.items()})


class Compared(NamedTuple):
    """One quantity: what was predicted, None if nothing was, and what happened."""

    label: str
    predicted: float | None
    happened: float


class Reveal:
    """A prediction beside what happened.

    Until something is predicted it holds back, so that running a whole notebook gives nothing
    away that the learner has yet to think about. It holds back too while a game of the learner's
    own is on its way to what was predicted. A forecast that was compared with the own game stays as
    it is; compared with the recorded one, it may still be changed. A game that is begun anew takes
    a new one.

    Parameters
    ----------
    desk : Desk
    prediction : Prediction
    anyway : bool
        Show what happened even if nothing was predicted, or the own game has not come so far.

    Attributes
    ----------
    sentence : str
        What the chart shows, for someone who cannot see it; "" while it is held back.
    """

    def __init__(self, desk: Desk, prediction: Prediction, *, anyway: bool = False) -> None:
        self.prediction = prediction
        happened, game = happened_in(desk, prediction)
        forecast = desk.progress.forecast(prediction.id, happened)
        computed = any(one.answer.compute for one in prediction.quantities)
        sealed = forecast is not None and not forecast.revealed
        waits = sealed and computed and game.begun and not anyway
        if sealed and (anyway or game.own or not computed):
            desk.update(lambda progress: progress.revealed(prediction.id, happened))
        known, values = dict(forecast.values) if forecast else {}, dict(happened)
        self.rows = [
            Compared(one.label, known.get(one.name), values[one.name])
            for one in prediction.quantities
        ]
        self.where = f"{game.where}." if computed else ""
        self.held = waits or (forecast is None and not anyway)
        self.sentence = "" if self.held else compared_sentence(self.rows, prediction.unit)
        if self.held:
            self.where = ""
        self.note = ""
        if waits:
            month = month_name(prediction.months or desk.workbook(_lesson_of(prediction)).months)
            self.note = (
                f"Play to the end of {month} first; your forecast is kept. Then run this cell "
                "again. To compare it with the recorded game instead: "
                f'reveal("{prediction.id}", anyway=True).'
            )
        elif self.held:
            earlier = desk.progress.earlier_forecast(prediction.id)
            self.note = (
                f"{EARLIER if earlier else 'Nothing is predicted yet.'} Write a "
                f"{'new one' if earlier else 'forecast'} above, then run this cell again. To "
                f'see what happened without one: reveal("{prediction.id}", anyway=True).'
            )
        elif forecast is None:
            self.note = "Nothing was predicted. This is what happened."
        elif sealed and computed and not (anyway or game.own):
            self.note = (
                "Your forecast stays open: once you have played, run this cell again to compare it "
                "with your own game."
            )

    def bundles(self) -> list[Bundle]:
        """The outputs: what is said, the chart, and the chart's sentence."""
        why = prose_html(self.prediction.why) if self.prediction.why else ""
        note = f'<p class="exdec-note">{escape(self.note)}</p>' if self.note else ""
        begin = '<div class="exdec exdec-lesson exdec-reveal">'
        head = (
            f'{STYLE}<p class="exdec-quiet">Prediction {self.prediction.id}</p>'
            f'{note}<p class="exdec-quiet">{escape(self.where)}</p>'
        )
        if self.held:
            return [html_bundle(f"{begin}{head}</div>")]
        below = f"<p>{escape(self.sentence)}</p>{why}"
        figure = compared_figure(self.rows, self.prediction.unit)
        return [
            html_bundle(f"{begin}{head}</div>"),
            chart_bundle(figure, self.sentence),
            html_bundle(f"{begin}{below}</div>"),
        ]

    def __repr__(self) -> str:
        return " ".join(filter(None, [self.note, self.where, self.sentence]))

    def _ipython_display_(self) -> None:
        from IPython.display import display

        for bundle in self.bundles():
            display(bundle, raw=True)  # type: ignore[no-untyped-call]


def _lesson_of(prediction: Prediction) -> str:
    """Which lesson's game it is about."""
    return prediction.id.partition("-")[0]


def happened_in(desk: Desk, prediction: Prediction) -> tuple[Values, OwnGame]:
    """What each quantity came to, in the own game or in the recorded one."""
    number = _lesson_of(prediction)
    game = desk.game(number, prediction.months)
    try:
        return _values(prediction, game), game
    except NotInGameError as error:
        game = recorded_game(desk.workbook(number), str(error))
    try:
        return _values(prediction, game), game
    except NotInGameError as error:
        raise LessonError(f"{prediction.id}: the recorded game will not do: {error}.") from None


def _values(prediction: Prediction, game: OwnGame) -> Values:
    return values_of(
        {one.name: _light(one.answer.of(game.game, game.player)) for one in prediction.quantities}
    )


def _upper(label: str) -> str:
    """A label as the beginning of a sentence."""
    return label[:1].upper() + label[1:]


def _light(number: float | Fraction) -> float:
    """A number as JSON and plotly take it."""
    return int(number) if number == int(number) else float(number)


def compared_sentence(rows: Sequence[Compared], unit: str) -> str:
    """Say what was predicted, what happened, and how far apart they are.

    Examples
    --------
    >>> compared_sentence([Compared("X-FINE posts at", 45, 41), Compared("FINE", 35, 35)], "$")
    'X-FINE posts at $41; you predicted $45, $4 too high. FINE $35; you predicted it. \
Together you were off by $4.'
    """
    said = [f"{_upper(row.label)} {amount(row.happened, unit)}{_error(row, unit)}." for row in rows]
    errors = [abs(row.predicted - row.happened) for row in rows if row.predicted is not None]
    if len(errors) > 1:
        off = sum(errors)
        said.append(f"Together you were off by {amount(off, unit)}." if off else "All of it holds.")
    return " ".join(said)


def _error(row: Compared, unit: str) -> str:
    if row.predicted is None:
        return ""
    error = row.predicted - row.happened
    if not error:
        return "; you predicted it"
    side = "high" if error > 0 else "low"
    return f"; you predicted {amount(row.predicted, unit)}, {amount(abs(error), unit)} too {side}"


def compared_figure(rows: Sequence[Compared], unit: str) -> go.Figure:
    """Draw each prediction and what happened on a line of their own, the error between them.

    Examples
    --------
    >>> figure = compared_figure([Compared("X-FINE posts at", 45, 41)], "$")
    >>> [(trace.name, trace.x) for trace in figure.data]
    [('predicted', (45,)), ('happened', (41,))]
    """
    import plotly.graph_objects as go

    at = list(range(len(rows)))
    predicted = [row for row in rows if row.predicted is not None]
    looks = [("predicted", "base")] if predicted else []
    looks.append(("happened", "own"))
    traces = []
    for name, look in looks:
        xs = [getattr(row, name) for row in rows]
        traces.append(
            {
                "type": "scatter",
                "name": name,
                "x": xs,
                "y": at,
                "mode": "markers",
                "marker": {
                    "color": SKETCH_LOOK[look].colour,
                    "symbol": SKETCH_LOOK[look].symbol,
                    "size": 12,
                    "line": {"width": 2, "color": SKETCH_LOOK[look].colour},
                },
                "hovertext": [
                    f"{row.label}: {name} {amount(x, unit)}"
                    for row, x in zip(rows, xs, strict=True)
                ],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
        )
    values = [v for row in rows for v in (row.predicted, row.happened) if v is not None]
    edge = max((max(values) - min(values)) * 0.1, 2)
    figure = go.Figure(
        data=traces,
        layout={
            "height": ROW * len(rows) + 32,
            "margin": {"l": 12, "r": 12, "t": 4, "b": 28},
            "showlegend": False,
            "dragmode": False,
            "hovermode": "closest",
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": FONT,
            "xaxis": {
                "range": [min(values) - edge, max(values) + edge],
                "tickformat": "$,d" if unit == "$" else ",d",
                "nticks": 6,
                "gridcolor": NEUTRAL,
                "gridwidth": 0.5,
                "zeroline": False,
                "fixedrange": True,
            },
            "yaxis": {
                "range": [len(rows) - 0.75, -0.75],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            "shapes": [
                {
                    "type": "line",
                    "layer": "below",
                    "x0": row.predicted,
                    "x1": row.happened,
                    "y0": y,
                    "y1": y,
                    "line": {"color": NEUTRAL, "width": 2, "dash": "dot"},
                }
                for y, row in zip(at, rows, strict=True)
                if row.predicted is not None
            ],
            "annotations": [
                {
                    # Between two dollar signs, a notebook's Plotly would look for a formula.
                    "text": _row_text(row, unit).replace("$", "&#36;"),
                    "xref": "paper",
                    "x": 0,
                    "y": y - 0.15,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "align": "left",
                    "showarrow": False,
                }
                for y, row in zip(at, rows, strict=True)
            ],
        },
    )
    figure.layout.template = None
    return figure


def _row_text(row: Compared, unit: str) -> str:
    own, base = (
        f'<span style="color:{SKETCH_LOOK[look].colour}">{SKETCH_LOOK[look].glyph}</span>'
        for look in ("own", "base")
    )
    text = f"{own} {escape(row.label)} <b>{amount(row.happened, unit)}</b>"
    if row.predicted is None:
        return text
    error = row.predicted - row.happened
    side = f"{amount(abs(error), unit)} too {'high' if error > 0 else 'low'}"
    predicted = amount(row.predicted, unit)
    return f"{text}<br>{base} predicted {predicted}: {side if error else 'right'}"
