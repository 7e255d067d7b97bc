import json
import re
import subprocess
import sys
from functools import partial
from html import escape

import pytest
from ipywidgets import Widget

from exdec import STANDARD, VARIATION, Game, Material
from exdec.charts import price_figure
from exdec.errors import BidError, RecordError, RulesError, TurnError
from exdec.items import Good
from exdec.model import Step
from exdec.notebook import resume, solo
from exdec.notebook.advice import advise, line_hint, posts_at
from exdec.notebook.board import board_html
from exdec.notebook.calculator import calculator_html, calculator_sentences
from exdec.notebook.form import BidForm, Field
from exdec.notebook.live import PLOTLY, lean
from exdec.notebook.production import production_html
from exdec.notebook.report import NOT_YET
from exdec.notebook.stage import onlooker
from exdec.notebook.view import TableView
from exdec.record import read
from exdec.table import Table


@pytest.fixture
def mine() -> TableView:
    return solo(["cautious", "full capacity"], months=3)


def type_in(form: BidForm, *lines: tuple[object, object]) -> None:
    typed = [number for line in lines for number in line]
    for field, number in zip(form.fields, typed, strict=False):
        field.value = str(number)


def click(mine: TableView) -> None:
    """Click the button, and let the page echo as JupyterLab does."""
    mine.form.button.click()
    echo(mine)
    echo(mine)  # once more, for the form of the next step


def echo(mine: TableView) -> None:
    mine.form._echo.value = mine.form._ask.value


def shown(mine: TableView) -> dict[str, str]:
    return {part: str(bundle) for part, bundle in mine.parts()}


# -- handing in ----------------------------------------------------------------------------------


def test_what_is_typed_is_what_is_handed_in(mine):
    type_in(mine.form, (2, 45), (4, 38), (6, 23))
    click(mine)
    assert mine.game.steps[0].bids["You"] == {"X": (2, 45), "F": (4, 38), "S": (6, 23)}
    assert mine.game.step is Step.SELL


def test_a_game_of_three_months_can_be_played_to_its_end(mine):
    for _ in range(3):
        type_in(mine.form, (1, 60), (1, 60), (1, 60))
        click(mine)
        type_in(mine.form, (0, 140), (1, 60))
        click(mine)
    assert mine.game.step is Step.OVER
    profit = mine.game.profit["You"]
    assert f"{'−' if profit < 0 else ''}${abs(profit):,}" in shown(mine)["facts"]
    assert mine.form.fields == []


def test_what_the_page_held_back_arrives_before_the_bids_are_taken(mine):
    type_in(mine.form, (2, 4))
    mine.form.button.click()
    mine.form.fields[1].value = "45"  # the second keystroke of a price, after the click
    mine.form._echo.value = mine.form._ask.value
    assert mine.game.steps[0].bids["You"] == {"X": (2, 45)}


def test_a_double_click_does_nothing_twice(mine):
    type_in(mine.form, (2, 45))
    mine.form.button.click()
    mine.form.button.click()  # before the page could show anything
    mine.form._echo.value = "1"
    mine.form._echo.value = "2"
    click(mine)  # after the next step was shown
    assert [step.before.step for step in mine.game.steps] == [Step.BUY]
    assert mine.form.message.value == ""
    click(mine)
    assert "To pass, press Hand in once more." in mine.form.message.value


def test_clicks_on_the_form_of_the_step_before_are_none_on_the_next(mine):
    type_in(mine.form, (2, 45))
    mine.form.button.click()
    echo(mine)  # handed in; the page has yet to show what comes next
    for _ in range(3):
        mine.form.button.click()
    echo(mine)
    assert len(mine.game.steps) == 1
    assert mine.form.message.value == ""


def test_a_click_too_many_says_nothing_once_the_game_is_over(mine):
    for _ in range(6):
        mine.table.hand_in("You", {})
    mine.sit(mine.table)
    click(mine)
    click(mine)
    assert mine.form.message.value == ""


def test_a_pass_is_handed_in_by_saying_so_twice(mine):
    click(mine)
    assert mine.game.steps == ()
    type_in(mine.form, (0, 41))
    click(mine)
    assert mine.game.steps == ()
    click(mine)
    assert mine.game.steps[0].bids["You"] == {}


