import json
import re
import shutil
import sqlite3
import zipfile

import class_example
import pytest

from exdec import STANDARD, Game
from exdec.debrief import Debrief, debrief
from exdec.debrief_charts import (
    bids_sentence,
    bids_told,
    kind,
    margins_told,
    prices_told,
    profits_told,
    quantities_told,
    tables_told,
)
from exdec.errors import RecordError
from exdec.items import Good, Material
from exdec.model import Outcome
from exdec.notebook.live import chart_bundle
from exdec.played import OpenBid, gather

NOTEBOOK = class_example.FOLDER.parent / "debrief.ipynb"
NASTY = "<script>alert(1)</script>"


def played(players=("Ann", "Ben"), months=1, **rules) -> Game:
    """Ann makes an A; Ben misses X-FINE by a dollar.

    X-FINE posts at 40 − 10 + 12 = $42 and FINE at 30 − 10 + 1 = $21, A at 140 + 11 − 2 = $149.
    """
    game = Game(list(players), STANDARD.vary(months=months, **rules))
    first, second, *others = players
    game.order(first, X=(2, 45), F=(1, 30))
    game.order(second, X=(10, 41))
    for other in others:
        game.order(other)
    game.offer(first, A=(1, 140))
    for other in (second, *others):
        game.offer(other)
    return game


@pytest.fixture
def folder(tmp_path):
    """A class of two tables; the second is not finished."""
    played().save(tmp_path / "a.jsonl", **{"class": "11b", "table": 2, "bots": {"Ben": "easy"}})
    played(("Cy", "Dee", "Eve"), months=2).save(
        tmp_path / "b.jsonl", **{"class": "11b", "table": "Table 10"}
    )
    return tmp_path


# -- reading a class -----------------------------------------------------------------------------


def test_a_folder_is_a_class_in_the_order_of_its_tables(folder):
    shown = gather(folder)
    assert shown.title == "11b"
    assert [table.name for table in shown.tables] == ["Table 2", "Table 10"]
    assert [(firm.label, firm.place, firm.bot) for firm in shown.firms][:2] == [
        ("Ann (Table 2)", 1, None),
        ("Ben (Table 2)", 2, "easy"),
    ]
    assert {firm.place for firm in shown.firms[2:]} == {None}


def test_one_record_is_a_class_of_one_table(folder):
    shown = debrief(folder / "a.jsonl")
    assert shown.head.title == "11b: 1 table, 2 firms, 1 month"
    assert [part.title for part in shown.parts][-2:] == ["Profit", "What decided the games"]
    assert "Ann wins with a profit of $20." in str(shown.turning_points)
    # One table needs no average, and its firms no table's name.
    assert len(prices_told(shown.played).figure.data) == 6
    assert shown.played.firms[0].label == "Ann"


def test_an_unfinished_game_says_so(folder):
    text = str(debrief(folder))
    assert "Table 10 is not finished: it stops after January's offers." in text
    assert "Table 10: The game is not over: it stops after January's offers." in text
    assert "not finished Cy (Table 10): +$20 (goods sold above cost +$20" in text


def test_a_game_without_a_step_shows_its_head_alone(tmp_path):
    Game(["Ann", "Ben"]).save(tmp_path / "a.jsonl")
    shown = debrief(tmp_path)
    assert shown.parts == (shown.head,)
    assert "No step is settled yet" in str(shown)
    assert "No step is settled yet" in shown.html()


def test_orders_alone_can_be_shown(tmp_path):
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 45))
    game.order("Ben")
    game.save(tmp_path / "a.jsonl")
    text = str(debrief(tmp_path))
    assert "it stops after January's orders" in text
    assert "Nobody" not in text.split("Bids and the market")[1].split("Profit")[0].split("\n")[1]


def test_an_average_is_over_the_tables_that_got_so_far(folder):
    game = Game.load(folder / "b.jsonl")
    for player in game.players:
        game.order(player)
    game.save(folder / "b.jsonl", **{"class": "11b", "table": "Table 10"})
    averages = {
        trace.hovertext[0].split(",")[0]: list(trace.y)
        for trace in prices_told(gather(folder)).figure.data
        if trace.mode == "lines+markers"
    }
    assert averages["X-FINE"] == [40, 42, 32]
    assert averages["A"] == [140, 149]


def test_places_name_the_people_of_a_record(tmp_path):
    places = {"Firm 1": ["Ann", "Ben"], "Firm 2": "Cy"}
    played(("Firm 1", "Firm 2")).save(tmp_path / "a.jsonl", places=places)
    text = str(debrief(tmp_path))
    assert "Ann & Ben wins with a profit of $20." in text
    assert "Firm" not in text.replace("Firm by firm", "")


@pytest.mark.parametrize(
    "places", [{"Firm 1": 5}, {"Firm 1": [None, {}]}, [], "x", {"Firm 1": "\n"}]
)
def test_whatever_stands_in_a_header_can_be_shown(tmp_path, places):
    played(("Firm 1", "Firm 2")).save(
        tmp_path / "a.jsonl", places=places, bots=places, table=places, treatment=places,
        **{"class": places},
    )  # fmt: skip
    assert "wins with a profit of $20" in str(debrief(tmp_path))


