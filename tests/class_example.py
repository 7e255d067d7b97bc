"""Plays the class that `notebooks/instructor/debrief.ipynb` shows, by the engine.

``python tests/class_example.py`` writes its records anew. The pupils bid by a rule of thumb and
some chance, with the slips that pupils make; nothing here depends on the version of a package.
"""

import random
from pathlib import Path

from exdec import Game
from exdec.bots import BOTS
from exdec.record import dumps

FOLDER = Path(__file__).parents[1] / "notebooks" / "instructor" / "class_example"

MONTHS = 6
TABLES = {
    "table_1": ["Amara", "Ben", "Chloé", "Dev"],
    "table_2": ["Elif", "Finn", "Grace", "Hugo"],
    "table_3": ["Inès", "Jonas & Kofi", "Lena", "Bot 1"],
    "table_4": ["Mila", "Noah", "Omar", "Priya"],
}
BOT = "margin seeker"
HASTY = {"Finn": 1.9, "Omar": 1.7, "Dev": 1.5}
"""Who orders more than others."""
FAVOURITE = {"Ben": "A", "Elif": "A", "Finn": "A", "Grace": "C", "Lena": "C", "Mila": "A"}
STOPS = {"table_4": 2 * MONTHS - 2}
"""The bell rang."""

RECIPES = {"A": (2, 1, 0), "B": (1, 1, 1), "C": (0, 1, 2)}


def whole(luck, low, high):
    """`random.Random.random` is the one method whose numbers never change."""
    return low + int(luck.random() * (high - low + 1))


def order(view, name, luck):
    """Materials for a few of one good, at about the price that would post for ten or so."""
    good = FAVOURITE.get(name, "ABC"[whole(luck, 0, 2)])
    sets = min(round(1.6 * HASTY.get(name, 1) + luck.random() * 1.4), view.order_limit // 3)
    bids, cash = {}, view.cash
    guess = view.materials_at(8 + whole(luck, 0, 6))
    for grade, n, held in zip("XFS", RECIPES[good], view.materials, strict=True):
        price = getattr(guess, grade) + whole(luck, -1, 5)
        # What is left over counts, as far as one looks.
        units = max(n * sets - (0 if name in HASTY else held), 0)
        # Most add up what they could have to pay.
        if name not in HASTY:
            units = min(units, cash // max(price, 1))
        if units > 0 and price > 0:
            bids[grade] = (units, price)
            cash -= units * price
    return bids


def offer(view, name, luck):
    """What can be made, the favourite first, at about last month's price."""
    first = FAVOURITE.get(name, "ABC"[whole(luck, 0, 2)])
    bids, held = {}, list(view.materials)
    for good in (first, *(other for other in "BAC" if other != first)):
        recipe = RECIPES[good]
        units = min(have // n for have, n in zip(held, recipe, strict=True) if n)
        if units:
            bids[good] = (units, max(getattr(view.good_prices, good) + whole(luck, -8, 5), 1))
            held = [have - units * n for have, n in zip(held, recipe, strict=True)]
    return bids


def play(table):
    luck = random.Random(f"exdec {table}")
    players = TABLES[table]
    game = Game(players, months=MONTHS)
    for step in range(STOPS.get(table, 2 * MONTHS)):
        bids = {}
        for player in players:
            view = game.observe(player)
            if player == "Bot 1":
                bot = BOTS[BOT]()
                bids[player] = bot.offer(view) if step % 2 else bot.order(view)
            else:
                bids[player] = (offer if step % 2 else order)(view, player, luck)
        for player, own in bids.items():
            game.hand_in(player, own)
    return game


def records():
    """Every file's name, and what it holds."""
    for table in TABLES:
        extra = {"class": "Economics 11b", "table": table.replace("_", " ").capitalize()}
        if "Bot 1" in TABLES[table]:
            extra["bots"] = {"Bot 1": BOT}
        yield f"{table}.jsonl", dumps(play(table), **extra)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in records():
        (FOLDER / name).write_text(text, "utf-8")