def test_what_cannot_be_read_is_said_in_one_place(mine):
    said = "X-FINE, units: &#x27;-3&#x27; is below 0."
    type_in(mine.form, (-3, 45))
    assert said in mine.form._live.value
    click(mine)
    assert said in mine.form.message.value
    assert said not in mine.form._live.value


def test_a_mistake_is_said_and_keeps_what_was_typed(mine):
    type_in(mine.form, (10, 45), (4, 38))
    click(mine)
    assert not mine.game.steps
    assert "Your order for January: 3 players may order 12 units" in mine.form.message.value
    assert "Take 2 off." in mine.form.message.value
    assert mine.form.bids[Material.X] == (10, 45)
    type_in(mine.form, (8, 45))
    assert mine.form.message.value == ""
    click(mine)
    assert len(mine.game.steps) == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2.5", "X-FINE, units: '2.5' is not a whole number."),
        ("ten", "X-FINE, units: 'ten' is not a number in digits."),
        ("-3", "X-FINE, units: '-3' is below 0."),
        ("1" * 12, "X-FINE, units: '111111111111' is too large."),
    ],
)
def test_what_is_no_whole_number_stays_and_is_explained(mine, typed, said):
    type_in(mine.form, (typed, 45))
    assert escape(said) in mine.form._live.value
    assert mine.form._live.value.count("<li") == 1  # and nothing is counted
    with pytest.raises(BidError, match=re.escape(said)):
        mine.form.hand_in()
    click(mine)
    assert escape(said) in mine.form.message.value
    assert mine.form.fields[0].value == typed
    assert mine.game.steps == ()


def test_numbers_may_be_typed_as_people_write_them(mine):
    type_in(mine.form, (" 2 ", "$45"), ("", "1,000"), ("1.", "23 $"))
    click(mine)
    assert mine.game.steps[0].bids["You"] == {"X": (2, 45), "S": (1, 23)}


def test_enter_goes_from_line_to_line_and_hands_in_after_the_last(mine, monkeypatch):
    focused = []
    monkeypatch.setattr(Field, "focus", lambda field: focused.append(field.description))
    type_in(mine.form, (2, 45))
    for field in mine.form.fields:
        field._handle_custom_msg({"event": "submit"}, [])
    assert focused == ["FINE, units", "FINE, units", "STANDARD, units", "STANDARD, units"]
    mine.form._echo.value = mine.form._ask.value
    assert mine.game.steps[0].bids["You"] == {"X": (2, 45)}
    assert focused[-1] == "A, units"


def test_enter_alone_hands_in_no_empty_sheet_however_often(mine):
    for _ in range(3):
        mine.form.fields[-1]._handle_custom_msg({"event": "submit"}, [])
        mine.form._echo.value = mine.form._ask.value
    assert mine.game.steps == ()
    assert "To pass, press Hand in once more." in mine.form.message.value
    click(mine)
    assert len(mine.game.steps) == 1


def test_an_error_that_nobody_foresaw_is_shown_and_not_lost():
    def broken(bids):
        raise RuntimeError("<no disk>")

    form = BidForm(broken, undo=lambda: None)
    form.ask(Game(["Ann", "Ben"]).observe("Ann"))
    type_in(form, (1, 40))
    form.button.click()
    form._echo.value = form._ask.value
    assert "RuntimeError: &lt;no disk&gt;" in form.message.value


def test_undo_goes_one_step_back_and_brings_back_what_was_typed(mine):
    type_in(mine.form, (2, 45), (4, 38))
    before = shown(mine)
    mine.form.hand_in()
    mine.form.undo.click()
    assert mine.game.steps == ()
    assert mine.form.bids == {Material.X: (2, 45), Material.F: (4, 38), Material.S: (0, 20)}
    assert shown(mine) == before
    with pytest.raises(TurnError, match="nothing to undo"):
        mine.undo()


