import asyncio
import json
import re
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from pathlib import Path

import pytest
from class_server import Hosted, hosted
from ipywidgets import Button
from ipywidgets.widgets.widget import _instances

from exdec.bots import LEVELS
from exdec.classroom import host as host_cell
from exdec.classroom.client import GONE, NO_SERVER, Client
from exdec.classroom.controls import CONTROLS
from exdec.classroom.panel import HostPanel
from exdec.classroom.panel.board import board_chart, board_html, clock, people_html, where
from exdec.classroom.panel.controls import CLOCK, ELSEWHERE, EVERY_TABLE, FOLDED, LAST
from exdec.classroom.panel.open import Setup, summary
from exdec.classroom.seating import Rest
from exdec.classroom.settings import ClassSettings, Treatment
from exdec.classroom.store import Store
from exdec.debrief import debrief
from exdec.notebook.clicks import Press
from exdec.notebook.live import PLOTLY
from exdec.notebook.stage import widgets_of


@dataclass
class Room:
    """A server, a panel that shows it, and ways to use both as people do."""

    host: Hosted
    panel: HostPanel

    @property
    def running(self):
        return self.panel.running

    def widgets(self):
        return list(widgets_of(self.panel.widget))

    def button(self, label):
        """The button of that label; the one that is shown, if there are more."""
        found = [
            one for one in self.widgets() if isinstance(one, Button) and one.description == label
        ]
        return next((one for one in found if one.layout.display != "none"), found[0])

    def click(self, label):
        """Click, and let the page echo as JupyterLab does."""
        self.button(label).click()
        for press in PRESSES:
            press.echo.value = press.ask.value

    def text(self):
        """Everything that is written anywhere in the panel."""
        return unescape(" ".join(str(getattr(one, "value", "")) for one in self.widgets()))

    def look(self):
        self.running.look()


pytestmark = pytest.mark.slow  # each has a server and a whole panel of its own

PRESSES: list[Press] = []


@pytest.fixture(autouse=True)
def _presses(monkeypatch):
    made = Press.__init__

    def remember(self, *args):
        made(self, *args)
        PRESSES.append(self)

    monkeypatch.setattr(Press, "__init__", remember)
    yield
    PRESSES.clear()


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with hosted(tmp_path) as one:
        yield Room(one, HostPanel(Client(one.url.removesuffix("exdec/"), one.server.secret)))


@pytest.fixture
def room(empty):
    """A class in the lobby, with four pupils."""
    setup = empty.panel.setup
    setup.title.value, setup.seconds.value, setup.size.value = "Year 11", "0", 2
    setup.months.value = 2
    empty.click("Open the class")
    for name in ("Ann", "Ben", "Cy", "<i>Dee</i>"):
        empty.host.join(name)
    empty.look()
    return empty


@pytest.fixture
def begun(room):
    room.click("Start the game")
    return room


# -- opening -------------------------------------------------------------------------------------


def test_without_a_server_the_cell_says_what_is_missing(monkeypatch):
    monkeypatch.delenv("EXDEC_KERNEL_URL", raising=False)
    panel = host_cell()
    assert NO_SERVER in unescape(panel.message.value)
    assert 'role="alert"' in panel.message.value
    assert panel.running is None


def test_what_is_chosen_is_what_is_opened(empty):
    setup = empty.panel.setup
    setup.title.value = "Year 11"
    setup.size.value = 3
    setup.rest.value = "share"
    setup.months.value = 4
    setup.seconds.value = "45"
    setup.pace.value = True
    setup.level.value = "hard"
    setup.absent.value = 0
    setup.rules.game.value = "Variation"
    setup.rules.fields["starting_cash"].value = "900, 700, 450, 350, 300"
    setup.names.value = "Name;Group\nAnn;red\nBen;blue"
    empty.click("Open the class")
    made = empty.host.room.settings
    assert (made.title, made.size, made.rest, made.months) == ("Year 11", 3, Rest.SHARE, 4)
    assert (made.seconds, made.together, made.level, made.absent_after) == (45, True, "hard", 0)
    assert made.rules["partial_buys"] is made.rules["partial_sales"] is True
    assert made.rules_of(None).starting_cash.at(3) == 700
    assert [tuple(one) for one in made.roster] == [("Ann", "red"), ("Ben", "blue")]
    assert made.treatments == ()


