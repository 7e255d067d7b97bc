"""The game record: one text file for one game, and everything else follows from it.

A record is JSON Lines: a header with players and rules, then a line for each step with what was
handed in. It is the save file, the replay and the class's data, and people write it by hand; so
reading forgives what cannot be misunderstood, and refuses the rest by line number. Nothing is
taken on trust: reading plays the game again, so a `Record` that exists is a game that can be
played, and each step's "check" (prices and cash as the writer saw them) is compared on the way.

A crash while a line is being written can only tear that line, the last one; `read` says so in
`Record.lost`, and `exdec.recorder` cuts it off and goes on.
"""

from __future__ import annotations

import codecs
import json
import math
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from exdec.engine import seat
from exdec.errors import ExdecError, RecordError, shown
from exdec.game import Game, SettledStep
from exdec.model import Bid, State, Step, month_name
from exdec.rules import STANDARD, Rules

FORMAT = "exdec-game"
VERSION = 1
HEADER = ("format", "version", "players", "months", "rules")

MOST_DIGITS = 100
DEEPEST = 50
"""Far more than any record needs; beyond these, numbers and brackets are a slip or an attack."""


class RecordedStep(NamedTuple):
    """One step as it stands in a record.

    Parameters
    ----------
    month : int
        From 1.
    step : Step
        `Step.BUY` or `Step.SELL`.
    bids : dict of player to dict of item to Bid
        What was handed in; players who passed have an empty dict.
    check : dict or None
        ``{"prices": {item: dollars}, "cash": {player: dollars}}`` as the writer saw them after
        the step; either may be missing or partial.
    line : int
        The line of the file, from 1.
    """

    month: int
    step: Step
    bids: dict[str, dict[str, Bid]]
    check: dict[str, dict[str, int]] | None
    line: int


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record, read and found valid; `read` and `parse` make one.

    Parameters
    ----------
    players : tuple of str
    rules : Rules
        The months are among them.
    steps : tuple of RecordedStep
        In the order of play; fewer than the game has if it stopped early.
    extra : dict
        The header's other keys (title, date, seed …), in order.
    lost : str or None
        What a torn last line cost, as a sentence; None if nothing is lost.
    """

    players: tuple[str, ...]
    rules: Rules
    steps: tuple[RecordedStep, ...] = field(repr=False)
    extra: dict[str, Any] = field(default_factory=dict)
    lost: str | None = None

    def game(self) -> Game:
        """Play the record again, as far as it goes.

        Raises
        ------
        RecordError
            A step comes out other than its check says; the message gives the line, the month,
            the step and both values.
        """
        return _replay(self, len(self.steps))


# -- reading -------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> Record:
    """Read a record from a file; see `parse`.

    Raises
    ------
    RecordError
        The file cannot be read, or what it holds is refused; the message begins with the file's
        name and the line.
    """
    path = as_path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise failed(path, "cannot be read", error) from None
    return parse(data, path.name)


def parse(text: str | bytes, name: str = "") -> Record:
    """Read a record from text, and play it through to see that it is right.

    Blank lines, Windows line ends, a byte order mark and a missing last newline are all accepted;
    so are other keys, which are kept in the header and passed over in steps.

    Parameters
    ----------
    text : str or bytes
        Bytes are UTF-8.
    name : str, optional
        What to call the text in errors, such as the file's name.

    Raises
    ------
    RecordError
        Anything that is not a whole, valid game so far; the message begins with the line.

    Examples
    --------
    >>> record = parse('''{"format": "exdec-game", "version": 1, "players": ["Ann", "Ben"]}
    ... {"month": 1, "step": "buy", "bids": {"Ann": {"X": [12, 45], "F": [5, 30]}}}
    ... ''')
    >>> record.game().state.material_prices
    Materials(X=42, F=25, S=10)
    """
    return parse_and_play(_writable(text).encode() if isinstance(text, str) else text, name)[0]


def parse_and_play(data: bytes, name: str) -> tuple[Record, Game]:
    """Do as `parse` does, and return the game that was played on the way."""
    numbered = enumerate(data.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1)
    lines = [(number, line) for number, line in numbered if line.strip()]
    number = 1
    lost = None
    steps = []
    try:
        if not lines:
            raise RecordError(
                f'there is nothing here. A record begins with {{"format": "{FORMAT}", …}}.'
            )
        number, line = lines.pop(0)
        players, rules, extra = _read_header(_load(line))
        game = Game(players, rules)
        torn = 0
        if lines and lines[-1][0] == data.count(b"\n") + 1 and _is_torn(lines[-1][1]):
            torn, _ = lines.pop()
        for number, line in lines:
            step = _read_step(_load(line), number)
            _play(game, step)
            steps.append(step._replace(bids=game.steps[-1].bids))
        if torn:
            lost = f"Line {torn} was cut off while it was written, and is lost. {_goes_on(game)}"
    except ExdecError as error:
        where = f"{name}, line {number}" if name else f"line {number}"
        raise RecordError(f"{where}: {error}") from None
    return Record(game.players, rules, tuple(steps), extra, lost), game


def _goes_on(game: Game) -> str:
    if game.step is Step.OVER:
        return "The game is complete without it."
    kind = "orders" if game.step is Step.BUY else "offers"
    return f"The game goes on with {month_name(game.month)}'s {kind}."


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise RecordError(f"{_shown(key)} stands twice in one {{…}}. Keep one of them.")
        fields[key] = value
    return fields


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise RecordError(f"a number has more than {MOST_DIGITS} digits. Write a smaller one.")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise RecordError(f"{digits[:20]} is too large. Write a smaller number.")
    return number


def _no_number(word: str) -> Any:
    raise RecordError(f"{word} is not a number. Write one, or leave it out.")


DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_int=_whole, parse_float=_decimal, parse_constant=_no_number
)


def _load(line: bytes) -> dict[str, Any]:
    """Read one line as a JSON object."""
    try:
        fields = DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start + 1} is not UTF-8. Save the file with the encoding UTF-8."
        ) from None
    except json.JSONDecodeError as error:
        raise RecordError(
            f"this is not JSON ({error.msg}, character {error.pos + 1}). "
            "Each line is one whole {…} with its names in double quotes."
        ) from None
    except RecursionError:
        raise _too_deep() from None
    # How deep JSON can be read depends on who calls; how deep it may be must not.
    level = [fields] if isinstance(fields, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    if level:
        raise _too_deep()
    return _object("a line", fields, "{…}")


def _too_deep() -> RecordError:
    return RecordError(f"brackets stand more than {DEEPEST} deep. Take some off.")


def _is_torn(line: bytes) -> bool:
    """Whether a last line without its newline stops before its JSON is whole.

    Letters in the wrong encoding do not tear a line; replaced, they leave its JSON whole.
    """
    try:
        DECODER.decode(line.decode("utf-8", "replace"))
    except json.JSONDecodeError:
        return True
    except (ExdecError, RecursionError):
        pass
    return False


def _read_header(fields: dict[str, Any]) -> tuple[list[str], Rules, dict[str, Any]]:
    if fields.get("format") != FORMAT:
        raise _needs("a record begins with a header that has", "format", f'"{FORMAT}"', fields)
    version = fields.get("version")
    if type(version) is not int or version < 1:
        raise _needs("the header needs", "version", str(VERSION), fields)
    if version > VERSION:
        raise RecordError(
            f"version {_shown(version)} is newer than this exdec, which reads version {VERSION}. "
            "Update exdec."
        )
    players = fields.get("players")
    if not isinstance(players, list):
        raise _needs("the header needs", "players", '["Ann", "Ben", …]', fields)
    given = _object('"rules"', fields.get("rules", {}), '{"partial_buys": true, …} or {}')
    rules = STANDARD.vary(**given)
    if "months" in fields:
        longer = rules.vary(months=fields["months"])
        if "months" in given and longer != rules:
            raise RecordError(
                f'"months" is {longer.months} in the header and {rules.months} in its "rules". '
                "Keep one of them."
            )
        rules = longer
    return players, rules, {key: fields[key] for key in fields if key not in HEADER}


def _read_step(fields: dict[str, Any], line: int) -> RecordedStep:
    month, step = fields.get("month"), fields.get("step")
    if type(month) is not int:
        raise _needs("a step needs", "month", "a whole number from 1", fields)
    if step not in ("buy", "sell"):
        raise _needs("a step needs", "step", '"buy" or "sell"', fields)
    if "bids" not in fields:
        raise RecordError('a step needs "bids"; write "bids": {} if everyone passes.')
    bids: dict[str, dict[str, Bid]] = {}
    for player, tally in _object('"bids"', fields["bids"], '{"Ann": {…}, …}').items():
        whose = f"bids of {_shown(player)}"
        lines = _object(whose, tally, '{"X": [2, 40], …} or {}')
        bids[player] = {
            item: _read_bid(f"{whose}, {_shown(item)}", bid) for item, bid in lines.items()
        }
    check = _read_check(fields["check"]) if "check" in fields else None
    return RecordedStep(month, Step(step), bids, check, line)


def _read_bid(what: str, value: Any) -> Bid:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or any(type(number) is not int for number in value)
    ):
        raise RecordError(
            f"{what}: write [units, price] in whole numbers, such as [2, 40], not {_shown(value)}."
        )
    return Bid(*value)


def _read_check(value: Any) -> dict[str, dict[str, int]]:
    check: dict[str, dict[str, int]] = {}
    parts = _object('"check"', value, '{"prices": {…}, "cash": {…}}')
    for part, form in (("prices", '{"X": 41, …}'), ("cash", '{"Ann": 322, …}')):
        if part in parts:
            check[part] = _object(f'"check", {part}', parts[part], form)
            for key, dollars in check[part].items():
                if type(dollars) is not int:
                    raise RecordError(
                        f'"check", {part} of {_shown(key)}: write whole dollars, '
                        f"not {_shown(dollars)}."
                    )
    return check


def _needs(who: str, key: str, form: str, fields: dict[str, Any]) -> RecordError:
    instead = f", not {_shown(fields[key])}" if key in fields else ""
    return RecordError(f'{who} "{key}": {form}{instead}.')


def _object(what: str, value: Any, form: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} must look like {form}, not {_shown(value)}.")
    return value


def _shown(value: Any) -> str:
    """Quote a value as JSON writes it, but never a screenful of it."""
    text = _writable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:57]}…"


def _writable(text: str) -> str:
    """JSON text that UTF-8 can hold: a lone surrogate in it becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