# Ann makes $20 in two steps; see `played`.
@pytest.mark.parametrize("pseudonyms", [False, True])
@pytest.mark.parametrize("several", [False, True])
def test_who_had_a_bot_for_half_the_steps_is_marked_and_no_person(tmp_path, pseudonyms, several):
    header = {"bot_steps": {"Ann": 1, "Cy": 2}, "bots": {"Cy": "easy"}, "steps": 2}
    played(("Ann", "Ben", "Cy")).save(tmp_path / "a.jsonl", **header)
    if several:
        played(("Eve", "Fay")).save(tmp_path / "b.jsonl")
    shown = debrief(tmp_path, pseudonyms=pseudonyms)
    table = shown.played.tables[0]
    ann = table.game.players[0]
    assert [table.is_person(player) for player in table.game.players] == [False, True, False]
    assert [table.mark(player) for player in table.game.players] == [
        ", bot played 1 of 2", "", ", bot",
    ]  # fmt: skip
    label = f"{ann} ({table.name})" if several else ann
    head = str(shown.head)
    assert (
        f"A bot played for people who were away or came late: {label}, 1 of 2 steps. Firms" in head
    )
    assert f"A bot played 1 of {label}'s 2 steps." in head
    for part in (shown.profit, shown.bids):
        assert f"{label}, bot played 1 of 2<" in part.html
    assert f"{label}, bot played 1 of 2: +$20" in str(shown.profit)
    assert f"{label}, bot played 1 of 2" in profits_told(shown.played).figure.to_json()
    people, bots, both = tables_told(shown.played).figure.data[:3]
    assert (people.name, list(people.x)) == ("people", [0, *[20, 0] * several])
    assert (bots.name, list(bots.x)) == ("bots", [0])
    assert (both.name, list(both.x)) == ("both in turn", [20])
    assert both.hovertext[0] == f"{ann}, bot played 1 of 2, {table.name}: +&#36;20"


def test_a_bot_for_a_few_steps_leaves_a_person(tmp_path):
    game = played(months=2)
    game.order("Ann")
    game.order("Ben")
    game.save(tmp_path / "a.jsonl", bot_steps={"Ben": True, "Ann": 1}, steps=3)
    (table,) = gather(tmp_path).tables
    assert (table.is_person("Ann"), table.mark("Ann")) == (True, ", bot played 1 of 3")
    assert table.mark("Ben") == ""
    assert "do not count as people" not in str(debrief(tmp_path).head)


@pytest.mark.parametrize("counted", [True, False])
def test_who_had_people_for_half_the_steps_is_marked_and_no_bot(tmp_path, counted):
    """A pupil moved after one of two steps, and a bot took the seat: no bot did what is told."""
    header = {"bots": {"Ann": "easy", "Cy": "easy"}, "bot_steps": {"Ann": 1, "Cy": 2}}
    played(("Ann", "Ben", "Cy")).save(
        tmp_path / "a.jsonl", **header, **({"steps": 2} if counted else {})
    )
    shown = debrief(tmp_path)
    (table,) = shown.played.tables
    assert [table.is_person(player) for player in table.game.players] == [False, True, False]
    assert [table.is_bot(player) for player in table.game.players] == [False, False, True]
    assert [table.mark(player) for player in table.game.players] == [
        ", bot; people played 1 of 2", "", ", bot",
    ]  # fmt: skip
    head = str(shown.head)
    assert "People played a bot's firm before it was the bot's: Ann, 1 of 2 steps. Firms" in head
    assert "People played 1 of Ann's 2 steps." in head
    assert "Ann, bot; people played 1 of 2: +$20" in str(shown.profit)
    assert "$0. People played 1 of Ann's 2 steps." in str(shown.turning_points)
    people, bots, both = tables_told(shown.played).figure.data[:3]
    assert [list(marks.x) for marks in (people, bots, both)] == [[0], [0], [20]]
    # Bots and people are compared without Ann's firm.
    assert not [one for one in shown.questions.lines if "+$20, the people" in one]
    renamed = shown.without_names().played.tables[0]
    assert renamed.mark("Ann") == ", bot; people played 1 of 2"


def test_a_bot_that_played_no_step_of_an_export_had_people_in_all(tmp_path):
    played().save(tmp_path / "a.jsonl", bots={"Ann": "easy"}, steps=2)
    (table,) = gather(tmp_path).tables
    assert table.mark("Ann") == ", bot; people played 2 of 2"
    # Where nobody counts the steps, a bot has played them all.
    played().save(tmp_path / "a.jsonl", bots={"Ann": "easy"})
    assert gather(tmp_path).tables[0].mark("Ann") == ", bot"


def test_certificates_of_an_unfinished_game_count_at_posted_prices(tmp_path):
    """Ann pays $90 for two X-FINE, which post at 40 − 10 + 2 = $32 and are worth $64."""
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 45))
    game.order("Ben")
    game.save(tmp_path / "a.jsonl")
    (table,) = gather(tmp_path).tables
    assert [(split.unsold, split.profit) for split in table.splits] == [(-26, -26), (0, 0)]
    shown = debrief(tmp_path)
    assert "not finished Ann: −$26" in str(shown.profit)
    note = "Where a game goes on, certificates in hand count at their last posted prices."
    assert note in str(shown.profit)
    assert note in shown.profit.html


