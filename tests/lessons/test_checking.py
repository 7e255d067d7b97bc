from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from exdec.lessons.answers import NotInGameError
from exdec.lessons.checking import Outcome, facts_of, judge, solution_of
from exdec.lessons.own_game import find_own_game


@pytest.fixture
def told(example, tmp_path):
    """The verdict on an answer, in the recorded game."""
    game = find_own_game(example, tmp_path)

    def judged(name, given):
        exercise = example.exercises[name]
        return judge(exercise, given, facts_of(exercise, game))

    return judged


# In the recorded game Ann bids X 2@40, F 4@35, S 6@23 and pays 140 + 138 = $278 (worked example 2).


@pytest.mark.parametrize(
    "given",
    [278, 278.0, "278", "$278", " 278.00 ", "278 dollars", "278$", Fraction(278), np.int64(278)],
)
def test_a_number_may_be_written_in_many_ways(told, given):
    verdict = told("91-1", given)
    assert verdict.right
    assert verdict.answer == "278"
    assert verdict.says == "$278 left your cash: each bid that succeeded, at its own price."


@pytest.mark.parametrize(
    ("name", "given", "misconception"),
    [
        ("91-1", 80 + 140 + 138, "failed bids are paid"),
        ("91-1", 4 * 35 + 6 * 17, "market price for bid"),
        ("91-2", "a", "shift for movement along"),
        ("91-2", "C", "fixed needs"),
        ("91-3", ["a", "b"], "price for worth"),
        ("91-3", "a, c, d", "sunk cost"),
        ("91-4", "a c b", "prices before orders"),
        ("91-4", ["b", "c", "a"], "sell before buying"),
        ("91-5", [40, 50, 60], "demand that rises"),
        ("91-5", [53, 42, 31], "movement for shift"),
        ("91-5", "40, 30, 20", "shift to the wrong side"),
        ("91-6", 17, "market price for cost"),
        ("91-6", 6, "units for cost"),
    ],
)
def test_each_misconception_is_named_with_its_own_sentence(
    told, example, name, given, misconception
):
    verdict = told(name, given)
    assert (verdict.outcome, verdict.name) == (Outcome.MISCONCEPTION, misconception)
    says = [one.says for one in example.exercises[name].misconceptions]
    assert verdict.says in says
    assert verdict.label == misconception


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("91-2", "b"),
        ("91-3", {"d", "a"}),
        ("91-3", "d, a"),
        ("91-4", ("c", "a", "b")),
        ("91-5", [90, 60, 33]),
        ("91-6", 23),
        ("91-6", 22.996),
    ],
)
def test_what_is_right_is_right(told, name, given):
    assert told(name, given).right


@pytest.mark.parametrize("name", ["91-1", "91-2", "91-3", "91-4", "91-5", "91-6"])
def test_dots_and_nothing_are_no_attempt(told, name):
    dots, nothing, blank = (told(name, given) for given in (..., None, "  "))
    assert "dots" in dots.says
    assert dots.says != nothing.says == blank.says
    assert not any(one.counts for one in (dots, nothing, blank))


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("91-1", "ten", "'ten' is not a number in digits."),
        ("91-1", True, "This takes a number, not True or False."),
        ("91-1", [278], "This takes a number, not a list."),
        ("91-1", len, "This takes a number, not the function len."),
        ("91-1", float("nan"), "nan is not a number that can be checked."),
        ("91-1", "12,5", "Write a point before the cents"),
        ("91-1", "$ 422,00", "Write a point before the cents"),
        ("91-1", "20-6", "'20-6' is still to be worked out."),
        ("91-1", "2 × $16", "Write what it comes to."),
        ("91-1", "much " * 40, "m…' is not a number in digits"),
        ("91-1", "1" * 400, "is not a number in digits"),
        ("91-2", "e", "This takes letters from a to c"),
        ("91-2", 1, "This takes letters from a to c"),
        ("91-2", ["a", "b"], "Choose one of them"),
        ("91-4", ["c", "a"], "2 of 3 have a place"),
        ("91-4", ["c", "a", "a"], "a stands twice"),
        ("91-5", [1, 2], "This takes 3 numbers"),
        ("91-5", [1, 2, "3"], "This takes 3 numbers"),
    ],
)
def test_a_wrong_type_is_explained_and_is_no_attempt(told, name, given, said):
    verdict = told(name, given)
    assert said in verdict.says
    assert not verdict.counts


def test_dollars_and_units_are_told_apart(told):
    counted = told("91-1", 10)  # FINE and STANDARD that Ann bought
    assert counted.outcome is Outcome.OTHER_UNIT
    assert counted.says == "That is in units. The question asks for dollars."
    assert told("91-1", "278 units").says == counted.says
    assert told("91-1", "278 %").says == "That is in per cent. The question asks for dollars."


def test_what_cannot_be_is_out_of_range(told):
    verdict = told("91-1", -5)
    assert verdict.outcome is Outcome.OUT_OF_RANGE
    assert verdict.says == "−$5 is out of range: it can be $0 to $900 at all."


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("91-1", 300, "$300 is not it. Add up what changed hands, line by line."),
        ("91-3", "a", "What you ticked holds, but it is not all."),
        ("91-4", "b a c", "1 of 3 stand in their place."),
        ("91-5", [60, 60, 60], "Go from point to point"),
        ("91-6", 40, "$40 is not it."),
        ("91-6", "forty", "forty is not it."),
        ("91-6", [1, 2], "is not it"),
        ("91-6", len, "is not it"),
    ],
)
def test_any_other_wrong_answer_counts_and_says_what_to_do(told, name, given, said):
    verdict = told(name, given)
    assert said in verdict.says
    assert verdict.outcome is Outcome.WRONG
    assert verdict.counts


def test_no_sentence_to_a_wrong_answer_has_the_right_one_in_it(told):
    for given in (358, 242, 10, -5, 300, "278 units", "ten", ..., None):
        assert "278" not in told("91-1", given).says.replace("278 units", "")


def test_what_pandas_and_numpy_give_is_taken_for_what_it_holds(told):
    assert told("91-5", np.array([90, 60, 33])).right
    assert told("91-6", pd.Series([23, 24]).iloc[0]).right
    assert told("91-4", pd.Series(["c", "a", "b"])).right


def test_the_learners_own_game_has_its_own_answer(example, tmp_path, played):
    exercise = example.exercises["91-1"]
    facts = facts_of(exercise, find_own_game(example, tmp_path))
    assert judge(exercise, 310, facts).right  # 10 FINE at 31; X-FINE failed
    assert judge(exercise, 370, facts).name == "failed bids are paid"
    assert solution_of(exercise, facts) == (
        "Each line costs units × bid. Together that is **$310**; bids that failed: 1."
    )


def test_a_game_that_cannot_tell_says_why(example, tmp_path, played):
    with pytest.raises(NotInGameError, match="you hold no STANDARD in January"):
        facts_of(example.exercises["91-6"], find_own_game(example, tmp_path))
