"""A real scheduler with two worker processes, on this machine alone."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from contextlib import contextmanager

import pandas as pd
import pytest

from exdec import STANDARD
from exdec.bots import make_bot
from exdec.crew import finished
from exdec.tournament import Tournament

distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
]

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
    """The scheduler's address, and its two workers."""
    file = tmp_path / "scheduler.json"
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    with started("scheduler", *here, "--port", "0", "--scheduler-file", str(file)):
        worker = ["worker", "--scheduler-file", str(file), *here, "--no-nanny", "--nthreads", "1"]
        worker += ["--local-directory", str(tmp_path)]
        with started(*worker) as one, started(*worker) as other:
            until = time.monotonic() + 60
            while not file.exists() or not file.read_text():
                assert time.monotonic() < until, "the scheduler has not started"
                time.sleep(0.1)
            yield json.loads(file.read_text())["address"], (one, other)


def plan(games):
    rules = STANDARD.vary(months=3)
    return Tournament({name: make_bot(name) for name in NAMES}, (2, 3), games, 5, rules)


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(cluster):
    address, workers = cluster
    tournament = plan(games=40_000)
    alone = tournament.run(workers=1)
    told = []

    def kill(games):
        told.append(games)
        if len(told) == 3:
            workers[0].send_signal(signal.SIGKILL)

    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        standings = tournament.run(client.get_executor(), in_flight=8, progress=kill)
        assert len(client.nthreads()) == 1
    assert workers[0].wait(10) == -signal.SIGKILL
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


def test_an_address_where_nobody_answers_is_said_in_one_line():
    words = ["tournament", "--scheduler", "tcp://127.0.0.1:1"]
    done = subprocess.run([*EXDEC, *words], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nobody answers at tcp://127.0.0.1:1" in done.stderr
