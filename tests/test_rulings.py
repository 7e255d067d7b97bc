"""Every ruling R1 to R22 and the rulebook's worked examples, by number."""

from dataclasses import replace

import pytest

from exdec.engine import buy, check_offer, check_order, liquidate, new_game, sell
from exdec.errors import BidError, RulesError
from exdec.items import Goods, Materials
from exdec.model import Firm, Outcome, State, Step, month_name
from exdec.production import deliver, makeable
from exdec.rules import STANDARD, VARIATION, Rules

SIX = ["Ann", "Ben", "Cy", "Dora", "Eve", "Fay"]


def game(
    players: int,
    *,
    rules: Rules = STANDARD,
    step: Step = Step.BUY,
    materials: tuple[int, int, int] = (40, 30, 20),
    goods: tuple[int, int, int] = (140, 115, 90),
    cash: int | None = None,
    held: tuple[int, int, int] = (0, 0, 0),
    month: int = 1,
) -> State:
    """A game that stands at `step`; the first player, Ann, has this cash and these certificates."""
    start = new_game(SIX[:players], rules)
    ann = Firm(start.firms[0].cash if cash is None else cash, Materials(*held))
    return replace(
        start,
        step=step,
        month=month,
        material_prices=Materials(*materials),
        good_prices=Goods(*goods),
        firms=(ann, *start.firms[1:]),
    )


def sale(held, offer, *, rules=STANDARD, goods=(140, 115, 90)):
    """What becomes of Ann's offer when Ben offers nothing."""
    return sell(game(2, step=Step.SELL, held=held, rules=rules, goods=goods), {"Ann": offer})[1]


def certificates(held, offer):
    delivery = deliver(STANDARD, Materials(*held), Goods(*offer))
    return delivery and tuple(delivery.certificates)


# -- rulings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "dollars"),
    [(0, -10), (5, -5), (7, -3), (9, -1), (10, 0), (11, 1), (12, 2), (15, 5), (24, 14)],
)
def test_R1_material_moves_by_units_less_ten(units, dollars):
    assert STANDARD.materials_calculator.column[units] == dollars


def test_R1_calculator_has_25_columns():
    assert STANDARD.materials_calculator.column == (
        *(-10, -9, -8, -7, -6, -5, -4, -3, -2, -1),
        *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
    )


def test_R2_good_moves_by_eleven_less_two_a_unit():
    assert STANDARD.goods_calculator.column == (
        *(11, 9, 7, 5, 3, 1, -1, -3, -5, -7, -9, -11),
        *(-13, -15, -17, -19, -21),
    )


def test_R3_standard_at_10_takes_no_units_and_nine_make_it_19():
    none = buy(game(2), {})[1]
    nine = buy(game(2), {"Ann": {"S": (9, 20)}})[1]
    assert (none.prices.S, nine.prices.S) == (10, 19)


def test_R4_production_chart():
    assert STANDARD.production == ((2, 1, 0), (1, 1, 1), (0, 1, 2))


def test_R4_tally_of_the_rulebook_uses_up_its_certificates():
    assert certificates((5, 4, 3), (2, 1, 1)) == (5, 4, 3)


def test_R5_same_line_goes_on_past_the_table():
    many = STANDARD.vary(order_limit={3: 36})
    order = {"Ann": {"X": (36, 40)}}
    assert buy(game(3, rules=many), order)[1].prices.X == 66
    assert STANDARD.goods_calculator.movement(17) == -23
    assert sale((0, 0, 0), {"A": (20, 200)}).prices.A == 140 + 11 - 40


def test_R5_price_may_stay_at_the_last_column():
    clamp = STANDARD.vary(past_table="clamp", order_limit={3: 36})
    assert buy(game(3, rules=clamp), {"Ann": {"X": (36, 40)}})[1].prices.X == 54
    assert buy(game(3, rules=clamp), {"Ann": {"X": (24, 40)}})[1].prices.X == 54
    assert buy(game(3, rules=clamp), {"Ann": {"X": (23, 40)}})[1].prices.X == 53
    report = sale((0, 0, 0), {"A": (20, 200), "B": (16, 200)}, rules=clamp)
    assert report.prices[:2] == (119, 94)


def test_R6_material_posts_no_lower_than_1_and_moves_from_there():
    state = game(2, materials=(10, 5, 11))
    state, report = buy(state, {})
    assert report.prices == (1, 1, 1)
    assert report.movement == (-10, -10, -10)
    state, _ = sell(state, {})
    _, report = buy(state, {"Ann": {"X": (12, 1), "F": (6, 1)}, "Ben": {"F": (6, 1)}})
    assert report.prices == (3, 3, 1)


