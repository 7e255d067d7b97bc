"""What stands on the table: bids, firms, the state of a game, and reports of what was settled.

All values are frozen. Money is in whole dollars, months count from 1, and wherever there is one
value for each firm it stands in the order of `State.players`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from exdec.items import Goods, Materials
from exdec.rules import Rules

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def month_name(month: int) -> str:
    """Name a month by its number from 1.

    Examples
    --------
    >>> month_name(3)
    'March'
    """
    return MONTHS[month - 1]


def possessive(name: str) -> str:
    """Put a player's name before what belongs to the player.

    Examples
    --------
    >>> possessive("Ann"), possessive("Les"), possessive("You")
    ("Ann's", "Les'", 'Your')
    """
    if name == "You":
        return "Your"
    return f"{name}'" if name.endswith("s") else f"{name}'s"


Order: TypeAlias = Mapping[Any, Sequence[int]]
"""What a player writes down: ``{"X": (2, 40)}`` bids for 2 units of X-FINE at $40 each. An offer
of goods has the same form."""


class Bid(NamedTuple):
    """One line of an order or offer: whole units, and dollars a unit (R8)."""

    units: int
    price: int


NO_BID = Bid(0, 0)


class Step(StrEnum):
    """What is handed in next."""

    BUY = "buy"
    SELL = "sell"
    OVER = "over"


class Outcome(StrEnum):
    """What became of one line of an order or offer, and so why."""

    NO_BID = "no bid"
    FILLED = "filled"
    PARTLY_FILLED = "partly filled"
    BELOW_MARKET = "below market"
    ABOVE_MARKET = "above market"
    SHORT_OF_CASH = "short of cash"
    CANNOT_DELIVER = "cannot deliver"


class Line(NamedTuple):
    """One settled line of an order or offer.

    Parameters
    ----------
    units, price : int
        What was bid: units, and dollars a unit.
    won : int
        Units that the market gives, before cash (R11) or delivery (R14) is looked at.
    filled : int
        Units that changed hands.
    outcome : Outcome
        Why `filled` is what it is.
    """

    units: int
    price: int
    won: int
    filled: int
    outcome: Outcome

    @property
    def lost(self) -> int:
        """Units that were bid for and did not change hands."""
        return self.units - self.filled

    @property
    def amount(self) -> int:
        """Dollars that changed hands: each unit goes at the bid price (R10)."""
        return self.filled * self.price


class Firm(NamedTuple):
    """One player's firm: whole dollars, and certificates face up on the table."""

    cash: int
    materials: Materials[int]


class Delivery(NamedTuple):
    """Certificates that are handed in for goods, and which of them are substitutes (R12, R13).

    Parameters
    ----------
    certificates : Materials[int]
        Certificates handed in, by the grade that they are.
    x_for_f, f_for_s : int
        How many X-FINE stand in for FINE, and FINE for STANDARD.
    """

    certificates: Materials[int]
    x_for_f: int
    f_for_s: int


class Purchase(NamedTuple):
    """What one firm's order came to.

    Parameters
    ----------
    lines : Materials[Line]
        The order, line by line.
    due : int
        Dollars that the successful bids cost together.
    paid : int
        Dollars paid: `due`, or 0 if the firm was short of cash.
    void : bool
        The firm was short of cash and bought nothing (R11).
    cash, materials : int, Materials[int]
        What the firm holds afterwards.
    """

    lines: Materials[Line]
    due: int
    paid: int
    void: bool
    cash: int
    materials: Materials[int]


class Sale(NamedTuple):
    """What one firm's offer came to.

    Parameters
    ----------
    lines : Goods[Line]
        The offer, line by line.
    due : int
        Dollars that the successful asks are worth together.
    received : int
        Dollars received: `due`, or 0 if the firm could not deliver.
    void : bool
        The firm could not deliver all it had sold, and sold nothing (R14).
    delivery : Delivery
        Certificates handed in, and the substitutes among them.
    cash, materials : int, Materials[int]
        What the firm holds afterwards.
    """

    lines: Goods[Line]
    due: int
    received: int
    void: bool
    delivery: Delivery
    cash: int
    materials: Materials[int]


@dataclass(frozen=True, slots=True)
class BuyReport:
    """A month's purchases, settled.

    Parameters
    ----------
    players : tuple of str
    month : int
        From 1.
    units : Materials[int]
        Units that all firms announced, those that failed included (R9).
    before, movement, prices : Materials[int]
        Price before, what the Market Calculator shows, and the posted Market Price; they differ
        from before + movement only at the floor (R6).
    firms : tuple of Purchase
        One for each player.
    """

    players: tuple[str, ...]
    month: int
    units: Materials[int]
    before: Materials[int]
    movement: Materials[int]
    prices: Materials[int]
    firms: tuple[Purchase, ...]

    def __str__(self) -> str:
        from exdec import narrate

        return narrate.report_text(self)


@dataclass(frozen=True, slots=True)
class SaleReport:
    """A month's sales, settled; like `BuyReport`, for goods.

    Parameters
    ----------
    players : tuple of str
    month : int
        From 1.
    units : Goods[int]
        Units that all firms announced, those that failed included (R9).
    before, movement, prices : Goods[int]
        Price before, what the Market Calculator shows, and the posted Market Price.
    firms : tuple of Sale
        One for each player.
    """

    players: tuple[str, ...]
    month: int
    units: Goods[int]
    before: Goods[int]
    movement: Goods[int]
    prices: Goods[int]
    firms: tuple[Sale, ...]

    def __str__(self) -> str:
        from exdec import narrate

        return narrate.report_text(self)


Report: TypeAlias = BuyReport | SaleReport
Result: TypeAlias = Purchase | Sale


@dataclass(frozen=True, slots=True)
class Final:
    """The end of a game (R19); every tuple has one value for each player.

    Parameters
    ----------
    liquidation : tuple of int
        Dollars from selling the last certificates to the Broker at the last posted prices.
    cash, profit : tuple of int
        Cash after that, and cash less starting cash.
    winners : tuple of str
        Who made the most profit; more than one if profits are equal.
    """

    players: tuple[str, ...]
    liquidation: tuple[int, ...]
    cash: tuple[int, ...]
    profit: tuple[int, ...]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is settled, and nothing that is not: no bid stands here unopened.

    Parameters
    ----------
    rules : Rules
    players : tuple of str
    month : int
        The month being played, from 1; after the end the last one.
    step : Step
        What is handed in next.
    material_prices, good_prices : Materials[int], Goods[int]
        The latest posted prices, in dollars a unit.
    firms : tuple of Firm
        One for each player.
    """

    rules: Rules
    players: tuple[str, ...]
    month: int
    step: Step
    material_prices: Materials[int]
    good_prices: Goods[int]
    firms: tuple[Firm, ...]