def test_a_table_that_has_not_begun_is_not_counted(folder):
    """X-FINE: 40 − 10 + 12 = $42 at both tables that have played; at the third still $40."""
    questions = str(debrief(folder).questions)
    Game(["Fay", "Gus"]).save(folder / "c.jsonl", table="Table 11", **{"class": "11b"})
    shown = debrief(folder)
    assert "Table 11 is not finished: nothing is settled yet." in str(shown.head)
    assert "On average over 2 tables: goods A" in shown.prices.told.sentence
    assert "X-FINE $40 to $42 (+2)" in shown.prices.told.sentence
    for part in (shown.prices, shown.margins, shown.profit, shown.tables):
        assert "Table 11" not in f"{part}{part.told.figure.to_json()}"
    assert str(shown.questions) == questions


@pytest.fixture
def lengths(tmp_path):
    """Two tables alike but for their length: at the second a month of passes comes after.

    X-FINE posts at $42, then 42 − 10 = $32; A at $149, then 149 + 11 = $160. Its materials cost
    2 × 42 + 21 = $105, then 2 × 32 + 11 = $75.
    """
    played().save(tmp_path / "a.jsonl", table=1)
    game = played(("Cy", "Dee"), months=2)
    for _ in range(2):
        game.hand_in("Cy", {})
        game.hand_in("Dee", {})
    game.save(tmp_path / "b.jsonl", table=2)
    return tmp_path


def test_an_end_is_that_of_each_table(lengths):
    """A: (149 + 160) / 2 = $154.50, and its margin (44 + 85) / 2 = $64.50."""
    shown = gather(lengths)
    prices, margins = prices_told(shown), margins_told(shown)
    assert "from Opening to each table's last month. On average over 2 tables" in prices.sentence
    assert "A $140 to $155 (+15)" in prices.sentence
    assert "X-FINE $40 to $37 (−3)" in prices.sentence
    assert "A: +$30 at Opening, +$65 in each table's last month;" in margins.sentence
    # No heading has a number at which the average's line does not end.
    assert not any("→" in note.text for note in prices.figure.layout.annotations)


def test_what_differs_by_treatment_is_told_by_treatment(lengths):
    for file, treatment in (("a", "short"), ("b", "long")):
        game = Game.load(lengths / f"{file}.jsonl")
        game.save(lengths / f"{file}.jsonl", table=file, treatment=treatment)
    shown = gather(lengths)
    margins, quantities = margins_told(shown), quantities_told(shown)
    assert 'At a, "short": A: +$30 at Opening, +$44 at the end;' in margins.sentence
    assert 'At b, "long": A: +$30 at Opening, +$85 at the end;' in margins.sentence
    # One A is offered in one month, or in two.
    assert 'With "short" a table offers 1.0 A,' in quantities.sentence
    assert 'With "long" a table offers 0.5 A,' in quantities.sentence
    assert not any("→" in note.text for note in prices_told(shown).figure.layout.annotations)
    names = {line.name for line in margins.figure.data}
    assert {"A, earned on each sold, short", "A, earned on each sold, long"} <= names


def test_two_people_of_one_name_stay_apart(tmp_path):
    places = dict.fromkeys(("Firm 1", "Firm 2"), "A" * 60)
    played(("Firm 1", "Firm 2")).save(tmp_path / "a.jsonl", places=places)
    assert gather(tmp_path).tables[0].game.players == ("A" * 40, "A" * 36 + " (2)")


# -- bad inputs ----------------------------------------------------------------------------------


def test_a_missing_folder(tmp_path):
    with pytest.raises(RecordError, match=r"^There is no folder or file .*class_x\. Give the"):
        debrief(tmp_path / "class_x")


def test_an_empty_folder(tmp_path):
    (tmp_path / "notes.txt").write_text("no record")
    with pytest.raises(RecordError, match=r"holds no game record\. Records are files whose names"):
        debrief(tmp_path)


def test_the_folder_of_an_export(tmp_path):
    (tmp_path / "records").mkdir()
    played().save(tmp_path / "records" / "a.jsonl")
    assert [table.name for table in debrief(tmp_path).played.tables] == ["a"]


@pytest.mark.parametrize("kept", ["kit/classes", "classes", "kit", "kit/notebooks"])
def test_an_export_is_found_by_its_name_from_the_kits_notebooks(tmp_path, monkeypatch, kept):
    records = tmp_path / kept / "11b-results" / "records"
    records.mkdir(parents=True)
    played().save(records / "a.jsonl")
    notebooks = tmp_path / "kit" / "notebooks" / "instructor"
    notebooks.mkdir(parents=True)
    monkeypatch.chdir(notebooks)
    assert [table.name for table in debrief("11b-results").played.tables] == ["a"]
    with pytest.raises(RecordError, match=r"There is no folder or file 11b\. Give"):
        debrief("11b")


@pytest.mark.parametrize("inside", ["", "records"])
def test_a_folder_above_the_records(tmp_path, inside):
    below = tmp_path / "class"
    (below / inside).mkdir(parents=True)
    played().save(below / inside / "a.jsonl")
    with pytest.raises(RecordError, match=rf"there are some in {re.escape(str(below))}\.$"):
        debrief(tmp_path)


