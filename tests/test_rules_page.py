"""Every number on the page of the rules, from the rules and the engine."""

import doctest
import re
from pathlib import Path

import pytest

from exdec import STANDARD, VARIATION, Game, Good, Material, makeable
from exdec.items import GOODS, MATERIALS
from exdec.narrate import dollars, signed
from exdec.rules import PLAYERS

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the wheel has no docs")

ORDERS = {
    "Ann": {"X": (6, 44), "F": (3, 33)},
    "Ben": {"X": (3, 40), "F": (5, 34), "S": (4, 20)},
    "Cy": {"X": (3, 45), "F": (4, 30), "S": (3, 20)},
}
OFFERS = {"Ann": {"A": (3, 140)}, "Ben": {"C": (3, 88)}, "Cy": {"B": (1, 120), "C": (1, 95)}}


def played(orders=ORDERS, offers=OFFERS, rules=STANDARD):
    game = Game([*ORDERS], rules, months=1)
    for player in game.players:
        game.order(player, orders[player])
    for player in game.players:
        game.offer(player, offers[player])
    return game


def page():
    """The text as it is read: $ has a backslash, for in JupyterLab a bare one begins a formula."""
    return PAGE.read_text(encoding="utf-8").replace("\\$", "$")


def section(title):
    """Text under a heading, without the sections below it of the same level."""
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page(), re.M | re.S)[1]


def tables(text):
    """Every table as rows of cells, bold or not."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [
            [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]
            for line in block.splitlines()
        ]
        found.append([rows[0], *rows[2:]])
    return found


def test_the_production_chart():
    (_, *rows), *_ = tables(section("What there is"))
    assert rows == [
        [good, *map(str, recipe)] for good, recipe in STANDARD.production._asdict().items()
    ]


def test_money_order_limits_and_opening_prices():
    (_, *limits), (names, prices) = tables(section("How you begin"))
    for players, row in zip(PLAYERS, limits, strict=True):
        grade = STANDARD.grade_limit.at(players)
        units = str(STANDARD.order_limit.at(players))
        assert row == [
            str(players),
            dollars(STANDARD.starting_cash.at(players)),
            units if grade is None else f"{units}, and at most {grade} of one grade",
        ]
    assert names == [*(item.label for item in MATERIALS), *GOODS]
    opening = (*STANDARD.opening_materials, *STANDARD.opening_goods)
    assert prices == [*map(dollars, opening)]


def test_the_market_calculator():
    shown = {"ordered": {}, "offered": {}}
    for head, row in tables(section("What moves a price")):
        kind = head[0].split()[1]
        shown[kind].update(zip(head[1:], row[1:], strict=True))
    for kind, calculator in (
        ("ordered", STANDARD.materials_calculator),
        ("offered", STANDARD.goods_calculator),
    ):
        assert shown[kind] == {
            str(units): signed(move).replace("±", "")
            for units, move in enumerate(calculator.column)
        }


def firms(report):
    return dict(zip(report.players, report.firms, strict=True))


def posting_table(report, items, bids):
    def line(player, item):
        units, price = bids[player].get(item.value, (0, 0))
        return f"{units} at {dollars(price)}" if units else ""

    return [
        *([player, *(line(player, item) for item in items)] for player in bids),
        ["together", *map(str, report.units)],
        ["movement", *map(signed, report.movement)],
        ["posts at", *map(dollars, report.prices)],
    ]


def settled_table(report, items, amount):
    rows = []
    for player, firm in firms(report).items():
        lines = [(item, line) for item, line in zip(items, firm.lines, strict=True) if line.filled]
        what = ", ".join(f"{line.filled} {item.label}" for item, line in lines)
        terms = " + ".join(f"{line.filled} × {dollars(line.price)}" for _, line in lines)
        assert sum(line.amount for _, line in lines) == amount(firm)
        rows.append([player, what, f"{terms} = {dollars(amount(firm))}", dollars(firm.cash)])
    return rows


def test_the_tables_of_the_month():
    game = played()
    bought, sold = (step.report for step in game.steps)
    shown = [rows for _, *rows in tables(section("A month with three firms"))]
    assert shown == [
        posting_table(bought, [*Material], ORDERS),
        settled_table(bought, [*Material], lambda firm: firm.paid),
        posting_table(sold, [*Good], OFFERS),
        settled_table(sold, [*Good], lambda firm: firm.received),
        [
            [player, dollars(cash), dollars(game.profit[player])]
            for player, cash in zip(game.players, game.final.cash, strict=True)
        ],
    ]


def month_sentences():
    """What the text around those tables says, with the engine's numbers."""
    game = played()
    bought, sold = (step.report for step in game.steps)
    x, f, s = bought.prices
    c = sold.prices.C
    ann, ben, cy = (ORDERS[player] for player in game.players)
    made = {player: {good: bid[0] for good, bid in OFFERS[player].items()} for player in OFFERS}
    c_takes = STANDARD.production.C
    stand_in = firms(sold)["Ben"].delivery.f_for_s
    cy_sold = firms(sold)["Cy"]
    cy_mix = makeable(firms(bought)["Cy"].materials).deliver(**made["Cy"])
    without = played({**ORDERS, "Ben": {"F": ben["F"], "S": ben["S"]}})
    lower = played(offers={**OFFERS, "Cy": {"B": OFFERS["Cy"]["B"], "C": (1, c)}})
    return [
        f"Each has {dollars(STANDARD.starting_cash.at(3))} and may order "
        f"{STANDARD.order_limit.at(3)} units.",
        f"Ben bid {dollars(ben['X'][1])} for X-FINE. It posts at {dollars(x)}, so he gets none. "
        f"But his {ben['X'][0]} units counted: without them X-FINE would post at "
        f"{dollars(without.steps[0].report.prices.X)}.",
        f"Cy's {dollars(cy['F'][1])} for FINE is below {dollars(f)}, so he gets no FINE.",
        f"Ann bid {dollars(ann['X'][1])} where {dollars(x)} was enough. Each of her "
        f"{ann['X'][0]} X-FINE cost {dollars(ann['X'][1] - x)} more than it had to.",
        f"**Ann** has what {made['Ann']['A']} A take.",
        f"**Ben** wants {made['Ben']['C']} C. They take {made['Ben']['C'] * c_takes.F} FINE and "
        f"{made['Ben']['C'] * c_takes.S} STANDARD. He has {firms(bought)['Ben'].materials.S} "
        f"STANDARD, so {stand_in} of his FINE stand in.",
        f"**Cy** has no FINE at all. {cy_mix.x_for_f} of his X-FINE stand in for FINE: that makes "
        f"{made['Cy']['B']} B and {made['Cy']['C']} C.",
        f"Cy asked {dollars(OFFERS['Cy']['C'][1])} for his C. It posts at {dollars(c)}, so he does "
        f"not sell it and keeps {cy_sold.materials.X} X-FINE and {cy_sold.materials.S} STANDARD.",
        f"The Broker pays Cy {dollars(x)} + {cy_sold.materials.S} × {dollars(s)} = "
        f"{dollars(game.final.liquidation[2])} for the certificates that he kept.",
        f"Had Cy asked {dollars(c)} for his C, he would have sold it, and his profit would be "
        f"{dollars(lower.profit['Cy'])}.",
    ]


