"""Questions to close a class with, chosen by what really happened in it.

Each question knows when it is worth asking, and how much it is about: dollars a firm, as an
average over the class, so that questions of every kind compare. Those that are asked hold the
class's own numbers. People are named for what they did well, never for a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from exdec.debrief_charts import NEAR, neutral_of, neutral_words
from exdec.items import GOODS, MATERIALS, Item
from exdec.model import Step, month_name
from exdec.narrate import change, counted, dollars, whole
from exdec.observe import Posting
from exdec.played import Firm, PlayedClass, PlayedTable, listed, mean

MOST = 3
"""So many questions fit into the ten minutes after a game."""

LITTLE = 0.01
"""What a question weighs that can always be asked."""

SOME_SHARE = 0.1
"""Of all units; less is not worth a question."""

SOME_DOLLARS = 10
"""A unit; prices or margins that lie less apart are not worth a question."""


class Found(NamedTuple):
    """That a question is worth asking.

    Parameters
    ----------
    weight : float
        Dollars a firm that it is about.
    numbers : mapping of str to str
        What goes into its texts.
    """

    weight: float
    numbers: Mapping[str, str]


Find: TypeAlias = Callable[[PlayedClass], Found | None]


class Prompt(NamedTuple):
    """A question before any class is known; words in braces stand for the class's numbers.

    Parameters
    ----------
    name : str
    theme : str
        No two questions of one theme are asked together.
    see : str
        The part of the debrief that shows it.
    find : callable
        Whether it is worth asking in a class, and with which numbers.
    ask : str
    listen : tuple of str
        What good answers say.
    follow : str
        What to ask then.
    """

    name: str
    theme: str
    see: str
    find: Find
    ask: str
    listen: tuple[str, ...]
    follow: str


class Question(NamedTuple):
    """A question for one class; see `Prompt`."""

    name: str
    theme: str
    see: str
    weight: float
    ask: str
    listen: tuple[str, ...]
    follow: str


def choose(played: PlayedClass, most: int = MOST) -> list[Question]:
    """Choose questions of different themes: of each theme the weightiest, and of these the first.

    Parameters
    ----------
    played : PlayedClass
    most : int

    Returns
    -------
    list of Question
        The weightiest first; fewer than asked for if little has happened.
    """
    best: dict[str, Question] = {}
    for question in worth_asking(played):
        other = best.get(question.theme)
        if other is None or question.weight > other.weight:
            best[question.theme] = question
    return sorted(best.values(), key=lambda question: -question.weight)[:most]


def worth_asking(played: PlayedClass) -> Iterator[Question]:
    """Every question whose condition holds in a class."""
    for prompt in PROMPTS:
        found = prompt.find(played)
        if found is not None and found.weight > 0:
            yield Question(
                prompt.name,
                prompt.theme,
                prompt.see,
                found.weight,
                prompt.ask.format_map(found.numbers),
                tuple(text.format_map(found.numbers) for text in prompt.listen),
                prompt.follow.format_map(found.numbers),
            )


# -- what the conditions are made of -------------------------------------------------------------


class Posted(NamedTuple):
    """One item's posting at one table, and the units of it that changed hands."""

    table: PlayedTable
    month: int
    item: Item
    units: int
    before: int
    price: int
    filled: int

    @property
    def slope(self) -> int:
        """Dollars by which one unit more moves the price, whichever way."""
        return abs(self.table.calculator(self.item).per_unit)

    @property
    def too_many(self) -> float:
        """Units beyond those at which the price stays; fewer as a minus."""
        level = self.table.neutral(self.item)
        return 0 if level is None else self.units - level


def _posted(played: PlayedClass) -> list[Posted]:
    filled: dict[tuple[str, int, Item], int] = {}
    for bid in played.bids:
        key = bid.table, bid.month, bid.item
        filled[key] = filled.get(key, 0) + bid.filled
    return [
        Posted(
            table, posting.month, item, units, before, price,
            filled.get((table.name, posting.month, item), 0),
        )
        for table in played.tables
        for posting in table.game.postings
        for item, units, before, price in _facts(posting)
    ]  # fmt: skip


