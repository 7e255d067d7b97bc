"""Numbers that lesson 1 tells, worked out by the engine."""

from exdec import STANDARD, Material
from exdec.theory.prices import posted_price, still_total

FIRMS = 3

x, f, _ = STANDARD.opening_materials
cash = STANDARD.starting_cash.at(FIRMS)
limit = STANDARD.order_limit.at(FIRMS)
bid = x + 5
still = round(still_total(Material.X))
fall = -STANDARD.materials_calculator.at_zero
step = STANDARD.materials_calculator.per_unit
floor = STANDARD.materials_floor
goods_up = STANDARD.goods_calculator.at_zero
goods_step = -STANDARD.goods_calculator.per_unit
goods_rise, goods_fall = 5, 6
goods_rise_move = STANDARD.goods_calculator.movement(goods_rise)
goods_fall_move = -STANDARD.goods_calculator.movement(goods_fall)

# Ann and Ben in the example of an order that is no purchase.
ann_bid, ann_units, ben_bid, ben_units = 33, 6, 36, 8
low_bid = 1
cash_of_two = STANDARD.starting_cash.at(2)
tally_total = 5 + 6  # X-FINE on Ann's and Ben's sheets; 3 + 8 of FINE are as many
both_price = posted_price(Material.F, f, ann_units + ben_units)
alone_price = posted_price(Material.F, f, ben_units)
