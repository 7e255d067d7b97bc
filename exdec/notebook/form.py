"""The bid form, in the layout of the Tally sheet: units, price, amount."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape

import ipywidgets as widgets

from exdec.errors import ExdecError
from exdec.items import Item
from exdec.model import Step
from exdec.narrate import dollars
from exdec.notebook.advice import Advice, advise, items_to_bid, landing, last_price
from exdec.observe import Observation
from exdec.theme import mark

BUTTON = {Step.BUY: "Hand in the order", Step.SELL: "Hand in the offer", Step.OVER: ""}


class BidForm:
    """Three lines of units and price, live totals, and a button to hand them in.

    The form knows one seat's `Observation` and what is typed into it, and nothing else.

    Parameters
    ----------
    hand_in : callable
        Takes the bids as ``{"X": (units, price), …}``; an error that it raises is shown, and what
        was typed stays.
    undo : callable
        Takes the last step back.
    """

    def __init__(
        self, hand_in: Callable[[dict[str, tuple[int, int]]], None], undo: Callable[[], None]
    ) -> None:
        self._hand_in = hand_in
        self._view: Observation | None = None
        # One layout for all of them: each would be a message of its own.
        layout = widgets.Layout()
        plain = {"layout": layout, "step": 1, "continuous_update": True}
        text = {"layout": layout}
        self.units = [widgets.FloatText(**plain) for _ in range(3)]
        self.prices = [widgets.FloatText(**plain) for _ in range(3)]
        self._names = [widgets.HTML(**text) for _ in range(3)]
        self._amounts = [widgets.HTML(**text).add_class("exdec-num") for _ in range(3)]
        self._ranges = [widgets.HTML(**text).add_class("exdec-range") for _ in range(3)]
        self.advice = widgets.HTML(**text)
        self.message = widgets.HTML(**text)
        # One button for both kinds of step, so that it keeps the keyboard's focus.
        self.button = widgets.Button(button_style="primary")
        self.undo = widgets.Button(description="Undo", tooltip="Take the last step back")
        heads = [
            widgets.HTML(f'<span class="exdec-quiet">{head}</span>', **text)
            for head in ("", "units", "price", "amount")
        ]
        for head in heads[1:]:
            head.add_class("exdec-num")
        lines = zip(self._names, self.units, self.prices, self._amounts, self._ranges, strict=True)
        rows = widgets.Box([*heads, *(cell for line in lines for cell in line)])
        rows.add_class("exdec-rows")
        self._tally = widgets.VBox([rows, self.advice])
        buttons = widgets.HBox([self.button, self.undo]).add_class("exdec-buttons")
        self.widget = widgets.VBox([self._tally, buttons, self.message])
        self.widget.add_class("exdec").add_class("exdec-form")

        # The page holds keystrokes back while the kernel is busy, but sends a click at once. So a
        # click asks the page for an echo, which comes after whatever was held back.
        self._clicked = False
        self._passing = False
        self._ask, self._echo = widgets.IntText(), widgets.IntText()
        self._link = widgets.jsdlink((self._ask, "value"), (self._echo, "value"))
        self._echo.observe(partial(self._guard, self._echoed), "value")
        for number in (*self.units, *self.prices):
            number.observe(partial(self._guard, self._weigh), "value")
        self.button.on_click(partial(self._guard, self._click))
        self.undo.on_click(partial(self._guard, undo))

    def ask(self, view: Observation, typed: Mapping[str, tuple[int, int]] | None = None) -> None:
        """Ask for the order or offer that `view` has come to.

        Parameters
        ----------
        view : Observation
        typed : mapping, optional
            Bids to begin with, such as those of a step that was taken back.
        """
        self._view = None  # nothing is weighed until every line is in place
        typed = typed or {}
        for at, item in enumerate(items_to_bid(view)):
            units, price = typed.get(item.value, (0, last_price(view, item)))
            self.units[at].description = f"{item.label}, units"
            self.prices[at].description = f"{item.label}, price a unit in dollars"
            self.units[at].value, self.prices[at].value = units, price
        self._view = view
        over = view.step is Step.OVER
        self.button.description = BUTTON[view.step]
        self.undo.layout.display = "" if view.postings else "none"
        for part in (self._tally, self.button):
            part.layout.display = "none" if over else ""
        self._weigh()

    @property
    def bids(self) -> dict[Item, tuple[int, int]]:
        """Units and price of each line, as typed; what is no whole number is left as it is."""
        if self._view is None:
            return {}
        typed = zip(items_to_bid(self._view), self.units, self.prices, strict=True)
        return {item: (_number(units), _number(price)) for item, units, price in typed}

    def hand_in(self) -> None:
        """Hand in what is typed.

        Raises
        ------
        ExdecError
            As `Table.hand_in`; what was typed stays.
        """
        self._hand_in({item.value: bid for item, bid in self.bids.items() if bid[0]})

    def _click(self) -> None:
        self._clicked = True
        self._ask.value += 1

    def _echoed(self) -> None:
        clicked, self._clicked = self._clicked, False
        if not clicked:
            return
        # The second click of a double click finds the next step, where nothing is typed yet.
        if not self._passing and not any(units for units, _ in self.bids.values()):
            self._passing = True
            self._complain("No units are written down. To pass, hand in once more.")
        else:
            self.hand_in()

    def _weigh(self) -> None:
        view, bids = self._view, self.bids
        self._passing = False
        self.message.value = ""
        if view is None or view.step is Step.OVER:
            return
        for at, (item, (units, price)) in enumerate(bids.items()):
            low, high = landing(view, item, int(units))
            self._names[at].value = f"{mark(item)}{item.label}"
            self._ranges[at].value = (
                f"<span class='exdec-quiet'>Last {dollars(last_price(view, item))}. It can post at "
                f"{dollars(low)} to {dollars(high)}.</span>"
            )
            self._amounts[at].value = dollars(int(units * price))
        self.advice.value = advice_html(advise(view, bids))

    def _guard(self, action: Callable[[], None], *_event: object) -> None:
        """Do what an event asks for; an error becomes text, where ipywidgets would lose it."""
        try:
            action()
        except ExdecError as error:
            self._complain(str(error))
        except Exception as error:  # noqa: BLE001
            self._complain(
                f"This did not work ({type(error).__name__}: {error}). "
                "Run the cell again to go on from the last settled step."
            )

    def _complain(self, text: str) -> None:
        self.message.value = f'<p class="exdec-warn" role="alert">{escape(text)}</p>'


def advice_html(advice: list[Advice]) -> str:
    """A list of sentences; those that warn say so before their colour does."""
    lines = [
        f'<li class="exdec-warn">{escape(text)}</li>' if warns else f"<li>{escape(text)}</li>"
        for text, warns in advice
    ]
    return f"<ul>{''.join(lines)}</ul>"


def _number(field: widgets.FloatText) -> int:
    """A field's number; the engine refuses one that is not whole, in words."""
    value = field.value
    return int(value) if value.is_integer() else value
