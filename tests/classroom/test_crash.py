"""The server dies at random moments while pupils hand in, and nothing that it said is undone."""

import asyncio
import random
import time

import pytest
from class_phones import Host, check_kept, quietly

from exdec.classroom.rehearse import Account, Habit, Phone

PHONES = 16
KILLS = 20
HABITS = (Habit.STEADY, Habit.DROPS, Habit.TAPS_TWICE, Habit.BIDS_TWICE)


@pytest.mark.slow
def test_a_server_that_is_killed_loses_and_doubles_nothing(tmp_path):
    killed = asyncio.run(kill_and_check(tmp_path, KILLS, seed=1))
    assert killed >= KILLS


async def kill_and_check(folder, kills: int, seed: int, seconds: float = 170) -> int:
    """Play classes to the end, killing their server again and again; gives how often it was."""
    luck = random.Random(f"crash {seed}")
    killed = number = 0
    async with asyncio.timeout(seconds):
        while killed < kills:
            number += 1
            killed += await one_class(folder / str(number), luck, kills - killed)
    return killed


async def one_class(folder, luck: random.Random, most: int) -> int:
    host = Host(folder, "--seconds", "0", "--months", "3")
    try:
        # What was chosen before the start is on the disk too.
        await asyncio.to_thread(host.do, "settings", months=12)
        account = Account()
        code = (await asyncio.to_thread(host.state))["code"]
        phones = [
            Phone(
                host.url,
                code,
                f"Pupil {at + 1}",
                random.Random(luck.random()),
                account,
                HABITS[at % len(HABITS)],
                think=(0.05, 0.3),
            )
            for at in range(PHONES)
        ]
        playing = [asyncio.create_task(phone.play(12)) for phone in phones]
        begun, killed = False, 0
        while not all(task.done() for task in playing):
            alive = time.monotonic() + luck.uniform(0.05, 0.9)
            while time.monotonic() < alive and not all(task.done() for task in playing):
                if not begun and all(phone.view for phone in phones):
                    done = await asyncio.to_thread(quietly, host.do, "start")
                    # It may have begun without our hearing of it, before the server was killed.
                    begun = done is not None
                await asyncio.sleep(0.02)
            if killed < most and not all(task.done() for task in playing):
                host.die()
                killed += 1
                await asyncio.to_thread(host.come_back)
        await asyncio.gather(*playing)
    finally:
        host.die()
    assert account.faults == []
    assert [phone.refused for phone in phones] == [""] * PHONES
    assert check_kept(host.file, phones) == PHONES * 24
    return killed