def test_nothing_changed_is_the_standard_class(empty):
    empty.click("Open the class")
    assert empty.host.room.settings == ClassSettings()


def test_seats_can_be_drawn_by_lot(empty):
    setup = empty.panel.setup
    assert "lot" not in setup.summary.value
    setup.draw.value = True
    assert "Seats are drawn by lot." in setup.summary.value
    empty.click("Open the class")
    assert empty.host.room.settings == ClassSettings(draw=True)


def test_two_groups_of_tables_play_different_games(empty):
    setup = empty.panel.setup
    setup.compare.value = True
    short, other = setup.variants
    short.name.value, short.months.value = "short", 3
    other.rules.fields["materials_floor"].value = "5"
    assert "short" in setup.summary.value
    empty.click("Open the class")
    made = empty.host.room.settings
    assert [one.name for one in made.treatments] == ["short", "B"]
    rules = [made.rules_of(one) for one in made.treatments]
    assert [one.months for one in rules] == [3, 6]
    assert [one.partial_buys for one in rules] == [False, True]
    assert [one.materials_floor for one in rules] == [1, 5]


def test_both_groups_begin_with_what_was_chosen_before():
    setup = Setup(lambda settings: None)
    setup.months.value = 2
    setup.rules.game.value = "Variation"
    setup.rules.fields["materials_floor"].value = "5"
    setup.compare.value = True
    treatments = setup.settings.treatments
    rules = [setup.settings.rules_of(one) for one in treatments]
    assert [one.months for one in rules] == [2, 2]
    assert [one.partial_buys for one in rules] == [True, False]
    assert [one.materials_floor for one in rules] == [5, 5]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda setup: setattr(setup.seconds, "value", "soon"), "'soon' is not a number"),
        (lambda setup: setattr(setup.seconds, "value", "3"), "at least 5"),
        (lambda setup: setattr(setup.expected, "value", "-1"), "below 0"),
        (lambda setup: setattr(setup.expected, "value", "99999"), "takes 1,200 pupils at the most"),
        (lambda setup: setattr(setup.names, "value", "Name, Group"), "no names"),
        (
            lambda setup: setattr(setup.rules.fields["goods_floor"], "value", "x"),
            "Lowest price of goods: 'x' is not a whole number.",
        ),
    ],
)
def test_what_does_not_go_is_said_and_nothing_is_opened(empty, change, said):
    change(empty.panel.setup)
    assert said in unescape(empty.panel.setup.summary.value)
    assert empty.panel.setup.open.disabled
    assert empty.host.server.room is None


def upload(setup, name, data):
    setup.file.value = (
        {
            "name": name,
            "type": "text/csv",
            "size": len(data),
            "content": memoryview(data),
            "last_modified": datetime(2026, 1, 1),
        },
    )
    assert setup.file.value == ()


def test_a_file_of_names_is_read_into_the_field():
    setup = Setup(lambda settings: None)
    upload(setup, "names.csv", "Zoë\nAnn\n".encode("cp1252"))
    assert setup.names.value == "Zoë\nAnn\n"
    assert "2 names, 1 table of 4" in setup.preview.value


def test_a_file_without_names_leaves_those_that_are_there():
    setup = Setup(lambda settings: None)
    setup.names.value = "Ann"
    upload(setup, "empty.csv", b"\n\n")
    assert setup.names.value == "Ann"
    assert "The roster is empty." in unescape(setup.answer.said.value)


def test_the_preview_shows_names_and_groups_as_they_are_understood():
    setup = Setup(lambda settings: None)
    setup.names.value = "Nachname;Vorname;Klasse\nLee;Ann;10a\nLee;Ann;10b\n<b>;Cy;10b"
    assert "3 names in 2 groups" in setup.preview.value
    assert "Read as: Ann Lee (10a), Ann Lee 2 (10b), Cy &lt;b&gt; (10b)." in setup.preview.value
    assert "there is a number: Ann Lee 2." in setup.preview.value


def test_a_workbook_of_names_is_refused_and_the_field_stays():
    setup = Setup(lambda settings: None)
    setup.names.value = "Ann"
    upload(setup, "names.xlsx", b"PK\x03\x04\0")
    assert "This is a workbook" in setup.answer.said.value
    assert setup.names.value == "Ann"


