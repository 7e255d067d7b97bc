"""What a learner has done, in one small file that can be read and moved about.

``progress.json`` stands beside the notebook. It looks like this; every list is in the order of
"n", which counts what was written under one id from 1:

.. code-block:: json

    {
     "format": "exdec-progress",
     "version": 1,
     "names": [{"n": 1, "text": "Ann Smith"}],
     "exercises": {
      "02-3": {
       "attempts": [
        {"n": 1, "answer": "210", "verdict": "market price for bid"},
        {"n": 2, "answer": "278", "verdict": "right"}
       ],
       "hints": 1
      }
     },
     "explanations": {"02-e1": [{"n": 1, "text": "Because bids are sealed."}]},
     "predictions": {
      "02-a": [{"n": 1, "values": {"X": 42}, "revealed": true, "happened": {"X": 45}}]
     },
     "games": {"02": {"months": 3, "profit": 120}}
    }

An exercise is solved if one of its attempts is "right". A verdict is "right", the name of a
misconception, "other unit", "out of range" or "wrong". The same answer with the same verdict is
one attempt, however often it is given. The last name and the last explanation are the ones that
count. A prediction belongs to what it was compared with ("happened"): of those that were revealed
there, the first one counts. In another game a new one may be made, which then comes last.

Merging two files keeps all that is in either, and does not depend on the order of merging, nor on
how often it is done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from exdec.errors import ExdecError, RecordError, shown
from exdec.own_copy import UPDATE
from exdec.record import DECODER, sync_folder, write_new

FORMAT = "exdec-progress"
VERSION = 1
NAME = "progress.json"
RIGHT = "right"

MOST_BYTES = 4_000_000
"""A file that is larger is something else."""

T = TypeVar("T")

Values = tuple[tuple[str, float], ...]
"""Numbers by the names of a prediction's quantities, in the order of the names."""


class ProgressError(ExdecError):
    """A progress file that cannot be read or written; the message says why."""


class ForeignError(ProgressError):
    """Something that is no progress file at all."""


class Attempt(NamedTuple):
    """One answer that could be right or wrong, and the verdict on it."""

    n: int
    answer: str
    verdict: str


class Written(NamedTuple):
    """A text, such as an explanation."""

    n: int
    text: str


class Forecast(NamedTuple):
    """A sealed prediction: its values by name, and whether it was compared with what happened.

    What happened is empty before that, and in files that do not tell.
    """

    n: int
    values: Values
    revealed: bool
    happened: Values = ()

    def belongs(self, happened: Values) -> bool:
        """Whether it was compared with this, as far as is known."""
        return self.revealed and self.happened in ((), happened)


class Played(NamedTuple):
    """How far a lesson's own game came: complete months, and the profit in dollars.

    Certificates count at the prices that were posted last.
    """

    months: int
    profit: int


