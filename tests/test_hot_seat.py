import html
import json
import re
from functools import partial
from pathlib import Path

import pytest
from ipywidgets.widgets import widget as registry

from exdec import STANDARD, ExdecError, Step
from exdec.errors import BidError
from exdec.notebook import hot_seat, resume
from exdec.notebook.hot_seat import HotSeat
from exdec.notebook.live import Live
from exdec.record import read

NAMES = ["Ann", "Ben", "Cy"]


@pytest.fixture
def sent(monkeypatch) -> list[str]:
    """Everything that is drawn on the page, as text, in order."""
    drawn: list[str] = []

    def draw(_live, bundle, **_how):
        drawn.append(text(bundle))

    monkeypatch.setattr(Live, "update", draw)
    monkeypatch.setattr(Live, "show", draw)
    return drawn


def text(what: object) -> str:
    return html.unescape(json.dumps(what, ensure_ascii=False, default=str))


@pytest.fixture
def room(sent) -> HotSeat:
    return hot_seat(NAMES, months=2)


@pytest.fixture
def kept(tmp_path, sent):
    """The same cell run again and again, as after a restart of the kernel."""
    return partial(hot_seat, NAMES, months=2, record=tmp_path / "games" / "three.jsonl")


def sealed(tmp_path: Path) -> Path:
    return tmp_path / "games" / ".three.jsonl.sealed"


def press(room: HotSeat, pin: str = "") -> None:
    """Press the curtain's button, and let the page echo as JupyterLab does."""
    room.curtain.pin.value = pin
    room.curtain._press.button.click()
    room.curtain._press.echo.value = room.curtain._press.ask.value


def type_in(room: HotSeat, item: str, units: int, price: int) -> None:
    fields = {str(one): pair for one, pair in room.seat.form._fields.items()}[item]
    fields[0].value, fields[1].value = str(units), str(price)


def take_turn(room: HotSeat, item: str = "X", units: int = 1, price: int = 45) -> None:
    press(room)
    type_in(room, item, units, price)
    room.seat.form.hand_in()


def play_step(room: HotSeat, item: str) -> None:
    for _ in NAMES:
        take_turn(room, item)


def state_of_all_widgets() -> str:
    states = [widget.get_state() for widget in registry._instances.values()]
    # The names of other widgets are random, and may hold any four digits.
    return re.sub("IPY_MODEL_[0-9a-f]+", "", text(states))


def curtain_says(room: HotSeat) -> str:
    return room.curtain._said.value + room.curtain.message.value


# -- turns ---------------------------------------------------------------------------------------


def test_turns_go_round_by_seats_and_nothing_opens_before_all_have_handed_in(room):
    for player in NAMES:
        assert room.player == player
        assert f"Pass the machine to <strong>{player}</strong>." in curtain_says(room)
        assert room.table.game.steps == ()
        take_turn(room)
    assert room.table.turn.step is Step.SELL
    assert room.player == "Ann"


def test_a_game_is_played_to_its_end_with_public_standings(room, sent):
    for item in "XAXA":
        play_step(room, item)
    assert room.player is None
    assert room.curtain.widget.layout.display == "none"
    assert "The end." in sent[-4]
    for player, profit in room.table.game.profit.items():
        assert player in sent[-4]
        assert f"${abs(profit):,}" in sent[-4]


def test_rivals_may_sit_at_the_table_too(sent):
    room = hot_seat(["Ann", "Cy"], ["cautious"], months=1)
    assert room.table.game.players == ("Ann", "Cy", "Ben")
    take_turn(room)
    assert room.player == "Cy"
    take_turn(room)
    assert [step.bids["Ben"] for step in room.table.game.steps] == [
        {"X": (2, 42), "F": (2, 32), "S": (2, 22)}
    ]


def test_nobody_takes_a_step_back_that_others_have_seen(room):
    play_step(room, "X")
    press(room)
    assert room.seat.form.undo.layout.display == "none"
    with pytest.raises(ExdecError, match="not for practice"):
        room.seat.undo()


def test_a_mistake_keeps_the_seat_and_what_was_typed(room):
    press(room)
    type_in(room, "X", 13, 40)
    with pytest.raises(BidError, match="Take 1 off"):
        room.seat.form.hand_in()
    assert room.player == "Ann"
    assert room.seat.form.bids[next(iter(room.seat.form.bids))] == (13, 40)


