import sys

import numpy as np
import pytest

from exdec import Game
from exdec.guard import Apart, ask
from exdec.own import load

MINE = """
from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass
from functools import lru_cache


@dataclass
class Lot:
    units: int
    price: int


@lru_cache(maxsize=None)
def rabbits(months):
    return months if months < 2 else rabbits(months - 1) + rabbits(months - 2)


assert sys.modules[__name__].Lot is Lot
assert pickle.loads(pickle.dumps(Lot(2, 40))) == Lot(2, 40)


class Mine:
    def order(self, view):
        lot = Lot(rabbits(6), view.material_prices.X)
        return {"X": (lot.units, lot.price)}

    def offer(self, view):
        return {}
"""

HOLDS_A_LOCK = """
from threading import Lock

lock = Lock()


class Mine:
    def order(self, view):
        with lock:
            return {"X": (8, view.material_prices.X)}

    def offer(self, view):
        return {}
"""


def first_order(kind):
    with Apart(kind, limit=20) as bot:
        return ask(bot, Game(["Ann", "Ben"]).observe("Ann", np.random.default_rng(1)))


@pytest.mark.parametrize("stem", ["random", "json", "exdec", "__main__", "my.bot"])
def test_a_file_may_be_called_as_a_module_is(tmp_path, stem):
    path = tmp_path / f"{stem}.py"
    path.write_text(MINE, encoding="utf-8")
    before = sys.modules.get(stem)
    kind = load(f"{path}:Mine")
    assert sys.modules.get(stem) is before
    assert first_order(kind) == ({"X": (8, 40)}, None)


def test_files_of_one_name_in_two_folders_stay_apart(tmp_path):
    kinds = []
    for folder, more in (("ann", ""), ("ben", "+ 1")):
        path = tmp_path / folder / "bot.py"
        path.parent.mkdir()
        path.write_text(HOLDS_A_LOCK.replace(".X)", f".X {more})"), encoding="utf-8")
        kinds.append(load(f"{path}:Mine"))
    answers = [first_order(kind) for kind in kinds]
    assert answers == [({"X": (8, 40)}, None), ({"X": (8, 41)}, None)]


def test_what_cannot_be_sent_is_read_from_the_file_again_by_the_other_process(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(HOLDS_A_LOCK, encoding="utf-8")
    assert first_order(load(f"{path}:Mine")) == ({"X": (8, 40)}, None)
