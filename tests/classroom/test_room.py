import json
import traceback

import pytest
from class_room import NOW, again, bid, join, opened, told

from exdec import record
from exdec.classroom.desk import RefusalError
from exdec.classroom.keys import WRONG_CODES, WRONG_CODES_OF_ONE
from exdec.classroom.room import ADDRESSES_KEPT, GRACE, LATELY, Room
from exdec.classroom.seating import Rest
from exdec.classroom.settings import LONGEST_NAME, Entry, Treatment
from exdec.classroom.store import StoreError
from exdec.model import Step

X = {"X": [1, 50]}


@pytest.fixture
def room(tmp_path):
    """Three pupils at one table; no deadline."""
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=3)
    yield room
    room.store.close()


@pytest.fixture
def timed(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=3, seconds=60, absent_after=2)
    yield room
    room.store.close()


def why(refused) -> str:
    return refused.value.why


# -- joining -------------------------------------------------------------------------------------


def test_the_same_phone_joins_once_however_often_it_asks(tmp_path):
    room = opened(tmp_path, start=False)
    pupils = {room.join(room.code, name, "a" * 16, NOW).number for name in ("Ann", "Ben", "")}
    assert pupils == {1}
    assert room.join(f" {room.code[:3].lower()}-{room.code[3:]}", "Ann", "b" * 16, NOW).name == (
        "Ann 2"
    )


@pytest.mark.parametrize("name", ["", " ", "\u200d\u202e", "\x00", 7, None, {}, "\ud800", True])
def test_a_name_that_shows_nothing_is_asked_for_again(tmp_path, name):
    room = opened(tmp_path, start=False)
    with pytest.raises(RefusalError, match="Write a name") as refused:
        room.join(room.code, name, "a" * 16, NOW)
    assert why(refused) == "name"
    assert not room.pupils


@pytest.mark.parametrize("once", [None, "short", "x" * 65, 5, ["a" * 16]])
def test_a_phone_has_to_say_who_it_is(tmp_path, once):
    room = opened(tmp_path, start=False)
    with pytest.raises(RefusalError) as refused:
        room.join(room.code, "Ann", once, NOW)
    assert why(refused) == "name"


def test_half_a_character_from_a_phone_stops_nobody(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=4)
    # A lone surrogate is legal JSON, and can be written to no disk.
    assert room.join(room.code, "Dee", "\ud800" * 16, NOW).name == "Dee"
    with pytest.raises(RefusalError):
        room.bid(room.pupils[1], "\ud800" * 16, [1, "buy"], X, NOW)
    with pytest.raises(RefusalError):
        room.pupil_of("\ud800")
    room.draft(room.pupils[1], [1, "buy"], {"X": ["\ud800", ""]})
    room.commit()
    assert room.desks[0].places[0].drafted == again(room).desks[0].places[0].drafted


def guess(room, many, now, address=""):
    """Try so many wrong codes, none of which is refused unread."""
    for number in range(many):
        with pytest.raises(RefusalError) as refused:
            room.check_code(f"WRONG{number}", now, address)
        assert why(refused) == "code"


@pytest.mark.parametrize(
    ("address", "limit"), [("", WRONG_CODES), ("192.0.2.1", WRONG_CODES_OF_ONE)]
)
def test_many_wrong_codes_close_the_door_for_a_moment(tmp_path, address, limit):
    room = opened(tmp_path, start=False)
    burst, rate = limit
    guess(room, burst, NOW, address)
    for code in ("WRONG", room.code):
        with pytest.raises(RefusalError) as refused:
            room.check_code(code, NOW + 0.8 / rate, address)
        assert why(refused) == "busy"
    room.check_code(room.code, NOW + 2 / rate, address)


