"""Numbers that lesson 2 tells, worked out by the engine."""

from pathlib import Path

from exdec import STANDARD, Good, Material, Materials
from exdec.lessons.schedules import recorded_class
from exdec.record import read
from exdec.theory.demand import (
    added_worth,
    crossing,
    market_demand,
    quantity_at,
    shifted,
    worth_in_good,
)
from exdec.theory.prices import largest_order, opening_price

x, f, s = STANDARD.opening_materials
a, b, c = STANDARD.opening_goods
worth_b = worth_in_good(Good.B, b, STANDARD.opening_materials, Material.X)
worth_a = worth_in_good(Good.A, a, STANDARD.opening_materials, Material.X)
worth_b, worth_a = int(worth_b), int(worth_a)
step = STANDARD.materials_calculator.per_unit

# Cy's January in the recorded game.
_game = read(Path(__file__).with_name("three_firms.jsonl")).game()
_january = _game.steps[0].report
_cy = _january.firms[_january.players.index("Cy")]
cy_units, cy_bid, *_ = _cy.lines.X
posted = _january.prices.X
missed = posted - cy_bid
others = _january.units.X - cy_units
cy_could = largest_order(Material.X, x, others, cy_bid, STANDARD.order_limit.at(3))
cy_f, cy_s = _cy.materials.F, _cy.materials.S
first, second, third = added_worth(
    Materials(*_cy.materials), STANDARD.opening_goods, Material.X, 3
)

# The recorded class.
_curve = market_demand(recorded_class().values())
pupils = len(recorded_class())
price, dearer, more = 50, 60, 10
at_price = quantity_at(_curve, price)
at_dearer = quantity_at(_curve, dearer)
at_price_after = quantity_at(shifted(_curve, more), price)
at_board = quantity_at(_curve, opening_price(Material.X))
units_where_they_cross, price_where_they_cross = crossing(_curve, Material.X, x)
half_more = more // 2