def _facts(posting: Posting) -> Iterator[tuple[Item, int, int, int]]:
    items: tuple[Item, ...] = MATERIALS if posting.step is Step.BUY else GOODS
    yield from zip(items, posting.units, posting.before, posting.prices, strict=True)


def _at(played: PlayedClass, table: PlayedTable) -> str:
    return f" at {table.name}" if len(played.tables) > 1 else ""


def _average(played: PlayedClass) -> str:
    return " on average" if len(played.tables) > 1 else ""


def _each(dollars_made: int, units: int) -> str:
    return change(whole(dollars_made / units)) if units else "nothing"


def _earned(played: PlayedClass) -> float:
    """Dollars above cost on each good that the class sold; at least one."""
    units = sum(sold.units for sold in played.sold)
    return max(sum(sold.margin for sold in played.sold) / units, 1) if units else 1


def _count(played: PlayedClass) -> int:
    return len(played.firms)


# -- prices --------------------------------------------------------------------------------------


def _risen(played: PlayedClass) -> Found | None:
    """Materials whose price has gone up."""
    posted = _posted(played)
    best = None
    for item in MATERIALS:
        mine = [one for one in posted if one.item is item]
        opening = mean(table.prices[item][0] for table in played.tables)
        by_month: dict[int, list[int]] = {}
        for one in mine:
            by_month.setdefault(one.month, []).append(one.price)
        peak = max(by_month, key=lambda month: mean(by_month[month]), default=None)
        level = neutral_of(played, item)
        if peak is None or level is None or mean(by_month[peak]) - opening < SOME_DOLLARS:
            continue
        paid = sum(max(one.price - one.table.prices[item][0], 0) * one.filled for one in mine)
        numbers = {
            "item": item.label,
            "opening": dollars(whole(opening)),
            "price": dollars(whole(mean(by_month[peak]))),
            "month": month_name(peak),
            "average": _average(played),
            "neutral": neutral_words(level),
            "units": f"{mean(one.units for one in mine if one.month <= peak):.1f}",
        }
        found = Found(paid / _count(played), numbers)
        best = max(best or found, found, key=lambda one: one.weight)
    return best


def _glut(played: PlayedClass) -> Found | None:
    """Goods of which so many were offered that the price fell."""
    fallen = [one for one in _posted(played) if one.item in GOODS and one.price < one.before]
    if not fallen:
        return None
    worst = max(fallen, key=lambda one: ((one.before - one.price) * one.filled, one.units))
    total = sum((one.before - one.price) * one.filled for one in fallen)
    numbers = {
        "month": month_name(worst.month),
        "table": _at(played, worst.table),
        "units": str(worst.units),
        "good": worst.item.label,
        "fall": dollars(worst.before - worst.price),
        "price": dollars(worst.price),
        "slope": dollars(worst.slope),
    }
    return Found(total / _count(played), numbers)


def _phantom(played: PlayedClass) -> Found | None:
    """Orders that bought nothing and moved the price."""
    orders = [bid for bid in played.peoples_bids if bid.buying]
    units, lost = (sum(getattr(bid, what) for bid in orders) for what in ("units", "lost"))
    if not units or lost / units < SOME_SHARE:
        return None
    by_posting: dict[tuple[str, int, Item], int] = {}
    for bid in orders:
        key = bid.table, bid.month, bid.item
        by_posting[key] = by_posting.get(key, 0) + bid.lost
    cost: float = sum(
        one.slope * by_posting.get((one.table.name, one.month, one.item), 0) * one.filled
        for one in _posted(played)
        if one.item in MATERIALS
    )
    # Where most orders fail, the goods that they should have become cost more than the prices.
    opening = mean(table.margins[good][0] for table in played.tables for good in GOODS)
    cost = max(cost, _never_made(played) * opening)
    slopes = {table.game.rules.materials_calculator.per_unit for table in played.tables}
    bought = any(bid.filled for bid in played.bids if bid.buying)
    numbers = {
        "lost": str(lost),
        "units": str(units),
        "each": f"by {dollars(slopes.pop())}" if len(slopes) == 1 else "a little",
        "whom": "for those who did buy" if bought else "though nobody bought one",
    }
    return Found(cost / _count(played), numbers)


