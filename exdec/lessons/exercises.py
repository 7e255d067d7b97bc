"""Exercises, predictions and prompts of a lesson, read from its ``exercises.toml``.

A lesson is a folder ``NN_topic``; its file ``exercises.toml`` is checked when it is read, and
what is wrong with it is said with the id and the key. This is the format, with every key:

.. code-block:: toml

    lesson = "02"                 # the number that every id of this file begins with
    title = "Demand"
    months = 3                    # complete months that the learner's own game must have
    recorded = "january.jsonl"    # the recorded game in this folder that stands in for it
    player = "Ann"                # whose seat it is told from; if left out, its first person

    [[exercise]]
    id = "02-3"                   # the lesson's number, a hyphen, and what you like
    objective = 2                 # the number of the objective that it tests, from 1
    minutes = 3
    optional = true               # it stands in a section "at home"; false if left out
    kind = "number"               # number, choice, choices, order, sliders or code
    question = "What did you pay for materials in January?"
    label = "Paid in January"     # of the field; "Your answer" if left out
    unit = "$"                    # "$", "units", "%" or "" (also if left out)
    tolerance = 0.5               # how far off is still right, in the unit; 0 if left out
    range = [0, 900]              # what is possible at all; anything if left out
    months = 1                    # of the own game that this exercise needs; else the lesson's
    compute = "general.paid"      # the right answer: a function of exdec.lessons.answers …
    with = { month = 1 }          # … its parameters …
    # answer = 278                # … or, in place of both, the answer itself
    right = "{value} left your cash: each bid that succeeded, at its own price."
    otherwise = "Add up what changed hands, line by line."  # any other wrong answer; optional
    hints = ["Which of your bids succeeded?", "Units times your own bid, line by line."]
    solution = "Each line costs units × bid. Together {value}; {lost} of your bids failed."

    [exercise.fields.lost]        # more that the texts may use in braces; any number of them
    compute = "general.failed_bids"  # or answer = …
    with = { month = 1 }
    unit = ""

    [exercise.other_unit]         # right, but in another unit; only for number and code
    unit = "units"                # "$", "units" or "%"
    compute = "general.bought"    # or answer = …
    with = { month = 1 }
    says = "That counts what you bought."  # optional: "That is in units. The question …"

    [[exercise.misconception]]    # at least two; the first that fits is the one that is told
    name = "market price for bid"
    compute = "general.paid_at_market"  # or answer = …
    with = { month = 1 }
    says = "That is at Market Prices. R10: what does a buyer pay?"

Kinds
-----
number
    A field for one number. A function may return a whole number, a decimal or a ``Fraction``.
choice, choices, order
    ``[[exercise.option]]`` with ``text``, and for wrong ones ``name`` and ``says``. Options are
    lettered a, b, c … in the order of the file. The answer is a letter ("b"), the letters of all
    that hold (["a", "c"]), or all letters from the first to the last (["c", "a", "b"]). A wrong
    option of a choice, and one that is ticked wrongly among several, says its own sentence and
    counts as a named misconception; misconceptions with an ``answer`` in the same form come first.
    ``compute`` may return letters too.
sliders
    A curve drawn by sliders. Each ``[[exercise.slider]]`` has ``label``, ``low``, ``high``,
    ``start`` and optionally ``step`` (1) and ``x`` (where its point stands; 1, 2, 3 … if left
    out). ``x_title`` and ``y_title`` name the axes, ``base = { answer = [40, 30, 20] }`` (or
    ``compute``) draws a curve to compare with, named ``base_label``. ``shape`` lists what must
    hold: "falling", "rising", "level", "not rising", "not falling"; of the base "above", "below"
    (at every point) or "same" (within the tolerance); and "near" (the answer, within the
    tolerance). ``answer`` or ``compute`` is a curve that is right: the solution shows it. A
    misconception may have ``shape = ["rising"]`` in place of an answer. Note that "above" is also
    "to the right of" for a falling curve.
code
    The learner's cell computes it and calls ``check("02-4", value)``: a number, text, a list, a
    tuple or a dict, compared number by number within the tolerance.

Texts
-----
A dollar sign is a dollar sign. ``**bold**``, `` `code` `` and empty lines between paragraphs are
all the markup. Braces hold a field: ``{given}`` (what the learner answered) in ``says``,
``right`` and ``otherwise``; ``{value}`` (the right answer) in ``right`` and ``solution`` only;
``{game}`` ("your game" or "the recorded game") and the exercise's own fields everywhere. Numbers
come out as their unit has it: "$1,679", "5", "25 %".

Predictions and prompts
-----------------------
.. code-block:: toml

    [[prediction]]                # predict("02-a") seals it, reveal("02-a") compares
    id = "02-a"
    question = "What will each grade post in January, if everyone orders 4 of each?"
    unit = "$"                    # of all its quantities
    months = 1                    # as for an exercise
    why = "Each unit ordered moves the price by $1."  # what the reveal ends with; optional
    together = 36                 # the most that its quantities can be together; optional

    [[prediction.quantity]]       # one to six
    name = "X"
    label = "X-FINE posts at"
    compute = "general.posted_price"  # what happened; or answer = …
    with = { item = "X", month = 1 }

    [[explanation]]               # explain("02-e1")
    id = "02-e1"
    question = "Why does a bid above the market still pay its own price?"
    model = "Bids are sealed, so …"  # a model answer, shown once something is written
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from exdec.errors import ExdecError, shown
from exdec.lessons.answers import function
from exdec.model import MONTHS

T = TypeVar("T")

UNITS = ("$", "units", "%", "")
LETTERS = "abcdefghij"
SHAPES = (
    "falling",
    "rising",
    "level",
    "not rising",
    "not falling",
    "above",
    "below",
    "same",
    "near",
)
VERDICTS = ("right", "wrong", "other unit", "out of range")
GIVEN, VALUE, GAME = "given", "value", "game"
MONTH_RANGE = (1, len(MONTHS))


class LessonError(ExdecError):
    """A lesson that is not there or has a mistake in it; the message names file, id and key."""


class Kind(StrEnum):
    """How an exercise is answered."""

    NUMBER = "number"
    CHOICE = "choice"
    CHOICES = "choices"
    ORDER = "order"
    SLIDERS = "sliders"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that is written down, or the function that computes it from a game.

    Parameters
    ----------
    literal : object
        As TOML has it; None if there is a function.
    compute : str
        The name of a function in `exdec.lessons.answers`, such as "general.paid".
    given : mapping
        Its parameters.
    """

    literal: Any = None
    compute: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)

    def of(self, game: Any, player: str) -> Any:
        """What it comes to in a game; see `exdec.lessons.answers`."""
        if not self.compute:
            return self.literal
        return function(self.compute)(game, player, **self.given)


