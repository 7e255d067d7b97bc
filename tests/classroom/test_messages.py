import json

import pytest
from class_room import NOW, bid, join, merged, numbers, opened, views, wire

from exdec.classroom.messages import BEST_SHOWN, Messages, update

VIEW = {
    *("t", "v", "phase", "title", "you", "table", "lobby", "turn", "months", "left", "seconds"),
    *("rules", "opening", "postings", "results", "cash", "held", "cost", "draft", "sealed"),
    *("standings", "news", "final"),
}


@pytest.fixture
def room(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=3)
    yield room
    room.store.close()


def view(room, pupil=1, now=NOW):
    return wire(Messages(room).view(room.pupils[pupil], now))


def host(room, show=None):
    return wire(Messages(room).host(show, NOW))


def play(room, **orders):
    for pupil, letter in ((1, "a"), (2, "b"), (3, "c")):
        bid(room, pupil, orders.get(letter))


def test_a_view_has_the_same_fields_in_the_lobby_and_at_a_table(tmp_path, room):
    (tmp_path / "lobby").mkdir()
    lobby = view(opened(tmp_path / "lobby", "Ann", start=False))
    assert set(lobby) == set(view(room)) == VIEW
    assert (lobby["phase"], lobby["table"], lobby["turn"]) == ("lobby", None, [1, "buy"])


def test_a_view_says_what_the_rulebook_says(room):
    # The rulebook's second example: totals 11 / 15 / 7 post at 41 / 35 / 17.
    ann = {"X": [2, 40], "F": [4, 35], "S": [6, 23]}
    play(room, a=ann, b={"X": [9, 1], "S": [1, 1]}, c={"F": [11, 1]})
    seen = view(room)
    (posted,) = seen["postings"]
    assert (posted["units"], posted["move"], posted["prices"]) == (
        [11, 15, 7],
        [1, 5, -3],
        [41, 35, 17],
    )
    assert posted["announced"] == [[2, 4, 6], [9, 0, 1], [0, 11, 0]]
    assert posted["held"] == [[0, 4, 6], [0, 0, 0], [0, 0, 0]]
    (own,) = seen["results"]
    assert (own["due"], own["money"], own["void"], own["cash"]) == (278, 278, False, 322)
    assert [line[4] for line in own["lines"]] == ["below market", "filled", "filled"]
    assert (seen["cash"], seen["held"], seen["cost"]) == (322, [0, 4, 6], [0, 35, 23])
    assert (seen["rules"]["order"], seen["rules"]["grade"]) == (12, 12)
    assert seen["opening"] == [40, 30, 20, 140, 115, 90]
    assert seen["turn"] == [1, "sell"]


def test_a_seat_is_told_in_which_steps_it_handed_nothing_in(room):
    def missed():
        return {
            pupil: [one["missed"] for one in view(room, pupil)["results"]] for pupil in (1, 2, 3)
        }

    bid(room, 1)  # a pass is handed in
    room.do("bot", NOW, table=0, firm=2)
    room.do("close", NOW)
    assert missed() == {1: [False], 2: [True], 3: [False]}
    for pupil in (1, 2):
        bid(room, pupil)
    assert missed() == {1: [False] * 2, 2: [True, False], 3: [False] * 2}
    for do, then in (("reopen", [True]), ("redo", [True, False]), ("undo", [])):
        room.do(do, NOW)
        assert missed()[2] == then
    for pupil in (1, 2):
        bid(room, pupil)
    assert missed()[2] == [False]


def test_a_view_says_what_moves_a_price_and_how_much_the_others_may_order(room):
    rules = view(room)["rules"]
    # R7: twelve of a grade for each of two others; R5 and R6: the printed rows, not cut off.
    assert rules["others"] == 24
    assert rules["calc"] == [[-10, 1, None], [11, -2, None]]


def test_a_row_that_ends_at_its_last_column_says_where(tmp_path):
    room = opened(tmp_path, "Ann", rules={"past_table": "clamp"})
    assert [row[2] for row in view(room)["rules"]["calc"]] == [
        room.settings.rules_of(None).materials_calculator.last,
        room.settings.rules_of(None).goods_calculator.last,
    ]


def test_the_projector_invites_late_ones_only_while_there_is_a_place(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=2)
    assert not host(room)["full"]  # the fourth place is a bot's
    join(room, "Dee")
    assert host(room)["full"]
    room.store.close()


def test_a_table_tells_the_host_which_step_it_settled_last(room):
    assert host(room)["tables"][0]["last"] is None
    play(room)
    assert host(room)["tables"][0]["last"] == [1, "buy"]
    play(room)
    assert host(room)["tables"][0]["last"] == [1, "sell"]


