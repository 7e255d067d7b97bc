"""Lesson 3: what a firm and a market offer at each price, and what an offer does to the money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import floor

from exdec.analysis import stocks
from exdec.costs import Stock
from exdec.engine import seat
from exdec.game import Game
from exdec.items import GOODS, MATERIALS, Good
from exdec.lessons.answers import NotInGameError, general, supply
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
    staircase,
)
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import LessonError
from exdec.lessons.own_game import OwnGame
from exdec.model import month_name, possessive
from exdec.narrate import dollars
from exdec.rules import STANDARD, Rules
from exdec.theory.prices import opening_price, posted_price
from exdec.theory.supply import (
    Step,
    broker_line,
    earnings,
    lowest_asks,
    marginal_revenue,
    market_supply,
    revenue,
    units_at,
)

NUMBER = "03"
ANN, MONTH, GOOD = "Ann", 2, Good.A
"""Whose supply is built up, in which month of the recorded game, and of what."""

OTHERS, WORTH, MOST = 6, 127, 6
"""Where the exploration begins: units of the rivals, dollars that an A's certificates are worth,
and units that can be made."""

LOOKS = (BEFORE, OTHER, SUPPLY)


def recorded() -> Game:
    """The lesson's recorded game: three months of Ann, Ben and Cy, with every bid open."""
    return Game.load(Desk().workbook(NUMBER).recorded)


def asks_of(game: Game, player: str) -> list[Fraction]:
    """A firm's lowest asks for A in the recorded game's second month, by what it had paid.

    Examples
    --------
    >>> [round(float(ask), 2) for ask in asks_of(recorded(), "Ann")]
    [131.71, 131.71, 155.57]
    """
    stock = _stock(game, player, MONTH)
    return lowest_asks(stock.units, stock.average, GOOD, game.rules)


# -- supply --------------------------------------------------------------------------------------


def one_firm() -> BuildUp:
    """Build Ann's supply of A up, unit by unit, as it is in the recorded game's second month.

    Examples
    --------
    >>> print(one_firm())  # doctest: +ELLIPSIS
    1. In February Ann holds 7 X-FINE and 2 FINE. On average she paid $51.86 for each X-FINE and ...
    """
    game = recorded()
    stock, asks = _stock(game, ANN, MONTH), asks_of(game, ANN)
    heights = [float(ask) for ask in asks]
    low, high = floor(min(asks)) - 15, floor(max(asks)) + 15
    empty = Picture(
        Axis(f"units of {GOOD} that {ANN} offers", "units", high=len(asks) + 1),
        Axis(f"lowest ask that pays, $ for one {GOOD}", "$", low=low, high=high),
    )
    held = [
        (f"{units} {grade.label}", f"{amount(cost, '$')} for each {grade.label}")
        for units, grade, cost in zip(stock.units, MATERIALS, stock.average, strict=True)
        if units
    ]
    has, paid = (" and ".join(some) for some in zip(*held, strict=True))
    begin = f"In {month_name(MONTH)} {ANN} holds {has}. On average she paid {paid}."
    steps = [(begin, empty)]
    picture = empty
    for made in range(1, len(asks) + 1):
        picture = empty.add(staircase(f"{ANN}'s supply", heights[:made], SUPPLY))
        steps.append((_unit_text(game.rules, asks[:made]), picture))
    edge = len(asks)
    wall = Line("no more", [(edge, heights[-1]), (edge, high)], OTHER, "Then it ends.", marked=[])
    more = _ordinal(len(asks) + 1)
    steps.append(
        (
            f"A {more} {GOOD} cannot be made, at any price: the curve ends in a wall.",
            picture.add(wall),
        )
    )
    nothing, everything = floor(min(asks)) - 5, floor(max(asks)) + 5
    lines = [
        Line(
            dollars(price),
            [(0, price), (len(asks) + 1, price)],
            look,
            f"At {dollars(price)} she offers {units_at(asks, price) or 'none'}.",
            marked=[],
        )
        for price, look in ((nothing, BEFORE), (everything, DEMAND))
    ]
    steps.append(
        (
            f"Now read it from the side. {dollars(everything)} is above every step: she offers "
            f"all {len(asks)}. {dollars(nothing)} is below every step: she offers none, and keeps "
            "her certificates.",
            picture.add(wall, *lines),
        )
    )
    return build_up(steps)