# -- replay --------------------------------------------------------------------------------------


def _replay(record: Record, steps: int) -> Game:
    game = Game(record.players, record.rules)
    for step in record.steps[:steps]:
        try:
            _play(game, step)
        except ExdecError as error:
            raise RecordError(f"line {step.line}: {error}") from None
    return game


def _play(game: Game, step: RecordedStep) -> None:
    """Hand in what is recorded, and compare what comes of it with the check."""
    here = f"month {_shown(step.month)}, {step.step}"
    if game.step is Step.OVER:
        raise RecordError(
            f"{here} comes after the end: the game has {game.month} months. Take this line off."
        )
    if (step.month, step.step) != (game.month, game.step):
        raise RecordError(
            f"{here} is out of order: month {game.month}, {game.step} comes next. "
            "Put the lines in order, each step once."
        )
    for player in step.bids:
        seat(game.state, player)
    for player in game.players:
        game.hand_in(player, step.bids.get(player, {}))
    seen = _seen(game.state)
    for part, values in (step.check or {}).items():
        for key, value in values.items():
            if key not in seen[part]:
                raise RecordError(
                    f'{here}: "check" has {part} of {_shown(key)}; '
                    f"there are {', '.join(seen[part])}."
                )
            if value != seen[part][key]:
                raise RecordError(
                    f'{here}: "check" says {part} of {key} ${_shown(value)}, but it comes out as '
                    f"${seen[part][key]}. Correct the bids, or leave the check out."
                )


