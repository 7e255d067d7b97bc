import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules

from exdec.errors import RulesError
from exdec.items import Goods, Materials
from exdec.rules import (
    STANDARD,
    VARIATION,
    ByPlayers,
    Calculator,
    PastTable,
    Reveal,
    Rules,
    Substitution,
    Undeliverable,
)

NUMBERS = {
    "months": (1, 12),
    "materials_floor": (0, 20),  # above $20, STANDARD's opening price would lie below the floor
    "goods_floor": (0, 90),
    "buy_dollars_per_unit_lost": (1, 999),
    "sale_dollars_per_unit_lost": (1, 999),
}
# One number inside each table, as the path to it, and its range.
INSIDE = {
    ("starting_cash", 4): (0, 999_999),
    ("order_limit", "5"): (1, 999),
    ("grade_limit", 2): (1, 999),
    ("opening_materials", "F"): (1, 99_999),
    ("opening_goods", "C"): (1, 99_999),
    ("materials_calculator", "at_zero"): (-999, 999),
    ("materials_calculator", "per_unit"): (0, 99),
    ("materials_calculator", "last"): (0, 999),
    ("goods_calculator", "at_zero"): (-999, 999),
    ("goods_calculator", "per_unit"): (-99, 0),
    ("goods_calculator", "last"): (0, 999),
    ("production", "B", "S"): (0, 9),
}
RANGES = {**{(name,): ends for name, ends in NUMBERS.items()}, **INSIDE}
YES_OR_NO = ["partial_buys", "partial_sales"]
ONE_OF = {"past_table": PastTable, "undeliverable": Undeliverable}
SOME_OF = {"substitutions": Substitution, "reveal": Reveal}
TABLES = sorted({path[0] for path in INSIDE})
NO_NUMBER = [True, 1.0, "6", None, [], float("nan"), float("inf"), 2 + 0j, np.True_, np.float64(3)]


def at(path, value):
    """Nest a value, so that it is given for this path alone."""
    for key in reversed(path):
        value = {key: value}
    return value


def vary_at(path, value):
    return STANDARD.vary(**at(path, value))


def look_up(changed, path):
    value = getattr(changed, path[0])
    for key in path[1:]:
        value = value.at(int(key)) if isinstance(value, ByPlayers) else getattr(value, key)
    return value


def refused(ask):
    with pytest.raises(RulesError) as error:
        ask()
    message = str(error.value)
    assert len(message) < 400
    return message


# -- the printed games ---------------------------------------------------------------------------


def test_standard_is_the_game_as_printed():
    assert (
        Rules(
            months=12,
            starting_cash=ByPlayers(900, 600, 450, 350, 300),
            order_limit=ByPlayers(18, 12, 9, 7, 6),
            grade_limit=ByPlayers(12, None, None, None, None),
            opening_materials=Materials(40, 30, 20),
            opening_goods=Goods(140, 115, 90),
            materials_calculator=Calculator(-10, 1, 24),
            goods_calculator=Calculator(11, -2, 16),
            past_table="extend",
            materials_floor=1,
            goods_floor=1,
            production=Goods(Materials(2, 1, 0), Materials(1, 1, 1), Materials(0, 1, 2)),
            substitutions=("X for F", "F for S"),
            undeliverable="penalty",
            partial_buys=False,
            buy_dollars_per_unit_lost=1,
            partial_sales=False,
            sale_dollars_per_unit_lost=2,
            reveal=(),
        )
        == STANDARD
    )
    assert STANDARD.changes() == {}


def test_variation_differs_in_its_two_halves_only():
    assert VARIATION.changes() == {"partial_buys": True, "partial_sales": True}


@pytest.mark.parametrize(("players", "cash"), [(2, 900), (3, 600), (4, 450), (5, 350), (6, 300)])
def test_table_by_players_is_looked_up_by_their_number(players, cash):
    assert STANDARD.starting_cash.at(players) == cash


def test_calculator_past_its_last_column():
    line = Calculator(at_zero=3, per_unit=-2, last=4)
    assert line.column == (3, 1, -1, -3, -5)
    assert line.movement(6) == -9
    assert line.movement(6, PastTable.CLAMP) == line.movement(4, PastTable.CLAMP) == -5
    assert line.movement(3, PastTable.CLAMP) == -3


