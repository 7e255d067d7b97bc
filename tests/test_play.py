import inspect
import re

import nasty
import pytest

from exdec import STANDARD, VARIATION, Game, Step, TurnError
from exdec.bots import BOTS, Cautious, RandomLegal, make_bot
from exdec.guard import Apart
from exdec.notebook.report import story
from exdec.play import play, play_many, play_step
from exdec.table import Table
from exdec.text import game_text


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("rules", [STANDARD.vary(months=3), VARIATION.vary(months=3)])
def test_games_side_by_side_are_those_that_are_played_one_by_one(name, rules):
    bots = {"Ann": make_bot(name), "Ben": RandomLegal(), "Cy": nasty.Good()}
    games = play_many(rules, bots, range(3))
    assert [game.steps for game in games] == [play(rules, bots, seed).steps for seed in range(3)]
    assert games[0].steps != games[1].steps


def test_no_seeds_make_no_games():
    assert play_many(STANDARD, {"Ann": Cautious(), "Ben": nasty.Good()}, []) == []


def odd_months(self, view):
    return None if view.month % 2 else {"X": (1, 60)}


def test_a_game_goes_on_after_a_fault_and_its_report_names_it():
    rules = STANDARD.vary(months=3)
    game = play(rules, {"Ann": Cautious(), "Ben": nasty.bad(odd_months)()}, 1)
    assert game.step is Step.OVER
    assert [(fault.player, fault.month) for fault in game.faults] == [("Ben", 1), ("Ben", 3)]
    assert [step.bids["Ben"] for step in game.steps[::2]] == [{}, {"X": (1, 60)}, {}]
    sentence = "In January Ben's strategy returned nothing for its order. Ben passes."
    assert sentence in game_text(game)
    assert sentence in story(game, "Ann")
    assert "In January Ben&#x27;s strategy returned nothing" in game._repr_html_()
    assert "Moves that were lost" not in game_text(
        play(rules, {"A": Cautious(), "B": Cautious()}, 1)
    )


def test_a_strategy_that_lacks_a_method_passes():
    class Buys:
        def order(self, view):
            return {"X": (1, 60)}

    game = play(STANDARD.vary(months=1), {"Ann": Cautious(), "Ben": Buys()}, 1)
    assert [str(fault) for fault in game.faults] == [
        "In January Ben's strategy stopped with AttributeError: 'Buys' object has no attribute "
        "'offer'. Ben passes."
    ]


def test_a_strategy_may_be_named_or_given_as_its_class(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(inspect.getsource(nasty.Good), encoding="utf-8")
    rules = STANDARD.vary(months=3)
    game = play(rules, {"Ann": "easy", "Ben": RandomLegal, "Cy": f"{path}:Good"}, 1)
    assert game.faults == []
    same = play(rules, {"Ann": Cautious(), "Ben": make_bot("random"), "Cy": nasty.Good()}, 1)
    assert game.steps == same.steps


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (
            {"Ann": "easy", "Ben": "hrd"},
            "There is no rival called 'hrd'. Did you mean 'hard'?",
        ),
        ({"Ann": "easy", "Ben": 3}, "Ben is to play 3, which is no strategy: it has neither order"),
        ({"Ann": dict, "Ben": "easy"}, "Ann is to play <class 'dict'>, which is no strategy"),
        (
            ["easy", "hard"],
            "['easy', 'hard'] does not say who plays what. Write {\"Ann\": \"easy\"",
        ),
    ],
)
def test_what_is_no_strategy_is_refused(bots, said):
    with pytest.raises(TurnError, match=re.escape(said)):
        play(STANDARD, bots, 1)


def test_a_fault_is_taken_back_with_its_step():
    import numpy as np

    game = Game(["Ann", "Ben"])
    rngs = dict.fromkeys(game.players, np.random.default_rng(1))
    bots = {"Ann": Cautious(), "Ben": nasty.bad(odd_months)()}
    play_step(game, bots, rngs)
    play_step(game, bots, rngs)
    assert len(game.faults) == 1
    game.undo()
    assert len(game.faults) == 1
    game.undo()
    assert game.faults == []
    play_step(game, bots, rngs)
    assert len(game.faults) == 1


def test_rivals_at_a_table_are_guarded_too():
    table = Table(Game(["You", "Ben"]), {"Ben": "cautious"})
    table._bots["Ben"] = nasty.bad(odd_months)()
    report = table.hand_in("You", {"X": (1, 45)})
    assert report.units == (1, 0, 0)
    assert len(table.game.faults) == 1
    table.undo()
    assert table.game.faults == []


class Overbids(Cautious):
    """Builds on a strategy of the package, and orders too much."""

    def orders(self, view):
        bids = super().orders(view)
        return bids._replace(units=bids.units + 99)


def test_a_strategy_that_builds_on_one_of_the_package_is_guarded():
    game = play(STANDARD.vary(months=1), {"Ann": Overbids(), "Ben": Cautious()}, 1)
    assert "In January Ann's strategy ordered 306 units" in str(game.faults[0])


class Counts(nasty.Good):
    """Orders as many units as the game has months so far, by counting in itself."""

    def __init__(self):
        self.month = 0

    def order(self, view):
        self.month += 1
        return {"X": (self.month, 60)}


def test_apart_each_game_side_by_side_has_a_strategy_of_its_own():
    rules = STANDARD.vary(months=3)
    with Apart(Counts, limit=20) as bot:
        games = play_many(rules, {"Ann": bot, "Ben": Cautious()}, range(4))
    for game in games:
        assert [step.bids["Ann"]["X"].units for step in game.steps[::2]] == [1, 2, 3]
        assert game.faults == []
