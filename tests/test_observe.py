import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import orders, players, rules

from exdec import STANDARD, BidError, Game, Step
from exdec.items import Goods, Materials


def test_a_seat_sees_its_own_cash_and_results_and_everyones_units_and_certificates():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 41), F=(1, 99))
    game.order("Ben", X=(10, 77))
    view = game.observe("Ann")
    assert (view.cash, view.materials) == (801, (0, 1, 0))
    assert view.results[0].lines.X.outcome.value == "below market"
    assert view.certificates == ((0, 1, 0), (10, 0, 0))
    assert view.postings[0].announced == ((2, 1, 0), (10, 0, 0))
    assert view.postings[0].prices == (42, 21, 10)
    assert view.postings[0].cash is None
    assert view.postings[0].lines is None
    assert "77" not in repr(view)


def test_limits_and_what_can_be_made_are_at_hand():
    view = Game(["Ann", "Ben"]).observe("Ann")
    assert (view.order_limit, view.grade_limit) == (18, 12)
    assert Game(["Ann", "Ben", "Cy"]).observe("Ann").grade_limit == 12
    assert view.makeable.most == (0, 0, 0)


def three_firms():
    game = Game(["Ann", "Ben", "Cy"])
    game.order("Ann", X=(3, 45), F=(2, 40))
    game.order("Ben", X=(8, 45), S=(1, 30))
    game.order("Cy", F=(5, 40))
    return game


def test_what_a_certificate_and_a_good_cost_is_at_hand():
    view = three_firms().observe("Ann")
    assert view.unit_cost == (45.0, 40.0, 0.0)
    assert view.stock.cost == (135, 80, 0)
    assert view.cost_of({"A": 1}) == 2 * 45 + 40
    assert view.cost_of(0) == 0
    with pytest.raises(BidError, match=r"2 A cannot be made of what Ann holds.*view\.makeable"):
        view.cost_of({"A": 2})


def test_what_the_others_announced_and_hold_leaves_oneself_out():
    game = three_firms()
    view = game.observe("Ann")
    assert view.others_ordered == (Materials(8, 5, 1),)
    assert view.others_offered == ()
    assert view.others_certificates == (8, 5, 1)
    game.offer("Ann", A=(1, 100))
    game.offer("Ben")
    game.offer("Cy", C=(1, 80))
    view = game.observe("Ann")
    assert view.others_offered == (Goods(0, 0, 1),)
    assert view.others_ordered[-1] == (8, 5, 1)
    assert Game(["Ann", "Ben"]).observe("Ann").others_ordered == ()


@pytest.mark.parametrize(
    ("units", "prices"),
    [(11, (41, 31, 21)), ({"X": 12, "F": 5}, (42, 25, 10)), ([12, 5, 0], (42, 25, 10))],
)
def test_R1_prices_for_a_guess_at_what_all_order(units, prices):
    assert Game(["Ann", "Ben"]).observe("Ann").materials_at(units) == prices


def test_R5_R6_guessed_prices_stop_at_the_floor_and_at_the_table_where_the_rules_do():
    rules = STANDARD.vary(opening_materials={"S": 4}, opening_goods={"A": 9}, past_table="clamp")
    view = Game(["Ann", "Ben"], rules).observe("Ann")
    assert view.materials_at(0).S == 1
    assert view.materials_at(99).X == 40 + 14
    assert view.goods_at({"A": 20}) == (1, 126, 101)


@given(st.data())
def test_a_right_guess_at_the_totals_gives_the_prices_that_post(data):
    game = Game(data.draw(players()), data.draw(rules()))
    while game.step is not Step.OVER:
        view = game.observe(game.players[0])
        bids = data.draw(orders(game.state))
        for player in game.players:
            game.hand_in(player, bids.get(player, {}))
        at = view.materials_at if view.step is Step.BUY else view.goods_at
        assert at(game.report.units) == game.report.prices


@pytest.mark.parametrize(
    ("units", "message"),
    [
        (2.5, r"Units of X are a whole number, not 2\.5\. round"),
        ("12", "Units of X are a whole number, not '12'"),
        (-1, "Units of X run from 0, not -1"),
        ({"A": 1}, "no 'A' here; there are X, F, S"),
        ([1, 2], "three numbers, not 2"),
    ],
)
def test_a_guess_that_cannot_be_read_is_refused_with_the_way_out(units, message):
    with pytest.raises(BidError, match=message):
        Game(["Ann", "Ben"]).observe("Ann").materials_at(units)


def test_R21_a_teacher_may_reveal_cash_and_bids():
    game = Game(["Ann", "Ben"], STANDARD.vary(reveal=["cash", "bids"]))
    game.order("Ann", X=(1, 50))
    game.order("Ben", X=(2, 45))
    posting = game.observe("Ann").postings[0]
    assert posting.cash == (850, 810)
    assert posting.lines[1].X.price == 45


@given(st.data())
def test_R21_others_secrets_do_not_reach_a_seat(data):
    """Others bid at other prices that come to the same public facts: the view stays the same."""
    changed = data.draw(rules()).vary(reveal=[], partial_buys=False, partial_sales=False)
    names = data.draw(players())
    mine = names[0]
    game, twin = Game(names, changed), Game(names, changed)
    different = False
    while game.step is not Step.OVER:
        bids = data.draw(orders(game.state))
        for player in names:
            tally = bids.get(player, {})
            game.hand_in(player, tally)
            # A dollar more for materials, or less for goods, leaves a bid that met the market on
            # its side of it, and changes the cash.
            other = {item: (n, p + (1 if game.step else 0)) for item, (n, p) in tally.items()}
            twin.hand_in(player, tally if player == mine else other)
        different |= [f.cash for f in game.state.firms] != [f.cash for f in twin.state.firms]
        same = [f.materials for f in game.state.firms] == [f.materials for f in twin.state.firms]
        assume(same)
        assert game.observe(mine) == twin.observe(mine)
    assume(different)


def test_an_unopened_order_is_in_nobodys_view():
    game, twin = Game(["Ann", "Ben", "Cy"]), Game(["Ann", "Ben", "Cy"])
    game.order("Ben", X=(7, 4321))
    assert game.observe("Ann") == twin.observe("Ann")
    assert game.observe("Ben").materials == Materials(0, 0, 0)