def test_R6_good_posts_no_lower_than_1_and_the_floor_is_a_field():
    offer = {"A": (16, 99), "B": (16, 99)}
    assert sale((0, 0, 0), offer, goods=(21, 22, 90)).prices[:2] == (1, 1)
    free = STANDARD.vary(goods_floor=0, materials_floor=5)
    assert sale((0, 0, 0), offer, goods=(21, 22, 90), rules=free).prices[:2] == (0, 1)
    assert buy(game(2, materials=(14, 15, 16), rules=free), {})[1].prices == (5, 5, 6)


@pytest.mark.parametrize(("players", "units"), [(2, 18), (3, 12), (4, 9), (6, 6)])
def test_R7_order_limit(players, units):
    state = game(players)
    spread = {"X": (units // 2, 40), "F": (units - units // 2, 30)}
    assert sum(bid.units for bid in check_order(state, "Ann", spread)) == units
    with pytest.raises(BidError, match=f"may order {units} units in all; this order has"):
        check_order(state, "Ann", {**spread, "S": (1, 20)})


def test_R7_five_players_may_order_seven_units():
    assert check_order(game(5), "Ann", {"S": (7, 20)}).S.units == 7
    with pytest.raises(BidError, match="may order 7 units in all; this order has 8"):
        check_order(game(5), "Ann", {"S": (8, 20)})


@pytest.mark.parametrize(("players", "cash"), [(2, 900), (3, 600), (4, 450), (5, 350), (6, 300)])
def test_R7_starting_cash(players, cash):
    assert [firm.cash for firm in game(players).firms] == [cash] * players


def test_R7_two_players_may_order_twelve_of_one_grade_each():
    both = {"Ann": {"X": (12, 40)}, "Ben": {"X": (12, 40)}}
    assert buy(game(2), both)[1].units.X == 24
    with pytest.raises(BidError, match="12 units of one grade; X-FINE has 13"):
        check_order(game(2), "Ann", {"X": (13, 40)})


def test_R7_three_players_may_order_all_of_one_grade():
    assert check_order(game(3), "Ann", {"X": (12, 40)}).X.units == 12


@pytest.mark.parametrize("order", [{}, {"X": (0, 0)}, {"X": (0, 40), "F": (0, 1)}])
def test_R8_no_units_is_a_pass(order):
    _, report = buy(game(2), {"Ann": order})
    assert report.units == (0, 0, 0)
    assert {line.outcome for line in report.firms[0].lines} == {Outcome.NO_BID}


def test_R8_offer_may_be_empty():
    assert sale((0, 0, 0), {}).units == (0, 0, 0)


@pytest.mark.parametrize(
    "line", [(True, 40), (2.0, 40), (2, "40"), (2, float("nan")), (-1, 40), (2, 0), (10**30, 40)]
)
def test_R8_one_bid_is_whole_units_at_a_whole_price(line):
    with pytest.raises(BidError, match="Ann's order for January, FINE"):
        check_order(game(2), "Ann", {"F": line})


def test_R9_orders_that_fail_move_the_price_too():
    _, report = buy(game(3), {"Ann": {"X": (12, 1)}, "Ben": {"X": (12, 999)}})
    assert report.prices.X == 54
    assert [firm.lines.X.filled for firm in report.firms] == [0, 0, 0]
    assert report.firms[1].void


def test_R9_one_price_holds_for_everyone():
    _, report = buy(game(3), {"Ann": {"X": (1, 40)}, "Ben": {"X": (10, 41)}, "Cy": {"X": (1, 42)}})
    assert report.prices.X == 42
    assert [firm.paid for firm in report.firms] == [0, 0, 42]


def test_R10_buyer_pays_the_own_bid():
    state, report = buy(game(2), {"Ann": {"X": (3, 50)}})
    assert report.prices.X == 33
    assert state.firms[0] == Firm(900 - 150, Materials(3, 0, 0))


@pytest.mark.parametrize(("bid", "filled"), [(32, 0), (33, 3), (34, 3)])
def test_R10_bid_at_the_market_buys(bid, filled):
    assert buy(game(2), {"Ann": {"X": (3, bid)}})[1].firms[0].lines.X.filled == filled


@pytest.mark.parametrize(("ask", "received"), [(146, 292), (147, 294), (148, 0)])
def test_R10_ask_at_the_market_sells(ask, received):
    report = sale((4, 2, 0), {"A": (2, ask)})
    assert report.prices.A == 147
    assert report.firms[0].received == received


def test_R11_one_dollar_short_buys_nothing_and_prices_stand():
    order = {"Ann": {"X": (2, 40), "F": (1, 30), "S": (1, 5)}}
    state, report = buy(game(2, cash=109), order)
    bought = report.firms[0]
    assert report.prices == (32, 21, 11)
    assert state.material_prices == report.prices
    assert (bought.void, bought.due, bought.paid, bought.cash) == (True, 110, 0, 109)
    assert bought.materials == (0, 0, 0)
    assert [line.outcome for line in bought.lines] == [
        Outcome.SHORT_OF_CASH,
        Outcome.SHORT_OF_CASH,
        Outcome.BELOW_MARKET,
    ]


def test_R11_exactly_enough_buys_all():
    order = {"Ann": {"X": (2, 40), "F": (1, 30), "S": (1, 5)}}
    state, _ = buy(game(2, cash=110), order)
    assert state.firms[0] == Firm(0, Materials(2, 1, 0))


@pytest.mark.parametrize(
    ("held", "offer", "handed_in"),
    [
        ((3, 0, 0), (1, 0, 0), (3, 0, 0)),  # X-FINE on the FINE place
        ((1, 2, 0), (0, 1, 0), (1, 2, 0)),  # FINE on the STANDARD place
        ((1, 2, 0), (0, 0, 1), (1, 2, 0)),  # both in one C
        ((0, 3, 0), (0, 0, 1), (0, 3, 0)),
        ((2, 1, 0), (0, 0, 1), None),  # X-FINE fills no STANDARD place
        ((1, 0, 2), (0, 0, 1), (1, 0, 2)),
        ((0, 9, 9), (1, 0, 0), None),  # nothing stands in for X-FINE
        ((0, 0, 9), (0, 0, 1), None),  # STANDARD stands in for nothing
    ],
)
def test_R12_substitutions(held, offer, handed_in):
    assert certificates(held, offer) == handed_in


def test_R13_fewest_substitutions_are_handed_in():
    spare = deliver(STANDARD, Materials(9, 9, 9), Goods(1, 1, 1))
    assert spare == (Materials(3, 3, 3), 0, 0)
    # B and C need X 1, F 2, S 3: one FINE for a STANDARD, then one X-FINE for that FINE.
    short = deliver(STANDARD, Materials(9, 2, 2), Goods(0, 1, 1))
    assert short == (Materials(2, 2, 2), 1, 1)


def test_R13_goods_are_judged_together():
    stock = makeable(X=2, F=2, S=1)
    assert stock.can_make(A=1)
    assert stock.can_make(B=1)
    assert not stock.can_make(A=1, B=1)


def test_R14_penalty_counts_the_offer_and_sells_nothing():
    report = sale((2, 1, 0), {"A": (2, 100), "C": (3, 999)})
    sold = report.firms[0]
    assert report.prices == (147, 126, 95)
    assert (sold.void, sold.due, sold.received, sold.cash) == (True, 200, 0, 900)
    assert sold.materials == (2, 1, 0)
    assert sold.lines.A.outcome is Outcome.CANNOT_DELIVER
    assert sold.lines.C.outcome is Outcome.ABOVE_MARKET


def test_R14_penalty_looks_only_at_goods_that_are_sold():
    sold = sale((2, 1, 0), {"A": (1, 100), "C": (3, 999)}).firms[0]
    assert (sold.void, sold.received) == (False, 100)


def test_R14_refuse_takes_no_offer_that_cannot_be_made():
    state = game(2, rules=STANDARD.vary(undeliverable="refuse"), step=Step.SELL, held=(2, 1, 0))
    assert check_offer(state, "Ann", {"A": (1, 999)}).A.units == 1
    with pytest.raises(BidError, match="2 A cannot be made of 2 X-FINE, 1 FINE, 0 STANDARD"):
        check_offer(state, "Ann", {"A": (2, 999)})


def test_R15_certificates_of_unsold_goods_stay():
    sold = sale((4, 2, 2), {"A": (1, 100), "C": (1, 999)}).firms[0]
    assert sold.materials == (2, 1, 2)


@pytest.mark.parametrize(("bid", "filled"), [(20, 4), (14, 4), (13, 3), (11, 1), (10, 0), (1, 0)])
def test_R16_one_unit_is_lost_for_each_dollar_below(bid, filled):
    _, report = buy(game(2, rules=VARIATION), {"Ann": {"S": (4, bid)}})
    assert report.prices.S == 14
    assert report.firms[0].lines.S.filled == filled
    assert report.firms[0].paid == filled * bid


@pytest.mark.parametrize(
    ("above", "sold"),
    [
        *((0, 8), (1, 7), (2, 7), (3, 6), (4, 6), (5, 5), (6, 5), (7, 4), (8, 4), (9, 3)),
        *((10, 3), (11, 2), (12, 2), (13, 1), (14, 1), (15, 0), (16, 0), (17, 0), (99, 0)),
    ],
)
def test_R17_one_unit_is_lost_for_each_two_dollars_above(above, sold):
    report = sale((0, 8, 16), {"C": (8, 85 + above)}, rules=VARIATION)
    assert report.prices.C == 85
    assert report.firms[0].lines.C.filled == sold
    assert report.firms[0].received == sold * (85 + above)


def test_R18_cash_is_checked_on_what_the_partial_fill_leaves():
    order = {"Ann": {"S": (4, 13)}}
    exactly = buy(game(2, rules=VARIATION, cash=39), order)[1].firms[0]
    short = buy(game(2, rules=VARIATION, cash=38), order)[1].firms[0]
    assert (exactly.void, exactly.paid) == (False, 39)
    assert (short.void, short.paid, short.lines.S.won, short.lines.S.filled) == (True, 0, 3, 0)


def test_R18_delivery_is_checked_on_what_the_partial_fill_leaves():
    offer = {"A": (2, 149)}
    can = sale((2, 1, 0), offer, rules=VARIATION).firms[0]
    cannot = sale((1, 1, 0), offer, rules=VARIATION).firms[0]
    assert (can.void, can.received) == (False, 149)
    assert (cannot.void, cannot.received) == (True, 0)


@pytest.mark.parametrize("buying", [True, False])
def test_R18_halves_of_the_variation_are_separate(buying):
    half = STANDARD.vary(partial_buys=buying, partial_sales=not buying)
    bought = buy(game(2, rules=half), {"Ann": {"S": (4, 13)}})[1].firms[0]
    sold = sale((4, 2, 0), {"A": (2, 148)}, rules=half).firms[0]
    assert bought.lines.S.filled == (3 if buying else 0)
    assert sold.lines.A.filled == (0 if buying else 1)


def test_R19_certificates_go_at_the_last_prices_and_profit_is_over_starting_cash():
    state = game(2, rules=STANDARD.vary(months=1))
    state, _ = buy(state, {"Ann": {"X": (3, 33), "F": (2, 40)}})
    state, _ = sell(state, {"Ann": {"A": (1, 140)}})
    final = liquidate(state)
    # Ann pays 99 + 80, receives 140, and keeps 1 X-FINE at $33 and 1 FINE at $22.
    assert final.liquidation == (55, 0)
    assert final.cash == (900 - 179 + 140 + 55, 900)
    assert final.profit == (16, 0)
    assert final.winners == ("Ann",)
    assert state.material_prices == (33, 22, 10)


def test_R19_equal_profits_share_the_win():
    state, _ = buy(game(3, rules=STANDARD.vary(months=1)), {"Ben": {"X": (1, 99)}})
    final = liquidate(sell(state, {})[0])
    assert final.profit == (0, -68, 0)
    assert final.winners == ("Ann", "Cy")


@pytest.mark.parametrize("months", [1, 12])
def test_R20_game_has_the_months_agreed(months):
    state = game(2, rules=STANDARD.vary(months=months))
    played = []
    while state.step is not Step.OVER:
        played.append(month_name(state.month))
        state = sell(buy(state, {})[0], {})[0]
    assert len(played) == months
    assert (played[0], played[-1]) == ("January", "January" if months == 1 else "December")


@pytest.mark.parametrize("months", [0, 13])
def test_R20_no_other_number_of_months(months):
    with pytest.raises(RulesError, match="months runs from 1 to 12"):
        STANDARD.vary(months=months)


def test_R21_teacher_may_reveal_cash_and_bids():
    assert STANDARD.reveal == ()
    assert STANDARD.vary(reveal=["bids", "cash"]).reveal == ("cash", "bids")
    with pytest.raises(RulesError, match='reveal is "cash" or "bids"'):
        STANDARD.vary(reveal=["tally"])


def test_R22_nothing_else_is_in_the_rules():
    for absent in ("trade", "loans", "certificates"):
        with pytest.raises(RulesError, match="There is no rule"):
            STANDARD.vary(**{absent: True})


def test_R22_certificates_never_run_out_and_nobody_borrows():
    all_in = {name: {"X": (12, 99)} for name in SIX[:3]}
    state = replace(game(3), firms=(Firm(1188, Materials(0, 0, 0)),) * 3)
    state, _ = buy(state, all_in)
    assert [firm.materials.X for firm in state.firms] == [12, 12, 12]
    assert [firm.cash for firm in state.firms] == [0, 0, 0]


# -- the rulebook's worked examples --------------------------------------------------------------


def test_example_1_january_prices():
    orders = {"Ann": {"X": (6, 42), "F": (2, 25)}, "Ben": {"X": (6, 42), "F": (3, 25)}}
    _, report = buy(game(2), orders)
    assert report.units == (12, 5, 0)
    assert report.prices == (42, 25, 10)


def test_example_2_three_player_order():
    orders = {
        "Ann": {"X": (2, 40), "F": (4, 35), "S": (6, 23)},
        "Ben": {"X": (9, 41), "F": (2, 30), "S": (1, 20)},
        "Cy": {"F": (9, 30)},
    }
    state, report = buy(game(3), orders)
    assert report.units == (11, 15, 7)
    assert report.prices == (41, 35, 17)
    assert [line.amount for line in report.firms[0].lines] == [0, 140, 138]
    assert report.firms[0].paid == 278
    assert state.firms[0] == Firm(600 - 278, Materials(0, 4, 6))


def test_example_3_two_fine_and_one_standard_make_a_c():
    delivery = deliver(STANDARD, Materials(0, 2, 1), Goods(0, 0, 1))
    assert delivery == (Materials(0, 2, 1), 0, 1)


def test_example_4_january_prices_of_goods():
    report = sale((0, 0, 0), {"A": (7, 999), "C": (5, 999)})
    assert report.prices == (137, 126, 91)


def test_example_5_three_player_month():
    orders = {
        "Ann": {"X": (5, 42), "F": (4, 36), "S": (3, 15)},
        "Ben": {"X": (7, 40), "F": (5, 30)},
        "Cy": {"F": (7, 30), "S": (2, 15)},
    }
    state, bought = buy(game(3), orders)
    assert bought.prices == (42, 36, 15)
    assert [line.amount for line in bought.firms[0].lines] == [210, 144, 45]
    assert bought.firms[0].paid == 399
    offers = {
        "Ann": {"A": (2, 143), "B": (1, 120), "C": (1, 93)},
        "Ben": {"A": (2, 200), "C": (5, 200)},
    }
    state, sold = sell(state, offers)
    assert sold.units == (4, 1, 6)
    assert sold.prices == (143, 124, 89)
    assert [line.amount for line in sold.firms[0].lines] == [286, 120, 0]
    assert sold.firms[0].received == 406
    # The certificates of the C that was not sold are still there (R15).
    assert state.firms[0] == Firm(600 - 399 + 406, Materials(0, 1, 2))


def test_example_6_variation_order_in_july():
    state = game(2, rules=VARIATION, materials=(39, 41, 21), month=7)
    _, report = buy(state, {"Ann": {"X": (8, 41), "F": (4, 38), "S": (6, 14)}})
    assert month_name(report.month) == "July"
    assert report.prices == (37, 35, 17)
    assert [line.filled for line in report.firms[0].lines] == [8, 4, 3]
    assert [line.amount for line in report.firms[0].lines] == [328, 152, 42]
    assert report.firms[0].paid == 522


def test_example_7_variation_offer_in_july():
    offer = {"A": (6, 137), "B": (6, 118), "C": (5, 112)}
    report = sale((12, 14, 16), offer, rules=VARIATION, goods=(132, 119, 113))
    assert report.prices == (131, 118, 114)
    assert [line.amount for line in report.firms[0].lines] == [411, 708, 560]
    assert report.firms[0].received == 1679
    assert report.firms[0].materials == (0, 0, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_example_8_full_orders_spread_evenly_raise_prices_by_2(players):
    each = STANDARD.order_limit.at(players) // 3
    order = {"X": (each, 40), "F": (each, 30), "S": (each, 20)}
    _, report = buy(game(players), dict.fromkeys(SIX[:players], order))
    assert report.movement == (2, 2, 2)
    assert report.prices == (42, 32, 22)
