"""What a form says about bids that are not handed in yet.

Only what the player's seat may know goes into it, so it says nothing about sealed bids.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exdec.costs import stock_of
from exdec.items import GOODS, MATERIALS, Good, Goods, Item, Materials
from exdec.model import Step
from exdec.narrate import dollars, substitution_sentence
from exdec.observe import Observation
from exdec.production import Makeable
from exdec.rules import Undeliverable

Bids = Mapping[Item, tuple[int, int]]
"""Units and price of every line of the form."""


class Advice(NamedTuple):
    """One sentence.

    Parameters
    ----------
    text : str
    warns : bool
        It warns of something.
    grave : bool
        All of an order or offer may come to nothing, so it is worth a second thought.
    """

    text: str
    warns: bool = False
    grave: bool = False


def items_to_bid(view: Observation) -> tuple[Item, ...]:
    """What this step asks for."""
    return GOODS if view.step is Step.SELL else MATERIALS


def last_price(view: Observation, item: Item) -> int:
    """The latest posted price of an item."""
    prices = {**view.material_prices._asdict(), **view.good_prices._asdict()}
    return int(prices[item.value])


def posts_at(view: Observation, item: Item, units: int) -> int:
    """The price at which an item posts if all firms together bid for `units` of it.

    With a player's own units it is the lowest that a material, and the highest that a good can
    post at, whatever the others do.

    Examples
    --------
    >>> from exdec import Game, Good, Material
    >>> view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    >>> posts_at(view, Material.X, 2), posts_at(view, Good.A, 1)
    (32, 149)
    """
    prices = view.goods_at(units) if isinstance(item, Good) else view.materials_at(units)
    return int(getattr(prices, item.value))


def line_hint(view: Observation, bids: Bids, item: Item) -> str:
    """Say what matters for one line: the last price, where it can post, and what a good costs.

    The others order anything up to their limit (R7). Of a good they may offer more than they can
    make, and that counts in its price (R14), so nothing but the highest is known of it.

    Examples
    --------
    >>> from exdec import Game, Material
    >>> line_hint(Game(["Ann", "Ben", "Cy"]).observe("Ann"), {}, Material.X)
    'Last $40. It can post at $30 to $54.'
    """
    units, price = bids.get(item, (0, 0))
    where = dollars(posts_at(view, item, units))
    hint = f"Last {dollars(last_price(view, item))}. It can post at {where}"
    if not isinstance(item, Good):
        highest = dollars(posts_at(view, item, units + view.others_limit))
        return f"{hint}." if highest == where else f"{hint} to {highest}."
    hint += " at most."
    cost = _costs(view, bids if units else {item: (1, 0)})
    if cost is None:
        return hint
    each = cost[GOODS.index(item)] / (units or 1)
    about = "" if each.is_integer() else "about "
    hint += f" One costs you {about}{dollars(round(each))}"
    gain = round(price - each)
    sells = units and price <= posts_at(view, item, units)
    return f"{hint}, so {dollars(price)} makes {dollars(gain)}." if sells else f"{hint}."


def advise(view: Observation, bids: Bids) -> list[Advice]:
    """Weigh an order against limit and cash (R7, R11), or an offer against the stock (R13, R14).

    Examples
    --------
    >>> from exdec import Game, Material
    >>> view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    >>> for advice in advise(view, {Material.X: (2, 40), Material.F: (4, 35)}):
    ...     print(advice.text)
    6 of 12 units.
    $220 of your $600 at stake.
    All of it would make up to 1 A, 2 B or 2 C.
    """
    advice = _on_offer(view, bids) if view.step is Step.SELL else _on_order(view, bids)
    for item, (units, price) in bids.items():
        bound = posts_at(view, item, units)
        sale = isinstance(item, Good)
        # In the variation some units may be filled all the same (R16, R17).
        if not units or (view.rules.partial_sales if sale else view.rules.partial_buys):
            continue
        if sale and price > bound:
            missed, then = f"above {dollars(bound)}, the highest", "sell"
        elif not sale and price < bound:
            missed, then = f"below {dollars(bound)}, the lowest", "get"
        else:
            continue
        text = f"{dollars(price)} for {item.label} is {missed} it can post at, so you {then} none."
        advice.append(Advice(text, warns=True))
    return advice


def _on_order(view: Observation, bids: Bids) -> list[Advice]:
    units = sum(n for n, _ in bids.values())
    at_stake = sum(n * price for n, price in bids.values())
    over = units - view.order_limit
    count = f"{units} of {view.order_limit} units."
    advice = [Advice(f"{count} Take {over} off." if over > 0 else count, over > 0)]
    for item, (n, _) in bids.items():
        if view.order_limit >= n > view.grade_limit:
            advice.append(
                Advice(
                    f"{n} of at most {view.grade_limit} {item.label}. "
                    f"Take {n - view.grade_limit} off.",
                    warns=True,
                )
            )
    if at_stake > view.cash:
        advice.append(
            Advice(
                f"{dollars(at_stake)} at stake, and you have {dollars(view.cash)}. If too many of "
                "these bids succeed, you buy nothing at all this month. Bid for less.",
                warns=True,
                grave=over <= 0,
            )
        )
    else:
        advice.append(Advice(f"{dollars(at_stake)} of your {dollars(view.cash)} at stake."))
    if units and over <= 0:
        held = Materials(
            *(
                n + bids.get(grade, (0, 0))[0]
                for grade, n in zip(MATERIALS, view.materials, strict=True)
            )
        )
        advice.append(Advice(f"All of it would make {_most(Makeable(held, view.rules))}."))
    return advice


def _on_offer(view: Observation, bids: Bids) -> list[Advice]:
    units = _units(bids)
    asked = sum(n * price for n, price in bids.values())
    held = ", ".join(
        f"{n} {grade.label}" for grade, n in zip(MATERIALS, view.materials, strict=True) if n
    )
    delivery = view.makeable.deliver(*units)
    if delivery is None:
        what = ", ".join(f"{n} {good}" for good, n in zip(GOODS, units, strict=True) if n)
        refused = view.rules.undeliverable is Undeliverable.REFUSE
        if refused:
            then = "Such an offer is not taken."
        else:
            then = "If the market takes more than you can make, you sell nothing at all this month."
        text = f"{what} cannot be made of {held or 'nothing'}. {then} Offer less."
        return [Advice(text, warns=True, grave=not refused)]
    if not any(units):
        advice = [Advice(f"You can make {_most(view.makeable)}.")]
    else:
        advice = [Advice(f"Beside this you can make {_most(view.makeable, units)}.")]
    if substitutes := substitution_sentence(delivery):
        advice.append(Advice(substitutes))
    costs = _costs(view, bids)
    if any(units) and costs is not None:
        cost = sum(costs)
        advice.append(
            Advice(
                f"{dollars(asked)} if all of it is sold; its certificates cost you {dollars(cost)}."
            )
        )
        for good, made in zip(GOODS, costs, strict=True):
            n, price = bids.get(good, (0, 0))
            if n * price < made:
                advice.append(
                    Advice(
                        f"{dollars(price)} for {good} is below what it costs you: "
                        f"{dollars(made - n * price)} lost if sold.",
                        warns=True,
                    )
                )
    return advice


def _units(bids: Bids) -> Goods[int]:
    return Goods(*(bids.get(good, (0, 0))[0] for good in GOODS))


def _costs(view: Observation, bids: Bids) -> Goods[int] | None:
    """What the certificates for each good of an offer cost this player; None if they fall short."""
    return stock_of(view.results).goods_cost(view.rules, _units(bids))


def _most(stock: Makeable, beside: Goods[int] | None = None) -> str:
    """The goods of which some can be made, each if nothing but it is made."""
    most = stock.most if beside is None else [stock.most_of(good, beside) for good in GOODS]
    some = [f"{n} {good}" for good, n in zip(GOODS, most, strict=True) if n]
    if not some:
        return "nothing" if beside is None else "nothing more"
    *more, last = some
    return f"up to {', '.join(more)} or {last}" if more else f"up to {last}"
