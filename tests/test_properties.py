"""What holds in every game, whatever the rules and whatever is bid."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import orders, play, players, rules, whole_game

from exdec.engine import buy, liquidate, new_game, sell
from exdec.items import Goods, Materials
from exdec.model import BuyReport, Line, Outcome, SaleReport
from exdec.production import deliver
from exdec.rules import STANDARD, VARIATION, PastTable

MISSED = {Outcome.NO_BID, Outcome.BELOW_MARKET, Outcome.ABOVE_MARKET}
VOIDED = {Outcome.SHORT_OF_CASH, Outcome.CANNOT_DELIVER}


def firms_of(step):
    """Each firm before a step, what became of it, and the firm afterwards."""
    return zip(step.before.firms, step.report.firms, step.after.firms, strict=True)


def halves(game):
    """The months of a game, as pairs of the two steps."""
    return zip(game.steps[::2], game.steps[1::2], strict=True)


def less(held, used):
    return tuple(a - b for a, b in zip(held, used, strict=True))


# -- nothing is made of nothing ------------------------------------------------------------------


@given(whole_game())
def test_nobody_holds_less_than_nothing(game):
    for step in game.steps:
        for firm in step.after.firms:
            assert firm.cash >= 0
            assert min(firm.materials) >= 0


@given(whole_game())
def test_every_dollar_and_certificate_of_a_step_is_in_its_report(game):
    for buying, selling in halves(game):
        for before, bought, after in firms_of(buying):
            assert before.cash - after.cash == bought.paid
            assert bought.paid == sum(line.filled * line.price for line in bought.lines)
            gained = less(after.materials, before.materials)
            assert gained == tuple(line.filled for line in bought.lines)
            assert after == (bought.cash, bought.materials)
        for before, sold, after in firms_of(selling):
            assert after.cash - before.cash == sold.received
            assert sold.received == sum(line.filled * line.price for line in sold.lines)
            assert less(before.materials, after.materials) == sold.delivery.certificates
            assert after == (sold.cash, sold.materials)


@given(whole_game())
def test_certificates_handed_in_are_those_that_the_goods_take(game):
    recipes = game.start.rules.production
    for _, selling in halves(game):
        for sold in selling.report.firms:
            needs = [
                sum(
                    line.filled * getattr(recipe, grade)
                    for line, recipe in zip(sold.lines, recipes, strict=True)
                )
                for grade in "XFS"
            ]
            certificates, x_for_f, f_for_s = sold.delivery
            assert sum(certificates) == sum(needs)
            assert certificates == (
                needs[0] + x_for_f,
                needs[1] - x_for_f + f_for_s,
                needs[2] - f_for_s,
            )


@given(whole_game())
def test_whole_game_balances_with_the_broker(game):
    for number, name in enumerate(game.start.players):
        paid = sum(buying.report.firms[number].paid for buying, _ in halves(game))
        received = sum(selling.report.firms[number].received for _, selling in halves(game))
        left = game.end.firms[number]
        liquidation = sum(
            units * price
            for units, price in zip(left.materials, game.end.material_prices, strict=True)
        )
        assert left.cash == game.start.firms[number].cash - paid + received
        assert game.final.liquidation[number] == liquidation
        assert game.final.cash[number] == left.cash + liquidation
        assert game.final.profit[number] == received + liquidation - paid
        assert (name in game.final.winners) == (game.final.profit[number] == max(game.final.profit))


# -- prices --------------------------------------------------------------------------------------


@given(whole_game())
def test_price_moves_along_the_line_of_the_calculator(game):
    agreed = game.start.rules
    for step in game.steps:
        buying = isinstance(step.report, BuyReport)
        line = agreed.materials_calculator if buying else agreed.goods_calculator
        floor = agreed.materials_floor if buying else agreed.goods_floor
        before = step.before.material_prices if buying else step.before.good_prices
        report = step.report
        assert report.before == before
        for item in report.units._fields:
            units = sum(order.get(item, (0, 0))[0] for order in step.bids.values())
            column = min(units, line.last) if agreed.past_table is PastTable.CLAMP else units
            moved = line.at_zero + line.per_unit * column
            assert getattr(report.units, item) == units
            assert getattr(report.movement, item) == moved
            assert getattr(report.prices, item) == max(floor, getattr(before, item) + moved)


@given(whole_game())
def test_step_posts_its_own_prices_and_leaves_the_others(game):
    for buying, selling in halves(game):
        assert buying.after.material_prices == buying.report.prices
        assert buying.after.good_prices == buying.before.good_prices
        assert selling.after.good_prices == selling.report.prices
        assert selling.after.material_prices == selling.before.material_prices


@given(whole_game(), st.integers(1, 999))
def test_prices_follow_from_units_alone(game, price):
    for step in game.steps:
        others = {
            name: {item: (units, price) for item, (units, _) in order.items()}
            for name, order in step.bids.items()
        }
        assert play(step.before, others)[1].prices == step.report.prices


# -- settlement ----------------------------------------------------------------------------------


@given(whole_game())
def test_void_is_for_want_of_cash_or_certificates_and_changes_nothing(game):
    for step in game.steps:
        for before, settled, after in firms_of(step):
            won = type(settled.lines)(*(line.won for line in settled.lines))
            if isinstance(step.report, BuyReport):
                assert settled.void == (settled.due > before.cash)
                moved = settled.paid
            else:
                can = deliver(step.before.rules, before.materials, won)
                assert settled.void == (can is None)
                moved = settled.received
            assert settled.due == sum(line.won * line.price for line in settled.lines)
            assert moved == (0 if settled.void else settled.due)
            if settled.void:
                assert after == before
                assert {line.outcome for line in settled.lines} <= MISSED | VOIDED


@given(whole_game())
def test_outcome_tells_how_units_price_and_market_stand(game):
    for step in game.steps:
        sign = 1 if isinstance(step.report, BuyReport) else -1
        for name, settled in zip(step.before.players, step.report.firms, strict=True):
            order = step.bids.get(name, {})
            for item, line, market in zip(
                settled.lines._fields, settled.lines, step.report.prices, strict=True
            ):
                assert (line.units, line.price) == order.get(item, (0, 0))
                assert 0 <= line.filled <= line.won <= line.units
                assert line.filled == (0 if settled.void else line.won)
                assert (line.outcome is Outcome.NO_BID) == (line.units == 0)
                hit = sign * (line.price - market) >= 0
                if line.units:
                    assert (line.won == line.units) == hit
                    assert (line.outcome in VOIDED) == (settled.void and line.won > 0)
                    assert (line.outcome in MISSED) == (line.won == 0)
                    if not settled.void:
                        assert (line.outcome is Outcome.FILLED) == hit


@given(whole_game())
def test_partial_fill_loses_whole_steps_of_dollars(game):
    agreed = game.start.rules
    for step in game.steps:
        buying = isinstance(step.report, BuyReport)
        partial = agreed.partial_buys if buying else agreed.partial_sales
        dollars = agreed.buy_dollars_per_unit_lost if buying else agreed.sale_dollars_per_unit_lost
        for settled in step.report.firms:
            for line, market in zip(settled.lines, step.report.prices, strict=True):
                missed = market - line.price if buying else line.price - market
                if line.units and missed > 0:
                    lost = sum(1 for dollar in range(missed) if dollar % dollars == 0)
                    assert line.won == (max(0, line.units - lost) if partial else 0)


@given(st.data(), st.sampled_from([(0, 0), (0, 3), (9, 9)]))
def test_variation_plays_as_the_standard_game_when_no_bid_misses(data, spare):
    """Prices follow from units alone, so each bid can be set to hit."""
    standard = new_game(data.draw(players()), STANDARD.vary(months=2))
    variation = replace(standard, rules=VARIATION.vary(months=2))
    for _ in range(2):
        for over, settle in zip(spare, (buy, sell), strict=True):
            drawn = data.draw(orders(standard))
            market = settle(standard, drawn)[1].prices
            sign = 1 if settle is buy else -1
            hits = {
                name: {
                    item: (units, max(1, getattr(market, item) + sign * over))
                    for item, (units, _) in order.items()
                }
                for name, order in drawn.items()
            }
            standard, plain = settle(standard, hits)
            variation, varied = settle(variation, hits)
            assert varied == plain
            assert replace(variation, rules=standard.rules) == standard
    assert liquidate(variation) == liquidate(standard)


# -- nothing else matters ------------------------------------------------------------------------


@given(whole_game(), st.data())
def test_seats_do_not_matter(game, data):
    seats = data.draw(st.permutations(range(len(game.start.players))))

    def seated(values):
        return tuple(values[seat] for seat in seats)

    state = new_game(seated(game.start.players), game.start.rules)
    for step in game.steps:
        state, report = play(state, step.bids)
        assert report.prices == step.report.prices
        assert report.firms == seated(step.report.firms)
        assert state.firms == seated(step.after.firms)
    final = liquidate(state)
    assert final.profit == seated(game.final.profit)
    assert set(final.winners) == set(game.final.winners)


@given(whole_game())
def test_same_bids_give_the_same_game(game):
    state = new_game(list(game.start.players), game.start.rules)
    for step in game.steps:
        assert state == step.before
        state, report = play(state, step.bids)
        assert report == step.report
    assert liquidate(state) == game.final


@given(whole_game())
def test_passing_is_the_same_as_not_being_there(game):
    for step in game.steps:
        spelled_out = {name: {} for name in step.before.players} | step.bids
        assert play(step.before, spelled_out) == (step.after, step.report)


@settings(max_examples=20)
@given(whole_game(rules(most_months=12)))
def test_months_and_steps_take_turns(game):
    months = [step.report.month for step in game.steps]
    assert months == [1 + n // 2 for n in range(2 * game.start.rules.months)]
    assert [type(step.report) for step in game.steps[:2]] == [BuyReport, SaleReport]
    assert game.end.month == game.start.rules.months


@given(whole_game())
def test_all_numbers_are_plain_and_all_tables_named(game):
    for step in game.steps:
        report = step.report
        table = Materials if isinstance(report, BuyReport) else Goods
        for values in (report.units, report.before, report.movement, report.prices):
            assert type(values) is table
            assert {type(value) for value in values} == {int}
        for firm in step.after.firms:
            assert type(firm.materials) is Materials
            assert {type(value) for value in (firm.cash, *firm.materials)} == {int}
        for settled in report.firms:
            assert {type(line) for line in settled.lines} == {Line}
