import json
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from exdec.engine import (
    MOST_DOLLARS,
    MOST_UNITS,
    buy,
    check_offer,
    check_order,
    liquidate,
    new_game,
    seat,
    sell,
)
from exdec.errors import BidError, ExdecError, RulesError, TurnError
from exdec.items import Good, Material
from exdec.model import Bid, Step
from exdec.rules import STANDARD

BAD_NUMBERS = [
    True,
    np.True_,
    2.0,
    np.float64(2),
    math.nan,
    math.inf,
    Decimal(2),
    Fraction(2),
    2 + 0j,
    "2",
    b"2",
    None,
    [2],
    np.array([2]),
]
BAD_LINES = [
    2,
    None,
    "24",
    b"\x02\x28",
    (),
    (2,),
    (2, 40, 1),
    {"units": 2, "price": 40},
    {2, 40},
    range(2),
]
BAD_ORDERS = [None, 5, "X", [("X", (2, 40))], [2, 40, 0]]


@pytest.fixture
def start():
    return new_game(["Ann", "Ben", "Cy"])


@pytest.fixture
def march(start):
    """In March, with nothing bought so far."""
    return replace(start, month=3)


@pytest.fixture
def selling(march):
    return buy(march, {"Ann": {"X": (4, 40), "F": (2, 30)}})[0]


def refused(ask, *words):
    """The message of a refusal, which names all of `words` and is short enough to read."""
    with pytest.raises(BidError) as error:
        ask()
    message = str(error.value)
    for word in words:
        assert word in message
    assert len(message) < 200
    return message


# -- R8: what one bid is -------------------------------------------------------------------------


@pytest.mark.parametrize("number", BAD_NUMBERS, ids=repr)
def test_units_that_are_no_whole_number_are_refused(march, selling, number):
    shown = repr(number)
    refused(
        lambda: check_order(march, "Ann", {"F": (number, 40)}),
        *("Ann's order for March", "FINE", "units must be a whole number", shown),
    )
    refused(
        lambda: check_offer(selling, "Ben", {"B": (number, 40)}),
        *("Ben's offer for March", "B: units must be a whole number", shown),
    )


@pytest.mark.parametrize("number", BAD_NUMBERS, ids=repr)
def test_price_that_is_no_whole_number_is_refused(march, selling, number):
    shown = repr(number)
    refused(
        lambda: check_order(march, "Ann", {"S": (2, number)}),
        *("Ann's order for March", "STANDARD", "a price must be a whole number", shown),
    )
    refused(
        lambda: check_offer(selling, "Ben", {"C": (2, number)}),
        *("Ben's offer for March", "C: a price must be a whole number", shown),
    )


@pytest.mark.parametrize("units", [-1, MOST_UNITS + 1, -(10**11)])
def test_units_out_of_range_are_refused(march, selling, units):
    words = ("units run from 0 to 9,999", str(units))
    refused(lambda: check_order(march, "Ann", {"X": (units, 40)}), "Ann", "March", "X-FINE", *words)
    refused(lambda: check_offer(selling, "Ann", {"A": (units, 40)}), "Ann", "March", "A:", *words)


@pytest.mark.parametrize("price", [0, -1, MOST_DOLLARS + 1])
def test_price_out_of_range_is_refused(march, selling, price):
    words = ("a price runs from $1 to $999,999", str(price))
    refused(lambda: check_order(march, "Ann", {"X": (1, price)}), "Ann", "March", "X-FINE", *words)
    refused(lambda: check_offer(selling, "Ann", {"A": (1, price)}), "Ann", "March", "A:", *words)


def test_ends_of_the_ranges_are_taken(march, selling):
    assert check_order(march, "Ann", {"X": (1, 1), "F": (1, MOST_DOLLARS)})[:2] == (
        Bid(1, 1),
        Bid(1, MOST_DOLLARS),
    )
    assert Bid(MOST_UNITS, 1) == check_offer(selling, "Ann", {"A": (MOST_UNITS, 1)}).A


