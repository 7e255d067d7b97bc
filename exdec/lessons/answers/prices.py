"""What lesson 1 asks of a game: totals, orders and purchases, and cash in and out."""

from __future__ import annotations

from exdec.game import Game
from exdec.items import MATERIALS, Good, Item, Material
from exdec.lessons.answers import NotInGameError, general
from exdec.model import month_name
from exdec.theory.prices import posted_price

__all__ = [
    "before_of_most_ordered",
    "bought_by_all",
    "cash_in_the_end",
    "cash_out_less_in",
    "good_with_more",
    "leftovers",
    "lost",
    "lost_if_any",
    "most_ordered",
    "ordered",
    "own_units",
    "posted_of_most_ordered",
    "posted_plus",
    "profit_in_the_end",
    "received_in_all",
    "without_me",
]


def ordered(game: Game, player: str, *, month: int) -> int:
    """Units of all grades that this firm ordered, whether it got them or not."""
    return sum(general.units_bid(game, player, item=grade, month=month) for grade in MATERIALS)


def lost(game: Game, player: str, *, month: int) -> int:
    """Units that this firm ordered and did not get."""
    got = general.changed_hands(game, player, month=month, side="buy")
    return ordered(game, player, month=month) - got


def lost_if_any(game: Game, player: str, *, month: int) -> int:
    """The same, where some were lost."""
    units = lost(game, player, month=month)
    if not units:
        raise NotInGameError(f"you got all that you ordered in {month_name(month)}")
    return units


def bought_by_all(game: Game, _player: str, *, month: int, item: str = "") -> int:
    """Units that all firms bought: of one grade, or of all of them."""
    firms = game.players
    return sum(
        general.changed_hands(game, firm, month=month, item=item, side="buy") for firm in firms
    )


def most_ordered(game: Game, player: str, *, month: int) -> str:
    """The name of the grade that this firm ordered most of; the finer one of two."""
    return _most_ordered(game, player, month).label


def own_units(game: Game, player: str, *, month: int) -> int:
    """Units of that grade that this firm ordered."""
    return general.units_bid(game, player, item=_most_ordered(game, player, month), month=month)


def posted_of_most_ordered(game: Game, player: str, *, month: int, more: int = 0) -> int:
    """What that grade posted at, or would have if more of it had been ordered.

    Parameters
    ----------
    game : Game
    player : str
    month : int
    more : int, optional
        How many of this firm's own orders are added: 1 counts its units twice.
    """
    grade = _most_ordered(game, player, month)
    return _posted(game, grade, month, more * own_units(game, player, month=month))


def before_of_most_ordered(game: Game, player: str, *, month: int) -> int:
    """What that grade stood at before the month moved it."""
    grade = _most_ordered(game, player, month)
    return general.price_before(game, player, item=grade, month=month)


def without_me(game: Game, player: str, *, month: int) -> int:
    """What that grade would have posted at, had this firm ordered none of it."""
    return posted_of_most_ordered(game, player, month=month, more=-1)


def good_with_more(game: Game, _player: str, *, item: str, month: int, more: int = 1) -> int:
    """What a good would have posted at, had so many more units been offered."""
    return _posted(game, Good(item), month, more)


def posted_plus(game: Game, player: str, *, item: str, month: int, dollars: int) -> int:
    """A posted price moved by so much, for those who take a wrong step."""
    return general.posted_price(game, player, item=item, month=month) + dollars


def cash_out_less_in(game: Game, player: str, *, month: int) -> int:
    """A month's profit with its sign turned."""
    return general.paid(game, player, month=month) - general.received(game, player, month=month)


def leftovers(game: Game, player: str, *, month: int) -> int:
    """What the Broker pays for the certificates held after a month, at posted prices (R19)."""
    general.cash_after(game, player, month=month)  # raises if the month is not there
    held = game.observe(player).results[2 * month - 1].materials
    return sum(
        units * general.posted_price(game, player, item=grade, month=month)
        for units, grade in zip(held, MATERIALS, strict=True)
    )


def profit_in_the_end(game: Game, player: str, *, month: int) -> int:
    """Profit if the game ends with a month, its last certificates sold to the Broker (R19)."""
    made = general.profit(game, player, month=month)
    return made + leftovers(game, player, month=month)


def cash_in_the_end(game: Game, player: str, *, month: int) -> int:
    """Cash if the game ends with a month, its last certificates sold to the Broker (R19)."""
    cash = general.cash_after(game, player, month=month)
    return cash + leftovers(game, player, month=month)


def received_in_all(game: Game, player: str, *, month: int) -> int:
    """What all sales up to a month brought."""
    return sum(general.received(game, player, month=one) for one in range(1, month + 1))


def _most_ordered(game: Game, player: str, month: int) -> Material:
    units = {grade: general.units_bid(game, player, item=grade, month=month) for grade in MATERIALS}
    most = max(units, key=lambda grade: units[grade])
    if not units[most]:
        raise NotInGameError(f"you ordered nothing in {month_name(month)}")
    return most


def _posted(game: Game, item: Item, month: int, more: int) -> int:
    last = general.price_before(game, "", item=item, month=month)
    total = general.total_units(game, "", item=item, month=month)
    return posted_price(item, last, max(0, total + more), game.rules)
