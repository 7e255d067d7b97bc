import json

import pytest
from class_room import NOW, again, bid, join, opened, told, views

from exdec.bots import LEVELS
from exdec.classroom.chronicle import EVERYONE
from exdec.classroom.controls import CONTROLS
from exdec.classroom.desk import RefusalError
from exdec.classroom.messages import Messages
from exdec.errors import ExdecError
from exdec.model import Step

X = {"X": [1, 50]}


@pytest.fixture
def room(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=3)
    yield room
    room.store.close()


def play(room, steps=1):
    for _ in range(steps):
        for pupil in (1, 2, 3):
            bid(room, pupil)


def refused(room, do, **given) -> str:
    before = told(room)
    with pytest.raises(RefusalError) as error:
        room.do(do, NOW, **given)
    assert told(room) == before
    return str(error.value)


def test_what_destroys_asks_first_and_what_can_be_taken_back_says_how(room):
    asking = {do for do, control in CONTROLS.items() if control.ask}
    assert asking == {"close", "reopen", "undo", "end", "kick", "newlink", "finish"}
    for control in CONTROLS.values():
        assert not control.ask or "?" in control.ask


def test_what_the_page_sends_wrongly_is_refused_in_words(room):
    assert refused(room, "dance") == "There is no control 'dance'."
    assert refused(room, "kick").startswith("kick: ")
    assert refused(room, "start", colour=1).startswith("start: ")
    for table in (-1, 1, 0.0, True, "0", [1], [[0]]):
        assert refused(room, "close", table=table).startswith("There is no table ")
    for firm in (-1, 3, None, True, "0"):
        assert refused(room, "bot", table=0, firm=firm) == "Table 1 has 3 places, from 0."
    for pupil in (0, 4, None, "1", True, [1]):
        assert refused(room, "kick", pupil=pupil).startswith("There is no pupil ")
    for level in ("brutal", ["easy"], 3):
        assert "A level is one of easy, medium, hard" in refused(
            room, "bot", table=0, firm=0, level=level
        )
    for seconds in (-1, 4, 3_601, 30.0, "30", None, True):
        assert refused(room, "seconds", seconds=seconds).startswith("Give 5 to 3600 seconds")
    for seconds in (0, 3_601, 30.0, "30", None, True):
        assert refused(room, "extend", seconds=seconds) == "Give 1 to 3600 seconds."
    for text in ("", " \u200b", 5, None):
        assert refused(room, "say", text=text) == "Write what everyone is to read."
    for name in ("", "\u202e", None):
        assert refused(room, "rename", pupil=1, name=name) == "Write a name."
        assert refused(room, "add", name=name) == "Write a name."
    assert refused(room, "standings", show="yes") == "Show the standings, or do not."


def test_controls_at_the_wrong_time_are_refused_in_words(room):
    assert room.do("start", NOW)["text"] == "The game has begun."  # a double click is no mistake
    assert "not paused" in refused(room, "go")
    assert "No step is settled yet" in refused(room, "reopen")
    assert "No step is settled yet" in refused(room, "undo")
    assert "Nothing was undone" in refused(room, "redo")
    assert "No game was ended early" in refused(room, "unend")
    assert "No bot plays there" in refused(room, "return", table=0, firm=0)
    assert "is in the class" in refused(room, "readmit", pupil=1)
    assert "Nothing is sealed there" in refused(room, "take_back", table=0, firm=0)
    assert "sits there already" in refused(room, "reseat", pupil=1, table=0, firm=0)
    room.do("pause", NOW)
    assert "paused" in refused(room, "close")
    assert "No clock is running" in refused(room, "pause")
    room.do("go", NOW)
    room.do("finish", NOW)
    assert refused(room, "go") == "This class is closed."


def test_a_game_can_be_ended_while_the_clocks_stand_still_and_go_on_after_all(room):
    bid(room, 1, X)
    room.do("pause", NOW)
    done = room.do("end", NOW)
    assert room.phase == "over"
    assert not CONTROLS["go"].on(room)
    room.do(done["back"]["do"], NOW)
    assert room.phase == "paused"
    assert CONTROLS["go"].on(room)


