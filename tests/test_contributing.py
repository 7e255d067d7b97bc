"""The strategies that CONTRIBUTING.md shows are run as they stand there."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

import exdec.bots
from exdec.bots import Cautious
from exdec.bots.check import check_bot
from exdec.play import play
from exdec.rules import STANDARD

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the wheel has no such page")


def blocks():
    """Python in the page, whether it is indented under a step or not."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^( *)```python\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [dedent(code) for _, code in found]


def run(word):
    (code,) = (block for block in blocks() if word in block)
    names = {"__name__": "shown"}
    exec(compile(code, str(PAGE), "exec"), names)
    return names


def test_a_first_strategy_has_nothing_to_mend():
    assert check_bot(run("class SetsOfThree")["SetsOfThree"]).ok


def test_a_strategy_of_the_package_does_what_its_test_says(monkeypatch):
    shown = run("class Steady")
    monkeypatch.setattr(exdec.bots, "Steady", shown["Steady"], raising=False)
    run("Steady().order(view)")[
        "test_it_orders_two_of_each_grade_at_3_dollars_over_the_last_prices"
    ]()
    assert not play(STANDARD, {"Ann": shown["Steady"](), "Ben": Cautious()}, 1).faults
