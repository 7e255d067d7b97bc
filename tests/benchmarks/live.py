"""How many phones a live class bears on this machine, its clients included.

uv run python tests/benchmarks/live.py                  # 20, 100, 300 and 1,000 phones
uv run python tests/benchmarks/live.py 300 --rounds 5
uv run python tests/benchmarks/live.py 300 --profile    # what the server's time is spent on
uv run python tests/benchmarks/live.py --kills 100      # kill -9 of the server, as test_crash.py

The server has a process of its own, the phones share another one, and all of it stays on
127.0.0.1. Phones sit at tables of four and bid the moment that a step is open: nobody thinks. So
every phone has a bid on its way all the time, and what a phone waits for is mostly the others.
Every bid is on the disk (synchronous FULL) before it is acknowledged.

The server is the one of `exdec host` but for two numbers, set here: a class lets 1,000 join, and
no seat is told that it is too fast.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import cProfile
import gc
import json
import os
import pstats
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import psutil

from exdec.classroom import server as server_module
from exdec.classroom.keys import Bucket
from exdec.classroom.listen import Listener
from exdec.classroom.rehearse import bid_for, merged, page_size
from exdec.classroom.serve import GARBAGE
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings

PHONES = (20, 100, 300, 1_000)
SIZE = 4
MONTHS = 12
LOOPBACK = "127.0.0.1"
LONGEST = 180
"""Seconds that a game may take before it is given up."""


# -- the server's process ------------------------------------------------------------------------


def serve(folder: str, phones: int, profile: bool) -> None:
    """Serve one class until standard input is closed."""
    gc.set_threshold(*GARBAGE)
    profiler = cProfile.Profile() if profile else None
    asyncio.run(_serve(Path(folder), phones, profiler))
    if profiler is not None:
        stats = pstats.Stats(profiler, stream=sys.stderr)
        stats.sort_stats("tottime").print_stats(30)
        stats.sort_stats("cumulative").print_stats(60)


async def _serve(folder: Path, phones: int, profiler: cProfile.Profile | None) -> None:
    server = Server(folder)
    server_module.Bucket = lambda **_: Bucket(burst=10**6, rate=10**6)
    listener = Listener(server, LOOPBACK, 0)
    settings = ClassSettings(size=SIZE, months=MONTHS, seconds=0, most=max(phones, 1))
    room = server.open(settings)
    print(json.dumps([listener.port, room.code, room.host_key]), flush=True)
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop.add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline()))
    while await lines.get():  # a line begins the game, the end of the file ends the process
        if profiler is not None:
            profiler.enable()
    if profiler is not None:
        profiler.disable()
    server.shut()
    listener.close()


# -- the phones' process -------------------------------------------------------------------------


class Class:
    """What the phones of one class have in common, and what is measured."""

    def __init__(self, port: int, code: str) -> None:
        self.port = port
        self.code = code
        self.acknowledged: list[float] = []
        self.posted: list[float] = []
        self.last_bid: dict[tuple[str, int], float] = {}
        self.refused = 0
        self.seated = asyncio.Semaphore(0)
        self.over = asyncio.Semaphore(0)


class Phone(asyncio.Protocol):
    """A phone that bids as soon as it may, over a WebSocket without anything to spare."""

    def __init__(self, own: Class, number: int) -> None:
        self.own = own
        self.number = number
        self.luck = random.Random(number)
        self.view: dict[str, Any] = {}
        self.bytes = 0
        self.first = 0
        self._buffer = bytearray()
        self._open = False
        self._key = ""
        self._sent: dict[str, float] = {}
        self._turn: list[Any] = []
        self._done = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        key = base64.b64encode(self.luck.randbytes(16)).decode()
        self.transport.write(
            f"GET /exdec/live HTTP/1.1\r\nHost: {LOOPBACK}:{self.own.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nOrigin: http://{LOOPBACK}:{self.own.port}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert buffer.startswith(b"HTTP/1.1 101"), bytes(buffer)
            del buffer[: end + 4]
            self._open = True
            name = f"Pupil {self.number}"
            once = f"benchmark{self.number:012}"
            self.say({"t": "join", "code": self.own.code, "name": name, "once": once})
        at = 0
        while len(buffer) >= at + 2:
            size, head = buffer[at + 1], at + 2
            if size == 126:
                size, head = int.from_bytes(buffer[at + 2 : at + 4]), at + 4
            elif size == 127:
                size, head = int.from_bytes(buffer[at + 2 : at + 10]), at + 10
            if len(buffer) < head + size:
                break
            kind = buffer[at] & 15
            if kind == 1:
                self.hear(json.loads(buffer[head : head + size]))
            elif kind == 9:
                self._frame(10, bytes(buffer[head : head + size]))
            at = head + size
        del buffer[:at]

    def say(self, message: dict[str, Any]) -> None:
        self._frame(1, json.dumps(message).encode())

    def _frame(self, kind: int, data: bytes) -> None:
        size = len(data)
        head = bytes([128 | kind, 128 | size]) if size < 126 else b"%c\xfe" % (128 | kind)
        if size >= 126:
            head += size.to_bytes(2)
        # A mask of zeros leaves the message as it is; the server takes it off like any other.
        self.transport.write(head + bytes(4) + data)

    def hear(self, message: dict[str, Any]) -> None:
        match message["t"]:
            case "joined":
                self.say({"t": "hello", "key": message["key"]})
            case "view":
                self.view = message
                if not self.first:
                    self.first = self.bytes
                    self.own.seated.release()
                self._go_on()
            case "update":
                if "posting" in message:
                    table = self.view["table"]["name"]
                    step = len(self.view["postings"])
                    self.own.posted.append(time.perf_counter() - self.own.last_bid[table, step])
                merged(self.view, message)
                self._go_on()
            case "receipt":
                if message["ok"]:
                    sent = self._sent.pop(message["id"])
                    self.own.acknowledged.append(time.perf_counter() - sent)
                    self._go_on()
                else:
                    self.own.refused += 1
                    print("refused:", message["why"], message["text"], file=sys.stderr)
            case "no":
                raise AssertionError(message)

    def _go_on(self) -> None:
        view = self.view
        # A new board may come before the receipt for the bid that brought it.
        if view["phase"] == "over" and not self._sent and not self._done:
            self._done = True
            self.own.over.release()
        if view["phase"] != "open" or view["turn"] == self._turn:
            return
        self._turn = view["turn"]
        bid = {
            "t": "bid",
            "id": f"{self.number}-{self._turn[0]}-{self._turn[1]}-bid",
            "turn": self._turn,
            "bids": bid_for(view, self.luck),
        }
        now = self._sent[bid["id"]] = time.perf_counter()
        self.own.last_bid[view["table"]["name"], len(view["postings"])] = now
        self.say(bid)


class Run(NamedTuple):
    """What one game measured; times in seconds."""

    submissions: int
    seconds: float
    acknowledged: list[float]
    posted: list[float]
    server: float
    client: float
    memory: float
    first: float
    month: float
    refused: int
    page: int


@contextmanager
def serving(phones: int, profile: bool) -> Iterator[tuple[subprocess.Popen[str], int, str, str]]:
    with TemporaryDirectory() as folder:
        words = [sys.executable, __file__, "--serve", folder, str(phones)]
        process = subprocess.Popen(
            words + ["--profile"] * profile,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield process, *json.loads(process.stdout.readline())
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)
        finally:
            process.kill()
            process.wait()


def run(phones: int, profile: bool = False) -> Run:
    gc.collect()
    with serving(phones, profile) as (process, port, code, key):
        return asyncio.run(play(phones, process, port, code, key))


async def play(phones: int, process: subprocess.Popen[str], port: int, code: str, key: str) -> Run:
    own = Class(port, code)
    loop = asyncio.get_running_loop()
    page = await page_size(f"http://{LOOPBACK}:{port}/exdec/")
    every = []
    for number in range(phones):
        _, phone = await loop.create_connection(lambda n=number: Phone(own, n), LOOPBACK, port)
        every.append(phone)
    async with asyncio.timeout(LONGEST):
        for _ in every:
            await own.seated.acquire()
    assert process.stdin is not None
    process.stdin.write("begin\n")
    process.stdin.flush()
    await asyncio.sleep(1.5)  # the lobby has been told who is here
    server = psutil.Process(process.pid)
    before = [phone.bytes for phone in every]
    spent, own_spent = server.cpu_times(), time.process_time()
    start = time.perf_counter()
    await asyncio.to_thread(do, port, key, {"do": "start"})
    async with asyncio.timeout(LONGEST):
        for _ in every:
            await own.over.acquire()
    seconds = time.perf_counter() - start
    after = server.cpu_times()
    client = time.process_time() - own_spent
    memory = peak_megabytes(process.pid)
    for phone in every:
        phone.transport.close()
    await asyncio.sleep(0.2)
    return Run(
        len(own.acknowledged),
        seconds,
        own.acknowledged,
        own.posted,
        after.user + after.system - spent.user - spent.system,
        client,
        memory,
        sum(before) / phones,
        sum(phone.bytes - was for phone, was in zip(every, before, strict=True)) / phones / MONTHS,
        own.refused,
        page,
    )


def do(port: int, key: str, message: dict[str, Any]) -> None:
    request = Request(
        f"http://{LOOPBACK}:{port}/exdec/host/do",
        json.dumps(message).encode(),
        {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=30) as answer:
        done = json.load(answer)
    assert done["ok"], done


def peak_megabytes(process: int) -> float:
    """The most memory that a process has held at once."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(peak) / 1024


