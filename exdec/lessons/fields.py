"""What an answer is given with: a field, boxes to tick, an order, or a curve."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from itertools import pairwise
from typing import Any, Protocol

import ipywidgets as widgets

from exdec.lessons.checking import Facts, Outcome, UnclearError, fill
from exdec.lessons.exercises import Exercise, Kind, Slider
from exdec.lessons.sketch import sketch_figure, sketch_sentence
from exdec.lessons.views import labelled, plain, with_unit
from exdec.notebook.clicks import warning_html
from exdec.notebook.form import Field
from exdec.notebook.live import Live, chart_bundle

WIDE = {"style": {"description_width": "initial"}}


class Given(Protocol):
    """One way to give an answer."""

    widget: widgets.Widget

    @property
    def value(self) -> Any:
        """What is given, as `judge` takes it; None or empty if nothing is.

        Raises
        ------
        UnclearError
            It cannot be an answer yet.
        """

    def put(self, answer: str) -> None:
        """Put an answer in that was given before."""


class GivenNumber:
    """A field for one number; Enter checks it."""

    def __init__(self, exercise: Exercise, enter: Callable[[], None]) -> None:
        self.widget = Field(
            **labelled(with_unit(exercise.label, exercise.unit)), continuous_update=False, **WIDE
        )

        def entered(_field: Field, content: dict[str, Any], _buffers: Any) -> None:
            if content.get("event") == "submit":
                enter()

        self.widget.on_msg(entered)

    @property
    def value(self) -> Any:
        """What is typed."""
        return self.widget.value

    def put(self, answer: str) -> None:
        """Type an answer."""
        self.widget.value = answer


class GivenChoice:
    """Buttons of which one is chosen, by the arrow keys too."""

    def __init__(self, exercise: Exercise, facts: Facts) -> None:
        self.widget = widgets.RadioButtons(
            options=[
                (f"{one.letter}. {plain(fill(one.text, facts))}", one.letter)
                for one in exercise.options
            ],
            value=None,
            **labelled(exercise.label),
            **WIDE,
        )

    @property
    def value(self) -> Any:
        """The letter that is chosen."""
        return self.widget.value

    def put(self, answer: str) -> None:
        """Choose a letter."""
        if answer in [letter for _, letter in self.widget.options]:
            self.widget.value = answer


class GivenChoices:
    """Boxes to tick."""

    def __init__(self, exercise: Exercise, facts: Facts) -> None:
        self.boxes = {
            one.letter: widgets.Checkbox(
                **labelled(f"{one.letter}. {plain(fill(one.text, facts))}"), indent=False
            )
            for one in exercise.options
        }
        self.widget = widgets.Box(list(self.boxes.values()), _dom_classes=["exdec-boxes"])

    @property
    def value(self) -> Any:
        """The letters that are ticked."""
        return [letter for letter, box in self.boxes.items() if box.value]

    def put(self, answer: str) -> None:
        """Tick these letters, and no others."""
        for letter, box in self.boxes.items():
            box.value = letter in answer.split(", ")


class GivenOrder:
    """A place to choose for each statement."""

    def __init__(self, exercise: Exercise, facts: Facts) -> None:
        places = [("–", 0), *((str(n), n) for n in range(1, len(exercise.options) + 1))]
        self.places = {
            one.letter: widgets.Dropdown(
                options=places, **labelled(f"{one.letter}. {plain(fill(one.text, facts))}"), **WIDE
            )
            for one in exercise.options
        }
        self.widget = widgets.Box(list(self.places.values()), _dom_classes=["exdec-order"])

    @property
    def value(self) -> Any:
        """The letters in the order of their places."""
        placed = {letter: place.value for letter, place in self.places.items() if place.value}
        taken = sorted(placed.values())
        for place, following in pairwise(taken):
            if place == following:
                raise UnclearError(
                    Outcome.UNFINISHED, f"Two have place {place}. Give each a place of its own."
                )
        return sorted(placed, key=lambda letter: placed[letter])

    def put(self, answer: str) -> None:
        """Give each letter its place."""
        for place, letter in enumerate(answer.split(", "), start=1):
            if letter in self.places:
                self.places[letter].value = place


class GivenCurve:
    """Heights to type or to drag, and the curve that they draw.

    A slider of ipywidgets has no name for a screen reader, so the labelled number beside it is
    what the keyboard uses, and the slider is for the pointer.
    """

    def __init__(self, exercise: Exercise, facts: Facts) -> None:
        self._exercise, self._facts = exercise, facts
        self.heights = [_height(exercise, one) for one in exercise.sliders]
        self._sliders = [_slider(exercise, one) for one in exercise.sliders]
        # One way, and by the kernel: no slider is sent back to where it was while it is dragged.
        for slider, height in zip(self._sliders, self.heights, strict=True):
            widgets.dlink((slider, "value"), (height, "value"))
        self._live = Live("sketch")
        self._live.follow()
        self._sentence = widgets.HTML(_dom_classes=["exdec-sketch-sentence"])
        self._limit = widgets.HTML(_dom_classes=["exdec-message"])
        for height in self.heights:
            height.observe(self._moved, "value")
        rows = [
            widgets.Box(row, _dom_classes=["exdec-height"])
            for row in zip(self.heights, self._sliders, strict=True)
        ]
        self.widget = widgets.Box(
            [
                widgets.Box([*rows, self._limit], _dom_classes=["exdec-heights"]),
                widgets.Box([self._live.widget, self._sentence], _dom_classes=["exdec-drawn"]),
            ],
            _dom_classes=["exdec-sketch"],
        )
        self._draw()

    @property
    def value(self) -> Any:
        """The height of each point; None while no slider was moved."""
        heights = [height.value for height in self.heights]
        return None if heights == [one.start for one in self._exercise.sliders] else heights

    def put(self, answer: str) -> None:
        """Draw a curve."""
        for height, put in zip(self.heights, answer.split(", "), strict=False):
            height.value = type(height.value)(float(put))

    def _moved(self, change: Any) -> None:
        """Keep a height within its ends, and say so; then the slider and the curve follow."""
        at = self.heights.index(change["owner"])
        slider, height = self._sliders[at], change["owner"]
        within = min(max(height.value, slider.min), slider.max)
        if within != height.value:
            far = "above" if height.value > within else "below"
            end = "most" if height.value > within else "least"
            said = f"{height.value:g} is {far} {within:g}, the {end} that can be drawn here."
            height.value = within
            self._limit.value = warning_html(said)
            return
        self._limit.value = ""
        slider.value = within
        self._draw()

    def _draw(self) -> None:
        heights = [height.value for height in self.heights]
        sentence = sketch_sentence(self._exercise, heights, self._facts.base)
        figure = sketch_figure(self._exercise, heights, self._facts.base)
        self._live.update(chart_bundle(figure, sentence), private=True)
        self._sentence.value = f"<small>{escape(sentence)}</small>"


class GivenByCode:
    """The learner's own cell gives it."""

    def __init__(self, exercise: Exercise) -> None:
        call = f'check("{exercise.id}", …)'
        self.widget = widgets.HTML(
            f"<p>Compute it in a cell, and give it to <code>{escape(call)}</code>.</p>"
        )

    @property
    def value(self) -> Any:
        """Nothing: there is no field."""
        return None

    def put(self, answer: str) -> None:
        """Nothing to put it into."""


