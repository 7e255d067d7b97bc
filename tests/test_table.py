import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exdec import STANDARD, BidError, Game, RecordError, Step, TurnError
from exdec.record import read
from exdec.sealed import Seals
from exdec.table import Table, Turn

RIVALS = {"Ben": "cautious", "Cy": "random"}
NAMES = ["You", "Ben", "Cy"]


def play_a_month(table: Table) -> None:
    table.hand_in("You", {"X": (2, 50), "F": (2, 50), "S": (2, 50)}, table.turn)
    table.hand_in("You", {"B": (1, 100)}, table.turn)


def test_a_step_is_on_disk_before_the_next_is_asked_for(tmp_path):
    path = tmp_path / "game.jsonl"
    table = Table.create(path, NAMES, STANDARD.vary(months=2), RIVALS, seed=3)
    assert not path.exists()  # nobody has begun
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

    def full(_recorder, _step):
        raise RecordError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("exdec.recorder.Recorder.append", full)
        with pytest.raises(RecordError):
            table.hand_in("You", {"X": (1, 50)})
    assert table.game.steps == ()
    assert table.hand_in("You", {"X": (1, 50)}) is not None


def test_a_rival_needs_a_seat():
    with pytest.raises(TurnError, match="Dan has no seat"):
        Table(Game(NAMES), {"Dan": "cautious"})


def test_a_game_is_for_practice_if_one_person_plays_and_otherwise_if_it_says_so(tmp_path):
    assert Table(Game(NAMES), RIVALS).practice
    earnest = Table.create(tmp_path / "a.jsonl", NAMES, STANDARD, {"Cy": "random"}, seed=3)
    earnest.hand_in("You", {"X": (1, 50)})
    earnest.hand_in("Ben", {})
    with pytest.raises(TurnError, match="not for practice"):
        earnest.undo()
    assert len(earnest.game.steps) == 1
    assert not Table.resume(tmp_path / "a.jsonl").practice
    kind = Table.create(tmp_path / "b.jsonl", NAMES, STANDARD, {}, seed=3, practice=True)
    kind.hand_in("You", {})
    assert Table.resume(tmp_path / "b.jsonl").practice


def test_a_header_that_no_table_can_use_is_refused_by_line(tmp_path):
    path = tmp_path / "game.jsonl"
    header = {"format": "exdec-game", "version": 1, "players": NAMES}
    for extra, why in (
        ({"bots": ["cautious"]}, "names a strategy for each rival"),
        ({"bots": {"Ben": "cautios"}}, "Did you mean 'cautious'"),
        ({"bots": {"Ben": ["cautious"]}}, "no rival called"),
        ({"bots": {"Dan": "cautious"}}, "Dan has no seat"),
        ({"seed": -1}, "from 0 on"),
        ({"practice": "yes"}, "true or false"),
    ):
        path.write_text(json.dumps(header | extra) + "\n")
        with pytest.raises(RecordError, match=rf"game.jsonl, line 1: .*{why}"):
            Table.resume(path)


# -- a table whose step is closed from outside, and whose seats change hands -----------------------


def test_a_step_is_closed_with_what_is_in_and_who_is_missing_passes():
    table = Table(Game(["Ann", "Ben", "Cy"]), {"Cy": "cautious"})
    table.hand_in("Ann", {"X": (2, 50)})
    report = table.close()
    assert report.firms[0].lines.X.units == 2
    assert sum(line.units for line in report.firms[1].lines) == 0
    assert sum(line.units for line in report.firms[2].lines) > 0
    assert table.turn == (1, Step.SELL)
    assert table.seals.bids("1") == {}


def test_a_closed_step_is_on_disk_and_one_that_cannot_be_written_is_still_open(
    tmp_path, monkeypatch
):
    path = tmp_path / "game.jsonl"
    table = Table.create(path, NAMES, STANDARD, RIVALS, seed=3)

    def full(_recorder, _step):
        raise RecordError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("exdec.recorder.Recorder.append", full)
        with pytest.raises(RecordError):
            table.close()
    assert table.game.steps == ()
    table.close()
    assert read(path).game().steps == table.game.steps


