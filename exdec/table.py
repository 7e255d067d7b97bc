"""The table that people sit at: seats, rivals, sealed bids, undo, and a record on disk.

This is the one seam between the game and everything that people see. It knows nothing of widgets
or of the network: a notebook, a phone and a test all hand in bids the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from exdec.bots import make_bot
from exdec.errors import TurnError
from exdec.game import Game
from exdec.model import Order, Report, Step, month_name
from exdec.play import play_step
from exdec.recorder import Recorder
from exdec.rules import Rules


class Turn(NamedTuple):
    """The step that a bid is meant for."""

    month: int
    step: Step


class Table:
    """One game with people and rivals around it.

    A step is settled as soon as every person has handed in: the rivals answer then, the bids are
    opened, and the step is on disk before anyone is asked for the next.

    Parameters
    ----------
    game : Game
    rivals : mapping of player to strategy, optional
        Which seats play by themselves, and the names of their strategies (`exdec.bots.BOTS`).
    seed : int, optional
        Where the rivals' luck comes from. It depends on nothing but the seed, the seat, the month
        and the step, so a game that is resumed or taken back meets the same rivals again.
    recorder : Recorder, optional
        Where the game is kept.

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
        recorder: Recorder | None = None,
    ) -> None:
        self.game = game
        self.rivals = dict(rivals or {})
        self.seed = seed
        self._recorder = recorder
        self._bots = {player: make_bot(name) for player, name in self.rivals.items()}
        for player in self.rivals:
            if player not in game.players:
                raise TurnError(f"{player} has no seat, so no rival can play there.")

    @classmethod
    def create(
        cls,
        path: Path,
        players: list[str],
        rules: Rules,
        rivals: Mapping[str, str],
        seed: int,
    ) -> Table:
        """Start a game that is kept in a new file.

        Raises
        ------
        RecordError
            The file is there already, or cannot be written.
        TurnError
            Names or rivals that will not do.
        """
        table = cls(Game(players, rules), rivals, seed)
        table._recorder = Recorder.create(path, table.game, bots=table.rivals, seed=seed)
        return table

    @classmethod
    def resume(cls, path: Path) -> Table:
        """Go on with the game in a file, with the same rivals and the same luck.

        Raises
        ------
        RecordError
            The file cannot be read; the message names the line.
        """
        recorder, game = Recorder.resume(path)
        extra = recorder.record.extra
        return cls(game, extra.get("bots", {}), extra.get("seed", 0), recorder)

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
        if len(self.game.steps) > settled:
            return self._write_down()
        return None if self.waiting else self.play_rivals()

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
        if self.game.step is Step.OVER:
            raise TurnError(f"The game ended with {month_name(self.game.month)}.")
        import numpy as np

        when = (self.game.month, int(self.game.step is Step.SELL))
        rngs = {
            player: np.random.default_rng((self.seed, *when, self.game.players.index(player)))
            for player in self._bots
        }
        play_step(self.game, self._bots, rngs)
        return self._write_down()

    def _write_down(self) -> Report:
        step = self.game.steps[-1]
        if self._recorder is not None:
            try:
                self._recorder.append(step)
            except Exception:
                self.game.undo()
                raise
        return step.report

    def undo(self) -> None:
        """Take the last settled step back, in the record too, and what was handed in since.

        Raises
        ------
        TurnError
            Nothing has been settled yet.
        """
        self.game.undo()
        if self._recorder is not None:
            self._recorder.undo()
