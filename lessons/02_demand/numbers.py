"""Numbers that lesson 2 tells, worked out by the engine."""

from pathlib import Path

from exdec import STANDARD, Good, Material
from exdec.lessons.schedules import recorded_class
from exdec.record import read
from exdec.theory.demand import added_worth, worth_in_good

x = STANDARD.opening_materials.X
step = STANDARD.materials_calculator.per_unit
worth_b = int(
    worth_in_good(Good.B, STANDARD.opening_goods.B, STANDARD.opening_materials, Material.X)
)

rest = STANDARD.opening_goods.B - worth_b  # FINE and STANDARD of a B

# Cy's January in the recorded game.
_january = read(Path(__file__).with_name("three_firms.jsonl")).game().steps[0].report
_cy = _january.firms[_january.players.index("Cy")]
cy_units, cy_bid = _cy.lines.X.units, _cy.lines.X.price
cy_f, cy_s = _cy.materials.F, _cy.materials.S
posted = _january.prices.X
missed = posted - cy_bid
others = _january.units.X - cy_units
first, second = added_worth(_cy.materials, STANDARD.opening_goods, Material.X, 2)

# The recorded class.
pupils = len(recorded_class())
