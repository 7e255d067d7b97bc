"""A game as a teacher types it: hand in orders and offers, look at the board, take a step back."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from exdec import engine
from exdec.errors import BidError, TurnError
from exdec.items import GOODS, MATERIALS, Goods, Item, Materials
from exdec.model import (
    Bid,
    BuyReport,
    Final,
    Order,
    Report,
    Result,
    State,
    Step,
    month_name,
    possessive,
)
from exdec.observe import Observation, Posting, observe, publish
from exdec.rules import STANDARD, Rules

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator

    from exdec.guard import Fault

T = TypeVar("T", Materials[Bid], Goods[Bid])


class Sealed:
    """A checked order or offer that nobody else may see yet; it never shows itself."""

    __slots__ = ("bids",)

    def __init__(self, bids: Materials[Bid] | Goods[Bid]) -> None:
        self.bids = bids

    def __repr__(self) -> str:
        return "<sealed>"


class SettledStep(NamedTuple):
    """One step that was played.

    Parameters
    ----------
    before : State
        The state it was played from.
    report : BuyReport or SaleReport
        What was handed in, and what came of it.
    """

    before: State
    report: Report

    @property
    def bids(self) -> dict[str, dict[str, Bid]]:
        """What was handed in, by player and item; whoever passed has an empty dict."""
        items: tuple[Item, ...] = MATERIALS if isinstance(self.report, BuyReport) else GOODS
        firms: tuple[Result, ...] = self.report.firms
        return {
            player: {
                item.value: Bid(line.units, line.price)
                for item, line in zip(items, firm.lines, strict=True)
                if line.units
            }
            for player, firm in zip(self.report.players, firms, strict=True)
        }


class Game:
    """A game of Executive Decision around one table.

    Players hand in orders (`order`) and then offers (`offer`), month after month. What is handed
    in stays sealed until everyone has handed in; then the market posts its prices and all bids
    are settled at once.

    Parameters
    ----------
    players : sequence of str
        2 to 6 different names.
    rules : Rules, optional
        The standard game if left out.
    **changes
        Rules to change, such as ``months=6``; see `Rules.vary`.

    Attributes
    ----------
    faults : list of Fault
        Moves that strategies have lost in this game, the oldest first; print one to read it.

    Raises
    ------
    TurnError
        Names that will not do.
    RulesError
        A rule that is not there, or a senseless value.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", X=(2, 41), F=(1, 30))
    >>> game
    <Game of Ann, Ben: January, orders; handed in: Ann; waiting for: Ben>
    >>> game.order("Ben", X=(10, 45))
    >>> game.state.material_prices
    Materials(X=42, F=21, S=10)
    >>> print(game.report.firms[0].lines.X.outcome)
    below market
    """

    def __init__(self, players: Sequence[str], rules: Rules = STANDARD, **changes: Any) -> None:
        self._state = engine.new_game(players, rules.vary(**changes) if changes else rules)
        self._steps: list[SettledStep] = []
        # What seats may know of the steps, kept apart from what they may not.
        self._postings: list[Posting] = []
        self._results: dict[str, list[Result]] = {player: [] for player in self.players}
        self._sealed: dict[str, Sealed] = {}
        self.faults: list[Fault] = []

    # -- handing in ------------------------------------------------------------------------------

    def order(self, player: str, order: Order | None = None, /, **lines: Sequence[int]) -> None:
        """Hand in a player's order for materials.

        Parameters
        ----------
        player : str
        order : mapping, optional
            ``{"X": (units, price), …}``; or name the grades: ``X=(2, 40), F=(4, 35)``. Nothing at
            all is a pass.

        Raises
        ------
        BidError
            The rules do not allow this order; the game stays as it was.
        TurnError
            It is not time for orders, or the player's order is in already.
        """
        engine.expect(self._state, Step.BUY)
        self.hand_in(player, _together(order, lines))

    def offer(self, player: str, offer: Order | None = None, /, **lines: Sequence[int]) -> None:
        """Hand in a player's offer of goods.

        Parameters
        ----------
        player : str
        offer : mapping, optional
            ``{"A": (units, price), …}``; or name the goods: ``A=(2, 143)``. Nothing at all is a
            pass.

        Raises
        ------
        BidError
            The rules do not allow this offer; the game stays as it was.
        TurnError
            It is not time for offers, or the player's offer is in already.
        """
        engine.expect(self._state, Step.SELL)
        self.hand_in(player, _together(offer, lines))

    def hand_in(self, player: str, bids: Order) -> None:
        """Hand in whatever the step asks for: an order or an offer.

        Once the last player has handed in, all bids are opened and settled.

        Raises
        ------
        BidError, TurnError
            As `order` and `offer`.
        """
        if self.step is Step.SELL:
            sealed = Sealed(engine.check_offer(self._state, player, bids))
        else:
            sealed = Sealed(engine.check_order(self._state, player, bids))
        if player in self._sealed:
            kind = "offer" if self.step is Step.SELL else "order"
            raise TurnError(
                f"{possessive(player)} {kind} for {month_name(self.month)} is in already. "
                f"Take it back first: game.take_back({player!r})."
            )
        self._sealed[player] = sealed
        if len(self._sealed) == len(self.players):
            self.open_bids()

    def take_back(self, player: str) -> None:
        """Take back what a player handed in and nobody has opened yet.

        Raises
        ------
        TurnError
            Nothing of this player's is sealed.
        """
        engine.seat(self._state, player)
        if player not in self._sealed:
            raise TurnError(f"{player} has nothing on the table to take back.")
        del self._sealed[player]

    def open_bids(self) -> Report:
        """Open what is handed in and settle it; whoever has not handed in passes.

        Raises
        ------
        TurnError
            The game is over.
        """
        before = self._state
        report: Report
        if before.step is Step.SELL:
            self._state, report = engine.settle_sell(before, self._unseal(engine.NO_OFFER))
        else:
            engine.expect(before, Step.BUY)
            self._state, report = engine.settle_buy(before, self._unseal(engine.NO_ORDER))
        self._sealed = {}
        self._steps.append(SettledStep(before, report))
        self._postings.append(publish(self.rules, report))
        results: tuple[Result, ...] = report.firms
        for own, result in zip(self._results.values(), results, strict=True):
            own.append(result)
        return report

    def _unseal(self, passed: T) -> list[T]:
        """Every player's bids in the order of the seats, `passed` for who has not handed in."""
        return [
            cast(T, self._sealed[player].bids) if player in self._sealed else passed
            for player in self.players
        ]

    def undo(self) -> None:
        """Take back the last settled step, and whatever has been handed in since.

        Raises
        ------
        TurnError
            Nothing has been settled yet.
        """
        if not self._steps:
            raise TurnError("There is nothing to undo: no step has been settled yet.")
        self._state = self._steps.pop().before
        self._postings.pop()
        for own in self._results.values():
            own.pop()
        self._sealed = {}
        now = (self.month, self.step)
        self.faults = [fault for fault in self.faults if (fault.month, fault.step) != now]

    # -- keeping ---------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], /, **extra: Any) -> None:
        """Write every settled step to a file as a game record, in place of an earlier record.

        What is handed in and not yet opened stays sealed, and is not saved.

        Parameters
        ----------
        path : str or path
        **extra
            Other keys for the record's header, such as ``title="Group 3"``.

        Raises
        ------
        RecordError
            The file cannot be written, or holds something that is no record.
        """
        from exdec import record

        record.save(path, self, **extra)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Game:
        """Read a game record and go on where it stops; `exdec.record.read` tells more of it.

        Warns
        -----
        UserWarning
            The last line was cut off while it was written, and that step is lost.

        Raises
        ------
        RecordError
            The message gives the line, what is wrong with it and how to mend it.
        """
        from exdec import record

        read = record.read(path)
        if read.lost:
            warnings.warn(read.lost, stacklevel=2)
        return read.game()

    # -- looking ---------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._state.rules

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of their seats."""
        return self._state.players

    @property
    def state(self) -> State:
        """Everything that is settled."""
        return self._state

    @property
    def month(self) -> int:
        """The month being played, from 1."""
        return self._state.month

    @property
    def step(self) -> Step:
        """What is handed in next."""
        return self._state.step

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who has yet to hand in this step."""
        if self.step is Step.OVER:
            return ()
        return tuple(player for player in self.players if player not in self._sealed)

    @property
    def steps(self) -> tuple[SettledStep, ...]:
        """Every settled step, the oldest first."""
        return tuple(self._steps)

    @property
    def report(self) -> Report | None:
        """What came of the last settled step; None before the first. Print it to read it."""
        return self._steps[-1].report if self._steps else None

    def observe(self, player: str, rng: Generator | None = None) -> Observation:
        """What one player may know now (R21)."""
        engine.seat(self._state, player)
        return observe(self._state, player, self._postings, self._results[player], rng)

    @property
    def postings(self) -> tuple[Posting, ...]:
        """What everyone may know of every settled step, the oldest first."""
        return tuple(self._postings)

    @property
    def board(self) -> pd.DataFrame:
        """The Price Level Board: a row for each material and good, a column for each posted month.

        Whole dollars a unit; `pandas.NA` where the month's goods are not posted yet.
        """
        from exdec import frames

        return frames.board(self)

    def tally(self, player: str) -> pd.DataFrame:
        """One player's Tally sheet: a row for each line that was bid, the oldest first.

        See `exdec.frames.tally` for the columns.
        """
        from exdec import frames

        return frames.tally(self, player)

    @property
    def profit(self) -> dict[str, int]:
        """Cash less starting cash for each player (R19).

        Certificates count once the game is over and the Broker has bought them.
        """
        if self.step is Step.OVER:
            return dict(zip(self.players, self.final.profit, strict=True))
        start = self.rules.starting_cash.at(len(self.players))
        return {
            player: firm.cash - start
            for player, firm in zip(self.players, self._state.firms, strict=True)
        }

    @property
    def final(self) -> Final:
        """The end of the game.

        Raises
        ------
        TurnError
            The game is not over.
        """
        return engine.liquidate(self._state)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who made the most profit; empty until the game is over."""
        return self.final.winners if self.step is Step.OVER else ()

    def __repr__(self) -> str:
        who = f"<Game of {', '.join(self.players)}: "
        if self.step is Step.OVER:
            made = ", ".join(f"{player} {dollars:+,}" for player, dollars in self.profit.items())
            return f"{who}over after {month_name(self.month)}; profit: {made}>"
        kind = "orders" if self.step is Step.BUY else "offers"
        handed_in = ", ".join(player for player in self.players if player in self._sealed)
        return (
            f"{who}{month_name(self.month)}, {kind}; handed in: {handed_in or 'nobody'}; "
            f"waiting for: {', '.join(self.waiting)}>"
        )

    def _repr_html_(self) -> str:
        from exdec.notebook.static import game_html

        return game_html(self)


def _together(bids: Order | None, lines: Mapping[str, Sequence[int]]) -> Order:
    """Put bids given as a mapping and bids given by name into one; the engine checks them."""
    if bids is None:
        return lines
    if lines and isinstance(bids, Mapping):
        if twice := [item for item in lines if item in bids]:
            raise BidError(f"{twice[0]} is given twice. Keep one of them.")
        return {**bids, **lines}
    return bids