def _never_made(played: PlayedClass) -> float:
    """Goods that the class did not make for bids below the market; 0 if most units were bought."""
    orders = [bid for bid in played.bids if bid.buying]
    lost = sum(bid.lost for bid in orders)
    # A good takes three certificates, more or less.
    return lost / 3 if 2 * lost > sum(bid.units for bid in orders) else 0


def _apart(played: PlayedClass) -> Found | None:
    """The same rules and another price."""
    alike: dict[Any, list[PlayedTable]] = {}
    for table in played.tables:
        alike.setdefault((table.game.rules, len(table.game.players)), []).append(table)
    tables = max(alike.values(), key=len)
    month = min(len(table.game.steps) // 2 for table in tables)
    if len(tables) < 2 or not month:
        return None
    spreads = []
    items: tuple[Item, ...] = (*GOODS, *MATERIALS)
    for item in items:
        low, high = (
            extreme(tables, key=lambda table: table.prices[item][month]) for extreme in (min, max)
        )
        prices = low.prices[item][month], high.prices[item][month]
        spreads.append((prices[1] - prices[0], item, low, high, prices))
    spread, item, low, high, prices = max(spreads, key=lambda one: one[0])
    if spread < SOME_DOLLARS:
        return None
    filled = [bid.filled for bid in played.bids if bid.item is item]
    a_month = sum(filled) / _count(played) / month
    numbers = {
        "item": item.label,
        "month": month_name(month),
        "low": dollars(prices[0]),
        "high": dollars(prices[1]),
        "there": low.name,
        "here": high.name,
    }
    return Found(spread * a_month, numbers)


def _made(played: PlayedClass) -> Found | None:
    """Any price that moved."""
    moved = max(_posted(played), key=lambda one: abs(one.price - one.before), default=None)
    if moved is None or moved.price == moved.before:
        return None
    numbers = {
        "month": month_name(moved.month),
        "table": _at(played, moved.table),
        "units": counted(moved.units, "unit"),
        "item": moved.item.label,
        "verb": ("was " if moved.units == 1 else "were ")
        + ("offered" if moved.item in GOODS else "ordered"),
        "before": dollars(moved.before),
        "price": dollars(moved.price),
    }
    return Found(LITTLE, numbers)


# -- margins -------------------------------------------------------------------------------------


def _squeeze(played: PlayedClass) -> Found | None:
    """Margins at posted prices that have melted."""
    best = None
    for good in GOODS:
        months = min(len(table.margins[good]) for table in played.tables) - 1
        if months < 1:
            return None
        first, last = (mean(t.margins[good][at] for t in played.tables) for at in (0, months))
        prices = [mean(t.prices[good][at] for t in played.tables) for at in (0, months)]
        fall, cheaper = whole(first) - whole(last), whole(prices[0]) - whole(prices[1])
        if fall < SOME_DOLLARS:
            continue
        units = sum(sold.units for sold in played.sold if sold.good is good)
        dearer = fall - cheaper
        numbers = {
            "good": good.label,
            "first": dollars(whole(first)),
            "last": dollars(whole(last)),
            "fall": dollars(fall),
            "month": month_name(months),
            "average": _average(played),
            "dearer": _moved("The materials for one are", dearer, "dearer", "cheaper"),
            "cheaper": _moved("its price is", cheaper, "lower", "higher"),
        }
        # It fell little by little: half of the fall, on average. Where most orders fail, few goods
        # are sold, and those that were not made count too, a third of them for each good.
        wanted = max(units, _never_made(played) / len(GOODS))
        found = Found(fall / 2 * wanted / _count(played), numbers)
        best = max(best or found, found, key=lambda one: one.weight)
    return best


def _moved(what: str, by: int, up: str, down: str) -> str:
    if not by:
        return f"{what} as it was" if what.startswith("its") else f"{what} no {up}"
    return f"{what} {dollars(abs(by))} {up if by > 0 else down}"


def _below_cost(played: PlayedClass) -> Found | None:
    """Goods that were sold for less than they had cost."""
    below = [sold for sold in played.sold if sold.margin < 0]
    if not below:
        return None
    loss = -sum(sold.margin for sold in below)
    units = sum(sold.units for sold in below)
    numbers = {
        "goods": "1 good was" if units == 1 else f"{units} goods were",
        "them": "it" if units == 1 else "them",
        "loss": dollars(loss),
        "mistake": "Was this sale a mistake?" if len(below) == 1 else "Were these sales mistakes?",
    }
    return Found(loss / _count(played), numbers)


def _left_over(played: PlayedClass) -> Found | None:
    """Certificates that became no good."""
    over = [table for table in played.tables if table.over]
    loss = -sum(split.unsold for table in over for split in table.splits)
    brought = sum(sum(table.game.final.liquidation) for table in over)
    if loss <= 0:
        return None
    numbers = {"cost": dollars(loss + brought), "brought": dollars(brought), "loss": dollars(loss)}
    return Found(loss / _count(played), numbers)


def _which(played: PlayedClass) -> Found | None:
    """Any month with all six prices."""
    months = min(len(table.margins[GOODS[0]]) for table in played.tables) - 1
    if months < 1:
        return None
    left = [
        f"{change(whole(mean(table.margins[good][months] for table in played.tables)))} on one "
        f"{good.label}"
        for good in GOODS
    ]
    return Found(LITTLE, {"month": month_name(months), "left": listed(left)})


# -- luck and decisions --------------------------------------------------------------------------


def _beyond(played: PlayedClass) -> Found | None:
    """Bids that went further than they had to."""
    bids = played.peoples_bids
    bought, sold = (
        sum(bid.beyond for bid in bids if bid.buying is buying) for buying in (True, False)
    )
    lost = sum(bid.lost for bid in bids if abs(bid.gap) <= NEAR)
    numbers = {
        "total": dollars(bought + sold),
        "bought": dollars(bought),
        "sold": dollars(sold),
        "lost": counted(lost, "unit"),
        "were": "was" if lost == 1 else "were",
    }
    # A dollar or two is what safety costs; the question is about the rest.
    rest = sum(bid.filled * max(bid.beyond // bid.filled - NEAR, 0) for bid in bids if bid.filled)
    return Found(rest / _count(played), numbers)


def _near(played: PlayedClass) -> Found | None:
    """Bids that a dollar or two more, or less, would have filled."""
    near = [bid for bid in played.peoples_bids if bid.lost and abs(bid.gap) <= NEAR]
    if not near:
        return None
    units = sum(bid.lost for bid in near)
    # A good takes three certificates, more or less, and a good that is not sold is still there.
    numbers = {
        "bids": counted(len(near), "bid"),
        "missed": "missed the market by $1 or $2",
        "units": counted(units, "unit"),
        "earned": dollars(whole(_earned(played))),
    }
    return Found(units / 3 * _earned(played) / _count(played), numbers)


def _void(played: PlayedClass) -> Found | None:
    """Firms that won more than they could pay or deliver (R11, R14)."""
    results = [
        firm
        for table in played.tables
        for step in table.game.steps
        for firm in step.report.firms
        if firm.void
    ]
    if not results:
        return None
    due = sum(firm.due for firm in results)
    received = sum(sold.amount for sold in played.sold)
    rate = sum(sold.margin for sold in played.sold) / received if received else 0
    times = "Once" if len(results) == 1 else f"{len(results)} times"
    # What these deals would have earned, had they gone as the class's others did.
    weight = due * max(rate, SOME_SHARE) / _count(played)
    return Found(weight, {"times": times, "due": dollars(due)})


# -- strategy and competition --------------------------------------------------------------------


def _leader(played: PlayedClass) -> Found | None:
    """Which of the people made the most, and how it differs from the others."""
    people = [firm for firm in played.finished if firm.is_person]
    if len(people) < 2 or people[0].profit == people[1].profit:
        return None
    best, *others = people
    ahead = best.profit - mean(firm.profit for firm in others)
    units, made = _sales([best])
    all_units, all_made = _sales(others)
    a_firm = all_units / len(others)
    numbers = {
        "name": best.label,
        "of": " of the people" * (len(people) < len(played.finished)),
        "profit": change(best.profit),
        "others": change(whole(mean(firm.profit for firm in others))),
        "units": str(units),
        "each": _each(made, units),
        "their_units": f"{a_firm:.1f}",
        "their_each": _each(all_made, all_units),
    }
    return Found(ahead / _count(played), numbers)


def _sales(firms: Sequence[Firm]) -> tuple[int, int]:
    """Goods sold by these firms, and dollars earned on them."""
    sold = [one for firm in firms for one in firm.table.sold[firm.player]]
    return sum(one.units for one in sold), sum(one.margin for one in sold)


def _crowd(played: PlayedClass) -> Found | None:
    """A good that most firms made."""
    offers = [bid for bid in played.bids if not bid.buying]
    units = {good: sum(bid.units for bid in offers if bid.item is good) for good in GOODS}
    total = sum(units.values())
    months = min(len(table.margins[GOODS[0]]) for table in played.tables) - 1
    most, least = max(GOODS, key=units.__getitem__), min(GOODS, key=units.__getitem__)
    if months < 1 or not total or units[most] < 0.45 * total:
        return None
    left = {
        good: change(whole(mean(table.margins[good][months] for table in played.tables)))
        for good in (most, least)
    }
    posted = [one for one in _posted(played) if one.item is most]
    turns = len(posted) or 1
    excess = (units[most] - total / 3) / turns
    dear = sum(excess * one.slope * one.filled for one in posted)
    numbers = {
        "units": str(units[most]),
        "all": str(total),
        "good": most.label,
        "other": least.label,
        "month": month_name(months),
        "left": left[most],
        "other_left": left[least],
    }
    return Found(dear / _count(played), numbers)


# -- restraint -----------------------------------------------------------------------------------


def _flood(played: PlayedClass) -> Found | None:
    """More goods than the market takes at a steady price."""
    return _restraint(played, 1)


def _scarce(played: PlayedClass) -> Found | None:
    """Fewer goods than the market takes at a steady price."""
    return _restraint(played, -1)


def _restraint(played: PlayedClass, side: int) -> Found | None:
    best = None
    for good in GOODS:
        posted = [one for one in _posted(played) if one.item is good]
        level = neutral_of(played, good)
        units = mean(one.units for one in posted)
        if not posted or level is None or (units - level) * side < 1:
            continue
        moved = sum(max(one.too_many * side, 0) * one.slope * one.filled for one in posted)
        firms = mean(len(table.game.players) for table in played.tables)
        slope = posted[0].slope
        numbers = {
            "good": good.label,
            "units": f"{units:.1f}",
            "neutral": neutral_words(level),
            "more": dollars(whole(slope * firms)),
            "opening": dollars(whole(mean(table.prices[good][0] for table in played.tables))),
            "last": dollars(whole(mean(table.prices[good][-1] for table in played.tables))),
        }
        found = Found(moved / _count(played), numbers)
        best = max(best or found, found, key=lambda one: one.weight)
    return best


# -- bots and experiments ------------------------------------------------------------------------


def _bots_ahead(played: PlayedClass) -> Found | None:
    return _bots(played, 1)


def _people_ahead(played: PlayedClass) -> Found | None:
    return _bots(played, -1)


def _bots(played: PlayedClass, side: int) -> Found | None:
    bots = [firm for firm in played.finished if firm.is_bot]
    people = [firm for firm in played.finished if firm.is_person]
    if not bots or not people:
        return None
    made = [mean(firm.profit for firm in some) for some in (bots, people)]
    (bot_units, bot_made), (units, own) = _sales(bots), _sales(people)
    numbers = {
        "bots": "The bot makes" if len(bots) == 1 else f"The {len(bots)} bots make",
        "bot_profit": change(whole(made[0])) + " on average" * (len(bots) > 1),
        "profit": change(whole(made[1])),
        "bot_units": f"{bot_units / len(bots):.1f}",
        "bot_each": _each(bot_made, bot_units),
        "units": f"{units / len(people):.1f}",
        "each": _each(own, units),
    }
    few = min(len(bots), len(people))
    return Found((made[0] - made[1]) * side * few / _count(played), numbers)


def _treatments(played: PlayedClass) -> Found | None:
    """Tables that were treated differently on purpose: people, and a month where games differ."""
    firms = [firm for firm in played.finished if firm.is_person] or played.finished
    months = {firm.table.game.rules.months for firm in firms}
    made: dict[str, float] = {}
    for name, tables in played.groups.items():
        profits = [
            firm.profit / (firm.table.game.rules.months if len(months) > 1 else 1)
            for firm in firms
            if firm.table in tables
        ]
        if name and profits:
            made[name] = mean(profits)
    if len(made) < 2:
        return None
    low, high = (extreme(made, key=made.__getitem__) for extreme in (min, max))
    sizes = [sum(table.over for table in played.groups[name]) for name in (high, low)]
    numbers = {
        "high": high,
        "low": low,
        "firm": "a firm" if len(firms) == len(played.finished) else "a firm that people played",
        "high_profit": change(whole(made[high])),
        "low_profit": change(whole(made[low])),
        "average": " a month on average" if len(months) > 1 else " on average",
        "tables": f"{counted(sizes[0], 'table')} against {sizes[1]}",
    }
    apart = (made[high] - made[low]) * (mean(months) if len(months) > 1 else 1)
    return Found(max(apart, SOME_DOLLARS), numbers)


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        "dearer materials", "prices", "Prices", _risen,
        "{item} opens at {opening} and stands at {price} in {month}{average}. Nobody set that "
        "price. Who raised it?",
        (
            "All firms together: {units} were ordered a month at a table, and more than {neutral} "
            "raise the price.",
            "Demand alone can raise a price. No seller decided anything.",
            "Bids that failed count too: the market looks at what is ordered.",
        ),
        "What could one firm do to bring it down, and who would have the use of it?",
    ),
    Prompt(
        "too many goods", "prices", "Quantities", _glut,
        "In {month}{table}, {units} {good} are offered, and the price falls by {fall} to {price}. "
        "Nobody wanted that. How did it come about?",
        (
            "Each unit offered takes {slope} off the price for everybody, and each firm thinks of "
            "its own units only.",
            "Supply meets a market that takes only so much at the old price.",
            "Whoever saw last month's high price came with more: the price itself called for it.",
        ),
        "What does the low price tell the firms for next month? Is it of any use?",
    ),
    Prompt(
        "orders that bought nothing", "prices", "Bids and the market", _phantom,
        "{lost} of the {units} units of material that you ordered were not bought, because the "
        "bids were below the market. Did these bids change anything?",
        (
            "Yes. The price follows what is ordered, not what is bought: each of these units "
            "raised it {each}, {whom}.",
            "It stays there next month too, for each month begins at the last price.",
            "A low bid for many units is no cheap try: it makes the market dearer for its own "
            "firm.",
        ),
        "Where else do plans that come to nothing move a price?",
    ),
    Prompt(
        "another table, another price", "prices", "Prices", _apart,
        "Two tables with the same rules: in {month}, {item} stands at {low} at {there} and at "
        "{high} at {here}. Why?",
        (
            "A price is made by what people do, not by what the thing is.",
            "Each month starts at the last price, so small differences at the beginning add up.",
            "Ask both tables what they ordered and offered, and compare with the chart.",
        ),
        "Suppose one firm could buy at one table and sell at the other. What would happen to both "
        "prices?",
    ),
    Prompt(
        "who makes a price", "prices", "Prices", _made,
        "In {month}{table}, {units} of {item} {verb}, and the price went from {before} to {price}. "
        "Who decided that?",
        (
            "Nobody alone: the market adds up all firms' units.",
            "More ordered raises a price, more offered lowers it.",
        ),
        "Could one firm alone have moved it as far?",
    ),
    Prompt(
        "margins that melt", "margins", "Margins", _squeeze,
        "At posted prices one {good} leaves {first} above its materials at Opening and {last} in "
        "{month}{average}. Where did {fall} go?",
        (
            "{dearer}, and {cheaper}.",
            "A margin calls firms in. They order more and offer more, and that eats the margin: "
            "competition.",
            "Firms lose it; whoever sells the materials and buys the goods gains it.",
        ),
        "What would have to happen for the margin to come back?",
    ),
    Prompt(
        "sold below cost", "margins", "Margins", _below_cost,
        "{goods} sold for less than the certificates in {them} had cost, {loss} less in all. "
        "{mistake}",
        (
            "Not by itself: what is paid is gone, whether one sells or not (sunk cost).",
            "Compare the price with what else the certificates could bring: next month, in another "
            "good, or from the Broker at the end.",
            "If there was a mistake, it was made when they were bought.",
        ),
        "What would you need to know, at the moment of selling, to decide well?",
    ),
    Prompt(
        "certificates left over", "margins", "Profit", _left_over,
        "At the end, certificates were left that had cost {cost}, and the Broker paid {brought} "
        "for them. When should a firm stop buying?",
        (
            "When one certificate more no longer becomes a good that sells for more than it costs.",
            "In the last month only what can be made and sold at once is worth a margin; the rest "
            "is worth what the Broker pays.",
            "A good takes a set: one grade too few, and the others lie idle.",
        ),
        "Which of these purchases could one know to be too many when they were made?",
    ),
    Prompt(
        "which good", "margins", "Margins", _which,
        "At {month}'s posted prices, the margin over materials is {left}. Which would you make, "
        "and what if everybody answers the same?",
        (
            "The margin counts, not the price: the dearest good takes the dearest materials.",
            "If all make it, its price falls and its materials get dearer.",
        ),
        "Which good uses least of the material that is scarce?",
    ),
    Prompt(
        "bids beyond the market", "luck", "Bids and the market", _beyond,
        "Bids that went further than they had to cost you {total} in all: {bought} paid above the "
        "market, {sold} given away below it. Was that money wasted?",
        (
            "Nobody knew the price when bidding. Part of it bought safety, like the premium of an "
            "insurance.",
            "The other side of it: {lost} {were} lost by bids that missed the market by $1 or $2.",
            "A decision is judged by what one could know then, not by how it came out.",
        ),
        "How much above your best guess would you bid for a unit that completes a good? And for "
        "one that does not?",
    ),
    Prompt(
        "near misses", "luck", "Bids and the market", _near,
        "{bids} {missed}, and {units} went with that. Was it bad luck, or were they bad "
        "decisions?",
        (
            "One miss can be luck. Somebody who misses most months bids too finely.",
            "Weigh both sides: a dollar more on each unit, against the margin of a good, {earned} "
            "on average in this class.",
            "Some of the price could be known: your own units, last month's units, and what lies "
            "before the others.",
        ),
        "What would you bid in a second try, and would you say so without knowing the price?",
    ),
    Prompt(
        "more than one can keep", "luck", "Bids and the market", _void,
        "{times} a firm won more than it could pay or deliver, {due} in all, and got nothing. Was "
        "that bad luck?",
        (
            "No: one can add up before bidding what it costs if every bid succeeds, and what one "
            "can make.",
            "Hoping that some of one's own bids fail is a gamble; then why make them?",
            "Outside, a contract that is not kept costs a penalty, and trust.",
        ),
        "How much cash would you keep back, and what does keeping it cost?",
    ),
    Prompt(
        "what the leader did", "rivals", "Profit", _leader,
        "{name} makes the most{of}, {profit}; the other people make {others} on average. Bought "
        "cheaper, sold dearer, or sold more?",
        (
            "{name}: {units} goods sold, and {each} earned on each. The others: {their_units} and "
            "{their_each}.",
            "Profit is units times margin, less what is left over in the end. More of one can cost "
            "some of the other.",
            "Ask for the plan: was there one, and what was luck?",
        ),
        "Would the same plan win at another table? What if everybody copies it?",
    ),
    Prompt(
        "all in one good", "rivals", "Quantities", _crowd,
        "{units} of the {all} goods offered were {good}. Was it the best good to make?",
        (
            "Only as long as others make something else. In {month} the margin at posted prices is "
            "{left} on a {good} and {other_left} on a {other}.",
            "The best choice depends on what the others choose, so there is no list to look it up "
            "in.",
            "If everyone leaves the crowded good at once, the next one is crowded.",
        ),
        "Where do you see that outside, everybody doing what paid last year?",
    ),
    Prompt(
        "nobody holds back", "restraint", "Quantities", _flood,
        "A table offered {units} {good} a month, and the price stays at {neutral}. Had every firm "
        "kept one back once, the price would be {more} higher in that month and later. Why did "
        "nobody begin?",
        (
            "The gain goes to all, and the unit that is not sold is missing in one firm only: each "
            "waits for the others.",
            "It need not be a prisoner's dilemma: where the margin is thin, holding back can pay "
            "even alone. Compute it.",
            "To agree on it is a cartel: forbidden in most countries, and whoever breaks it gains.",
        ),
        "Who would notice if one of you sold one more than agreed? (All: units are announced.)",
    ),
    Prompt(
        "few goods, high prices", "restraint", "Quantities", _scarce,
        "A table offered only {units} {good} a month, where the price stays at {neutral}; it went "
        "from {opening} to {last}. Did you agree on that, or did it just happen?",
        (
            "It may just happen: short of cash, short of one grade, or careful.",
            "If several held back because they saw that fewer units keep the price up, that is "
            "restraint without a word; to talk about it makes it a cartel.",
            "A high price is a call: whoever can offers one more.",
        ),
        "Who pays for a high price, and why did nobody at the table speak for them?",
    ),
    Prompt(
        "bots ahead", "bots", "Profit", _bots_ahead,
        "{bots} {bot_profit}, the people {profit} on average. What did a machine do that you did "
        "not?",
        (
            "Bots sold {bot_units} goods a firm and earned {bot_each} on each; people {units} and "
            "{each}.",
            "It computes every margin every month, and it does not mind what it paid or who is "
            "ahead.",
            "It does not think about what you will think. Where could that be used against it?",
        ),
        "Would you want to know, in a real market, whether you bid against a machine?",
    ),
    Prompt(
        "people ahead", "bots", "Profit", _people_ahead,
        "{bots} {bot_profit}, the people {profit} on average. What did you see that a machine did "
        "not?",
        (
            "People sold {units} goods a firm and earned {each} on each; bots {bot_units} and "
            "{bot_each}.",
            "A fixed rule can be foreseen, and used.",
            "Or was it luck? One game with few bots proves little.",
        ),
        "Which of your decisions could be written down as a rule for a machine?",
    ),
    Prompt(
        "an experiment", "experiment", "Tables", _treatments,
        'At tables with "{high}" {firm} makes {high_profit}{average}, with "{low}" {low_profit}. '
        "Did the difference in treatment do that?",
        (
            "Perhaps. It is {tables}: see how far tables of one treatment lie apart.",
            "Ask what else differed: who sat there, how many, how long.",
            "A fair test draws the tables by lot, has several of each, and changes one thing.",
        ),
        "What would you have to see to be convinced?",
    ),
)  # fmt: skip
"""Every question; of those that weigh the same, the first is asked."""
