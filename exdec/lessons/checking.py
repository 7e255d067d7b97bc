"""What an answer is worth: right, a named misconception, or nothing that can be checked yet.

A verdict is one sentence that never gives the answer away. Everything is computed from the game
when it is asked, so nothing that is right lies about to be read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from exdec.errors import ExdecError, shown
from exdec.lessons.answers import NotInGameError
from exdec.lessons.exercises import (
    GAME,
    GIVEN,
    VALUE,
    Answer,
    Exercise,
    Kind,
    LessonError,
)
from exdec.lessons.own_game import OwnGame
from exdec.notebook.typed import plain_digits

Number = int | float | Fraction

SLACK = 1e-9
"""Decimals are not exact; nobody is wrong by so little."""

UNIT_NAMES = {"$": "dollars", "units": "units", "%": "per cent"}


class Outcome(StrEnum):
    """What kind of answer it was."""

    RIGHT = "right"
    MISCONCEPTION = "misconception"
    OTHER_UNIT = "other unit"
    OUT_OF_RANGE = "out of range"
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    UNFINISHED = "unfinished"


SOLVED_BEFORE = "Solved before; this one is not right."

NOT_JUDGED = (Outcome.OTHER_UNIT, Outcome.OUT_OF_RANGE)
"""Attempts that show the form of an answer only; they do not open the solution."""

HEADS = {Outcome.RIGHT: "Right.", Outcome.UNREADABLE: "", Outcome.UNFINISHED: ""}
"""What a sentence begins with; any other answer is not right yet."""


class Verdict(NamedTuple):
    """What to say to an answer.

    Parameters
    ----------
    outcome : Outcome
    says : str
        One or two sentences.
    name : str
        The misconception, if it is one.
    answer : str
        The answer as it is written down, if it counts.
    before : bool
        The exercise was solved before.
    """

    outcome: Outcome
    says: str
    name: str = ""
    answer: str = ""
    before: bool = False

    @property
    def right(self) -> bool:
        """Whether the exercise is solved."""
        return self.outcome is Outcome.RIGHT

    @property
    def counts(self) -> bool:
        """Whether it was an attempt: something that can be right or wrong."""
        return self.outcome not in (Outcome.UNREADABLE, Outcome.UNFINISHED)

    @property
    def head(self) -> str:
        """The first word or two, for those who read no further."""
        if self.before and self.counts and not self.right:
            return SOLVED_BEFORE
        return HEADS.get(self.outcome, "Not yet.")

    @property
    def label(self) -> str:
        """What the progress file calls it."""
        return self.name or self.outcome.value


class Facts(NamedTuple):
    """Everything that an exercise asks of one game, computed.

    Parameters
    ----------
    game : OwnGame
    value : object
        The right answer.
    misconceptions : tuple
        Their answers, None for those that a shape describes or that this game cannot have.
    fields : dict of str to str
        What texts may use, but for what was given and what is right.
    other : object
        The answer in another unit, or None.
    base : object
        The curve to compare with, or None.
    """

    game: OwnGame
    value: Any
    misconceptions: tuple[Any, ...]
    fields: Mapping[str, str]
    other: Any = None
    base: Any = None

    def same_as(self, other: Facts) -> bool:
        """Whether a learner is asked the same, and it has the same answer; more may be played."""
        return self._asked == other._asked

    @property
    def _asked(self) -> tuple[Any, ...]:
        return self.game.own, self.game.player, self.value, self.fields, self.base


def facts_of(exercise: Exercise, game: OwnGame) -> Facts:
    """Compute what an exercise asks of a game.

    Raises
    ------
    NotInGameError
        This game cannot tell.
    """

    def of(answer: Answer) -> Any:
        try:
            return _plain(answer.of(game.game, game.player))
        except ZeroDivisionError:
            raise NotInGameError("yours has nothing to divide by here") from None

    def perhaps(answer: Answer | None) -> Any:
        try:
            return None if answer is None else of(answer)
        except NotInGameError:
            return None

    return Facts(
        game,
        of(exercise.answer),
        tuple(None if one.shape else perhaps(one.answer) for one in exercise.misconceptions),
        {
            GAME: game.name,
            **{name: amount(of(one.answer), one.unit) for name, one in exercise.fields.items()},
        },
        perhaps(exercise.other_unit.answer) if exercise.other_unit else None,
        None if exercise.base is None else of(exercise.base),
    )


def fill(text: str, facts: Facts, **more: str) -> str:
    """Put its values into a text of the exercise."""
    return text.format_map({**facts.fields, **more})


def solution_of(exercise: Exercise, facts: Facts) -> str:
    """The worked solution; not to be sent anywhere before an attempt."""
    return fill(exercise.solution, facts, **{VALUE: _written(exercise, facts.value)})


def amount(value: Any, unit: str = "") -> str:
    """Write a value in its unit.

    Examples
    --------
    >>> amount(1679, "$"), amount(Fraction(85, 2), "$"), amount(1, "units"), amount(12.5, "%")
    ('$1,679', '$42.50', '1 unit', '12.5 %')
    """
    if not _is_number(value):
        if isinstance(value, list | tuple):
            return ", ".join(amount(one, unit) for one in value)
        return str(value)
    whole = value == round(value)
    digits = f"{abs(round(value)):,}" if whole else f"{abs(float(value)):,.2f}"
    if not whole and unit != "$":
        digits = digits.rstrip("0").rstrip(".")
    sign = "−" if value < 0 else ""
    match unit:
        case "$":
            return f"{sign}${digits}"
        case "units":
            return f"{sign}{digits} unit{'' if value == 1 else 's'}"
        case "%":
            return f"{sign}{digits} %"
    return sign + digits


# -- judging -------------------------------------------------------------------------------------


class UnclearError(ExdecError):
    """An answer that cannot be checked, with the verdict on it."""

    def __init__(self, outcome: Outcome, says: str) -> None:
        super().__init__(says)
        self.verdict = Verdict(outcome, says)


def judge(exercise: Exercise, given: object, facts: Facts) -> Verdict:
    """Compare an answer with what is right and with what is wrong for a reason.

    Parameters
    ----------
    exercise : Exercise
    given : object
        As the learner gives it: text from a field, or any value from a cell. Letters may be a
        list or text such as "a, c".
    facts : Facts
    """
    try:
        value, unit = _read(exercise, given)
    except UnclearError as unclear:
        return unclear.verdict
    written = _written(exercise, value)

    def verdict(outcome: Outcome, says: str, name: str = "") -> Verdict:
        known = {GIVEN: written, VALUE: _written(exercise, facts.value)}
        return Verdict(outcome, fill(says, facts, **known), name, key_of(value))

    if unit != exercise.unit:
        return verdict(Outcome.OTHER_UNIT, _unit_sentence(unit, exercise.unit))
    if _is_right(exercise, value, facts):
        return verdict(Outcome.RIGHT, exercise.right)
    other = exercise.other_unit
    if other and facts.other is not None and _same(value, facts.other, exercise.tolerance):
        says = other.says or _unit_sentence(other.unit, exercise.unit)
        return verdict(Outcome.OTHER_UNIT, says)
    if exercise.unit == "%" and _same_fraction(value, facts.value):
        return verdict(
            Outcome.OTHER_UNIT, "The question asks for per cent: write a half as 50, not as 0.5."
        )
    for one, wrong in zip(exercise.misconceptions, facts.misconceptions, strict=True):
        if one.shape:
            fits = all(_has_shape(shape, value, facts, exercise) for shape in one.shape)
        elif one.among:
            fits = wrong[0] in value and wrong[0] not in facts.value
        else:
            fits = wrong is not None and _equal(exercise, value, wrong)
        if fits:
            return verdict(Outcome.MISCONCEPTION, one.says, one.name)
    if exercise.range and _is_number(value):
        low, high = exercise.range
        if not low <= value <= high:
            ends = f"{amount(low, exercise.unit)} to {amount(high, exercise.unit)}"
            return verdict(
                Outcome.OUT_OF_RANGE, f"{{given}} is out of range: it can be {ends} at all."
            )
    return verdict(Outcome.WRONG, exercise.otherwise or _otherwise(exercise, value, facts))


def key_of(value: Any) -> str:
    """An answer as text that the same field reads again.

    Examples
    --------
    >>> key_of(Fraction(85, 2)), key_of(["a", "c"]), key_of(1.0)
    ('42.5', 'a, c', '1')
    """
    if isinstance(value, list | tuple):
        return ", ".join(key_of(one) for one in value)
    if _is_number(value):
        return str(int(value)) if value == int(value) else repr(float(value))
    return str(value)[:200]


def _written(exercise: Exercise, value: Any) -> str:
    return amount(value, exercise.unit)


def _otherwise(exercise: Exercise, value: Any, facts: Facts) -> str:
    match exercise.kind:
        case Kind.CHOICES:
            return "What you ticked holds, but it is not all. Read the others once more."
        case Kind.ORDER:
            right = sum(a == b for a, b in zip(value, facts.value, strict=True))
            return f"{right} of {len(value)} stand in their place. A hint may help."
        case Kind.SLIDERS:
            return "Go from point to point and say why it stands where it does."
    return "{given} is not it. Check each step, or take a hint."


def _unit_sentence(given: str, asked: str) -> str:
    if not asked:
        return f"That is in {UNIT_NAMES[given]}. The question asks for a plain number."
    return f"That is in {UNIT_NAMES[given]}. The question asks for {UNIT_NAMES[asked]}."


# -- reading what was given ----------------------------------------------------------------------

NUMBER = re.compile(
    r"(?P<sign>[-−+]?)\s*(?P<dollar>\$?)\s*(?P<late>[-−]?)"
    r"(?P<digits>\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?P<part>\.\d{0,9})?"
    r"\s*(?P<unit>\$|dollars?|%|per ?cent|units?)?",
    re.ASCII | re.IGNORECASE,
)

BEGINS = {"$": "$", "d": "$", "%": "%", "p": "%", "u": "units"}
"""Units by the letter that they are written with."""


def _read(exercise: Exercise, given: object) -> tuple[Any, str]:
    """What was given, and the unit it was given in.

    Raises
    ------
    UnclearError
        It is empty, or not what this kind of exercise takes.
    """
    if given is Ellipsis:
        raise UnclearError(
            Outcome.UNFINISHED, "Three dots stand for your answer. Put it in their place."
        )
    if given is None or (isinstance(given, str | list | tuple | dict) and not given):
        raise UnclearError(Outcome.UNFINISHED, _nothing(exercise))
    if isinstance(given, str) and not given.strip():
        raise UnclearError(Outcome.UNFINISHED, _nothing(exercise))
    given = _plain(given)
    if _holds(given, lambda one: one is Ellipsis):
        raise UnclearError(
            Outcome.UNFINISHED, "There are still three dots in it. Put your answer in their place."
        )
    match exercise.kind:
        case Kind.NUMBER:
            return read_number(given, exercise.unit)
        case Kind.CHOICE:
            letters = _read_letters(exercise, given)
            if len(letters) != 1:
                raise UnclearError(Outcome.UNREADABLE, "Choose one of them, and no more.")
            return letters[0], exercise.unit
        case Kind.CHOICES:
            return sorted(set(_read_letters(exercise, given))), exercise.unit
        case Kind.ORDER:
            return _read_order(exercise, given), exercise.unit
        case Kind.SLIDERS:
            return _read_curve(exercise, given), exercise.unit
    return given, exercise.unit


def _nothing(exercise: Exercise) -> str:
    match exercise.kind:
        case Kind.CHOICE:
            return "Nothing is chosen yet. Choose one, then check."
        case Kind.CHOICES:
            return "Nothing is ticked yet. Tick all that hold, then check."
        case Kind.ORDER:
            return "Nothing is put in order yet. Give each one its place, then check."
        case Kind.SLIDERS:
            return "No slider is moved yet. Draw your curve, then check."
        case Kind.CODE:
            return "There is no value yet. Let your cell compute one, then check."
    return "Nothing is written down yet. Write your answer, then check."


def read_number(given: Any, unit: str) -> tuple[Number, str]:
    """Read a number as people write it, and the unit beside it.

    Parameters
    ----------
    given : object
    unit : str
        What it is in if nothing is written beside it.

    Raises
    ------
    UnclearError
        It is no number.

    Examples
    --------
    >>> read_number("$1,250.50", "$"), read_number("٥ units", "$")
    ((Fraction(2501, 2), '$'), (Fraction(5, 1), 'units'))
    """
    like = "12 or 12.50" if unit == "$" else "12"
    if isinstance(given, str):
        text = plain_digits(given.strip())
        found = NUMBER.fullmatch(text)
        if not found:
            if re.fullmatch(r"\$?\s*\d+,\d{1,2}\s*\$?", text):
                raise UnclearError(
                    Outcome.UNREADABLE,
                    f"{shown(text)} is not clear. Write a point before the cents, as in 12.50.",
                )
            if re.fullmatch(r"[\d.,$]+(?:\s*[-−+*×/:=]\s*[\d.,$]+)+", text):
                raise UnclearError(
                    Outcome.UNREADABLE,
                    f"{shown(text)} is still to be worked out. Write what it comes to.",
                )
            raise UnclearError(
                Outcome.UNREADABLE,
                f"{shown(text)} is not a number in digits. Write one, such as {like}.",
            )
        number = Fraction(found["digits"].replace(",", "") + (found["part"] or "").rstrip("."))
        if "-" in (sign := found["sign"] + found["late"]).replace("−", "-"):
            number = -number
        said = {BEGINS[one[0].lower()] for one in (found["dollar"], found["unit"]) if one}
        if len(said) > 1:
            raise UnclearError(
                Outcome.UNREADABLE,
                f"{shown(text)} names two units. Write the number with one of them, or with none.",
            )
        assert len(sign) <= 2
        return number, said.pop() if said else unit
    if not _is_number(given):
        raise UnclearError(
            Outcome.UNREADABLE,
            f"This takes a number, not {_kind_name(given)}. Give one, such as {like}.",
        )
    return _finite(given), unit


def _finite(given: Number) -> Number:
    if not math.isfinite(given):
        raise UnclearError(Outcome.UNREADABLE, f"{given} is not a number that can be checked.")
    return given


def _read_letters(exercise: Exercise, given: Any) -> list[str]:
    letters = [one.letter for one in exercise.options]
    if isinstance(given, str):
        given = re.split(r"[\s,;]+", given.strip().lower())
    if isinstance(given, set | frozenset):
        given = sorted(given, key=str)
    if isinstance(given, tuple):
        given = list(given)
    if not isinstance(given, list) or not all(one in letters for one in given):
        raise UnclearError(
            Outcome.UNREADABLE,
            f"This takes letters from {letters[0]} to {letters[-1]}, not {shown(given)}.",
        )
    return given


def _read_order(exercise: Exercise, given: Any) -> list[str]:
    order = _read_letters(exercise, given)
    for letter in order:
        if order.count(letter) > 1:
            raise UnclearError(
                Outcome.UNFINISHED, f"{letter} stands twice. Give each its own place."
            )
    if len(order) < len(exercise.options):
        raise UnclearError(
            Outcome.UNFINISHED,
            f"{len(order)} of {len(exercise.options)} have a place. Give one to each.",
        )
    return order


def _read_curve(exercise: Exercise, given: Any) -> list[Number]:
    if isinstance(given, str):
        given = [Fraction(one) if NUMBER.fullmatch(one) else one for one in given.split(", ")]
    if isinstance(given, tuple):
        given = list(given)
    many = len(exercise.sliders)
    if not isinstance(given, list) or len(given) != many or not all(map(_is_number, given)):
        raise UnclearError(Outcome.UNREADABLE, f"This takes {many} numbers, one for each point.")
    return [_finite(one) for one in given]


def _is_number(value: Any) -> TypeGuard[Number]:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    """A value without numpy's or pandas' clothes: numbers and lists are numbers and lists."""
    if hasattr(value, "tolist") and callable(value.tolist):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _holds(value: Any, what: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_holds(one, what) for one in value)
    return bool(what(value))


def _kind_name(value: object) -> str:
    names = {bool: "True or False", str: "text", list: "a list", dict: "a dict", type: "a type"}
    name = names.get(type(value))
    return name or (
        f"the function {value.__name__}"
        if hasattr(value, "__name__")
        else f"a {type(value).__name__}"
    )


# -- comparing -----------------------------------------------------------------------------------


def _is_right(exercise: Exercise, value: Any, facts: Facts) -> bool:
    if exercise.shape:
        return all(_has_shape(shape, value, facts, exercise) for shape in exercise.shape)
    return _equal(exercise, value, facts.value)


def _equal(exercise: Exercise, value: Any, wanted: Any) -> bool:
    if exercise.kind is Kind.CHOICES:
        return sorted(value) == sorted(wanted)
    return _same(value, wanted, exercise.tolerance)


def _same(value: Any, wanted: Any, tolerance: float) -> bool:
    """Alike in form, and number by number within the tolerance."""
    if _is_number(value) and _is_number(wanted):
        return math.isfinite(value) and abs(float(value) - float(wanted)) <= tolerance + SLACK
    if isinstance(value, dict) and isinstance(wanted, dict):
        return value.keys() == wanted.keys() and all(
            _same(value[key], wanted[key], tolerance) for key in value
        )
    if isinstance(value, list) and isinstance(wanted, list):
        return len(value) == len(wanted) and all(
            _same(one, other, tolerance) for one, other in zip(value, wanted, strict=True)
        )
    if isinstance(value, str) and isinstance(wanted, str):
        return value.strip().casefold() == wanted.strip().casefold()
    return type(value) is type(wanted) is bool and value is wanted


def _same_fraction(value: Any, wanted: Any) -> bool:
    return (
        _is_number(value)
        and _is_number(wanted)
        and abs(float(value)) <= 1
        and abs(float(value) * 100 - float(wanted)) < 1
    )


def _has_shape(shape: str, curve: Sequence[Any], facts: Facts, exercise: Exercise) -> bool:
    steps = list(pairwise(curve))
    slack = exercise.tolerance + SLACK
    match shape:
        case "falling":
            return all(high > low for high, low in steps)
        case "rising":
            return all(low < high for low, high in steps)
        case "level":
            return bool(max(curve) - min(curve) <= slack)
        case "not rising":
            return all(first >= second for first, second in steps)
        case "not falling":
            return all(first <= second for first, second in steps)
        case "near":
            return _same(list(curve), list(facts.value), exercise.tolerance)
    if facts.base is None:
        raise LessonError(f"{exercise.id}: {shape} needs a base.")
    pairs = list(zip(curve, facts.base, strict=True))
    match shape:
        case "above":
            return all(own > base for own, base in pairs)
        case "below":
            return all(own < base for own, base in pairs)
    return all(bool(abs(own - base) <= slack) for own, base in pairs)