def field_for(exercise: Exercise, facts: Facts, enter: Callable[[], None]) -> Given:
    """Make what an exercise's answer is given with.

    Parameters
    ----------
    exercise : Exercise
    facts : Facts
        For the texts of options, and the curve to compare with.
    enter : callable
        What the Enter key does, where there is a field to type in.
    """
    match exercise.kind:
        case Kind.NUMBER:
            return GivenNumber(exercise, enter)
        case Kind.CHOICE:
            return GivenChoice(exercise, facts)
        case Kind.CHOICES:
            return GivenChoices(exercise, facts)
        case Kind.ORDER:
            return GivenOrder(exercise, facts)
        case Kind.SLIDERS:
            return GivenCurve(exercise, facts)
    return GivenByCode(exercise)


def _height(exercise: Exercise, point: Slider) -> Any:
    """A labelled number for one point of a curve."""
    kind, number = (widgets.IntText, int) if _whole(exercise) else (widgets.FloatText, float)
    return kind(
        value=number(point.start),
        step=number(point.step),
        **labelled(f"{with_unit(point.label, exercise.unit)} ({point.low:g} to {point.high:g})"),
        **WIDE,
    )


def _slider(exercise: Exercise, point: Slider) -> Any:
    kind, number = (widgets.IntSlider, int) if _whole(exercise) else (widgets.FloatSlider, float)
    ends = {"min": number(point.low), "max": number(point.high), "step": number(point.step)}
    return kind(value=number(point.start), **ends, readout=False)


def _whole(exercise: Exercise) -> bool:
    """Whether all heights are whole numbers."""
    numbers = [n for one in exercise.sliders for n in (one.low, one.high, one.step, one.start)]
    return all(number == int(number) for number in numbers)
