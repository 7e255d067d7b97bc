"""The bid form, in the layout of the Tally sheet: units, price, amount.

Every widget is a message to the page when it is made, and every change is another. So there is one
field for each number, one piece of HTML for all that changes, and nothing is sent that stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import ipywidgets as widgets
from ipywidgets.widgets.widget_string import HTMLStyle, TextStyle
from traitlets import Unicode

from exdec.errors import BidError
from exdec.items import GOODS, MATERIALS, Item
from exdec.model import Step
from exdec.narrate import dollars
from exdec.notebook.advice import Advice, advise, items_to_bid, last_price, line_hint
from exdec.notebook.clicks import guarded, warning_html
from exdec.notebook.typed import read_number
from exdec.observe import Observation
from exdec.theme import mark

ITEMS: tuple[Item, ...] = (*MATERIALS, *GOODS)


class Field(widgets.Text):  # type: ignore[misc]
    """A field whose text comes from one page only, so nothing is echoed back to it."""

    value = Unicode("").tag(sync=True, echo_update=False)


class BidForm:
    """Three lines of units and price, live totals, and a button to hand them in.

    The form knows one seat's `Observation` and what is typed into it, and nothing else. Tab goes
    from field to field. Enter goes to the next line, and from the last line it hands in.

    Parameters
    ----------
    hand_in : callable
        Takes the bids as ``{"X": (units, price), …}``; an error that it raises is shown, and what
        was typed stays.
    undo : callable, optional
        Takes the last step back; without it the button for it stays hidden.

    Attributes
    ----------
    plain, text : dict
        Layout and style of its buttons and of its text, for other widgets to share.
    """

    def __init__(
        self,
        hand_in: Callable[[dict[str, tuple[int, int]]], None],
        undo: Callable[[], None] | None = None,
    ) -> None:
        self._hand_in = hand_in
        self._view: Observation | None = None
        # One layout and one style for all of them: each would be a message of its own.
        shared: dict[str, Any] = {"layout": widgets.Layout()}
        self.plain = {**shared, "style": widgets.ButtonStyle()}
        self.text = {**shared, "style": HTMLStyle()}
        self._plain = {**shared, "style": TextStyle()}
        self._fields = {
            item: (self._field(item, "units"), self._field(item, "price a unit in dollars"))
            for item in ITEMS
        }
        self._live = widgets.HTML(**self.text, _dom_classes=["exdec-live"])
        self.message = widgets.HTML(**self.text, _dom_classes=["exdec-message"])
        # One button for both kinds of step.
        self.button = widgets.Button(description="Hand in", button_style="primary", **self.plain)
        fields = [field for pair in self._fields.values() for field in pair]
        names = widgets.HTML(_names_html(), **self.text, _dom_classes=["exdec-live"])
        rows = widgets.Box([names, *fields, self._live], **shared, _dom_classes=["exdec-rows"])
        self.undo = widgets.Button(
            description="Undo",
            tooltip="Take the last step back",
            style=self.button.style,
            layout=widgets.Layout(display="none"),
        )
        self._can_undo = undo is not None
        buttons = widgets.Box([self.button, self.undo], **shared, _dom_classes=["exdec-buttons"])
        # In the stylesheet's grid the advice stands last, so that the button stays where it is.
        self.widget = widgets.Box(
            [rows, self.message, buttons],
            **shared,
            _dom_classes=["exdec", "exdec-form"],
        )

        # The page holds keystrokes back while the kernel is busy, but sends a click at once. So a
        # click asks the page for an echo, which comes after whatever was held back.
        self._clicked = self._by_key = False
        self._confirmed = False
        # The echo that says that the page has the present step's form.
        self._here = 0
        self._ask, self._echo = Field(**self._plain), Field(**self._plain)
        self._link = widgets.jsdlink((self._ask, "value"), (self._echo, "value"))
        self._echo.observe(guarded(self._echoed, self.complain), "value")
        for at, field in enumerate(fields):
            field.observe(guarded(self._weigh, self.complain), "value")
            field.on_msg(partial(self._entered, at % 6 // 2))
        self.button.on_click(guarded(self._click, self.complain))
        if undo is not None:
            self.undo.on_click(guarded(undo, self.complain))

    def _field(self, item: Item, what: str) -> Field:
        column = "exdec-units" if what == "units" else "exdec-price"
        return Field(
            **self._plain,
            description=f"{item.label}, {what}",
            _dom_classes=[*_place(item).split(), column],
        )

    def ask(self, view: Observation, typed: Mapping[str, tuple[int, int]] | None = None) -> None:
        """Ask for the order or offer that `view` has come to.

        Parameters
        ----------
        view : Observation
        typed : mapping, optional
            Bids to begin with, such as those of a step that was taken back. Elsewhere the price
            that this player bid last stays; where there was no bid, it is the one posted last.
        """
        left = self._items
        self._view = None  # nothing is weighed until every line is in place
        typed = typed or {}
        for item, (units, price) in self._fields.items():
            bid = typed.get(item.value)
            passed = item in left and not units.value.strip()
            units.value = str(bid[0]) if bid else ""
            if bid or passed or not price.value:
                price.value = str(bid[1] if bid else last_price(view, item))
        self._view = view
        self.undo.layout.display = "" if self._can_undo and view.postings else "none"
        self._weigh()

    def clear(self) -> None:
        """Forget everything that was typed."""
        self._view = None
        for pair in self._fields.values():
            for field in pair:
                field.value = ""

    @property
    def fields(self) -> list[Field]:
        """The step's fields in the order of Tab: units and price of each line."""
        return [field for item in self._items for field in self._fields[item]]

    @property
    def bids(self) -> dict[Item, tuple[int, int]]:
        """Units and price of each line, as typed.

        Raises
        ------
        BidError
            Something typed is not a whole number.
        """
        return {item: self._read(item) for item in self._items}

    @property
    def _items(self) -> tuple[Item, ...]:
        if self._view is None or self._view.step is Step.OVER:
            return ()
        return items_to_bid(self._view)

    def _read(self, item: Item) -> tuple[int, int]:
        units, price = (
            read_number(field.description.partition(" a unit")[0], field.value)
            for field in self._fields[item]
        )
        if units and not self._fields[item][1].value.strip():
            raise BidError(f"{item.label}: {units} without a price. Write one beside the units.")
        return units, price

    def hand_in(self) -> None:
        """Hand in what is typed.

        Raises
        ------
        ExdecError
            As `Table.hand_in`, or something typed is not a number; what was typed stays.
        """
        self._hand_in({item.value: bid for item, bid in self.bids.items() if bid[0]})

    def focus(self) -> None:
        """Put the keyboard on the first field."""
        if self.fields:
            self.fields[0].focus()

    def _entered(self, line: int, _field: Field, content: dict[str, Any], _buffers: Any) -> None:
        """Enter goes to the next line's units, which are empty; prices would not be selected."""
        if content.get("event") != "submit":
            return
        following = self.fields[2 * line + 2 : 2 * line + 3]
        if following:
            following[0].focus()
        else:
            guarded(partial(self._click, by_key=True), self.complain)()

    def _click(self, *, by_key: bool = False) -> None:
        # A click that was made on the form of the step before is none on this one.
        if int(self._echo.value or 0) >= self._here:
            self._clicked, self._by_key = True, by_key
        self._call()

    def _call(self) -> int:
        """Ask the page for an echo, and say which."""
        number = int(self._ask.value or 0) + 1
        self._ask.value = str(number)
        return number

    def _echoed(self) -> None:
        clicked, self._clicked = self._clicked, False
        if not clicked or not self._items:
            return
        # Whoever reads on by Shift+Enter comes through here again: Enter confirms nothing.
        doubt = "" if self._confirmed and not self._by_key else self._doubt()
        if doubt:
            self._confirmed = True
            self.complain(doubt)
        else:
            self.hand_in()
            self._here = self._call()

    def _doubt(self) -> str:
        """What is worth a second click.

        The second click of a double click finds the next step, where nothing is typed yet. And
        what is typed last is weighed only when the keyboard leaves it, which may be to hand in.
        """
        bids = self.bids
        if not any(units for units, _ in bids.values()):
            return "No units are written down. To pass, press Hand in once more."
        if self._view and any(advice.grave for advice in advise(self._view, bids)):
            return "Read the warning below. To take the risk, press Hand in once more."
        return ""

    def _weigh(self) -> None:
        view = self._view
        if view is None:
            return
        self._confirmed = False
        self.message.value = ""
        over = view.step is Step.OVER
        self._live.value = '<i class="exdec-now-over"></i>' if over else self._live_html(view)

    def _live_html(self, view: Observation) -> str:
        """Amounts, hints and advice; or, in place of advice, what cannot be read."""
        bids, unread = {}, []
        for item in items_to_bid(view):
            try:
                bids[item] = self._read(item)
            except BidError as error:
                unread.append(Advice(str(error), warns=True))
        lines = []
        for item in items_to_bid(view):
            units, price = bids.get(item, (0, 0))
            lines.append(
                f"<b>{dollars(units * price)}</b><p>{escape(line_hint(view, bids, item))}</p>"
            )
        side = "sell" if view.step is Step.SELL else "buy"
        advice = advice_html(unread or advise(view, bids))
        return f'<i class="exdec-now-{side}"></i>{"".join(lines)}{advice}'

    def complain(self, text: str) -> None:
        """Say what went wrong, above the buttons, and there alone."""
        self._live.value = self._live.value.replace(_advice_line(Advice(text, warns=True)), "")
        self.message.value = warning_html(text)


def _place(item: Item) -> str:
    """The step in which an item's line is shown, and which line it is."""
    buying = item in MATERIALS
    row = ITEMS.index(item) % 3 + 1
    return f"exdec-{'buy' if buying else 'sell'} exdec-line{row}"


def _names_html() -> str:
    """The heads of the columns, and the names of the lines for either kind of step."""
    heads = "".join(f"<small>{head}</small>" for head in ("units", "price", "amount"))
    names = "".join(
        f'<span class="{_place(item)}">{mark(item)}{item.label}</span>' for item in ITEMS
    )
    return heads + names


def advice_html(advice: list[Advice]) -> str:
    """A list of sentences; those that warn say so before their colour does."""
    return f"<ul>{''.join(map(_advice_line, advice))}</ul>"


def _advice_line(one: Advice) -> str:
    return f"<li{' class=exdec-warn' if one.warns else ''}>{escape(one.text)}</li>"
