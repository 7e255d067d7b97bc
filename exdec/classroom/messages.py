"""What each page may read: every message to a pupil or to the instructor is built here.

A message is built by naming what belongs in it. A pupil's comes from what that seat may know
(`exdec.observe`, R21); the projector's from what everyone may know. No unopened bid is in any of
them, but a seat's own in its own.
"""

from __future__ import annotations

import json
from typing import Any

from exdec.classroom.averages import average_sentences, heading, means
from exdec.classroom.desk import Desk, Place, Pupil, Sealed, firm_name
from exdec.classroom.room import Room
from exdec.costs import EMPTY, Stock
from exdec.items import GOODS, MATERIALS
from exdec.model import Purchase, Result, Step
from exdec.narrate import items_of, posting_sentence
from exdec.observe import Observation, Posting
from exdec.rules import Calculator, PastTable, Rules
from exdec.table import Table

Message = dict[str, Any]

BEST_SHOWN = 10
"""Names in the standings on a phone; the pupil's own comes besides."""


class Messages:
    """Builds the messages of one class, and remembers what is settled and so never changes.

    Parameters
    ----------
    room : Room
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self._posted: dict[int, tuple[Table, list[Message]]] = {}
        self._own: dict[tuple[int, int], tuple[Table, list[Message], Stock, list[float]]] = {}
        self._ranked: tuple[int, list[Message]] = (-1, [])

    # -- a pupil ---------------------------------------------------------------------------------

    def version(self, pupil: Pupil) -> int:
        """A number that grows whenever a pupil's view changes."""
        desk = None if pupil.table is None else self.room.desks[pupil.table]
        return max(self.room.version, desk.version if desk else 0)

    def view(self, pupil: Pupil, now: float) -> Message:
        """Everything that a pupil's page shows."""
        room = self.room
        if pupil.table is None or pupil.firm is None:
            return self._lobby(pupil)
        desk, firm = room.desks[pupil.table], pupil.firm
        place = desk.places[firm]
        live = room.table(desk.number)
        seen = live.game.observe(firm_name(firm))
        results, cost = self._results(desk, live, firm, seen)
        sealed = desk.sealed.get(firm)
        names = room.place_names(desk.number)
        month, step = desk.turn
        rules = seen.rules
        return {
            "t": "view",
            "v": self.version(pupil),
            "phase": self._phase(desk),
            "title": room.settings.title,
            "you": {
                "name": pupil.name,
                "mates": [room.pupils[one].name for one in place.pupils if one != pupil.number],
                "seat": firm,
                "bot": place.bot,
            },
            "table": {
                "name": desk.name,
                "firms": [
                    {
                        "name": names[at],
                        "bot": other.bot,
                        "in": at in desk.sealed,
                        "here": room.is_here(other),
                    }
                    for at, other in enumerate(desk.places)
                ],
            },
            "lobby": None,
            "turn": [month, step.value],
            "months": desk.months,
            "left": room.left(desk.number, now),
            "seconds": room.seconds,
            "rules": _rules(seen),
            "opening": [*rules.opening_materials, *rules.opening_goods],
            "postings": list(self._postings(desk, live)),
            "results": list(results),
            "cash": seen.cash,
            "held": list(seen.materials),
            "cost": cost,
            "draft": _draft(place, [month, step.value]),
            "sealed": sealed and {"turn": [month, step.value], **_own_bid(sealed)},
            "standings": self._standings_of(desk.number, firm),
            "news": [
                one._asdict()
                for one in sorted((*room.news, *desk.news), key=lambda one: one.n)[-6:]
            ],
            "final": _final(desk, live),
        }

    def _lobby(self, pupil: Pupil) -> Message:
        room = self.room
        rules = room.settings.rules_of(None)
        return {
            "t": "view",
            "v": self.version(pupil),
            "phase": "lobby",
            "title": room.settings.title,
            "you": {"name": pupil.name, "mates": [], "seat": None, "bot": None},
            "table": None,
            "lobby": {"here": self._here()},
            "turn": [1, Step.BUY.value],
            "months": rules.months,
            "left": None,
            "seconds": room.seconds,
            "rules": None,
            "opening": [*rules.opening_materials, *rules.opening_goods],
            "postings": [],
            "results": [],
            "cash": None,
            "held": None,
            "cost": None,
            "draft": None,
            "sealed": None,
            "standings": None,
            "news": [one._asdict() for one in room.news],
            "final": None,
        }

    def _phase(self, desk: Desk) -> str:
        if desk.over:
            return "over"
        if self.room.paused_at is not None:
            return "paused"
        return "open" if desk.open else "wait"

    def _here(self) -> int:
        return len(self.room.here)

    def _postings(self, desk: Desk, live: Table) -> list[Message]:
        table, posted = self._posted.get(desk.number, (None, []))
        if table is not live:
            posted = []
            self._posted[desk.number] = (live, posted)
        posted += [_posting(one) for one in live.game.postings[len(posted) :]]
        return posted

    def _results(
        self, desk: Desk, live: Table, firm: int, seen: Observation
    ) -> tuple[list[Message], list[float]]:
        """What came of a seat's bids, and what its certificates cost it."""
        key = (desk.number, firm)
        table, own, stock, cost = self._own.get(key, (None, [], EMPTY, [0.0, 0.0, 0.0]))
        if table is not live:
            own, stock = [], EMPTY
        if table is not live or len(own) < len(seen.results):
            at = len(own)
            new = zip(seen.postings[at:], seen.results[at:], desk.missed[at:], strict=True)
            for posting, result, missed in new:
                own.append(_result(posting.month, posting.step, result, firm in missed))
                stock = stock.after(result)
            cost = [round(float(dollars), 4) for dollars in stock.average]
            self._own[key] = (live, own, stock, cost)
        return own, cost

    # -- standings -------------------------------------------------------------------------------

    def standings(self) -> list[Message]:
        """Every firm of every table by its profit, the best first; equal profits share a rank.

        While a game goes on, certificates count at their latest posted prices: cash alone would
        put first whoever bought nothing.
        """
        room = self.room
        made, ranked = self._ranked
        if made != room.last_event:
            firms = [
                (profit, desk, firm, name)
                for desk in room.desks
                for firm, (name, profit) in enumerate(
                    zip(
                        room.place_names(desk.number),
                        _profits(room.table(desk.number)),
                        strict=True,
                    )
                )
            ]
            firms.sort(key=lambda one: -one[0])
            ranked = []
            for at, (profit, desk, firm, name) in enumerate(firms):
                tied = ranked and ranked[-1]["profit"] == profit
                ranked.append(
                    {
                        "rank": ranked[-1]["rank"] if tied else at + 1,
                        "name": name,
                        "table": desk.name,
                        "firm": firm,
                        "bot": not desk.places[firm].pupils,
                        "bot_steps": sum(firm in bots for bots in desk.by_bots),
                        "steps": len(desk.lines),
                        "after": len(desk.lines) // 2,
                        "profit": profit,
                    }
                )
            self._ranked = (room.last_event, ranked)
        return ranked

    def _standings_of(self, table: int, firm: int) -> list[Message] | None:
        """The best of the class and the pupil's own, if the instructor shows them."""
        if not self.room.reveal:
            return None
        name = self.room.desks[table].name
        shown = []
        for at, one in enumerate(self.standings()):
            you = one["table"] == name and one["firm"] == firm
            if you or at < BEST_SHOWN:
                fields = ("rank", "name", "table", "profit")
                shown.append({**{key: one[key] for key in fields}, "you": you})
        return shown

    # -- the instructor --------------------------------------------------------------------------

    def host(self, show: int | None, now: float, join: str | None = None) -> Message:
        """Everything that the instructor's page and the projector show; never a secret.

        Parameters
        ----------
        show : int or None
            The table whose board is shown; None for the average of all.
        now : float
        join : str, optional
            The address of the room's own listener, if there is one.
        """
        from exdec.classroom.controls import CONTROLS

        room = self.room
        rules = room.settings.rules_of(None)
        if type(show) is not int or not 0 <= show < len(room.desks):
            show = None
        open_desks = [desk for desk in room.desks if desk.open]
        of = sum(len(desk.people) for desk in open_desks)
        return {
            "t": "state",
            "v": room.last_event,
            "title": room.settings.title,
            "code": room.code,
            "phase": room.phase,
            "joining": room.joining,
            "full": not room.has_room,
            "reveal": room.reveal,
            "seconds": room.seconds,
            "pace": "together" if room.settings.together else "own",
            "months": room.settings.months,
            "size": room.settings.size,
            "level": room.settings.level,
            "rules": {
                "recipes": [list(recipe) for recipe in rules.production],
                "subs": [one.value for one in rules.substitutions],
            },
            "join": join,
            "pupils": [
                {
                    "id": one.number,
                    "name": one.name,
                    "here": bool(room.here.get(one.number)),
                    "table": one.table,
                    "firm": one.firm,
                    "out": one.out,
                    "roster": one.roster,
                }
                for one in room.pupils.values()
            ],
            "tables": [self._table(desk, now) for desk in room.desks],
            "waiting": [
                {"table": desk.name, "names": [names[firm] for firm in desk.waited_for]}
                for desk in open_desks
                if desk.waited_for
                for names in [room.place_names(desk.number)]
            ],
            "counts": {
                "here": self._here(),
                "in": of - sum(len(desk.waited_for) for desk in open_desks),
                "of": of,
            },
            "board": self._board(show),
            "standings": self.standings() if room.reveal and room.desks else None,
            "news": [one._asdict() for one in room.news],
            "audit": room.audit[-20:],
            "wrong": room.wrong_codes,
            "note": room.store.note,
            "file": room.store.path.name,
            "controls": [
                {
                    "do": do,
                    "label": control.label,
                    "ask": f"{control.ask}{control.also(room)}" or None,
                    "needs": list(control.needs),
                    "on": control.on(room),
                }
                for do, control in CONTROLS.items()
            ],
        }

    def _table(self, desk: Desk, now: float) -> Message:
        room = self.room
        month, step = desk.turn
        names = room.place_names(desk.number)
        return {
            "name": desk.name,
            "treatment": desk.treatment,
            "turn": [month, step.value],
            "last": _last(desk),
            "left": room.left(desk.number, now),
            "open": desk.open,
            "over": desk.over,
            "undone": bool(desk.undone),
            "ended": desk.ended is not None,
            "firms": [
                {
                    "name": names[firm],
                    "pupils": list(place.pupils),
                    "bot": place.bot,
                    "in": firm in desk.sealed,
                    "missed": place.missed,
                    "here": room.is_here(place),
                }
                for firm, place in enumerate(desk.places)
            ],
        }

    def _board(self, show: int | None) -> Message:
        room = self.room
        desks = room.desks if show is None else [room.desks[show]]
        columns: dict[int, tuple[list[list[int]], list[list[int]]]] = {}
        names: dict[tuple[int, int], list[str]] = {}
        for desk in desks:
            for one in self._postings(desk, room.table(desk.number)):
                half = 0 if one["s"] == Step.BUY.value else 3
                names.setdefault((one["m"], half), []).append(desk.name)
                prices, units = columns.setdefault(
                    one["m"], ([[] for _ in range(6)], [[] for _ in range(6)])
                )
                for at in range(3):
                    prices[half + at].append(one["prices"][at])
                    units[half + at].append(one["units"][at])
        rules = room.settings.rules_of(None) if show is None else desks[0].rules
        sentences: list[str] = []
        if len(desks) == 1:
            if (report := room.table(desks[0].number).game.report) is not None:
                items = items_of(report)
                sentences = [
                    heading(report.month, items),
                    *(posting_sentence(report, item) for item in items),
                ]
        elif names:
            month, half = last = max(names)
            items = GOODS if half else MATERIALS
            prices = columns[month][0][half : half + 3]
            sentences = average_sentences(month, items, prices, names[last], len(desks))
        return {
            "table": None if show is None else desks[0].name,
            "tables": len(desks),
            "opening": [*rules.opening_materials, *rules.opening_goods],
            "months": [
                {
                    "m": month,
                    "prices": means(prices),
                    "units": means(units),
                    "of": [len(prices[0]), len(prices[3])],
                }
                for month, (prices, units) in sorted(columns.items())
            ],
            "sentences": sentences,
        }

    def slips(self) -> list[Message]:
        """A slip for each pupil: a name, and the secret part of the link. For the host only."""
        room = self.room
        return [
            {
                "name": one.name,
                "table": one.group if one.table is None else room.desks[one.table].name,
                "key": room.key(one),
            }
            for one in room.pupils.values()
            if not one.out
        ]