def test_who_has_handed_in_can_write_anew_before_anything_is_opened(room):
    take_turn(room, "X", 4, 45)
    assert room.curtain.again.description == "Ann: change the order"
    room.curtain.again.click()
    assert room.player == "Ann"
    assert "taken back then" in curtain_says(room)
    assert room.table.waiting == ("Ben", "Cy")  # until Ann is at the machine
    room.curtain.again.click()
    assert room.player == "Ben"
    room.curtain.again.click()
    take_turn(room, "X", 5, 46)
    take_turn(room)
    take_turn(room)
    assert room.table.game.steps[0].bids["Ann"] == {"X": (5, 46)}


def test_the_head_says_who_sits_at_the_machine_and_the_welcome_who_else_plays(room, sent):
    press(room)
    assert "Ann · January (1 of 2)" in sent[-4]
    assert "You play against Ben, Cy." in sent[-4]


# -- secrets -------------------------------------------------------------------------------------


def test_r21_nothing_of_a_bid_is_left_once_the_curtain_is_closed(room, sent):
    press(room)
    room.seat.calculator.toggle()
    room.seat.calculator.toggle()
    type_in(room, "X", 2, 4321)
    assert "4321" in state_of_all_widgets()
    before = len(registry._instances)
    form = room.seat.form
    room.seat.form.hand_in()
    drawn = sent[-4:]
    assert "4321" not in state_of_all_widgets()
    assert "4,321" not in state_of_all_widgets() + "".join(drawn)
    assert "4321" not in "".join(drawn)
    assert len(registry._instances) < before
    assert form.button.comm is None


def test_r21_results_are_told_to_everyone_without_bids_and_to_each_at_the_own_turn(room, sent):
    take_turn(room, "X", 1, 432)
    take_turn(room, "F", 1, 50)
    del sent[:]
    take_turn(room, "S", 1, 50)
    public = "".join(sent[-4:])
    assert "1 X-FINE ordered, so −9: it posts at $31." in public
    assert "own turn, behind the curtain" in public
    assert "432" not in public
    assert "$168" not in public
    press(room)
    own = "".join(sent[-4:])
    assert "Your $432 is above it" in own
    assert "$168" in own
    type_in(room, "A", 0, 0)
    room.seat.form.hand_in()
    room.curtain.again.click()
    everything = "".join(sent[-4:]) + state_of_all_widgets()
    assert "432" not in everything
    assert "$168" not in everything  # what Ann has left
    press(room)


def test_cash_and_tally_sheet_go_with_the_player(room, sent):
    play_step(room, "X")
    press(room)
    room.seat.sheets["Tally sheet"].click()
    assert "Tally sheet" in sent[-1]
    type_in(room, "A", 1, 100)
    room.seat.form.hand_in()
    assert "Tally sheet" not in "".join(sent[-4:])
    assert "cash" not in "".join(sent[-4:])


def test_a_cell_that_is_run_again_closes_the_seat_of_the_first(room):
    press(room)
    type_in(room, "X", 2, 4321)
    hot_seat(NAMES, months=2)
    assert room.seat is None
    assert "4321" not in state_of_all_widgets()


def test_a_view_of_the_machine_shows_no_secret_by_its_name(room):
    take_turn(room, "X", 2, 4321)
    assert "4321" not in repr(room) + repr(room.table.game) + repr(room.table.seals)


# -- PINs ----------------------------------------------------------------------------------------


def test_a_pin_is_offered_at_the_first_turn_and_asked_for_from_then_on(room):
    press(room, "2580")
    assert "2580" not in state_of_all_widgets()
    type_in(room, "X", 1, 45)
    room.seat.form.hand_in()
    assert "if you want one (4 characters or more)" in room.curtain.pin.description
    take_turn(room)  # Ben wants none
    take_turn(room)
    assert room.curtain.pin.description == "Ann's PIN"
    press(room, "1234")
    assert room.seat is None
    assert "This is not Ann" in curtain_says(room)
    press(room, "2580")
    assert room.seat.player == "Ann"
    type_in(room, "A", 0, 100)
    room.seat.form.hand_in()
    assert room.curtain.pin.layout.display == "none"


def test_a_pin_that_is_too_short_is_not_taken(room):
    press(room, "25")
    assert "4 characters or more" in curtain_says(room)
    assert room.seat is None


def test_enter_in_the_pin_opens_the_curtain(room):
    room.curtain.pin.value = "2580"
    room.curtain._entered(None, {"event": "submit"}, None)
    room.curtain._press.echo.value = room.curtain._press.ask.value
    assert room.seat.player == "Ann"