def test_the_summary_counts_as_the_class_seats():
    for rest in Rest:
        for pupils in (1, 2, 5, 27):
            names = [f"Pupil {one}, {'ab'[one % 2]}".split(", ") for one in range(pupils)]
            settings = ClassSettings(size=4, rest=rest, roster=names)
            tables = sum(map(int, re.findall(r"(\d+) tables? of", summary(settings, pupils))))
            assert tables == len(settings_tables(settings))
    assert "1 place is shared" in summary(ClassSettings(rest="share"), 5)
    assert "where bots play at 3 places" in summary(ClassSettings(), 5)
    compared = ClassSettings(treatments=[Treatment("A", {}), Treatment("B", {"months": 2})])
    assert "2 tables as A and 1 table as B" in summary(compared, 12)
    assert "2 or 6 months" in summary(compared, 12)


def settings_tables(settings):
    """The tables as a room seats them."""
    from tempfile import TemporaryDirectory

    from class_room import opened

    with TemporaryDirectory() as folder:
        from pathlib import Path

        room = opened(Path(folder), roster=settings.roster, rest=settings.rest, size=settings.size)
        desks = list(room.desks)
        room.store.close()
    return desks


# -- running -------------------------------------------------------------------------------------


def test_the_lobby_shows_code_links_and_names(room):
    text = room.text()
    code = room.host.room.code
    assert f"{code[:3]} {code[3:]}" in text
    key = room.host.room.host_key
    assert f'href="/exdec/host#k={key}&view=projector"' in text
    assert "4 pupils in the class" in text
    assert "<i>Dee" not in " ".join(
        str(one.value) for one in room.widgets() if hasattr(one, "value")
    )


def test_every_control_of_the_server_has_its_place():
    placed = {
        one for rows in (CLOCK, *FOLDED.values(), LAST, (ELSEWHERE,)) for row in rows for one in row
    }
    assert placed == {*CONTROLS, "room", "delete"}


def test_months_places_and_bots_are_chosen_anew_until_the_start(room):
    chosen = {one.description: one for one in room.widgets() if hasattr(one, "options")}
    assert chosen["Months of the game"].value == 2
    row = next(row for row in room.running.controls._rows if "settings" in row.buttons)
    assert {name: one.value for name, one in row.fields.items()} == {
        "months": 2,
        "size": 2,
        "level": "medium",
    }
    row.fields["level"].value = "hard"
    room.click("Set these")
    assert "Chosen: 2 months, 2 places at a table, hard bots." in room.text()
    assert room.host.room.settings.level == "hard"
    # What another page sets is shown here, but for what is chosen here and not set yet.
    row.fields["level"].value = "easy"
    room.host.do("settings", months=5, level="medium")
    room.look()
    assert {name: one.value for name, one in row.fields.items()} == {
        "months": 5,
        "size": 2,
        "level": "easy",
    }
    # Nor is put back what another page has set since the last look.
    room.host.do("settings", months=3)
    room.click("Set these")
    assert "Chosen: 3 months, 2 places at a table, easy bots." in room.text()
    assert row.fields["months"].value == 3
    room.click("Set these")
    assert "Choose other months, places or bots first." in room.text()
    assert room.host.room.settings.months == 3
    room.click("Start the game")
    assert row.widget.layout.display == "none"


def test_going_back_names_the_month_or_step_in_its_question_and_its_button(begun):
    for _ in range(2):
        begun.host.do("close")
    begun.look()
    begun.click("Undo a month")
    assert "All tables: January. Go back" in begun.text()
    begun.button("Undo January")
    begun.host.do("close", table=0)
    begun.look()
    begun.click("Open the last step again")
    assert "All tables: February, materials; January, goods. Open" in begun.text()
    begun.button("Open it again")


def test_a_control_that_the_panel_does_not_know_is_there_all_the_same(begun, monkeypatch):
    from exdec.classroom.controls import Control

    monkeypatch.setitem(
        CONTROLS,
        "sing",
        Control("Sing", ("text",), lambda room, text: {"text": text}, any_time, ""),
    )
    begun.panel.look()
    assert begun.button("Sing").layout.display != "none"


def any_time(_room):
    return True


