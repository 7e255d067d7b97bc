"""A second reading of the rules of the game, to hold the engine against.

It was written from the rulebook and the rulings (R1, R2, …) alone, before its author had seen the
engine, and is plain on purpose: dicts and lists, the board's columns as they are printed, and a
search where the engine has a formula. Nothing of exdec is imported here.

A game is a dict. Tallies are ``{player: {"X": (units, price), …}}``; who is left out passes.
"""

MONEY = {2: 900, 3: 600, 4: 450, 5: 350, 6: 300}
ORDER_LIMIT = {2: 18, 3: 12, 4: 9, 5: 7, 6: 6}
GRADE_LIMIT = {2: 12}
OPENING = {"X": 40, "F": 30, "S": 20, "A": 140, "B": 115, "C": 90}
GRADES = ["X", "F", "S"]
GOODS = ["A", "B", "C"]

# The Market Calculator, column by column (R1, R2): RAW[units], FINISHED[units].
RAW = [-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2]
RAW += [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
FINISHED = [11, 9, 7, 5, 3, 1, -1, -3, -5, -7, -9, -11, -13, -15, -17, -19, -21]

# The Production Chart, place by place (R4), and what may lie on each place (R12).
PLACES = {"A": "XXF", "B": "XFS", "C": "FSS"}
MAY_LIE_ON = {"X": "X", "F": "FX", "S": "SF"}

# The variation's second table (R17): dollars above the market, units lost.
SALES_LOST = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5, 11: 6, 12: 6}

ABSURD = 10**12
"""R8 gives no number; nothing near this one is ever handed in."""


class RefusedError(Exception):
    """A tally that is not allowed; ``args[0]`` is the player."""


def new_game(
    players,
    months=12,
    partial_buys=False,
    partial_sales=False,
    undeliverable="penalty",
    past_table="extend",
    materials_floor=1,
    goods_floor=1,
):
    return {
        "players": list(players),
        "months": months,
        "partial_buys": partial_buys,
        "partial_sales": partial_sales,
        "undeliverable": undeliverable,
        "past_table": past_table,
        "materials_floor": materials_floor,
        "goods_floor": goods_floor,
        "month": 1,
        "step": "buy",
        "prices": dict(OPENING),
        "cash": {player: MONEY[len(players)] for player in players},
        "held": {player: {"X": 0, "F": 0, "S": 0} for player in players},
    }


# -- is the tally allowed? ------------------------------------------------------------------------


def is_whole(value):
    return type(value) is int and abs(value) < ABSURD


def well_formed(tally, items):
    """R8: one line an item, whole units from 0 and whole dollars from 1."""
    if type(tally) is not dict:
        return False
    for item, line in tally.items():
        if item not in items:
            return False
        if type(line) not in (tuple, list) or len(line) != 2:
            return False
        units, price = line
        if not is_whole(units) or not is_whole(price):
            return False
        if units < 0 or price < 1:
            return False
    return True


def order_allowed(game, tally):
    """R7, R8."""
    if not well_formed(tally, GRADES):
        return False
    players = len(game["players"])
    ordered = [units for units, price in tally.values()]
    if sum(ordered) > ORDER_LIMIT[players]:
        return False
    return all(units <= GRADE_LIMIT.get(players, units) for units in ordered)


def offer_allowed(game, player, tally):
    """R8, R14."""
    if not well_formed(tally, GOODS):
        return False
    if game["undeliverable"] == "refuse":
        goods = {good: tally[good][0] if good in tally else 0 for good in GOODS}
        return hand_in(game["held"][player], goods) is not None
    return True


# -- the Market Calculator ------------------------------------------------------------------------


def movement(game, table, total):
    """R1, R2, R5: past the last column go on by the same amount a unit, or stay at it."""
    if total < len(table):
        return table[total]
    if game["past_table"] == "clamp":
        return table[-1]
    return table[-1] + (total - (len(table) - 1)) * (table[-1] - table[-2])


def post(game, table, items, floor, lines):
    """R6, R9: all announced units move the price, whatever becomes of them."""
    report = {"units": {}, "before": {}, "movement": {}, "prices": {}}
    for item in items:
        total = sum(lines[player][item]["units"] for player in lines)
        before = game["prices"][item]
        moved = movement(game, table, total)
        report["units"][item] = total
        report["before"][item] = before
        report["movement"][item] = moved
        report["prices"][item] = before + moved if before + moved > floor else floor
    return report


def written(game, tallies, items):
    """Every player's tally with a line for every item."""
    lines = {}
    for player in game["players"]:
        lines[player] = {}
        for item in items:
            units, price = tallies.get(player, {}).get(item, (0, 0))
            if units == 0:
                price = 0
            lines[player][item] = {"units": units, "price": price}
    return lines


# -- one step -------------------------------------------------------------------------------------


def won_of_bid(game, units, bid, market):
    """R10, R16."""
    if bid >= market:
        return units
    if game["partial_buys"]:
        lost = market - bid
        return units - lost if units > lost else 0
    return 0


def won_of_ask(game, units, ask, market):
    """R10, R17."""
    if ask <= market:
        return units
    if game["partial_sales"]:
        above = ask - market
        lost = 0
        while above > 12:
            above -= 2
            lost += 1
        lost += SALES_LOST[above]
        return units - lost if units > lost else 0
    return 0


def settle(line, void, missed, voided):
    """How many units change hands, and why."""
    line["filled"] = 0 if void else line["won"]
    if line["units"] == 0:
        line["outcome"] = "no bid"
    elif line["won"] == 0:
        line["outcome"] = missed
    elif void:
        line["outcome"] = voided
    elif line["won"] < line["units"]:
        line["outcome"] = "partly filled"
    else:
        line["outcome"] = "filled"


