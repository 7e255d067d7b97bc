"""What any game tells about one firm's month: prices, bids, money, certificates.

Months count from 1. An item is "X", "F" or "S", or "A", "B" or "C".
"""

from __future__ import annotations

from fractions import Fraction

from exdec.analysis import goods_sold, stocks
from exdec.engine import seat
from exdec.game import Game, SettledStep
from exdec.items import GOODS, MATERIALS, Item
from exdec.lessons.answers import NotInGameError
from exdec.model import Line, Purchase, Result, Sale, month_name

__all__ = [
    "ask_total",
    "bid_price",
    "bid_total",
    "cash_after",
    "cash_before",
    "changed_hands",
    "failed_bids",
    "goods_cost",
    "margin",
    "market_amount",
    "movement",
    "paid",
    "posted_price",
    "price_before",
    "profit",
    "received",
    "total_units",
    "unit_cost",
    "units_bid",
]


def posted_price(game: Game, _player: str, *, item: str, month: int) -> int:
    """The Market Price of an item, in dollars a unit."""
    step, at, _ = _step_of(game, item, month)
    return step.report.prices[at]


def price_before(game: Game, _player: str, *, item: str, month: int) -> int:
    """The price that an item had before the month moved it."""
    step, at, _ = _step_of(game, item, month)
    return step.report.before[at]


def movement(game: Game, _player: str, *, item: str, month: int) -> int:
    """What the Market Calculator showed for an item."""
    step, at, _ = _step_of(game, item, month)
    return step.report.movement[at]


def total_units(game: Game, _player: str, *, item: str, month: int) -> int:
    """Units that all firms ordered or offered together (R9)."""
    step, at, _ = _step_of(game, item, month)
    return step.report.units[at]


def units_bid(game: Game, player: str, *, item: str, month: int) -> int:
    """Units that this firm ordered or offered."""
    return _line(game, player, item, month).units


def bid_price(game: Game, player: str, *, item: str, month: int) -> int:
    """What this firm bid or asked for one unit."""
    line = _line(game, player, item, month)
    if not line.units:
        raise NotInGameError(f"you bid for no {_name(item)} in {month_name(month)}")
    return line.price


def changed_hands(game: Game, player: str, *, month: int, item: str = "", side: str = "buy") -> int:
    """Units that this firm bought or sold: of one item, or of all materials or goods.

    Parameters
    ----------
    game : Game
    player : str
    month : int
    item : str, optional
    side : str
        "buy" or "sell", if no item is named.
    """
    if item:
        return _line(game, player, item, month).filled
    return sum(line.filled for line in _result(game, player, month, side).lines)


def failed_bids(game: Game, player: str, *, month: int, side: str = "buy") -> int:
    """How many of this firm's lines got nothing."""
    lines = _result(game, player, month, side).lines
    return sum(1 for line in lines if line.units and not line.filled)


def paid(game: Game, player: str, *, month: int) -> int:
    """What this firm paid for materials, in dollars (R10)."""
    return sum(line.amount for line in _result(game, player, month, "buy").lines)


def received(game: Game, player: str, *, month: int) -> int:
    """What this firm received for goods, in dollars (R10)."""
    return sum(line.amount for line in _result(game, player, month, "sell").lines)


def bid_total(game: Game, player: str, *, month: int) -> int:
    """What a month's whole order would have cost, had every bid succeeded."""
    return sum(line.units * line.price for line in _result(game, player, month, "buy").lines)


def ask_total(game: Game, player: str, *, month: int) -> int:
    """What a month's whole offer would have brought, had every ask succeeded."""
    return sum(line.units * line.price for line in _result(game, player, month, "sell").lines)


def market_amount(game: Game, player: str, *, month: int, side: str = "buy") -> int:
    """What changed hands, at Market Prices and not at this firm's own bids or asks."""
    step = _steps(game, month, side)
    lines = _result(game, player, month, side).lines
    return sum(line.filled * price for line, price in zip(lines, step.report.prices, strict=True))


def cash_before(game: Game, player: str, *, month: int) -> int:
    """Cash at the start of a month."""
    step = _steps(game, month, "buy")
    return step.before.firms[seat(game.state, player)].cash


def cash_after(game: Game, player: str, *, month: int, side: str = "sell") -> int:
    """Cash after a month's orders ("buy") or offers ("sell") are settled."""
    return _result(game, player, month, side).cash


def profit(game: Game, player: str, *, month: int) -> int:
    """Cash after a month's sales less starting cash, before any last certificates are sold."""
    after = cash_after(game, player, month=month)
    return after - cash_before(game, player, month=1)


def unit_cost(game: Game, player: str, *, item: str, month: int) -> Fraction:
    """What one certificate of a grade has cost on average, once the month's purchases are in.

    Raises
    ------
    NotInGameError
        The firm holds none then.
    """
    at = [grade.value for grade in MATERIALS].index(item)
    _steps(game, month, "buy")
    before, result = list(stocks(game, player))[2 * (month - 1)]
    stock = before.after(result)
    if not stock.units[at]:
        raise NotInGameError(f"you hold no {_name(item)} in {month_name(month)}")
    return stock.average[at]


def goods_cost(game: Game, player: str, *, month: int, item: str = "") -> int:
    """What the certificates in the goods sold had cost: in one good, or in all of them."""
    _steps(game, month, "sell")
    sold = [one for one in goods_sold(game, player) if one.month == month]
    return sum(one.cost for one in sold if item in ("", one.good.value))


def margin(game: Game, player: str, *, month: int, item: str = "") -> int:
    """Dollars received for goods beyond what their certificates had cost."""
    _steps(game, month, "sell")
    sold = [one for one in goods_sold(game, player) if one.month == month]
    return sum(one.margin for one in sold if item in ("", one.good.value))


def _steps(game: Game, month: int, side: str) -> SettledStep:
    at = 2 * (month - 1) + (side == "sell")
    if at >= len(game.steps):
        raise NotInGameError(f"your game has not come to {month_name(month)}'s {_kind(side)}")
    return game.steps[at]


def _kind(side: str) -> str:
    return "offers" if side == "sell" else "orders"


def _result(game: Game, player: str, month: int, side: str) -> Purchase | Sale:
    firms: tuple[Result, ...] = _steps(game, month, side).report.firms
    return firms[seat(game.state, player)]


def _step_of(game: Game, item: str, month: int) -> tuple[SettledStep, int, str]:
    """The step that moves an item's price, the item's place in it, and its side."""
    materials = [grade.value for grade in MATERIALS]
    side = "buy" if item in materials else "sell"
    names = materials if side == "buy" else [good.value for good in GOODS]
    return _steps(game, month, side), names.index(item), side


def _line(game: Game, player: str, item: str, month: int) -> Line:
    _, at, side = _step_of(game, item, month)
    return _result(game, player, month, side).lines[at]


def _name(item: str) -> str:
    items: tuple[Item, ...] = (*MATERIALS, *GOODS)
    return next(one.label for one in items if one.value == item)