def test_other_files_of_a_class_are_named_and_what_to_do(tmp_path):
    database = sqlite3.connect(tmp_path / "11b.sqlite")
    database.execute("CREATE TABLE clicks (at REAL)")
    database.close()
    with pytest.raises(RecordError, match=r"Leave it as it is, and export the class: press Export"):
        debrief(tmp_path / "11b.sqlite")
    with zipfile.ZipFile(tmp_path / "11b-results.zip", "w") as packed:
        packed.writestr("11b-results/README.txt", "11b")
    with pytest.raises(RecordError, match=r'is packed\. Unpack it.*debrief\("11b-results"\)\.$'):
        debrief(tmp_path / "11b-results.zip")
    shutil.copy(tmp_path / "11b-results.zip", tmp_path / "class.xlsx")
    with pytest.raises(RecordError, match=r"is a workbook.*give the folder in which it lies"):
        debrief(tmp_path / "class.xlsx")


def test_a_file_that_is_no_record(tmp_path):
    (tmp_path / "notes.txt").write_text("no record")
    with pytest.raises(RecordError, match=r"^notes\.txt, line 1: this is not JSON"):
        debrief(tmp_path / "notes.txt")


def test_a_damaged_record_is_named_and_the_others_go_on(folder):
    (folder / "c.jsonl").write_text('{"format": "exdec-game", "version": 1, "players": ["Ann"]}\n')
    shown = debrief(folder)
    assert len(shown.played.tables) == 2
    assert "c.jsonl is left out. c.jsonl, line 1: 2 to 6 can play, not 1." in str(shown.head)


def test_nothing_but_damaged_records(tmp_path):
    (tmp_path / "c.jsonl").write_text("{}\n")
    with pytest.raises(RecordError, match=r"^No record in .* can be read\. c\.jsonl is left out"):
        debrief(tmp_path)


def test_a_torn_last_line_is_told(folder):
    with (folder / "b.jsonl").open("a") as file:
        file.write('{"month": 2, "st')
    assert "Table 10: Line 4 was cut off while it was written" in str(debrief(folder).head)


def test_the_same_game_twice_counts_once(folder):
    shutil.copy(folder / "a.jsonl", folder / "a (1).jsonl")
    shown = debrief(folder)
    assert len(shown.played.tables) == 2
    assert "a.jsonl is left out: it is the same game as a (1).jsonl." in str(shown.head)


def test_two_classes_are_refused(folder):
    Game(["Fay", "Gus"]).save(folder / "c.jsonl", **{"class": "11c"})
    with pytest.raises(RecordError, match=r'different classes: "11b" \(a\.jsonl\) and "11c" \(c'):
        debrief(folder)


# -- numbers -------------------------------------------------------------------------------------


def test_each_bid_against_the_market(folder):
    bids = gather(folder / "a.jsonl").bids
    x, f, missed, a = bids
    assert [bid.gap for bid in bids] == [3, 9, -1, -9]
    assert [bid.beyond for bid in bids] == [6, 9, 0, 9]
    assert (missed.lost, kind(missed), kind(x), a.buying, f.buying) == (
        10,
        "missed",
        "filled",
        False,
        True,
    )
    assert bids_sentence(bids) == (
        "Orders: 2 of 3 bids are filled. Those above the market paid $15 more than it asked; "
        "1 was too low, by $1 or $2, and lost 10 units. "
        "Offers: 1 of 1 bid is filled. Those below the market gave away $9; none was too high."
    )


def test_bids_that_missed_are_counted_before_their_units_are():
    asks = [
        OpenBid("", "Ann", 1, Good.A, units, price, 100, 0, Outcome.ABOVE_MARKET)
        for units, price in ((1, 101), (1, 101), (2, 102), (2, 102), (1, 109))
    ]
    lost = "gave away $0; 5 were too high, 4 of them by $1 or $2, and lost 7 units."
    assert bids_sentence(asks).endswith(lost)
    assert bids_sentence(asks[:2]).endswith("; 2 were too high, all by $1 or $2, and lost 2 units.")
    assert bids_sentence(asks[4:]).endswith("; 1 was too high and lost 1 unit.")


def test_a_mark_has_its_name_in_the_legend_wherever_it_stands(tmp_path):
    """No order misses the market, and Ben's offer does."""
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.order("Ann")
    game.order("Ben", X=(2, 45), F=(1, 30))
    game.offer("Ann")
    game.offer("Ben", A=(1, 199))
    game.save(tmp_path / "a.jsonl")
    traces = bids_told(gather(tmp_path)).figure.data
    drawn = {trace.name for trace in traces if any(x is not None for x in trace.x)}
    named = [trace.name for trace in traces if trace.showlegend is not False]
    assert named == ["filled", "missed the market"]
    assert drawn == set(named)


def test_half_a_dollar_is_rounded_up_as_the_class_saw_it(tmp_path):
    """X-FINE posts at $40 at one table and $41 at the other: 10 and 11 units."""
    for table, units in ((1, 10), (2, 11)):
        game = Game(["Ann", "Ben"])
        game.order("Ann", X=(units, 9))
        game.order("Ben")
        game.save(tmp_path / f"{table}.jsonl", table=table)
    told = prices_told(gather(tmp_path))
    assert "X-FINE $40 to $41 (+1)" in told.sentence
    assert any("→ &#36;41" in note.text for note in told.figure.layout.annotations)