@pytest.mark.parametrize("absurd", [10**12, 10**5000, -(10**5000)], ids=["13", "5001", "-5001"])
@pytest.mark.parametrize("place", [0, 1], ids=["units", "price"])
def test_absurd_number_is_refused_in_few_words(march, absurd, place):
    line = [2, 40]
    line[place] = absurd
    refused(lambda: check_order(march, "Ann", {"X": line}), "Ann", "March", "X-FINE", "12 digits")


@pytest.mark.parametrize("price", [-1, MOST_DOLLARS + 1, "", None, math.nan])
def test_line_without_units_still_needs_a_sound_price(march, price):
    refused(lambda: check_order(march, "Ann", {"X": (0, price)}), "Ann", "March", "X-FINE", "price")


@pytest.mark.parametrize("line", BAD_LINES, ids=repr)
def test_line_of_another_form_is_refused(march, selling, line):
    words = ("write (units, price), such as (2, 40)", repr(line))
    refused(lambda: check_order(march, "Ann", {"X": line}), "Ann", "March", "X-FINE", *words)
    refused(lambda: check_offer(selling, "Ann", {"C": line}), "Ann", "March", "C:", *words)


def test_line_of_another_form_is_refused_in_few_words(march):
    refused(lambda: check_order(march, "Ann", {"X": [10**5000] * 3}), "too long to write out")
    refused(lambda: check_order(march, "Ann", {"X": "9" * 10**6}), "X-FINE", "…")


@pytest.mark.parametrize("order", BAD_ORDERS, ids=repr)
def test_order_of_another_form_is_refused(march, selling, order):
    kind = type(order).__name__
    refused(lambda: check_order(march, "Ann", order), "Ann's order for March", '{"X"', kind)
    refused(lambda: check_offer(selling, "Ann", order), "Ann's offer for March", '{"A"', kind)


@pytest.mark.parametrize(
    ("grade", "meant"), [("x", "X"), (" f ", "F"), ("Standard", "S"), ("x-fine", "X")]
)
def test_grade_nearly_right_is_refused_with_the_right_one(march, grade, meant):
    message = refused(lambda: check_order(march, "Ann", {grade: (1, 40)}), "Ann", "March")
    assert message.endswith(f"Did you mean '{meant}'?")


@pytest.mark.parametrize("grade", ["A", "", "XX", 1, None, ("X",), 10**5000], ids=lambda _: "")
def test_grade_unknown_is_refused(march, grade):
    message = refused(
        lambda: check_order(march, "Ann", {"X": (1, 40), grade: (1, 40)}),
        *("Ann's order for March: there is no", "X, F and S (X-FINE, FINE, STANDARD)"),
    )
    assert "Did you mean" not in message


def test_good_unknown_is_refused(selling):
    words = ("Ann's offer for March: there is no 'X' to offer", "A, B and C")
    assert refused(lambda: check_offer(selling, "Ann", {"X": (1, 40)}), *words).endswith("C.")
    near = refused(lambda: check_offer(selling, "Ann", {" b": (1, 40)}))
    assert near.endswith("Did you mean 'B'?")


def test_order_over_the_limit_says_how_many_to_take_off(march):
    refused(
        lambda: check_order(march, "Cy", {"X": (6, 40), "F": (5, 30), "S": (4, 20)}),
        *("Cy's order for March", "3 players may order 12 units in all", "15", "Take 3 off"),
    )


def test_grade_over_its_limit_says_how_many_to_take_off():
    two = new_game(["Ann", "Ben"])
    refused(
        lambda: check_order(two, "Ben", {"F": (14, 30)}),
        *("Ben's order for January", "2 players may order 12 units of one grade"),
        *("FINE has 14", "Take 2 off"),
    )


def test_refused_offer_names_what_there_is(march):
    refuse = replace(march, rules=STANDARD.vary(undeliverable="refuse"))
    state, _ = buy(refuse, {"Ann": {"X": (4, 40), "F": (2, 30)}})
    refused(
        lambda: sell(state, {"Ann": {"A": (2, 100), "C": (1, 100)}}),
        "Ann's offer for March: 2 A, 1 C cannot be made of 4 X-FINE, 2 FINE, 0 STANDARD",
    )


