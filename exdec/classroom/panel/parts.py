"""What the parts of the instructor's panel are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets

from exdec.notebook.clicks import Press, guarded, said_html, warning_html
from exdec.notebook.form import Field

State = Mapping[str, Any]
Work = Callable[[], None]


def field(label: str, value: str = "", **more: Any) -> Field:
    """A field for a short text; it is read when the keyboard leaves it."""
    return Field(value=value, description=label, continuous_update=False, **more)


def show(widget: widgets.Widget, on: bool) -> None:
    """Show a widget, or hide it."""
    display = "" if on else "none"
    if widget.layout.display != display:
        widget.layout.display = display


def box(kind: str, *inside: widgets.Widget) -> widgets.Box:
    """A part of the panel, for the stylesheet."""
    return widgets.Box(inside, _dom_classes=[f"exdec-{kind}"])


def choose(dropdown: widgets.Dropdown, options: Sequence[tuple[str, Any]]) -> None:
    """Put new choices into a list; what was chosen stays if it is still there."""
    options = tuple(options)
    if dropdown.options == options:
        return
    value = dropdown.value
    values = [one for _, one in options]
    with dropdown.hold_sync():
        dropdown.options = options
        dropdown.value = value if value in values else (values[0] if values else None)


class Fold:
    """A part that a button unfolds.

    Parameters
    ----------
    title : str
    inside : sequence of widgets
    """

    def __init__(self, title: str, *inside: widgets.Widget) -> None:
        self.title = title
        self.button = widgets.Button(_dom_classes=["exdec-folds"])
        self.box = box("fold", *inside)
        self.button.on_click(lambda _: self.unfold(not self.open))
        self.unfold(False)

    @property
    def open(self) -> bool:
        """Whether it is unfolded."""
        return bool(self.box.layout.display != "none")

    def unfold(self, on: bool) -> None:
        """Unfold it, or fold it up."""
        show(self.box, on)
        self.button.description = f"{self.title} {'▾' if on else '▸'}"

    def offer(self, on: bool) -> None:
        """Offer it, or put it away where it is of no use."""
        show(self.button, on)
        if not on:
            self.unfold(False)


class Answer:
    """What came of a click: the question before it, a sentence after it, and the way back.

    It stands where the click was. Asking takes one more click, and what is offered to the keyboard
    first is to leave things as they are.
    """

    def __init__(self) -> None:
        self.said = widgets.HTML(_dom_classes=["exdec-message"])
        self.yes = widgets.Button(button_style="danger")
        self.no = widgets.Button(description="Cancel")
        self.back = widgets.Button(description="Take it back")
        self._then: Work | None = None
        self._way_back: Work | None = None
        self._stands: Callable[[State], bool] | None = None
        self.yes.on_click(lambda _: self._go_on(self._then))
        self.back.on_click(lambda _: self._go_on(self._way_back))
        self.no.on_click(lambda _: self.say("Nothing was done."))
        self.widget = box("answer", self.said, box("buttons", self.yes, self.no, self.back))
        self.say("")

    def ask(self, question: str, yes: str, then: Work) -> None:
        """Ask before something is done.

        Parameters
        ----------
        question, yes : str
            What to ask, and what the button says that does it.
        then : callable
        """
        self._put(warning_html(question), then=then)
        self.yes.description = yes
        self.no.focus()

    def say(
        self,
        text: str,
        back: Work | None = None,
        stands: Callable[[State], bool] | None = None,
    ) -> None:
        """Say what was done, and offer to take it back if there is a way.

        Parameters
        ----------
        text : str
        back : callable, optional
            Takes it back.
        stands : callable, optional
            Tells from the class's state whether there is still something to take back.
        """
        self._put(said_html(text), back=back)
        self._stands = stands

    def update(self, state: State) -> None:
        """Let go of what can be taken back no more."""
        if self._stands is not None and not self._stands(state):
            self.say("")

    def forget(self) -> None:
        """Let what was said go; a question stays until it is answered."""
        if self._then is None:
            self.say("")

    def complain(self, text: str) -> None:
        """Say why something was not done."""
        self._put(warning_html(text))

    def _put(self, html: str, then: Work | None = None, back: Work | None = None) -> None:
        self._then, self._way_back, self._stands = then, back, None
        self.said.value = html
        show(self.yes, then is not None)
        show(self.no, then is not None)
        show(self.back, back is not None)
        show(self.widget, bool(html))

    def _go_on(self, work: Work | None) -> None:
        self._put("")
        if work is not None:
            guarded(work, self.complain)()


def button(label: str, work: Work, answer: Answer, *, typed: bool = False) -> widgets.Button:
    """A button whose work's errors become sentences.

    Parameters
    ----------
    label : str
    work : callable
    answer : Answer
        Where the sentences stand.
    typed : bool
        Something is typed for it, so that a click waits for what the page held back.
    """
    if typed:
        made = Press(label, work, answer.complain).button
        made.button_style = ""
        return made
    made = widgets.Button(description=label)
    made.on_click(guarded(work, answer.complain))
    return made


def on_enter(field: Field, work: Work) -> None:
    """Do something when Enter is pressed in a field."""

    def entered(_field: Field, content: dict[str, Any], _buffers: Any) -> None:
        if content.get("event") == "submit":
            work()

    field.on_msg(entered)