def test_nobody_is_called_like_a_bot_but_who_is_on_the_roster(room):
    for name in ("Bot 1", "bot", "BOT\u00a02"):
        assert "Bots are called so" in refused(room, "add", name=name)
        assert "Bots are called so" in refused(room, "rename", pupil=1, name=name)
    assert room.do("rename", NOW, pupil=1, name="Botho")["text"].endswith("Botho.")


def test_nothing_but_names_can_be_done_before_the_game(tmp_path):
    room = opened(tmp_path, start=False)
    assert "Nobody has joined yet" in refused(room, "start")
    join(room, "Ann")
    for do in ("close", "reopen", "undo", "redo", "end", "unend", "extend"):
        assert "not begun" in refused(room, do)
    assert "There is no table 0" in refused(room, "reseat", pupil=1, table=0, firm=0)
    on = {do for do, control in CONTROLS.items() if control.on(room)}
    assert on >= {"start", "add", "rename", "kick", "lock", "say", "finish"}
    assert not on & {"pause", "go", "close", "undo", "end", "bot", "paper", "redo", "unend"}
    room.do("kick", NOW, pupil=1)
    assert "Nobody has joined yet" in refused(room, "start")


def test_months_places_and_bots_are_chosen_anew_until_the_game_begins(tmp_path):
    room = opened(tmp_path, *"abc", start=False, months=2, size=4)
    done = room.do("settings", NOW, months=5, size=2, level="hard")
    assert done["text"] == "Chosen: 5 months, 2 places at a table, hard bots."
    assert done["back"] == {"do": "settings", "months": 2, "size": 4, "level": "easy"}
    room.do("settings", NOW, months=3)
    for wrong in ({"months": 13}, {"size": 7}, {"level": "mean"}, {"months": "3"}, {"most": 1}, {}):
        before = told(room)
        with pytest.raises(ExdecError):
            room.do("settings", NOW, **wrong)
        assert told(room) == before
    # The log tells of both choices, and gives the same class again.
    assert told(again_after_commit(room)) == told(room)
    chosen = [one.data for one in room.store.events() if one.kind == "settings"]
    assert chosen == [{"months": 5, "size": 2, "level": "hard"}, {"months": 3}]
    room.do("start", NOW)
    assert [desk.months for desk in room.desks] == [3, 3]
    assert [len(desk.places) for desk in room.desks] == [2, 2]
    assert room.desks[1].places[1].bot == LEVELS["hard"]
    assert refused(room, "settings", months=4) == (
        "The game has begun. Months, places and bots stay as they are."
    )


# -- taking steps back ---------------------------------------------------------------------------


def test_a_closed_step_is_opened_again_with_what_was_handed_in_as_a_draft(room):
    bid(room, 1, X)
    done = room.do("close", NOW)
    assert done["back"] == {"do": "reopen", "table": 0}
    (line,) = room.desks[0].lines
    assert json.loads(line)["bids"]["Firm 2"] == {}
    room.do("reopen", NOW)
    assert room.desks[0].turn == (1, Step.BUY)
    assert room.desks[0].sealed == {}
    draft = json.loads(room.desks[0].places[0].drafted)
    assert (draft["turn"], draft["text"]) == ([1, "buy"], {"X": ["1", "50"]})
    assert room.desks[0].news[-1].what == "reopened"
    assert "January's orders are open again" in room.audit[-1]["text"]


def question(do, room):
    """What the instructor's page is told to ask."""
    controls = Messages(room).host(None, NOW)["controls"]
    return next(one["ask"] for one in controls if one["do"] == do)