def test_a_price_that_a_phone_would_cut_off_is_not_above_its_chart(tmp_path):
    """STANDARD posts at 95 + 5 = $100 with 15 units ordered; "$100" would read as "$10"."""
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1, opening_materials={"S": 95}))
    game.order("Ann", S=(10, 9))
    game.order("Ben", S=(5, 9))
    game.save(tmp_path / "a.jsonl")
    told = prices_told(gather(tmp_path))
    headings = [note.text for note in told.figure.layout.annotations]
    assert headings[5] == "<b>STANDARD</b>"
    assert headings[4] == "<b>FINE</b> → &#36;20"
    assert "STANDARD $95 to $100" in told.sentence


def test_a_bid_that_is_filled_in_part_has_lost_the_rest(tmp_path):
    played(partial_buys=True).save(tmp_path / "a.jsonl")
    missed = gather(tmp_path).bids[2]
    assert (missed.filled, missed.lost, kind(missed)) == (9, 1, "missed")


def test_a_void_order_is_neither_filled_nor_missed(tmp_path):
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1, starting_cash={2: 50}))
    game.order("Ann", X=(2, 45))
    game.order("Ben")
    game.save(tmp_path / "a.jsonl")
    (bid,) = gather(tmp_path).bids
    assert (kind(bid), bid.lost, bid.beyond) == ("void", 0, 0)
    assert "1 bid won and came to nothing" in bids_sentence([bid])


def test_a_bid_far_from_the_market_is_drawn_apart_and_named(tmp_path):
    """STANDARD and FINE post at $11 and $21, so Ann's bids lie $20 and $51 above the market."""
    game = Game(["Ann", "Ben"])
    game.order("Ann", F=(1, 41), S=(1, 62))
    game.order("Ben")
    game.save(tmp_path / "a.jsonl")
    shown = debrief(tmp_path)
    figure = shown.bids.told.figure
    (fine, standard) = figure.data[0].x
    ticks = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
    assert fine == 20 < standard < figure.layout.xaxis.range[1]
    assert ticks[standard] == "over 20"
    assert -standard not in ticks
    assert "the furthest is $51 above it" in str(shown.bids)


def test_where_bots_bid_too_the_part_says_that_the_questions_leave_them_out(tmp_path):
    played().save(tmp_path / "a.jsonl")
    assert "Bots" not in str(debrief(tmp_path).bids)
    played().save(tmp_path / "a.jsonl", bots={"Ben": "easy"})
    assert "Bots' bids are among them" in str(debrief(tmp_path).bids)


def test_every_tick_is_named_where_no_bid_lies_far_from_the_market(folder):
    shown = debrief(folder / "a.jsonl")
    assert shown.bids.told.figure.layout.xaxis.ticktext == ("−5", "market", "+5")
    assert "furthest" not in str(shown.bids)


def test_margins_at_posted_prices_and_earned(folder):
    table = gather(folder / "a.jsonl").tables[0]
    # A: 140 − 2 × 40 − 30, then 149 − 2 × 42 − 21. STANDARD posts at $10, B at $126, C at $101.
    assert table.margins == {Good.A: [30, 44], Good.B: [25, 53], Good.C: [20, 60]}
    told = margins_told(gather(folder / "a.jsonl"))
    assert "A: +$30 at Opening, +$44 at the end; earned +$20 on each of 1 sold." in told.sentence
    assert "B: +$25 at Opening, +$53 at the end; none sold." in told.sentence


def test_quantities_beside_the_number_that_keeps_a_price(folder):
    shown = gather(folder)
    assert shown.tables[0].neutral(Material.X) == 10
    assert shown.tables[0].neutral(Good.A) == 5.5
    told = quantities_told(shown)
    assert told.sentence == (
        "A table offers 1.0 A, 0.0 B and 0.0 C a month; a price stays at 5 to 6. "
        "A table orders 12.0 X-FINE, 1.0 FINE and 0.0 STANDARD a month; a price stays at 10."
    )
    assert [shape.y0 for shape in told.figure.layout.shapes] == [5.5, 5.5, 5.5, 10, 10, 10]


@pytest.mark.parametrize(
    ("months", "first", "others"),
    [
        (2, "Open Jan Feb", "Open Jan Feb"),
        (3, "Open Feb Mar", "Feb Mar"),
        (6, "Open Mar Jun", "Mar Jun"),
        (12, "Open Jun Dec", "Jun Dec"),
    ],
)
def test_months_are_named_below_every_chart(tmp_path, months, first, others):
    played(months=months).save(tmp_path / "a.jsonl")
    figure = prices_told(gather(tmp_path)).figure
    names = [" ".join(figure.layout[f"xaxis{n}"].ticktext) for n in (1, 2, 3)]
    assert names == [first, others, others]
    figure = quantities_told(gather(tmp_path)).figure
    assert figure.layout.xaxis.ticktext[0] == "Jan"