# -- what is taken -------------------------------------------------------------------------------


def test_numpy_whole_numbers_are_taken_and_settle_as_plain_ones(start):
    plain = buy(start, {"Ann": {"X": (2, 40)}})
    numpy = buy(start, {"Ann": {"X": (np.int64(2), np.uint8(40))}})
    assert numpy == plain
    bid = check_order(start, "Ann", {"X": (np.int64(2), np.uint8(40))}).X
    assert [type(number) for number in bid] == [int, int]
    assert json.dumps(numpy[0].firms) == json.dumps(plain[0].firms)


@pytest.mark.parametrize("line", [(2, 40), [2, 40], Bid(2, 40)], ids=repr)
def test_line_may_be_any_pair(start, line):
    assert Bid(2, 40) == check_order(start, "Ann", {"X": line}).X
    assert Bid(2, 40) == check_order(start, "Ann", {Material.X: line}).X


def test_no_units_at_any_price_is_no_bid(start):
    assert check_order(start, "Ann", {"X": (0, 0), "F": (0, 30)}) == ((0, 0),) * 3


def test_order_of_players_and_lines_in_a_dict_means_nothing(start):
    ann = {"X": (2, 40), "F": (4, 35), "S": (6, 23)}
    ben = {"X": (9, 41), "S": (1, 20)}
    forward = buy(start, {"Ann": ann, "Ben": ben, "Cy": {}})
    backward = buy(start, {"Ben": dict(reversed(ben.items())), "Ann": dict(reversed(ann.items()))})
    assert forward == backward
    state = forward[0]
    offer = {Good.A: (1, 150), "C": (2, 90)}
    assert sell(state, {"Ann": offer}) == sell(
        state, {"Cy": {}, "Ann": dict(reversed(offer.items()))}
    )


# -- refusals change nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "ben", [{"X": (13, 40)}, {"X": (2.0, 40)}, {"G": (1, 1)}, None, {"X": (1, -5)}], ids=repr
)
def test_one_bad_order_stops_all_and_changes_nothing(start, ben):
    ann = {"X": [2, 40]}
    orders = {"Ann": ann, "Ben": ben}
    with pytest.raises(BidError, match=r"^Ben's order for January"):
        buy(start, orders)
    assert start == new_game(["Ann", "Ben", "Cy"])
    assert orders == {"Ann": {"X": [2, 40]}, "Ben": ben}
    assert buy(start, {"Ann": ann})[0].firms[0].materials.X == 2


@pytest.mark.parametrize("ben", [{"A": (1.0, 40)}, {"X": (1, 1)}, 7], ids=repr)
def test_one_bad_offer_stops_all_and_changes_nothing(selling, ben):
    before = replace(selling)
    with pytest.raises(BidError, match=r"^Ben's offer for March"):
        sell(selling, {"Ann": {"A": (1, 100)}, "Ben": ben})
    assert selling == before


def test_settling_leaves_the_state_before_as_it_was(start):
    buy(start, {"Ann": {"X": (2, 40)}})
    assert start == new_game(["Ann", "Ben", "Cy"])


@pytest.mark.parametrize("orders", [None, 5, [], ["Ann"], "Ann"], ids=repr)
def test_what_is_no_mapping_of_players_is_refused(march, selling, orders):
    kind = type(orders).__name__
    refused(lambda: buy(march, orders), "The orders for March", '{"Ann": {"X": (2, 40)}}', kind)
    refused(lambda: sell(selling, orders), "The offers for March", '{"Ann": {"A": (2, 40)}}', kind)


def test_refusal_of_one_player_quotes_no_other(start):
    orders = {"Ann": {"X": (7, 4321)}, "Ben": {"X": (-1, 40)}}
    with pytest.raises(BidError) as error:
        buy(start, orders)
    assert "Ann" not in str(error.value)
    assert "4321" not in str(error.value)
    assert error.value.__cause__ is None