def test_one_phone_keeps_nobody_else_out(tmp_path):
    room = opened(tmp_path, start=False)
    burst, _ = WRONG_CODES_OF_ONE
    guess(room, burst, NOW, "192.0.2.1")
    for second in range(60):
        now = NOW + second
        for number in range(100):
            with pytest.raises(RefusalError):
                room.check_code(f"WRONG{number}", now, "192.0.2.1")
        room.check_code(room.code, now, "192.0.2.2")
        room.check_code(room.code, now)


def test_who_has_a_seat_gets_it_again_whatever_others_try(tmp_path):
    room = opened(tmp_path, "Ann", start=False)
    guess(room, WRONG_CODES[0], NOW)
    with pytest.raises(RefusalError) as refused:
        join(room, "Ben")
    assert why(refused) == "busy"
    assert join_again(room, 0) is room.pupils[1]


def test_the_instructor_is_told_of_wrong_codes_for_a_minute(tmp_path):
    room = opened(tmp_path, start=False)
    guess(room, 7, NOW)
    guess(room, 2, NOW + LATELY / 2)
    assert room.wrong_codes == 9
    room.tick(NOW + LATELY)
    assert room.wrong_codes == 2
    room.tick(NOW + 2 * LATELY)
    assert room.wrong_codes == 0


def test_phones_of_any_number_of_addresses_take_little_room(tmp_path):
    room = opened(tmp_path, start=False)
    for number in range(3 * ADDRESSES_KEPT):
        room.check_code(room.code, NOW, f"192.0.2.{number}")
    assert len(room._wrong_from) <= ADDRESSES_KEPT


@pytest.mark.parametrize("code", [None, 5, "", "x" * 100, ["K"], {}])
def test_what_is_no_code_is_a_wrong_one(tmp_path, code):
    room = opened(tmp_path, start=False)
    with pytest.raises(RefusalError) as refused:
        room.check_code(code, NOW)
    assert why(refused) == "code"


def test_a_class_whose_file_cannot_be_read_either_keeps_its_seats_and_goes_on_later(tmp_path):
    def broken(*_):
        raise StoreError("The disk does not answer.")

    room = opened(tmp_path, "Ann", "Ben")
    key, host_key, code = room.key(room.pupils[1]), room.host_key, room.code
    number = bid(room, 1, X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.store, "append", broken)
        patch.setattr(room.store, "events", broken)
        for _ in range(2):
            with pytest.raises(StoreError, match="does not answer"):
                room.commit()
    assert (room.host_key, room.code) == (host_key, code)
    assert room.pupil_of(key) is room.pupils[1]
    room.commit()
    assert again(room).desks[0].sealed[0].receipt == number