def percentiles(rounds: list[list[float]]) -> str:
    """In milliseconds, half of all, 95% and 99%; of each the median of the rounds."""
    cuts = [quantiles(times, n=100, method="inclusive") for times in rounds]
    return " / ".join(f"{1000 * median(cut[at - 1] for cut in cuts):.0f}" for at in (50, 95, 99))


def load() -> str:
    return ", ".join(f"{one:.1f}" for one in os.getloadavg())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("phones", nargs="*", type=int, default=PHONES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args()
    if args.kills:
        sys.path[:0] = [
            str(Path(__file__).parents[1]),
            str(Path(__file__).parents[1] / "classroom"),
        ]
        from test_crash import kill_and_check

        with TemporaryDirectory() as folder:
            start = time.perf_counter()
            killed = asyncio.run(kill_and_check(Path(folder), args.kills, 2, 15 * args.kills))
        seconds = time.perf_counter() - start
        print(f"Killed {killed} times in {seconds:.0f} s: nothing lost, nothing done twice.")
        return
    print(f"{os.cpu_count()} processors, load {load()}. Medians of {args.rounds} rounds; {SIZE} to")
    print(f"a table, {MONTHS} months, no thinking, synchronous FULL, the phones included.\n")
    heads = ("submissions", "to receipt, ms", "to new board, ms", "server", "phones", "memory")
    print(f"{'':>7} {heads[0]:>12} {heads[1]:>17} {heads[2]:>17} {'CPU a submission':>17}")
    print(
        f"{'phones':>7} {'a second':>12} {'p50 / p95 / p99':>17} {'p50 / p95 / p99':>17}"
        f" {'server / phones':>17} {'memory':>8} {'first':>7} {'a month':>8}"
    )
    for phones in args.phones:
        runs = [run(phones, args.profile) for _ in range(args.rounds)]
        assert all(one.submissions == phones * 2 * MONTHS and not one.refused for one in runs)
        print(
            f"{phones:>7,} {median(one.submissions / one.seconds for one in runs):>12,.0f}"
            f" {percentiles([one.acknowledged for one in runs]):>17}"
            f" {percentiles([one.posted for one in runs]):>17}"
            f" {1e6 * median(one.server / one.submissions for one in runs):>8.0f} /"
            f"{1e6 * median(one.client / one.submissions for one in runs):>4.0f} µs"
            f" {median(one.memory for one in runs):>5.0f} MB"
            f" {median(one.first for one in runs) / 1000:>4.1f} kB"
            f" {median(one.month for one in runs) / 1000:>5.1f} kB",
            flush=True,
        )
    print(f"\nA phone loads {runs[0].page / 1000:.1f} kB to begin with, as they are sent.")
    print(f"Load now {load()}.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]), "--profile" in sys.argv)
    else:
        main()
