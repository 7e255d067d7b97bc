"""What decided a game: a few sentences, each true by computation and weighed in dollars.

Some of it lies open to all: posted prices, units announced, and, once the game is over, what made
each firm's profit. A sentence about a bid is only for eyes that may see that bid (R21). What a
bid would have earned is reckoned at the prices that did post, everyone else's bids being as they
were; so it says what was missed, and not what would have followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from exdec.analysis import goods_sold, split_profit, stocks
from exdec.costs import Stock
from exdec.game import Game
from exdec.items import GOODS, MATERIALS, Good, Goods, Item, Materials
from exdec.model import (
    BuyReport,
    Line,
    Outcome,
    Purchase,
    Sale,
    SaleReport,
    Step,
    month_name,
    possessive,
)
from exdec.narrate import change, dollars
from exdec.production import Makeable
from exdec.rules import Rules

NEAR = 2
"""A bid that misses the market by no more dollars than this is a near miss."""


class TurningPoint(NamedTuple):
    """Something that moved money.

    Parameters
    ----------
    month : int
        From 1.
    weight : int
        The dollars that it is about; what weighs more decided more.
    text : str
        One sentence.
    """

    month: int
    weight: int
    text: str


def turning_points(
    game: Game, you: str | None = None, seen: Collection[str] = (), most: int = 3
) -> list[TurningPoint]:
    """Find what decided a finished game: the weightiest of each kind, and of these the first few.

    Parameters
    ----------
    game : Game
    you : str, optional
        The player whom the sentences speak to.
    seen : collection of str
        The players whose bids may be spoken of, `you` included.
    most : int
        How many to give.

    Returns
    -------
    list of TurningPoint
        In the order of the months.

    Raises
    ------
    TurnError
        The game is not over.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    >>> game.order("Ann", X=(2, 40), F=(1, 30))
    >>> game.order("Ben")
    >>> game.offer("Ann", A=(1, 150))
    >>> game.offer("Ben")
    >>> for point in turning_points(game, you="Ann", seen=["Ann"]):
    ...     print(point.text)
    January: you ask $150 for 1 A, $1 above the market; at $149 you would earn $39 more.
    January: you end with certificates that cost $110, and the Broker pays $85 for them: −$25.
    """
    if you is None and "You" in game.players:
        you = "You"  # the record of a game that somebody played alone
    months = [month for player in seen for month in _months(game, player, you)]
    kinds: list[Iterable[TurningPoint]] = [
        _swings(game, you),
        _gluts(game),
        _floors(game),
        _left_over(game, you),
        *(chain.from_iterable(map(kind, months)) for kind in OF_BIDS),
    ]
    nothing = TurningPoint(0, 0, "")
    weightiest = [max(kind, key=_weight, default=nothing) for kind in kinds]
    moved = sorted((point for point in weightiest if point.weight > 0), key=_weight, reverse=True)
    return sorted(moved[:most], key=lambda point: point.month)


def _weight(point: TurningPoint) -> int:
    return point.weight


# -- open to all ---------------------------------------------------------------------------------


def _swings(game: Game, you: str | None) -> Iterator[TurningPoint]:
    """Months in which the winner's goods bring more than those of the runner-up, or of you."""
    made = game.profit
    winner = game.final.winners[0]
    others = [player for player in game.players if player != winner]
    other = you if you in others else max(others, key=lambda player: made[player])
    margins = {player: Counter[int]() for player in (winner, other)}
    for player, by_month in margins.items():
        for sold in goods_sold(game, player):
            by_month[sold.month] += sold.margin
    if winner == you:
        first, second, gain = "your", possessive(other), f"you gain on {other}"
    else:
        first = possessive(winner)
        second = "yours" if other == you else possessive(other)
        gain = f"{winner} gains on {'you' if other == you else other}"
    for month in range(1, game.rules.months + 1):
        ahead, behind = margins[winner][month], margins[other][month]
        yield _point(
            month,
            ahead - behind,
            f"{first} goods bring {change(ahead)} beyond their cost and {second} {change(behind)}, "
            f"the most that {gain} in one month.",
        )