@dataclass(frozen=True, slots=True)
class Field:
    """A value that texts may use."""

    answer: Answer
    unit: str


@dataclass(frozen=True, slots=True)
class Option:
    """One of several statements."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class Slider:
    """One point of a curve: where it stands, and what its height can be."""

    label: str
    x: float
    low: float
    high: float
    step: float
    start: float


@dataclass(frozen=True, slots=True)
class Misconception:
    """A wrong answer that has a reason, and what to say to it.

    Parameters
    ----------
    name, says : str
    answer : Answer
    shape : tuple of str
        What a curve looks like, in place of an answer.
    among : bool
        It fits if its letter is among those ticked, and does not belong there.
    """

    name: str
    says: str
    answer: Answer
    shape: tuple[str, ...] = ()
    among: bool = False


@dataclass(frozen=True, slots=True)
class OtherUnit:
    """The right thing in another unit than is asked for."""

    unit: str
    answer: Answer
    says: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise; the module's docstring tells what each key means."""

    id: str
    objective: int
    minutes: int
    kind: Kind
    question: str
    label: str
    unit: str
    tolerance: float
    range: tuple[float, float] | None
    months: int
    answer: Answer
    right: str
    otherwise: str
    hints: tuple[str, str]
    solution: str
    fields: Mapping[str, Field]
    other_unit: OtherUnit | None
    misconceptions: tuple[Misconception, ...]
    options: tuple[Option, ...]
    sliders: tuple[Slider, ...]
    shape: tuple[str, ...]
    base: Answer | None
    base_label: str
    x_title: str
    y_title: str
    optional: bool = False

    @property
    def on_the_game(self) -> bool:
        """Whether anything in it depends on the learner's own game."""
        answers = [self.answer, *(one.answer for one in self.fields.values())]
        answers += [one.answer for one in self.misconceptions]
        answers += [one for one in (self.base, self.other_unit and self.other_unit.answer) if one]
        return any(one.compute for one in answers)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a prediction, and what it turns out to be."""

    name: str
    label: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Prediction:
    """A forecast of one to six quantities, and the most that all of them can come to."""

    id: str
    question: str
    unit: str
    months: int
    why: str
    quantities: tuple[Quantity, ...]
    together: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A prompt to explain something in a sentence, and a model answer."""

    id: str
    question: str
    model: str