# -- changing them -------------------------------------------------------------------------------


def test_every_field_is_covered_here():
    tried = {*NUMBERS, *TABLES, *YES_OR_NO, *ONE_OF, *SOME_OF}
    assert tried == {rule.name for rule in Rules.fields()}


@pytest.mark.parametrize("path", RANGES, ids=str)
@given(data=st.data())
def test_number_within_its_range_is_taken(path, data):
    low, high = RANGES[path]
    number = data.draw(st.sampled_from([low, high]) | st.integers(low, high))
    changed = vary_at(path, number)
    assert look_up(changed, path) == number
    assert set(changed.changes()) <= {path[0]}


@pytest.mark.parametrize("path", RANGES, ids=str)
@given(beyond=st.integers(1, 10**20) | st.just(10**5000))
def test_number_outside_its_range_is_refused(path, beyond):
    low, high = RANGES[path]
    for number in (low - beyond, high + beyond):
        assert path[0] in refused(lambda number=number: vary_at(path, number))


@pytest.mark.parametrize("path", RANGES, ids=str)
@pytest.mark.parametrize("value", NO_NUMBER, ids=repr)
def test_what_is_no_whole_number_is_refused(path, value):
    if path[0] == "grade_limit" and value is None:
        assert vary_at(path, value).grade_limit.two is None
        return
    message = refused(lambda: vary_at(path, value))
    assert path[0] in message
    assert repr(value) in message


@pytest.mark.parametrize("name", YES_OR_NO)
@pytest.mark.parametrize("value", [0, 1, "yes", None, [], np.True_, 10**5000], ids=lambda _: "")
def test_yes_or_no_takes_nothing_else(name, value):
    assert f"{name} is True or False" in refused(lambda: STANDARD.vary(**{name: value}))


@pytest.mark.parametrize("name", ONE_OF)
@pytest.mark.parametrize("value", ["", "Extend", None, 1, [], {}, 10**5000], ids=lambda _: "")
def test_choice_takes_one_of_its_words_only(name, value):
    first, second = ONE_OF[name]
    message = refused(lambda: STANDARD.vary(**{name: value}))
    assert f'{name} is "{first}" or "{second}"' in message


@pytest.mark.parametrize("name", SOME_OF)
@pytest.mark.parametrize("value", ["", "cash", None, 3, True, [None], ["x"], [[]], {"F": 1}])
def test_choice_of_some_takes_a_list_of_its_words_only(name, value):
    assert name in refused(lambda: STANDARD.vary(**{name: value}))


@pytest.mark.parametrize("name", SOME_OF)
def test_choice_of_some_is_the_same_in_any_order(name):
    first, second = SOME_OF[name]
    changed = STANDARD.vary(**{name: [str(second), first, second]})
    assert getattr(changed, name) == (first, second)
    assert changed == STANDARD.vary(**{name: {first, second}})
    assert getattr(STANDARD.vary(**{name: ()}), name) == ()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("value", ["X", [1, 2, 3], (40, 30, 20), 1.5, b"abc"], ids=repr)
def test_table_takes_no_list(name, value):
    assert name in refused(lambda: STANDARD.vary(**{name: value}))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("key", ["G", "x", "", 1, 7, "7", "02", None, True, (), "2" * 5000, 2.5])
def test_table_has_no_other_keys(name, key):
    message = refused(lambda: STANDARD.vary(**{name: {key: 5}}))
    assert name in message


@pytest.mark.parametrize("name", TABLES)
def test_empty_table_changes_nothing(name):
    assert STANDARD.vary(**{name: {}}) == STANDARD


def test_table_given_in_part_keeps_the_rest_as_it_stands():
    once = STANDARD.vary(starting_cash={2: 1000}, production={"C": {"S": 3}})
    twice = once.vary(starting_cash={"3": 700}, production={"C": {"X": 1}, "A": {"F": 2}})
    assert twice.starting_cash == (1000, 700, 450, 350, 300)
    assert twice.production == ((2, 2, 0), (1, 1, 1), (1, 1, 3))
    assert Rules(starting_cash={2: 1000}).starting_cash == (1000, 600, 450, 350, 300)