def test_no_level_where_no_number_keeps_a_price(tmp_path):
    rules = {"goods_calculator": {"per_unit": 0}}
    played(**rules).save(tmp_path / "a.jsonl")
    told = quantities_told(gather(tmp_path))
    assert "A table offers 1.0 A, 0.0 B and 0.0 C a month. A table orders" in told.sentence
    assert len(told.figure.layout.shapes) == 3


def test_profit_by_firm_and_by_table(folder):
    shown = gather(folder)
    assert "Ann (Table 2): goods sold above cost +$20" in profits_told(shown).sentence
    assert tables_told(shown).sentence == (
        "Table 2: +$10 a firm, from $0 to +$20. Table 10: +$7 a firm so far, from $0 to +$20."
    )


def test_treatments_are_averaged_apart(folder):
    played(("Fay", "Gus"), materials_calculator={"at_zero": -6}).save(
        folder / "c.jsonl", **{"class": "11b", "table": 3, "treatment": "calm"}
    )
    shown = debrief(folder)
    assert '"calm" (Table 3), changed from the printed game: Market Calculator, materials.' in str(
        shown.head
    )
    thick = [t for t in prices_told(shown.played).figure.data if t.mode == "lines+markers"]
    fine = {t.hovertext[0].split(",")[1]: (t.y[1], t.line.dash) for t in thick if t.xaxis == "x5"}
    assert fine == {" no treatment": (21, "solid"), " calm": (25, "dash")}
    assert [t.name for t in thick if t.showlegend] == ["no treatment", "calm"]


def test_tables_that_differ_are_compared_with_care(folder):
    assert "compare their places with care" in debrief(folder).profit.html
    assert "compare their places" not in debrief(folder / "a.jsonl").profit.html


# -- pseudonyms ----------------------------------------------------------------------------------


def test_pseudonyms_replace_people_everywhere_and_stay_the_same(folder):
    (folder / "Zoe and Ann.jsonl").write_text('{"Zoe": 1}\n')
    shown = debrief(folder, pseudonyms=True)
    everything = str(shown) + shown.html().split("<script>")[0]
    for name in ("Ann", "Cy", "Dee", "Eve", "Zoe"):
        assert not re.search(rf"\b{name}\b", everything)
    assert [firm.label for firm in shown.played.firms][:2] == ["Pupil 1 (Table 1)", "Ben (Table 1)"]
    assert shown.played.tables[1].game.players == ("Pupil 2", "Pupil 3", "Pupil 4")
    assert "1 file is left out; without pseudonyms you read which" in everything
    assert str(debrief(folder, pseudonyms=True)) == str(shown)


def test_a_bot_that_has_a_pseudonym_for_a_name(tmp_path):
    played(("Ann", "Pupil 1")).save(tmp_path / "a.jsonl", bots={"Pupil 1": "easy"})
    assert gather(tmp_path, pseudonyms=True).tables[0].game.players == ("Pupil 1 (2)", "Pupil 1")


EXPORT = (
    ("First", "Table 2", (["Zoe"], ["Ann"]), {"Zoe": "Pupil 4", "Ann": "Pupil 2"}),
    (
        "Second",
        "Table 1",
        (["Ana", "Bo"], ["Ben"], []),
        {"Ben": "Pupil 5", "Ana": "Pupil 3", "Bo": "Pupil 1"},
    ),
)
"""An exported class: each table's name and number, who sits where, and their pseudonyms.

In the order of joining; nobody means a bot.
"""


def exported(folder, hidden):
    """Write the records of `EXPORT`, with pseudonyms in the order of these if names are hidden."""
    folder.mkdir()
    for file, (name, number, seats, pupils) in enumerate(EXPORT):
        called = {pupil: pupils[pupil] if hidden else pupil for pupil in pupils}
        places = {}
        for seat in filter(None, seats):
            people = [called[pupil] for pupil in seat]
            people = sorted(people) if hidden else people
            places[" & ".join(people)] = people
        bots = {"Bot 1": "easy"} if [] in seats else {}
        played((*places, *bots), months=file + 1).save(
            folder / f"{file}.jsonl",
            table=number if hidden else name,
            places=places,
            bots=bots,
            pseudonyms={
                "table": number,
                "pupils": {called[pupil]: given for pupil, given in pupils.items()},
            },
            **{"class": "11b"},
        )
    return folder


def test_pseudonyms_are_those_of_the_export_in_their_own_order(tmp_path):
    shown = debrief(exported(tmp_path / "named", False), pseudonyms=True)
    assert [table.name for table in shown.played.tables] == ["Table 1", "Table 2"]
    first, second = shown.played.tables
    assert first.game.players == ("Bot 1", "Pupil 1 & Pupil 3", "Pupil 5")
    assert second.game.players == ("Pupil 2", "Pupil 4")
    # Zoe and "Ana & Bo" sat first and made the A.
    assert {split.player: split.profit for table in (first, second) for split in table.splits} == {
        "Bot 1": 0, "Pupil 1 & Pupil 3": 20, "Pupil 5": 0, "Pupil 2": 0, "Pupil 4": 20,
    }  # fmt: skip
    # One record of the class gives the same pupil the same name.
    (alone,) = debrief(tmp_path / "named" / "0.jsonl", pseudonyms=True).played.tables
    assert (alone.name, alone.game.players) == ("Table 2", ("Pupil 2", "Pupil 4"))
    # Twice replaced is as once.
    assert str(shown.without_names()) == str(shown)