def _gluts(game: Game) -> Iterator[TurningPoint]:
    """Goods of which so many are offered that the price falls."""
    for posting in game.postings:
        if posting.step is Step.SELL:
            facts = zip(GOODS, posting.units, posting.before, posting.prices, strict=True)
            for good, units, before, price in facts:
                fall = before - price
                yield _point(
                    posting.month,
                    units * fall,
                    f"{units} {good.label} are offered, so the price falls by {dollars(fall)} to "
                    f"{dollars(price)}: {dollars(units * fall)} on all of them together.",
                )


def _floors(game: Game) -> Iterator[TurningPoint]:
    """Prices that stand at their lowest while units are ordered or offered."""
    rules = game.rules
    for posting in game.postings:
        if posting.step is Step.BUY:
            items: tuple[Item, ...] = MATERIALS
            opening: Sequence[int] = rules.opening_materials
            floor, verb = rules.materials_floor, "ordered"
        else:
            items, opening = GOODS, rules.opening_goods
            floor, verb = rules.goods_floor, "offered"
        facts = zip(items, posting.units, posting.prices, opening, strict=True)
        for item, units, price, opened in facts:
            if price == floor:
                yield _point(
                    posting.month,
                    units * (opened - price),
                    f"{item.label} posts at its lowest price, {dollars(price)}, while {units} "
                    f"{'is' if units == 1 else 'are'} {verb}: "
                    f"{dollars(opened - price)} a unit below Opening.",
                )


def _left_over(game: Game, you: str | None) -> Iterator[TurningPoint]:
    """Certificates that nobody made into goods."""
    brought = dict(zip(game.players, game.final.liquidation, strict=True))
    for split in split_profit(game):
        they, s = ("you", "") if split.player == you else (split.player, "s")
        cost = brought[split.player] - split.unsold
        yield _point(
            game.rules.months,
            abs(split.unsold),
            f"{they} end{s} with certificates that cost {dollars(cost)}, and the Broker pays "
            f"{dollars(brought[split.player])} for them: {change(split.unsold)}.",
        )


# -- for eyes that may see the bids --------------------------------------------------------------


class Month(NamedTuple):
    """One firm's month.

    Parameters
    ----------
    they : str
        The firm's name, or "you".
    held : Stock
        What the firm held between buying and selling.
    bought, sold : Purchase, Sale
        What came of its order and of its offer.
    material_prices, good_prices : Materials[int], Goods[int]
        What posted.
    """

    they: str
    number: int
    rules: Rules
    bought: Purchase
    held: Stock
    sold: Sale
    material_prices: Materials[int]
    good_prices: Goods[int]

    def extra(self, materials: Materials[int]) -> int:
        """Dollars that more certificates could have brought, made into goods of this month."""
        more = Materials(*(n + m for n, m in zip(self.held.units, materials, strict=True)))
        values = [
            _value(_best_mix(Makeable(held, self.rules), self.good_prices), self.good_prices)
            for held in (more, self.held.units)
        ]
        return values[0] - values[1]


def _months(game: Game, player: str, you: str | None) -> Iterator[Month]:
    reports = [step.report for step in game.steps]
    held = [*stocks(game, player)]
    for buying, selling, (_, bought), (stock, sold) in zip(
        reports[::2], reports[1::2], held[::2], held[1::2], strict=True
    ):
        assert isinstance(buying, BuyReport)
        assert isinstance(selling, SaleReport)
        assert isinstance(bought, Purchase)
        assert isinstance(sold, Sale)
        they = "you" if player == you else player
        yield Month(
            they, buying.month, game.rules, bought, stock, sold, buying.prices, selling.prices
        )


def _void_purchases(month: Month) -> Iterator[TurningPoint]:
    """An order that won more than there was cash for (R11), and what a smaller one would bring."""
    bought = month.bought
    if not bought.void:
        return
    kept = [line.won for line in bought.lines]
    due = bought.due
    # Leave out the dearest units, one by one, until the cash suffices.
    while due > bought.cash:
        at = max((at for at in range(3) if kept[at]), key=lambda at: bought.lines[at].price)
        kept[at] -= 1
        due -= bought.lines[at].price
    missed = month.extra(Materials(*kept)) - due
    fewer = sum(line.won for line in bought.lines) - sum(kept)
    s, have = ("", "have") if month.they == "you" else ("s", "has")
    yield _point(
        month.number,
        missed,
        f"{month.they} {have} {dollars(bought.cash)} for bids that come to {dollars(bought.due)}, "
        f"and buy{s} nothing; with {fewer} {'unit' if fewer == 1 else 'units'} fewer, the rest "
        f"could add {dollars(missed)} to what {month.they} earn{s} in {month_name(month.number)}.",
    )


