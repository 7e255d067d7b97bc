"""The engine against a second reading of the rules (`oracle.py`), in 10,000 random games."""

import random
from collections import Counter

import oracle
import pytest

from exdec import engine
from exdec.errors import BidError
from exdec.items import GOODS, MATERIALS
from exdec.rules import STANDARD

GAMES = 10_000
NAMES = ["Ann", "Ben", "Cy", "Dot", "Eve", "Fay"]


# -- games to play --------------------------------------------------------------------------------


def random_options(rng):
    """Draw rules of which the oracle knows all; most games are short."""
    return {
        "months": rng.choice([1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 9, 12]),
        "partial_buys": rng.random() < 0.5,
        "partial_sales": rng.random() < 0.5,
        "undeliverable": rng.choice(["penalty", "penalty", "refuse"]),
        "past_table": rng.choice(["extend", "clamp"]),
        "materials_floor": rng.choice([1, 1, 0, 7, 20]),
        "goods_floor": rng.choice([1, 1, 0, 75, 90]),
    }


def illegal_lines(rng, items):
    """Draw a tally that R8 refuses, whatever the game."""
    item = rng.choice(items)
    units, price = rng.randint(1, 3), rng.randint(5, 150)
    wrong = rng.choice(
        [
            {item: (-1, price)},
            {item: (units, 0)},
            {item: (units, -price)},
            {item: (True, price)},
            {item: (units, True)},
            {item: (float(units), price)},
            {item: (units, price + 0.5)},
            {item: (float("nan"), price)},
            {item: (units, float("inf"))},
            {item: (str(units), price)},
            {item: (units, None)},
            {item: (10**30, price)},
            {item: (units, 10**30)},
            {item: (units,)},
            {item: (units, price, 1)},
            {item: units},
            {item: "25"},
            {item: None},
            {"Q": (units, price)},
            {"AXBFCS"["XAFBSC".index(item)]: (units, price)},
            {0: (units, price)},
            [item, units, price],
        ]
    )
    if type(wrong) is dict and rng.random() < 0.5:
        # A bad line does not become good in good company.
        return {other: (1, price) for other in items if other not in wrong} | wrong
    return wrong


def random_order(rng, game, player, rush):
    players, cash = len(game["players"]), game["cash"][player]
    limit = oracle.ORDER_LIMIT[players]
    last = game["prices"]
    kind = rng.random()
    if kind < 0.05:
        return illegal_lines(rng, oracle.GRADES)
    if kind < 0.08:  # one unit too many (R7)
        first = rng.randint(0, min(limit, 12))
        second = rng.randint(0, limit + 1 - first)
        parts = [first, second, limit + 1 - first - second]
        rng.shuffle(parts)
        return {grade: (n, last[grade] + 1) for grade, n in zip("XFS", parts, strict=True)}
    if kind < 0.10:  # up to the limit of one grade with two players, and past it
        return {rng.choice("XFS"): (min(rng.choice([12, 13]), limit), rng.randint(1, 60))}
    if kind < 0.16:
        return {}
    if rush:  # all want the same, so that totals run past the table (R5)
        return {rush: (min(limit, 12) - rng.choice([0, 0, 1]), last[rush] + rng.randint(-5, 30))}
    if kind < 0.19 and cash:  # exactly enough cash, or a dollar short (R11)
        return {rng.choice("XFS"): (1, cash + rng.randint(0, 1))}
    if kind < 0.29:  # the whole limit, at any cost
        parts = Counter(rng.choices("XFS", k=limit))
        return {grade: (n, last[grade] + rng.randint(-4, 25)) for grade, n in parts.items()}
    order = {}
    units = rng.randint(0, limit)
    for grade in rng.sample("XFS", 3):
        n = rng.randint(0, units)
        price = max(1, last[grade] + rng.randint(-11, 5))
        if n * price <= cash or rng.random() < 0.1:
            units -= n
            cash -= n * price
            order[grade] = rng.choice([(n, price), [n, price]])
    return order