def test_an_export_with_pseudonyms_is_known_and_shown_as_the_one_with_names(tmp_path, monkeypatch):
    hidden = debrief(exported(tmp_path / "hidden", True))
    named = debrief(exported(tmp_path / "named", False))
    assert "People's names are replaced." in str(hidden.head)
    assert "replaced" not in str(named.head)
    assert str(hidden) == str(named.without_names())
    monkeypatch.chdir(tmp_path)
    assert hidden.save().path.name == "debrief-11b-pseudonyms.html"
    # It is the same page, so it replaces it.
    assert named.without_names().save().path.name == "debrief-11b-pseudonyms.html"
    # The files of an export are not called after people, and are named.
    (tmp_path / "hidden" / "3.jsonl").write_text("{}\n")
    again = debrief(tmp_path / "hidden")
    assert "3.jsonl is left out." in str(again.head)
    assert "1 file is left out" in str(again.without_names().head)


@pytest.mark.parametrize(
    "pseudonyms",
    [
        {"table": "Table 9", "pupils": {"Ann": "Ann", "Ben": "Pupil 7"}},
        {"table": "Ann", "pupils": {"Ann": "Pupil 8", "Ben": "Pupil 7"}},
        {"table": "Table 9", "pupils": {"Ben": "Pupil 7"}},
        {"table": "Table 9", "pupils": ["Ann"]},
        "x",
    ],
)
def test_what_is_no_pseudonym_is_not_shown_for_one(tmp_path, pseudonyms):
    played().save(tmp_path / "a.jsonl", pseudonyms=pseudonyms)
    (table,) = gather(tmp_path, pseudonyms=True).tables
    assert (table.name, table.game.players) == ("Table 1", ("Pupil 1", "Pupil 2"))


def test_places_that_name_nobody_have_no_pseudonym(tmp_path):
    places = {"Ann": [None, {}], "Ben": []}
    played().save(tmp_path / "a.jsonl", places=places, pseudonyms={"table": "Table 2"})
    (table,) = gather(tmp_path, pseudonyms=True).tables
    assert (table.name, table.game.players) == ("Table 1", ("Pupil 1", "Pupil 2"))


def test_a_record_without_the_exports_pseudonyms_takes_numbers_that_are_free(tmp_path):
    exported(tmp_path / "named", False)
    played(("Eve", "Fay")).save(tmp_path / "named" / "2.jsonl", table="A", **{"class": "11b"})
    *_, last = gather(tmp_path / "named", pseudonyms=True).tables
    assert (last.name, last.game.players) == ("Table 3", ("Pupil 6", "Pupil 7"))


# -- hostile names -------------------------------------------------------------------------------


@pytest.fixture
def nasty(tmp_path):
    played((NASTY, "=1+1", "$x$")).save(
        tmp_path / "a.jsonl",
        bots={"=1+1": NASTY},
        treatment=NASTY,
        table="$x$ <img src=x onerror=alert(1)>",
        **{"class": f"</title>{NASTY}"},
    )
    played(("{units}", "</style><b>"), months=2).save(
        tmp_path / "b.jsonl", table="</script>", treatment="$t$", **{"class": f"</title>{NASTY}"}
    )
    return debrief(tmp_path)


def test_names_are_text_in_the_page(nasty):
    html = nasty.html()
    head, charts, *_ = re.split(r'<script type="application/json" id="charts">', html)
    assert "<script" not in head
    assert "<img" not in head
    assert "</style><b>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in head
    # One block of data, Plotly, and the few lines that draw.
    data = charts.split("</script>")[0]
    assert "<" not in data
    assert len(json.loads(data)) == 6
    assert "{units}" in head  # a name is no place for a number


def test_names_are_text_in_charts_and_begin_no_formula(nasty):
    for told in (
        prices_told, quantities_told, margins_told, bids_told, tables_told,
    ):  # fmt: skip
        figure = told(nasty.played).figure.to_plotly_json()
        texts = [note["text"] for note in figure["layout"]["annotations"] or ()]
        for trace in figure["data"]:
            texts += [trace.get("name") or "", *(trace.get("hovertext") or ())]
        assert any("&#36;" in text for text in texts)
        for text in texts:
            assert not re.search(r"<(?!/?b>|br>)", text)
            assert "$" not in text


def test_names_are_text_in_a_notebook(nasty, capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append(bundle))
    nasty._ipython_display_()
    pages = [bundle["text/html"] for bundle in shown if "text/html" in bundle]
    assert len(shown) > 12
    for page in pages:
        assert page.startswith('<div class="mathjax_ignore">')
        assert "<script" not in page
        assert "<img" not in page


# -- the page ------------------------------------------------------------------------------------


def test_the_page_asks_nobody_for_anything(folder):
    html = debrief(folder).html()
    ours = re.sub(r"(?s)<script>.*?</script>", "", html)
    assert not re.search(r"(?i)https?:|src=|href=|@import|url\(", ours)
    assert "default-src 'none'" in ours
    assert html.count("plotly.js v") <= 2
    assert 3_000_000 < len(html) < 6_000_000