def test_a_price_that_was_bid_stays_and_others_follow_the_market(mine):
    type_in(mine.form, (2, 45), (1, 33), ("", 99))
    mine.form.hand_in()
    mine.form.hand_in()
    posted = str(mine.game.state.material_prices.S)
    assert posted != "20"
    assert [field.value for field in mine.form.fields] == ["", "45", "", "33", "", posted]


def test_a_price_that_is_missing_is_asked_for(mine):
    type_in(mine.form, (2, ""))
    with pytest.raises(BidError, match="X-FINE: 2 without a price"):
        mine.form.hand_in()


def test_nothing_is_sent_to_the_page_that_it_has_already(mine, monkeypatch):
    sent = []
    monkeypatch.setattr(Widget, "send_state", lambda widget, key=None: sent.append(widget))
    type_in(mine.form, ("", ""), (2, 45))
    del sent[:]
    mine.form.hand_in()
    assert mine.form._live in sent
    assert mine.form._fields[Material.F][1] not in sent


# -- after the end -------------------------------------------------------------------------------


def play_to_the_end(mine: TableView) -> None:
    while mine.game.step is not Step.OVER:
        type_in(mine.form, (1, 60)) if mine.game.step is Step.BUY else None
        mine.form.hand_in()


def test_a_game_is_played_again_in_place_and_kept_beside_the_first(kept, tmp_path):
    mine = kept()
    assert mine.again is None
    play_to_the_end(mine)
    first = mine.game
    mine.again.again.click()
    assert (mine.game.month, mine.game.steps, mine.table.seed) == (1, (), 2)
    assert "step 1 of 4" in shown(mine)["facts"]
    assert [field.value for field in mine.form.fields] == ["", "40", "", "30", "", "20"]
    mine.form.hand_in()
    assert len(read(tmp_path / "games" / "mine-2.jsonl").steps) == 1
    assert len(read(tmp_path / "games" / "mine.jsonl").steps) == 6
    assert mine.game is not first


def test_a_restart_with_the_same_seed_meets_the_same_rivals(mine):
    play_to_the_end(mine)
    rivals = mine.game.steps[0].report.firms[1:]
    mine.again.restart.click()
    type_in(mine.form, (1, 60))
    mine.form.hand_in()
    assert mine.game.steps[0].report.firms[1:] == rivals


def test_what_if_goes_back_to_a_step_in_a_game_of_its_own(kept, tmp_path):
    mine = kept()
    play_to_the_end(mine)
    mine.again.step.label = "February, offer"
    mine.again.what_if.click()
    assert (mine.game.month, mine.game.step) == (2, Step.SELL)
    mine.form.hand_in()
    assert len(read(tmp_path / "games" / "mine-2.jsonl").steps) == 4
    assert len(read(tmp_path / "games" / "mine.jsonl").steps) == 6
    assert kept().game.step is Step.OVER


def test_a_copy_can_be_saved_once_under_a_name(kept, tmp_path):
    mine = kept()
    play_to_the_end(mine)
    mine.again.name.value = str(tmp_path / "copies" / "mine.jsonl")
    mine.again.save.click()
    assert "Saved as" in mine.again.message.value
    assert Table.resume(tmp_path / "copies" / "mine.jsonl").game.state == mine.game.state
    mine.again.save.click()
    assert "is there already. Choose another name." in mine.again.message.value


def test_a_game_that_is_not_for_practice_has_no_undo():
    view = TableView(Table(Game(["Ann", "Ben"]), {"Ben": "cautious"}, practice=False), "Ann")
    view.form.hand_in()
    assert view.form.undo.layout.display == "none"


# -- what the form says --------------------------------------------------------------------------


def said(view, **bids) -> list[tuple[str, bool]]:
    items = Good if view.step is Step.SELL else Material
    return [advice[:2] for advice in advise(view, {items(k): v for k, v in bids.items()})]


def test_the_order_limit_and_the_cash_are_counted_down_as_one_types():
    view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    assert said(view, X=(2, 40), F=(4, 35), S=(6, 23)) == [
        ("12 of 12 units.", False),
        ("$358 of your $600 at stake.", False),
        ("All of it would make up to 1 A, 2 B or 4 C.", False),
    ]
    assert said(view, X=(14, 10))[0] == ("14 of 12 units. Take 2 off.", True)


