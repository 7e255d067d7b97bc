"""Lesson 1: the Market Calculator as a line, and what a firm's own order does to its bid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from exdec.charts import ITEMS
from exdec.game import Game
from exdec.items import Item, Material
from exdec.lessons.curves import (
    BEFORE,
    DEMAND,
    SUPPLY,
    Axis,
    BuildUp,
    Cloud,
    Exploration,
    Knob,
    Line,
    Picture,
    Point,
    build_up,
    explore,
)
from exdec.lessons.own_game import OwnGame
from exdec.narrate import change, counted, dollars, items_of, signed
from exdec.rules import STANDARD, Rules
from exdec.theory.prices import opening_price, posted_price, price_line, still_total

FIRMS = 3
OTHERS, BID = 12, 45
"""Where the exploration begins: units that the rivals order, and a bid in dollars."""


def anns_month() -> Game:
    """The game of one month on whose Tally sheet the lesson counts cash in and cash out.

    Examples
    --------
    >>> anns_month().profit["Ann"]
    41
    """
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.order("Ann", X=(5, 42), F=(3, 33))
    game.order("Ben", X=(6, 44), F=(8, 34))
    game.offer("Ann", A=(2, 139))
    game.offer("Ben", A=(3, 138))
    return game


def calculator_as_a_line(item: Material = Material.X, rules: Rules = STANDARD) -> BuildUp:
    """Build the Market Calculator's row for a material up, from points to a line.

    Parameters
    ----------
    item : Material
        Whose opening price it begins with.
    rules : Rules

    Examples
    --------
    >>> print(calculator_as_a_line())  # doctest: +ELLIPSIS
    1. Nobody orders X-FINE. It opened at $40 and posts at $30: −10.
    2. 5 units are ordered in all. It posts at $35: −5.
    ...
    """
    line, last = rules.materials_calculator, opening_price(item, rules)
    still = round(still_total(item, rules))
    floor_price, top_price = (posted_price(item, last, units, rules) for units in (0, line.last))
    picture = Picture(
        Axis("units ordered by all firms together", "units", high=line.last),
        Axis(f"{item.label} posts at, $ a unit", "$", low=floor_price - 10, high=top_price + 6),
    )
    steps = []
    for units, side in ((0, "right"), (still // 2, "below"), (still, "below"), (line.last, "left")):
        price = posted_price(item, last, units, rules)
        if units == 0:
            text = f"Nobody orders {item.label}. It opened at {dollars(last)} and posts at"
        else:
            text = f"{units} units are ordered in all. It posts at"
        says = f"{units} units ordered: {dollars(price)}."
        picture = picture.add(Point(dollars(price), (units, price), item, side=side, says=says))
        text += f" {dollars(price)}: {signed(price - last)}."
        if units == still:
            text += f" {units} is the total that leaves a price where it is."
        steps.append((text, picture))
    joined = picture.add(Line("posted price", price_line(item, last, rules), item))
    steps.append(
        (
            f"Join them: a straight line. Each unit more adds {dollars(line.per_unit)}, so "
            f"movement = total − {-line.at_zero}.",
            joined,
        )
    )
    steps.append(
        (
            "Look for the bids on this chart. There are none: a price counts units, and does not "
            "ask what was bid for them, nor whether the bid succeeds.",
            joined.add(note="The chart shows no bids."),
        )
    )
    return build_up(steps)


def both_lines(rules: Rules = STANDARD) -> Picture:
    """Draw both rows of the Market Calculator as lines: movement for a total.

    Examples
    --------
    >>> both_lines().sentence.partition(". ")[0]
    'Materials: from −$10 at 0 units to +$14 at 24 units, $1 up for each unit'
    """
    rows = {"materials": rules.materials_calculator, "goods": rules.goods_calculator}
    most = rules.materials_calculator.last
    ends = [line.movement(line.last) for line in rows.values()]
    picture = Picture(
        Axis("total units of all firms", "units", high=most),
        Axis("movement, $ a unit", "$", low=min(ends) - 3, high=max(ends) + 3),
    )
    looks = {"materials": DEMAND, "goods": SUPPLY}
    for name, line in rows.items():
        points = [(units, line.movement(units)) for units in (0, line.last)]
        first, last = (f"{change(up)} at {units} units" for units, up in points)
        way = "up" if line.per_unit > 0 else "down"
        says = (
            f"{name.capitalize()}: from {first} to {last}, "
            f"{dollars(abs(line.per_unit))} {way} for each unit."
        )
        picture = picture.add(Line(name, points, looks[name], says))
    still = Line(
        "no movement",
        [(0, 0), (most, 0)],
        BEFORE,
        "Where a line crosses $0, the price stays where it is.",
    )
    return picture.add(still)


def every_price(own: OwnGame) -> Picture:
    """Draw every price that a game posted: its total, and how far it moved.

    Parameters
    ----------
    own : OwnGame
        The learner's game, or the recorded one.
    """
    lines = both_lines(own.game.rules)
    places: dict[Item, list[tuple[int, int]]] = {item: [] for item in ITEMS}
    stopped = 0
    for report in (step.report for step in own.game.steps):
        facts = (report.units, report.before, report.movement, report.prices)
        for item, units, before, movement, price in zip(items_of(report), *facts, strict=True):
            places[item].append((units, price - before))
            stopped += price - before != movement
    many = sum(map(len, places.values()))
    note = f"{many} prices were posted in {own.name}; {stopped or 'none'} stopped at the lowest "
    note += "price, and every other lies on its line." if stopped else "price: all lie on a line."
    high = max([lines.x.high, *(units for some in places.values() for units, _ in some)])
    low = min([lines.y.low, *(move - 3 for some in places.values() for _, move in some)])
    clouds = [
        Cloud(item.label, some, item, _moves_sentence(item, some)) for item, some in places.items()
    ]
    # What the lines say was said before, and a marker on them would look like a price.
    silent = [replace(line, says="", marked=()) for line in lines.things if isinstance(line, Line)][
        :2
    ]
    picture = Picture(replace(lines.x, high=high), replace(lines.y, low=low)).add(*silent)
    return picture.add(*clouds, note=note)


def _moves_sentence(item: Item, places: Iterable[tuple[int, int]]) -> str:
    said = ", ".join(f"{counted(units, 'unit')} {signed(move)}" for units, move in places)
    return f"{item.label}: {said}."


def my_own_order(item: Material = Material.X, rules: Rules = STANDARD) -> Exploration:
    """Let a learner see that a firm's own order moves the price that its bid must reach.

    Parameters
    ----------
    item : Material
    rules : Rules
    """
    last, limit = opening_price(item, rules), rules.order_limit.at(FIRMS)
    top = limit * FIRMS
    high = posted_price(item, last, top, rules)
    x = Axis("units ordered by all firms together", "units", high=top)
    y = Axis(f"{item.label}, $ a unit", "$", low=posted_price(item, last, 0, rules) - 5, high=high)

    def draw(others: int, mine: int, bid: int) -> Picture:
        total = others + mine
        price = posted_price(item, last, total, rules)
        line = [(units, posted_price(item, last, units, rules)) for units in (0, top)]
        return Picture(x, y).add(
            Line("posted price", line, item, says=order_sentence(item, others, mine, bid, price)),
            Line("your bid", [(0, bid), (top, bid)], BEFORE, says=""),
            Point(dollars(price), (total, price), item, guides=True, side="below", says=""),
        )

    return explore(
        f"{item.label} opened at {dollars(last)}. Your two rivals order {OTHERS} units of it, and "
        f"you bid {dollars(BID)}. How many units can you order before your own order makes your "
        "bid fail?",
        [
            Knob("others", "units your rivals order", 0, limit * (FIRMS - 1), OTHERS),
            Knob("mine", "units you order", 0, limit, 1),
            Knob("bid", "your bid for one unit", last - 10, high, BID, unit="$"),
        ],
        draw,
    )


def order_sentence(item: Material, others: int, mine: int, bid: int, price: int) -> str:
    """Say what becomes of an order.

    Examples
    --------
    >>> order_sentence(Material.X, 12, 3, 45, 45)
    '12 + 3 = 15 ordered: X-FINE posts at $45. Your bid of $45 is enough: you buy 3 and pay $135.'
    >>> order_sentence(Material.X, 12, 4, 45, 46)
    '12 + 4 = 16 ordered: X-FINE posts at $46. Your bid of $45 is below it: you buy none.'
    """
    said = f"{others} + {mine} = {others + mine} ordered: {item.label} posts at {dollars(price)}."
    if not mine:
        return f"{said} You order nothing."
    bid_said = f"Your bid of {dollars(bid)} is"
    if bid < price:
        return f"{said} {bid_said} below it: you buy none."
    return f"{said} {bid_said} enough: you buy {mine} and pay {dollars(mine * bid)}."
