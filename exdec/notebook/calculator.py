"""The Market Calculator: what a number of units does to each price."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets

from exdec.items import GOODS
from exdec.model import Step
from exdec.narrate import dollars, signed
from exdec.notebook.advice import items_to_bid, last_price
from exdec.observe import Observation
from exdec.rules import Calculator, PastTable, Rules

TITLE = "Market Calculator"


class MarketCalculator:
    """A button that opens a field for units, a sentence about each price, and the printed columns.

    It is made when it is opened for the first time, and says nothing while it is closed.

    Parameters
    ----------
    view : Observation
        Whose rules and latest prices it begins with.
    **shared
        What its button has in common with others: layout and style.
    """

    def __init__(self, view: Observation, **shared: Any) -> None:
        self._view = view
        self._parts: tuple[widgets.BoundedIntText, widgets.HTML] | None = None
        self.open = False
        self.button = widgets.Button(description=f"{TITLE} ▸", **shared)
        self.widget = widgets.Box(
            [self.button], layout=self.button.layout, _dom_classes=["exdec", "exdec-calculator"]
        )
        self.button.on_click(lambda _button: self.toggle())

    def look(self, view: Observation) -> None:
        """Take the rules and prices from here on."""
        self._view = view
        if self.open:
            self._say()

    def toggle(self) -> None:
        """Open what is closed, and close what is open."""
        self.open = not self.open
        self.button.description = f"{TITLE} {'▾' if self.open else '▸'}"
        if self.open:
            self._say()
        self.widget.children = [self.button, *(self.parts if self.open else ())]

    @property
    def parts(self) -> tuple[widgets.BoundedIntText, widgets.HTML]:
        """The field, and what it comes to."""
        if self._parts is None:
            units = widgets.BoundedIntText(description="units of all of us together", value=10)
            units.observe(lambda _change: self._say(), "value")
            self._parts = units, widgets.HTML()
        return self._parts

    def _say(self) -> None:
        units, words = self.parts
        units.max = _most(self._view)
        words.value = calculator_html(self._view, units.value)


def calculator_sentences(view: Observation, units: int) -> list[str]:
    """Say what each price of this step becomes if all firms together bid for `units` of it.

    Examples
    --------
    >>> from exdec import Game
    >>> for sentence in calculator_sentences(Game(["Ann", "Ben"]).observe("Ann"), 12):
    ...     print(sentence)
    If all of us order 12 units of a grade, its price moves by +2.
    X-FINE: $40 → $42
    FINE: $30 → $32
    STANDARD: $20 → $22
    """
    items = items_to_bid(view)
    selling = items is GOODS
    line, floor = _row(view.rules, selling=selling)
    move = line.movement(units, view.rules.past_table)
    what = f"offer {units} units of a good" if selling else f"order {units} units of a grade"
    said = [f"If all of us {what}, its price moves by {signed(move)}."]
    for item in items:
        last = last_price(view, item)
        price = max(floor, last + move)
        lowest = ", its lowest price" if price == floor else ""
        said.append(f"{item.label}: {dollars(last)} → {dollars(price)}{lowest}")
    return said


def calculator_html(view: Observation, units: int) -> str:
    """The sentences, and both printed rows folded away below them."""
    first, *prices = calculator_sentences(view, units)
    rows = "".join(_table(view.rules, selling=selling) for selling in (False, True))
    lines = "".join(f"<li>{escape(price)}</li>" for price in prices)
    return (
        f'<p role="status">{escape(first)}</p><ul>{lines}</ul>'
        f"<details><summary>The printed columns</summary>{rows}"
        f'<p class="exdec-quiet">{escape(past_sentence(view.rules))}</p></details>'
    )


def past_sentence(rules: Rules) -> str:
    """Say what holds beyond the printed columns (R5)."""
    ends = f"{rules.materials_calculator.last} units ordered, {rules.goods_calculator.last} offered"
    if rules.past_table is PastTable.CLAMP:
        return f"Beyond the last column ({ends}) the price moves as it does there."
    return f"Beyond the last column ({ends}) it goes on in the same steps."


def _row(rules: Rules, *, selling: bool) -> tuple[Calculator, int]:
    if selling:
        return rules.goods_calculator, rules.goods_floor
    return rules.materials_calculator, rules.materials_floor


def _table(rules: Rules, *, selling: bool) -> str:
    line, _ = _row(rules, selling=selling)
    what = "goods: units offered" if selling else "materials: units ordered"
    cells = "".join(
        f"<span><b>{units}</b> {signed(move)}</span>" for units, move in enumerate(line.column)
    )
    return f"<p>{what}, and the movement in dollars</p><div class=exdec-columns>{cells}</div>"


def _most(view: Observation) -> int:
    """As far as a total can come, or as the printed columns go."""
    if view.step is Step.SELL:
        return view.rules.goods_calculator.last
    return max(view.rules.materials_calculator.last, len(view.players) * view.grade_limit)