def test_what_is_destroyed_is_asked_for_first(begun):
    begun.click("Close the step now")
    assert "All tables: Close the step now?" in begun.text()
    assert not any(desk.lines for desk in begun.host.room.desks)
    begun.click("Cancel")
    assert not any(desk.lines for desk in begun.host.room.desks)
    begun.click("Close the step now")
    begun.click("Close it now")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [1, 1]
    assert "Closed at 2 tables." in begun.text()


def test_what_was_done_can_be_taken_back(begun):
    begun.click("Close the step now")
    begun.click("Close it now")
    begun.click("Take it back")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [0, 0]
    begun.click("Take it back")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [1, 1]


def row_of(room, label):
    return next(
        row
        for row in room.running.controls._rows
        if label in {b.description for b in row.buttons.values()}
    )


def test_one_table_alone_is_closed(begun):
    row_of(begun, "Close the step now").fields["table"].value = 1
    begun.click("Close the step now")
    assert "Table 2: Close the step now?" in begun.text()
    begun.click("Close it now")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [0, 1]


def test_a_pupil_is_renamed_moved_and_sent_out(begun):
    people = begun.host.room.pupils
    row = row_of(begun, "Rename")
    row.fields["pupil"].value = 1
    row.fields["name"].value = "Anna"
    begun.click("Rename")
    assert people[1].name == "Anna"
    assert row.fields["name"].value == ""
    row = row_of(begun, "Move to another place")
    row.fields["pupil"].value, row.fields["place"].value = 1, (1, 0)
    begun.click("Move to another place")
    assert (people[1].table, people[1].firm) == (1, 0)
    row_of(begun, "Send out").fields["pupil"].value = 1
    begun.click("Send out")
    assert "Anna: Send this pupil out?" in begun.text()
    answer = row_of(begun, "Let in again")._answer
    answer.yes.click()
    assert people[1].out
    answer.back.click()
    assert not people[1].out


def choices(room, label):
    """Every list of choices with that label; one that stands in two places is one."""
    return {
        id(one): one for one in room.widgets() if getattr(one, "description", "") == label
    }.values()


def test_one_choice_of_a_pupil_holds_for_all_that_is_done_to_one(begun):
    people, desks = begun.host.room.pupils, begun.host.room.desks
    (pupil,) = choices(begun, "Pupil")
    pupil.value = 2
    row_of(begun, "Rename").fields["name"].value = "Benno"
    begun.click("Rename")
    assert [one.name for one in people.values()][:2] == ["Ann", "Benno"]
    assert pupil.value == 2
    begun.click("A bot plays")
    assert "A bot plays for Benno." in begun.text()
    assert [place.bot for place in desks[0].places] == [None, LEVELS["medium"]]
    begun.click("Give the seat back")
    assert [place.bot for place in desks[0].places] == [None, None]
    begun.click("Send out")
    assert "Benno: Send this pupil out?" in begun.text()
    begun.click("Cancel")
    # Someone who has no seat has none that a bot could play.
    begun.host.do("kick", pupil=2)
    begun.look()
    begun.click("A bot plays")
    assert "Benno has no seat. Choose another pupil." in begun.text()


def test_one_choice_of_a_table_holds_for_the_clock_and_for_going_back(begun):
    for _ in range(2):
        begun.host.do("close")
    begun.look()
    (where,) = choices(begun, "Where")
    where.value = 1
    begun.click("Undo a month")
    assert "Table 2: January. Go back" in begun.text()
    begun.click("Undo January")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [2, 0]
    # Where one row has no use for it, the other still has.
    begun.host.do("end")
    begun.look()
    assert row_of(begun, "Undo a month").usable
    assert where.layout.display != "none"


def shown(button):
    return button.layout.display != "none"


def test_what_can_be_taken_back_no_more_is_not_offered(begun):
    clock = begun.running.controls.answer
    begun.click("Close the step now")
    begun.click("Close it now")
    begun.look()
    assert shown(clock.back)
    # Another table's pupils, or the clock, settle the next step: to go back is another thing now.
    begun.host.do("close", table=1)
    begun.look()
    assert not shown(clock.back)
    assert clock.said.value == ""
    back = row_of(begun, "Undo a month")._answer
    row_of(begun, "Undo a month").fields["table"].value = 0
    begun.click("Undo a month")
    back.yes.click()
    assert "Undone at Table 1." in back.said.value
    begun.host.do("close", table=1)
    begun.look()
    assert shown(back.back)
    begun.host.do("close", table=0)
    begun.look()
    assert back.said.value == ""