def test_nothing_is_closed_after_the_end():
    table = Table(Game(["Ann", "Ben"], STANDARD.vary(months=1)))
    table.close()
    table.close()
    with pytest.raises(TurnError, match="The game ended with January"):
        table.close()


def test_bids_that_are_laid_on_a_fresh_table_stay_sealed_and_settle_nothing():
    table = Table(Game(["Ann", "Ben"]))
    table.lay({"Ann": {"X": (2, 4321)}})
    assert table.waiting == ("Ben",)
    assert "4321" not in repr(vars(table))
    table.take_back("Ann")
    table.lay({"Ann": {"X": (3, 4321)}})
    assert table.hand_in("Ben", {}).firms[0].lines.X.units == 3
    with pytest.raises(BidError):
        table.lay({"Ann": {"X": (3, 4321)}})


def test_a_rival_that_takes_over_a_seat_leaves_what_is_sealed_and_plays_from_then_on():
    table = Table(Game(["Ann", "Ben"]))
    table.hand_in("Ann", {"X": (3, 61)})
    table.hand_over("Ann", "easy")
    assert (table.rivals, table.waiting) == ({"Ann": "cautious"}, ("Ben",))
    with pytest.raises(TurnError, match=r"Ann is played by a rival \(cautious\)"):
        table.hand_in("Ann", {})
    assert table.hand_in("Ben", {}).firms[0].lines.X == (3, 61, 3, 3, "filled")
    table.hand_over("Ann", None)
    assert table.waiting == ("Ann", "Ben")
    table.hand_over("Ben", "cautious")
    table.hand_over("Ben", "planner")
    assert table.rivals == {"Ben": "planner"}


def test_a_rival_that_takes_over_plays_as_if_it_had_sat_there_all_along():
    late, always = Table(Game(NAMES), seed=3), Table(Game(NAMES), RIVALS, seed=3)
    late.hand_over("Ben", "cautious")
    late.hand_over("Cy", "random")
    for table in (late, always):
        play_a_month(table)
    assert late.game.steps == always.game.steps


def test_a_seat_that_is_not_there_and_a_rival_that_is_none_change_nothing(tmp_path):
    table = Table(Game(["Ann", "Ben"]))
    with pytest.raises(TurnError, match="Dan has no seat"):
        table.hand_over("Dan", "cautious")
    with pytest.raises(TurnError, match="no rival called"):
        table.hand_over("Ann", "cautios")
    table.hand_over("Ann", "cautious")
    with pytest.raises(TurnError, match="no rival called"):
        table.hand_over("Ann", "cautios")
    assert table.rivals == {"Ann": "cautious"}
    kept = Table.create(tmp_path / "game.jsonl", NAMES, STANDARD, RIVALS, seed=3)
    kept.hand_in("You", {})
    with pytest.raises(TurnError, match="names its rivals already"):
        kept.hand_over("You", "cautious")


# -- half a step ---------------------------------------------------------------------------------

THREE = ["Ann", "Ben", "Cy"]


@pytest.fixture
def half(tmp_path) -> Path:
    """The record of a game in which Ann's order is in, and Ben and Cy are waited for."""
    path = tmp_path / "games" / "three.jsonl"
    Table.create(path, THREE, STANDARD, {}, seed=3).hand_in("Ann", {"X": (2, 4321)})
    return path


def test_half_a_step_outlives_a_restart_and_is_not_opened(half):
    table = Table.resume(half)
    assert table.waiting == ("Ben", "Cy")
    assert table.game.steps == ()
    with pytest.raises(TurnError, match="Ann's order for January is in already"):
        table.hand_in("Ann", {})
    table.hand_in("Ben", {})
    report = Table.resume(half).hand_in("Cy", {})
    assert report.firms[0].lines.X.price == 4321


def test_sealed_bids_stand_in_no_file_or_repr_for_a_glance_and_never_in_the_record(half):
    sealed = Seals.beside(half)
    assert sealed.name.startswith(".")
    assert "4321" not in half.read_text() + sealed.read_text()
    table = Table.resume(half)
    assert "4321" not in repr(vars(table))
    assert len(half.read_text().splitlines()) == 1