def test_a_pin_is_asked_for_again_after_a_restart(kept, tmp_path):
    room = kept()
    press(room, "2580")
    assert list(tmp_path.iterdir()) == []  # nobody has handed in yet
    type_in(room, "X", 1, 45)
    room.seat.form.hand_in()
    room = kept()
    take_turn(room)
    take_turn(room)
    room = resume(tmp_path / "games" / "three.jsonl")
    press(room, "")
    assert "This is not Ann" in curtain_says(room)
    press(room, "2580")
    assert room.seat.player == "Ann"
    assert "2580" not in (tmp_path / "games" / "three.jsonl").read_text()


def test_a_forgotten_pin_is_taken_off_after_a_warning_and_everyone_is_told(kept, sent, tmp_path):
    room = kept()
    press(room, "2580")
    type_in(room, "X", 1, 45)
    room.seat.form.hand_in()
    take_turn(room)
    take_turn(room)
    room.curtain.forgot.click()
    assert "Everyone will read" in curtain_says(room)
    assert room.table.seals.locked("Ann")
    room.curtain.forgot.click()
    note = "January: Ann's PIN was taken off.<"
    assert note in sent[-4]
    press(room, "1357")
    assert room.table.seals.opens("Ann", "1357")
    again = kept()
    assert note in text([*again.parts()])
    press(again, "1357")
    again.seat.form.hand_in()
    for _ in range(2):
        take_turn(again, "A", 0)
    for _ in range(2):
        press(again, "1357")
        again.seat.form.hand_in()
        take_turn(again, "X", 0)
        take_turn(again, "X", 0)
    assert again.table.turn.step is Step.OVER
    assert "PIN" not in text([*again.parts()])
    assert not sealed(tmp_path).exists()


# -- half a step ---------------------------------------------------------------------------------


def test_half_a_step_goes_on_after_a_restart_with_who_is_waited_for(kept, tmp_path):
    room = kept()
    take_turn(room, "X", 2, 4321)
    again = kept()
    assert again.player == "Ben"
    assert "4321" not in text([*again.parts()]) + state_of_all_widgets()
    take_turn(again)
    take_turn(again)
    assert read(tmp_path / "games" / "three.jsonl").steps[0].bids["Ann"] == {"X": (2, 4321)}


def test_damaged_seals_are_told_to_everyone(kept, tmp_path):
    take_turn(kept())
    path = sealed(tmp_path)
    path.write_text(json.dumps({"player": "Ann", "sealed": "AAAA"}))
    again = kept()
    assert again.player == "Ann"
    assert "What Ann sealed cannot be read any more" in text([*again.parts()])


def test_names_are_escaped_wherever_they_stand(sent):
    room = hot_seat(["<img src=x>", "B<b>"], months=1)
    take_turn(room)
    take_turn(room)
    everything = json.dumps([[*room.parts()], room.curtain._said.value])
    assert "<img" not in everything
    assert "B<b>" not in everything
    assert "&lt;b&gt;" in everything


def test_an_error_that_nobody_foresaw_is_shown_and_not_lost(room, monkeypatch):
    def broken(_room):
        raise RuntimeError("<no seat>")

    monkeypatch.setattr(HotSeat, "sit_down", broken)
    press(room)
    assert "RuntimeError: &lt;no seat&gt;" in curtain_says(room)


def test_undo_in_a_practice_game_of_several_closes_the_curtain(sent, tmp_path):
    room = hot_seat(["Ann", "Ben"], months=1)
    room.table.practice = True
    take_turn(room)
    take_turn(room)
    press(room)
    room.seat.form.undo.click()
    assert room.seat is None
    assert room.table.game.steps == ()
    assert room.table.game.rules == STANDARD.vary(months=1)
    assert room.player == "Ann"


def test_what_one_player_sees_is_never_an_output_that_a_notebook_keeps(monkeypatch):
    outputs: list[str] = []
    monkeypatch.setattr(Live, "_update_display", lambda _live, bundle: outputs.append(text(bundle)))
    room = hot_seat(NAMES, months=2)
    play_step(room, "X")
    press(room)
    assert "Ann · January" in state_of_all_widgets()
    assert "3 X-FINE ordered" in "".join(outputs)
    assert "Your $45" not in "".join(outputs)
    room.leave()
    assert "Your $45" not in state_of_all_widgets()


def test_a_game_that_is_over_is_played_again_beside_its_record(kept, tmp_path):
    room = kept()
    for item in "XAXA":
        play_step(room, item)
    room._again.click()
    assert room.player == "Ann"
    assert room._place.children == ()
    take_turn(room)
    assert room.player == "Ben"
    assert room.table.path == tmp_path / "games" / "three-2.jsonl"
    assert len(read(tmp_path / "games" / "three.jsonl").steps) == 4