def test_r11_is_told_before_it_bites():
    view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    assert said(view, X=(12, 50))[1] == ("$600 of your $600 at stake.", False)
    text, warns = said(view, X=(12, 51))[1]
    assert warns
    assert text.startswith("$612 at stake, and you have $600.")
    assert "nothing at all" in text


def test_r11_and_r14_are_worth_a_second_click(mine):
    type_in(mine.form, (12, 51))
    click(mine)
    assert mine.game.steps == ()
    assert "To take the risk, press Hand in once more." in mine.form.message.value
    type_in(mine.form, (12, 50))
    click(mine)
    type_in(mine.form, (9, 140))
    click(mine)
    assert len(mine.game.steps) == 1
    click(mine)
    assert len(mine.game.steps) == 2


def test_r7_the_limit_for_one_grade_is_told_to_two_players():
    view = Game(["Ann", "Ben"]).observe("Ann")
    assert said(view, X=(13, 10))[1] == ("13 of at most 12 X-FINE. Take 1 off.", True)


def selling(undeliverable: str = "penalty") -> Game:
    game = Game(["Ann", "Ben"], STANDARD.vary(undeliverable=undeliverable))
    game.order("Ann", F=(2, 60), S=(1, 60))
    game.order("Ben", X=(4, 60), F=(2, 60))
    return game


def test_r12_a_substitute_is_named():
    assert said(selling().observe("Ann"), C=(1, 90)) == [
        ("Beside this you can make nothing more.", False),
        ("1 FINE stands in for STANDARD.", False),
        ("$90 if all of it is sold; its certificates cost you $180.", False),
        ("$90 for C is below what it costs you: $90 lost if sold.", True),
    ]


def test_r14_what_cannot_be_made_is_told_with_what_follows():
    (text, warns), *rest = said(selling().observe("Ann"), C=(2, 90))
    assert (warns, rest) == (True, [])
    assert text.startswith("2 C cannot be made of 2 FINE, 1 STANDARD.")
    assert "you sell nothing at all this month" in text
    assert "not taken" in said(selling("refuse").observe("Ann"), C=(2, 90))[0][0]


def test_costs_and_margins_are_those_of_what_this_player_paid():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 41), F=(1, 32))
    game.order("Ben", X=(8, 55), F=(9, 50))
    view = game.observe("Ann")
    assert line_hint(view, {}, Good.A) == (
        "Last $140. It can post at $151 at most. One costs you $114."
    )
    offer = {Good.A: (1, 130)}
    assert line_hint(view, offer, Good.A).endswith("One costs you $114, so $130 makes $16.")
    assert line_hint(view, {Good.A: (1, 100)}, Good.A).endswith("so $100 makes −$14.")
    assert line_hint(view, {Good.A: (1, 149)}, Good.A).endswith("so $149 makes $35.")
    assert line_hint(view, {Good.A: (1, 150)}, Good.A).endswith("One costs you $114.")
    assert line_hint(view, {}, Good.C) == "Last $90. It can post at $101 at most."
    assert ("$130 if all of it is sold; its certificates cost you $114.", False) in said(
        view, A=(1, 130)
    )
    below = "$100 for A is below what it costs you: $14 lost if sold."
    assert (below, True) in said(view, A=(1, 100))


def test_a_bid_that_cannot_succeed_is_told():
    view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    missed = "$31 for X-FINE is below $32, the lowest it can post at, so you get none."
    assert (missed, True) in said(view, X=(2, 31))
    assert said(view, X=(2, 32))[-1] == ("All of it would make nothing.", False)
    missed = "$152 for A is above $149, the highest it can post at, so you sell none."
    assert (missed, True) in said(selling().observe("Ben"), A=(1, 152))
    some = Game(["Ann", "Ben", "Cy"], VARIATION).observe("Ann")
    assert "so you get none" not in str(said(some, X=(2, 31)))


