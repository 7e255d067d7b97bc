import json
from pathlib import Path

from hypothesis import given
from strategies import Game as WholeGame
from strategies import whole_game

from exdec import Game
from exdec.record import parse, read
from exdec.score import score

DATA = Path(__file__).parent / "data"


def test_a_month_that_is_only_bought_says_nothing_of_goods():
    # Rulebook example 2: totals 11, 15 and 7; the player pays 0 + 140 + 138.
    assert score(read(DATA / "rulebook-buying.jsonl")) == {
        "format": "exdec-score",
        "version": 1,
        "players": ["Ann", "Ben", "Cy"],
        "months": [
            {
                "month": 1,
                "units": {"X": 11, "F": 15, "S": 7},
                "prices": {"X": 41, "F": 35, "S": 17},
                "firms": {
                    "Ann": {
                        "bought": {"X": 0, "F": 4, "S": 6},
                        "paid": 278,
                        "purchase_void": False,
                        "cash": 322,
                        "materials": {"X": 0, "F": 4, "S": 6},
                    },
                    "Ben": {
                        "bought": {"X": 4, "F": 8, "S": 0},
                        "paid": 4 * 41 + 8 * 36,
                        "purchase_void": False,
                        "cash": 148,
                        "materials": {"X": 4, "F": 8, "S": 0},
                    },
                    "Cy": {
                        "bought": {"X": 0, "F": 3, "S": 1},
                        "paid": 3 * 35 + 17,
                        "purchase_void": False,
                        "cash": 478,
                        "materials": {"X": 0, "F": 3, "S": 1},
                    },
                },
            }
        ],
        "final": None,
    }


def test_a_whole_game():
    # Rulebook example 5: buys for $399, sells 2 A at $143 and 1 B at $120; C stays unsold.
    outcome = score(read(DATA / "rulebook-selling.jsonl"))
    (month,) = outcome["months"]
    assert month["units"] == {"X": 7, "F": 10, "S": 5, "A": 4, "B": 1, "C": 6}
    assert month["prices"] == {"X": 37, "F": 30, "S": 15, "A": 143, "B": 124, "C": 89}
    assert month["firms"]["Ann"] == {
        "bought": {"X": 5, "F": 4, "S": 3},
        "paid": 399,
        "purchase_void": False,
        "sold": {"A": 2, "B": 1, "C": 0},
        "received": 406,
        "sale_void": False,
        "cash": 607,
        "materials": {"X": 0, "F": 1, "S": 2},
    }
    assert outcome["final"] == {
        "liquidation": {"Ann": 30 + 2 * 15, "Ben": 2 * 37 + 30, "Cy": 5 * 30 + 2 * 15},
        "cash": {"Ann": 667, "Ben": 574, "Cy": 570},
        "profit": {"Ann": 67, "Ben": -26, "Cy": -30},
        "winners": ["Ann"],
    }


def test_keys_stand_in_the_order_of_the_format():
    firm = score(read(DATA / "rulebook-selling.jsonl"))["months"][0]["firms"]["Cy"]
    assert list(firm) == [
        "bought",
        "paid",
        "purchase_void",
        "sold",
        "received",
        "sale_void",
        "cash",
        "materials",
    ]


def test_r11_and_r14_are_said():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(12, 99))  # $1,188, and there are $900
    game.order("Ben")
    game.offer("Ann", A=(1, 100))
    game.offer("Ben")
    firms = score(game)["months"][0]["firms"]
    assert (firms["Ann"]["purchase_void"], firms["Ann"]["paid"]) == (True, 0)
    assert (firms["Ann"]["sale_void"], firms["Ann"]["received"]) == (True, 0)
    assert (firms["Ben"]["purchase_void"], firms["Ben"]["sale_void"]) == (False, False)


def test_before_the_first_step_there_is_nothing_to_score():
    assert score(Game(["Ann", "Ben"])) == {
        "format": "exdec-score",
        "version": 1,
        "players": ["Ann", "Ben"],
        "months": [],
        "final": None,
    }


def test_equal_profits_share_the_win():
    record = parse(
        '{"format": "exdec-game", "version": 1, "players": ["Ann", "Ben"], "months": 1}\n'
        '{"month": 1, "step": "buy", "bids": {}}\n'
        '{"month": 1, "step": "sell", "bids": {}}\n'
    )
    assert score(record)["final"]["winners"] == ["Ann", "Ben"]


@given(whole_game())
def test_cash_adds_up_and_json_holds_it_all(whole: WholeGame):
    game = Game(whole.start.players, whole.start.rules)
    for step in whole.steps:
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
    outcome = score(game)
    assert json.loads(json.dumps(outcome, allow_nan=False)) == outcome
    for player, before in zip(game.players, whole.start.firms, strict=True):
        cash = before.cash
        for month in outcome["months"]:
            firm = month["firms"][player]
            cash += firm["received"] - firm["paid"]
            assert firm["cash"] == cash
        final = outcome["final"]
        assert final["cash"][player] == cash + final["liquidation"][player]
        assert final["profit"][player] == final["cash"][player] - before.cash
