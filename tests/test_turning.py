import pytest
from hypothesis import given
from strategies import whole_game

from exdec import STANDARD, VARIATION, Game
from exdec.errors import TurnError
from exdec.turning import turning_points


def play(*steps, rules=STANDARD, players=("Ann", "Ben")) -> Game:
    """A game of one step after another; each is what the players hand in, in seat order."""
    game = Game(players, rules.vary(months=len(steps) // 2))
    for bids in steps:
        for player, own in zip(players, bids, strict=True):
            game.hand_in(player, own)
    return game


def texts(game, you=None, seen=(), most=9):
    return [point.text for point in turning_points(game, you, seen, most)]


STOCK = {"X": (4, 40), "F": (2, 30)}
"""Two A for $220; X-FINE posts at $34, and FINE at $22."""


def test_the_month_in_which_the_winner_gains_most():
    game = play(
        (STOCK, STOCK), ({"A": (1, 130)}, {}),
        ({}, {}), ({"A": (1, 150)}, {"A": (1, 100)}),
    )  # fmt: skip
    # A costs $110: Ann earns 20, then 40; Ben loses 10 in February.
    swing = "goods bring +$40 beyond their cost and"
    assert f"February: Ann's {swing} Ben's −$10, the most that Ann gains on Ben in one month." in (
        texts(game)
    )
    assert f"February: your {swing} Ben's −$10, the most that you gain on Ben in one month." in (
        texts(game, "Ann")
    )
    assert f"February: Ann's {swing} yours −$10, the most that Ann gains on you in one month." in (
        texts(game, "Ben")
    )


def test_a_glut():
    game = play(({"S": (12, 40), "F": (6, 40)}, STOCK), ({"C": (6, 70)}, {}))  # 11 − 12 = −1
    said = "January: 6 C are offered, so the price falls by $1 to $89: $6 on all of them together."
    assert said in texts(game)


def test_a_price_at_its_lowest():
    rules = STANDARD.vary(opening_materials={"S": 5})
    game = play(({"S": (3, 20)}, {"S": (1, 9)}), ({}, {}), rules=rules)  # 5 − 6 → $1
    lowest = [point for point in turning_points(game) if "lowest" in point.text]
    said = "STANDARD posts at its lowest price, $1, while 4 are ordered: $4 a unit below Opening."
    assert lowest == [(1, 16, f"January: {said}")]


def test_certificates_left_at_the_end():
    game = play((STOCK, {}), ({}, {}))
    left = "with certificates that cost $220, and the Broker pays $180 for them: −$40."
    assert texts(game) == [f"January: Ann ends {left}"]
    assert texts(game, "Ann") == [f"January: you end {left}"]


def test_a_purchase_that_cash_did_not_cover():
    order = {"X": (8, 60), "F": (4, 60), "S": (6, 60)}  # $1,080, and there are $900
    game = play((order, {}), ({}, {}))
    # Three units at $60 fewer fit. X-FINE goes first: 5 + 4 + 6 for $900. At A $151, B $126,
    # C $101 the best of 5 X, 4 F, 6 S: 2 A + 1 B (5 X, 3 F, 1 S), and the last FINE with two
    # STANDARD makes a C.
    best = 2 * 151 + 126 + 101
    assert best < 900
    assert texts(game, "Ann", ["Ann"]) == []  # at such prices nothing was missed

    order = {"X": (8, 55), "F": (5, 55), "S": (4, 50)}  # $915
    rules = STANDARD.vary(opening_goods={"A": 300})
    game = play((order, {}), ({}, {}), rules=rules)
    # One X-FINE fewer: $860 for 7 X, 5 F, 4 S, which make 3 A + 1 B + 1 C (7 X, 5 F, 3 S).
    add = 3 * 311 + 126 + 101 - 860
    said = "$900 for bids that come to $915, and buy{} nothing; with 1 unit fewer, the rest "
    assert texts(game, "Ann", ["Ann"]) == [
        f"January: you have {said.format('')}could add ${add} to what you earn in January."
    ]
    assert texts(game, None, game.players) == [
        f"January: Ann has {said.format('s')}could add ${add} to what Ann earns in January."
    ]
    assert texts(game) == []


def test_a_sale_that_could_not_be_delivered():
    game = play((STOCK, {}), ({"A": (3, 140)}, {}))  # posts at $145, and only two can be made
    assert (
        "January: you sell goods for $420 and cannot deliver them, so nothing is sold; "
        "2 A alone would earn $60." in texts(game, "Ann", ["Ann"])
    )
    assert not any("deliver" in text for text in texts(game, "Ben", ["Ben"]))


@pytest.mark.parametrize(
    ("bid", "missed"), [(40, False), (41, False), (38, True), (39, True), (37, False)]
)
def test_an_order_that_missed_by_a_dollar_or_two(bid, missed):
    game = play(({"X": (2, bid), "F": (1, 30)}, {"X": (8, 60)}), ({}, {}))  # X-FINE stays at $40
    # With the FINE, which cost $30 in any case, two X-FINE make an A for $151. The FINE alone
    # makes nothing.
    said = [text for text in texts(game, "Ann", ["Ann"]) if "you bid" in text]
    line = (
        f"January: you bid ${bid} for 2 X-FINE, ${40 - bid} below the market; "
        "at $40 they could add $71 to what you earn in January."
    )
    assert said == [line] * missed


def test_no_order_is_missed_for_which_there_was_no_cash():
    rules = STANDARD.vary(starting_cash=109)
    game = play(({"X": (2, 39), "F": (1, 30)}, {"X": (8, 10)}), ({}, {}), rules=rules)
    assert not any("you bid" in text for text in texts(game, "Ann", ["Ann"]))


@pytest.mark.parametrize(("ask", "missed"), [(147, False), (148, True), (149, True), (150, False)])
def test_an_offer_that_missed_by_a_dollar_or_two(ask, missed):
    game = play((STOCK, {}), ({"A": (2, ask)}, {}))  # posts at $147
    said = [text for text in texts(game, "Ann", ["Ann"]) if "you ask" in text]
    line = (
        f"January: you ask ${ask} for 2 A, ${ask - 147} above the market; "
        "at $147 you would earn $74 more."
    )
    assert said == [line] * missed


def test_in_the_variation_a_near_miss_costs_one_unit_and_the_rest_brings_less():
    game = play((STOCK, {}), ({"A": (2, 148)}, {}), rules=VARIATION)
    # One is sold at $148. Two at $147 would bring 294 for 220 rather than 148 for 110: +36.
    assert any(
        text.endswith("at $147 you would earn $36 more.") for text in texts(game, "Ann", ["Ann"])
    )


def test_the_weightiest_few_in_the_order_of_the_months():
    game = play(
        (STOCK, {}), ({"A": (1, 150)}, {}),
        ({}, {"S": (3, 30)}), ({"A": (1, 140)}, {}),
    )  # fmt: skip
    everything = turning_points(game, "Ann", ["Ann"], most=9)
    months = [point.month for point in everything]
    assert months == sorted(months)
    weights = sorted((point.weight for point in everything), reverse=True)
    assert len(weights) > 2
    few = turning_points(game, "Ann", ["Ann"], most=2)
    assert sorted((point.weight for point in few), reverse=True) == weights[:2]


def test_there_is_no_deciding_before_the_end():
    with pytest.raises(TurnError, match="not over"):
        turning_points(Game(["Ann", "Ben"]))


@given(whole_game())
def test_what_all_may_read_is_the_same_whatever_the_eyes(played):
    game = Game(played.start.players, played.start.rules)
    for step in played.steps:
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
    open_to_all = texts(game)
    assert not any(word in text for text in open_to_all for word in (" bids ", " asks ", " has $"))
    assert set(open_to_all) <= set(texts(game, None, game.players))
