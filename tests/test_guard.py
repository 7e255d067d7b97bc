import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import nasty
import numpy as np
import pytest

from exdec import STANDARD, Game, Step
from exdec.bots import Cautious, FullCapacity, RandomLegal
from exdec.errors import TurnError
from exdec.guard import Apart, Fault, ask
from exdec.play import play

SOON = 0.3
"""Seconds for a strategy that will not answer; one that will has more."""


def january(player="Ben", **changes):
    return Game(["Ann", "Ben", "Cy"], **changes).observe(player, np.random.default_rng(1))


def fault_of(order, view=None):
    answer = ask(nasty.bad(order)(), view or january())
    assert answer.bids == {}
    return str(answer.fault)


def returning(value):
    return lambda self, view: value


# -- what it says --------------------------------------------------------------------------------


def test_a_move_within_the_rules_is_handed_on_as_plain_numbers():
    order = {"X": (np.int64(2), np.int64(40)), "F": (0, 0)}
    answer = ask(nasty.bad(returning(order))(), january())
    assert answer == ({"X": (2, 40)}, None)
    assert [type(n) for n in answer.bids["X"]] == [int, int]


def test_a_fault_names_the_month_the_player_the_limit_and_what_follows():
    fault = Fault("Ben", 3, Step.BUY, "ordered 14 units; 3 players may order 12 each")
    assert str(fault) == (
        "In March Ben's strategy ordered 14 units; 3 players may order 12 each. Ben passes."
    )
    you = Fault("You", 3, Step.BUY, "returned nothing for its order")
    assert str(you) == "In March your strategy returned nothing for its order. You pass."


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ({"X": (8, 40), "F": (6, 40)}, "ordered 14 units; 3 players may order 12 each"),
        ({"X": (10**5000, 40)}, "ordered a number of more than 12 digits units"),
        ({"X": (2.5, 40)}, "cannot be taken. X-FINE: units must be a whole number, not 2.5"),
        ({"X": (2, float("nan"))}, "a price must be a whole number, not nan"),
        ({"X": (2, 0)}, r"a price runs from $1 to $999,999, not 0"),
        ({"X": (True, 40)}, "units must be a whole number, not True"),
        ({"X": 40}, "write (units, price), such as (2, 40), not 40"),
        ({"A": (1, 40)}, "There is no 'A' to order"),
        ([("X", 1, 40)], "not list"),
        (None, "returned nothing for its order"),
        (range(10**9), "not range"),
        (nasty.Odd(), "returned what cannot be read (RuntimeError: no entry)"),
    ],
)
def test_nonsense_is_a_pass_and_named(returned, said):
    assert said in fault_of(returning(returned))


def test_R7_the_limit_for_one_grade_is_named():
    view = Game(["Ann", "Ben"]).observe("Ben")
    said = fault_of(returning({"F": (13, 30), "S": (1, 20)}), view)
    assert "ordered 13 units of F; 2 players may order 12 of one grade each. Ben passes." in said


def test_R14_an_offer_that_is_refused_is_a_pass():
    game = Game(["Ann", "Ben"], undeliverable="refuse")
    game.open_bids()
    bot = type("Seller", (), {"offer": returning({"A": (1, 140)})})()
    answer = ask(bot, game.observe("Ben"))
    assert "1 A cannot be made of 0 X-FINE, 0 FINE, 0 STANDARD" in str(answer.fault)
    assert "view.makeable" in answer.fault.mend


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (nasty.leaves, "stopped with SystemExit: bye, in line"),
        (nasty.goes_round, "stopped with RecursionError: maximum recursion depth exceeded"),
        (nasty.takes_all_memory, "stopped with MemoryError"),
        (nasty.returns_itself, "returned an order that must look like {"),
        (nasty.yields, "not generator"),
        (nasty.waits, "not coroutine"),
        (nasty.takes_no_view, "takes 1 positional argument but 2 were given"),
        (nasty.deletes, "changed its view"),
        (nasty.gives_itself_cash, "changed its view"),
        (nasty.changes_the_rules, "changed its view"),
        (nasty.hides_a_trap_in_the_view, "changed its view"),
    ],
)
def test_what_raises_or_meddles_is_a_pass_and_named(order, said):
    assert said in fault_of(order)


def test_an_error_is_told_with_the_line_of_ones_own_code():
    said = fault_of(nasty.divides)
    line = nasty.divides.__code__.co_firstlineno + 1
    assert f"by zero, in line {line} of nasty.py (return {{" in said
    assert os.sep not in said.partition("nasty.py")[0]