def _void_sales(month: Month) -> Iterator[TurningPoint]:
    """Goods sold that could not be delivered (R14), and what the best of them would bring."""
    sold, held = month.sold, month.held
    if not sold.void:
        return
    won = Goods(*(line.won for line in sold.lines))
    asks = Goods(*(line.price for line in sold.lines))
    mix = _best_mix(Makeable(held.units, month.rules), asks, won)
    missed = _value(mix, asks) - sum(held.goods_cost(month.rules, mix) or ())
    s = "" if month.they == "you" else "s"
    yield _point(
        month.number,
        missed,
        f"{month.they} sell{s} goods for {dollars(sold.due)} and cannot deliver them, so nothing "
        f"is sold; {_units(mix)} alone would earn {dollars(missed)}.",
    )


def _missed_purchases(month: Month) -> Iterator[TurningPoint]:
    """Orders that a dollar or two more would have filled, and what they would bring."""
    lines = zip(MATERIALS, month.bought.lines, month.material_prices, strict=True)
    for at, (grade, line, market) in enumerate(lines):
        more = line.units * market - line.amount
        if not _near(line, market - line.price) or more > month.bought.cash:
            continue
        extra = Materials(*(line.lost if at == where else 0 for where in range(3)))
        missed = month.extra(extra) - more
        s = "" if month.they == "you" else "s"
        yield _point(
            month.number,
            missed,
            f"{month.they} bid{s} {dollars(line.price)} for {line.units} {grade.label}, "
            f"{dollars(market - line.price)} below the market; at {dollars(market)} they could "
            f"add {dollars(missed)} to what {month.they} earn{s} in {month_name(month.number)}.",
        )


def _missed_sales(month: Month) -> Iterator[TurningPoint]:
    """Offers that a dollar or two less would have sold, and what they would earn."""
    sold, held = month.sold, month.held
    now = Goods(*(line.filled for line in sold.lines))
    for at, (good, line, market) in enumerate(
        zip(GOODS, sold.lines, month.good_prices, strict=True)
    ):
        mix = Goods(*(line.units if at == where else n for where, n in enumerate(now)))
        cost = held.goods_cost(month.rules, mix)
        if not _near(line, line.price - market) or cost is None:
            continue
        cost_now = sum(held.goods_cost(month.rules, now) or ())
        missed = line.units * market - line.amount - (sum(cost) - cost_now)
        s = "" if month.they == "you" else "s"
        yield _point(
            month.number,
            missed,
            f"{month.they} ask{s} {dollars(line.price)} for {line.units} {good.label}, "
            f"{dollars(line.price - market)} above the market; at {dollars(market)} "
            f"{month.they} would earn {dollars(missed)} more.",
        )


OF_BIDS = (_void_purchases, _void_sales, _missed_purchases, _missed_sales)


def _near(line: Line, gap: int) -> bool:
    missed = (Outcome.BELOW_MARKET, Outcome.ABOVE_MARKET, Outcome.PARTLY_FILLED)
    return line.outcome in missed and gap <= NEAR


def _best_mix(stock: Makeable, prices: Goods[int], at_most: Goods[int] | None = None) -> Goods[int]:
    """The goods that bring the most at these prices, made together of a stock."""
    most = stock.most
    if at_most is not None:
        most = Goods(*(min(pair) for pair in zip(most, at_most, strict=True)))
    best = Goods(0, 0, 0)
    for a in range(most.A + 1):
        for b in range(most.B + 1):
            if not stock.can_make(a, b):
                break
            mix = Goods(a, b, min(most.C, stock.most_of(Good.C, Goods(a, b, 0))))
            best = max(best, mix, key=lambda goods: _value(goods, prices))
    return best


def _value(goods: Goods[int], prices: Goods[int]) -> int:
    return sum(units * price for units, price in zip(goods, prices, strict=True))


def _units(goods: Goods[int]) -> str:
    return " and ".join(f"{n} {good.label}" for good, n in zip(GOODS, goods, strict=True) if n)


def _point(month: int, weight: int, text: str) -> TurningPoint:
    return TurningPoint(month, weight, f"{month_name(month)}: {text}")