# -- players -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Anna", "ann", "Ann "])
def test_unknown_player_is_refused_with_the_nearest(start, name):
    for ask in (
        lambda: seat(start, name),
        lambda: check_order(start, name, {}),
        lambda: buy(start, {name: {}}),
    ):
        with pytest.raises(TurnError, match=f"Nobody called '{name}' plays. Did you mean 'Ann'"):
            ask()


@pytest.mark.parametrize("name", ["Zoltán", "", 0, None, ("Ann",), 10**5000], ids=lambda _: "")
def test_player_like_nobody_is_refused_with_who_plays(start, name):
    with pytest.raises(TurnError, match=r"plays\. Playing: Ann, Ben, Cy"):
        buy(start, {name: {}})


@pytest.mark.parametrize("players", [[], ["Ann"], list("abcdefg")], ids=len)
def test_2_to_6_can_play(players):
    with pytest.raises(TurnError, match=f"2 to 6 can play, not {len(players)}"):
        new_game(players)


@pytest.mark.parametrize("players", ["Ann", None, 3, {"Ann", "Ben"}, frozenset("ab")], ids=repr)
def test_players_are_a_list_of_names(players):
    with pytest.raises(TurnError, match="Players are a list of names"):
        new_game(players)


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 41, "x" * 10**6, 7, None, b"Ben"], ids=lambda _: ""
)
def test_name_has_1_to_40_characters(name):
    with pytest.raises(TurnError, match="name has 1 to 40 characters") as error:
        new_game(["Ann", name])
    assert len(str(error.value)) < 150


@pytest.mark.parametrize("letter", ["\n", "\0", "\x7f", "\ud800", "\u2028", "\u2029"], ids=ascii)
def test_name_holds_no_character_that_breaks_a_line(letter):
    with pytest.raises(TurnError, match="holds a character that cannot be written"):
        new_game(["Ann", f"B{letter}n"])


@pytest.mark.parametrize(
    "other", ["Zoé", "Zoe\u0301", " Zoé", "Zoé\u00a0"], ids=["same", "composed", "space", "nbsp"]
)
def test_names_that_look_the_same_are_refused(other):
    with pytest.raises(TurnError, match="Two players are called 'Zoé'"):
        new_game(["Zoé", other])


def test_any_other_name_may_be_used():
    names = ["x" * 40, "Zoé", "zoé", "李", "O'Neil <b>", "👩‍🔬"]
    assert new_game(names).players == tuple(names)


# -- steps ---------------------------------------------------------------------------------------


def test_nothing_can_be_sold_before_the_orders_are_in(march):
    for ask in (lambda: sell(march, {}), lambda: check_offer(march, "Ann", {})):
        with pytest.raises(TurnError, match="not time to offer goods: March's orders are still"):
            ask()


def test_nothing_can_be_bought_twice_in_a_month(selling):
    for ask in (lambda: buy(selling, {}), lambda: check_order(selling, "Ann", {})):
        with pytest.raises(TurnError, match="not time to order materials: March's offers come"):
            ask()


def test_nothing_can_be_handed_in_after_the_end():
    state = new_game(["Ann", "Ben"], STANDARD.vary(months=1))
    over = sell(buy(state, {})[0], {})[0]
    assert (over.step, over.month) == (Step.OVER, 1)
    for ask in (lambda: buy(over, {}), lambda: sell(over, {})):
        with pytest.raises(TurnError, match="the game ended with January"):
            ask()


def test_game_cannot_be_liquidated_before_the_end(march, selling):
    for state in (march, selling):
        with pytest.raises(TurnError, match="not over: March of 12 months"):
            liquidate(state)


def test_every_refusal_can_be_caught_as_one_kind():
    assert issubclass(BidError, ExdecError)
    assert issubclass(TurnError, ExdecError)
    assert issubclass(ExdecError, ValueError)


def test_rules_that_are_no_rules_are_refused():
    with pytest.raises(RulesError, match=r"made by STANDARD\.vary\(…\), not \{'months': 3\}"):
        new_game(["Ann", "Ben"], {"months": 3})