def test_the_calculator_says_what_units_do_to_each_price():
    view = selling().observe("Ann")
    assert calculator_sentences(view, 6) == [
        "If all of us offer 6 units of a good, its price moves by −1.",
        "A: $140 → $139",
        "B: $115 → $114",
        "C: $90 → $89",
    ]
    view = Game(["Ann", "Ben"], STANDARD.vary(opening_materials={"S": 5})).observe("Ann")
    assert calculator_sentences(view, 0)[-1] == "STANDARD: $5 → $1, its lowest price"


def test_the_calculator_holds_the_printed_columns_and_the_rule_beyond_them():
    view = Game(["Ann", "Ben"]).observe("Ann")
    html = calculator_html(view, 10)
    assert "<b>24</b> +14" in html
    assert "<b>16</b> −21" in html
    assert "goes on in the same steps" in html
    clamped = Game(["Ann", "Ben"], STANDARD.vary(past_table="clamp")).observe("Ann")
    assert "moves as it does there" in calculator_html(clamped, 10)


def test_the_calculator_opens_follows_the_game_and_closes(mine):
    calculator = mine.calculator
    calculator.button.click()
    units, words = calculator.widget.children[1:]
    assert units.max == 36  # three players order up to 12 units each
    units.value = 12
    assert "X-FINE: $40 → $42" in words.value
    mine.form.hand_in()
    assert "A: $140 → $127" in words.value
    calculator.button.click()
    assert calculator.widget.children == (calculator.button,)


def test_the_tally_sheet_is_one_click_away_and_stays_open(mine):
    assert "exdec-tally" not in shown(mine)["sheet"]
    mine.sheets["Tally sheet"].click()
    mine.form.hand_in()
    assert "exdec-tally" in shown(mine)["sheet"]
    mine.sheets["Tally sheet"].click()
    assert "exdec-tally" not in shown(mine)["sheet"]


def test_the_price_table_is_one_click_away_beside_the_tally_sheet(mine):
    mine.form.hand_in()
    for sheet in mine.sheets.values():
        sheet.click()
    assert "6 ordered, −4" in shown(mine)["sheet"]
    assert "Tally sheet</caption>" in shown(mine)["sheet"]
    mine.sheets["Tally sheet"].click()
    assert "Tally sheet</caption>" not in shown(mine)["sheet"]
    assert "6 ordered, −4" in shown(mine)["sheet"]


def test_the_production_chart_is_that_of_the_rules():
    html = production_html(STANDARD.vary(production={"C": {"X": 0, "F": 1, "S": 7}}))
    assert re.search(r"★</b>C</th><td></td><td>1</td><td>7</td>", html)
    assert "No grade stands in" in production_html(STANDARD.vary(substitutions=[]))


def test_the_range_in_which_a_price_can_land():
    # 3 players: the two others order 0 to 24 units; materials move by units − 10.
    view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    assert line_hint(view, {}, Material.X) == "Last $40. It can post at $30 to $54."
    assert line_hint(view, {Material.S: (12, 30)}, Material.S) == (
        "Last $20. It can post at $22 to $46."
    )
    still = {"at_zero": 0, "per_unit": 0, "last": 24}
    view = Game(["Ann", "Ben"], STANDARD.vary(materials_calculator=still)).observe("Ann")
    assert line_hint(view, {}, Material.X) == "Last $40. It can post at $40."


def test_r14_an_offer_that_cannot_be_made_still_counts_so_a_good_has_a_highest_price_alone():
    game = selling()
    view = game.observe("Ann")
    offer = {Good.C: (1, 90)}
    assert line_hint(view, offer, Good.C).startswith("Last $90. It can post at $99 at most.")
    game.offer("Ann", C=(1, 90))
    game.offer("Ben", C=(20, 50))  # none of which he can make
    assert game.state.good_prices.C == 90 + 11 - 2 * 21 == 59 < posts_at(view, Good.C, 1)


# -- what is shown -------------------------------------------------------------------------------


def test_r21_nothing_shown_or_typed_tells_what_rivals_bid(mine):
    secret = 7_531

    class Loud:
        def order(self, view):
            return {"X": (2, secret)}

        def offer(self, view):
            return {"A": (1, secret)}

    mine.table._bots["Ben"] = Loud()
    for _ in range(2):
        mine.form.hand_in()
        everything = json.dumps([w.get_state() for w in widgets_in(mine.form)], default=str)
        everything += json.dumps(shown(mine)) + mine.story
        # The names of other widgets are random, and may hold any four digits.
        everything = re.sub("IPY_MODEL_[0-9a-f]+", "", everything)
        assert "7531" not in everything
        assert "7,531" not in everything


