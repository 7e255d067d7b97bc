"""A real scheduler with two worker processes, on this machine alone."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress

import pandas as pd
import pytest

from exdec import STANDARD
from exdec.bots import make_bot
from exdec.crew import finished
from exdec.tournament import Tournament

distributed = pytest.importorskip("distributed", reason="uv sync --group ci installs it")
termios = pytest.importorskip("termios")

pytestmark = pytest.mark.slow

NAMES = ("cautious", "full capacity", "random", "margin seeker")
EXDEC = [sys.executable, "-m", "exdec"]


@contextmanager
def started(*words):
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def cluster(tmp_path):
    """The scheduler's address, and the processes: it and its two workers."""
    file = tmp_path / "scheduler.json"
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    with started("scheduler", *here, "--port", "0", "--scheduler-file", str(file)) as scheduler:
        worker = ["worker", "--scheduler-file", str(file), *here, "--no-nanny", "--nthreads", "1"]
        worker += ["--local-directory", str(tmp_path)]
        with started(*worker) as one, started(*worker) as other:
            until = time.monotonic() + 60
            while not file.exists() or not file.read_text():
                assert time.monotonic() < until, "the scheduler has not started"
                time.sleep(0.1)
            yield json.loads(file.read_text())["address"], (scheduler, one, other)


def plan(games):
    rules = STANDARD.vary(months=3)
    bots = {name: make_bot(name) for name in NAMES}
    return Tournament(bots, (2, 3), games, 5, rules, drawing=NAMES)


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(cluster):
    address, (_, worker, _) = cluster
    tournament = plan(games=40_000)
    alone = tournament.run(workers=1)
    told = []

    def kill(games):
        told.append(games)
        if len(told) == 3:
            worker.send_signal(signal.SIGKILL)

    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        standings = tournament.run(client.get_executor(), in_flight=8, progress=kill)
        assert len(client.nthreads()) == 1
    assert worker.wait(10) == -signal.SIGKILL
    assert len(told) == len(list(tournament.blocks())) > 10
    assert standings.games == tournament.planned == sum(told)
    for name in ("ranking", "head_to_head", "by_month", "prices"):
        pd.testing.assert_frame_equal(
            getattr(standings, name), getattr(alone, name), check_exact=True
        )


def test_work_that_a_cluster_gives_up_is_given_out_again():
    class GivesUpOnce(Executor):
        asked = 0

        def submit(self, work, /, *args):
            self.asked += 1
            future = Future()
            if self.asked == 1:
                future.set_exception(distributed.KilledWorker("play", "tcp://127.0.0.1:1", 3))
            else:
                future.set_result(work(*args))
            return future

    executor = GivesUpOnce()
    assert sorted(finished(str, range(3), executor, GivesUpOnce, in_flight=1)) == ["0", "1", "2"]
    assert executor.asked == 4


def test_the_command_plays_on_the_cluster(cluster):
    address, _ = cluster
    words = ["tournament", "--bots", ",".join(NAMES), "--games", "60", "--months", "3"]
    here, there = (
        subprocess.run([*EXDEC, *words, *more], capture_output=True, text=True, timeout=120)
        for more in (["--workers", "1"], ["--scheduler", address])
    )
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout == here.stdout


def test_a_scheduler_that_is_killed_in_the_middle_leaves_what_was_finished(cluster, tmp_path):
    address, (scheduler, *_) = cluster
    out = tmp_path / "standings.csv"
    options = ["--bots", ",".join(NAMES), "--players", "2", "--games", "100000000"]
    terminal, its = os.openpty()
    termios.tcsetwinsize(its, (24, 100))
    process = subprocess.Popen(
        [*EXDEC, "tournament", *options, "--scheduler", address, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
    )
    os.close(its)
    shown = b""
    while not re.search(rb"[1-9]\d*/50000010 .*games/s", shown):  # the bar, with games in it
        assert select.select([terminal], [], [], 60)[0], "no bar is shown"
        shown += os.read(terminal, 1000)
    scheduler.kill()
    rest = b""
    with suppress(OSError):  # as a terminal ends on Linux
        while more := os.read(terminal, 1000):
            rest += more
    printed, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert process.returncode == 2
    assert b"looking for tcp://127.0.0.1" in shown
    *_, last = rest.decode().replace("\r\n", "\n").rpartition("\r")
    found = re.fullmatch(
        r"exdec tournament: Stopped with ([\d,]+) of 50,000,010 games missing. The executor has "
        r"ended. If it is a cluster, look whether its scheduler still runs.\n",
        last,
    )
    assert found, last
    games = 50_000_010 - int(found[1].replace(",", ""))
    assert f"Stopped early: {games:,} of 50,000,010 games are in this table." in printed
    assert pd.read_csv(out).query("players == 0")["games"].sum() == 2 * games > 0


def test_an_address_where_nobody_answers_is_said_in_one_line():
    words = ["tournament", "--scheduler", "tcp://127.0.0.1:1"]
    done = subprocess.run([*EXDEC, *words], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no scheduler answers at tcp://127.0.0.1:1" in done.stderr
