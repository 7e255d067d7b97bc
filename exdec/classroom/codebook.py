"""What an export's tables hold: the columns of each, and what can stand in them.

`SHEETS` says which columns each table has, and `COLUMNS` what they mean; the table codebook and the
files' README are made of the same two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from exdec.bots import FILES as STRATEGIES
from exdec.classroom.desk import Settled
from exdec.classroom.told import MISSED, WORDS, How, Way
from exdec.items import GOODS, MATERIALS
from exdec.model import Outcome, Step
from exdec.rules import ByPlayers, RuleField, Rules

Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its kind (text, number, dollars, seconds or time), and what its cells mean.

    A text that is one of a few has all of them as its values; a cell may be empty besides.
    """

    kind: str
    meaning: str
    values: tuple[str, ...] = ()


class Sheet(NamedTuple):
    """A table: what one row is, and its columns."""

    row: str
    columns: tuple[str, ...]


YES = ("yes",)
YES_OR_NO = ("yes", "no")


def _of_rule(rule: RuleField) -> Column:
    """The column of a rule: whole numbers and words as they are, and tables as JSON."""
    if isinstance(rule.default, bool):
        return Column("text", rule.help, YES_OR_NO)
    if isinstance(rule.default, ByPlayers):
        return Column("number", f"{rule.help} Here that of a table with so many firms.")
    if isinstance(rule.default, int):
        return Column("number", rule.help)
    if isinstance(rule.default, str):
        return Column("text", rule.help, rule.choices or ())
    return Column("text", f"{rule.help} As JSON.")


RULES = {rule.name: _of_rule(rule) for rule in Rules.fields()}
"""The rules of a table; those that are for each number of players are for its own."""

COLUMNS: dict[str, Column] = {
    "class_id": Column(
        "text",
        "key of the class, in case several are put together; the same with and without pseudonyms",
    ),
    "class": Column("text", "title of the class"),
    "table": Column("text", "table"),
    "treatment": Column("text", "what was different at this table on purpose; empty if nothing"),
    "month": Column("number", "month of the game, from 1"),
    "step": Column(
        "text",
        "buy (orders for materials), sell (offers of goods), or over: the table has no step left",
        tuple(step.value for step in Step),
    ),
    "seat": Column(
        "number", "number of the firm at its table, from 1; with class_id and table a key"
    ),
    "firm": Column("text", "the firm, by the names of who sits there at the end"),
    "pupils": Column("text", "who sat there when the step was settled"),
    "pupils_at_end": Column("text", "who sits there at the end"),
    "bot": Column("text", "the strategy, if a bot bid then; empty if none did", tuple(STRATEGIES)),
    "item": Column(
        "text",
        "X, F, S (X-FINE, FINE, STANDARD) or A, B, C",
        (*(one.value for one in MATERIALS), *(one.value for one in GOODS)),
    ),
    "units": Column("number", "units in the bid"),
    "price": Column("dollars", "dollars a unit in the bid"),
    "market_price": Column("dollars", "the posted price, dollars a unit"),
    "filled": Column("number", "units that changed hands"),
    "amount": Column("dollars", "dollars that changed hands"),
    "outcome": Column(
        "text",
        "why so many were filled",
        tuple(one.value for one in Outcome if one is not Outcome.NO_BID),
    ),
    "all_units": Column("number", "units that all firms of the table bid for"),
    "before": Column("dollars", "posted price before, dollars a unit"),
    "movement": Column("dollars", "what the Market Calculator shows for these units"),
    "bot_buying": Column("text", "the strategy, if a bot ordered the materials", tuple(STRATEGIES)),
    "bot_selling": Column("text", "the strategy, if a bot offered the goods", tuple(STRATEGIES)),
    **{f"bought_{grade}": Column("number", f"{grade.label} bought") for grade in MATERIALS},
    "paid": Column("dollars", "paid for materials"),
    **{f"sold_{good}": Column("number", f"{good.label} sold") for good in GOODS},
    "received": Column("dollars", "received for goods"),
    **{
        f"held_{grade}": Column("number", f"{grade.label} certificates at the end of the month")
        for grade in MATERIALS
    },
    "cash": Column("dollars", "cash at the end of the month, before the Broker's last purchase"),
    "broker": Column(
        "dollars", "what the Broker paid for the last certificates, when the game ends"
    ),
    "profit": Column(
        "dollars", "profit so far: cash, and what the Broker paid, less starting cash"
    ),
    "rank": Column("number", "rank in the class, bots counted; equal profits share a rank"),
    "rank_at_table": Column("number", "rank at the table, bots counted"),
    "over": Column("text", "yes if the table's game is over", YES),
    "firms": Column("number", "firms at the table"),
    "people": Column("number", "firms at which pupils sit at the end"),
    "bots": Column("number", "firms at which none sits, so that bots play there"),
    "drawn": Column("text", "whether seats were drawn by lot", YES_OR_NO),
    "months_settled": Column("number", "months of which orders and offers are both settled"),
    "ended_early": Column("text", "whether the teacher ended the game early", YES_OR_NO),
    **RULES,
    "how": Column(
        "text",
        "how the firm's bids came: handed in by people, a pass by people, nothing from people, or "
        "a bot's",
        tuple(How),
    ),
    "by": Column(
        "text",
        "what people handed in with: their own phone, or paper that the teacher keyed in",
        tuple(Way),
    ),
    "opened_at": Column("seconds", "when the step was opened, seconds since the class was opened"),
    "handed_in_at": Column(
        "seconds",
        "when people handed in what counted, seconds since the class was opened; pauses are in "
        "clicks",
    ),
    "settled_at": Column(
        "seconds", "when the step was settled, seconds since the class was opened"
    ),
    "settled_by": Column(
        "text",
        "what settled the step: the last bid that was waited for, the clock, the teacher, or that "
        "a bot got the last place that was waited for",
        tuple(Settled),
    ),
    "steps": Column("number", "steps that are settled"),
    "bot_steps": Column("number", "steps in which a bot bid"),
    "time": Column("time", "date and time on the computer that made these files"),
    "seconds": Column("seconds", "seconds since the class was opened"),
    "what": Column("text", "what happened", (*WORDS.values(), MISSED)),
    "pupil": Column("text", "whose click it was, or whom it was about"),
    "new_bot": Column("text", "the strategy that plays there from then on", tuple(STRATEGIES)),
    "stands": Column(
        "text",
        "whether the step stands at the end as it was played then; empty if there was no step, or "
        "it is open still",
        YES_OR_NO,
    ),
    "detail": Column(
        "text", "more about it; of a settled step what settled it, of a bot why it plays"
    ),
    "name": Column("text", "the pupil"),
    "months_played": Column("number", "months with a bid handed in"),
    "handed_in": Column("number", "steps in which the pupil's place handed in; a pass counts"),
    "missed": Column(
        "number",
        "steps in which nothing came from the pupil's place, but those that an early end cut short",
    ),
    "out": Column("text", "yes if sent out", YES),
    "sheet": Column("text", "the table"),
    "column": Column("text", "a column of it"),
    "kind": Column(
        "text",
        "what its cells are; dollars are whole",
        ("text", "number", "dollars", "seconds", "time"),
    ),
    "meaning": Column("text", "what they mean"),
    "values": Column("text", "every text that can stand there, as JSON; empty if it can be any"),
}
"""Every column of every table; a name means the same in all of them."""