def test_who_closes_a_step_is_told_where_tables_stand_if_they_are_apart(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", "Dee", size=2)
    asked = "Close the step now? Who has not handed in passes."
    assert question("close", room) == asked
    for pupil in (1, 2, 3):
        bid(room, pupil)
    assert question("close", room) == (
        f"{asked} Tables are at several: Table 1 at January's offers (0 of 2 in); Table 2 at "
        "January's orders (1 of 2 in)."
    )
    assert question("pause", room) is None
    room.store.close()


def test_undo_goes_to_the_beginning_of_a_month_and_redo_back_again(room):
    play(room, 3)
    lines = list(room.desks[0].lines)
    room.do("undo", NOW)
    assert room.desks[0].turn == (2, Step.BUY)
    room.do("undo", NOW)
    assert room.desks[0].turn == (1, Step.BUY)
    room.do("redo", NOW)
    assert room.desks[0].lines == lines[:2]
    room.do("redo", NOW)
    assert room.desks[0].lines == lines
    assert room.desks[0].open
    assert room.table(0).game.step is Step.SELL
    room.do("undo", NOW)
    play(room)
    assert "Nothing was undone" in refused(room, "redo")


def test_what_was_handed_in_waits_again_once_the_undoing_is_taken_back(room):
    play(room, 2)
    bid(room, 1, X)
    bid(room, 2, {"F": [2, 31]})
    waiting = dict(room.desks[0].sealed)
    room.do("undo", NOW)
    bid(room, 3, X)
    room.do("redo", NOW)
    assert room.desks[0].sealed == waiting
    assert views(room)[2]["sealed"]["bids"] == {"F": [2, 31]}
    assert told(again_after_commit(room)) == told(room)
    with pytest.raises(RefusalError, match="is in already"):
        bid(room, 1, X)
    bid(room, 3)
    bids = json.loads(room.desks[0].lines[2])["bids"]
    assert (bids["Firm 1"], bids["Firm 2"]) == (X, {"F": [2, 31]})


def test_if_each_month_is_undone_what_waited_comes_back_with_its_own(room):
    play(room, 3)
    bid(room, 1, {})
    room.do("undo", NOW)
    bid(room, 2, X)
    room.do("undo", NOW)
    room.do("redo", NOW)
    assert (room.desks[0].turn, set(room.desks[0].sealed)) == ((2, Step.BUY), {1})
    room.do("redo", NOW)
    assert (room.desks[0].turn, set(room.desks[0].sealed)) == ((2, Step.SELL), {0})


def test_bots_meet_an_undone_month_with_the_same_luck(tmp_path):
    room = opened(tmp_path, "Ann", size=3)
    bid(room, 1, X)
    (line,) = room.desks[0].lines
    room.do("undo", NOW)
    bid(room, 1, X)
    assert room.desks[0].lines == [line]


def test_undoing_the_last_month_takes_the_end_back(room):
    play(room, 4)
    assert room.phase == "over"
    room.do("undo", NOW)
    assert room.phase == "running"
    room.do("redo", NOW)
    assert room.phase == "over"


# -- ending --------------------------------------------------------------------------------------


def test_an_end_among_offers_settles_them_and_the_broker_buys_what_is_left(room):
    for pupil in (1, 2, 3):
        bid(room, pupil, {"X": [2, 60], "F": [1, 60]})
    bid(room, 1, {"A": [1, 1]})
    room.do("end", NOW)
    desk = room.desks[0]
    assert (desk.over, desk.months, len(desk.lines)) == (True, 1, 2)
    assert json.loads(desk.lines[1])["bids"]["Firm 1"] == {"A": [1, 1]}
    final = room.table(0).game.final
    prices = room.table(0).game.state.material_prices
    assert final.liquidation == (0, 2 * prices.X + prices.F, 2 * prices.X + prices.F)
    assert desk.record() == again_after_commit(room).desks[0].record()


def again_after_commit(room):
    room.commit()
    return again(room)


def test_an_end_among_orders_takes_back_what_is_handed_in_for_them(room):
    play(room, 2)
    bid(room, 1, X)
    room.do("end", NOW)
    desk = room.desks[0]
    assert (desk.over, desk.months, desk.sealed) == (True, 1, {})
    assert desk.turn == (1, Step.OVER)
    room.do("unend", NOW)
    assert (desk.over, desk.turn, desk.open) == (False, (2, Step.BUY), True)


def test_a_game_that_is_ended_before_its_first_orders_is_off(room):
    room.do("end", NOW)
    desk = room.desks[0]
    assert (desk.over, desk.months, desk.turn) == (True, 0, (1, Step.OVER))
    assert list(room.table(0).game.profit.values()) == [0, 0, 0]
    room.do("unend", NOW)
    play(room)
    assert len(desk.lines) == 1


def test_an_end_among_the_last_offers_is_the_end_as_it_was_agreed(room):
    play(room, 3)
    room.do("end", NOW)
    assert (room.desks[0].over, room.desks[0].months) == (True, 2)
    assert "over already" in refused(room, "end")
    room.do("unend", NOW)
    assert room.desks[0].turn == (2, Step.SELL)


def test_an_end_that_is_taken_back_leaves_what_was_sealed(room):
    bid(room, 1, X)
    bid(room, 2)
    back = room.do("end", NOW)["back"]
    assert room.desks[0].sealed == {}
    room.do(back.pop("do"), NOW, **back)
    assert {firm: one.bids for firm, one in room.desks[0].sealed.items()} == {0: X, 1: {}}
    assert room.table(0).waiting == ("Firm 3",)


@pytest.mark.parametrize("steps", [1, 3], ids=["in a middle month", "in the last month"])
def test_an_end_among_offers_that_is_taken_back_opens_them_again(room, steps):
    play(room, steps)
    bid(room, 1, {"A": [0, 0]})
    back = room.do("end", NOW)["back"]
    assert (len(room.desks[0].lines), room.phase) == (steps + 1, "over")
    room.do(back.pop("do"), NOW, **back)
    desk = room.desks[0]
    assert (len(desk.lines), desk.turn[1], desk.open) == (steps, Step.SELL, True)
    assert list(desk.sealed) == [0]
    play_the_rest(room, {2, 3})
    assert len(desk.lines) == steps + 1


def play_the_rest(room, pupils):
    for pupil in pupils:
        bid(room, pupil)


def test_what_is_taken_back_comes_back_the_last_first(room):
    play(room, 3)
    room.do("reopen", NOW)
    assert len(room.desks[0].lines) == 2
    room.do("end", NOW)
    # What was undone before the end waits until the game goes on.
    assert "Nothing was undone" in refused(room, "redo")
    assert not CONTROLS["redo"].on(room)
    room.do("undo", NOW)
    assert (len(room.desks[0].lines), room.desks[0].ended) == (0, None)
    assert "No game was ended early" in refused(room, "unend")
    room.do("redo", NOW)
    assert (len(room.desks[0].lines), room.desks[0].ended, room.phase) == (2, 1, "over")
    room.do("unend", NOW)
    assert (room.desks[0].turn, room.phase) == ((2, Step.BUY), "running")
    room.do("redo", NOW)
    assert room.desks[0].turn == (2, Step.SELL)


def test_a_step_that_was_settled_stays_so_if_an_end_is_taken_back(room):
    play(room)
    room.do("reopen", NOW)
    play(room)
    room.do("end", NOW)
    room.do("unend", NOW)
    assert "Nothing was undone" in refused(room, "redo")


def four(tmp_path, **settings):
    """Two tables of two, the first one a step ahead."""
    room = opened(tmp_path, "Ann", "Ben", "Cy", "Di", size=2, **settings)
    play_the_rest(room, (1, 2))
    return room


def lines(room):
    return [len(desk.lines) for desk in room.desks]


def test_taking_a_closing_back_opens_no_table_that_was_not_closed(tmp_path):
    room = four(tmp_path, together=True)
    assert [desk.open for desk in room.desks] == [False, True]
    back = room.do("close", NOW)["back"]
    assert lines(room) == [1, 1]
    room.do(back.pop("do"), NOW, **back)
    assert lines(room) == [1, 0]


def test_taking_an_end_back_brings_no_other_table_to_life(tmp_path):
    room = four(tmp_path, together=False)
    room.do("end", NOW, table=0)
    back = room.do("end", NOW)["back"]
    room.do(back.pop("do"), NOW, **back)
    assert [desk.over for desk in room.desks] == [True, False]


def test_taking_an_undoing_back_lets_earlier_ones_be(tmp_path):
    room = four(tmp_path, together=False)
    play_the_rest(room, (3, 4))
    room.do("reopen", NOW, table=0)
    back = room.do("reopen", NOW)["back"]
    assert back == {"do": "redo", "table": 1}
    room.do(back.pop("do"), NOW, **back)
    assert lines(room) == [0, 1]


def test_a_list_of_tables_names_each_once(tmp_path):
    room = four(tmp_path, together=False)
    play_the_rest(room, (1, 2))
    room.do("reopen", NOW, table=[0, 0])
    assert lines(room) == [1, 0]
    assert refused(room, "close", table=[0, 9]) == "There is no table 9."


def test_a_bots_bid_is_no_draft_of_the_pupil_who_is_back(room):
    room.do("bot", NOW, table=0, firm=1)
    bid(room, 1, X)
    bid(room, 3)
    assert json.loads(room.desks[0].lines[0])["bids"]["Firm 2"]
    room.do("return", NOW, table=0, firm=1)
    room.do("reopen", NOW)
    drafts = [json.loads(place.drafted)["text"] for place in room.desks[0].places]
    assert drafts == [{"X": ["1", "50"]}, {}, {}]


def test_a_step_that_is_missed_and_opened_again_was_not_missed(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", size=2, absent_after=2)
    for _ in range(2):
        bid(room, 1, X)
        room.do("close", NOW)
        room.do("reopen", NOW)
        assert [place.missed for place in room.desks[0].places] == [0, 0]
    room.do("close", NOW)
    assert room.desks[0].places[1].bot is None
    assert [place.missed for place in room.desks[0].places] == [1, 1]
    room.do("reopen", NOW)
    room.do("redo", NOW)
    assert [place.missed for place in room.desks[0].places] == [1, 1]


def test_a_bot_that_comes_back_is_the_same_one(room):
    room.do("bot", NOW, table=0, firm=1, level="hard")
    back = room.do("return", NOW, table=0, firm=1)["back"]
    room.do(back.pop("do"), NOW, **back)
    assert room.desks[0].places[1].bot == LEVELS["hard"]


# -- seats ---------------------------------------------------------------------------------------


def test_who_is_sent_out_is_kept_out_by_closing_the_class_to_others(room):
    assert "unless you also press “Nobody else joins”" in CONTROLS["kick"].ask
    done = room.do("kick", NOW, pupil=1)
    assert done["text"].endswith(
        "To keep Ann from joining again by the code, press “Nobody else joins”."
    )
    room.do("lock", NOW)
    assert room.do("kick", NOW, pupil=2)["text"] == "Ben is out."


def test_a_kicked_pupils_seat_is_a_bots_until_the_pupil_is_let_in_again(room):
    bid(room, 1, X)
    back = room.do("kick", NOW, pupil=1)["back"]
    assert room.desks[0].places[0].bot == "cautious"
    assert room.desks[0].places[0].pupils == []
    assert 0 in room.desks[0].sealed
    room.do(back.pop("do"), NOW, **back)
    assert room.desks[0].places[0].bot is None
    assert (room.pupils[1].table, room.pupils[1].firm) == (0, 0)


def test_who_shares_a_place_keeps_it_when_the_other_is_sent_out(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=2, rest="share")
    assert room.place_names(0) == ["Ann & Cy", "Ben"]
    room.do("kick", NOW, pupil=1)
    assert room.desks[0].places[0].bot is None
    assert room.place_names(0) == ["Cy", "Ben"]


def test_a_move_leaves_a_bot_behind_and_makes_one_give_way(tmp_path):
    room = opened(tmp_path, *"abcde", size=4)
    back = room.do("reseat", NOW, pupil=1, table=1, firm=3)["back"]
    assert room.desks[0].places[0].bot == "cautious"
    assert room.desks[1].places[3].bot is None
    assert back == {"do": "reseat", "pupil": 1, "table": 0, "firm": 0}
    for pupil in (2, 3):
        room.do("reseat", NOW, pupil=pupil, table=1, firm=3)
    assert "Three pupils share that place already" in refused(
        room, "reseat", pupil=4, table=1, firm=3
    )


def test_a_paper_tally_is_keyed_in_and_taken_back(room):
    back = room.do("paper", NOW, table=0, firm=0, bids=X)["back"]
    assert room.desks[0].sealed[0].bids == X
    assert "handed in already" in refused(room, "paper", table=0, firm=0, bids=X)
    with pytest.raises(RefusalError) as error:
        bid(room, 1, X)
    assert error.value.why == "in"
    room.do(back.pop("do"), NOW, **back)
    assert room.desks[0].sealed == {}
    assert told(again_after_commit(room)) == told(room)
    text = refused(room, "paper", table=0, firm=0, bids={"X": [99, 1]})
    assert "Ann" in text or "12 units" in text
    room.do("bot", NOW, table=0, firm=0)
    assert "A bot plays for Ann" in refused(room, "paper", table=0, firm=0, bids=X)


def test_paper_is_keyed_in_while_the_clocks_stand_but_settles_nothing(room):
    room.do("pause", NOW)
    for firm in (0, 1):
        room.do("paper", NOW, table=0, firm=firm, bids=X)
    assert "waits only for this" in refused(room, "paper", table=0, firm=2, bids=X)
    assert room.desks[0].lines == []
    room.do("go", NOW)
    room.do("paper", NOW, table=0, firm=2, bids=X)
    assert len(room.desks[0].lines) == 1


def test_a_teacher_takes_back_what_a_phone_has_handed_in(room):
    bid(room, 1, X)
    room.do("take_back", NOW, table=0, firm=0)
    bid(room, 1, {"X": [2, 40]})
    assert room.desks[0].sealed[0].bids == {"X": [2, 40]}


def test_a_seat_that_nobody_sits_at_is_given_back_to_nobody(tmp_path):
    room = opened(tmp_path, "Ann", size=2)
    assert "Nobody sits there" in refused(room, "return", table=0, firm=1)


def test_bots_take_the_seats_of_all_who_are_away_and_of_nobody_else(room):
    room.here = {1: 1, 2: 0}
    assert room.do("bots_absent", NOW)["text"] == "Bots play for 2 who are away."
    assert [place.bot for place in room.desks[0].places] == [None, "cautious", "cautious"]
    assert refused(room, "bots_absent") == "Nobody else is away. Bots play 2 places already."


def test_bots_that_fill_a_table_up_are_there_for_nobody_who_is_away(tmp_path):
    room = opened(tmp_path, "Ann", size=3)
    room.here = {1: 1}
    assert [place.bot is None for place in room.desks[0].places] == [True, False, False]
    assert refused(room, "bots_absent") == "Nobody is away."


def test_names_are_free_and_a_rename_can_be_taken_back(room):
    done = room.do("rename", NOW, pupil=1, name=" ben ")
    assert room.pupils[1].name == "ben 2"
    assert done["back"] == {"do": "rename", "pupil": 1, "name": "Ann"}
    assert room.do("rename", NOW, pupil=2, name="BEN")["text"] == "Ben is now called BEN."


def test_a_new_name_is_told_to_pages_that_wait_for_the_game(tmp_path):
    room = opened(tmp_path, "Rude", "Ben", start=False)
    room.changed.clear()
    room.do("rename", NOW, pupil=1, name="Ann")
    assert room.changed == {EVERYONE}
    assert views(room)[1]["you"]["name"] == "Ann"


@pytest.mark.parametrize(
    "do", ["pause", "lock", "standings", "seconds", "bot", "kick", "paper", "end", "undo", "reopen"]
)
def test_the_way_back_is_a_control_that_leads_there(room, do):
    play(room)
    given = {
        "seconds": {"seconds": 45},
        "bot": {"table": 0, "firm": 1},
        "kick": {"pupil": 2},
        "paper": {"table": 0, "firm": 0, "bids": {}},
    }.get(do, {})
    kept = ("paused_at", "joining", "reveal", "seconds", "pupils", "tables")
    before = told(room)
    back = room.do(do, NOW, **given)["back"]
    assert {key: told(room)[key] for key in kept} != {key: before[key] for key in kept}
    room.do(back.pop("do"), NOW, **back)
    after = told(room)
    assert {key: after[key] for key in kept} == {key: before[key] for key in kept}