def variation_sentences():
    game = played(rules=VARIATION)
    bought, sold = (step.report for step in game.steps)
    x, c = firms(bought)["Ben"].lines.X, firms(sold)["Cy"].lines.C
    assert c.filled == 0
    return [
        f"Ben's {dollars(x.price)} for {x.units} X-FINE was "
        f"{dollars(bought.prices.X - x.price)} too low. With the variation he loses {x.lost} units "
        f"and gets {x.filled}, at {dollars(x.price)}.",
        f"Cy's {dollars(c.price)} for {c.units} C was {dollars(c.price - sold.prices.C)} too high. "
        f"He loses {c.lost} unit, so he still sells none.",
    ]


@pytest.mark.parametrize(
    ("title", "sentences"),
    [
        ("A month with three firms", month_sentences()),
        ("The variation", variation_sentences()),
    ],
)
def test_the_sentences_and_no_number_beside_them(title, sentences):
    text = re.sub(r"^\|.*\n", "", section(title), flags=re.M)
    text = " ".join(text.split())
    for sentence in sentences:
        assert sentence in text
        text = text.replace(sentence, "")
    assert not re.search(r"\d", text)


def test_what_the_sentences_take_for_granted():
    game = played()
    bought, sold = (firms(step.report) for step in game.steps)
    assert bought["Ben"].lines.X.filled == bought["Cy"].lines.F.filled == 0
    assert bought["Ann"].materials == tuple(3 * n for n in STANDARD.production.A)
    assert not any(firm.void for firm in (*bought.values(), *sold.values()))
    assert game.final.winners == ("Ann",)


def test_the_rules_between_the_tables():
    text = " ".join(page().split())
    material, good = STANDARD.materials_calculator, STANDARD.goods_calculator
    assert material.movement(10) == 0
    assert STANDARD.materials_floor == STANDARD.goods_floor
    bid, ask = VARIATION.buy_dollars_per_unit_lost, VARIATION.sale_dollars_per_unit_lost
    for sentence in (
        f"Each unit more adds ${material.per_unit}, each unit less takes ${material.per_unit} off.",
        f"Each unit more takes ${-good.per_unit} off.",
        f"No price falls below ${STANDARD.goods_floor}.",
        f"your price is below the posted price | each ${bid} |",
        f"your price is above the posted price | each ${ask}, or part of ${ask} |",
    ):
        assert sentence in text


def test_what_is_typed_prints_what_the_page_shows():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried
    assert not failed
