"""Keying in a tally that a pupil wrote on paper.

It is the one place where the notebook's kernel sees a bid that is not opened: while it is typed.
What is handed in leaves the fields, and so the widgets' state, at once.
"""

from __future__ import annotations

from functools import partial

import ipywidgets as widgets

from exdec.charts import ITEMS
from exdec.classroom.panel.controls import Do, at_stake
from exdec.classroom.panel.parts import (
    Answer,
    State,
    box,
    button,
    choose,
    field,
    on_enter,
    show,
)
from exdec.errors import BidError, ExdecError
from exdec.items import GOODS, MATERIALS, Item
from exdec.notebook.typed import read_number

COLUMNS = ("units", "price in dollars")


class Paper:
    """Three lines of a paper tally for one place, and then for the next that is waited for.

    Enter goes from field to field; after the last it hands in.

    Parameters
    ----------
    do : callable
        Carries a control out.
    state : dict
    """

    def __init__(self, do: Do, state: State) -> None:
        self._do = do
        self._state = state
        self.answer = Answer()
        self.place = widgets.Dropdown(description="Place")
        self.fields = {
            item: tuple(
                field(f"{item.label}, {what}", _dom_classes=["exdec-short"]) for what in COLUMNS
            )
            for item in ITEMS
        }
        self.hand_in = button("Hand in", self.take, self.answer, typed=True)
        every = [one for pair in self.fields.values() for one in pair]
        for at, one in enumerate(every):
            last = at % 6 == 5
            on_enter(one, self.hand_in.click if last else every[at + 1].focus)
        self._rows = {
            item: box("row", *pair, *([self.hand_in] if item in (MATERIALS[-1], GOODS[-1]) else []))
            for item, pair in self.fields.items()
        }
        self._empty = widgets.HTML("<p>No step is open in which a place could hand in.</p>")
        self.place.observe(self._choose, "value")
        self.widget = box(
            "group", self._empty, self.place, *self._rows.values(), self.answer.widget
        )
        self.update(state)

    def update(self, state: State) -> None:
        """Offer the places that are waited for."""
        self._state = state
        self.answer.update(state)
        waited = [
            (f"{table['name']} · {firm['name']}", (at, number))
            for at, table in enumerate(state["tables"])
            if table["open"] and state["phase"] == "running"
            for number, firm in enumerate(table["firms"])
            if not firm["bot"] and not firm["in"]
        ]
        # While somebody is keyed in, the list stays: others hand in meanwhile.
        if not self._typed() or self.place.value not in [place for _, place in waited]:
            choose(self.place, waited)
        show(self._empty, not waited)
        show(self.place, bool(waited))
        self._choose()

    def take(self) -> None:
        """Hand in what is typed, for the place that is chosen.

        Raises
        ------
        ExdecError
            Something typed is no number, or the server refuses; what was typed stays.
        """
        if self.place.value is None:
            raise ExdecError("No place is waited for.")
        bids = {item.value: bid for item in self._items() if (bid := self._read(item))[0]}
        table, firm = self.place.value
        name = self._state["tables"][table]["firms"][firm]["name"]
        if bids:
            self._hand_in(table, firm, bids)
        else:
            self.answer.ask(
                f"No units are written down for {name}. Hand in a pass?",
                "Hand in a pass",
                partial(self._hand_in, table, firm, bids),
            )

    def _hand_in(self, table: int, firm: int, bids: dict[str, list[int]]) -> None:
        first = self.fields[self._items()[0]][0]
        turn = self._state["tables"][table]["turn"]
        done = self._do("paper", table=table, firm=firm, bids=bids, turn=turn)
        self.clear()
        back = done["back"]
        stake = at_stake(back, self._state)
        take_back = partial(self._take_back, table, firm)
        self.answer.say(
            done["text"],
            None if stake is None else take_back,
            lambda state: stake in (None, at_stake(back, state)),
        )
        first.focus()

    def _take_back(self, table: int, firm: int) -> None:
        self.answer.say(self._do("take_back", table=table, firm=firm)["text"])

    def clear(self) -> None:
        """Forget everything that was typed."""
        for pair in self.fields.values():
            for one in pair:
                one.value = ""

    def _read(self, item: Item) -> list[int]:
        units, price = (read_number(one.description, one.value) for one in self.fields[item])
        if units and not price:
            raise BidError(f"{item.label}: {units} without a price. Write one beside the units.")
        return [units, price]

    def _items(self) -> tuple[Item, ...]:
        if self.place.value is None:
            return ()
        _, step = self._state["tables"][self.place.value[0]]["turn"]
        return MATERIALS if step == "buy" else GOODS

    def _typed(self) -> bool:
        return any(one.value for pair in self.fields.values() for one in pair)

    def _choose(self, _change: object = None) -> None:
        items = self._items()
        for item, row in self._rows.items():
            show(row, item in items)