def test_one_number_holds_for_all_numbers_of_players():
    assert STANDARD.vary(order_limit=10).order_limit == (10, 10, 10, 10, 10)
    assert STANDARD.vary(grade_limit=None).grade_limit == (None,) * 5


def test_only_the_grade_limit_may_be_none():
    for name in ("starting_cash", "order_limit"):
        assert "not None" in refused(lambda name=name: STANDARD.vary(**{name: None}))


@pytest.mark.parametrize(
    ("near", "right"),
    [
        ("month", "months"),
        ("partial_buy", "partial_buys"),
        ("goods_flor", "goods_floor"),
        ("startingcash", "starting_cash"),
        ("order_limits", "order_limit"),
    ],
)
def test_unknown_name_gives_the_nearest(near, right):
    message = refused(lambda: STANDARD.vary(**{near: 1}))
    assert message == f"There is no rule '{near}'. Did you mean '{right}'?"


@pytest.mark.parametrize("name", ["zzz", "", "7"])
def test_name_like_no_other_gives_them_all(name):
    message = refused(lambda: STANDARD.vary(**{name: 1}))
    assert all(rule.name in message for rule in Rules.fields())


def test_whole_numbers_of_numpy_become_plain():
    changed = STANDARD.vary(months=np.int64(3), starting_cash={np.int64(2): np.uint16(7)})
    assert (type(changed.months), type(changed.starting_cash.two)) == (int, int)
    assert json.dumps(changed.changes())


def test_price_below_its_floor_is_refused_either_way():
    expected = "opening_materials[S] is $20, below materials_floor $21. Change one."
    assert refused(lambda: STANDARD.vary(materials_floor=21)) == expected
    assert "goods_floor $1" in refused(lambda: STANDARD.vary(opening_goods={"B": 0}))
    both = STANDARD.vary(materials_floor=21, opening_materials={"S": 21})
    assert both.opening_materials.S == both.materials_floor == 21


def test_good_made_of_nothing_is_refused():
    message = refused(lambda: STANDARD.vary(production={"C": {"F": 0, "S": 0}}))
    assert message.startswith("production[C] takes no certificate")


def test_refusal_leaves_the_rules_as_they_are():
    before = STANDARD.changes()
    refused(lambda: STANDARD.vary(months=3, partial_buys="yes"))
    assert STANDARD.changes() == before == {}


# -- as data -------------------------------------------------------------------------------------


@given(rules())
def test_changes_go_through_json_and_back(changed):
    text = json.dumps(changed.changes())
    assert STANDARD.vary(**json.loads(text)) == changed
    assert Rules(**json.loads(text)) == changed


@given(rules())
def test_changes_hold_only_what_differs(changed):
    differing = {r.name for r in Rules.fields() if getattr(changed, r.name) != r.default}
    assert set(changed.changes()) == differing


@given(rules())
def test_rules_can_be_hashed_compared_and_pickled(changed):
    copy = pickle.loads(pickle.dumps(changed))
    assert copy == changed
    assert hash(copy) == hash(changed)
    assert (changed == STANDARD) == (not changed.changes())


def test_rules_can_not_be_changed_in_place():
    with pytest.raises(AttributeError):
        STANDARD.months = 3


def test_equal_rules_are_one_key():
    assert len({STANDARD, Rules(), STANDARD.vary(months=12), VARIATION}) == 2


@pytest.mark.parametrize("rule", Rules.fields(), ids=lambda rule: rule.name)
def test_form_can_show_each_rule(rule):
    assert rule.label
    assert rule.help.endswith(".")
    assert rule.default == getattr(STANDARD, rule.name)
    choices = {**ONE_OF, **SOME_OF}.get(rule.name)
    assert rule.choices == (tuple(choices) if choices else None)
    assert (rule.low is None) == (rule.name not in NUMBERS)


def test_form_shows_the_range_of_each_number():
    shown = {rule.name: (rule.low, rule.high) for rule in Rules.fields() if rule.low is not None}
    floors = {"materials_floor": (0, 99_999), "goods_floor": (0, 99_999)}
    assert shown == {**NUMBERS, **floors}


def test_forms_tell_rules_apart():
    fields = Rules.fields()
    assert (
        len({rule.name for rule in fields}) == len({rule.label for rule in fields}) == len(fields)
    )
