import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import whole_game
from test_record import BUY, HEADER, SELL, demo, disk_full_at, playing, same

from exdec import ExdecError, Game, RecordError, Step
from exdec.record import dumps, parse, save
from exdec.recorder import Recorder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@given(whole=whole_game(), data=st.data())
def test_recorded_step_by_step_it_is_the_same_file(whole, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    begun = data.draw(st.integers(0, len(whole.steps)))
    game = playing(whole, begun)
    recorder = Recorder.create(path, game, title="t")
    for step in whole.steps[begun:]:
        if data.draw(st.booleans()):
            recorder, again = Recorder.resume(path)
            assert same(again, game)
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
        recorder.append(game.steps[-1])
        if data.draw(st.booleans()):
            game.undo()
            recorder.undo()
            for player in game.players:
                game.hand_in(player, step.bids.get(player, {}))
            recorder.append(game.steps[-1])
        assert path.read_text(encoding="utf-8") == dumps(game, title="t")


def test_an_existing_file_is_not_overwritten(path):
    path.write_text("my homework")
    with pytest.raises(RecordError, match=r"game\.jsonl is there already"):
        Recorder.create(path, demo())
    assert path.read_text() == "my homework"


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(
        RecordError, match=r"game\.jsonl cannot be written: there is no folder .*none"
    ):
        Recorder.create(tmp_path / "none" / "game.jsonl", demo())
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be resumed: there is no folder"):
        Recorder.resume(tmp_path / "none" / "game.jsonl")


def test_what_is_refused_is_not_resumed_and_stays_as_it_was(path):
    path.write_text(HEADER + SELL + BUY[:5])
    with pytest.raises(RecordError, match=r"^game\.jsonl, line 2: "):
        Recorder.resume(path)
    assert path.read_text() == HEADER + SELL + BUY[:5]


@given(cut=st.integers(0, 10_000), ending=st.sampled_from(["\n", "\r\n"]))
def test_resumed_after_a_crash_at_any_byte(cut, ending, tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    whole = dumps(demo(), note="é").replace("\n", ending).encode()
    first = whole.index(b"\n") + 1
    data = whole[: first + cut % (len(whole) - first + 1)]
    path.write_bytes(data)
    lost = parse(data).lost
    recorder, game = Recorder.resume(path)
    assert recorder.record.lost == lost
    kept = path.read_bytes()
    assert kept.endswith(b"\n")
    assert parse(kept).steps == parse(data).steps
    assert data.startswith(kept) or kept == data + b"\n"
    game.open_bids()
    recorder.append(game.steps[-1])
    assert path.read_bytes().startswith(kept)
    assert same(Game.load(path), game)
    while game.steps:
        game.undo()
        recorder.undo()
        assert same(Game.load(path), game)
    with pytest.raises(RecordError, match="no step to take off"):
        recorder.undo()


def test_a_missing_last_newline_is_added_before_play_goes_on(path):
    path.write_text(HEADER + BUY.rstrip())
    recorder, game = Recorder.resume(path)
    game.open_bids()
    recorder.append(game.steps[-1])
    assert path.read_text().startswith(HEADER + BUY + '{"month": 1, "step": "sell"')
    recorder.undo()
    assert path.read_text() == HEADER + BUY


def test_undo_leaves_the_earlier_lines_to_the_byte(path):
    path.write_text("\n" + HEADER + "\n" + BUY + "   \n" + SELL + "\n")
    recorder, _ = Recorder.resume(path)
    recorder.undo()
    assert path.read_text() == "\n" + HEADER + "\n" + BUY + "   \n"


def test_steps_are_appended_in_order_and_once(path):
    game = demo()
    recorder = Recorder.create(path, game)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="goes on with month 3, buy, not with month 2, sell"):
        recorder.append(game.steps[-1])
    assert path.read_bytes() == before


def test_each_step_is_on_the_disk_before_append_returns(path, monkeypatch):
    synced = []
    fsync = os.fsync

    def watch(descriptor):
        synced.append(path.read_bytes())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    game = Game(["Ann", "Ben"])
    recorder = Recorder.create(path, game)
    assert synced.pop() == path.read_bytes()
    for _ in range(3):
        synced.clear()
        game.open_bids()
        recorder.append(game.steps[-1])
        assert synced == [dumps(game).encode()] == [path.read_bytes()]
    game.undo()
    recorder.undo()
    assert synced[-1] == dumps(game).encode()


def test_the_folder_is_synced_when_a_file_is_new(path, monkeypatch):
    folders = []
    fsync = os.fsync

    def watch(descriptor):
        folders.append(os.path.samestat(os.fstat(descriptor), path.parent.stat()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    Recorder.create(path, demo())
    assert folders == [False, True]
    save(path, demo())
    assert folders == [False, True] * 2


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_a_step_survives_the_kill_of_the_process(path):
    script = f"""
import os, signal
from exdec import Game
from exdec.recorder import Recorder
game = Game(["Ann", "Ben"])
recorder = Recorder.create({str(path)!r}, game)
game.order("Ann", X=(2, 45))
game.order("Ben")
recorder.append(game.steps[-1])
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", script], check=False)
    assert killed.returncode == -signal.SIGKILL
    game = Game.load(path)
    assert game.step is Step.SELL
    assert game.state.firms[0].materials.X == 2


@pytest.mark.parametrize("room", [0, 1, 50])
def test_a_full_disk_leaves_whole_lines_and_the_step_can_be_tried_again(path, room):
    game = Game(["Ann", "Ben"])
    recorder = Recorder.create(path, game)
    before = path.read_bytes()
    game.open_bids()
    with (
        disk_full_at(len(before) + room),
        pytest.raises(ExdecError, match=r"game\.jsonl cannot be written: file too large\. "),
    ):
        recorder.append(game.steps[-1])
    assert path.read_bytes() == before
    recorder.append(game.steps[-1])
    assert same(Game.load(path), game)


def test_a_disk_that_is_full_from_the_start_leaves_no_file(path):
    with disk_full_at(10), pytest.raises(RecordError, match="cannot be written"):
        Recorder.create(path, demo())
    assert not path.exists()


def test_an_interrupted_append_writes_nothing(path, monkeypatch):
    game = Game(["Ann", "Ben"])
    recorder = Recorder.create(path, game)
    game.open_bids()
    with monkeypatch.context() as patch:
        interrupts = iter([KeyboardInterrupt, None])

        def interrupt(_descriptor):
            if stop := next(interrupts):
                raise stop

        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            recorder.append(game.steps[-1])
    assert path.read_text() == dumps(Game(["Ann", "Ben"]))
    recorder.append(game.steps[-1])
    assert same(Game.load(path), game)


def test_two_that_write_one_file_do_not_spoil_it(path):
    game = demo()
    one = Recorder.create(path, game)
    two, other = Recorder.resume(path)
    other.open_bids()
    two.append(other.steps[-1])
    written = path.read_bytes()
    game.open_bids()
    for act in (lambda: one.append(game.steps[-1]), one.undo):
        with pytest.raises(RecordError, match="in another tab or by someone else"):
            act()
    assert path.read_bytes() == written