def _unit_text(rules: Rules, asks: Sequence[Fraction]) -> str:
    """Say what the last of these units takes and costs."""
    which, ask = _ordinal(len(asks)), amount(asks[-1], "$")
    if len(asks) == 1:
        recipe = zip(rules.production[GOODS.index(GOOD)], MATERIALS, strict=True)
        takes = " and ".join(f"{n} {grade.label}" for n, grade in recipe if n)
        return f"One {GOOD} takes {takes}. They cost her {ask}: below that, she loses on it."
    if asks[-1] == asks[-2]:
        return f"A {which} {GOOD} takes the same again, and costs {ask} too: a flat step."
    return (
        f"For a {which} {GOOD} the FINE has run out, and X-FINE stands in. This unit alone costs "
        f"{ask}: a higher step."
    )


def all_firms() -> BuildUp:
    """Add the recorded game's firms up sideways, and lay the Broker's line over them.

    Examples
    --------
    >>> print(all_firms())  # doctest: +ELLIPSIS
    1. Whose A is the cheapest? Ben's: 3 at $130.29.
    ...
    """
    game = recorded()
    steps = market_supply({player: asks_of(game, player) for player in game.players})
    total, price, last = (
        fact(game, "", item=GOOD, month=MONTH)
        for fact in (general.total_units, general.posted_price, general.price_before)
    )
    line = broker_line(GOOD, last, len(steps) + 1, game.rules)
    picture = _supply_picture(steps, high=line[0][1] + 5)
    told: list[tuple[str, Picture]] = []
    shown: list[Step] = []
    for firm, group in _groups(steps):
        first = not shown
        shown += group
        many = f"{len(group)} at {amount(group[0].price, '$')}"
        text = f"Whose {GOOD} is the cheapest? {possessive(firm)}: {many}."
        if not first:
            text = f"Beside it, not on top of it, comes {firm}: {many}."
        told.append((text, picture.add(*_stairs(shown, picture.y.low))))
    stairs = told[-1][1]
    told.append(
        (
            f"{len(steps)} units in all. Widths are units, and they are added. Heights are asks, "
            "and they are not.",
            stairs,
        )
    )
    meet = max(n for n, step in enumerate(steps, start=1) if line[n][1] >= step.price)
    lost = len(steps) - units_at([step.price for step in steps], price)
    asked = {name: general.bid_price(game, name, item=GOOD, month=MONTH) for name in game.players}
    below = sum(asked[step.firm] < step.price for step in steps)
    lowest = steps[0]
    month = month_name(MONTH)
    told.append(
        (
            f"Now the Broker's side: what he pays for each when so many are offered. In {month} "
            f"all {total} were offered, and {GOOD} posted at {dollars(price)}. {lost} of the steps "
            "lie above that: at that price these units bring less than they had cost. (At the "
            f"firms' own asks, {below} units did: {lowest.firm} asked "
            f"{dollars(asked[lowest.firm])} for what cost {amount(lowest.price, '$')}.) The two "
            f"curves meet at {meet}: with {meet} offered, {GOOD} would have posted at "
            f"{dollars(line[meet][1])}, and each of them would have paid.",
            stairs.add(
                Line("The Broker pays", line, DEMAND, marked=[], label="Broker pays"),
                Point(dollars(price), (total, price), DEMAND, guides=True, side="below", says=""),
            ),
        )
    )
    return build_up(told)


def class_supply(firms: Mapping[str, Sequence[int]]) -> Picture:
    """Draw the supply of a class: the lowest ask of each firm for each A that it can make.

    Parameters
    ----------
    firms : mapping of name to dollars
        Such as ``{"Ann": [120, 120, 145], "Ben": [118]}``.

    Raises
    ------
    LessonError
        Nobody can make any.

    Examples
    --------
    >>> class_supply({"Ann": [120, 145], "Ben": [118]})
    All 2 firms: 3 units of A. Ben 1 at $118, Ann 1 at $120, Ann 1 at $145.
    """
    steps = market_supply(firms)
    if not steps:
        raise LessonError('Nobody can make any yet. Write asks, as in {"Ann": [120, 120]}.')
    line = staircase("supply of all", [float(step.price) for step in steps], SUPPLY, says="")
    many = f"All {len(firms)} firms: {amount(len(steps), 'units')} of {GOOD}."
    return _supply_picture(steps).add(line, note=f"{many} {_said(steps)}.")