def test_there_is_one_way_back_that_of_what_was_done_last(begun):
    clock = begun.running.controls.answer
    begun.click("Close the step now")
    begun.click("Close it now")
    assert shown(clock.back)
    row = row_of(begun, "Undo a month")
    row.fields["table"].value = 0
    begun.click("Undo a month")
    row._answer.yes.click()
    assert shown(row._answer.back)
    assert clock.said.value == ""


def test_undoing_is_taken_back_only_where_something_was_undone(begun):
    begun.host.do("close")
    begun.host.do("reopen", table=1)
    begun.look()
    row = row_of(begun, "Take the undoing back")
    offered = {}
    for table in (EVERY_TABLE, 0, 1):
        row.fields["table"].value = table
        offered[table] = shown(begun.button("Take the undoing back"))
    assert offered == {EVERY_TABLE: True, 0: False, 1: True}


def test_a_tally_that_is_settled_is_not_taken_back(begun):
    paper = begun.running.paper
    begun.click("Hand in")
    begun.click("Hand in a pass")
    assert shown(paper.answer.back)
    begun.click("Hand in")
    begun.click("Hand in a pass")  # Ben's, with which the step is settled
    assert "Handed in for Ben." in paper.answer.said.value
    assert not shown(paper.answer.back)
    begun.click("Hand in")
    begun.click("Hand in a pass")
    begun.look()
    assert shown(paper.answer.back)
    begun.host.do("close")
    begun.look()
    assert paper.answer.said.value == ""


def test_that_nobody_is_here_is_not_said_once_somebody_is(empty):
    empty.click("Open the class")
    empty.click("Start the game")
    assert "Nobody has joined yet. Wait" in empty.text()
    empty.host.join("Ann")
    empty.look()
    assert "Nobody has joined yet" not in empty.text()


def test_it_is_said_that_a_bot_comes_only_for_who_is_away(empty):
    assert "Away is who has the page closed." in empty.text()


def test_errors_are_sentences_beside_the_button(begun):
    row = row_of(begun, "More time")
    row.fields["seconds"].value = "many"
    begun.click("More time")
    assert "Seconds more: 'many' is not a number" in unescape(row._answer.said.value)
    row.fields["seconds"].value = "30"
    begun.click("More time")
    assert "No clock is running that could be given more time." in row._answer.said.value
    assert 'role="alert"' in row._answer.said.value


def test_an_error_that_nobody_foresaw_is_a_sentence_too(begun, monkeypatch):
    monkeypatch.setattr(begun.panel.client, "do", lambda *_, **__: 1 / 0)
    begun.click("Pause")
    assert "This did not work (ZeroDivisionError" in begun.text()


def test_standings_are_shown_when_everyone_may_see_them(begun):
    assert begun.running.standings.value == ""
    begun.click("Show the standings")
    assert "Standings" in begun.running.standings.value
    begun.click("Hide the standings")
    assert begun.running.standings.value == ""


# -- paper ---------------------------------------------------------------------------------------


def held(room):
    """The state of every widget that there is, without ids, which may have any digits in them."""
    states = json.dumps([one.get_state() for one in _instances.values()], default=repr)
    return re.sub(r"IPY_MODEL_\w+|0x\w+", "", states)


def test_a_paper_tally_is_handed_in_and_leaves_the_widgets(begun):
    paper = begun.running.paper
    paper.place.value = (0, 1)
    for (units, price), typed in zip(
        list(paper.fields.values())[:3], ("73911", "", ""), strict=True
    ):
        units.value, price.value = typed and "2", typed
    begun.click("Hand in")
    assert "Handed in for Ben." in paper.answer.said.value
    assert begun.host.room.desks[0].sealed[1].bids == {"X": [2, 73911]}
    assert "73911" not in held(begun)
    assert (0, 1) not in [place for _, place in paper.place.options]
    paper.answer.back.click()
    assert 1 not in begun.host.room.desks[0].sealed


