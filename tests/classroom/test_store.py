import sqlite3
import stat
from contextlib import closing

import pytest
from class_room import NOW, bid, opened, told
from hypothesis import given, settings
from hypothesis import strategies as st

from exdec.classroom import store as module
from exdec.classroom.room import Room
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import NETWORK, Event, Store, StoreError

SAID = [Event(1, 1.5, "say", {"text": "é 😀"}), Event(2, 2.25, "say", {"text": "\ud800"})]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "classes" / "monday.sqlite"


@pytest.fixture
def store(path):
    store = Store.create(path)
    yield store
    store.close()


@pytest.fixture
def room(tmp_path):
    room = opened(tmp_path, "Ann", "Ben", "Cy", size=3)
    yield room
    room.store.close()


def test_what_is_written_is_read_by_who_opens_the_file_next(store, path):
    store.append(SAID, [("0/1", "half"), ("0/2", "a bid")])
    store.append([], [("0/1", "")])
    store.beat(7.5)
    other = Store.open(path)
    assert [*other.events()] == SAID
    assert other.drafts() == {"0/2": "a bid"}
    assert other.last_beat() == 7.5
    other.close()


def test_only_this_user_can_read_a_class_and_what_sqlite_keeps_beside_it(store, path):
    store.append(SAID)
    files = [*path.parent.iterdir()]
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_class_that_is_there_is_not_overwritten(store, path):
    store.append(SAID)
    with pytest.raises(StoreError, match="is there already"):
        Store.create(path)
    assert [*store.events()] == SAID


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Nothing can be kept in the folder "):
        Store.create(tmp_path / "file" / "a.sqlite")


def test_a_class_that_cannot_be_begun_leaves_nothing_behind(path, monkeypatch):
    monkeypatch.setattr(module, "VERSION", "no number (")
    with pytest.raises(StoreError):
        Store.create(path)
    assert not path.exists()


def test_events_are_written_all_or_none(store):
    store.append(SAID[:1])
    with pytest.raises(StoreError):
        store.append([SAID[1], Event(3, 3, "say", {}), Event(3, 3, "say", {})], [("0/0", "x")])
    assert [*store.events()] == SAID[:1]
    assert store.drafts() == {}
    store.append(SAID[1:])
    assert [*store.events()] == SAID


def test_a_second_server_is_refused_where_the_first_has_gone_on(store, path):
    second = Store.open(path)
    store.append(SAID[:1])
    with pytest.raises(StoreError, match="is open in another server, which has gone on with it"):
        second.append([Event(1, 9, "say", {"text": "mine"})])
    assert [*second.events()] == SAID[:1]
    second.close()


def test_a_full_disk_is_told_and_loses_nothing_that_was_acknowledged(store):
    store.append(SAID)
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match=r"The disk is full, so monday\.sqlite cannot be written"):
        store.append([Event(3, 3, "say", {"text": "long " * 10_000})])
    assert [*store.events()] == SAID
    store._db.execute("PRAGMA max_page_count = 100000")
    store.append([Event(3, 3, "say", {"text": "long " * 10_000})])
    assert len([*store.events()]) == 3


def test_a_room_on_a_full_disk_refuses_and_goes_on_when_there_is_room(room):
    before = told(room)
    (pages,) = room.store._db.execute("PRAGMA page_count").fetchone()
    room.store._db.execute(f"PRAGMA max_page_count = {pages}")
    for pupil in (1, 2):
        bid(room, pupil, {"X": [1, 50]})
    for _ in range(200):
        room.do("say", NOW, text="long " * 50)
    with pytest.raises(StoreError, match="The disk is full"):
        room.commit()
    assert told(room) == before
    room.store._db.execute("PRAGMA max_page_count = 100000")
    bid(room, 1, {"X": [1, 50]})
    room.commit()
    assert room.desks[0].sealed.keys() == {0}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "old.sqlite is not the file of a class."),
        (
            b"not a database at all, but long enough to be looked at as one" * 20,
            "not the file of a class",
        ),
        (None, "There is no class in "),
    ],
)
def test_what_is_no_class_is_refused_in_words(tmp_path, data, sentence):
    path = tmp_path / "old.sqlite"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(StoreError, match=sentence):
        Store.open(path)


def test_another_database_and_another_version_are_refused_in_words(store, path):
    store._db.execute("PRAGMA user_version=2")
    with pytest.raises(
        StoreError, match=r"another version of exdec \(format 2, and this one reads"
    ):
        Store.open(path)
    store._db.execute("PRAGMA application_id=1")
    with pytest.raises(StoreError, match="is not the file of a class"):
        Store.open(path)


def test_a_file_in_which_no_class_was_begun_opens_for_nobody(store, path):
    # An empty code, or an empty key, would open it.
    with pytest.raises(StoreError, match=r"There is no class in monday\.sqlite"):
        Room.resume(path, NOW)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET data = '{' WHERE number = 3",
        "UPDATE events SET data = '[]' WHERE number = 3",
        "UPDATE events SET data = 'null' WHERE number = 3",
        'UPDATE events SET data = \'{"name": 5, "colour": 6}\' WHERE number = 3',
        "UPDATE events SET data = replace(data, '\"table\":0', '\"table\":9') WHERE number = 6",
        "UPDATE events SET data = x'ff' WHERE number = 3",
        "DELETE FROM events WHERE number = 3",
        "DELETE FROM events WHERE number = 1",
        "DROP TABLE drafts",
        "DROP TABLE events",
    ],
)
def test_a_log_that_makes_no_sense_is_refused_in_words(room, change):
    room.draft(room.pupils[1], [1, "buy"], {"X": ["2", ""]})
    room.commit()
    room.store.close()
    db = sqlite3.connect(room.store.path, isolation_level=None)
    db.execute(change)
    db.close()
    with pytest.raises(StoreError, match=r"class\.sqlite (is damaged|cannot be used)"):
        Room.resume(room.store.path, NOW)


