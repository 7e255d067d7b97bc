"""Keeping a game on disk while it is played: each step is written down before play goes on."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, Self

from exdec.errors import RecordError
from exdec.game import Game, SettledStep
from exdec.model import Step
from exdec.record import (
    Record,
    as_path,
    dumps,
    failed,
    parse_and_play,
    step_line,
    sync_folder,
    write_new,
)


class Recorder:
    """Writes a game's record, a step at a time; what is written is on the disk.

    `create` begins a record and `resume` goes on with one. Lines that are written are never
    written again, and no file stays open between two steps.

    Attributes
    ----------
    path : pathlib.Path
    record : Record
        What the file held when the recorder was made.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> game = Game(["Ann", "Ben"])
    >>> with TemporaryDirectory() as folder:
    ...     recorder = Recorder.create(Path(folder, "game.jsonl"), game, title="Group 3")
    ...     report = game.open_bids()
    ...     recorder.append(game.steps[-1])
    ...     recorder, again = Recorder.resume(Path(folder, "game.jsonl"))
    >>> again.state == game.state, recorder.record.extra
    (True, {'title': 'Group 3'})
    """

    def __init__(self, path: Path, record: Record, starts: list[int], end: int) -> None:
        self.path = path
        self.record = record
        self._starts = starts  # where each step's line begins, in bytes
        self._end = end

    @classmethod
    def create(cls, path: str | os.PathLike[str], game: Game, /, **extra: Any) -> Self:
        """Begin a record with the header and whatever has been played already.

        Raises
        ------
        RecordError
            The file is there already, or cannot be written; see also `exdec.record.dumps`.
        """
        path = as_path(path)
        text = dumps(game, **extra)
        try:
            write_new(path, "xb", text)
            sync_folder(path)
        except FileExistsError:
            raise RecordError(f"{path} is there already. Choose another name.") from None
        except OSError as error:
            raise failed(path, "cannot be written", error) from None
        return cls.resume(path)[0]

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> tuple[Self, Game]:
        """Go on with a record where it stopped; a torn last line is cut off (`record.lost`).

        Raises
        ------
        RecordError
            As `exdec.record.read`; the file is left as it was.
        """
        path = as_path(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise failed(path, "cannot be resumed", error) from None
        record, game = parse_and_play(data, path.name)
        starts = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
        recorder = cls(path, record, [starts[step.line - 1] for step in record.steps], len(data))
        if record.lost:
            recorder._rewrite_from(data.rfind(b"\n") + 1, b"")
        elif not data.endswith(b"\n"):
            recorder._rewrite_from(len(data), b"\n")
        return recorder, game

    def check(self) -> None:
        """Refuse if somebody else has written to the file since.

        Raises
        ------
        RecordError
            It was changed, or is not there any more.
        """
        try:
            size = self.path.stat().st_size
        except OSError as error:
            raise failed(self.path, "cannot be read", error) from None
        self._refuse_unless_mine(size)

    def append(self, step: SettledStep) -> None:
        """Write one settled step; when this returns, it is on the disk.

        Raises
        ------
        RecordError
            The step does not follow the last one, or cannot be written: the disk is full, say.
            The file is then as it was before.
        """
        month, half = divmod(len(self._starts), 2)
        if (step.report.month, step.before.step) != (month + 1, (Step.BUY, Step.SELL)[half]):
            raise RecordError(
                f"{self.path.name} goes on with month {month + 1}, {('buy', 'sell')[half]}, not "
                f"with month {step.report.month}, {step.before.step}. Append each step once."
            )
        start = self._end
        self._rewrite_from(start, step_line(step).encode())
        self._starts.append(start)

    def undo(self) -> None:
        """Take the last step off the file.

        Raises
        ------
        RecordError
            No step is left, or the file cannot be written.
        """
        if not self._starts:
            raise RecordError(f"{self.path.name} has no step to take off.")
        self._rewrite_from(self._starts[-1], b"")
        self._starts.pop()

    def _rewrite_from(self, start: int, data: bytes) -> None:
        """Let the file end with `data` from `start` on: all of it, or what was there before."""
        try:
            with self.path.open("r+b", buffering=0) as file:
                self._refuse_unless_mine(os.fstat(file.fileno()).st_size)
                try:
                    file.truncate(start)
                    file.seek(start)
                    rest = data
                    while rest:
                        rest = rest[file.write(rest) :]
                    os.fsync(file.fileno())
                except BaseException:
                    with suppress(OSError):
                        file.truncate(start)
                        os.fsync(file.fileno())
                    raise
        except OSError as error:
            raise failed(self.path, "cannot be written", error) from None
        self._end = start + len(data)

    def _refuse_unless_mine(self, size: int) -> None:
        if size != self._end:
            raise changed_elsewhere(self.path)


def changed_elsewhere(path: Path) -> RecordError:
    """The refusal when the same game is played on in two places at once."""
    return RecordError(
        f"{path.name} was changed meanwhile, in another tab or by someone else. "
        "Run this cell again to go on with it."
    )
