import shutil
from pathlib import Path

import pytest

from exdec import Game
from exdec.lessons.exercises import Workbook, read_exercises
from exdec.lessons.own_game import GAMES

DATA = Path(__file__).parent / "data"


@pytest.fixture
def example() -> Workbook:
    return read_exercises(DATA / "91_example" / "exercises.toml")


@pytest.fixture
def played(tmp_path):
    """A game of the learner's own, of one month, in which FINE alone is bought."""
    game = Game(["You", "Ben"], months=2)
    game.order("You", F=(10, 31), X=(2, 30))
    game.order("Ben", X=(9, 45))
    game.open_bids()
    path = tmp_path / GAMES / "lesson_91.jsonl"
    path.parent.mkdir()
    game.save(path, bots={"Ben": "cautious"})
    return game


@pytest.fixture
def sources(tmp_path):
    """A copy of the example's sources, to be changed."""
    folder = tmp_path / "lessons" / "91_example"
    shutil.copytree(DATA / "91_example", folder)
    return folder


@pytest.fixture
def here(tmp_path):
    """A notebook's folder, with the example's sources in it."""
    folder = tmp_path / "notebook"
    shutil.copytree(DATA, folder / "sources")
    return folder