def test_saving_replaces_a_debrief_and_nothing_else(folder, tmp_path):
    shown = debrief(folder)
    file = tmp_path / "page.html"
    for _ in range(2):
        saved = shown.save(file)
        assert repr(saved).startswith(f"{shown.head.title}.\nSaved in {file} (")
    assert file.read_text("utf-8") == shown.html()
    other = tmp_path / "mine.html"
    other.write_text("my homework")
    with pytest.raises(RecordError, match="is there already and is no debrief of this class"):
        shown.save(other)
    assert other.read_text() == "my homework"
    for another in (debrief(folder / "a.jsonl"), shown.without_names()):
        with pytest.raises(RecordError, match="is there already and is no debrief of this class"):
            another.save(file)
    assert file.read_text("utf-8") == shown.html()
    with pytest.raises(RecordError, match="cannot be written: there is no folder"):
        shown.save(tmp_path / "nowhere" / "page.html")


def test_a_page_has_its_class_for_a_name_and_leaves_what_is_there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    shown = debrief(folder)
    assert [shown.save().path.name for _ in range(2)] == ["debrief-11b.html"] * 2
    assert shown.without_names().save().path.name == "debrief-11b-pseudonyms.html"
    (folder / "other").mkdir()
    played(("Fay", "Gus")).save(folder / "other" / "a.jsonl", **{"class": "11b"})
    # Another lesson of a class that has the same name.
    for _ in range(2):
        assert debrief(folder / "other").save().path.name == "debrief-11b-other.html"
    (folder / "other" / "records").mkdir()
    played(("Gil", "Hal")).save(folder / "other" / "records" / "a.jsonl", **{"class": "11b"})
    again = debrief(folder / "other" / "records")
    assert again.save().path.name == "debrief-11b-other-2.html"
    (folder / "other").rename(folder / "Lesson 2-pseudonyms")
    again = debrief(folder / "Lesson 2-pseudonyms" / "records").without_names()
    assert again.save().path.name == "debrief-11b-Lesson-2-pseudonyms.html"
    one = debrief(folder / "b.jsonl")
    assert one.save().path.name == "debrief-11b-Table-10.html"
    assert one.without_names().save().path.name == "debrief-11b-Table-1-pseudonyms.html"
    assert (folder / "debrief-11b.html").read_text("utf-8") == shown.html()


def test_a_class_that_has_played_on_replaces_its_debrief(tmp_path):
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 45))
    game.order("Ben")
    game.save(tmp_path / "a.jsonl", **{"class": "11b"})
    debrief(tmp_path).save(tmp_path / "page.html")
    game.offer("Ann")
    game.offer("Ben")
    game.save(tmp_path / "a.jsonl", **{"class": "11b"})
    shown = debrief(tmp_path)
    shown.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == shown.html()


def test_every_chart_can_be_sent(folder):
    for part in debrief(folder).parts:
        if part.told:
            bundle = chart_bundle(part.told.figure, part.told.sentence)
            assert len(json.dumps(bundle)) < 40_000
            assert part.told.sentence in bundle["text/plain"]


def test_a_large_class_stays_short(tmp_path):
    for number in range(30):
        played((f"Ann {number}", f"Ben {number}")).save(tmp_path / f"{number}.jsonl")
    shown = debrief(tmp_path)
    assert "All 60 firms" in shown.profit.html
    assert len(shown.profit.told.figure.data[0].x) == 16
    assert "<details><summary>Table by table" in shown.turning_points.html
    faint = {t.opacity for t in prices_told(shown.played).figure.data if t.mode == "lines"}
    assert faint == {0.4}
    # Bids that lie at one place are one mark.
    assert len(bids_told(shown.played).figure.data[0].x) == 2


def test_text_needs_no_notebook(folder):
    shown = debrief(folder)
    assert isinstance(shown, Debrief)
    assert repr(shown) == "<Debrief of 11b: 2 tables, 5 firms, 1 or 2 months>"
    assert str(shown.prices).startswith(
        "Prices\nPosted prices, from Opening to January. On average over 2 tables: goods A $140 "
    )


# -- the example and its notebook ----------------------------------------------------------------


def test_the_example_is_what_the_engine_plays():
    committed = {path.name: path.read_text("utf-8") for path in class_example.FOLDER.iterdir()}
    assert committed == dict(class_example.records())


def test_the_notebook_is_committed_clean_and_short():
    text = NOTEBOOK.read_text("utf-8")
    assert len(text.encode()) < 100_000
    cells = json.loads(text)["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    checked = 0
    for cell in cells:
        if cell["cell_type"] == "code":
            assert len(cell["source"]) == 1
            assert cell["execution_count"] is None
            tags = cell["metadata"].get("tags", [])
            checked += "nbval-check-output" in tags
            assert bool(cell["outputs"]) is ("nbval-check-output" in tags)
    assert checked >= 5


def test_one_line_of_the_notebook_says_which_class_it_shows():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert [line for line in code if '"' in line] == ['ours = debrief("class_example")']
    assert code[1].startswith("ours = ")


def test_the_kit_copies_the_folder_of_records(tmp_path):
    from exdec.own_copy import working_copy

    folder, _ = working_copy(tmp_path)
    copy = folder / "notebooks" / "instructor" / "class_example"
    assert debrief(copy).head.title == "Economics 11b: 4 tables, 16 firms, 6 months"