def update(old: Message, new: Message) -> Message | None:
    """What a page that shows `old` needs in order to show `new`; None if nothing has changed.

    Lists of what is settled only grow, so what is new in them is enough. If they do not (a step was
    taken back), the page gets the whole view.
    """
    if old["phase"] == "lobby" != new["phase"]:
        return new
    fields = {key: value for key, value in new.items() if key != "left" and value != old[key]}
    if not fields.keys() - {"v"}:
        return None
    for many, one in (("postings", "posting"), ("results", "result")):
        if many in fields:
            before, after = old[many], fields.pop(many)
            if len(after) != len(before) + 1 or after[:-1] != before:
                return new
            fields[one] = after[-1]
    return {"t": "update", "v": new["v"], "left": new["left"], **fields}


def _profits(live: Table) -> list[int]:
    game = live.game
    profits = list(game.profit.values())
    if game.step is Step.OVER:
        return profits
    prices = game.state.material_prices
    return [
        profit + sum(n * price for n, price in zip(firm.materials, prices, strict=True))
        for profit, firm in zip(profits, game.state.firms, strict=True)
    ]


def _rules(seen: Observation) -> Message:
    rules = seen.rules
    return {
        "order": seen.order_limit,
        "grade": seen.grade_limit,
        "others": seen.others_limit,
        "recipes": [list(recipe) for recipe in rules.production],
        "subs": [one.value for one in rules.substitutions],
        "undeliverable": rules.undeliverable.value,
        "partial_buys": rules.partial_buys,
        "partial_sales": rules.partial_sales,
        "floors": [rules.materials_floor, rules.goods_floor],
        "calc": [
            _calculator(rules.materials_calculator, rules),
            _calculator(rules.goods_calculator, rules),
        ],
    }