def widgets_in(form: BidForm) -> list:
    found, queue = [], [form.widget, form._ask, form._echo]
    while queue:
        widget = queue.pop()
        found.append(widget)
        queue += getattr(widget, "children", ())
    return found


def test_names_are_escaped_wherever_they_stand():
    bad = "<img src=x>"
    mine = TableView(Table(Game([bad, "B<b>"]), {"B<b>": "cautious"}), bad)
    mine.form.hand_in()
    type_in(mine.form, (99_999, 1))
    click(mine)
    everything = json.dumps(shown(mine)) + mine.form.message.value
    assert "<img" not in everything
    assert "B<b>" not in everything
    assert "&lt;b&gt;" in everything


def test_every_field_has_a_name_of_its_own(mine):
    names = [field.description for pair in mine.form._fields.values() for field in pair]
    assert names[:3] == ["X-FINE, units", "X-FINE, price a unit in dollars", "FINE, units"]
    assert len(set(names)) == 12


def test_the_report_says_why_and_is_announced_when_it_is_new(mine):
    assert 'role="alert"' not in shown(mine)["facts"]
    type_in(mine.form, (1, 1))
    mine.form.hand_in()
    report = shown(mine)["facts"]
    assert "Your $1 is below it: you get none, and pay nothing." in report
    assert 'role="alert"' in report


def test_a_board_marks_the_month_and_prices_at_their_lowest():
    mine = TableView(Table(Game(["Ann", "Ben"]), {}), "Ann")
    for _ in range(4):
        mine.game.open_bids()
    board = shown(mine)["facts"]
    assert '<th class="exdec-now" aria-current="date">Mar</th>' in board
    assert "<td>1<u>▼−9</u><small>lowest</small>" in board
    assert "▼−10" in board


def test_the_head_marks_which_of_four_steps_it_is(mine):
    assert '<b aria-current="step">1 order</b> · 2 market · 3 offer' in shown(mine)["facts"]
    mine.form.hand_in()
    assert '1 order · 2 market · <b aria-current="step">3 offer</b>' in shown(mine)["facts"]
    play_to_the_end(mine)
    assert "aria-current" not in shown(mine)["facts"]


def test_what_made_the_profit_is_drawn_once_the_game_is_over(mine):
    assert PLOTLY not in dict(mine.parts())["profit"]
    play_to_the_end(mine)
    chart = dict(mine.parts())["profit"]
    assert chart[PLOTLY]["data"][0]["name"] == "goods sold above cost"
    assert "You: goods sold above cost" in chart["text/plain"]


def test_a_reason_for_all_lines_is_said_once_in_a_report(mine):
    type_in(mine.form, (4, 60), (4, 60))
    mine.form.hand_in()
    type_in(mine.form, (2, 100), (2, 80), (1, 60))
    mine.form.hand_in()
    report = shown(mine)["facts"]
    assert report.count("you cannot deliver all that you sold") == 1
    assert "Your $80 would sell 2 too." in report


def test_a_story_is_broken_between_words(mine):
    type_in(mine.form, (4, 60), (4, 60))
    mine.form.hand_in()
    lines = mine.story.splitlines()
    assert max(map(len, lines)) <= 88
    assert "X-FINE ordered, so" in lines[1]


def test_a_board_that_is_nobodys_lists_firms():
    game = Game(["Ann", "Ben"])
    assert "<caption>Firms</caption>" in board_html(onlooker(game), {})
    assert "<caption>Rivals</caption>" in board_html(game.observe("Ann"), {})


def test_a_chart_offers_no_way_to_share_and_has_its_sentence(mine):
    chart = dict(mine.parts())["chart"]
    assert chart[PLOTLY]["config"]["displaylogo"] is False
    assert chart[PLOTLY]["config"]["modeBarButtons"] == [["toImage"]]
    assert chart["text/plain"].startswith("Opening prices of materials: X-FINE $40")


