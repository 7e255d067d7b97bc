"""Lesson 4: margin as an area, mixes to try, one more X-FINE, and a year of full firms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from exdec.analysis import goods_sold
from exdec.bots.cautious import Cautious
from exdec.bots.full_capacity import FullCapacity
from exdec.bots.strategy import Strategy
from exdec.items import GOODS, MATERIALS, Good, Goods, Item, Material, Materials
from exdec.lessons.answers import general
from exdec.lessons.answers import margin as asked
from exdec.lessons.checking import amount
from exdec.lessons.curves import (
    BEFORE,
    DEMAND,
    OTHER,
    SUPPLY,
    Area,
    Axis,
    BuildUp,
    Exploration,
    Knob,
    Line,
    Picture,
    Point,
    build_up,
    explore,
    rectangle,
)
from exdec.lessons.own_game import OwnGame
from exdec.model import BuyReport, SaleReport, month_name
from exdec.narrate import change, dollars
from exdec.play import play
from exdec.production import makeable
from exdec.rules import STANDARD, Rules
from exdec.theory.margin import (
    best_plan,
    posted_margins,
    total,
    unit_cost,
    value_of_more,
)

HELD = Materials(4, 4, 4)
PRICES = Goods(143, 122, 97)
"""Where the search for the best mix begins. The prices are those that the lesson's recorded game
posts in January; at opening prices all mixes of these certificates bring the same."""

FIRMS = 4
"""In the year of full firms; their 12 certificates of each grade make 4 of each good."""

LEAST = 4
"""Units that an axis has room for: with fewer, Plotly would mark halves of them."""


# -- one month of a game -------------------------------------------------------------------------


def margin_as_area(own: OwnGame, month: int = 1) -> Picture:
    """Draw what a firm sold in a month: each unit's cost, and its margin above it.

    Parameters
    ----------
    own : OwnGame
        The learner's game, or the recorded one.
    month : int
        From 1.
    """
    general.received(own.game, own.player, month=month)  # raises if the month is not there
    sold = [one for one in goods_sold(own.game, own.player) if one.month == month]
    units = sum(one.units for one in sold)
    high = max((max(one.amount, one.cost) / one.units for one in sold), default=100)
    picture = Picture(
        Axis(f"goods sold in {month_name(month)}, side by side", "units", high=max(units, LEAST)),
        Axis("$ for one", "$", high=high * 1.1),
    )
    at = 0
    for one in sold:
        across = (at, at + one.units)
        price, cost = one.amount / one.units, one.cost / one.units
        label = one.good.label
        lower, upper = min(price, cost), max(price, cost)
        says = (
            f"{one.units} {label} at {amount(price, '$')}, which cost {amount(cost, '$')} each: "
            f"{change(one.margin)} in all."
        )
        what = f"{label} {change(one.margin)}" if one.margin >= 0 else f"{label} loss"
        picture = picture.add(
            rectangle(f"cost of {label}", across, (0, lower), BEFORE, says=""),
            rectangle(what, across, (lower, upper), one.good, says=says),
        )
        at += one.units
    margin = sum(one.margin for one in sold)
    if not sold:
        return picture.add(note=f"Nothing was sold in {month_name(month)}, so there is no margin.")
    return picture.add(
        note="A unit margin is the height of a coloured part, a total margin is its area. "
        f"Together: {change(margin)}."
    )


# -- which goods to make -------------------------------------------------------------------------


def try_mixes(own: OwnGame, month: int = 2) -> Exploration:
    """Let a learner try what can be made of what a firm held in a month, and what it brings.

    Parameters
    ----------
    own : OwnGame
    month : int
        Whose offers are due; goods count at their prices before it.

    """
    rules = own.game.rules
    stock, prices = asked.stock_and_prices(own.game, own.player, month=month)
    most = makeable(stock, rules=rules).most
    question = (
        f"{own.where}, you held {_listed(stock, MATERIALS)} in {month_name(month)}. Goods stood at "
        f"{_priced(prices)}. Which mix brings most?"
    )

    def draw(**units: int) -> Picture:
        mix = Goods(**units)
        return _mix_picture(stock, mix, prices, rules)

    return explore(
        question,
        [
            Knob(good.value, f"units of {good.label}", 0, most[at], 0)
            for at, good in enumerate(GOODS)
        ],
        draw,
    )


def _mix_picture(
    stock: Materials[int], mix: Goods[int], prices: Goods[int], rules: Rules
) -> Picture:
    picture = Picture(
        Axis("goods made, side by side", "units", high=max(sum(stock) // 3, LEAST)),
        Axis("$ for one", "$", high=max(prices) * 1.15),
    )
    delivery = makeable(stock, rules=rules).deliver(*mix)
    wanted = _listed(mix, GOODS) if any(mix) else "Nothing"
    if delivery is None:
        return picture.add(note=f"{wanted}: your certificates do not make that. Take one off.")
    at = 0
    for good, units, price in zip(GOODS, mix, prices, strict=True):
        if units:
            name = f"{units} {good.label}"
            picture = picture.add(rectangle(name, (at, at + units), (0, price), good, says=""))
        at += units
    left = Materials(*(n - m for n, m in zip(stock, delivery.certificates, strict=True)))
    note = f"{wanted}: {dollars(int(total(mix, prices)))} in all. "
    note += f"Left over: {_listed(left, MATERIALS)}."
    if delivery.x_for_f or delivery.f_for_s:
        note += f" {delivery.x_for_f + delivery.f_for_s} of them stood in for the next grade."
    return picture.add(note=note)


def one_more(rules: Rules = STANDARD) -> Exploration:
    """Let a learner find what one more X-FINE adds to the best plan.

    Parameters
    ----------
    rules : Rules
    """
    most = 2 * max(HELD)
    dearest = PRICES._replace(B=PRICES.A)
    high = best_plan(Materials(most + 1, most, most), dearest, rules=rules).revenue
    x = Axis("X-FINE that you hold", "units", high=most + 1)
    y = Axis("the best mix brings, $", "$", high=round(float(high), -2))

    def draw(fine: int, standard: int, held: int, price: int) -> Picture:
        prices = PRICES._replace(B=price)
        stocks = [Materials(n, fine, standard) for n in range(most + 2)]
        bring = [best_plan(stock, prices, rules=rules) for stock in stocks]
        places = [(n, float(plan.revenue)) for n, plan in enumerate(bring)]
        here = places[held]
        plan = bring[held]
        have, make = _listed(stocks[held], MATERIALS), _listed(plan.goods, GOODS)
        says = f"With {have} the best mix is {make}: {dollars(int(plan.revenue))}."
        return Picture(x, y).add(
            Line("best mix", places, Material.X, says=""),
            Point(dollars(int(plan.revenue)), here, DEMAND, guides=True, side="above", says=says),
        )

    return explore(
        f"Goods bring {_priced(PRICES)} each. You hold {_listed(HELD, MATERIALS)}. How much more "
        "does the best mix bring with one X-FINE more? And what does it take to gain over $100?",
        [
            Knob("held", "X-FINE", 0, most, HELD.X),
            Knob("fine", "FINE", 0, most, HELD.F),
            Knob("standard", "STANDARD", 0, most, HELD.S),
            Knob("price", "price of B", PRICES.C, PRICES.A, PRICES.B, unit="$"),
        ],
        draw,
    )


def one_more_in_words(grade: Material, most: int = 1, rules: Rules = STANDARD) -> str:
    """Say what more certificates of a grade add to the best mix of the search's beginning.

    Examples
    --------
    >>> one_more_in_words(Material.S)
    '1 STANDARD more adds $0.'
    """
    said = (
        f"{n} {grade.label} more add{'s' * (n == 1)} "
        f"{dollars(int(value_of_more(grade, HELD, PRICES, n, rules=rules)))}"
        for n in range(1, most + 1)
    )
    return ", ".join(said) + "."


# -- a year --------------------------------------------------------------------------------------


@cache
def posted_year(
    strategy: Strategy, firms: int = FIRMS, rules: Rules = STANDARD
) -> tuple[tuple[Materials[int], Goods[int]], ...]:
    """What each month posts when all firms play the same strategy.

    Examples
    --------
    >>> posted_year(FullCapacity())[0]
    (Materials(X=42, F=32, S=22), Goods(A=143, B=118, C=93))
    """
    game = play(rules, {f"Firm {seat}": strategy for seat in range(1, firms + 1)}, seed=1)
    reports = [step.report for step in game.steps]
    bought = [report.prices for report in reports if isinstance(report, BuyReport)]
    sold = [report.prices for report in reports if isinstance(report, SaleReport)]
    return tuple(zip(bought, sold, strict=True))


def margins_of_year(
    strategy: Strategy, firms: int = FIRMS, rules: Rules = STANDARD
) -> list[Goods[int]]:
    """What one of each good leaves at posted prices, month by month.

    Examples
    --------
    >>> margins_of_year(FullCapacity())[0]
    Goods(A=27, B=22, C=17)
    """
    return [posted_margins(*posted, rules) for posted in posted_year(strategy, firms, rules)]


def full_year(good: Good = Good.B, rules: Rules = STANDARD) -> BuildUp:
    """Build up how a good's price and its cost move when every firm runs full all year.

    Parameters
    ----------
    good : Good
    rules : Rules
    """
    year = posted_year(FullCapacity(), FIRMS, rules)
    at, label = GOODS.index(good), good.label
    price = [goods[at] for _, goods in year]
    cost = [int(unit_cost(good, materials, rules)) for materials, _ in year]
    margin = [p - c for p, c in zip(price, cost, strict=True)]
    months = list(range(1, len(year) + 1))
    crossed = next(n for n, left in enumerate(margin) if left < 0)
    x = Axis("month", "", low=1, high=len(year))
    empty = Picture(x, Axis(f"one {label} at posted prices, $", "$", *_room([*price, *cost])))
    price_line = Line(
        f"{label} posts at",
        list(zip(months, price, strict=True)),
        good,
        f"{label} posts at {dollars(price[0])} in {month_name(1)} and at {dollars(price[-1])} in "
        f"{month_name(len(year))}.",
    )
    cost_line = Line(
        "its certificates",
        list(zip(months, cost, strict=True)),
        OTHER,
        f"Its certificates cost {dollars(cost[0])} in {month_name(1)} and {dollars(cost[-1])} in "
        f"{month_name(len(year))}.",
    )
    # Where the lines cross, between two months.
    part = margin[crossed - 1] / (margin[crossed - 1] - margin[crossed])
    up, dearer = price[1] - price[0], cost[1] - cost[0]
    meet = (crossed + part, price[crossed - 1] + part * up)
    lines = {"price": price_line.points, "cost": cost_line.points}
    wedge = Area(
        "margin",
        [*lines["price"][:crossed], meet, *reversed(lines["cost"][:crossed])],
        DEMAND,
        f"The margin lies between them: {dollars(margin[0])} in {month_name(1)}.",
    )
    loss = Area(
        "loss",
        [meet, *lines["price"][crossed:], *reversed(lines["cost"][crossed:])],
        BEFORE,
        f"From {month_name(crossed + 1)} on cost is above price.",
    )
    last = f"{change(margin[-1])} in {month_name(len(year))}"
    one = (year[1][0].X - year[0][0].X, year[1][0].F - year[0][0].F)
    return build_up(
        [
            (
                f"{FIRMS} firms order all they may, every month, and make all they can of it. "
                f"{label} posts {dollars(up)} higher each month, since few of it are offered.",
                empty.add(price_line),
            ),
            (
                f"Each grade is {dollars(one[0])} dearer each month. One {label} takes three "
                f"certificates, so its cost goes up by {dollars(dearer)}.",
                empty.add(price_line, cost_line),
            ),
            (
                f"The gap between the lines is the unit margin: {dollars(margin[0])} in "
                f"{month_name(1)}.",
                empty.add(wedge, price_line, cost_line),
            ),
            (
                f"{change(up)} on the price, {change(dearer)} on the cost: the margin moves by "
                f"{change(up - dearer)} a month. In {month_name(crossed + 1)} the lines have "
                "crossed.",
                empty.add(wedge, loss, price_line, cost_line),
            ),
            (
                f"They go on: {last}. A firm that runs full alone gains by it. All "
                "together, they bid their own margin away.",
                empty.add(
                    wedge,
                    loss,
                    price_line,
                    cost_line,
                    note=f"The margin moves by {change(up - dearer)} each month, to {last}.",
                ),
            ),
        ]
    )


def three_goods(rules: Rules = STANDARD) -> Picture:
    """Draw the unit margins of all goods over a year of full firms."""
    margins = margins_of_year(FullCapacity(), FIRMS, rules)
    low, high = _room([left for month in margins for left in month])
    picture = Picture(
        Axis("month", "", low=1, high=len(margins)),
        Axis("unit margin at posted prices, $", "$", low=low, high=high),
    )
    picture = picture.add(Line("zero", [(1, 0), (len(margins), 0)], BEFORE, says=""))
    for at, good in enumerate(GOODS):
        left = [month[at] for month in margins]
        below = next((n for n, one in enumerate(left) if one < 0), None)
        says = f"{good.label}: from {change(left[0])} to {change(left[-1])}"
        says += f", below zero from {month_name(below + 1)}." if below is not None else "."
        line = Line(good.label, list(enumerate(left, start=1)), good, says)
        picture = picture.add(line)
    return picture


def full_and_cautious(rules: Rules = STANDARD) -> Picture:
    """Draw one firm's profit when all run full, and when all are cautious, month by month."""
    made = {
        "all run full": (profit_of_year([FullCapacity()] * FIRMS, rules), SUPPLY),
        "all are cautious": (profit_of_year([Cautious()] * FIRMS, rules), OTHER),
    }
    low, high = _room([dollar for profit, _ in made.values() for dollar in profit])
    picture = Picture(
        Axis("month", "", low=1, high=rules.months),
        Axis("profit of each firm so far, $", "$", low=low, high=high),
    )
    return picture.add(
        *(
            Line(
                name,
                list(enumerate(profit, start=1)),
                look,
                f"Where {name}, each firm has made {dollars(profit[-1])} after "
                f"{month_name(len(profit))}.",
            )
            for name, (profit, look) in made.items()
        )
    )


def profit_of_year(strategies: Sequence[Strategy], rules: Rules = STANDARD) -> list[int]:
    """What the first of these firms has made by the end of each month.

    Certificates in hand count at posted prices.

    Examples
    --------
    >>> profit_of_year([FullCapacity()] * 4)[-1]
    54
    """
    from exdec.batch import play_block

    played = play_block(rules, strategies, games=1, seed=1, by_month=True)
    assert played.profit_by_month is not None
    return [int(profit) for profit in played.profit_by_month[:, 0, 0]]


def _room(values: Sequence[int]) -> tuple[int, int]:
    """Round ends for an axis that shows all of these."""
    spare = max((max(values) - min(values)) // 10, 4)
    return min(values) - spare, max(values) + spare


def _listed(units: Sequence[int], items: Sequence[Item]) -> str:
    said = [f"{n} {item.label}" for n, item in zip(units, items, strict=True) if n]
    return ", ".join(said) or "nothing"


def _priced(prices: Goods[int]) -> str:
    return ", ".join(
        f"{good.label} {dollars(price)}" for good, price in zip(GOODS, prices, strict=True)
    )
