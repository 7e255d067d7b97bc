"""A class that nobody closes: put away after hours in which nothing happened, and not before."""

import asyncio

import pytest
from class_room import opened

from exdec.classroom.server import IDLE, Server
from exdec.classroom.store import StoreError
from exdec.model import Step

DAY = 24 * 3600.0
A_MOMENT = 5.0


class Hours:
    """A server whose clock is turned by hand."""

    def __init__(self, folder):
        self.now = 1_000 + DAY
        self.server = Server(folder, lambda: self.now)

    async def pass_by(self, seconds, asleep=False):
        """Let the server look at its clock all the time, or only when it wakes."""
        if asleep:
            self.now += seconds - A_MOMENT
        end = self.now + A_MOMENT if asleep else self.now + seconds
        while self.now < end:
            await self.server._tick()
            self.now += A_MOMENT
        await self.server._tick()

    @property
    def is_open(self):
        return self.server.room is not None


@pytest.fixture(params=["lobby", "running", "paused"])
def old(tmp_path, request):
    """A class in which nothing has happened for a day."""
    room = opened(tmp_path, "Ann", "Ben", start=request.param != "lobby")
    if request.param == "paused":
        room.do("pause", room.last_at)
        room.commit()
    assert room.phase == request.param
    room.store.close()
    return tmp_path


def test_a_class_that_is_resumed_after_a_day_stays_open_for_hours(old):
    async def day():
        hours = Hours(old)
        hours.server.resume("class.sqlite")
        await hours.pass_by(IDLE - A_MOMENT)
        assert hours.is_open
        await hours.pass_by(2 * A_MOMENT)
        assert not hours.is_open
        hours.server.resume("class.sqlite")
        await hours.pass_by(IDLE - A_MOMENT)
        assert hours.is_open
        hours.server.shut()

    asyncio.run(day())


def test_a_class_whose_laptop_slept_overnight_stays_open_for_hours(old):
    async def night():
        hours = Hours(old)
        hours.server.resume("class.sqlite")
        await hours.pass_by(3600)
        await hours.pass_by(DAY / 2, asleep=True)
        assert hours.is_open
        await hours.pass_by(IDLE - 2 * A_MOMENT)
        assert hours.is_open
        await hours.pass_by(3 * A_MOMENT)
        assert not hours.is_open

    asyncio.run(night())


def test_whatever_happens_in_a_class_keeps_it_open(old):
    async def lesson():
        hours = Hours(old)
        room = hours.server.resume("class.sqlite")
        await hours.pass_by(IDLE - A_MOMENT)
        await hours.server.do({"do": "say", "text": "Hurry."})
        await hours.pass_by(IDLE - A_MOMENT)
        assert hours.is_open
        assert room.last_at == hours.now - IDLE + A_MOMENT
        hours.server.shut()

    asyncio.run(lesson())


@pytest.mark.parametrize("old", ["running"], indirect=True)
def test_a_clock_that_is_set_back_stops_nothing(old):
    """A laptop that joins a network may learn that it is an hour earlier."""

    class Screen:
        pushed = 0

        def push(self):
            self.pushed += 1

        def end(self, message):
            pass

    async def lesson():
        hours, screen = Hours(old), Screen()
        room = hours.server.resume("class.sqlite")
        hours.server.watch(screen)
        await hours.server.do({"do": "seconds", "seconds": 60})
        await hours.server.do({"do": "close"})
        await hours.pass_by(2 * A_MOMENT)
        left, pushed = room.left(0, hours.now), screen.pushed
        hours.server._polled[1] = hours.now
        hours.now -= 3600
        await hours.server._tick()
        assert room.left(0, hours.now) == pytest.approx(left)
        assert hours.server._polled == {1: hours.now}
        await hours.server.do({"do": "say", "text": "Hurry."})
        await hours.pass_by(A_MOMENT)
        assert screen.pushed > pushed
        await hours.pass_by(60)
        assert room.desks[0].turn == (2, Step.BUY)
        hours.server.shut()

    asyncio.run(lesson())


def test_a_page_that_cannot_be_shown_keeps_no_other_in_the_dark(tmp_path, caplog):
    secret = "a bid of 4747"

    class Phone:
        def __init__(self, broken):
            self.broken, self.pushed = broken, 0

        def push(self):
            if self.broken:
                raise ValueError(secret)
            self.pushed += 1

        def end(self, message):
            pass

    opened(tmp_path, "Ann", "Ben").store.close()

    async def lesson():
        hours, phones = Hours(tmp_path), [Phone(True), Phone(False)]
        hours.server.resume("class.sqlite")
        for number, phone in enumerate(phones, 1):
            hours.server.come(number, phone)
        phones[1].pushed = 0
        await hours.server.do({"do": "say", "text": "Hurry."})
        await asyncio.sleep(0)
        assert phones[1].pushed == 1
        hours.server.shut(gone=False)

    asyncio.run(lesson())
    assert "ValueError" in caplog.text
    assert "4747" not in caplog.text


def test_a_class_that_was_closed_is_not_written_to(tmp_path):
    room = opened(tmp_path, "Ann", "Ben")
    room.do("finish", room.last_at)
    room.commit()
    room.store.close()
    before = (tmp_path / "class.sqlite").read_bytes()

    async def again():
        with pytest.raises(StoreError, match=r"is closed\. It can be exported"):
            Hours(tmp_path).server.resume("class.sqlite")

    asyncio.run(again())
    assert (tmp_path / "class.sqlite").read_bytes() == before
