"""Clicks and keys: what they do comes after what was typed, and what goes wrong is said."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as widgets

from exdec.errors import ExdecError


class Press:
    """A button whose click comes after everything that was typed before it.

    The page holds keystrokes back while the kernel is busy, but sends a click at once. So a click
    asks the page for an echo, which comes after whatever was held back.

    Parameters
    ----------
    description : str
    action : callable
        What a click does.
    complain : callable
        Shows the sentence of an error.
    """

    def __init__(
        self, description: str, action: Callable[[], None], complain: Callable[[str], None]
    ) -> None:
        self.button = widgets.Button(description=description, button_style="primary")
        self.ask, self.echo = widgets.IntText(), widgets.IntText()
        self._link = widgets.jsdlink((self.ask, "value"), (self.echo, "value"))
        self._action = action
        self._complain = complain
        self._clicked = False
        self.button.on_click(self.click)
        self.echo.observe(self._echoed, "value")

    def click(self, *_event: object) -> None:
        """Do the action once the page has sent all that was typed."""
        self._clicked = True
        self.ask.value += 1

    def _echoed(self, _change: object) -> None:
        clicked, self._clicked = self._clicked, False
        if clicked:
            guarded(self._action, self._complain)()


def guarded(action: Callable[[], object], complain: Callable[[str], None]) -> Callable[..., None]:
    """Make an event's callback of an action; an error becomes text, where it would be lost."""

    def callback(*_event: object) -> None:
        try:
            action()
        except ExdecError as error:
            complain(str(error))
        except Exception as error:  # noqa: BLE001
            complain(
                f"This did not work ({type(error).__name__}: {error}). "
                "Run the cell again to go on from the last settled step."
            )

    return callback


def said_html(text: str) -> str:
    """A sentence that a screen reader says at once; "" for no sentence."""
    return _alert("exdec-said", text)


def warning_html(text: str) -> str:
    """A sentence that warns, or says what went wrong; "" for no sentence."""
    return _alert("exdec-warn", text)


def _alert(kind: str, text: str) -> str:
    return f'<p class="{kind}" role="alert">{escape(text)}</p>' if text else ""