def _supply_picture(steps: Sequence[Step], high: int = 0) -> Picture:
    asks = [floor(step.price) for step in steps]
    return Picture(
        Axis(f"units of {GOOD} that all firms offer", "units", high=len(steps) + 1),
        Axis(
            f"lowest ask that pays, $ for one {GOOD}",
            "$",
            low=min(asks) - 15,
            high=max(high, max(asks) + 10),
        ),
    )


def _stairs(steps: Sequence[Step], low: float) -> list[Area | Line]:
    """The staircase of all, with each firm's name below its step."""
    things: list[Area | Line] = []
    start = 0
    for firm, group in _groups(steps):
        end = start + len(group)
        height = float(group[0].price)
        things.append(rectangle(firm, (start, end), (low, height), SUPPLY, says=""))
        start = end
    heights = [float(step.price) for step in steps]
    return [*things, staircase("supply", heights, SUPPLY, says=f"Supply: {_said(steps)}.")]


def _groups(steps: Sequence[Step]) -> list[tuple[str, list[Step]]]:
    """Neighbouring units of one firm at one price."""
    return [(step.firm, list(group)) for step, group in groupby(steps)]


def _said(steps: Sequence[Step]) -> str:
    return ", ".join(
        f"{firm} {len(group)} at {amount(group[0].price, '$')}" for firm, group in _groups(steps)
    )


# -- money ---------------------------------------------------------------------------------------


def my_month(own: OwnGame, month: int = 1) -> Picture:
    """Draw the Broker's line for the learner's good, and the revenue of the learner's units.

    Parameters
    ----------
    own : OwnGame
        The learner's game, or the recorded one.
    month : int
    """
    game, player = own.game, own.player
    try:
        good = Good(supply.good(game, player, month=month))
    except NotInGameError:
        game, player = recorded(), recorded().players[0]
        good = Good(supply.good(game, player, month=month))
    report = game.steps[2 * month - 1].report
    at = GOODS.index(good)
    last, total, price = report.before[at], report.units[at], report.prices[at]
    mine = report.firms[seat(game.state, player)].lines[at].units
    top = max(game.rules.goods_calculator.last, total)
    line = broker_line(good, last, top, game.rules)
    worth = revenue(good, last, mine, total - mine, game.rules)
    who = player if game is not own.game or not own.own else "you"
    return Picture(
        Axis(f"units of {good} that all firms offer", "units", high=top),
        Axis(f"the Broker pays, $ for one {good}", "$", high=line[0][1] + 15),
    ).add(
        rectangle(f"{mine} × {dollars(price)}", (total - mine, total), (0, price), good, says=""),
        Line("The Broker pays", line, good, marked=[], label="Broker pays"),
        Point(
            dollars(price),
            (total, price),
            good,
            guides=True,
            side="above",
            says="",
        ),
        note=f"{good} stood at {dollars(last)}. {total} were offered, {mine} of them by {who}: at "
        f"the posted price these bring {mine} × {dollars(price)} = {dollars(worth)}.",
    )


