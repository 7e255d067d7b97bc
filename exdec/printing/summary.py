"""The rules on one page, for pupils, as the game that is printed has them."""

from __future__ import annotations

from exdec.items import GOODS, Material
from exdec.narrate import dollars
from exdec.printing.page import (
    Page,
    head,
    limits,
    many,
    movement,
    named,
    recipe,
    span,
    substitutions,
)
from exdec.rules import Reveal, Rules, Undeliverable


def summary(rules: Rules, players: int) -> list[Page]:
    """The rules on one page."""
    start = dollars(rules.starting_cash.at(players))
    takes = "".join(f"<li>{named(good)} takes {recipe(rules, good)}</li>" for good in GOODS)
    steps = (
        (
            "Order",
            "Write down, in secret, how many units of each grade you want, and the price that you "
            f"bid for one. {limits(rules, players)} You may also order nothing.",
        ),
        (
            "Materials post",
            "All say how many units they ordered, and not at what price. The Broker adds up each "
            "grade, looks at the Market Calculator, moves the last price and writes the new one on "
            f"the board: {movement(rules.materials_calculator, 'ordered')} {_example(rules)} No "
            f"material posts below ${rules.materials_floor}.",
        ),
        (
            "Buy",
            "Is your bid the posted price or more? You get all these units, and pay your own bid. "
            f"{_low_bid(rules)} If what you won costs more than your cash, you buy nothing this "
            "month. Certificates lie face up before you.",
        ),
        (
            "Offer",
            "Write down, in secret, how many units of each good you offer, and the price that you "
            f"ask for one.<ul>{takes}</ul>{substitutions(rules)} {_undeliverable(rules)}",
        ),
        (
            "Goods post",
            "All say how many units they offer. The Broker moves the last price: "
            f"{movement(rules.goods_calculator, 'offered')} No good posts below "
            f"${rules.goods_floor}.",
        ),
        (
            "Sell",
            "Is your ask the posted price or less? You sell all these units, and get your own ask. "
            f"{_high_ask(rules)} Hand in the certificates of what you sold, and keep the others.",
        ),
    )
    told = "".join(f"<li><b>{title}.</b> {text}</li>" for title, text in steps)
    opened = "".join(f"<p>{_reveal(one)}</p>" for one in rules.reveal)
    return [
        Page(
            "How to play",
            head(
                "How to play",
                f"{many(players, 'firm')}, {many(rules.months, 'month')}: {span(rules)}",
            )
            + '<div class="rules"><p class="lead">You run a firm. You buy raw materials, make '
            "goods of them, and sell these. Nobody sees what you bid, and all bids together make "
            f"the prices. You begin with {start}. The firm with the most profit wins.</p>"
            f"<h3>Each month</h3><ol>{told}</ol>"
            "<h3>At the end</h3><p>The Broker buys the certificates that are left, at the last "
            "posted prices, and no price moves. <b>Profit is your cash less the "
            f"{start} that you began with.</b> Equal profits share the win.</p>{opened}"
            "<h3>The Broker</h3><p>One of you, or somebody more, is the Broker: adds up what was "
            "announced, writes the prices on the board, hands out certificates, takes them back "
            "when goods are sold, and looks over the sums. Certificates never run out. Firms "
            "neither trade nor lend among themselves.</p></div>",
        )
    ]


def _example(rules: Rules) -> str:
    """One posting, worked out (R1); none where the price would stop at its lowest."""
    before = rules.opening_materials.X
    units = min(12, rules.materials_calculator.last)
    move = rules.materials_calculator.movement(units)
    if before + move < rules.materials_floor:
        return ""
    return (
        f"Say that {many(units)} of {Material.X.label} are ordered in all in January: "
        f"${before} {'−' if move < 0 else '+'} ${abs(move)} = ${before + move}."
    )


def _low_bid(rules: Rules) -> str:
    """What a bid below the market brings (R10, R16)."""
    if not rules.partial_buys:
        return "Is it less? You get none, and pay nothing."
    return (
        f"Is it less? You lose one unit for each {_dollars(rules.buy_dollars_per_unit_lost)} that "
        "is lacking, and buy the rest at your bid."
    )


def _high_ask(rules: Rules) -> str:
    """What an ask above the market brings (R10, R17)."""
    if not rules.partial_sales:
        return "Is it more? You sell none."
    return (
        f"Is it more? You lose one unit for each {_dollars(rules.sale_dollars_per_unit_lost)} that "
        "it is above, and sell the rest at your ask."
    )


def _dollars(each: int) -> str:
    return "$1" if each == 1 else f"${each}, or part of ${each},"


def _undeliverable(rules: Rules) -> str:
    """What becomes of an offer that cannot be made (R14)."""
    if rules.undeliverable is Undeliverable.REFUSE:
        return "Offer only what your certificates can make."
    return (
        "If your certificates cannot make all that you sell, you sell nothing this month: so count "
        "before you offer."
    )


def _reveal(one: Reveal) -> str:
    """A secret that is opened (R21)."""
    return {
        Reveal.CASH: "After each step, all say how much cash they have.",
        Reveal.BIDS: "After each step, all show what they bid.",
    }[one]