def test_what_was_sealed_goes_when_the_step_is_settled(half):
    table = Table.resume(half)
    table.hand_in("Ben", {})
    table.hand_in("Cy", {})
    assert not Seals.beside(half).exists()


def test_seals_of_a_settled_step_are_passed_over(half):
    old = Seals.beside(half).read_bytes()
    table = Table.resume(half)
    table.hand_in("Ben", {})
    table.hand_in("Cy", {})
    Seals.beside(half).write_bytes(old)  # a crash after the step was written down
    again = Table.resume(half)
    assert again.waiting == tuple(THREE)
    assert again.seals.lost == ()


def test_seals_of_another_game_are_passed_over(half, tmp_path):
    other = tmp_path / "other.jsonl"
    Table.create(other, THREE, STANDARD, {}, seed=4).hand_in("Ben", {"X": (1, 40)})
    Seals.beside(other).replace(Seals.beside(half))
    assert Table.resume(half).waiting == tuple(THREE)
    # A new game under an old name begins without what the old one left.
    half.unlink()
    Table.create(half, THREE, STANDARD, {}, seed=4).hand_in("Cy", {})
    assert Table.resume(half).waiting == ("Ann", "Ben")


@pytest.mark.parametrize("damage", ["cut", "changed", "no JSON", "no seal"])
def test_damaged_seals_are_asked_for_again_and_everyone_is_told(half, damage):
    Table.resume(half).hand_in("Ben", {"F": (1, 30)})
    path = Seals.beside(half)
    ann, ben = path.read_text().splitlines()
    fields = json.loads(ann)
    ann = {
        "cut": json.dumps({**fields, "sealed": fields["sealed"][:-8]}),
        "changed": json.dumps({**fields, "sealed": fields["sealed"].swapcase()}),
        "no JSON": ann[:20],
        "no seal": json.dumps({"player": "Ann"}),
    }[damage]
    path.write_text(f"{ben}\n{ann}")
    table = Table.resume(half)
    assert table.waiting == ("Ann", "Cy")
    (told,) = table.seals.lost
    assert "cannot be read any more" in told
    assert damage == "no JSON" or "Ann" in told


def test_a_step_that_cannot_be_written_leaves_the_others_bids_sealed(half, monkeypatch):
    table = Table.resume(half)
    table.hand_in("Ben", {"F": (1, 30)})

    def full(_recorder, _step):
        raise RecordError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("exdec.recorder.Recorder.append", full)
        with pytest.raises(RecordError):
            table.hand_in("Cy", {})
    assert table.waiting == ("Cy",)
    assert table.game.steps == ()
    report = table.hand_in("Cy", {})
    assert report.units == (2, 1, 0)


def test_bids_that_cannot_be_sealed_are_not_handed_in(half, monkeypatch):
    table = Table.resume(half)

    def full(_path, _lines):
        raise RecordError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("exdec.sealed._write", full)
        with pytest.raises(RecordError):
            table.hand_in("Ben", {})
        with pytest.raises(RecordError):
            table.take_back("Ann")
    assert table.waiting == ("Ben", "Cy")


def test_what_a_person_takes_back_is_taken_off_the_disk(half):
    Table.resume(half).take_back("Ann")
    assert Table.resume(half).waiting == tuple(THREE)
    with pytest.raises(TurnError, match="nothing on the table"):
        Table.resume(half).take_back("Ben")


def test_a_pin_is_asked_for_again_after_a_restart_and_stands_in_the_record_nowhere(half):
    table = Table.resume(half)
    table.seals.lock("Ann", "2580")
    again = Table.resume(half)
    assert again.seals.locked("Ann")
    assert not again.seals.locked("Ben")
    assert again.seals.opens("Ann", "2580")
    assert not again.seals.opens("Ann", "2581")
    text = half.read_text() + Seals.beside(half).read_text()
    assert "2580" not in text
    assert "pin" not in half.read_text()
    again.hand_in("Ben", {})
    again.hand_in("Cy", {})
    assert Table.resume(half).seals.opens("Ann", "2580")


def test_a_pin_that_is_taken_off_is_told_to_everyone(half):
    Table.resume(half).seals.lock("Ann", "2580")
    Table.resume(half).seals.unlock("Ann", "January: Ann's PIN was taken off.")
    again = Table.resume(half)
    assert not again.seals.locked("Ann")
    assert again.seals.notes == ("January: Ann's PIN was taken off.",)
    assert again.waiting == ("Ben", "Cy")