def my_offer(rules: Rules = STANDARD) -> Exploration:
    """Let a learner find how many units to offer, when each of them moves the price.

    Parameters
    ----------
    rules : Rules
    """
    good = GOOD
    last = opening_price(good, rules)
    top = 2 * MOST
    x = Axis(f"units of {good} that you offer", "units", high=MOST)
    y = Axis(
        f"$ for one {good}",
        "$",
        low=marginal_revenue(good, last, MOST, top, rules) - 5,
        high=posted_price(good, last, 0, rules) + 5,
    )

    def draw(mine: int, others: int, worth: int) -> Picture:
        price = posted_price(good, last, mine + others, rules)
        prices = [(n, posted_price(good, last, n + others, rules)) for n in range(MOST + 1)]
        adds = [(n, marginal_revenue(good, last, n, others, rules)) for n in range(1, MOST + 1)]
        return Picture(x, y).add(
            Line("price", prices, good, says=""),
            Line("what the last unit adds", adds, DEMAND, says="", label="last unit adds"),
            Line("worth of its certificates", [(0, worth), (MOST, worth)], BEFORE, says=""),
            Point("", (mine, price), good, guides=True, says=""),
            note=offer_sentence(good, last, mine, others, worth, rules),
        )

    return explore(
        f"{good} stood at {dollars(last)}. Your rivals offer {OTHERS} units. You can make up to "
        f"{MOST}, and the certificates in each are worth {dollars(WORTH)} to you. How many do you "
        "offer?",
        [
            Knob("mine", "units you offer", 0, MOST, 1),
            Knob("others", "units your rivals offer", 0, top, OTHERS),
            Knob("worth", "worth of the certificates", WORTH - 30, WORTH + 20, WORTH, unit="$"),
        ],
        draw,
    )


def offer_sentence(
    good: Good, last: int, mine: int, others: int, worth: int, rules: Rules = STANDARD
) -> str:
    """Say what an offer brings, and what it earns beyond the worth of its certificates.

    Examples
    --------
    >>> offer_sentence(Good.A, 140, 2, 6, 127)
    'You 2, rivals 6: A posts at $135. Revenue 2 × $135 = $270, of which the second unit added \
$133. Its certificates are worth $127. You earn $16 in all.'
    """
    price = posted_price(good, last, mine + others, rules)
    begin = f"You {mine}, rivals {others}: {good} posts at {dollars(price)}."
    if not mine:
        return f"{begin} You keep all certificates and earn nothing."
    money = revenue(good, last, mine, others, rules)
    added = marginal_revenue(good, last, mine, others, rules)
    earned = int(earnings(good, last, mine, others, [worth] * mine, rules))
    verb = "earn" if earned >= 0 else "lose"
    return (
        f"{begin} Revenue {mine} × {dollars(price)} = {dollars(money)}, of which the "
        f"{_ordinal(mine)} unit added {dollars(added)}. Its certificates are worth "
        f"{dollars(worth)}. You {verb} {dollars(abs(earned))} in all."
    )


def months_of_a_glut() -> Picture:
    """Draw the Broker's line for A in every month of the recorded game, and where it posted.

    Examples
    --------
    >>> print(months_of_a_glut().sentence.partition(". ")[0])
    January: 6 offered, A posts at $139
    """
    game, good = recorded(), GOOD
    at = GOODS.index(good)
    reports = [step.report for step in game.steps[1::2]]
    most = max(report.units[at] for report in reports) + 3
    lines = {
        report.month: broker_line(good, report.before[at], most, game.rules) for report in reports
    }
    picture = Picture(
        Axis(f"units of {good} that all firms offer", "units", high=most),
        Axis(
            f"the Broker pays, $ for one {good}",
            "$",
            low=min(line[-1][1] for line in lines.values()) - 3,
            high=max(line[0][1] for line in lines.values()) + 3,
        ),
    )
    for report, look in zip(reports, LOOKS, strict=True):
        units, price = report.units[at], report.prices[at]
        name = month_name(report.month)
        picture = picture.add(
            Line(name, lines[report.month], look, says="", marked=[]),
            Point(
                dollars(price),
                (units, price),
                look,
                side="above" if report is reports[0] else "below",
                says=f"{name}: {units} offered, {good} posts at {dollars(price)}.",
            ),
        )
    return picture.add(
        note="Each month's line begins where the month before left the price, so a glut stays: it "
        "takes a month of few offers to climb back."
    )


def _stock(game: Game, player: str, month: int) -> Stock:
    """What a firm holds when it makes its offer, and what that cost."""
    before, _ = list(stocks(game, player))[2 * month - 1]
    return before


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def _ordinal(number: int) -> str:
    return ORDINALS[number - 1]


def _a(label: str) -> str:
    return f"{'an' if label == 'X-FINE' else 'a'} {label}"