def test_a_class_is_full_or_locked_or_over_or_closed(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", most=2, months=1, start=False)
    with pytest.raises(RefusalError) as refused:
        join(room, "Cy")
    assert why(refused) == "full"
    assert join_again(room, 0) is room.pupils[1]
    room.do("lock", NOW)
    assert join_again(room, 1) is room.pupils[2]
    with pytest.raises(RefusalError) as refused:
        join(room, "Cy")
    assert why(refused) == "locked"
    room.do("unlock", NOW)
    room.do("start", NOW)
    room.do("end", NOW)
    with pytest.raises(RefusalError) as refused:
        join(room, "Cy")
    assert why(refused) == "locked"
    room.do("finish", NOW)
    with pytest.raises(RefusalError, match="closed"):
        join_again(room, 0)


def join_again(room, phone):
    return room.join(room.code, "", f"the phone of somebody {phone}", NOW)


def test_a_late_joiner_gets_a_bots_place_where_fewest_people_play(tmp_path):
    room = opened(tmp_path, *"abcde", size=4)  # three and two
    assert (join(room, "f").table, join(room, "g").table, join(room, "h").table) == (1, 0, 1)
    assert all(place.bot is None for desk in room.desks for place in desk.places)


def test_with_a_code_alone_nobody_gets_into_a_seat_that_is_taken(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", size=2)
    with pytest.raises(
        RefusalError, match=r"^Every place is taken\. Your teacher can let you in\.$"
    ):
        join(room, "Zed")
    assert len(room.pupils) == 2
    room.do("add", NOW, name="Cy")
    assert "Ann & Cy" in room.place_names(0)


def test_who_comes_late_shares_a_place_where_pupils_share(tmp_path):
    room = opened(tmp_path, "a", "b", size=2, rest="share")
    third = join(room, "c")
    assert room.desks[third.table].places[third.firm].pupils == [1, 3]
    assert "a & c" in room.place_names(0)


def test_a_late_joiner_is_waited_for_at_once(tmp_path):
    room = opened(tmp_path, "Ann", size=2)
    join(room, "Ben")
    bid(room, 1, X)
    assert len(room.desks[0].lines) == 0
    bid(room, 2, X)
    assert len(room.desks[0].lines) == 1


# -- links ---------------------------------------------------------------------------------------


def test_a_key_opens_its_own_seat_and_nothing_else(room, tmp_path):
    (tmp_path / "other").mkdir()
    other = opened(tmp_path / "other", "Ann")
    assert room.pupil_of(room.key(room.pupils[2])) is room.pupils[2]
    mac = room.key(room.pupils[1]).partition(".")[2]
    for key in (
        other.key(other.pupils[1]),
        f"2.{mac}",
        f"01.{mac}",
        f"9.{mac}",
        f"{'1' * 50}.{mac}",
        f".{mac}",
        f"１.{mac}",
        "1.",
        "1",
        "",
        None,
        5,
        {"key": "1"},
        "1." + "é" * 22,
    ):
        with pytest.raises(RefusalError) as refused:
            room.pupil_of(key)
        assert why(refused) == "key"


def test_a_new_link_makes_the_old_one_useless_on_every_phone(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=4)
    old = room.key(room.pupils[1])
    new = room.do("newlink", NOW, pupil=1)["key"]
    assert room.pupil_of(new) is room.pupils[1]
    with pytest.raises(RefusalError):
        room.pupil_of(old)
    # The phone that joined knows what it joined with; that brings no new link either.
    again = room.join(room.code, "Ann", "the phone of somebody 0", NOW)
    assert (again.number, again.name) == (4, "Ann 2")


def test_who_is_sent_out_comes_in_by_no_door_until_let_in(room):
    key = room.key(room.pupils[1])
    room.do("kick", NOW, pupil=1)
    with pytest.raises(RefusalError):
        room.pupil_of(key)
    with pytest.raises(RefusalError, match="Ask your teacher"):
        join_again(room, 0)
    room.do("readmit", NOW, pupil=1)
    assert room.pupil_of(key) is join_again(room, 0)


# -- handing in ----------------------------------------------------------------------------------


def test_a_replay_gets_its_receipt_and_does_nothing(room):
    number = bid(room, 1, X, name="hand-in 1")
    bid(room, 2, X)
    bid(room, 3, X)
    before = told(room)
    assert bid(room, 1, {"X": [9, 1]}, name="hand-in 1") == number
    assert told(room) == before
    room.commit()
    assert bid(again(room), 1, X, name="hand-in 1") == number


def test_receipts_are_kept_for_long_and_not_for_ever(room):
    first = bid(room, 1, X, name="hand-in 0")
    for number in range(1, 60):
        turn = [1, "buy"]
        room.change(room.pupils[1], f"change {number}", turn, NOW)
        room.bid(room.pupils[1], f"hand-in {number}", turn, X, NOW)
    assert len(room.receipts[1]) == 60
    with pytest.raises(RefusalError):
        bid(room, 1, X, name="hand-in 0")
    assert first not in room.receipts[1].values()


def test_every_refusal_has_its_word_and_changes_nothing(timed):
    ann = timed.pupils[1]

    def refusal(turn, bids=X, now=NOW, name="a new hand-in"):
        before = told(timed)
        with pytest.raises(RefusalError) as refused:
            timed.bid(ann, name, turn, bids, now)
        timed._now = NOW
        assert told(timed) == before
        return why(refused)

    assert refusal([1, "sell"]) == "late"
    assert refusal([2, "buy"]) == "late"
    assert refusal("buy") == refusal(None) == refusal([1]) == refusal({"a": 1}) == "late"
    assert refusal([1, "buy"], now=NOW + 60 + GRACE + 0.01) == "late"
    for bids in (
        [],
        None,
        {"X": 5},
        {"X": [1]},
        {"X": [1, 2, 3]},
        {str(n): [1, 1] for n in "abcdefg"},
    ):
        assert refusal([1, "buy"], bids) == "rules"
    for bids in ({"A": [1, 5]}, {"X": [99, 5]}, {"X": [1, 0]}, {"X": [True, 5]}, {"X": ["1", 5]}):
        assert refusal([1, "buy"], bids) == "rules"
    assert refusal([1, "buy"], {"X": [1.0, 10**400]}) == "rules"
    for name in ("short", "x" * 65, 7, None):
        assert refusal([1, "buy"], name=name) == "rules"
    timed.do("pause", NOW)
    assert refusal([1, "buy"]) == "paused"
    timed.do("go", NOW)
    timed.do("bot", NOW, table=0, firm=0)
    assert refusal([1, "buy"]) == "bot"
    timed.come_back(ann, NOW)
    bid(timed, 1, X)
    assert refusal([1, "buy"]) == "in"
    timed.do("end", NOW)
    assert refusal([1, "over"]) == "late"


def test_the_engines_sentence_speaks_to_the_pupil(room):
    with pytest.raises(RefusalError) as refused:
        bid(room, 1, {"X": [13, 40]})
    assert "Firm" not in str(refused.value)
    assert "12 units" in str(refused.value)


def test_before_the_game_and_between_the_steps_it_is_too_early(tmp_path):
    room = opened(tmp_path, *"abcd", size=2, together=True, start=False)
    with pytest.raises(RefusalError, match="has not begun") as refused:
        room.bid(room.pupils[1], "a hand-in", [1, "buy"], X, NOW)
    assert why(refused) == "early"
    room.do("start", NOW)
    bid(room, 1, X)
    bid(room, 2, X)  # the other table is still at it
    with pytest.raises(RefusalError, match="not open yet") as refused:
        bid(room, 1)
    assert why(refused) == "early"
    bid(room, 3, X)
    bid(room, 4, X)
    bid(room, 1)


def test_what_is_taken_back_can_be_handed_in_anew(room):
    bid(room, 1, X)
    room.change(room.pupils[1], "change 1", [1, "buy"], NOW)
    assert room.change(room.pupils[1], "change 1", [1, "buy"], NOW) == room.last_event
    with pytest.raises(RefusalError) as refused:
        room.change(room.pupils[1], "change 2", [1, "buy"], NOW)
    assert why(refused) == "late"
    for pupil in (1, 2, 3):
        bid(room, pupil, {"X": [2, 77]})
    assert json.loads(room.desks[0].lines[0])["bids"]["Firm 1"] == {"X": [2, 77]}


@pytest.mark.parametrize(
    "draft",
    [
        ("buy", {"X": "2"}),
        ([1, "buy"], {"X": [2, 3]}),
        ([1, "buy"], "text"),
        ([1, "buy"], {"X": [{"a": 1}]}),
        ([1, "buy"], {"X": ["9" * 700]}),
        ([1, "buy"], {"X": ["2"]}, {"by": 1}),
    ],
)
def test_a_draft_that_is_none_is_passed_over(room, draft):
    room.draft(room.pupils[1], *draft)
    assert room.desks[0].places[0].drafted == ""
    assert not room.uncommitted


# -- clocks --------------------------------------------------------------------------------------


def test_at_the_deadline_who_has_not_handed_in_passes(timed):
    bid(timed, 1, X, now=NOW + 60 + GRACE)
    assert not timed.tick(NOW + 60)
    assert len(timed.desks[0].lines) == 0
    timed.tick(NOW + 60 + GRACE)
    (line,) = timed.desks[0].lines
    assert json.loads(line)["bids"] == {"Firm 1": {"X": [1, 50]}, "Firm 2": {}, "Firm 3": {}}
    assert [place.missed for place in timed.desks[0].places] == [0, 1, 1]
    assert timed.desks[0].deadline == NOW + 60 + GRACE + 60


def test_a_bot_takes_over_only_from_who_is_away(timed):
    timed.here[2] = 1
    bid(timed, 1)
    timed.tick(NOW + 61)
    assert [place.bot for place in timed.desks[0].places] == [None] * 3
    bid(timed, 1, now=NOW + 62)
    timed.tick(NOW + 122)
    assert [place.bot for place in timed.desks[0].places] == [None, None, "cautious"]
    assert any("Away: a bot (cautious) plays for Cy" in one.text for one in timed.desks[0].news)
    timed.come_back(timed.pupils[3], NOW + 123)
    assert timed.desks[0].places[2].missed == 0
    with pytest.raises(RefusalError):
        timed.come_back(timed.pupils[3], NOW + 123)


def test_handing_in_forgives_what_was_missed(timed):
    timed.tick(NOW + 61)
    bid(timed, 3, now=NOW + 62)
    timed.tick(NOW + 200)
    assert [place.missed for place in timed.desks[0].places] == [2, 2, 0]


def test_never_means_never(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", size=2, seconds=10, months=3, absent_after=0)
    for step in range(1, 7):
        room.tick(NOW + 20 * step)
    assert room.phase == "over"
    assert [place.bot for place in room.desks[0].places] == [None, None]


def test_many_clocks_that_run_out_at_once_are_closed_a_few_at_a_time(tmp_path):
    room = opened(tmp_path, *map(str, range(20)), size=2, seconds=10)
    more = [room.tick(NOW + 11) for _ in range(3)]
    assert more == [True, False, False]
    assert {len(desk.lines) for desk in room.desks} == {1}


def test_a_pause_stands_outside_all_clocks(timed):
    timed.do("pause", NOW + 50)
    assert not timed.tick(NOW + 1_000)
    assert timed.left(0, NOW + 1_000) == 10
    assert timed.desks[0].lines == []
    timed.do("go", NOW + 1_000)
    assert timed.left(0, NOW + 1_000) == 10
    timed.tick(NOW + 1_010 + GRACE)
    assert len(timed.desks[0].lines) == 1


def test_a_step_that_is_opened_in_a_pause_has_all_its_time_after_it(timed):
    timed.tick(NOW + 61)
    timed.do("pause", NOW + 70)
    timed.do("reopen", NOW + 200)
    timed.do("go", NOW + 300)
    assert timed.left(0, NOW + 300) == 60


@pytest.mark.parametrize(("beat", "left"), [(NOW + 10, 50), (NOW + 55, 20), (None, 60)])
def test_time_that_the_server_was_away_is_given_back(timed, beat, left):
    bid(timed, 1, X)
    timed.commit()
    if beat is not None:
        timed.store.beat(beat)
    timed.store.close()
    room = Room.resume(timed.store.path, NOW + 9_000)
    assert room.left(0, NOW + 9_000) == left
    assert room.desks[0].sealed[0].bids == X
    assert room.news[-1].what == "go"


def test_a_paused_class_comes_back_paused(timed):
    timed.do("pause", NOW + 20)
    timed.commit()
    timed.store.close()
    room = Room.resume(timed.store.path, NOW + 9_000)
    assert room.phase == "paused"
    room.do("go", NOW + 9_100)
    assert room.left(0, NOW + 9_100) == 40


def test_time_is_given_to_the_tables_that_have_a_clock(timed):
    timed.do("extend", NOW, seconds=30)
    assert timed.left(0, NOW) == 90
    timed.do("seconds", NOW, seconds=0)
    timed.tick(NOW + 91)
    assert timed.left(0, NOW + 91) is None
    with pytest.raises(RefusalError, match="No clock is running"):
        timed.do("extend", NOW + 91)


# -- tables together and apart -------------------------------------------------------------------


def play_step(room, table):
    for place in room.desks[table].places:
        if place.bot is None:
            bid(room, place.pupils[0])


def test_at_its_own_pace_a_table_goes_on_alone(tmp_path):
    room = opened(tmp_path, *"abcd", size=2)
    for _ in range(4):
        play_step(room, 0)
    assert room.desks[0].over
    assert not room.desks[1].lines
    assert room.phase == "running"


def test_together_nobody_runs_ahead_and_short_games_hold_nobody_up(tmp_path):
    treatments = [Treatment("Short", {"months": 1}), Treatment("Long", {"months": 3})]
    room = opened(tmp_path, *"abcd", size=2, together=True, treatments=treatments)
    for _ in range(2):
        play_step(room, 0)
        assert not room.desks[0].open
        play_step(room, 1)
    assert room.desks[0].over
    for _ in range(4):
        assert room.desks[1].open
        play_step(room, 1)
    assert room.phase == "over"


def test_together_a_table_that_is_ended_or_undone_holds_nobody_up(tmp_path):
    room = opened(tmp_path, *"abcdef", size=2, together=True)
    play_step(room, 0)
    room.do("end", NOW, table=1)
    assert not room.desks[0].open
    room.do("end", NOW, table=2)
    assert room.desks[0].open  # it had waited for these two
    room.do("unend", NOW, table=1)
    assert room.desks[1].open
    play_step(room, 1)
    play_step(room, 0)
    room.do("undo", NOW, table=0)
    for _ in range(2):
        assert room.desks[0].open
        play_step(room, 0)
    assert [len(desk.lines) for desk in room.desks] == [2, 1, 0]


# -- bots ----------------------------------------------------------------------------------------


def test_a_bot_that_takes_a_seat_leaves_what_is_sealed_there(room):
    bid(room, 1, {"X": [3, 61]})
    room.do("bot", NOW, table=0, firm=0)
    bid(room, 2)
    bid(room, 3)
    assert json.loads(room.desks[0].lines[0])["bids"]["Firm 1"] == {"X": [3, 61]}


def test_a_bot_for_the_last_who_is_waited_for_settles_the_step(room):
    bid(room, 1)
    bid(room, 2)
    room.do("bot", NOW, table=0, firm=2)
    assert len(room.desks[0].lines) == 1
    assert json.loads(room.desks[0].lines[0])["bids"]["Firm 3"] != {}


def test_a_bot_that_comes_in_a_pause_settles_nothing_before_it_ends(room):
    bid(room, 1)
    bid(room, 2)
    room.do("pause", NOW)
    room.do("bot", NOW, table=0, firm=2)
    assert not room.desks[0].lines
    room.do("go", NOW)
    assert len(room.desks[0].lines) == 1


@pytest.mark.parametrize("together", [False, True])
def test_bots_alone_never_play_a_game_away_from_who_may_come_back(tmp_path, together):
    room = opened(tmp_path, "Ann", months=12, together=together)
    room.do("bots_absent", NOW)
    assert room.phase == "running"
    assert not room.desks[0].lines
    room.do("close", NOW)
    room.come_back(room.pupils[1], NOW)
    bid(room, 1)
    assert len(room.desks[0].lines) == 2


@pytest.mark.parametrize("together", [False, True])
def test_a_table_of_bots_goes_along_with_the_others(tmp_path, together):
    room = opened(tmp_path, *"abcd", size=2, together=together)
    room.do("kick", NOW, pupil=1)
    room.do("kick", NOW, pupil=2)
    for step in range(1, 5):
        play_step(room, 1)
        assert [len(desk.lines) for desk in room.desks] == [step, step]
    assert room.phase == "over"


def test_a_class_whose_phones_are_all_gone_stands_still_and_does_not_fall(tmp_path):
    room = opened(tmp_path, *map(str, range(120)), size=2, months=12, together=True)
    room.do("bots_absent", NOW)
    assert {len(desk.lines) for desk in room.desks} == {0}
    room.do("close", NOW)
    assert {len(desk.lines) for desk in room.desks} == {1}
    room.come_back(room.pupils[1], NOW)
    bid(room, 1)
    assert {len(desk.lines) for desk in room.desks} == {2}


def test_with_everyone_sent_out_the_class_can_be_ended(room):
    for pupil in (1, 2, 3):
        room.do("kick", NOW, pupil=pupil)
    assert room.phase == "running"
    assert room.place_names(0) == ["Bot 1", "Bot 2", "Bot 3"]
    room.do("end", NOW)
    assert room.phase == "over"


def test_one_pupil_plays_against_bots(tmp_path):
    room = opened(tmp_path, "Ann", size=4, months=1)
    bid(room, 1, X)
    bid(room, 1)
    assert room.phase == "over"
    assert room.place_names(0) == ["Ann", "Bot 1", "Bot 2", "Bot 3"]


# -- names and records ---------------------------------------------------------------------------


def test_places_are_called_by_who_sits_there_and_all_differently(tmp_path):
    long = "W" * LONGEST_NAME
    room = opened(tmp_path, *[long] * 6, size=4, rest=Rest.SHARE, roster=["Bot 1"])
    names = room.place_names(0)
    assert names[0].startswith("Bot 1")
    assert len(set(names)) == 4
    assert max(map(len, names)) <= 40
    assert record.parse(room.desks[0].record(names)).players == tuple(names)


def test_a_pupil_keeps_a_bots_name_and_the_bots_take_others(tmp_path):
    room = opened(tmp_path, "Ann", size=3, roster=["Bot 1"])
    room.do("kick", NOW, pupil=2)
    assert room.place_names(0) == ["Bot 1", "Bot 2", "Bot 3"]


def test_no_pupil_joins_as_a_bot(tmp_path):
    room = opened(tmp_path, "Ann", start=False)
    with pytest.raises(RefusalError, match="Bots are called so") as refusal:
        join(room, " bot  1")
    assert refusal.value.why == "name"
    assert len(room.pupils) == 1


def test_who_comes_late_plays_now_and_not_again(tmp_path):
    room = opened(tmp_path, "Ann", size=2)
    join(room, "Dee")
    assert room.desks[0].news[-1].text == "Dee plays now."


def test_a_name_of_the_roster_is_no_new_pupils_but_the_teacher_may_add_it(tmp_path):
    room = opened(tmp_path, "Ben", start=False, roster=["Ann", "Cy"])
    for name in ("Ann", " ann ", "CY"):
        with pytest.raises(RefusalError, match="ask your teacher") as refusal:
            join(room, name)
        assert refusal.value.why == "slip"
    assert [one.name for one in room.pupils.values()] == ["Ann", "Cy", "Ben"]
    assert join(room, "Ann B").name == "Ann B"
    assert join(room, "Ben").name == "Ben 2"
    room.do("add", NOW, name="Ann")
    assert room.pupils[6].name == "Ann 2"


def test_groups_of_the_roster_sit_together_and_treatments_go_round(tmp_path):
    roster = [
        Entry("a", "red"),
        Entry("b", "blue"),
        Entry("c", "red"),
        Entry("d"),
        Entry("e", "red"),
    ]
    treatments = [Treatment("One", {}), Treatment("Two", {"partial_buys": True})]
    room = opened(tmp_path, size=2, roster=roster, treatments=treatments)
    names = [[room.pupils[p].name for place in d.places for p in place.pupils] for d in room.desks]
    assert names == [["a", "c"], ["e"], ["b"], ["d"]]
    assert [desk.treatment for desk in room.desks] == ["One", "Two", "One", "Two"]
    assert [desk.rules.partial_buys for desk in room.desks] == [False, True, False, True]
    assert len({desk.seed for desk in room.desks}) == 4


def test_seats_that_are_drawn_by_lot_are_drawn_anew_for_each_class(tmp_path):
    def names(room):
        return [
            "".join(room.pupils[p].name for place in desk.places for p in place.pupils)
            for desk in room.desks
        ]

    drawn = []
    for number in range(2):
        folder = tmp_path / str(number)
        room = opened(folder, *"abcdefghijkl", size=3, draw=True)
        drawn.append(names(room))
        assert sorted("".join(drawn[-1])) == [*"abcdefghijkl"]
        assert drawn[-1] == names(again(room))
    # By chance one of these is so in a class in hundreds of millions.
    assert len({tuple(one) for one in [*drawn, ["abc", "def", "ghi", "jkl"]]}) == 3


def test_groups_stay_together_when_seats_are_drawn(tmp_path):
    groups = [*"ppppppqqqqqqrrrrrrssssss"]
    roster = [Entry(f"{at}", group) for at, group in enumerate(groups)] + [Entry("last")]
    room = opened(tmp_path, size=3, roster=roster, draw=True)
    seated = [
        [room.pupils[p] for place in desk.places for p in place.pupils] for desk in room.desks
    ]
    assert all(len({one.group for one in pupils}) == 1 for pupils in seated)
    assert [one.name for one in seated[-1]] == ["last"]
    assert [one.number for pupils in seated for one in pupils] != list(range(1, 26))


def test_the_record_of_a_table_is_its_game_under_the_names_of_its_people(room):
    for pupil in (1, 2, 3):
        bid(room, pupil, {"X": [pupil, 50]})
    read = record.parse(room.desks[0].record(room.place_names(0), title="Monday"))
    assert read.players == ("Ann", "Ben", "Cy")
    assert read.extra == {"title": "Monday"}
    assert read.steps[0].bids["Cy"] == {"X": (3, 50)}
    assert read.steps[0].check["cash"].keys() == {"Ann", "Ben", "Cy"}
    assert record.parse(room.desks[0].record()).game().steps == room.table(0).game.steps


# -- what is never shown -------------------------------------------------------------------------


def test_no_bid_is_in_the_traceback_of_what_goes_wrong(room, monkeypatch):
    bid(room, 1, {"X": [1, 71234]})

    def full(events, drafts=()):
        raise StoreError(f"The disk is full: {[*events]}")

    monkeypatch.setattr(room.store, "append", full)
    with pytest.raises(StoreError, match="<Event 7, bid>") as error:
        room.commit()
    assert "7123" not in "".join(traceback.format_exception(error.value))


def test_what_is_looked_at_by_chance_shows_no_bid_and_no_key(room):
    room.draft(room.pupils[2], [1, "buy"], {"X": ["2", "71235"]})
    bid(room, 1, {"X": [1, 71234]})
    desk = room.desks[0]
    shown = repr([room, room.store, room.desks, desk, desk.sealed, desk.places, room.pupils])
    shown += repr(room._pending) + str(room.table(0)) + repr(vars(room.table(0)))
    assert "7123" not in shown
    assert room.secret not in shown
    assert room.host_key not in shown


def test_a_step_is_over_for_the_log_before_it_is_for_anyone(room):
    # What is logged and not committed is not on the disk.
    for pupil in (1, 2, 3):
        bid(room, pupil)
    assert again(room).desks[0].turn == (1, Step.BUY)
    room.commit()
    assert again(room).desks[0].turn == (1, Step.SELL)