def test_an_error_inside_a_library_is_told_with_the_line_that_led_there():
    def order(self, view):
        return view.materials_at(2.5)

    said = fault_of(order)
    assert "BidError: Units of X are a whole number" in said
    assert f"line {order.__code__.co_firstlineno + 1} of test_guard.py" in said


def test_a_long_message_is_cut_and_put_on_one_line():
    def order(self, view):
        raise ValueError("many\nlines " * 1000)

    said = fault_of(order)
    assert len(said) < 400
    assert "\n" not in said


def test_the_games_own_rules_stay_as_they_are():
    view = january()
    fault_of(nasty.changes_the_rules, view)
    assert view.rules == STANDARD


def test_ctrl_c_is_the_persons_who_waits():
    with pytest.raises(KeyboardInterrupt):
        ask(nasty.bad(nasty.interrupts)(), january())


# -- apart ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (nasty.hangs, "took longer than 0.3 seconds. Ben passes."),
        (nasty.leaves_a_child_behind, "took longer than 0.3 seconds"),
        (nasty.is_gone, "ended its own process"),
        (nasty.scribbles_on_every_pipe, "ended its own process"),
    ],
)
def test_apart_a_process_that_is_lost_is_started_again_for_the_next_move(order, said):
    game = Game(["Ann", "Ben", "Cy"])
    game.open_bids()
    with Apart(nasty.bad(order), limit=SOON if "longer" in said else 20) as bot:
        assert said in str(ask(bot, january()).fault)
        bot._process.limit = 20
        assert ask(bot, game.observe("Ben")) == ({}, None)


def test_apart_faults_are_told_as_they_are_here_and_the_process_lives_on():
    tricks = {
        nasty.leaves: "stopped with SystemExit: bye, in line",
        nasty.interrupts: "stopped with KeyboardInterrupt, in line",
        nasty.goes_round: "stopped with RecursionError",
        nasty.returns_itself: "returned an order that must look like {",
        nasty.divides: "by zero, in line",
        nasty.takes_all_memory: "stopped with MemoryError",
        nasty.gives_itself_cash: "changed its view",
        nasty.returns_an_odd_mapping: "returned what cannot be read",
        returning({"X": "x" * 10**7}): "write (units, price)",
        returning({"X": (14, 40)}): "ordered 14 units; 3 players may order 12 each",
    }
    by_month = dict(enumerate(tricks, start=2))

    def order(self, view):
        return by_month[view.month](self, view)

    with Apart(nasty.bad(order), limit=20) as bot:
        for month, said in enumerate(tricks.values(), start=2):
            assert said in str(ask(bot, replace(january(), month=month)).fault)
    assert bot._process._lost == 0


def interrupted(*_given):
    raise KeyboardInterrupt


def test_apart_after_ctrl_c_the_next_question_gets_its_own_answer(monkeypatch):
    def order(self, view):
        time.sleep(SOON * (view.month == 1))
        return {"X": (view.month, 40)}

    with Apart(nasty.bad(order), limit=20) as bot:
        assert ask(bot, january()) == ({"X": (1, 40)}, None)
        process = bot._process._popen
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "join", interrupted)
            with pytest.raises(KeyboardInterrupt):
                ask(bot, january())
        assert process.returncode is not None
        for month in (2, 3, 4):
            assert ask(bot, replace(january(), month=month)) == ({"X": (month, 40)}, None)
        assert bot._process._lost == 0


def test_apart_what_is_printed_is_dropped(capfd):
    with Apart(nasty.bad(nasty.prints_a_lot), limit=5) as bot:
        assert ask(bot, january()) == ({"X": (1, 45)}, None)
    assert capfd.readouterr() == ("", "")


def test_apart_a_strategy_that_is_lost_again_and_again_is_not_asked_any_more():
    with Apart(nasty.bad(nasty.is_gone), patience=2) as bot:
        first, second, third = (str(ask(bot, january()).fault) for _ in range(3))
    assert "ended its own process" in first
    assert first == second
    assert "is not asked any more: it had to be stopped 2 times. Ben passes." in third


def test_apart_a_strategy_plays_the_same_game_with_the_same_luck():
    inside = play(STANDARD, {"Ann": RandomLegal(), "Ben": Cautious()}, seed=3)
    with Apart(RandomLegal(), limit=10) as random:
        outside = play(STANDARD, {"Ann": random, "Ben": Cautious()}, seed=3)
    assert inside.steps == outside.steps
    assert not outside.faults


class Remembers(nasty.Good):
    """Orders one unit more each time that it is asked."""

    def __init__(self):
        self.asked = 0

    def order(self, view):
        self.asked += 1
        return {"X": (self.asked, 40)}