def can_pay(cash, due):
    """R11: exactly enough is enough."""
    return due <= cash


def buy(game, tallies):
    """Return the game after the purchases, and what happened."""
    assert game["step"] == "buy"
    for player, tally in tallies.items():
        if not order_allowed(game, tally):
            raise RefusedError(player)
    lines = written(game, tallies, GRADES)
    report = post(game, RAW, GRADES, game["materials_floor"], lines)
    report["month"] = game["month"]
    report["firms"] = {}
    cash_after = {}
    held_after = {}
    for player in game["players"]:
        due = 0
        for grade, line in lines[player].items():
            market = report["prices"][grade]
            line["won"] = won_of_bid(game, line["units"], line["price"], market)
            due += line["won"] * line["price"]
        void = not can_pay(game["cash"][player], due)
        for line in lines[player].values():
            settle(line, void, "below market", "short of cash")
        paid = 0 if void else due
        cash_after[player] = game["cash"][player] - paid
        held_after[player] = {
            grade: game["held"][player][grade] + lines[player][grade]["filled"] for grade in GRADES
        }
        report["firms"][player] = {
            "lines": lines[player],
            "due": due,
            "paid": paid,
            "void": void,
            "cash": cash_after[player],
            "materials": held_after[player],
        }
    after = dict(game)
    after["step"] = "sell"
    after["prices"] = {**game["prices"], **report["prices"]}
    after["cash"] = cash_after
    after["held"] = held_after
    return after, report


def ways_to_make(good):
    """Every way to cover the places of one unit: (X, F, S used, X for F, F for S)."""
    ways = [(0, 0, 0, 0, 0)]
    for place in PLACES[good]:
        longer = []
        for x, f, s, x_for_f, f_for_s in ways:
            for grade in MAY_LIE_ON[place]:
                longer.append(  # noqa: PERF401  (plainer than a comprehension of three loops)
                    (
                        x + (grade == "X"),
                        f + (grade == "F"),
                        s + (grade == "S"),
                        x_for_f + (grade == "X" and place != "X"),
                        f_for_s + (grade == "F" and place != "F"),
                    )
                )
        ways = longer
    return set(ways)


def hand_in(held, goods):
    """Find the certificates to hand in, with the fewest substitutes; None if there is no way.

    All ways to make all units together are tried, one unit after the other (R12, R13).
    """
    piles = {(0, 0, 0, 0, 0)}
    for good in GOODS:
        ways = ways_to_make(good) if goods[good] else set()
        for _ in range(goods[good]):
            piles = {
                (x + i, f + j, s + k, x_for_f + m, f_for_s + n)
                for x, f, s, x_for_f, f_for_s in piles
                for i, j, k, m, n in ways
                if x + i <= held["X"] and f + j <= held["F"] and s + k <= held["S"]
            }
            if not piles:
                return None
    fewest = min(pile[3] + pile[4] for pile in piles)
    best = [pile for pile in piles if pile[3] + pile[4] == fewest]
    assert len(best) == 1, "R13 leaves nothing to choose"
    x, f, s, x_for_f, f_for_s = best[0]
    return {"certificates": {"X": x, "F": f, "S": s}, "x_for_f": x_for_f, "f_for_s": f_for_s}


def sell(game, tallies):
    """Return the game after the sales, and what happened."""
    assert game["step"] == "sell"
    for player, tally in tallies.items():
        if not offer_allowed(game, player, tally):
            raise RefusedError(player)
    lines = written(game, tallies, GOODS)
    report = post(game, FINISHED, GOODS, game["goods_floor"], lines)
    report["month"] = game["month"]
    report["firms"] = {}
    cash_after = {}
    held_after = {}
    for player in game["players"]:
        due = 0
        for good, line in lines[player].items():
            market = report["prices"][good]
            line["won"] = won_of_ask(game, line["units"], line["price"], market)
            due += line["won"] * line["price"]
        held = game["held"][player]
        delivery = hand_in(held, {good: lines[player][good]["won"] for good in GOODS})
        void = delivery is None
        if void:
            delivery = {"certificates": {"X": 0, "F": 0, "S": 0}, "x_for_f": 0, "f_for_s": 0}
        for line in lines[player].values():
            settle(line, void, "above market", "cannot deliver")
        received = 0 if void else due
        cash_after[player] = game["cash"][player] + received
        held_after[player] = {
            grade: held[grade] - delivery["certificates"][grade] for grade in GRADES
        }
        report["firms"][player] = {
            "lines": lines[player],
            "due": due,
            "received": received,
            "void": void,
            "delivery": delivery,
            "cash": cash_after[player],
            "materials": held_after[player],
        }
    after = dict(game)
    if game["month"] == game["months"]:
        after["step"] = "over"
    else:
        after["step"] = "buy"
        after["month"] = game["month"] + 1
    after["prices"] = {**game["prices"], **report["prices"]}
    after["cash"] = cash_after
    after["held"] = held_after
    return after, report


def liquidate(game):
    """R19."""
    assert game["step"] == "over"
    final = {"liquidation": {}, "cash": {}, "profit": {}, "winners": []}
    for player in game["players"]:
        worth = 0
        for grade in GRADES:
            worth += game["held"][player][grade] * game["prices"][grade]
        final["liquidation"][player] = worth
        final["cash"][player] = game["cash"][player] + worth
        final["profit"][player] = final["cash"][player] - MONEY[len(game["players"])]
    most = max(final["profit"].values())
    final["winners"] = [player for player in game["players"] if final["profit"][player] == most]
    return final
