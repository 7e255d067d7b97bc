"""Every number that the text of lesson 4 says, from the engine and the recorded game."""

from pathlib import Path

from exdec import STANDARD, Good, Materials
from exdec.bots.cautious import Cautious
from exdec.bots.full_capacity import FullCapacity
from exdec.lessons.answers import general
from exdec.lessons.explore.margin import (
    FIRMS,
    HELD,
    PRICES,
    margins_of_year,
    posted_year,
    profit_of_year,
)
from exdec.play import play
from exdec.record import read
from exdec.theory.margin import best_plan, unit_cost

players = 3
cash = STANDARD.starting_cash.at(players)
limit = STANDARD.order_limit.at(players)

opening_a, opening_b, opening_c = STANDARD.opening_goods

# Ben's January in the recorded game; the exercises ask about Ann's.
game = read(Path(__file__).with_name("two_months.jsonl")).game()
ben_paid = general.paid(game, "Ben", month=1)
ben_received = general.received(game, "Ben", month=1)
ben_short = ben_paid - ben_received
ben_margin = general.margin(game, "Ben", month=1)
ben_bids = Materials(*(general.bid_price(game, "Ben", item=grade, month=1) for grade in "XFS"))
ben_x, ben_f, ben_s = ben_bids
ben_cost = unit_cost(Good.A, ben_bids)
ben_ask = general.bid_price(game, "Ben", item="A", month=1)
ben_left = ben_ask - ben_cost

february = Materials(*(general.posted_price(game, "", item=grade, month=2) for grade in "XFS"))
february_x, february_f, february_s = february
keep_c = unit_cost(Good.C, february)

held_x, held_f, held_s = HELD
price_a, price_b, price_c = PRICES
best_now = best_plan(HELD, PRICES).revenue

firms = FIRMS
full_limit = STANDARD.order_limit.at(FIRMS)
of_each_grade = FIRMS * full_limit // 3
of_each_good = of_each_grade // 3
full_materials, full_goods = posted_year(FullCapacity())[0]
full_b = full_goods.B
full_cost = sum(full_materials)
full_margin = margins_of_year(FullCapacity())[0].B

cautious_year = {f"Firm {seat}": Cautious() for seat in range(FIRMS)}
first_month = play(STANDARD.vary(months=1), cautious_year, seed=1).steps[0].report
cautious_units = sum(first_month.units) // FIRMS
cautious_profit = profit_of_year([Cautious()] * FIRMS)[-1]
alone_full = profit_of_year([FullCapacity(), *[Cautious()] * (FIRMS - 1)])[-1]
alone_more = alone_full - cautious_profit
alone_cautious = profit_of_year([Cautious(), *[FullCapacity()] * (FIRMS - 1)])[-1]
beside_cautious = profit_of_year([*[FullCapacity()] * (FIRMS - 1), Cautious()])[-1]
