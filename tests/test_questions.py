import re
from collections import Counter

import class_example
import pytest

from exdec import STANDARD, Game
from exdec.analysis import split_profit
from exdec.debrief import debrief
from exdec.played import PlayedClass, PlayedTable, gather
from exdec.questions import PROMPTS, choose, worth_asking

STOCK = {"X": (4, 40), "F": (2, 30)}
"""Two A for $220; alone, X-FINE posts at $34, and FINE at $22."""


def play(*steps, rules=STANDARD, players=("Ann", "Ben")) -> Game:
    """A game of one step after another; each is what the players hand in, in seat order."""
    game = Game(players, rules.vary(months=(len(steps) + 1) // 2))
    for bids in steps:
        for player, own in zip(players, bids, strict=True):
            game.hand_in(player, own)
    return game


def table(game, name="Table 1", treatment="", **bots):
    return PlayedTable(name, game, treatment, bots, "")


def asked(*tables):
    """Every question worth asking, by its name."""
    shown = PlayedClass("", tables, (), False)
    return {question.name: question for question in worth_asking(shown)}


def test_there_are_enough_and_they_differ():
    assert len(PROMPTS) >= 12
    assert len({prompt.name for prompt in PROMPTS}) == len(PROMPTS)
    assert len({prompt.theme for prompt in PROMPTS}) >= 6
    for prompt in PROMPTS:
        assert len(prompt.listen) >= 2
        assert "?" in prompt.follow


def test_what_they_point_at_is_there():
    shown = debrief(class_example.FOLDER)
    assert {prompt.see for prompt in PROMPTS} <= {part.title for part in shown.parts}


def test_three_of_different_themes_the_weightiest_first():
    chosen = choose(gather(class_example.FOLDER))
    assert len(chosen) == 3
    assert len({question.theme for question in chosen}) == 3
    weights = [question.weight for question in chosen]
    assert weights == sorted(weights, reverse=True)
    of_theme = Counter(question.theme for question in worth_asking(gather(class_example.FOLDER)))
    assert max(of_theme.values()) > 1


def test_nothing_is_asked_where_nothing_happened():
    assert asked(table(Game(["Ann", "Ben"]))) == {}


def test_a_month_of_passes_has_its_questions():
    found = asked(table(play(({}, {}), ({}, {}))))
    # A posts at 140 + 11 and costs 2 × 30 + 20 then.
    assert "+$71 on one A, +$66 on one B and +$61 on one C" in found["which good"].ask
    assert "In January, 0 units of A were offered, and the price went from $140 to $151" in (
        found["who makes a price"].ask
    )


def test_no_number_is_left_open():
    for question in worth_asking(gather(class_example.FOLDER)):
        assert "?" in question.ask
        for text in (question.ask, question.follow, *question.listen):
            assert not re.search(r"[{}]", text)


def test_orders_that_bought_nothing():
    orders = {"X": (2, 45), "F": (10, 30)}, {"X": (10, 41)}
    found = asked(table(play(orders)))["orders that bought nothing"]
    assert "10 of the 22 units" in found.ask
    assert "raised it by $1" in found.listen[0]
    assert found.weight == 10  # $1 for each of ten units, on two that were bought; two firms


def test_dearer_materials():
    both = {"X": (10, 60)}
    found = asked(table(play((both, both))))["dearer materials"]  # 40 − 10 + 20
    assert "X-FINE opens at $40 and stands at $50 in January. Nobody" in found.ask
    assert found.weight == 10 * 20 / 2
    assert "dearer materials" not in asked(table(play((STOCK, {}))))


def test_too_many_goods():
    steps = ({"S": (12, 40), "F": (6, 40)}, STOCK), ({"C": (6, 70)}, {})
    found = asked(table(play(*steps)))["too many goods"]  # 11 − 12 = −1
    assert "In January, 6 C are offered, and the price falls by $1 to $89." in found.ask
    assert found.weight == 3


def test_another_table_another_price():
    low, high = play(({}, {})), play(({"X": (12, 50)}, {}))
    tables = [play(*((own.steps[0].bids["Ann"], {}), ({}, {}))) for own in (low, high)]
    found = asked(table(tables[0], "One"), table(tables[1], "Two"))
    question = found["another table, another price"]
    assert "in January, X-FINE stands at $30 at One and at $42 at Two" in question.ask
    assert question.weight == 12 * 12 / 4
    # Other rules, other prices: no wonder.
    other = play(({"X": (12, 50)}, {}), ({}, {}), rules=STANDARD.vary(goods_floor=2))
    assert "another table, another price" not in asked(table(tables[0], "1"), table(other, "2"))


def test_margins_that_melt():
    orders = {"X": (9, 49), "F": (6, 49)}, {"X": (9, 49), "F": (6, 49)}
    found = asked(table(play(orders, ({"A": (4, 60)}, {"A": (4, 60)}))))["margins that melt"]
    # A: 140 + 11 − 16 = $135; X-FINE 40 + 8, FINE 30 + 2: 2 × 48 + 32 = $128.
    assert "one A leaves $30 above its materials at Opening and $7 in January" in found.ask
    assert found.listen[0] == "The materials for one are $18 dearer, and its price is $5 lower."
    assert found.weight == 23 / 2 * 8 / 2


def test_sold_below_cost_is_not_called_a_mistake():
    found = asked(table(play((STOCK, {}), ({"A": (1, 100)}, {}))))["sold below cost"]
    assert "1 good was sold for less than the certificates in it had cost" in found.ask
    assert "$10 less in all. Was this sale a mistake?" in found.ask
    assert found.weight == 5
    assert "sunk cost" in found.listen[0]


def test_certificates_left_over():
    game = play((STOCK, {}), ({}, {}))
    found = asked(table(game))["certificates left over"]
    # Four X-FINE at $34 and two FINE at $22 bring $180 and cost $220.
    assert "had cost $220, and the Broker paid $180" in found.ask
    assert found.weight == 20 == -split_profit(game)[0].unsold / 2


def test_bids_beyond_the_market_weigh_what_is_beyond_a_safe_dollar_or_two():
    found = asked(table(play((STOCK, {}), ({"A": (1, 139)}, {}))))["bids beyond the market"]
    # X-FINE $6 a unit and FINE $8 above; A posts at 140 + 11 − 2 = $149.
    assert "cost you $50 in all: $40 paid above the market, $10 given away below it" in found.ask
    assert found.weight == (4 * 4 + 2 * 6 + 8) / 2


def test_you_are_told_only_what_people_bid():
    game = play((STOCK, STOCK), ({"A": (1, 139)}, {"A": (1, 139)}))
    alone, helped = (
        asked(table(game, **bots))["bids beyond the market"].ask for bots in ({}, {"Ben": "easy"})
    )
    # Each pays $2 a unit of X-FINE and $6 of FINE above; A posts at 140 + 11 − 4 = $147.
    assert "cost you $56 in all: $40 paid above the market, $16 given away below it" in alone
    assert "cost you $28 in all: $20 paid above the market, $8 given away below it" in helped
    missed = play(({"X": (2, 45)}, {"X": (10, 41)}))
    assert {"near misses", "orders that bought nothing"} <= {*asked(table(missed))}
    ours = asked(table(missed, Ben="easy"))
    assert not {"near misses", "orders that bought nothing"} & {*ours}


def test_near_misses():
    found = asked(table(play(({"X": (2, 45)}, {"X": (10, 41)}))))["near misses"]
    assert found.ask.startswith("1 bid missed the market by $1 or $2, and 10 units went with that.")
    assert "near misses" not in asked(table(play(({"X": (2, 45)}, {"X": (10, 39)}))))


def test_more_than_one_can_keep():
    rules = STANDARD.vary(starting_cash={2: 50})
    found = asked(table(play(({"X": (2, 45)}, {}), rules=rules)))["more than one can keep"]
    assert "Once a firm won more than it could pay or deliver, $90 in all" in found.ask
    assert found.weight == 4.5


def test_the_leader_of_the_people():
    game = play(({"X": (4, 40), "F": (2, 30)}, STOCK), ({"A": (2, 130)}, {"A": (2, 120)}))
    found = asked(table(game))["what the leader did"]
    assert "Ann makes the most, +$40; the other people make +$20 on average." in found.ask
    assert found.listen[0] == (
        "Ann: 2 goods sold, and +$20 earned on each. The others: 2.0 and +$10."
    )
    assert "what the leader did" not in asked(table(game, Ann="planner"))


def test_who_had_a_bot_for_half_the_steps_is_no_leader_of_the_people():
    names = ("Olga", "Ann", "Ben")
    stock = {"X": (4, 45), "F": (2, 30)}  # two A for $240
    sales = ({"A": (2, 135)}, {"A": (2, 130)}, {"A": (2, 120)})
    game = play((stock, stock, stock), sales, players=names)
    assert game.profit == {"Olga": 30, "Ann": 20, "Ben": 0}
    alone = asked(table(game))
    assert alone["what the leader did"].ask.startswith("Olga makes the most, ")
    helped = PlayedTable("Table 1", game, "", {}, "", {"Olga": 1})
    question = asked(helped)["what the leader did"]
    assert question.ask.startswith("Ann makes the most of the people, ")
    for found in asked(helped).values():
        assert "Olga" not in f"{found.ask} {found.listen} {found.follow}"
    # No bot's firm is there to compare with, and of one person's plan nobody asks.
    assert not {"bots ahead", "people ahead"} & {*asked(helped)}
    few = PlayedTable("Table 1", game, "", {"Ben": "easy"}, "", {"Olga": 2})
    assert "what the leader did" not in asked(few)


def test_all_in_one_good():
    game = play((STOCK, STOCK), ({"A": (2, 100)}, {"A": (1, 100)}))
    assert "3 of the 3 goods offered were A." in asked(table(game))["all in one good"].ask


@pytest.mark.parametrize(
    ("units", "name"), [(4, "nobody holds back"), (1, "few goods, high prices")]
)
def test_restraint(units, name):
    orders = {"X": (8, 90), "F": (4, 40)}
    game = play((orders, orders), ({"A": (units, 100)}, {"A": (units, 100)}))
    found = asked(table(game))
    assert name in found
    assert f"{2 * units:.1f} A a month" in found[name].ask
    # 2.5 units too many (3.5 too few) at $2, on eight (two) that were sold; two firms.
    assert found[name].weight == {4: 2.5 * 2 * 8 / 2, 1: 3.5 * 2 * 2 / 2}[units]


def test_had_each_firm_kept_one_back():
    orders = {"X": (8, 90), "F": (4, 40)}
    question = asked(table(play((orders, orders), ({"A": (4, 100)}, {"A": (4, 100)}))))[
        "nobody holds back"
    ]
    assert "the price would be $4 higher" in question.ask
    less = play((orders, orders), ({"A": (3, 100)}, {"A": (3, 100)}))
    more = play((orders, orders), ({"A": (4, 100)}, {"A": (4, 100)}))
    assert less.state.good_prices.A - more.state.good_prices.A == 4


def test_bots_and_people():
    game = play((STOCK, STOCK), ({"A": (2, 130)}, {"A": (2, 120)}))
    ahead = asked(table(game, Ann="planner"))["bots ahead"]
    assert "The bot makes +$40, the people +$20 on average." in ahead.ask
    assert ahead.weight == 10
    behind = asked(table(game, Ben="planner"))
    assert "bots ahead" not in behind
    assert "The bot makes +$20, the people +$40" in behind["people ahead"].ask
    assert not {"bots ahead", "people ahead"} & {*asked(table(game))}


def test_a_firm_that_people_and_a_bot_shared_is_in_neither_group():
    names = ("Ann", "Ben", "Bot 1", "Bot 2")
    stock = {"X": (4, 47), "F": (2, 29)}  # two A for $246; X-FINE posts at $46, FINE at $28
    sales = ({"A": (2, 135)}, {"A": (2, 130)}, {"A": (2, 125)}, {"A": (2, 120)})
    bots = {"Bot 1": "easy", "Bot 2": "easy"}
    game = play((stock, stock, stock, stock), sales, players=names)
    assert game.profit == {"Ann": 24, "Ben": 14, "Bot 1": 4, "Bot 2": -6}
    shared = PlayedTable("Table 1", game, "", bots, "", {}, {"Bot 1": 1})
    found = asked(shared)["people ahead"]
    assert "The bot makes −$6, the people +$19 on average." in found.ask


def test_an_experiment():
    rich = play((STOCK, STOCK), ({"A": (2, 130)}, {"A": (2, 120)}))
    poor = play(({}, {}), ({}, {}))
    found = asked(table(rich, "1", "talk"), table(poor, "2", "silence"))["an experiment"]
    assert 'with "talk" a firm makes +$30 on average, with "silence" $0' in found.ask.replace(
        "At tables ", ""
    )
    assert "1 table against 1" in found.listen[0]
    assert found.weight == 30


def test_an_experiment_with_games_of_different_lengths_compares_months():
    """People make +$40 in one month at the first table, and +$20 in two at the second."""
    sales = ({"A": (2, 130)}, {"A": (2, 120)})
    short = play((STOCK, STOCK), sales)
    long = play((STOCK, STOCK), sales, ({}, {}), ({}, {}))
    tables = table(short, "1", "short", Ben="easy"), table(long, "2", "long", Ann="easy")
    found = asked(*tables)["an experiment"]
    assert (
        'with "short" a firm that people played makes +$40 a month on average, with "long" +$10.'
        in found.ask
    )
    assert found.weight == (40 - 10) * 1.5


def test_an_experiment_among_bots_compares_bots():
    game = play((STOCK, STOCK), ({"A": (2, 130)}, {"A": (2, 120)}))
    idle = play(({}, {}), ({}, {}))
    bots = {"Ann": "easy", "Ben": "easy"}
    found = asked(table(game, "1", "talk", **bots), table(idle, "2", "silence", **bots))
    assert 'with "talk" a firm makes +$30 on average' in found["an experiment"].ask


def test_a_class_whose_orders_fail_is_asked_about_them():
    """Of 24 units 20 are lost: a third of them are goods, at Opening's margins of $25 on average.

    X-FINE posts at 40 − 10 + 20 = $50.
    """
    game = play(({"X": (12, 45)}, {"X": (8, 40), "F": (2, 30), "S": (2, 30)}), ({}, {}))
    found = asked(table(game))
    assert "20 of the 24 units" in found["orders that bought nothing"].ask
    assert found["orders that bought nothing"].weight == pytest.approx(20 / 3 * 25 / 2)
    # FINE and STANDARD, at $22 and $12, were bought.
    assert found["orders that bought nothing"].listen[0].endswith("for those who did buy.")
    nobody = asked(table(play(({"X": (12, 39)}, {"X": (12, 39)}), ({}, {}))))
    assert nobody["orders that bought nothing"].listen[0].endswith("though nobody bought one.")


def test_margins_melt_where_nobody_could_sell():
    """X-FINE posts at 40 − 10 + 30 = $60, so an A leaves 151 − 2 × 60 − 20 = $11 of $30."""
    rules = STANDARD.vary(order_limit={2: 30}, grade_limit={2: 30})
    game = play(({"X": (12, 39)}, {"X": (18, 39)}), ({}, {}), rules=rules)
    found = asked(table(game))["margins that melt"]
    assert "one A leaves $30 above its materials at Opening and $11 in January" in found.ask
    assert found.weight == pytest.approx(19 / 2 * (30 / 3 / 3) / 2)


def test_only_units_that_missed_by_a_dollar_or_two_were_lost_to_save_it():
    """X-FINE posts at 40 − 10 + 16 = $46: ten units at $45 miss it by $1, four at $30 by $16."""
    game = play(({"X": (2, 56)}, {"X": (10, 45)}, {"X": (4, 30)}), players=("Ann", "Ben", "Cy"))
    found = asked(table(game))["bids beyond the market"]
    assert found.listen[1] == (
        "The other side of it: 10 units were lost by bids that missed the market by $1 or $2."
    )


def test_nobody_is_named_for_a_mistake():
    shown = gather(class_example.FOLDER)
    players = {player for table in shown.tables for player in table.game.players}
    for question in worth_asking(shown):
        named = {player for player in players if player in f"{question.ask} {question.listen}"}
        assert not named or question.name == "what the leader did"