def test_a_paper_tally_with_a_mistake_stays(begun):
    paper = begun.running.paper
    x_units, x_price = next(iter(paper.fields.values()))
    x_units.value = "2"
    begun.click("Hand in")
    assert "X-FINE: 2 without a price." in paper.answer.said.value
    x_units.value, x_price.value = "99", "1"
    begun.click("Hand in")
    assert "99" in x_units.value
    assert "may order" in paper.answer.said.value
    begun.look()
    assert x_units.value == "99"


def test_an_empty_paper_tally_is_a_pass_once_that_is_said(begun):
    begun.click("Hand in")
    assert not begun.host.room.desks[0].sealed
    begun.click("Hand in a pass")
    assert begun.host.room.desks[0].sealed[0].bids == {}


def test_no_sealed_bid_reaches_the_panel(begun):
    keys = [begun.host.room.key(one) for one in begun.host.room.pupils.values()]
    seen = begun.host.say({"t": "hello", "key": keys[0]})
    bid = {
        "t": "bid",
        "key": keys[0],
        "id": "1" * 16,
        "turn": seen["turn"],
        "bids": {"X": [2, 48213]},
    }
    assert begun.host.say(bid)["ok"]
    begun.look()
    assert "✓ Ann" in begun.running.tables.value
    assert "48213" not in held(begun)
    assert "48213" not in json.dumps(begun.panel.client.state())


# -- prices --------------------------------------------------------------------------------------


def test_the_board_shows_one_table_or_the_average(begun):
    begun.click("Close the step now")
    begun.click("Close it now")
    assert "The average of 2 tables" in begun.running.board.value
    begun.running.prices.value = 1
    assert "The average" not in begun.running.board.value
    (output,) = begun.running._chart.widget.outputs
    traces = {one["name"]: one["y"] for one in output["data"][PLOTLY]["data"]}
    # Nobody ordered anything: −10 for each.
    assert traces["X-FINE"] == [40, 30]
    assert traces["A"] == [140]


BOARD = {
    "table": None,
    "tables": 2,
    "opening": [40, 30, 20, 140, 115, 90],
    "months": [
        {
            "m": 1,
            "prices": [41, 30, 20, None, None, None],
            "units": [12, 9, 8, *[None] * 3],
            "of": [1, 0],
        }
    ],
    "sentences": ["January, materials: Table 1 only", "X-FINE posts at $41."],
}


def test_averages_say_of_how_many_tables_they_are_and_no_movement():
    table = {"name": "Table 1", "turn": [1, "sell"], "over": False, "left": None}
    state = {"board": BOARD, "months": 3, "tables": [table]}
    shown = board_html(state)
    assert "average of 2 tables, to the dollar; January's materials of 1. Choose a table" in shown
    assert "X-FINE posts at $41." in shown
    chart = board_chart(state)
    assert "X-FINE $41, FINE $30, STANDARD $20." in chart["text/plain"]
    assert "X-FINE, January: $41" in json.dumps(chart[PLOTLY])
    told = shown + json.dumps(chart, ensure_ascii=False)
    assert not re.search(r"[+−]1\b|±0|units? ordered", told)
    # One table's own board says both.
    alone = {**state, "board": {**BOARD, "tables": 1, "sentences": []}}
    assert "average" not in board_html(alone)
    assert "X-FINE $41 (+1), FINE $30 (±0), STANDARD $20 (±0)" in board_html(alone)
    assert "12 units ordered, +1" in json.dumps(board_chart(alone)[PLOTLY])


def test_where_bots_play_every_place_it_is_said_what_goes_on(begun):
    assert "0 of 4 have handed in." in begun.text()
    for table in (0, 1):
        for firm in (0, 1):
            begun.host.do("bot", table=table, firm=firm)
    begun.look()
    assert "Bots play every place. Nothing goes on until you press Close the step now." in (
        re.sub("<.*?>", "", begun.text())
    )
    begun.host.do("close")
    begun.look()
    assert "January, materials" in begun.text()