def test_before_the_reveal_no_price_and_no_cash_of_another_is_in_any_message(room):
    play(room, a={"X": [1, 71_111]}, b={"F": [1, 472]}, c={"S": [1, 333]})
    bid(room, 1, {"A": [1, 81_111]})
    room.draft(room.pupils[2], [1, "sell"], {"A": ["1", "82222"]})
    secret = {1: {71_111, 81_111}, 2: {472, 128, 82_222}, 3: {333, 267}}
    for pupil, seen in views(room).items():
        others = set().union(*(marks for of, marks in secret.items() if of != pupil))
        assert not numbers(json.dumps(seen)) & others
    for show in (None, 0):
        assert not numbers(json.dumps(host(room, show))) & set().union(*secret.values())
    assert view(room, 1)["sealed"]["bids"] == {"A": [1, 81_111]}
    assert view(room, 2)["draft"]["text"] == {"A": ["1", "82222"]}
    assert [firm["in"] for firm in view(room, 2)["table"]["firms"]] == [True, False, False]


def test_rules_that_reveal_cash_and_bids_do_so_once_a_step_is_settled(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", size=2, rules={"reveal": ["cash", "bids"]})
    bid(room, 1, {"X": [1, 71_111]})
    assert 71_111 not in numbers(json.dumps(view(room, 2)))
    bid(room, 2, {"F": [1, 472]})
    (posted,) = view(room, 1)["postings"]
    assert posted["cash"] == [900, 428]
    assert posted["bids"][0] == [[1, 71_111], [0, 0], [0, 0]]


def test_no_message_of_a_pupil_holds_a_key_or_a_code_and_the_hosts_holds_no_key(room):
    keys = {room.key(one) for one in room.pupils.values()} | {room.secret, room.host_key}
    for seen in views(room).values():
        assert not any(key in json.dumps(seen) for key in keys | {room.code})
    assert not any(key in json.dumps(host(room)) for key in keys)
    assert {slip["key"] for slip in Messages(room).slips()} < keys
    room.do("kick", NOW, pupil=1)
    assert [slip["name"] for slip in Messages(room).slips()] == ["Ben", "Cy"]


@pytest.mark.parametrize("show", [5, -1, "x", None, True, [0]])
def test_a_board_that_there_is_not_is_that_of_all_tables(room, show):
    assert host(room, show)["board"]["table"] is None


def test_the_board_is_the_average_of_all_tables_or_one_tables_own(tmp_path):
    room = opened(tmp_path, *"abcd", size=2)
    for pupil, units in ((1, 10), (2, 0), (3, 4), (4, 1)):
        bid(room, pupil, {"X": [units, 9]} if units else {})
    board = host(room)["board"]
    # $40 and $35, so half a dollar is rounded; 10 units and 5.
    assert board["months"] == [
        {
            "m": 1,
            "prices": [38, 20, 10] + [None] * 3,
            "units": [8, 0, 0] + [None] * 3,
            "of": [2, 0],
        }
    ]
    assert board["sentences"] == [
        "January, materials",
        "X-FINE posts at $38 on average, from $35 to $40.",
        "FINE posts at $20 at each table.",
        "STANDARD posts at $10 at each table.",
    ]
    board = host(room, 1)["board"]
    assert (board["table"], board["months"][0]["prices"][:3]) == ("Table 2", [35, 20, 10])
    assert board["sentences"][1] == "5 X-FINE ordered, so −5: it posts at $35."


def test_while_one_table_is_ahead_its_prices_are_told_as_its_own(tmp_path):
    room = opened(tmp_path, *"abcdef", size=2)
    for pupil in (1, 2, 3, 4, 5, 6):
        bid(room, pupil, {"F": [pupil, 9]})
    for pupil in (1, 2):
        bid(room, pupil)
    board = host(room)["board"]
    # Nobody offers: +11 for each.
    assert board["sentences"] == [
        "January, goods: Table 1 only",
        "A posts at $151.",
        "B posts at $126.",
        "C posts at $101.",
    ]
    assert board["months"][0]["of"] == [3, 1]
    for pupil in (3, 4):
        bid(room, pupil)
    assert host(room)["board"]["sentences"][:2] == [
        "January, goods: 2 of 3 tables",
        "A posts at $151 at each table.",
    ]


def test_who_is_waited_for_is_told_and_never_what_is_in(room):
    bid(room, 1, {"X": [1, 71_111]})
    room.do("bot", NOW, table=0, firm=2)
    seen = host(room)
    assert seen["waiting"] == [{"table": "Table 1", "names": ["Ben"]}]
    assert seen["counts"] == {"here": 0, "in": 1, "of": 2}


def test_equal_profits_share_a_rank_and_the_next_rank_is_left_out(room):
    play(room, a={"X": [1, 60]}, b={"X": [1, 60]}, c={"X": [1, 50]})
    room.do("standings", NOW, show=True)
    ranks = [(one["rank"], one["name"], one["profit"]) for one in host(room)["standings"]]
    # Each holds one X-FINE, which posts at $33.
    assert ranks == [(1, "Cy", -17), (2, "Ann", -27), (2, "Ben", -27)]
    own = view(room, 2)["standings"]
    assert [one["name"] for one in own if one["you"]] == ["Ben"]
    room.do("standings", NOW, show=False)
    assert host(room)["standings"] is None
    assert view(room, 2)["standings"] is None


def test_standings_follow_an_undone_month(room):
    room.do("standings", NOW, show=True)
    messages = Messages(room)
    play(room, a={"X": [1, 60]})
    play(room)
    assert messages.standings()[-1]["profit"] == -60 + 31
    room.do("undo", NOW)
    assert messages.standings()[-1]["profit"] == 0


def test_standings_say_what_a_bot_has_played(room):
    play(room)
    room.do("bot", NOW, table=0, firm=1)
    for _ in range(2):
        bid(room, 1)
        bid(room, 3)
    room.do("return", NOW, table=0, firm=1)
    room.do("standings", NOW, show=True)
    told = {
        one["name"]: (one["bot_steps"], one["steps"], one["after"])
        for one in host(room)["standings"]
    }
    assert told == {"Ann": (0, 3, 1), "Ben": (2, 3, 1), "Cy": (0, 3, 1)}
    room.do("reopen", NOW)
    assert {one["name"]: one["bot_steps"] for one in host(room)["standings"]}["Ben"] == 1
    room.do("redo", NOW)
    assert {one["name"]: one["bot_steps"] for one in host(room)["standings"]}["Ben"] == 2


def test_a_phone_shows_the_best_and_its_own(tmp_path):
    room = opened(tmp_path, *map(str, range(16)), size=2)
    for pupil in range(1, 17):
        bid(room, pupil, {"X": [1, 50 + pupil]})
    room.do("standings", NOW, show=True)
    last = view(room, 16)["standings"]
    assert len(last) == BEST_SHOWN + 1
    assert (last[-1]["rank"], last[-1]["you"]) == (16, True)
    assert len(view(room, 1)["standings"]) == BEST_SHOWN


def test_at_the_end_everyone_sees_liquidation_profit_and_winners(room):
    play(room, a={"X": [2, 60]})
    play(room)
    room.do("end", NOW)
    seen = view(room, 3)
    assert (seen["phase"], seen["turn"], seen["months"]) == ("over", [1, "over"], 1)
    price = seen["postings"][0]["prices"][0]
    assert seen["final"]["liquidation"] == [2 * price, 0, 0]
    assert seen["final"]["profit"] == [2 * price - 120, 0, 0]
    assert seen["final"]["winners"] == [1, 2]


def test_a_game_that_is_off_has_no_winners(room):
    room.do("end", NOW)
    assert (view(room)["phase"], view(room)["final"]) == ("over", None)


def test_phases_as_a_phone_names_them(tmp_path):
    room = opened(tmp_path, *"abcd", size=2, together=True)
    assert view(room)["phase"] == "open"
    bid(room, 1)
    bid(room, 2)
    assert (view(room, 1)["phase"], view(room, 3)["phase"]) == ("wait", "open")
    room.do("pause", NOW)
    assert view(room, 3)["phase"] == "paused"


def test_hostile_names_are_text_in_every_message_and_change_no_other_field(tmp_path):
    names = ['<img src=x onerror="alert(1)">', "\u202e=cmd|'/C calc'!A0", "{{7*7}}", "__proto__"]
    room = opened(tmp_path, *names, size=4)
    seen = view(room)
    assert "\u202e" not in json.dumps(seen, ensure_ascii=False)
    assert [firm["name"] for firm in seen["table"]["firms"]] == room.place_names(0)
    assert set(seen) == VIEW


def test_an_update_has_what_is_new_and_nothing_else(room):
    messages = Messages(room)
    old = messages.view(room.pupils[1], NOW)
    assert update(old, messages.view(room.pupils[1], NOW + 5)) is None
    bid(room, 2, {"X": [1, 60]})
    new = messages.view(room.pupils[1], NOW)
    assert set(update(old, new)) == {"t", "v", "left", "table"}
    bid(room, 1)
    bid(room, 3)
    newer = messages.view(room.pupils[1], NOW)
    message = update(new, newer)
    assert {"posting", "result", "turn"} < set(message)
    assert not {"postings", "results", "title", "rules"} & set(message)
    assert merged(wire(new), wire(message)) == wire(newer)


def test_two_steps_at_once_or_a_step_taken_back_is_told_whole(room):
    messages = Messages(room)
    views = [messages.view(room.pupils[1], NOW)]
    for _ in range(2):
        play(room)
        views.append(messages.view(room.pupils[1], NOW))
    assert update(views[0], views[2])["t"] == "view"
    assert update(views[2], views[1])["t"] == "view"
    assert update(views[1], views[2])["t"] == "update"


def test_the_beginning_of_the_game_is_told_whole(tmp_path):
    room = opened(tmp_path, "Ann", start=False)
    old = Messages(room).view(room.pupils[1], NOW)
    join(room, "Ben")
    assert update(old, Messages(room).view(room.pupils[1], NOW)) is None
    room.do("start", NOW)
    new = Messages(room).view(room.pupils[1], NOW)
    assert update(old, new) == new
