import re
from html.parser import HTMLParser

from hypothesis import given
from strategies import whole_game

from exdec import STANDARD, VARIATION, Game
from exdec.notebook.tally import tally_html


class Cells(HTMLParser):
    """The rows of a page's tables, each a list of texts; ~struck through~."""

    def __init__(self, html):
        super().__init__()
        self.rows = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "s":
            self.handle_data("~")
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if tag == "s":
            self.handle_data("~")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def rows(game, player="Ann"):
    return Cells(tally_html(game.observe(player))).rows


def rulebook():
    """The rulebook's player (example 2), and two others who make up the totals."""
    game = Game(["Ann", "Ben", "Cy"], STANDARD.vary(months=1))
    game.order("Ann", X=(2, 40), F=(4, 35), S=(6, 23))
    game.order("Ben", X=(9, 61), S=(1, 51))
    game.order("Cy", F=(11, 62))  # $682, and there is only $600
    return game


def test_the_rulebooks_order_as_its_tally_shows_it():
    sheet = rows(rulebook())
    assert sheet[2][0] == "Start"
    assert sheet[2][2] == "$600"
    assert sheet[3] == [
        "Jan", "●X-FINE", "~2~", "~40~", "41", "below market", "not yet", "", "",
    ]  # fmt: skip
    assert sheet[4][:5] == ["■FINE", "4", "35", "35", "$140"]
    assert sheet[5][:5] == ["◆STANDARD", "6", "23", "17", "$138"]
    assert sheet[6] == ["paid $278", "", "$322", "0 · 4 · 6"]


def test_the_end_of_the_game_adds_up():
    game = rulebook()
    game.offer("Ann", C=(3, 93))  # posts at 90 + 11 − 6 = $95
    game.offer("Ben")
    game.offer("Cy")
    sheet = rows(game)
    assert sheet[3][6:] == ["★C", "3", "93", "95", "$279", "", ""]
    assert sheet[6] == ["paid $278", "received $279", "$601", "0 · 1 · 0"]
    assert sheet[7][:4] == ["In all", "paid $278", "received $279", "$601"]
    assert sheet[8][:3] == ["Broker", "$35 for the last certificates", "$636"]
    assert sheet[9][:3] == ["Profit", "$636 less $600 at the start", "+$36"]


def test_why_a_bid_failed_stands_where_its_amount_would_be():
    game = Game(["Ann", "Ben"], VARIATION)
    game.order("Ann", X=(6, 35), F=(1, 500), S=(1, 600))
    game.order("Ben")
    game.offer("Ann", A=(1, 100), C=(2, 117))
    game.offer("Ben")
    game.order("Ann", S=(6, 14))  # $4 below $18: four of six are lost
    game.order("Ben", S=(11, 1))
    words = [cell for row in rows(game) for cell in row]
    assert words.count("short of cash") == 3
    assert "cannot deliver" in words
    assert "above market" in words
    at = words.index("~6~ 2")
    assert words[at : at + 4] == ["~6~ 2", "14", "18", "2 of 6 $28"]


def test_who_hands_in_nothing_has_no_bids():
    game = Game(["Ann", "Ben"])
    game.open_bids()
    game.open_bids()
    assert rows(game)[3] == ["Jan", "no bids", "no bids", "", ""]


def test_the_others_public_facts_and_nothing_more():
    game = rulebook()
    assert rows(game)[-1] == ["Jan", "9 · 0 · 1", "", "9 · 0 · 1", "0 · 11 · 0", "", "0 · 0 · 0"]
    for secret in ("61", "62", "51"):
        assert secret not in tally_html(game.observe("Ann"))


def test_cash_stands_there_if_the_rules_open_it():
    game = Game(["Ann", "Ben"], STANDARD.vary(reveal=["cash"]))
    game.order("Ann")
    game.order("Ben", S=(5, 20))
    assert rows(game)[-1][-1] == "$800"
    assert "$800" not in tally_html(rulebook().observe("Ann"))


def test_before_the_first_step_the_sheet_is_empty():
    assert len(rows(Game(["Ann", "Ben"]))) == 3


def test_names_are_text():
    game = Game(["<b>Ann", "<i>Ben"])
    game.open_bids()
    html = tally_html(game.observe("<b>Ann"))
    assert "<b>Ann" not in html
    assert "<i>Ben" not in html


@given(whole_game())
def test_the_last_cash_is_the_games_and_every_failed_bid_is_struck(played):
    game = Game(played.start.players, played.start.rules)
    for step in played.steps:
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
    for at, player in enumerate(game.players):
        view = game.observe(player)
        html = tally_html(view)
        lines = [line for result in view.results for line in result.lines if line.units]
        lost = sum(line.lost > 0 for line in lines)
        none = sum(line.filled == 0 for line in lines)
        assert len(re.findall("<s>", html)) == lost + none
        assert f"less ${game.rules.starting_cash.at(len(game.players)):,} at the start" in html
        assert f"<td>${game.final.cash[at]:,}<td>" in html