def test_where_a_class_stands_in_words():
    def state(*turns, phase="running", left=(12.0,)):
        tables = [
            {"name": f"Table {at}", "turn": turn, "over": turn[1] == "over", "left": seconds}
            for at, (turn, seconds) in enumerate(zip(turns, left * len(turns), strict=False), 1)
        ]
        return {"phase": phase, "tables": tables}

    assert where(state(phase="lobby")) == "pupils join"
    assert where(state((2, "buy"))) == "February, orders for materials"
    assert where(state((2, "buy"), (2, "sell"))) == (
        "February, orders for materials and offers of goods"
    )
    assert where(state((1, "sell"), (3, "buy"), phase="paused")) == (
        "paused · January to March, each table at its own step"
    )
    assert where(state((3, "over"), phase="over")) == "the game is over"
    assert clock(state((1, "buy"), (1, "buy"), left=(61.0, 9.2))) == "0:10 left at Table 2"
    assert clock(state((1, "buy"), left=(None,))) == "no deadline"


def test_many_who_are_waited_for_are_counted():
    names = [f"Pupil {one}" for one in range(15)]
    state = {
        "phase": "running",
        "pupils": [{"out": False}] * 15,
        "tables": [{}],
        "counts": {"here": 15, "in": 0, "of": 15},
        "waiting": [{"table": "Table 1", "names": names}],
    }
    assert "Pupil 11 and 3 more." in people_html(state)


# -- following, and the end ------------------------------------------------------------------------


def test_it_follows_what_happens_elsewhere(room):
    room.host.join("Eve")
    asyncio.run(room.panel.follow())
    assert "5 pupils in the class" in room.text()


def test_a_server_that_is_gone_is_said_and_found_again(begun):
    url = begun.panel.client._url
    begun.panel.client._url = "http://127.0.0.1:9/exdec/"
    asyncio.run(begun.panel.follow())
    assert GONE in unescape(begun.running.lost.value)
    begun.panel.client._url = url
    asyncio.run(begun.panel.follow())
    assert begun.running.lost.value == ""


def test_a_kernel_that_starts_anew_finds_the_class_as_it_was(begun):
    again = HostPanel(begun.panel.client)
    assert again.running is not None
    assert "Year 11" in again.running.head.value
    assert "where the cell was run last" in begun.text()
    assert begun.panel.running is None


def test_a_class_is_closed_exported_and_discussed(begun, tmp_path):
    for _ in range(4):
        begun.click("Close the step now")
        begun.click("Close it now")
    assert "The game is over." in begun.text()
    begun.click("Close the class")
    assert "It cannot be opened again." in begun.text()
    begun.click("Really close it")
    assert begun.host.server.room is None
    assert "The class is closed." in begun.text()
    begun.panel.kept.export.pseudonyms.value = True
    begun.click("Export everything")
    told = begun.panel.kept.export.made.value
    (path,) = re.findall(r'debrief\("(.+?)"\)', told)
    assert f"<strong>{Path(path).resolve()}</strong>" in told
    assert "Pupil 1" in str(debrief(path).profit)
    assert "Ann" not in str(debrief(path).profit)
    begun.click("Export everything")
    assert "results-pseudonyms-2" in begun.panel.kept.export.made.value


def test_a_class_is_deleted_and_all_of_it_is_gone(begun, tmp_path):
    begun.click("Delete the class")
    begun.click("Really delete it")
    assert "is gone." in begun.text()
    assert list(tmp_path.glob("*.sqlite*")) == []


@pytest.mark.parametrize(
    ("ask", "really", "told"),
    [
        ("Delete the class", "Really delete it", "is gone."),
        ("Close the class", "Really close it", "The class is closed. Its file is"),
    ],
)
def test_who_looks_meanwhile_does_not_speak_over_the_answer(begun, monkeypatch, ask, really, told):
    running, state = begun.panel.running, begun.panel.client.state

    def looked_at_twice(*table):
        found = state(*table)
        if found["t"] != "state":
            running.update(found)
        return found

    monkeypatch.setattr(begun.panel.client, "state", looked_at_twice)
    begun.click(ask)
    begun.click(really)
    assert told in begun.text()


def test_a_class_that_was_closed_is_deleted_later(begun, tmp_path):
    begun.click("Close the class")
    begun.click("Really close it")
    begun.click("Delete it")
    assert list(tmp_path.glob("*.sqlite"))
    begun.click("Really delete it")
    assert list(tmp_path.glob("*.sqlite*")) == []
    assert "is gone." in begun.text()


