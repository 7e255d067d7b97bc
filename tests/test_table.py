import pytest

from exdec import STANDARD, BidError, Game, RecordError, Step, TurnError
from exdec.record import read
from exdec.table import Table, Turn

RIVALS = {"Ben": "cautious", "Cy": "random"}
NAMES = ["You", "Ben", "Cy"]


def play_a_month(table: Table) -> None:
    table.hand_in("You", {"X": (2, 50), "F": (2, 50), "S": (2, 50)}, table.turn)
    table.hand_in("You", {"B": (1, 100)}, table.turn)


def test_a_step_is_on_disk_before_the_next_is_asked_for(tmp_path):
    path = tmp_path / "game.jsonl"
    table = Table.create(path, NAMES, STANDARD.vary(months=2), RIVALS, seed=3)
    assert read(path).steps == ()
    table.hand_in("You", {"X": (2, 50)})
    assert len(read(path).steps) == 1
    table.hand_in("You", {})
    play_a_month(table)
    assert read(path).game().steps == table.game.steps
    assert table.game.step is Step.OVER


def test_a_resumed_game_meets_the_same_rivals_with_the_same_luck(tmp_path):
    whole = Table.create(tmp_path / "a.jsonl", NAMES, STANDARD, RIVALS, seed=3)
    for _ in range(3):
        play_a_month(whole)
    first = Table.create(tmp_path / "b.jsonl", NAMES, STANDARD, RIVALS, seed=3)
    play_a_month(first)
    again = Table.resume(tmp_path / "b.jsonl")
    assert again.rivals == RIVALS
    play_a_month(again)
    play_a_month(again)
    assert again.game.steps == whole.game.steps


def test_undo_takes_the_step_off_the_record_and_the_rivals_play_it_the_same_again(tmp_path):
    path = tmp_path / "game.jsonl"
    table = Table.create(path, NAMES, STANDARD, RIVALS, seed=3)
    play_a_month(table)
    before = path.read_bytes()
    first = table.hand_in("You", {"X": (2, 50)})
    table.undo()
    assert path.read_bytes() == before
    assert table.hand_in("You", {"X": (2, 50)}) == first
    again = table.game.steps
    assert read(path).game().steps == again


def test_a_bid_for_a_past_turn_is_refused_in_words():
    table = Table(Game(NAMES), RIVALS)
    table.hand_in("You", {"X": (1, 50)}, Turn(1, Step.BUY))
    with pytest.raises(TurnError, match="January's orders are settled already"):
        table.hand_in("You", {"X": (1, 50)}, Turn(1, Step.BUY))
    assert table.turn == (1, Step.SELL)


def test_a_refused_bid_changes_nothing_and_can_be_mended():
    table = Table(Game(NAMES), RIVALS)
    with pytest.raises(BidError):
        table.hand_in("You", {"X": (13, 40)})
    assert table.waiting == ("You",)
    assert table.hand_in("You", {"X": (12, 40)}) is not None


def test_two_people_wait_for_each_other():
    table = Table(Game(NAMES), {"Cy": "cautious"})
    assert table.hand_in("You", {"X": (1, 50)}) is None
    assert table.waiting == ("Ben",)
    with pytest.raises(TurnError, match="Still waiting for Ben"):
        table.play_rivals()
    report = table.hand_in("Ben", {})
    assert report is not None
    assert report.firms[0].lines.X.filled == 1


def test_nobody_hands_in_for_a_rival():
    with pytest.raises(TurnError, match=r"Ben is played by a rival \(cautious\)"):
        Table(Game(NAMES), RIVALS).hand_in("Ben", {})


def test_rivals_alone_play_step_by_step_to_the_end():
    table = Table(Game(["Ben", "Cy"], STANDARD.vary(months=1)), RIVALS)
    table.play_rivals()
    table.play_rivals()
    with pytest.raises(TurnError, match="ended with January"):
        table.play_rivals()


def test_a_step_that_cannot_be_written_is_not_played(tmp_path, monkeypatch):
    table = Table.create(tmp_path / "game.jsonl", NAMES, STANDARD, RIVALS, seed=3)

    def full(_step):
        raise RecordError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(table._recorder, "append", full)
        with pytest.raises(RecordError):
            table.hand_in("You", {"X": (1, 50)})
    assert table.game.steps == ()
    assert table.hand_in("You", {"X": (1, 50)}) is not None


def test_a_rival_needs_a_seat():
    with pytest.raises(TurnError, match="Dan has no seat"):
        Table(Game(NAMES), {"Dan": "cautious"})
