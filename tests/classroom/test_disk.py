"""A disk that is full while a class plays: said in words, nothing lost, and it goes on after."""

import asyncio
import json
import os
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from class_server import Phone, hosted, run

from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import StoreError
from exdec.classroom.told import told

SETTINGS = ClassSettings(seconds=0, months=1, level="easy")
NAMES = ("Ann", "Ben", "Cy", "Dee")


class Limit:
    """SQLite itself is told that there is no more room."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, host) -> None:
        def fill() -> None:
            (pages,) = host.room.store._db.execute("PRAGMA page_count").fetchone()
            host.room.store._db.execute(f"PRAGMA max_page_count = {pages}")

        host.call(fill)

    def make_room(self, host) -> None:
        host.call(lambda: host.room.store._db.execute("PRAGMA max_page_count = 100000"))


class SmallDisk(Limit):
    """A disk of half a megabyte, and something that takes all of it."""

    def fill(self, host) -> None:
        with (self.folder / "something").open("wb", buffering=0) as file:
            for size in (65_536, 4_096, 512, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass

    def make_room(self, host) -> None:
        (self.folder / "something").unlink()


@contextmanager
def small_disk(folder: Path):
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "exdec", str(folder)]
    if not hasattr(os, "geteuid") or os.geteuid() or subprocess.run(mount, check=False).returncode:
        pytest.skip("only root can make a small disk")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(params=["limit", "small disk"])
def disk(request, tmp_path):
    if request.param == "limit":
        yield Limit(tmp_path)
    else:
        with small_disk(tmp_path) as disk:
            yield disk


def bid(host, key: str, name: str, step: str = "buy", **bids) -> dict:
    answer = host.say({"t": "bid", "key": key, "id": name, "turn": [1, step], "bids": bids})
    assert answer["t"] == "receipt"
    return answer


def state(host) -> dict:
    return host.call(lambda: host.server.state(None))


def use_up(host) -> int:
    """Fill what is left of the last page; gives how much was said on it."""
    said = 0
    for text in ("Hurry. " * 40, "Hurry."):
        for _ in range(300):
            done = host.do("say", text=text)
            if not done["ok"]:
                break
            said += 1
        assert done["text"].startswith("The disk is full")
    return said


def test_a_full_disk_is_told_to_everyone_and_nothing_is_lost_or_done_twice(disk):
    with hosted(disk.folder, SETTINGS) as host:
        ann, ben, cy, dee = map(host.join, NAMES)
        host.do("start")
        first = bid(host, ann, "ann-buys", X=[2, 44])
        assert first["ok"]
        disk.fill(host)
        said = use_up(host)
        refused = bid(host, ben, "ben-buys", F=[3, 33])
        assert (refused["ok"], refused["why"]) == (False, "disk")
        assert "Make room on it; nothing that was acknowledged is lost" in refused["text"]
        assert state(host)["note"] == refused["text"]
        assert state(host)["counts"]["in"] == 1
        assert bid(host, ann, "ann-buys", X=[2, 44]) == first

        disk.make_room(host)
        second = bid(host, ben, "ben-buys", F=[3, 33])
        assert second["ok"]
        assert state(host)["note"] == ""
        assert bid(host, ben, "ben-buys", F=[3, 33]) == second
        assert bid(host, cy, "cyrus-buys")["ok"]
        assert bid(host, dee, "dee-buys", S=[1, 15])["ok"]
        for key, name in zip((ann, ben, cy, dee), NAMES, strict=True):
            assert bid(host, key, f"{name} sells it all", "sell")["ok"]
        view = host.say({"t": "hello", "key": ann})
        assert view["phase"] == "over"
        assert view["postings"][0]["units"] == [2, 3, 1]
        file = host.room.store.path
        with told(file) as room:
            kinds = [event.kind for event in room.store.events()]
            assert kinds.count("bid") == 8
            assert kinds.count("say") == said
            assert [event.number for event in room.store.events()] == [*range(1, len(kinds) + 1)]
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_class_goes_on_from_its_file_after_the_disk_was_full(disk):
    with hosted(disk.folder, SETTINGS) as host:
        keys = list(map(host.join, NAMES))
        host.do("start")
        given = bid(host, keys[0], "ann-buys", X=[2, 44])
        disk.fill(host)
        use_up(host)
        assert bid(host, keys[1], "ben-buys")["why"] == "disk"
        file = host.room.store.path
        disk.make_room(host)
    with hosted(disk.folder) as host:
        host.call(lambda: host.server.resume(file.name))
        assert bid(host, keys[0], "ann-buys", X=[2, 44]) == given
        assert bid(host, keys[1], "ben-buys")["ok"]


async def page_of(host, key: str) -> Phone:
    page = await Phone.open(host.url)
    await page.say(t="hello", key=key)
    assert (await page.hear())["t"] == "view"
    return page


def a_disk_was_full(host, disk) -> None:
    disk.fill(host)
    use_up(host)
    disk.make_room(host)


def test_a_page_that_was_open_while_the_disk_was_full_shows_the_games_beginning(disk):
    with hosted(disk.folder, SETTINGS) as host:
        key = host.join("Ann")

        async def phone() -> dict:
            page = await page_of(host, key)
            await asyncio.to_thread(a_disk_was_full, host, disk)
            await asyncio.to_thread(host.do, "start")
            return await page.hear("view")

        assert run(phone())["phase"] == "open"


def test_a_page_that_was_open_while_the_disk_was_full_sees_no_bid_but_its_own(disk):
    with hosted(disk.folder, ClassSettings(seconds=0, months=1, size=2, level="easy")) as host:
        keys = dict(zip(NAMES, map(host.join, NAMES), strict=True))
        host.do("start")
        ann, cy = host.room.pupils[1], host.room.pupils[3]
        old, new = (ann.table, ann.firm), (cy.table, cy.firm)
        assert old[0] != new[0]

        def change_places() -> None:
            a_disk_was_full(host, disk)
            for pupil, (table, firm) in ((1, new), (3, old)):
                assert host.do("reseat", pupil=pupil, table=table, firm=firm)["ok"]
            assert bid(host, keys["Cy"], "cyrus-buys", X=[5, 4747])["ok"]

        async def phone() -> list[dict]:
            page = await page_of(host, keys["Ann"])
            await asyncio.to_thread(change_places)
            await page.say(t="change", id="ann-changes", turn=[1, "buy"])
            heard = [await page.hear()]
            while heard[-1]["t"] != "receipt":
                heard.append(await page.hear())
            return heard

        *told_of, receipt = run(phone())
        assert told_of
        assert "4747" not in json.dumps(told_of)
        assert (receipt["ok"], receipt["why"]) == (False, "late")
        assert old[1] in host.room.desks[old[0]].sealed


def test_a_poll_that_finds_the_disk_full_shows_the_seat_that_is_kept(disk):
    with hosted(disk.folder, ClassSettings(seconds=0, months=1, size=2, level="easy")) as host:
        key, *_ = map(host.join, NAMES)
        host.do("start")
        disk.fill(host)
        use_up(host)

        def polled() -> dict:
            # Nobody has been told yet that Ann sits elsewhere, and it cannot be written.
            host.room.do("reseat", host.server.clock(), pupil=1, table=1, firm=0)
            return host.server.polled(key, None)

        assert host.call(polled)["table"]["name"] == "Table 1"
        disk.make_room(host)


def test_while_nothing_can_be_written_or_read_nobody_is_shown_what_happened(tmp_path):
    def broken(*_: object) -> None:
        raise StoreError("The disk does not answer.")

    with hosted(tmp_path, ClassSettings(seconds=0, months=1, size=2, level="easy")) as host:
        keys = list(map(host.join, NAMES[:2]))
        host.do("start")

        async def phone() -> dict:
            page = await page_of(host, keys[0])
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(host.room.store, "append", broken)
                patch.setattr(host.room.store, "events", broken)
                for key in keys:
                    said = await asyncio.to_thread(bid, host, key, f"bid of {key}"[:40], X=[1, 50])
                    assert (said["ok"], said["why"]) == (False, "disk")
                said = await asyncio.to_thread(host.say, {"t": "hello", "key": keys[1]})
                assert (said["t"], said["why"]) == ("no", "disk")
            # It is not lost: it counts, and is shown, once it is on the disk.
            while "posting" not in (view := await page.hear()):
                assert not view.get("postings")
            return view

        assert run(phone())["posting"]
