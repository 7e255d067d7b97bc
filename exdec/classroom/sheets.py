"""What is left of a class, as tidy tables: one row for one thing, the same names everywhere.

- ``bids``: a row for each line that was bid, in steps that stand.
- ``prices``: a row for each item and month.
- ``firms``: a row for each firm and month.
- ``standings``: a row for each firm, the most profit first.
- ``clicks``: a row for each thing that happened, those of undone steps too; never what was bid.
- ``gradebook``: a row for each pupil.

`SHEETS` says which columns each has, and `COLUMNS` what they mean; the files' README is made of
the same two. Money is in whole dollars.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from exdec import record
from exdec.classroom.desk import Desk
from exdec.classroom.told import Click, Seat, Told
from exdec.game import Game
from exdec.items import GOODS, MATERIALS
from exdec.model import Line, Result, Sale, Step
from exdec.narrate import items_of

Row = dict[str, Any]


class Column(NamedTuple):
    """A column: what kind of cells it has (text, number, dollars, time), and what they mean."""

    kind: str
    meaning: str


class Sheet(NamedTuple):
    """A table: what one row is, and its columns."""

    row: str
    columns: tuple[str, ...]


COLUMNS = {
    "class": Column("text", "title of the class"),
    "table": Column("text", "table"),
    "treatment": Column("text", "what was different at this table on purpose; empty if nothing"),
    "month": Column("number", "month of the game, from 1"),
    "step": Column("text", "buy (orders for materials) or sell (offers of goods)"),
    "firm": Column("text", "the firm, by the names of who sits there at the end"),
    "pupils": Column("text", "who sat there then"),
    "bot": Column("text", "the strategy, if a bot bid then; empty if people did"),
    "item": Column("text", "X, F, S (X-FINE, FINE, STANDARD) or A, B, C"),
    "units": Column("number", "units in the bid"),
    "price": Column("dollars", "dollars a unit in the bid"),
    "market_price": Column("dollars", "the posted price, dollars a unit"),
    "filled": Column("number", "units that changed hands"),
    "amount": Column("dollars", "dollars that changed hands"),
    "outcome": Column("text", "why so many were filled"),
    "all_units": Column("number", "units that all firms of the table bid for"),
    "before": Column("dollars", "posted price before, dollars a unit"),
    "movement": Column("dollars", "what the Market Calculator shows for these units"),
    "bot_buying": Column("text", "the strategy, if a bot ordered the materials"),
    "bot_selling": Column("text", "the strategy, if a bot offered the goods"),
    **{f"bought_{grade}": Column("number", f"{grade.label} bought") for grade in MATERIALS},
    "paid": Column("dollars", "paid for materials"),
    **{f"sold_{good}": Column("number", f"{good.label} sold") for good in GOODS},
    "received": Column("dollars", "received for goods"),
    **{
        f"held_{grade}": Column("number", f"{grade.label} certificates at the end of the month")
        for grade in MATERIALS
    },
    "cash": Column("dollars", "cash at the end of the month, before the Broker's last purchase"),
    "broker": Column("dollars", "what the Broker paid for the last certificates, when the game ends"),
    "profit": Column("dollars", "profit so far: cash, and what the Broker paid, less starting cash"),
    "rank": Column("number", "rank in the class, bots counted; equal profits share a rank"),
    "rank_at_table": Column("number", "rank at the table, bots counted"),
    "over": Column("text", "yes if the table's game is over"),
    "steps": Column("number", "steps that are settled"),
    "bot_steps": Column("number", "steps in which a bot bid"),
    "time": Column("time", "date and time on the computer that made these files"),
    "seconds": Column("seconds", "seconds since the class was opened"),
    "what": Column("text", "what happened"),
    "pupil": Column("text", "whose click it was, or whom it was about"),
    "detail": Column("text", "more about it"),
    "name": Column("text", "the pupil"),
    "months_played": Column("number", "months with a bid handed in"),
    "handed_in": Column("number", "steps in which the pupil's place handed in; a pass counts"),
    "missed": Column("number", "steps in which nothing came from the pupil's place"),
    "out": Column("text", "yes if sent out"),
}
"""Every column of every table; a name means the same in all of them."""

_WHERE = ("class", "table", "treatment")

SHEETS = {
    "bids": Sheet(
        "a line of an order or an offer, in steps that stand",
        (
            *_WHERE,
            *("month", "step", "firm", "pupils", "bot", "item", "units", "price"),
            *("market_price", "filled", "amount", "outcome"),
        ),
    ),
    "prices": Sheet(
        "an item's posted price in a month",
        (*_WHERE, "month", "step", "item", "all_units", "before", "movement", "market_price"),
    ),
    "firms": Sheet(
        "a firm's month",
        (
            *_WHERE,
            *("month", "firm", "pupils", "bot_buying", "bot_selling"),
            *("bought_X", "bought_F", "bought_S", "paid", "sold_A", "sold_B", "sold_C"),
            *("received", "held_X", "held_F", "held_S", "cash", "broker", "profit"),
        ),
    ),
    "standings": Sheet(
        "a firm, the most profit first",
        (
            *("rank", "class", "table", "treatment", "firm", "pupils", "rank_at_table"),
            *("profit", "over", "steps", "bot_steps"),
        ),
    ),
    "clicks": Sheet(
        "something that happened, the oldest first; steps that were undone are among them",
        (
            *("time", "seconds", "what", "table", "month", "step", "firm", "pupil", "bot"),
            "detail",
        ),
    ),
    "gradebook": Sheet(
        "a pupil; pupils who share a place both get what it made",
        (
            *("name", "class", "table", "treatment", "firm", "months_played", "handed_in"),
            *("missed", "bot_steps", "profit", "rank_at_table", "rank", "out"),
        ),
    ),
}
"""The tables, in the order of the workbook."""

TELLING = ("pupil", "rename", "say")
"""Clicks that would tell who is who: the order of joining, old names, what the teacher wrote."""


class Told_Table:  # placeholder
    pass