def changed(room, change):
    """The class again, after somebody has changed its file."""
    room.store.close()
    with closing(sqlite3.connect(room.store.path, isolation_level=None)) as db:
        db.execute(change)
    return Room.resume(room.store.path, NOW)


def test_a_class_of_a_newer_exdec_says_so(room):
    with pytest.raises(StoreError, match=r"tells of a 'fold', .* update exdec"):
        changed(room, "UPDATE events SET kind = 'fold' WHERE number = 3")


@pytest.mark.parametrize("place", ["9/0", "0/9", "nowhere", ""])
def test_a_draft_that_belongs_nowhere_is_passed_over(room, place):
    room.draft(room.pupils[1], [1, "buy"], {"X": ["2", ""]})
    room.commit()
    again = changed(room, f"UPDATE drafts SET place = '{place}'")
    assert [one.drafted for one in again.desks[0].places] == [""] * 3
    again.store.close()


@given(st.data())
@settings(max_examples=40)
def test_a_torn_or_damaged_file_never_brings_the_server_down(tmp_path_factory, data):
    path = data_of_a_class(tmp_path_factory)
    whole = path.read_bytes()
    if data.draw(st.booleans()):
        torn = whole[: data.draw(st.integers(0, len(whole) - 1))]
    else:
        at = data.draw(st.integers(0, len(whole) - 1))
        torn = whole[:at] + data.draw(st.binary(min_size=1, max_size=40)) + whole[at + 40 :]
    broken = path.with_name("broken.sqlite")
    for suffix in ("", "-wal", "-shm"):
        broken.with_name(broken.name + suffix).unlink(missing_ok=True)
    broken.write_bytes(torn)
    try:
        room = Room.resume(broken, NOW)
    except StoreError as error:
        assert str(error).endswith(".")  # noqa: PT017
    else:
        room.store.close()


def data_of_a_class(tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / "whole"
    path = folder / "class.sqlite"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        room = opened(folder, "Ann", "Ben", size=2, months=1)
        for pupil in (1, 2):
            bid(room, pupil, {"X": [1, 50]})
        room.commit()
        room.store.close()
    return path


def test_nothing_is_left_of_a_class_that_is_deleted(room):
    room.store.delete()
    assert [*room.store.path.parent.iterdir()] == []


def test_what_cannot_be_removed_is_told(room, monkeypatch):
    def refuse(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    with pytest.raises(StoreError, match=r"class\.sqlite cannot be used: permission denied"):
        room.store.delete()


def test_a_beat_on_a_full_disk_stops_nobody(store):
    store.beat(1.0)
    store._db.execute("PRAGMA query_only = 1")
    store.beat(2.0)
    assert store.last_beat() == 1.0


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home {home} {kind} rw 0 0
/dev/sdb1 {home}/disk ext4 rw 0 0
torn line
"""


@pytest.mark.parametrize("kind", [*NETWORK, "nfs4", "ext4", "tmpfs"])
def test_a_network_drive_is_known_by_the_deepest_mount_above_the_file(tmp_path, kind):
    home = tmp_path / "my home"
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS.format(home=str(home).replace(" ", "\\040"), kind=kind))
    network = kind not in ("ext4", "tmpfs")
    assert module._on_network(home / "class.sqlite", mounts) is network
    assert not module._on_network(home / "disk" / "class.sqlite", mounts)
    assert not module._on_network(tmp_path / "class.sqlite", mounts)
    assert not module._on_network(home / "class.sqlite", tmp_path / "no mounts")


def test_on_a_network_drive_another_journal_is_used_and_told(path, monkeypatch):
    monkeypatch.setattr(module, "_on_network", lambda path: True)
    store = Store.create(path)
    store.append(SAID)
    assert "This folder is on a network drive" in store.note
    assert [*store.events()] == SAID
    assert not path.with_name(path.name + "-wal").exists()
    store.close()
    monkeypatch.undo()
    assert Store.open(path).note == ""


def test_a_class_is_only_ever_written_down_to_the_disk(store):
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_class_that_cannot_be_opened_leaves_no_file(tmp_path, monkeypatch):
    def full(self, events, drafts=()):
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "append", full)
    with pytest.raises(StoreError, match="full"):
        Room.create(tmp_path / "class.sqlite", ClassSettings(), NOW)
    assert [*tmp_path.iterdir()] == []


def test_the_classes_list_shows_title_and_pupils_and_no_more(room):
    room.do("add", NOW, name="Dee")
    room.commit()
    shown = room.store.summary()
    assert shown == {"title": "Year 11", "at": NOW, "pupils": 4, "closed": False}
    room.do("finish", NOW)
    room.commit()
    assert room.store.summary()["closed"]


def test_a_damaged_file_is_known_before_anything_is_taken_from_it(room):
    for number in range(200):
        room.do("say", NOW, text=f"{number} {'x' * 200}")
    room.commit()
    room.store.close()
    data = bytearray(room.store.path.read_bytes())
    data[5_000:20_000] = bytes(15_000)
    room.store.path.write_bytes(data)
    with pytest.raises(StoreError, match=r"class\.sqlite is damaged\..* Use a copy of it"):
        Store.open(room.store.path)


def test_a_file_without_a_class_is_so_in_words(store, path):
    with pytest.raises(StoreError, match=r"There is no class in monday\.sqlite\."):
        store.summary()