EVENTS = st.lists(
    st.tuples(st.just("hand in"), st.sampled_from(THREE[:2]), st.integers(0, 3))
    | st.tuples(st.sampled_from(["take back"]), st.sampled_from(THREE[:2]), st.just(0))
    | st.tuples(st.sampled_from(["undo", "crash", "crash"]), st.just(""), st.just(0)),
    max_size=24,
)


@given(EVENTS)
def test_however_often_the_kernel_dies_the_game_is_the_same(events):
    rules, rivals = STANDARD.vary(months=2), {"Cy": "random"}
    sure = Table(Game(THREE, rules), rivals, seed=3, practice=True)
    with TemporaryDirectory() as folder:
        path = Path(folder, "game.jsonl")
        frail = Table.create(path, THREE, rules, rivals, seed=3, practice=True)
        for what, player, units in events:
            if what == "crash":
                if path.exists():
                    frail = Table.resume(path)
            else:
                assert done(sure, what, player, units) == done(frail, what, player, units)
            assert frail.game.steps == sure.game.steps
            assert frail.waiting == sure.waiting
            assert frail.seals.lost == ()
            if path.exists():
                assert read(path).game().steps == sure.game.steps


def done(table: Table, what: str, player: str, units: int) -> object:
    """What comes of an event: a report, nothing, or a refusal in words."""
    item = "X" if table.turn.step is Step.BUY else "A"
    try:
        if what == "hand in":
            return table.hand_in(player, {item: (units, 45)} if units else {})
        return table.undo() if what == "undo" else table.take_back(player)
    except TurnError as error:
        return str(error)


# -- the same game in two places -----------------------------------------------------------------


def two_of_it(path):
    first = Table.create(path, ["Ann", "Ben", "Cy"], STANDARD.vary(months=1), {}, seed=1)
    first.hand_in("Ann", {"X": (2, 45)})
    return first, Table.resume(path)


def test_a_bid_that_was_sealed_elsewhere_meanwhile_is_never_overwritten(tmp_path):
    path = tmp_path / "game.jsonl"
    first, second = two_of_it(path)
    second.hand_in("Ben", {"X": (3, 46)})
    with pytest.raises(RecordError, match="Run this cell again to go on with it"):
        first.hand_in("Ben", {"X": (9, 99)})
    assert first.waiting == ("Ben", "Cy")
    assert Table.resume(path).waiting == ("Cy",)
    second.hand_in("Cy", {})
    assert second.game.steps[0].bids["Ben"] == {"X": (3, 46)}


def test_a_step_that_was_settled_elsewhere_is_noticed_at_the_next_bid(tmp_path):
    first, second = two_of_it(tmp_path / "game.jsonl")
    second.hand_in("Ben", {})
    second.hand_in("Cy", {})
    with pytest.raises(RecordError, match="in another tab or by someone else"):
        first.hand_in("Ben", {})


def test_a_record_that_was_begun_elsewhere_meanwhile_is_not_begun_again(tmp_path):
    path = tmp_path / "game.jsonl"
    late = Table.create(path, ["Ann", "Ben"], STANDARD, {}, seed=1)
    Table.create(path, ["Ann", "Ben"], STANDARD, {}, seed=1).hand_in("Ann", {})
    with pytest.raises(RecordError, match="Run this cell again"):
        late.hand_in("Ann", {})
    assert late.waiting == ("Ann", "Ben")


def test_nothing_hidden_is_left_beside_the_record_of_a_game_that_is_over(tmp_path):
    table = Table.create(tmp_path / "game.jsonl", ["Ann", "Ben"], STANDARD.vary(months=1), {}, 1)
    table.hand_in("Ann", {})
    table.seals.lock("Ann", "2580")
    table.seals.unlock("Ann", "Ann's PIN was taken off.")
    for player in ("Ben", "Ann", "Ben"):
        assert len([*tmp_path.iterdir()]) == 2
        table.hand_in(player, {})
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]
    assert table.seals.notes == ()