@dataclass(frozen=True, slots=True)
class Workbook:
    """One lesson's exercises, predictions and prompts by id, in the order of the file.

    Iterating over it gives its exercises.

    Parameters
    ----------
    number, title : str
    folder : Path
        Where its sources are.
    months : int
        Complete months that the learner's own game must have.
    recorded : Path
        The recorded game that stands in for it.
    player : str
        Whose seat the recorded game is told from; "" for its first person.
    """

    number: str
    title: str
    folder: Path
    months: int
    recorded: Path
    player: str
    exercises: Mapping[str, Exercise]
    predictions: Mapping[str, Prediction]
    explanations: Mapping[str, Explanation]

    def __iter__(self) -> Iterator[Exercise]:
        return iter(self.exercises.values())


def read_exercises(path: Path) -> Workbook:
    """Read a lesson's ``exercises.toml``.

    Raises
    ------
    LessonError
        The message says what is wrong, with the id and the key.
    """
    folder = path.parent
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LessonError(f"{path} cannot be read: {reason}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(f"{path} is not TOML: {error}.") from None
    return _workbook(_Table(f"{folder.name}/{path.name}", table), folder)


# -- reading, key by key -------------------------------------------------------------------------


class _Table:
    """A table of a TOML file, whose keys are taken one by one; what is left is a mistake."""

    def __init__(self, where: str, table: Mapping[str, Any]) -> None:
        self.where = where
        self._left = dict(table)
        self._known: list[str] = []

    def wrong(self, what: str) -> LessonError:
        return LessonError(f"{self.where}: {what}")

    def has(self, key: str) -> bool:
        return key in self._left

    def take(self, key: str, kind: type[T], form: str, default: T | None = None) -> T:
        self._known.append(key)
        if key not in self._left:
            if default is None:
                raise self.wrong(f'"{key}" is missing. Write {key} = {form}.')
            return default
        value = self._left.pop(key)
        if kind is float and type(value) is int:
            value = float(value)
        if not isinstance(value, kind) or (kind in (int, float) and isinstance(value, bool)):
            raise self.wrong(f'"{key}" is {shown(value)}. Write {key} = {form}.')
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value = self.take(key, str, '"…"', default)
        if default is None and not value.strip():
            raise self.wrong(f'"{key}" is empty. Write something.')
        return value.strip()

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self.take(key, int, f"{low} … {high}", default)
        if not low <= value <= high:
            raise self.wrong(f'"{key}" is {value}. It can be {low} to {high}.')
        return value

    def number(self, key: str, default: float | None = None) -> float:
        return self.take(key, float, "a number", default)

    def one_of(self, key: str, names: Iterable[str], default: str | None = None) -> str:
        value = self.take(key, str, '"…"', default)
        if value not in names:
            which = ", ".join(f'"{name}"' for name in names)
            raise self.wrong(f'"{key}" is {shown(value)}. It can be {which}.')
        return value

    def texts(self, key: str, many: int) -> tuple[str, ...]:
        texts = self.take(key, list, '["…", "…"]')
        if len(texts) != many or not all(isinstance(one, str) and one.strip() for one in texts):
            raise self.wrong(f'"{key}" needs {many} texts in square brackets.')
        return tuple(one.strip() for one in texts)

    def table(self, key: str) -> _Table:
        return _Table(f"{self.where}, {key}", self.take(key, dict, "{ … }"))

    def tables(self, key: str) -> list[_Table]:
        tables = self.take(key, list, f"as [[…{key}]]", [])
        if not all(isinstance(one, dict) for one in tables):
            raise self.wrong(f'"{key}" must be written as [[…{key}]].')
        return [_Table(f"{self.where}, {key} {at}", one) for at, one in enumerate(tables, start=1)]

    def answer(self) -> Answer:
        """`answer`, or `compute` and `with`."""
        if self.has("answer") == self.has("compute"):
            raise self.wrong('it needs either "answer" or "compute", and not both.')
        given = self.take("with", dict, "{ … }", {})
        if self.has("answer"):
            if given:
                raise self.wrong('"with" goes with "compute", not with "answer".')
            self._known.append("answer")
            return Answer(literal=self._left.pop("answer"))
        name = self.text("compute")
        try:
            function(name)
        except LookupError as error:
            raise self.wrong(str(error)) from None
        return Answer(compute=name, given=given)

    def done(self) -> None:
        if self._left:
            known = ", ".join(dict.fromkeys(self._known))
            raise self.wrong(f'"{next(iter(self._left))}" is not a key here. There are: {known}.')


def _workbook(table: _Table, folder: Path) -> Workbook:
    number = table.text("lesson")
    if not re.fullmatch(r"\d\d", number):
        raise table.wrong(f'"lesson" is {shown(number)}. Write two digits, such as "02".')
    months = table.whole("months", *MONTH_RANGE)
    title = table.text("title")
    recorded = folder / table.text("recorded")
    if not recorded.is_file():
        raise table.wrong(f'"recorded" is {recorded.name}, and there is no such file beside it.')
    player = table.text("player", "")
    exercises = [_exercise(one, months) for one in table.tables("exercise")]
    predictions = [_prediction(one, months) for one in table.tables("prediction")]
    explanations = [_explanation(one) for one in table.tables("explanation")]
    table.done()
    seen: set[str] = set()
    items: list[Exercise | Prediction | Explanation] = [*exercises, *predictions, *explanations]
    for item in items:
        if not re.fullmatch(rf"{number}-[a-z0-9]+", item.id):
            raise table.wrong(
                f'id "{item.id}" must be {number}, a hyphen, and small letters or digits.'
            )
        if item.id in seen:
            raise table.wrong(f'id "{item.id}" stands twice. Give one of them another.')
        seen.add(item.id)
    return Workbook(
        number,
        title,
        folder,
        months,
        recorded,
        player,
        {one.id: one for one in exercises},
        {one.id: one for one in predictions},
        {one.id: one for one in explanations},
    )


def _id(table: _Table) -> str:
    name = table.text("id")
    table.where = f"{table.where.rpartition(', ')[0]}, {name}"
    return name


def _exercise(table: _Table, months: int) -> Exercise:
    name = _id(table)
    kind = Kind(table.one_of("kind", tuple(Kind)))
    lettered = kind in (Kind.CHOICE, Kind.CHOICES, Kind.ORDER)
    sliding = kind is Kind.SLIDERS
    options, by_option = _options(table, kind) if lettered else ((), ())
    sliders = _sliders(table) if sliding else ()
    fields = _fields(table)
    misconceptions = tuple(_misconception(one, kind) for one in table.tables("misconception"))
    base = None
    if sliding and table.has("base"):
        of_base = table.table("base")
        base = of_base.answer()
        of_base.done()
    exercise = Exercise(
        id=name,
        objective=table.whole("objective", 1, 20),
        minutes=table.whole("minutes", 1, 45),
        kind=kind,
        question=table.text("question"),
        label=table.text("label", "Your answer"),
        unit=table.one_of("unit", UNITS, ""),
        tolerance=table.number("tolerance", 0.0),
        range=_range(table),
        months=table.whole("months", *MONTH_RANGE, months),
        answer=table.answer(),
        right=table.text("right"),
        otherwise=table.text("otherwise", ""),
        hints=_pair(table.texts("hints", 2)),
        solution=table.text("solution"),
        fields=fields,
        other_unit=_other_unit(table, kind),
        misconceptions=(*misconceptions, *by_option),
        options=options,
        sliders=sliders,
        shape=_shape(table, base is not None) if sliding else (),
        base=base,
        base_label=table.text("base_label", "before") if sliding else "",
        x_title=table.text("x_title") if sliding else "",
        y_title=table.text("y_title") if sliding else "",
        optional=table.take("optional", bool, "true", default=False),
    )
    if not exercise.answer.compute:
        _fits(table, exercise, exercise.answer.literal)
    for one in misconceptions:
        if not one.answer.compute and not one.shape:
            _fits(table, exercise, one.answer.literal)
    _check_texts(table, exercise)
    table.done()
    return exercise


def _pair(texts: tuple[str, ...]) -> tuple[str, str]:
    first, second = texts
    return first, second


def _range(table: _Table) -> tuple[float, float] | None:
    if not table.has("range"):
        return None
    ends = table.take("range", list, "[0, 900]")
    if (
        len(ends) != 2
        or not all(type(end) in (int, float) for end in ends)
        or not ends[0] < ends[1]
    ):
        raise table.wrong('"range" must be two numbers, the lower one first, such as [0, 900].')
    return ends[0], ends[1]


def _fields(table: _Table) -> dict[str, Field]:
    if not table.has("fields"):
        return {}
    tables = table.take("fields", dict, "{ … }")
    fields = {}
    for name, value in tables.items():
        where = f"{table.where}, fields.{name}"
        if not isinstance(value, dict) or name in (GIVEN, VALUE, GAME) or not name.isidentifier():
            raise LessonError(
                f"{where}: write [exercise.fields.{name}] with answer or compute; the names "
                f"{GIVEN}, {VALUE} and {GAME} are taken."
            )
        one = _Table(where, value)
        fields[name] = Field(one.answer(), one.one_of("unit", UNITS, ""))
        one.done()
    return fields


def _misconception(table: _Table, kind: Kind) -> Misconception:
    name, says = _name(table, table.text("name")), table.text("says")
    shape: tuple[str, ...] = ()
    answer = Answer()
    if kind is Kind.SLIDERS and table.has("shape"):
        shape = _shape(table, based=True)
    else:
        answer = table.answer()
    table.done()
    return Misconception(name, says, answer, shape)


def _name(table: _Table, name: str) -> str:
    if name in VERDICTS:
        raise table.wrong(f'"name" is {shown(name)}, which is a verdict. Call it otherwise.')
    return name


def _other_unit(table: _Table, kind: Kind) -> OtherUnit | None:
    if kind not in (Kind.NUMBER, Kind.CODE) or not table.has("other_unit"):
        return None
    one = table.table("other_unit")
    other = OtherUnit(one.one_of("unit", UNITS[:3]), one.answer(), one.text("says", ""))
    one.done()
    return other


def _options(table: _Table, kind: Kind) -> tuple[tuple[Option, ...], tuple[Misconception, ...]]:
    """The options, and what is to be said to whoever takes a wrong one for right."""
    options, wrong = [], []
    tables = table.tables("option")
    if not 2 <= len(tables) <= len(LETTERS):
        raise table.wrong(f"it needs 2 to {len(LETTERS)} [[exercise.option]].")
    for letter, one in zip(LETTERS, tables, strict=False):
        text, says = one.text("text"), one.text("says", "")
        name = _name(one, one.text("name", ""))
        if bool(name) != bool(says):
            raise one.wrong('"name" and "says" go together.')
        if name and kind is Kind.ORDER:
            raise one.wrong('in an order only misconceptions have "name" and "says".')
        one.done()
        options.append(Option(letter, text))
        if name and kind is Kind.CHOICE:
            wrong.append(Misconception(name, says, Answer(letter)))
        elif name:
            wrong.append(Misconception(name, says, Answer([letter]), among=True))
    return tuple(options), tuple(wrong)


def _sliders(table: _Table) -> tuple[Slider, ...]:
    sliders = []
    tables = table.tables("slider")
    if not 2 <= len(tables) <= 8:
        raise table.wrong("it needs 2 to 8 [[exercise.slider]].")
    for at, one in enumerate(tables, start=1):
        slider = Slider(
            one.text("label"),
            one.number("x", float(at)),
            one.number("low"),
            one.number("high"),
            one.number("step", 1.0),
            one.number("start"),
        )
        if not (slider.low <= slider.start <= slider.high and slider.low < slider.high):
            raise one.wrong('"low", "start" and "high" must stand in this order.')
        if slider.step <= 0:
            raise one.wrong('"step" must be more than 0.')
        one.done()
        sliders.append(slider)
    return tuple(sliders)


def _shape(table: _Table, based: bool) -> tuple[str, ...]:
    shapes = table.take("shape", list, '["falling"]')
    if not shapes or not all(one in SHAPES for one in shapes):
        raise table.wrong(f'"shape" is {shown(shapes)}. It lists some of {", ".join(SHAPES)}.')
    if not based and {"above", "below", "same"} & set(shapes):
        raise table.wrong('"above", "below" and "same" need a "base" to compare with.')
    return tuple(shapes)


def _prediction(table: _Table, months: int) -> Prediction:
    name = _id(table)
    quantities = []
    for one in table.tables("quantity"):
        quantities.append(Quantity(one.text("name"), one.text("label"), one.answer()))
        one.done()
    names = [one.name for one in quantities]
    if not 1 <= len(names) <= 6 or len(set(names)) < len(names):
        raise table.wrong("it needs one to six [[prediction.quantity]], each of another name.")
    prediction = Prediction(
        name,
        table.text("question"),
        table.one_of("unit", UNITS),
        table.whole("months", *MONTH_RANGE, months),
        table.text("why", ""),
        tuple(quantities),
        table.whole("together", 1, 10_000) if table.has("together") else None,
    )
    table.done()
    return prediction


def _explanation(table: _Table) -> Explanation:
    explanation = Explanation(_id(table), table.text("question"), table.text("model"))
    table.done()
    return explanation


# -- what must hold together ---------------------------------------------------------------------


def _fits(table: _Table, exercise: Exercise, answer: Any) -> None:
    """Refuse an answer that a learner could not give."""
    letters = [one.letter for one in exercise.options]
    numeric = type(answer) in (int, float)
    match exercise.kind:
        case Kind.NUMBER:
            good, form = numeric, "a number"
        case Kind.CHOICE:
            good, form = answer in letters, f'a letter from "a" to "{letters[-1]}"'
        case Kind.CHOICES:
            good = isinstance(answer, list) and bool(answer) and set(answer) <= set(letters)
            form = 'letters, such as ["a", "c"]'
        case Kind.ORDER:
            good = isinstance(answer, list) and sorted(answer) == letters
            form = "every letter once, in the right order"
        case Kind.SLIDERS:
            good = isinstance(answer, list) and len(answer) == len(exercise.sliders)
            good = good and all(type(one) in (int, float) for one in answer)
            form = "a number for each slider"
        case Kind.CODE:
            good, form = True, ""
    if not good:
        raise table.wrong(f"the answer {shown(answer)} does not fit this kind. Write {form}.")
    if exercise.kind in (Kind.CHOICE, Kind.CHOICES) and answer is exercise.answer.literal:
        told = {one.answer.literal[-1] for one in exercise.misconceptions if one.answer.literal}
        if missing := set(letters) - told - set(answer):
            raise table.wrong(
                f'option {min(missing)} is wrong, so it needs "name" and "says" for whoever '
                "takes it."
            )


def _check_texts(table: _Table, exercise: Exercise) -> None:
    """Refuse a brace that holds nothing, and a text that would give the answer away."""
    own = {GAME, *exercise.fields}
    told = {*own, GIVEN}
    texts: list[tuple[str, str, set[str]]] = [
        ("question", exercise.question, own),
        ("right", exercise.right, {*told, VALUE}),
        ("otherwise", exercise.otherwise, told),
        ("solution", exercise.solution, {*own, VALUE}),
        *(("hints", hint, own) for hint in exercise.hints),
        *(("says", one.says, told) for one in exercise.misconceptions),
        *(("text", one.text, own) for one in exercise.options),
    ]
    if exercise.other_unit:
        texts.append(("says", exercise.other_unit.says, told))
    for key, text, allowed in texts:
        for name in braces(table.where, text):
            if name == VALUE and VALUE not in allowed:
                raise table.wrong(f'"{key}" would give the answer away by {{value}}.')
            if name not in allowed:
                raise table.wrong(
                    f'"{key}" has {{{name}}}; there are {", ".join(sorted(allowed))}.'
                )


def braces(where: str, text: str) -> Sequence[str]:
    """The names that stand in braces in a text.

    Raises
    ------
    LessonError
        A brace is alone, or holds more than a name.

    Examples
    --------
    >>> braces("02-3", "{paid} left your cash.")
    ['paid']
    """
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise LessonError(f"{where}: in {shown(text)}: {error}. Double a brace to show it.") from (
            None
        )
    for _, name, form, conversion in parts:
        if name is not None and (form or conversion or not name.isidentifier()):
            raise LessonError(f"{where}: in {shown(text)}: braces hold one name and no more.")
    return [name for _, name, _, _ in parts if name is not None]
