"""The table that people sit at: seats, rivals, sealed bids, undo, and a record on disk.

This is the one seam between the game and everything that people see. It knows nothing of widgets
or of the network: a notebook, a phone and a test all hand in bids the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from exdec.bots import Bot, make_bot, strategy_named
from exdec.errors import ExdecError, RecordError, TurnError, shown
from exdec.game import Game
from exdec.model import Order, Report, Step, month_name
from exdec.play import play_step
from exdec.record import dumps, failed
from exdec.recorder import Recorder, changed_elsewhere
from exdec.rules import Rules
from exdec.sealed import Seals


class Turn(NamedTuple):
    """The step that a bid is meant for."""

    month: int
    step: Step


class Table:
    """One game with people and rivals around it.

    A step is settled as soon as every person has handed in: the rivals answer then, the bids are
    opened, and the step is on disk before anyone is asked for the next. What is handed in before
    that stays sealed, and is on disk too (`exdec.sealed`).

    Parameters
    ----------
    game : Game
    rivals : mapping of player to strategy, optional
        Which seats play by themselves, and the names of their strategies (`exdec.bots.BOTS`) or
        levels (`exdec.bots.LEVELS`).
    seed : int, optional
        Where the rivals' luck comes from, from 0 on. It depends on nothing but the seed, the
        seat, the month and the step, so a game that is resumed or taken back meets the same
        rivals again.
    practice : bool, optional
        Whether steps can be taken back. Left out, it is so for one person alone: several would
        have seen what the others bid.

    Attributes
    ----------
    rivals : dict of player to strategy
        Each strategy under its own name, whatever level it was chosen by.
    seals : Seals
        What is handed in and not opened, PINs, and notes for everyone.
    lost : str or None
        What a torn last line of the record cost, as a sentence.

    Raises
    ------
    TurnError
        Rivals or a seed that will not do.

    Examples
    --------
    >>> table = Table(Game(["You", "Ben"]), {"Ben": "cautious"}, seed=1)
    >>> report = table.hand_in("You", {"X": (2, 45)})
    >>> report.month, table.turn.step.value
    (1, 'sell')
    """

    def __init__(
        self,
        game: Game,
        rivals: Mapping[str, str] | None = None,
        seed: int = 0,
        *,
        practice: bool | None = None,
    ) -> None:
        self.game = game
        self.rivals = {player: strategy_named(name) for player, name in (rivals or {}).items()}
        self.seed = seed
        self.seals = Seals()
        self._bots: dict[str, Bot] = {}  # made when they first play
        self.lost: str | None = None
        self._recorder: Recorder | None = None
        self._path: Path | None = None
        for player in self.rivals:
            if player not in game.players:
                raise TurnError(f"{player} has no seat, so no rival can play there.")
        if type(seed) is not int or seed < 0:
            raise TurnError(f"A seed is a whole number from 0 on, not {shown(seed)}.")
        self.practice = len(self.people) < 2 if practice is None else practice

    @classmethod
    def create(
        cls,
        path: Path,
        players: Sequence[str],
        rules: Rules,
        rivals: Mapping[str, str],
        seed: int,
        *,
        practice: bool | None = None,
    ) -> Table:
        """Sit down to a game that is kept in a new file.

        The file is made when the first bids are handed in: a game that nobody begins leaves
        nothing behind.

        Raises
        ------
        RecordError
            The file is there already.
        TurnError
            Names, rivals or a seed that will not do.
        """
        if path.exists():
            raise RecordError(f"{path} is there already. Choose another name, or resume it.")
        table = cls(Game(players, rules), rivals, seed, practice=practice)
        table._path = path
        return table

    @classmethod
    def resume(cls, path: Path) -> Table:
        """Go on with the game in a file, with the same rivals and the same luck.

        Sealed bids are still sealed. Those that are damaged, or that belong to another turn or to
        another game, are asked for again.

        Raises
        ------
        RecordError
            The file cannot be read; the message names the line.
        """
        recorder, game = Recorder.resume(path)
        record = recorder.record
        rivals = record.extra.get("bots", {})
        practice = record.extra.get("practice")
        try:
            if not isinstance(rivals, dict):
                raise TurnError(f'"bots" names a strategy for each rival, not {shown(rivals)}.')
            if not isinstance(practice, bool | None):
                raise TurnError(f'"practice" is true or false, not {shown(practice)}.')
            table = cls(game, rivals, record.extra.get("seed", 0), practice=practice)
        except TurnError as error:
            raise RecordError(f"{path.name}, line 1: {error}") from None
        table._path, table._recorder, table.lost = path, recorder, record.lost
        table.seals = Seals.read(Seals.beside(path))
        table._lay_sealed()
        return table

    @property
    def path(self) -> Path | None:
        """Where the game is kept, once it is begun."""
        return self._path

    @property
    def turn(self) -> Turn:
        """The step that is being handed in."""
        return Turn(self.game.month, self.game.step)

    @property
    def people(self) -> tuple[str, ...]:
        """The players who are no rivals, in the order of their seats."""
        return tuple(player for player in self.game.players if player not in self.rivals)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The people who have yet to hand in."""
        return tuple(player for player in self.game.waiting if player not in self.rivals)

    def hand_in(self, player: str, bids: Order, turn: Turn | None = None) -> Report | None:
        """Hand in one person's order or offer.

        Parameters
        ----------
        player : str
        bids : mapping
            ``{"X": (units, price), …}``; empty is a pass.
        turn : Turn, optional
            The step these bids were written for; a bid that comes too late is refused.

        Returns
        -------
        BuyReport or SaleReport, or None
            What came of the step, if this was the last bid it waited for.

        Raises
        ------
        BidError
            The rules do not allow these bids; nothing has changed.
        TurnError
            The seat is a rival's, the turn is past, or this player has handed in already.
        RecordError
            The step could not be written down, so it was not played.
        """
        if player in self.rivals:
            raise TurnError(f"{player} is played by a rival ({self.rivals[player]}).")
        if turn is not None and turn != self.turn:
            kind = "offers" if turn.step is Step.SELL else "orders"
            raise TurnError(
                f"{month_name(turn.month)}'s {kind} are settled already; this came too late."
            )
        settled = len(self.game.steps)
        self.game.hand_in(player, bids)
        try:
            self._begin()
            self.seals.check()
            if len(self.game.steps) == settled:
                if self.waiting:
                    self.seals.put(player, bids, self._fingerprint())
                    return None
                self._let_rivals_play()
            return self._write_down()
        except BaseException:
            self._put_back(settled)
            raise

    def lay(self, sealed: Mapping[str, Order]) -> None:
        """Lay bids on a fresh table that were handed in before, still sealed; nothing is settled.

        Raises
        ------
        BidError, TurnError
            They do not belong to this step.
        """
        for player, bids in sealed.items():
            self.game.hand_in(player, bids)
            self.seals.put(player, bids, self._fingerprint())

    def take_back(self, player: str) -> None:
        """Take back what one person has handed in and nobody has opened yet.

        Raises
        ------
        TurnError
            Nothing of this player's is sealed.
        RecordError
            It could not be taken off the disk, so it is still there.
        """
        self.game.take_back(player)
        try:
            self.seals.drop(player)
        except BaseException:
            self._put_back(len(self.game.steps))
            raise

    def play_rivals(self) -> Report:
        """Let the rivals hand in, which settles a step that no person is waited for.

        Raises
        ------
        TurnError
            Somebody has yet to hand in, or the game is over.
        RecordError
            The step could not be written down, so it was not played.
        """
        if self.waiting:
            raise TurnError(f"Still waiting for {', '.join(self.waiting)}.")
        return self.close()

    def close(self) -> Report:
        """Settle the step as it stands: the rivals hand in, and who has not handed in passes.

        Raises
        ------
        TurnError
            The game is over.
        RecordError
            The step could not be written down, so it was not played.
        """
        if self.game.step is Step.OVER:
            raise TurnError(f"The game ended with {month_name(self.game.month)}.")
        settled = len(self.game.steps)
        try:
            self._begin()
            self._let_rivals_play()
            if len(self.game.steps) == settled:
                self.game.open_bids()
            return self._write_down()
        except BaseException:
            self._put_back(settled)
            raise

    def hand_over(self, player: str, strategy: str | None) -> None:
        """Let a rival play a seat from now on, or a person again.

        What is sealed for the seat stays sealed.

        Parameters
        ----------
        player : str
        strategy : str or None
            The rival's strategy or level; None for a person.

        Raises
        ------
        TurnError
            There is no such seat or strategy, or the record names this game's rivals already.
        """
        if player not in self.game.players:
            raise TurnError(f"{player} has no seat, so no rival can play there.")
        if self._recorder is not None:
            raise TurnError("The record of this game names its rivals already; they stay.")
        own = None if strategy is None else strategy_named(strategy)
        self.rivals.pop(player, None)
        self._bots.pop(player, None)
        if own is not None:
            self.rivals[player] = own

    def undo(self) -> None:
        """Take the last settled step back, in the record too, and what was handed in since.

        Raises
        ------
        TurnError
            Nothing has been settled yet, or this game is not for practice.
        RecordError
            The record cannot be written; nothing is taken back.
        """
        if not self.practice:
            raise TurnError("This game is not for practice: a step that is settled stays settled.")
        if self.game.steps and self._recorder is not None:
            self._recorder.undo()
        self.game.undo()
        self._forget_sealed()

    # -- between the game and the disk -----------------------------------------------------------

    def _begin(self) -> None:
        """Make the record if there is none yet; if there is, nobody else may have changed it."""
        if self._recorder is not None:
            self._recorder.check()
            return
        if self._path is None:
            return
        if self._path.exists():
            raise changed_elsewhere(self._path)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise failed(self._path, "cannot be written", error) from None
        # What has been handed in may be settled already; it is written a step at a time.
        start = Game(self.game.players, self.game.rules)
        self._recorder = Recorder.create(self._path, start, **self._header())
        self.seals.begin(Seals.beside(self._path))

    def _header(self) -> dict[str, Any]:
        return {"bots": self.rivals, "seed": self.seed, "practice": self.practice}

    def _let_rivals_play(self) -> None:
        # A rival that takes over a seat finds that seat's bid sealed, and leaves it so.
        asked = [player for player in self.rivals if player in self.game.waiting]
        if not asked:
            return
        import numpy as np  # which strategies need, and people among themselves do not

        for player in asked:
            if player not in self._bots:
                self._bots[player] = make_bot(self.rivals[player])
        bots = {player: self._bots[player] for player in asked}
        when = (self.game.month, int(self.game.step is Step.SELL))
        rngs = {
            player: np.random.default_rng((self.seed, *when, self.game.players.index(player)))
            for player in bots
        }
        play_step(self.game, bots, rngs)

    def _write_down(self) -> Report:
        step = self.game.steps[-1]
        if self._recorder is not None:
            self._recorder.append(step)
        self._forget_sealed()
        return step.report

    def _forget_sealed(self) -> None:
        # If the file stays, it stays for a turn that is past, and is passed over.
        with suppress(RecordError):
            if self.game.step is Step.OVER:
                self.seals.end()
            else:
                self.seals.drop()

    def _fingerprint(self) -> str:
        """Name this turn of this game: sealed bids of any other are not taken for it."""
        if self._recorder is None:
            return str(len(self.game.steps))  # no file, so no other game
        settled = dumps(self.game, **self._header())
        return hashlib.sha256(settled.encode()).hexdigest()

    def _lay_sealed(self) -> None:
        """Hand in again what is sealed for this turn."""
        for player, bids in self.seals.bids(self._fingerprint()).items():
            # The last bids are never sealed, they are settled; so somebody is waited for.
            if player in self.game.waiting and len(self.game.waiting) > 1:
                try:
                    self.game.hand_in(player, bids)
                except ExdecError:
                    self.seals.lose(player)

    def _put_back(self, settled: int) -> None:
        """Let the game be as it was before a step that could not be written down."""
        if len(self.game.steps) > settled:
            self.game.undo()
        for player in self.game.players:
            with suppress(TurnError):
                self.game.take_back(player)
        self._lay_sealed()
