"""A class that nobody closes: put away after hours in which nothing happened, and not before."""

import asyncio

import pytest
from class_room import opened

from exdec.classroom.server import IDLE, Server

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