@dataclass(frozen=True, slots=True)
class Progress:
    """All that a learner has done; see the module's docstring.

    Every method that changes something returns another one.

    Examples
    --------
    >>> mine = Progress().attempted("02-3", "210", "wrong").attempted("02-3", "278", "right")
    >>> mine.solved("02-3"), len(mine.attempts["02-3"])
    (True, 2)
    >>> mine.merged(Progress().hinted("02-3", 1)).hints
    {'02-3': 1}
    """

    names: tuple[Written, ...] = ()
    attempts: Mapping[str, tuple[Attempt, ...]] = field(default_factory=dict)
    hints: Mapping[str, int] = field(default_factory=dict)
    explanations: Mapping[str, tuple[Written, ...]] = field(default_factory=dict)
    predictions: Mapping[str, tuple[Forecast, ...]] = field(default_factory=dict)
    games: Mapping[str, Played] = field(default_factory=dict)

    # -- asking ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the learner is called; "" if nobody has asked yet."""
        return self.names[-1].text if self.names else ""

    @property
    def lessons(self) -> list[str]:
        """The numbers of all lessons that something is known of."""
        ids = (*self.attempts, *self.hints, *self.explanations, *self.predictions, *self.games)
        return sorted({one.partition("-")[0] for one in ids})

    def solved(self, name: str) -> bool:
        """Whether an exercise is solved."""
        return any(one.verdict == RIGHT for one in self.attempts.get(name, ()))

    def tries(self, name: str) -> int:
        """Different answers that were given to an exercise, up to the first right one."""
        tried = self.attempts.get(name, ())
        right = (at for at, one in enumerate(tried, start=1) if one.verdict == RIGHT)
        return next(right, len(tried))

    def explanation(self, name: str) -> str:
        """What was written to a prompt last; "" if nothing was."""
        texts = self.explanations.get(name, ())
        return texts[-1].text if texts else ""

    def forecast(self, name: str, happened: Values) -> Forecast | None:
        """The prediction that counts for a game in which this happens.

        It is the first that was compared with it, or else the last of all, if that was compared
        with nothing yet; None if there is none.
        """
        sealed = self.predictions.get(name, ())
        found = next((one for one in sealed if one.belongs(happened)), None)
        # The same one, sealed and then revealed, may stand twice after merging; revealed is last.
        return found or (sealed[-1] if sealed and not sealed[-1].revealed else None)

    def earlier_forecast(self, name: str) -> Forecast | None:
        """The last prediction that was compared with anything."""
        revealed = [one for one in self.predictions.get(name, ()) if one.revealed]
        return revealed[-1] if revealed else None

    # -- adding ----------------------------------------------------------------------------------

    def named(self, name: str) -> Progress:
        """Give the learner a name."""
        if name == self.name:
            return self
        return replace(self, names=_added(self.names, Written, clean(name)))

    def attempted(self, name: str, answer: str, verdict: str) -> Progress:
        """Note an attempt at an exercise; one that was made before changes nothing."""
        attempt = (clean(answer), clean(verdict))
        before = self.attempts.get(name, ())
        if any(one[1:] == attempt for one in before):
            return self
        return replace(self, attempts={**self.attempts, name: _added(before, Attempt, *attempt)})

    def hinted(self, name: str, hints: int) -> Progress:
        """Note how many hints to an exercise were read."""
        return replace(self, hints={**self.hints, name: max(hints, self.hints.get(name, 0))})

    def explained(self, name: str, text: str) -> Progress:
        """Note what was written to a prompt."""
        if text == self.explanation(name):
            return self
        texts = _added(self.explanations.get(name, ()), Written, clean(text))
        return replace(self, explanations={**self.explanations, name: texts})

    def predicted(self, name: str, values: Mapping[str, float], happened: Values) -> Progress:
        """Seal a prediction, in place of one that was not revealed yet.

        Parameters
        ----------
        name : str
        values : mapping
        happened : tuple
            What happens in the game that is there now, as `values_of` puts it in order.

        Raises
        ------
        ProgressError
            It was revealed in this game, so it cannot be changed.
        """
        before = self.forecast(name, happened)
        forecast = values_of(values)
        if before and before.values == forecast:
            return self
        if before and before.revealed:
            raise ProgressError("This prediction was revealed. It stays as it was sealed.")
        sealed = _added(self.predictions.get(name, ()), Forecast, forecast, False, ())
        return replace(self, predictions={**self.predictions, name: sealed})

    def revealed(self, name: str, happened: Values) -> Progress:
        """Note that the prediction that counts was compared with what happened."""
        forecast = self.forecast(name, happened)
        if forecast is None or forecast.revealed:
            return self
        known = forecast._replace(revealed=True, happened=happened)
        sealed = tuple(known if one == forecast else one for one in self.predictions[name])
        return replace(self, predictions={**self.predictions, name: sealed})

    def played(self, lesson: str, months: int, profit: int) -> Progress:
        """Note how a lesson's own game went."""
        return replace(self, games={**self.games, lesson: Played(months, profit)})

    # -- moving about ----------------------------------------------------------------------------

    def merged(self, other: Progress) -> Progress:
        """All that is in either; it does not matter in which order, nor how often."""
        return Progress(
            _union(self.names, other.names),
            _by_id(self.attempts, other.attempts, _union),
            _by_id(self.hints, other.hints, max),
            _by_id(self.explanations, other.explanations, _union),
            _by_id(self.predictions, other.predictions, _union),
            _by_id(self.games, other.games, max),
        )

    def dumps(self) -> str:
        """Write it as the file has it."""
        exercises = {}
        for name in sorted({*self.attempts, *self.hints}):
            attempts = [one._asdict() for one in self.attempts.get(name, ())]
            exercises[name] = {"attempts": attempts, "hints": self.hints.get(name, 0)}
        table = {
            "format": FORMAT,
            "version": VERSION,
            "names": [one._asdict() for one in self.names],
            "exercises": exercises,
            "explanations": {
                name: [one._asdict() for one in texts]
                for name, texts in sorted(self.explanations.items())
            },
            "predictions": {
                name: [_written_forecast(one) for one in sealed]
                for name, sealed in sorted(self.predictions.items())
            },
            "games": {name: one._asdict() for name, one in sorted(self.games.items())},
        }
        return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def values_of(values: Mapping[str, float]) -> Values:
    """Put numbers in the order of their names, as a forecast has them."""
    return tuple(sorted(values.items()))


