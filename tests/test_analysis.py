from hypothesis import given
from hypothesis import strategies as st
from strategies import whole_game

from exdec import STANDARD, VARIATION, Game
from exdec.analysis import GoodsSold, Split, goods_sold, split_profit
from exdec.items import Good
from exdec.model import Step


def one_month(**offer) -> Game:
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.order("Ann", X=(3, 40), F=(3, 30), S=(2, 30))  # posts at $33, $23 and $12
    game.order("Ben")
    game.offer("Ann", offer)
    game.offer("Ben")
    return game


def test_goods_above_cost_goods_below_cost_and_what_is_left_over():
    game = one_month(A=(1, 149), C=(1, 60))
    # A costs 2 × 40 + 30 = 110; C costs 30 + 2 × 30 = 90. Left: one X-FINE at 40 and one FINE at
    # 30, for which the Broker pays 33 + 23.
    assert split_profit(game)[0] == Split("Ann", gains=39, losses=-30, unsold=56 - 70)
    assert goods_sold(game, "Ann") == [
        GoodsSold(1, Good.A, 1, 149, 110),
        GoodsSold(1, Good.C, 1, 60, 90),
    ]


def test_who_does_nothing_has_nothing_to_split():
    assert split_profit(one_month())[1] == Split("Ben", 0, 0, 0)


def test_a_failed_bid_moves_no_money():
    game = one_month(A=(1, 151))  # posts at $149
    assert split_profit(game)[0] == Split("Ann", 0, 0, unsold=3 * 33 + 3 * 23 + 2 * 12 - 270)


def test_before_the_end_certificates_in_hand_are_money_paid():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 40))
    game.order("Ben")
    assert split_profit(game)[0] == Split("Ann", 0, 0, unsold=-80)
    assert game.profit["Ann"] == -80


def test_cost_is_the_average_over_months():
    game = Game(["Ann", "Ben"], VARIATION.vary(months=2))
    game.order("Ann", X=(2, 40), F=(1, 30))
    game.order("Ben")
    game.offer("Ann")
    game.offer("Ben")
    game.order("Ann", X=(2, 61), F=(1, 41))
    game.order("Ben")
    game.offer("Ann", A=(1, 140))
    game.offer("Ben")
    assert goods_sold(game, "Ann")[0].cost == (80 + 122) // 2 + 36  # FINE: 35½, rounded up


@given(whole_game(), st.data())
def test_the_parts_are_the_profit_of_every_firm_at_every_step(played, data):
    game = Game(played.start.players, played.start.rules)
    stop = data.draw(st.integers(0, len(played.steps)))
    for step in played.steps[:stop]:
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
    splits = split_profit(game)
    assert {split.player: split.profit for split in splits} == game.profit
    for split in splits:
        assert split.losses <= 0 <= split.gains
        assert sum(sold.margin for sold in goods_sold(game, split.player)) == (
            split.gains + split.losses
        )
    if game.step is Step.OVER:
        for split, firm in zip(splits, game.state.firms, strict=True):
            assert any(firm.materials) or not split.unsold