def test_apart_a_strategy_keeps_what_it_remembers_within_a_game_and_no_longer():
    def asked(game):
        return [step.bids["Ann"]["X"].units for step in game.steps[::2]]

    rules = STANDARD.vary(months=3)
    with Apart(Remembers, limit=10) as bot:
        games = [play(rules, {"Ann": bot, "Ben": Cautious()}, seed) for seed in range(2)]
    assert [asked(game) for game in games] == [[1, 2, 3]] * 2


def test_apart_a_class_that_cannot_be_made_is_a_fault_at_each_move():
    def refuses(self):
        raise RuntimeError("not today")

    kind = type("Refuses", (nasty.Good,), {"__init__": refuses, "__module__": __name__})
    with Apart(kind, limit=10) as bot:
        said = str(ask(bot, january()).fault)
    assert "could not be made: RuntimeError: not today, in line" in said


def test_apart_what_cannot_be_sent_is_refused_with_the_way_out():
    bot = nasty.Good()
    bot.file = sys._getframe()
    with pytest.raises(TurnError, match=r"Good cannot run in a process of its own.*Let it make"):
        Apart(bot)


def test_apart_can_be_pickled_and_carries_its_own_code():
    with Apart(nasty.Good, limit=7) as bot:
        data = pickle.dumps(bot)
    assert b"makeable" in data
    with pickle.loads(data) as other:
        assert repr(other) == "Apart(Good, limit=7)"
        assert ask(other, january()).fault is None


def in_a_worker(bot):
    with bot:
        return ask(bot, january()).bids


def test_apart_runs_in_workers_that_may_have_no_children_of_their_own():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(in_a_worker, [Apart(nasty.Good, limit=10)])["X"] == (1, 42)


def test_apart_threads_take_turns():
    with Apart(nasty.Good, limit=10) as bot, concurrent.futures.ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: ask(bot.anew(), january()), range(20)))
    assert answers == [({"X": (1, 42), "F": (1, 32)}, None)] * 20


@pytest.mark.parametrize("order", [nasty.Good.order, nasty.hangs, nasty.leaves_a_thread_behind])
def test_apart_leaves_no_process_behind(order):
    bot = Apart(nasty.bad(order), limit=SOON)
    ask(bot, january())
    bot._process._start()
    process = bot._process._popen
    bot.close()
    bot.close()
    assert process.returncode is not None


def test_apart_one_that_is_forgotten_is_stopped_too():
    bot = Apart(nasty.Good, limit=10)
    ask(bot, january())
    process = bot._process._popen
    del bot
    gc.collect()
    assert process.returncode is not None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_apart_what_a_strategy_starts_ends_with_it(tmp_path):
    note = tmp_path / "process"

    def order(self, view):
        import subprocess

        note.write_text(str(subprocess.Popen(["sleep", "60"]).pid))
        return {}

    with Apart(nasty.bad(order), limit=20) as bot:
        assert ask(bot, january()).fault is None
    status = Path("/proc", note.read_text(), "stat")
    while status.exists() and status.read_text().split()[2] != "Z":
        time.sleep(0.01)


# -- secrets -------------------------------------------------------------------------------------


def test_no_sealed_bid_of_another_seat_is_in_what_a_strategy_may_see_or_say():
    """Everything a strategy can find from its process goes into its error; none is another's."""
    game = Game(["Ann", "Ben", "Cy"])
    game.order("Ann", X=(7, 4321))
    with Apart(nasty.bad(nasty.looks_at_others), limit=10) as bot:
        answer = ask(bot, game.observe("Ben"))
    assert "RuntimeError" in str(answer.fault)
    assert "4321" not in str(answer)
    assert "4321" not in repr(game.observe("Ben"))


def test_a_strategy_is_asked_before_any_other_has_handed_in():
    seen = []

    class Watches(nasty.Good):
        def order(self, view):
            seen.append(repr(view))
            raise RuntimeError(repr(view))

    class Secret(nasty.Good):
        def order(self, view):
            return {"X": (1, 4321)}

    game = play(STANDARD.vary(months=2), {"Ann": Secret(), "Ben": Watches(), "Cy": Secret()}, 1)
    told = " ".join(map(str, game.faults)) + " ".join(seen)
    assert len(game.faults) == 2
    assert "4321" not in told


def test_strategies_of_this_package_need_no_guard_to_stay_within_the_rules():
    game = play(STANDARD, {"Ann": FullCapacity(), "Ben": RandomLegal()}, 2)
    assert game.faults == []
