"""Hypothesis strategies for whole games, to be shared by any test: ``from strategies import …``."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from exdec.engine import buy, liquidate, new_game, sell
from exdec.items import GOODS, MATERIALS, Goods
from exdec.model import Final, Order, Report, State, Step
from exdec.production import makeable
from exdec.rules import STANDARD, PastTable, Reveal, Rules, Substitution, Undeliverable

NAMES = ("Ann", "Ben", "Cy", "Dora", "Émile", "Φ", "G 7", "h")


class Played(NamedTuple):
    """One step of a game: the state before, what was handed in, the state after, the report."""

    before: State
    bids: dict[str, Order]
    after: State
    report: Report


class Game(NamedTuple):
    """A game played to its end."""

    start: State
    steps: tuple[Played, ...]
    final: Final

    @property
    def end(self) -> State:
        return self.steps[-1].after


@st.composite
def rules(draw: st.DrawFn, most_months: int = 3) -> Rules:
    """Rules of every kind, mild enough that bids are sometimes met and sometimes missed."""
    floors = {"materials_floor": draw(st.integers(0, 9)), "goods_floor": draw(st.integers(0, 99))}
    whole = st.integers
    each_material = {
        grade: whole(floors["materials_floor"], floors["materials_floor"] + 60) for grade in "XFS"
    }
    each_good = {good: whole(floors["goods_floor"], floors["goods_floor"] + 150) for good in "ABC"}
    recipe = st.fixed_dictionaries({grade: whole(0, 3) for grade in "XFS"}).filter(
        lambda places: any(places.values())
    )

    def by_players(number: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.dictionaries(whole(2, 6), number)

    def calculator(slope: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
        return st.fixed_dictionaries(
            {}, optional={"at_zero": whole(-20, 20), "per_unit": slope, "last": whole(0, 40)}
        )

    others = st.fixed_dictionaries(
        {
            "months": whole(1, most_months),
            "opening_materials": st.fixed_dictionaries(each_material),
            "opening_goods": st.fixed_dictionaries(each_good),
        },
        optional={
            "starting_cash": by_players(whole(0, 1000)),
            "order_limit": by_players(whole(1, 20)),
            "grade_limit": by_players(st.none() | whole(1, 20)),
            "materials_calculator": calculator(whole(0, 3)),
            "goods_calculator": calculator(whole(-4, 0)),
            "past_table": st.sampled_from(PastTable),
            "production": st.fixed_dictionaries({}, optional=dict.fromkeys("ABC", recipe)),
            "substitutions": st.lists(st.sampled_from(Substitution)),
            "undeliverable": st.sampled_from(Undeliverable),
            "partial_buys": st.booleans(),
            "buy_dollars_per_unit_lost": whole(1, 5),
            "partial_sales": st.booleans(),
            "sale_dollars_per_unit_lost": whole(1, 5),
            "reveal": st.lists(st.sampled_from(Reveal)),
        },
    )
    return STANDARD.vary(**floors, **draw(others))


def players() -> st.SearchStrategy[list[str]]:
    """2 to 6 names."""
    return st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True)


@st.composite
def orders(draw: st.DrawFn, state: State) -> dict[str, Order]:
    """What all players hand in at this step; it is allowed, but need not be wise.

    Prices lie about the Market Price, units go up to the limit and offers a little past what can
    be delivered. Players, lines and units may be missing.
    """
    drawn = {}
    for name in draw(st.permutations(state.players)):
        if draw(st.integers(0, 9)):
            line_by_line = _order if state.step is Step.BUY else _offer
            drawn[name] = draw(line_by_line(state, name))
    return drawn


@st.composite
def _order(draw: st.DrawFn, state: State, _name: str) -> Order:
    left = state.rules.order_limit.at(len(state.players))
    of_one_grade = state.rules.grade_limit.at(len(state.players)) or left
    order = {}
    for grade in draw(st.permutations(MATERIALS)):
        most = min(left, of_one_grade)
        units = draw(st.sampled_from([0, most // 3, most // 2]) | st.integers(0, most))
        left -= units
        if units:
            order[str(grade)] = (units, _price(draw, getattr(state.material_prices, grade)))
    return order


@st.composite
def _offer(draw: st.DrawFn, state: State, name: str) -> Order:
    stock = makeable(state.firms[state.players.index(name)].materials, rules=state.rules)
    units = draw(st.sampled_from(list(stock.mixes())))
    if state.rules.undeliverable is Undeliverable.PENALTY and draw(st.booleans()):
        units = Goods(*(n + draw(st.integers(0, 2)) for n in units))
    return {
        str(good): (n, _price(draw, market))
        for good, n, market in zip(GOODS, units, state.good_prices, strict=True)
        if n
    }


def _price(draw: st.DrawFn, market: int) -> int:
    return max(1, market + draw(st.integers(-3, 3) | st.integers(-20, 20)))


@st.composite
def whole_game(draw: st.DrawFn, of_rules: st.SearchStrategy[Rules] | None = None) -> Game:
    """A game played to its end, by `of_rules` or by rules of every kind."""
    start = new_game(draw(players()), draw(rules() if of_rules is None else of_rules))
    state, steps = start, []
    while state.step is not Step.OVER:
        bids = draw(orders(state))
        after, report = play(state, bids)
        steps.append(Played(state, bids, after, report))
        state = after
    return Game(start, tuple(steps), liquidate(state))


def play(state: State, bids: dict[str, Order]) -> tuple[State, Report]:
    """Take whichever step comes next."""
    return buy(state, bids) if state.step is Step.BUY else sell(state, bids)
