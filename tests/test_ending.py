import re

import pytest

from exdec import STANDARD, Game
from exdec.errors import TurnError
from exdec.notebook.ending import ending_html


def over(rules=STANDARD, players=("Ann", "Ben", "Cy")) -> Game:
    """Ann earns, Ben misses by a dollar, Cy does nothing."""
    game = Game(players, rules.vary(months=1))
    ann, ben, cy = players
    game.order(ann, X=(4, 40), F=(2, 30))
    game.order(ben, X=(2, 41), F=(1, 31))
    game.order(cy)
    game.offer(ann, A=(2, 139))
    game.offer(ben, A=(1, 146))  # posts at 140 + 11 − 6 = $145
    game.offer(cy)
    return game


def text(html):
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html))


def test_standings_and_the_parts_of_each_profit():
    said = text(ending_html(over(), "Ben", {"Ann": "cautious"}))
    assert "Ann cautious 1 · wins $658 +$58 +$58 $0 $0" in said
    # X-FINE posts at $36 and FINE at $23: two and one of them bring $95 and cost $113.
    assert "Ben you 3 $582 −$18 $0 $0 −$18" in said
    assert "Cy 2 $600 $0 $0 $0 $0" in said


def test_your_own_near_miss_is_told_to_you():
    said = text(ending_html(over(), "Ben", {}))
    assert "January: you ask $146 for 1 A, $1 above the market" in said


@pytest.mark.parametrize("player", ["Ann", "Cy", None])
def test_nobody_else_reads_of_it(player):
    html = ending_html(over(), player, {"Cy": "cautious"})
    for secret in ("146", "139", "asks", "41"):
        assert secret not in html


def test_all_bids_may_be_told_when_the_rules_open_them_or_nobody_plays():
    everybody = dict.fromkeys(("Ann", "Ben", "Cy"), "cautious")
    for html in (
        ending_html(over(STANDARD.vary(reveal=["bids"])), "Ann", {}),
        ending_html(over(), None, everybody),
    ):
        assert "Ben asks $146" in html


def test_a_screen_for_all_speaks_to_nobody():
    said = text(ending_html(over(players=("Ann", "Ben", "Cy")), None, {}))
    assert "Ann wins with a profit of $58." in said
    assert not re.search(r"\byou", said, re.IGNORECASE)


def test_equal_profits_share_the_first_place():
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.open_bids()
    game.open_bids()
    said = text(ending_html(game, "Ann", {}))
    assert said.count("1 · shares the win") == 2
    assert "What decided it" not in said  # nothing moved


def test_there_is_no_ending_before_the_end():
    with pytest.raises(TurnError, match="not over"):
        ending_html(Game(["Ann", "Ben"]), "Ann", {})


def test_names_are_text():
    html = ending_html(over(players=("<b>Ann", "<b>Ben", "<b>Cy")), None, {})
    assert "<b>" not in html