WHERE = ("class_id", "class", "table", "treatment")

SHEETS: dict[str, Sheet] = {
    "tables": Sheet(
        "a table, with its rules",
        (
            *(*WHERE, "firms", "people", "bots", "drawn", "months_settled", "ended_early"),
            *("over", *RULES),
        ),
    ),
    "standings": Sheet(
        "a firm, the most profit first",
        (
            *("rank", *WHERE, "seat", "firm", "pupils_at_end", "rank_at_table", "profit"),
            *("over", "steps", "bot_steps"),
        ),
    ),
    "bids": Sheet(
        "a line of an order or an offer, in steps that stand",
        (
            *(*WHERE, "month", "step", "seat", "firm", "pupils", "bot", "item", "units", "price"),
            *("market_price", "filled", "amount", "outcome"),
        ),
    ),
    "steps": Sheet(
        "a firm's part in a settled step that stands, also if it bid nothing",
        (
            *(*WHERE, "month", "step", "seat", "firm", "pupils", "how", "bot", "by"),
            *("opened_at", "handed_in_at", "settled_at", "settled_by"),
        ),
    ),
    "prices": Sheet(
        "an item's posted price in a month",
        (*WHERE, "month", "step", "item", "all_units", "before", "movement", "market_price"),
    ),
    "firms": Sheet(
        "a firm's month",
        (
            *(*WHERE, "month", "seat", "firm", "pupils", "bot_buying", "bot_selling"),
            *("bought_X", "bought_F", "bought_S", "paid", "sold_A", "sold_B", "sold_C"),
            *("received", "held_X", "held_F", "held_S", "cash", "broker", "profit"),
        ),
    ),
    "clicks": Sheet(
        "something that happened, the oldest first; steps that were undone are among them",
        (
            *("time", "seconds", "what", *WHERE, "month", "step", "stands", "seat", "firm"),
            *("pupil", "new_bot", "detail"),
        ),
    ),
    "gradebook": Sheet(
        "a pupil; pupils who share a place both get what it made",
        (
            *("name", *WHERE, "seat", "firm", "months_played", "handed_in"),
            *("missed", "bot_steps", "profit", "rank_at_table", "rank", "out"),
        ),
    ),
    "codebook": Sheet(
        "a column of one of these tables",
        ("sheet", "column", "kind", "meaning", "values"),
    ),
}
"""The tables, in the order of the workbook."""


def codebook() -> Iterator[Row]:
    """A row for each column of each table."""
    for name, sheet in SHEETS.items():
        for column in sheet.columns:
            about = COLUMNS[column]
            values = json.dumps(about.values, ensure_ascii=False) if about.values else ""
            yield {
                "sheet": name,
                "column": column,
                "kind": about.kind,
                "meaning": about.meaning,
                "values": values,
            }
