"""Every check of every lesson, in the lesson's recorded game."""

import re
from itertools import product
from pathlib import Path

import pytest

from exdec.lessons.checking import Outcome, Verdict, amount, facts_of, judge, solution_of
from exdec.lessons.desk import FILE, LESSONS
from exdec.lessons.exercises import Kind, read_exercises
from exdec.lessons.own_game import recorded_game

DATA = Path(__file__).parent / "data"
WORKBOOKS = [
    read_exercises(path) for root in (DATA, LESSONS) for path in sorted(root.glob(f"*/{FILE}"))
]
EXERCISES = [
    pytest.param(workbook, exercise, id=exercise.id)
    for workbook in WORKBOOKS
    for exercise in workbook
]


def curves(exercise):
    """Curves enough to have every shape: each point at one of a few heights."""
    heights = {slider.low for slider in exercise.sliders}
    heights |= {slider.high for slider in exercise.sliders}
    low, high = min(heights), max(heights)
    steps = [low + (high - low) * part / 8 for part in range(9)]
    return product(steps, repeat=len(exercise.sliders))


@pytest.mark.parametrize(("workbook", "exercise"), EXERCISES)
def test_what_is_right_is_right_and_no_misconception_is(workbook, exercise):
    facts = facts_of(exercise, recorded_game(workbook, "this is a test"))
    assert judge(exercise, facts.value, facts).right
    assert solution_of(exercise, facts)
    named = set()
    for one, wrong in zip(exercise.misconceptions, facts.misconceptions, strict=True):
        if (
            exercise.answer.compute
            and exercise.options
            and wrong
            and set(wrong) <= set(facts.value)
        ):
            continue  # which option is right depends on the game, so each may say why it is wrong
        if one.shape:
            tries = (list(curve) for curve in curves(exercise))
            if facts.base is not None:
                tries = [list(facts.base), *tries]
        else:
            assert wrong is not None, f"{one.name}: the recorded game cannot tell"
            tries = [wrong]
        verdicts = (judge(exercise, answer, facts) for answer in tries)
        verdict = next((v for v in verdicts if v.name == one.name), Verdict(Outcome.WRONG, ""))
        assert verdict.outcome is Outcome.MISCONCEPTION, f"{one.name} is not told from the others"
        assert verdict.says
        if exercise.kind in (Kind.NUMBER, Kind.CODE):
            given_away = re.escape(amount(facts.value, exercise.unit))
            assert not re.search(rf"(?<![\w$]){given_away}(?!\w)", verdict.says), one.name
        named.add(one.name)
    assert len(named) >= 2


@pytest.mark.parametrize(("workbook", "exercise"), EXERCISES)
def test_dots_nothing_and_a_wrong_type_each_get_a_sentence(workbook, exercise):
    facts = facts_of(exercise, recorded_game(workbook, "this is a test"))
    for given in (..., None, ""):
        verdict = judge(exercise, given, facts)
        assert verdict.outcome is Outcome.UNFINISHED
        assert verdict.says
    if exercise.kind is not Kind.CODE:
        assert judge(exercise, object, facts).outcome is Outcome.UNREADABLE


@pytest.mark.parametrize("workbook", WORKBOOKS, ids=lambda workbook: workbook.number)
def test_what_happened_to_each_prediction_can_be_told(workbook):
    game = recorded_game(workbook, "this is a test")
    for prediction in workbook.predictions.values():
        for one in prediction.quantities:
            assert float(one.answer.of(game.game, game.player)) == one.answer.of(
                game.game, game.player
            )
