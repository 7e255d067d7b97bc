"""Known counts: how many ways a few steps can go, and to how many different tables.

The numbers in `data/counts.txt` are for whoever writes the game anew; its header says how they
were made. Engine and oracle count here, each in its own way of holding a game.
"""

from pathlib import Path

import oracle
import pytest

from exdec import engine
from exdec.errors import BidError
from exdec.rules import STANDARD

COUNTS = Path(__file__).parent / "data" / "counts.txt"
PLAYERS = ["Ann", "Ben", "Cy"]

# The menus of the header: {item: (units, dollars above the last posted price)}.
ORDERS = [
    {},
    {"X": (4, -2), "F": (4, -2), "S": (4, -2)},
    {"X": (5, 0), "F": (5, 0), "S": (5, 0)},
]
OFFERS = [
    {},
    {"A": (1, 8), "B": (1, 8), "C": (1, 8)},
    {"B": (2, 4)},
    {"A": (3, 0)},
]

RULES = {
    "standard": {},
    "standard-refuse": {"undeliverable": "refuse"},
    "variation": {"partial_buys": True, "partial_sales": True},
    "variation-refuse": {
        "partial_buys": True,
        "partial_sales": True,
        "undeliverable": "refuse",
    },
}


def rows():
    for line in COUNTS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rules, *numbers = line.split()
            yield rules, *map(int, numbers)


def written(choice, prices):
    return {item: (units, max(1, prices[item] + more)) for item, (units, more) in choice.items()}


def count(start, next_states, money, steps):
    """After each step: paths, different states, and all cash and all prices of all paths."""
    arrivals = {start: 1}
    counts = []
    for _ in range(steps):
        reached = {}
        for state, paths in arrivals.items():
            for after in next_states(state):
                reached[after] = reached.get(after, 0) + paths
        arrivals = reached
        cash = sum(money(state)[0] * paths for state, paths in arrivals.items())
        prices = sum(money(state)[1] * paths for state, paths in arrivals.items())
        counts.append((sum(arrivals.values()), len(arrivals), cash, prices))
    return counts


def together(allowed):
    """Every way in which the players can choose, each from what the rules allow them."""
    joint = [{}]
    for player, tallies in allowed.items():
        joint = [{**others, player: tally} for others in joint for tally in tallies]
    return joint


def count_by_engine(rules, players, steps):
    def allows(check, state, player, tally):
        try:
            check(state, player, tally)
        except BidError:
            return False
        return True

    def next_states(state):
        if state.step == "buy":
            menu, check, step = ORDERS, engine.check_order, engine.buy
        else:
            menu, check, step = OFFERS, engine.check_offer, engine.sell
        prices = state.material_prices._asdict() | state.good_prices._asdict()
        tallies = [written(choice, prices) for choice in menu]
        allowed = {
            player: [tally for tally in tallies if allows(check, state, player, tally)]
            for player in state.players
        }
        return [step(state, choice)[0] for choice in together(allowed)]

    def money(state):
        cash = sum(firm.cash for firm in state.firms)
        return cash, sum(state.material_prices) + sum(state.good_prices)

    start = engine.new_game(PLAYERS[:players], STANDARD.vary(**RULES[rules]))
    return count(start, next_states, money, steps)


def count_by_oracle(rules, players, steps):
    games = {}

    def key(game):
        """Keep the game under all that can differ between two games under the same rules."""
        name = str([game[part] for part in ("month", "step", "prices", "cash", "held")])
        games[name] = game
        return name

    def next_states(name):
        game = games[name]
        buying = game["step"] == "buy"
        tallies = [written(choice, game["prices"]) for choice in (ORDERS if buying else OFFERS)]
        allowed = {
            player: [
                tally
                for tally in tallies
                if (
                    oracle.order_allowed(game, tally)
                    if buying
                    else oracle.offer_allowed(game, player, tally)
                )
            ]
            for player in game["players"]
        }
        step = oracle.buy if buying else oracle.sell
        return [key(step(game, choice)[0]) for choice in together(allowed)]

    def money(name):
        return sum(games[name]["cash"].values()), sum(games[name]["prices"].values())

    start = oracle.new_game(PLAYERS[:players], **RULES[rules])
    return count(key(start), next_states, money, steps)


GAMES = sorted({(rules, players) for rules, players, *_ in rows()})


def test_every_game_is_counted_for_three_steps_at_least():
    lines = {row[:3] for row in rows()}
    assert lines >= {(rules, n, step) for rules in RULES for n in (2, 3) for step in (1, 2, 3)}


@pytest.mark.parametrize(("rules", "players"), GAMES)
@pytest.mark.parametrize("count_by", [count_by_engine, count_by_oracle])
def test_known_counts(count_by, rules, players):
    known = [row[2:] for row in rows() if row[:2] == (rules, players)]
    counted = count_by(rules, players, len(known))
    assert [(n + 1, *numbers) for n, numbers in enumerate(counted)] == known