def _seen(state: State) -> dict[str, dict[str, int]]:
    return {
        "prices": {**state.material_prices._asdict(), **state.good_prices._asdict()},
        "cash": dict(zip(state.players, [firm.cash for firm in state.firms], strict=True)),
    }


def fork(record: Record, month: int, step: str) -> Game:
    """Go back to one step of a recorded game, to decide it anew.

    Parameters
    ----------
    record : Record
    month : int
        From 1.
    step : Step or str
        "buy" or "sell"; everything before it is played, and it is handed in next.

    Raises
    ------
    RecordError
        The record does not reach that step.

    Examples
    --------
    >>> record = parse(dumps(Game(["Ann", "Ben"])))
    >>> fork(record, 1, "buy")
    <Game of Ann, Ben: January, orders; handed in: nobody; waiting for: Ann, Ben>
    """
    if step not in ("buy", "sell"):
        raise RecordError(f'The step to go back to is "buy" or "sell", not {step!r}.')
    if not 1 <= month <= record.rules.months:
        raise RecordError(f"The game has months 1 to {record.rules.months}, not {month!r}.")
    before = 2 * (month - 1) + (step == "sell")
    if before > len(record.steps):
        raise RecordError(
            f"The record does not reach month {month}, {step}. {_goes_on(record.game())} "
            "Choose a step up to there."
        )
    return _replay(record, before)