def random_offer(rng, game, player, rush):
    last = game["prices"]
    kind = rng.random()
    if kind < 0.05:
        return illegal_lines(rng, oracle.GOODS)
    if kind < 0.12:
        return {}
    if rush:
        return {rush: (rng.randint(2, 6), max(1, last[rush] + rng.randint(-30, 0)))}
    if kind < 0.18:  # more than most can make (R14)
        return {
            good: (rng.randint(0, 7), max(1, last[good] + rng.randint(-25, 15))) for good in "ABC"
        }
    made = Counter(rng.choices("ABC", k=rng.randint(0, sum(game["held"][player].values()) // 3)))
    while rng.random() < 0.9 and oracle.hand_in(game["held"][player], made) is None:
        made[rng.choice([good for good in made if made[good]])] -= 1
    return {good: (n, max(1, last[good] + rng.randint(-8, 13))) for good, n in sorted(made.items())}


# -- the engine's answers in the oracle's form ----------------------------------------------------


def plain(report, items):
    """Return everything that a report says, as the dict that the oracle makes."""
    firms = {}
    for player, firm in zip(report.players, report.firms, strict=True):
        firms[player] = firm._asdict()
        firms[player]["materials"] = firm.materials._asdict()
        firms[player]["lines"] = {
            item: line._asdict() for item, line in zip(items, firm.lines, strict=True)
        }
        if "delivery" in firms[player]:
            firms[player]["delivery"] = firm.delivery._asdict()
            firms[player]["delivery"]["certificates"] = firm.delivery.certificates._asdict()
    return {
        "month": report.month,
        "units": report.units._asdict(),
        "before": report.before._asdict(),
        "movement": report.movement._asdict(),
        "prices": report.prices._asdict(),
        "firms": firms,
    }


def plain_state(state):
    """Return what stands on the table, as far as the oracle's game keeps it."""
    return {
        "month": state.month,
        "step": state.step,
        "prices": state.material_prices._asdict() | state.good_prices._asdict(),
        "cash": {name: firm.cash for name, firm in zip(state.players, state.firms, strict=True)},
        "held": {
            name: firm.materials._asdict()
            for name, firm in zip(state.players, state.firms, strict=True)
        },
    }


def plain_final(final):
    by_player = {
        name: dict(zip(final.players, getattr(final, name), strict=True))
        for name in ("liquidation", "cash", "profit")
    }
    return by_player | {"winners": list(final.winners)}


def count_step(seen, game, report):
    """Note which rules this step has put to the test."""
    kind = game["step"]
    seen[f"{kind} steps"] += 1
    for item, price in report["prices"].items():
        seen[f"{kind} floor"] += price != report["before"][item] + report["movement"][item]
        past = report["units"][item] > (24 if kind == "buy" else 16)
        seen[f"{kind} past the table, {game['past_table']}"] += past
    for player, firm in report["firms"].items():
        seen[f"{kind} void"] += firm["void"]
        for line in firm["lines"].values():
            seen[f"{kind} {line['outcome']}"] += 1
        if kind == "buy":
            seen["exactly enough cash"] += firm["due"] == game["cash"][player] > 0
            seen["a dollar short"] += firm["due"] == game["cash"][player] + 1
        else:
            seen["X for F"] += firm["delivery"]["x_for_f"] > 0
            seen["F for S"] += firm["delivery"]["f_for_s"] > 0


# -- both play ------------------------------------------------------------------------------------


def first_difference(seed, seen):
    """Play one game with both; return where they part, or None."""
    rng = random.Random(seed)
    players = NAMES[: rng.randint(2, 6)]
    options = random_options(rng)
    game = oracle.new_game(players, **options)
    state = engine.new_game(players, STANDARD.vary(**options))
    while game["step"] != "over":
        buying = game["step"] == "buy"
        where = f"seed {seed}, {options}, month {game['month']}, {game['step']}"
        draw = random_order if buying else random_offer
        rush = rng.choice("XFS" if buying else "ABC") if rng.random() < 0.12 else None
        oracle_step, engine_step = (
            (oracle.buy, engine.buy) if buying else (oracle.sell, engine.sell)
        )
        tallies, refused = {}, {}
        for player in players:
            tally = draw(rng, game, player, rush)
            if not tally and rng.random() < 0.5:
                continue  # a player who is left out passes, too
            allowed = (
                oracle.order_allowed(game, tally)
                if buying
                else oracle.offer_allowed(game, player, tally)
            )
            (tallies if allowed else refused)[player] = tally
        # One by one, so that one refusal cannot hide another. A refused player passes.
        for player, tally in refused.items():
            formed = oracle.well_formed(tally, oracle.GRADES if buying else oracle.GOODS)
            seen[f"{game['step']} {'not allowed' if formed else 'malformed'}"] += 1
            try:
                engine_step(state, tallies | {player: tally})
            except BidError:
                pass
            else:
                return f"{where}: only the oracle refuses {player}'s {tally}"
        try:
            state, answer = engine_step(state, tallies)
        except BidError as error:
            return f"{where}: only the engine refuses: {error}"
        before = game
        game, report = oracle_step(game, tallies)
        answer = plain(answer, MATERIALS if buying else GOODS)
        if answer != report:
            return f"{where}: {tallies}\nengine {answer}\noracle {report}"
        stands = plain_state(state)
        if stands != {key: game[key] for key in stands}:
            return f"{where}: after it the engine has {stands}, the oracle {game}"
        count_step(seen, before, report)
    final = oracle.liquidate(game)
    if plain_final(engine.liquidate(state)) != final:
        return f"seed {seed}: engine ends {engine.liquidate(state)}, oracle {final}"
    seen["games"] += 1
    seen[f"{len(players)} players"] += 1
    seen["shared wins"] += len(final["winners"]) > 1
    seen["certificates left at the end"] += any(final["liquidation"].values())
    return None


AT_LEAST = {
    "2 players": 1_800,
    "3 players": 1_800,
    "4 players": 1_700,
    "5 players": 1_800,
    "6 players": 1_800,
    "buy steps": 30_000,
    "sell steps": 30_000,
    "buy malformed": 6_000,
    "buy not allowed": 4_000,
    "sell malformed": 6_000,
    "sell not allowed": 6_000,
    "buy filled": 80_000,
    "buy below market": 40_000,
    "buy partly filled": 6_000,
    "buy short of cash": 10_000,
    "buy void": 7_000,
    "exactly enough cash": 1_500,
    "a dollar short": 1_500,
    "buy floor": 25_000,
    "buy past the table, clamp": 900,
    "buy past the table, extend": 900,
    "sell filled": 22_000,
    "sell above market": 15_000,
    "sell partly filled": 500,
    "sell cannot deliver": 12_000,
    "sell void": 8_000,
    "X for F": 5_000,
    "F for S": 4_500,
    "sell floor": 150,
    "sell past the table, clamp": 350,
    "sell past the table, extend": 350,
    "certificates left at the end": 7_000,
    "shared wins": 1_000,
}
"""How often each rule must have been put to the test; about two thirds of how often it was."""


def test_engine_plays_as_the_oracle_does():
    seen = Counter()
    differences = (first_difference(seed, seen) for seed in range(GAMES))
    assert next(filter(None, differences), None) is None
    assert seen["games"] == GAMES
    assert {what: seen[what] for what, least in AT_LEAST.items() if seen[what] < least} == {}


# -- the comparison can fail: change one rule of the oracle, and it is noticed --------------------


MUTANTS = {
    "R1 slope": ("RAW", [-10 + 2 * n for n in range(25)]),
    "R1 one column": ("RAW", [*oracle.RAW[:17], 8, *oracle.RAW[18:]]),
    "R2 slope": ("FINISHED", [11 - n for n in range(17)]),
    "R2 one column": ("FINISHED", [*oracle.FINISHED[:12], -12, *oracle.FINISHED[13:]]),
    "R4 row C": ("PLACES", oracle.PLACES | {"C": "FFS"}),
    "R5 last column": ("RAW", [*oracle.RAW, 14]),
    "R7 five players' units": ("ORDER_LIMIT", oracle.ORDER_LIMIT | {5: 8}),
    "R7 five players' money": ("MONEY", oracle.MONEY | {5: 360}),
    "R7 one grade": ("GRADE_LIMIT", {}),
    "R8 True is 1": ("is_whole", lambda value: isinstance(value, int) and value < 10**12),
    "R8 nothing is refused at 10**12": ("ABSURD", 10**40),
    "R10 bid above the market": (
        "won_of_bid",
        lambda game, units, bid, market: units if bid > market else 0,
    ),
    "R11 exactly enough": ("can_pay", lambda cash, due: due < cash),
    "R12 no X for F": ("MAY_LIE_ON", oracle.MAY_LIE_ON | {"F": "F"}),
    "R12 X for S": ("MAY_LIE_ON", oracle.MAY_LIE_ON | {"S": "SX"}),
    "R14 nothing is refused": (
        "offer_allowed",
        lambda game, player, tally: oracle.well_formed(tally, oracle.GOODS),
    ),
    "R17 a unit a dollar": ("SALES_LOST", {dollars: dollars for dollars in range(1, 13)}),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_comparison_notices_one_changed_rule(mutant, monkeypatch):
    monkeypatch.setattr(oracle, *MUTANTS[mutant])
    differences = (first_difference(seed, Counter()) for seed in range(GAMES))
    assert next(filter(None, differences), None) is not None
