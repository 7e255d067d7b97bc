from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import orders, players, rules

from exdec import STANDARD, Game, Step
from exdec.items import Materials


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