def _written_forecast(one: Forecast) -> dict[str, Any]:
    """A forecast as the file has it."""
    written = {"n": one.n, "values": dict(one.values), "revealed": one.revealed}
    return written | ({"happened": dict(one.happened)} if one.happened else {})


def clean(text: str) -> str:
    """A text that UTF-8 can hold, and that is not endless."""
    return text.encode("utf-8", "replace").decode()[:10_000]


Entry = TypeVar("Entry", bound=tuple[Any, ...])


def _added(before: tuple[Entry, ...], kind: Callable[..., Entry], *what: Any) -> tuple[Entry, ...]:
    """Put an entry last; where the same stood before, it is gone from there."""
    last = max((one[0] for one in before), default=0)
    return (*(one for one in before if one[1:] != what), kind(last + 1, *what))


def _union(mine: Iterable[Entry], others: Iterable[Entry]) -> tuple[Entry, ...]:
    """Every entry that is in either; of two that differ in n only, the later one."""
    latest = {one[1:]: one for one in sorted((*mine, *others))}
    return tuple(sorted(latest.values()))


def _by_id(
    mine: Mapping[str, T], others: Mapping[str, T], both: Callable[[T, T], T]
) -> dict[str, T]:
    merged = {**mine, **others}
    for name in mine.keys() & others.keys():
        merged[name] = both(mine[name], others[name])
    return dict(sorted(merged.items()))


# -- reading -------------------------------------------------------------------------------------


def parse(data: bytes | str, name: str = NAME) -> Progress:
    """Read progress as `Progress.dumps` writes it.

    Raises
    ------
    ProgressError
        It is newer than this exdec, or broken; the message begins with `name`.
    """
    text = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    try:
        if len(text) > MOST_BYTES:
            raise ProgressError("it is far too large.")
        return _progress(_decode(text))
    except ProgressError as error:
        raise type(error)(f"{name} cannot be read: {error}") from None