def _calculator(line: Calculator, rules: Rules) -> list[int | None]:
    """A row of the Market Calculator: its first number, its slope, and where it ends if it does."""
    ends = line.last if rules.past_table is PastTable.CLAMP else None
    return [line.at_zero, line.per_unit, ends]


def _last(desk: Desk) -> list[Any] | None:
    """The step that a table has settled last."""
    if not desk.lines:
        return None
    month, half = divmod(len(desk.lines) - 1, 2)
    return [month + 1, (Step.BUY, Step.SELL)[half].value]


# What is settled stays for the whole class, in thousands. Plain tuples of numbers are no work for
# Python's garbage collector, which would stop a large class for half a second; lists are.


def _posting(posting: Posting) -> Message:
    message: Message = {
        "m": posting.month,
        "s": posting.step.value,
        "units": tuple(posting.units),
        "before": tuple(posting.before),
        "move": tuple(posting.movement),
        "prices": tuple(posting.prices),
        "announced": tuple([tuple(units) for units in posting.announced]),
        "held": tuple([tuple(held) for held in posting.certificates]),
    }
    if posting.cash is not None:
        message["cash"] = posting.cash
    if posting.lines is not None:
        message["bids"] = tuple(
            [tuple([(line.units, line.price) for line in lines]) for lines in posting.lines]
        )
    return message


def _result(month: int, step: Step, result: Result, missed: bool) -> Message:
    return {
        "m": month,
        "s": step.value,
        "lines": tuple(
            [
                (line.units, line.price, line.won, line.filled, line.outcome.value)
                for line in result.lines
            ]
        ),
        "due": result.due,
        "missed": missed,
        "money": result.paid if isinstance(result, Purchase) else result.received,
        "void": result.void,
        "cash": result.cash,
        "held": tuple(result.materials),
        "subs": (0, 0)
        if isinstance(result, Purchase)
        else (result.delivery.x_for_f, result.delivery.f_for_s),
    }


def _own_bid(sealed: Sealed) -> Message:
    return {"bids": sealed.bids, "id": sealed.id, "n": sealed.receipt}


def _draft(place: Place, turn: list[Any]) -> Message | None:
    if not place.drafted:
        return None
    draft: Message = json.loads(place.drafted)
    return draft if draft.get("turn") == turn else None


def _final(desk: Desk, live: Table) -> Message | None:
    if not desk.over or not desk.lines:
        return None
    final = live.game.final
    return {
        "liquidation": list(final.liquidation),
        "profit": list(final.profit),
        "winners": [final.players.index(winner) for winner in final.winners],
    }