# -- writing -------------------------------------------------------------------------------------


def dumps(game: Game, /, **extra: Any) -> str:
    """Write a game as a record, with a check on every step.

    Only settled steps are written: what is handed in and not yet opened stays sealed.

    Parameters
    ----------
    game : Game
    **extra
        Other keys for the header, such as ``title="Group 3"``; anything that JSON can hold.

    Raises
    ------
    RecordError
        JSON cannot hold an extra key, or the header needs its name for something else.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> print(dumps(game, title="Demo"), end="")
    {"format": "exdec-game", "version": 1, "players": ["Ann", "Ben"], "months": 12, "rules": {}, \
"title": "Demo"}
    """
    return _header_line(game, extra) + "".join(step_line(step) for step in game.steps)


def _header_line(game: Game, extra: Mapping[str, Any]) -> str:
    for key in extra:
        if key in HEADER:
            raise RecordError(f"The header has its own {key!r}. Give yours another name.")
    rules = game.rules.changes()
    rules.pop("months", None)
    line = _line(
        format=FORMAT,
        version=VERSION,
        players=game.players,
        months=game.rules.months,
        rules=rules,
        **extra,
    )
    _read_header(_load(line.encode()))  # what cannot be read back must not be written
    return line


def step_line(step: SettledStep) -> str:
    """Write the line of one settled step."""
    report = step.report
    cash = dict(zip(report.players, [firm.cash for firm in report.firms], strict=True))
    return _line(
        month=report.month,
        step=step.before.step,
        bids=step.bids,
        check={"prices": report.prices._asdict(), "cash": cash},
    )


def _line(**fields: Any) -> str:
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(
            f"A record cannot hold this: {error}. Use text, finite numbers, lists and dicts."
        ) from None
    return _writable(text) + "\n"


def save(path: str | os.PathLike[str], game: Game, /, **extra: Any) -> None:
    """Write a whole record to a file, in place of an earlier record; see `dumps`.

    Whenever the machine stops, the file holds the old record or the new one, never a part.

    Raises
    ------
    RecordError
        The file cannot be written, or holds something that is no record; what was there is left
        as it was.
    """
    path = as_path(path).resolve()
    beside = path.with_name(f"{path.name}.part")
    text = dumps(game, **extra)
    try:
        mode = _mode_of_record(path)
        write_new(beside, "wb", text)
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
        sync_folder(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise failed(path, "cannot be written", error) from None


def _mode_of_record(path: Path) -> int | None:
    """The permissions of the record that is there; None if nothing is."""
    if not path.exists():
        return None
    if path.is_file():
        with path.open("rb") as file:
            if FORMAT.encode() in file.readline(100_000):
                return stat.S_IMODE(path.stat().st_mode)
    raise RecordError(f"{path} is there already and is no game record. Choose another name.")


def as_path(path: str | os.PathLike[str]) -> Path:
    """Take what names a file, and refuse what cannot."""
    try:
        file = Path(path)
    except TypeError:
        raise RecordError(f"A file is named by a text, not {shown(path)}.") from None
    if not file.name or "\0" in str(file):
        raise RecordError(f"{shown(str(path))} does not name a file.")
    return file


def write_new(path: Path, mode: str, text: str) -> None:
    """Write a file down to the disk; on failure it is gone again."""
    file = open(path, mode)  # noqa: SIM115  (Windows removes no file that is open)
    try:
        with file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def sync_folder(path: Path) -> None:
    """Make a new file's name as durable as what it holds; Windows has no such call."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def failed(path: Path, what: str, error: OSError) -> RecordError:
    """Say in words what the operating system refused."""
    reason = (error.strerror or str(error)).lower()
    if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
        reason = f"there is no folder {path.parent}"
    return RecordError(f"{path} {what}: {reason}. Mend that, then try again.")