def _decode(text: bytes) -> dict[str, Any]:
    try:
        table = DECODER.decode(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ForeignError("it is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise ForeignError(f"line {error.lineno} is not JSON ({error.msg}).") from None
    except RecursionError:
        raise ProgressError("its brackets stand too deep.") from None
    except RecordError as error:
        raise ProgressError(str(error)) from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise ForeignError("it is no progress file of exdec.")
    version = table.get("version")
    if type(version) is not int or version < 1:
        raise ProgressError(f'its "version" is {shown(version)}, not {VERSION}.')
    if version > VERSION:
        raise ProgressError(f"version {version} is newer than this exdec. {UPDATE}.")
    return table


def _progress(table: dict[str, Any]) -> Progress:
    known = {"format", "version", "names", "exercises", "explanations", "predictions", "games"}
    if unknown := table.keys() - known:
        raise ProgressError(f"it has {shown(min(unknown))}, which is not known.")
    attempts: dict[str, tuple[Attempt, ...]] = {}
    hints: dict[str, int] = {}
    for name, one in _tables(table, "exercises"):
        if tried := _entries(name, one.get("attempts", []), _attempt):
            attempts[name] = tried
        if read := _whole(name, one.get("hints", 0)):
            hints[name] = read
    return Progress(
        names=_entries("names", table.get("names", []), _written),
        attempts=attempts,
        hints=hints,
        explanations={
            name: _entries(name, one, _written) for name, one in _items(table, "explanations", list)
        },
        predictions={
            name: _entries(name, one, _forecast) for name, one in _items(table, "predictions", list)
        },
        games={
            name: Played(_whole(name, one.get("months")), _whole(name, one.get("profit")))
            for name, one in _tables(table, "games")
        },
        # Entries may have been written by hand; merging with nothing puts them in order.
    ).merged(Progress())


def _items(table: dict[str, Any], key: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    of = table.get(key, {})
    if not isinstance(of, dict):
        raise ProgressError(f'"{key}" is {shown(of)}.')
    for name, one in of.items():
        if not isinstance(one, kind):
            raise ProgressError(f'"{key}", {shown(name)} is {shown(one)}.')
        yield name, one


def _tables(table: dict[str, Any], key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return _items(table, key, dict)


def _entries(name: str, of: Any, read: Callable[[dict[str, Any]], Entry]) -> tuple[Entry, ...]:
    if not isinstance(of, list):
        raise ProgressError(f"{name} is {shown(of)}.")
    entries = []
    for one in of:
        try:
            entries.append(read(one))
        except (KeyError, TypeError, AttributeError):
            raise ProgressError(f"{name} has {shown(one)}.") from None
    return tuple(entries)


def _written(one: dict[str, Any]) -> Written:
    return Written(_whole("n", one["n"]), _text(one["text"]))


def _attempt(one: dict[str, Any]) -> Attempt:
    return Attempt(_whole("n", one["n"]), _text(one["answer"]), _text(one["verdict"]))


def _forecast(one: dict[str, Any]) -> Forecast:
    values, happened = one["values"], one.get("happened", {})
    if any(type(value) not in (int, float) for value in (*values.values(), *happened.values())):
        raise TypeError
    if type(one["revealed"]) is not bool:
        raise TypeError
    n = _whole("n", one["n"])
    return Forecast(n, values_of(values), one["revealed"], values_of(happened))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return clean(value)


def _whole(name: str, value: Any) -> int:
    if type(value) is not int:
        raise ProgressError(f"{name} is {shown(value)}, where a whole number belongs.")
    return value


# -- on the disk ---------------------------------------------------------------------------------


class ProgressFile:
    """The file beside a notebook; what was done is on the disk before anything is shown.

    Two notebooks may use one file at once: whoever writes reads it first, and merges.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    progress : Progress
        What was read or written last.
    notice : str
        What the learner must know about the file, as a sentence; "" if all is well.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.progress = Progress()
        self.notice = ""

    def read(self) -> Progress:
        """Look at the file, which another notebook may have written to.

        A file that cannot be read is left as it is, and `notice` says so.
        """
        try:
            self.progress = self.progress.merged(self._on_disk())
            self.notice = ""
        except ProgressError as error:
            self.notice = str(error)
        return self.progress

    def update(self, change: Callable[[Progress], Progress]) -> Progress:
        """Change what is there, and write it down.

        Where the file cannot be read, it is kept under another name and a new one is begun; what
        was kept because it is newer comes back once exdec is up to date. Where nothing can be
        written, the change holds until the kernel stops. `notice` says so.

        Raises
        ------
        ProgressError
            `change` refuses; nothing has changed.
        """
        with _alone(self.path):
            notice = ""
            try:
                now = self.progress.merged(self._on_disk())
            except ProgressError as error:
                notice = str(error)
                now = self.progress
            self.progress = change(now)
            try:
                if notice:
                    notice = f"{notice} It is kept as {self._set_aside()}; a new one is begun."
                self._write(self.progress.dumps())
                self.notice = notice
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                self.notice = (
                    f"Your progress could not be saved: {self.path}: {reason}. "
                    "It is kept until the kernel stops. Mend that, then check once more."
                )
        return self.progress

    def _on_disk(self) -> Progress:
        try:
            progress = parse(self.path.read_bytes(), self.path.name)
            for aside in self.path.parent.glob(f"{self.path.stem}-kept-*.json"):
                with suppress(ProgressError, OSError):  # what is broken stays aside
                    progress = progress.merged(parse(aside.read_bytes()))
            return progress
        except FileNotFoundError:
            return Progress()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ProgressError(f"{self.path.name} cannot be read: {reason}.") from None

    def _set_aside(self) -> str:
        """Give a file that cannot be read another name."""
        names = (self.path.with_name(f"{self.path.stem}-kept-{n}.json") for n in count(1))
        aside = next(name for name in names if not name.exists())
        self.path.rename(aside)
        return aside.name

    def _write(self, text: str) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
        elif self.path.read_bytes() == text.encode():
            return
        beside = self.path.with_name(f"{self.path.name}.part")
        try:
            write_new(beside, "wb", text)
            beside.replace(self.path)
            sync_folder(self.path)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other notebooks from writing meanwhile, where the system can.

    Where it cannot, nothing is lost but a write of the same instant, which the next one mends.
    """
    with ExitStack() as held:
        with suppress(OSError, ImportError, AttributeError):  # in a page, fcntl is all but empty
            import fcntl

            lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
            held.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