@pytest.mark.parametrize("closed", [False, True])
def test_deleting_names_what_lies_elsewhere_with_names(begun, tmp_path, closed):
    file = begun.host.room.store.path
    for name in (f"{file.stem}-results", f"{file.stem}-results-pseudonyms", "class-results"):
        (file.parent / name).mkdir()
    for name in ("Year-11", "Year-11-2", "Year-11-pseudonyms", "Year-12"):
        Path(f"debrief-{name}.html").touch()
    Path(".ipynb_checkpoints").mkdir()
    for name in ("debrief.ipynb", ".ipynb_checkpoints/debrief-checkpoint.ipynb"):
        Path(name).write_text(json.dumps({"outputs": f"{file.stem}-results"}))
    Path("host.ipynb").write_text("{}")
    if closed:
        begun.click("Close the class")
        begun.click("Really close it")
    begun.click("Delete it" if closed else "Delete the class")
    names = [
        f"{tmp_path.name}/{one}"
        for one in (f"{file.stem}-results", "debrief-Year-11-2.html", "debrief-Year-11.html")
    ]
    names += [".ipynb_checkpoints/debrief-checkpoint.ipynb", f"{tmp_path.name}/debrief.ipynb"]
    told = f" Names are also in {', '.join(names)}. These are not deleted."
    assert f"bids and results?{told}" in begun.text().replace(
        " Every phone stops, and nothing can be exported any more.", ""
    )
    begun.click("Really delete it")
    assert f"{file.name} and all that was in it is gone.{told}" in begun.text()
    assert (file.parent / f"{file.stem}-results").is_dir()


def test_a_class_that_was_cut_off_goes_on_with_everything(begun):
    begun.click("Close the step now")
    begun.click("Close it now")
    begun.host.call(lambda: begun.host.server.shut(gone=False))
    begun.panel.look()
    assert "A class was cut off." in begun.text()
    begun.click("Go on with it")
    assert [len(desk.lines) for desk in begun.host.room.desks] == [1, 1]
    assert begun.running is not None


def test_a_class_that_another_server_has_is_taken_only_if_that_is_meant(begun):
    path = begun.host.room.store.path
    begun.host.call(lambda: begun.host.server.shut(gone=False))
    begun.panel.look()
    with closing(Store.open(path)):
        begun.click("Go on with it")
        assert f"{path.name} is open in another server: look for a notebook" in begun.text()
        assert begun.running is None
        begun.click("Go on all the same")
    assert begun.running is not None


def test_a_class_that_another_page_opened_is_shown(empty):
    Client(empty.panel.client._url.removesuffix("exdec/"), empty.host.server.secret).open(
        ClassSettings(title="Elsewhere")
    )
    empty.click("Open the class")
    assert "Elsewhere" in empty.running.head.value


def test_without_a_way_in_after_a_crash_the_panel_says_so_and_offers_the_button(room):
    room.host.join("Ann")
    room.look()
    room.click("Start the game")
    file = room.host.room.store.path.name

    def crash():
        room.host.server.shut(gone=False)
        room.host.server.listen = lambda _: None
        room.host.server.resume(file)

    room.host.call(crash)
    room.panel.look()
    assert 'exdec-warn" role="alert">The class is paused. No address' in room.text()
    shown = [one for one in room.widgets() if isinstance(one, Button)]
    room_button = next(one for one in shown if one.description.startswith("Open an address"))
    assert room_button.layout.display != "none"
    room.click("Go on")
    assert "No address for phones was open" not in room.text()


def test_what_was_said_of_the_lobby_goes_with_it(room):
    room.host.join("Ann")
    room.look()
    answer = room.running.controls.answer
    answer.say("Open the projector, so that pupils see the code.")
    room.look()
    assert "Open the projector" in answer.said.value
    room.host.do("start")
    room.look()
    assert answer.said.value == ""


def test_after_the_game_nothing_is_so_far_and_shown_standings_are_not_asked_for(room):
    room.host.join("Ann")
    room.host.do("start")
    room.host.do("end")
    room.look()
    assert "Show the standings (The class)" in room.text()
    room.host.do("standings", show=True)
    room.look()
    assert "Show the standings (The class)" not in room.text()
    assert "Final standings" in room.text()
    assert "so far" not in room.text()