def test_a_lean_chart_says_the_same(mine):
    mine.form.hand_in()
    figure = price_figure(mine.game.rules, mine.game.postings)
    chart = lean(figure.to_plotly_json())
    shared = chart["layout"]["template"]["data"]["scatter"][0]
    for trace, whole in zip(chart["data"], figure.to_plotly_json()["data"], strict=True):
        assert "x" not in trace
        line = {**shared["line"], **trace["line"]}
        marker = {**shared["marker"], **trace["marker"]}
        assert {**shared, **trace, "line": line, "marker": marker, "x": whole["x"]} == whole
    assert len(json.dumps(chart)) < len(figure.to_json()) - 400


# -- keeping -------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    """The same line of a notebook again and again, as after a restart of the kernel."""
    return partial(solo, ["cautious"], months=3, record=tmp_path / "games" / "mine.jsonl")


def test_a_game_goes_on_after_a_restart_with_the_same_rivals(kept, tmp_path):
    mine = kept()
    type_in(mine.form, (2, 45), (2, 45), (2, 45))
    mine.form.hand_in()
    again = kept()
    assert again.game.state == mine.game.state
    again.form.hand_in()
    whole = solo(["cautious"], months=3)
    type_in(whole.form, (2, 45), (2, 45), (2, 45))
    whole.form.hand_in()
    whole.form.hand_in()
    assert again.game.state == whole.game.state
    assert len(read(tmp_path / "games" / "mine.jsonl").steps) == 2


def test_undo_is_kept_too(kept, tmp_path):
    mine = kept()
    mine.form.hand_in()
    mine.undo()
    assert read(tmp_path / "games" / "mine.jsonl").steps == ()


def test_a_game_that_nobody_begins_leaves_no_file(tmp_path):
    solo(["cautious"], record=tmp_path / "games" / "mine.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_record_of_another_game_is_not_played_on_and_what_to_write_is_said(kept, tmp_path):
    kept().form.hand_in()
    with pytest.raises(TurnError, match="other players, rivals, months, rules or seed") as refused:
        kept(months=4)
    (record,) = re.findall('record="(.*?)"', str(refused.value))
    assert record == (tmp_path / "games" / "mine-2.jsonl").as_posix()
    assert kept(months=4, record=record).game.steps == ()


def test_a_game_that_is_begun_after_another_says_where_it_is_and_how_to_come_back(kept, tmp_path):
    mine = kept(months=1)
    mine.form.hand_in()
    mine.form.hand_in()
    finished = (tmp_path / "games" / "mine.jsonl").read_text()
    mine.again.restart.click()
    mine.form.hand_in()
    path = (tmp_path / "games" / "mine-2.jsonl").as_posix()
    assert f"This game is kept in {path}." in shown(mine)["facts"]
    assert f'resume("{path}")' in shown(mine)["facts"]
    assert resume(path).game.state == mine.game.state
    # The cell names the first game, and so do a lesson's exercises.
    assert (tmp_path / "games" / "mine.jsonl").read_text() == finished
    assert "is kept in" not in shown(kept(months=1))["facts"]


def test_a_record_that_cannot_be_read_is_told_by_line(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("no record\n")
    with pytest.raises(RecordError, match="line 1"):
        solo(["cautious"], record=path)


def test_what_cannot_be_played_is_refused():
    with pytest.raises(TurnError, match="not 1: 1 person and 0 rivals"):
        solo([])
    with pytest.raises(TurnError, match="Did you mean 'cautious'"):
        solo(["cautios"])
    with pytest.raises(RulesError, match="months"):
        solo(months=13)


# -- the notebook itself -------------------------------------------------------------------------


def test_the_story_of_a_game_that_was_not_begun_says_what_to_do(mine):
    assert mine.story == NOT_YET


def test_a_view_loads_neither_pandas_nor_what_plotly_can_do_without():
    heavy = ("pandas", "nbformat", "jsonschema", "plotly.express", "anywidget", "matplotlib")
    code = (
        "import sys; from exdec.notebook import solo; dict(solo(['cautious']).parts());"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
