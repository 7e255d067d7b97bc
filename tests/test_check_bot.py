import random
import threading

import nasty
import pytest

from exdec.bots import BOTS, check_bot
from exdec.bots.check import BotReport, Problem


def bot(**methods):
    return type("MyBot", (nasty.Good,), {**methods, "__module__": __name__})


@pytest.fixture(scope="module")
def good():
    return check_bot(nasty.Good, limit=20)


def test_a_strategy_within_the_rules_is_told_how_it_fared(good):
    assert good.ok
    assert str(good).startswith("Good is fine: it played 30 games and lost no move.")
    assert len(good.fared) == 5
    assert good.notes == ()
    assert good.fared[0].startswith("2 players: it made $")
    assert "cautious $" in good.fared[0]
    assert "of 3 games." in good.fared[0]


def test_a_notebook_shows_the_same_words(good):
    page = good._repr_html_()
    assert "Good is fine" in page
    assert good.fared[4] in page
    report = BotReport("<b>", (Problem("In January's orders it did <this>."),))
    assert "<b>" not in report._repr_html_()
    assert "&lt;this&gt;" in report._repr_html_()


def test_each_kind_of_fault_is_told_once_with_its_line_its_count_and_the_way_out():
    def order(self, view):
        if view.month == 1:
            return {"X": (1, view.others_ordered[-1].X)}
        return {"X": (14, 40 + view.month)}

    def offer(self, view):
        return {"A": (2, view.good_prices.A - 3)}

    report = check_bot(bot(order=order, offer=offer), limit=20)
    assert not report.ok
    told = [str(problem) for problem in report.problems]
    line = order.__code__.co_firstlineno + 2
    assert f"IndexError: tuple index out of range, in line {line} of test_check_bot.py" in told[0]
    assert 'return {"X": (1, view.others_ordered[-1].X)}' in told[0]
    assert "In January nothing is settled yet" in told[0]
    assert (
        "In February's orders, with 2 players, it ordered 14 units of X; 2 players may order 12 of "
        "one grade each. (39 times.) Keep the units of each grade to view.grade_limit." in told
    )
    assert any(
        "with 3 players, it ordered 14 units; 3 players may order 12 each" in t for t in told
    )
    assert any("near $1, it returned an offer that cannot be taken. A: a price" in t for t in told)
    assert any("refused, it returned an offer that cannot be taken. 2 A cannot" in t for t in told)
    assert len({problem.what for problem in report.problems}) == len(told) <= 8
    assert any("it sold more than it could make" in note for note in report.notes)
    assert report.fared == ()


def test_a_strategy_that_hangs_is_given_up_soon():
    report = check_bot(bot(offer=nasty.hangs), limit=0.3)
    assert [str(problem) for problem in report.problems] == [
        "In January's offers, with 2 players, it took longer than 0.3 seconds. (3 times.) "
        "Look for a loop that does not end, or let it try fewer possibilities."
    ]
    assert report.games < 10


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (nasty.is_gone, "it ended its own process"),
        (nasty.interrupts, "it stopped with KeyboardInterrupt, in line"),
        (nasty.gives_itself_cash, "it changed its view"),
    ],
)
def test_nothing_that_a_strategy_does_comes_out_of_the_check(order, said):
    assert said in str(check_bot(bot(order=order), limit=20))


def test_a_class_that_cannot_be_made_is_one_problem():
    def refuses(self):
        raise RuntimeError("not today")

    (problem,) = check_bot(bot(__init__=refuses), limit=20).problems
    assert "could not be made: RuntimeError: not today, in line" in problem.what


@pytest.mark.slow
def test_dice_of_the_house_and_memory_are_pointed_out():
    dice = check_bot(bot(order=nasty.throws_dice_of_the_house), limit=20)
    assert dice.ok
    assert "view.rng.integers" in dice.notes[0]

    def order(self, view):
        self.asked = getattr(self, "asked", 0) + 1
        return {"X": (1 + self.asked % 2, 60)}

    memory = check_bot(bot(order=order), limit=20)
    assert memory.ok
    assert "it remembers its moves in self" in memory.notes[0]

    def fair(self, view):
        return {"X": (int(view.rng.integers(1, 3)), 60)}

    assert not any("Asked the same" in note for note in check_bot(bot(order=fair), limit=20).notes)


@pytest.mark.slow
def test_what_never_buys_or_never_has_the_cash_is_pointed_out():
    idle = check_bot(bot(order=lambda self, view: {}), limit=20)
    assert "It never bought anything." in idle.notes[-1]
    dear = check_bot(bot(order=lambda self, view: {"X": (6, 9000)}), limit=20)
    assert "bids cost more than its cash" in dear.notes[0]


def generator(self, view):
    yield {}


NEEDS = type("Needs", (nasty.Good,), {"__init__": lambda self, wisdom: None})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "This NoneType has 1 thing to mend.\n- It is no strategy. Write a class"),
        (lambda view: {}, "It is no strategy"),
        (random, "It is no strategy"),
        ("cautious", "It is no strategy"),
        (object, "It is no strategy"),
        (type("B", (), {"order": nasty.Good.order}), "It has no method offer(self, view). Write"),
        (
            type("B", (), {"order": nasty.Good.order, "ofer": nasty.Good.offer}),
            "It has no method offer(self, view). Rename ofer to offer.",
        ),
        (bot(order={}), "order is no method. Write it as def order(self, view)."),
        (bot(order=nasty.takes_no_view), "order cannot be asked with a view alone. Write it as"),
        (bot(order=lambda view: {}), "order cannot be asked with a view alone"),
        (bot(order=nasty.takes_no_view)(), "order cannot be asked with a view alone"),
        (bot(order=generator), "order does not return its move. Use return, not yield"),
        (bot(order=nasty.waits), "order does not return its move"),
        (NEEDS, "Needs() cannot be made without arguments. Give them defaults"),
    ],
)
def test_what_is_no_strategy_is_told_how_to_become_one(given, said):
    report = check_bot(given)
    assert not report.ok
    assert said in str(report)


def test_an_object_that_cannot_be_looked_at_or_sent_is_told_so():
    class Trap:
        def __getattr__(self, name):
            raise RuntimeError

        def __dir__(self):
            raise RuntimeError

    assert "It cannot be looked at: RuntimeError." in str(check_bot(Trap()))
    holds = nasty.Good()
    holds.lock = threading.Lock()
    assert "cannot run in a process of its own" in str(check_bot(holds))


@pytest.mark.slow
def test_static_methods_and_objects_will_do():
    static = bot(order=staticmethod(lambda view: {}), offer=staticmethod(lambda view: {}))
    assert check_bot(static, limit=20).ok
    assert check_bot(BOTS["cautious"](), limit=20).ok
