"""Simulated phones for tests, and a server in a process of its own that can be killed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

from exdec import record
from exdec.classroom.desk import firm_name
from exdec.classroom.rehearse import Phone
from exdec.classroom.told import told

LOOPBACK = "127.0.0.1"


class Host:
    """`exdec host`, as a process that dies at once and comes back with the same class."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.port = 0
        self._begin(*words)
        (self.file,) = folder.glob("*.sqlite")

    def _begin(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "exdec", "host", "--folder", str(self.folder)),
                *("--address", LOOPBACK, "--port", str(self.port), *words),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if link := re.search(r"(http://127\.0\.0\.1:(\d+)/exdec/)host#k=(\S+)", line):
                self.url, self.port, self.key = link[1], int(link[2]), link[3]
                self._reader = threading.Thread(target=self.process.stdout.read, daemon=True)
                self._reader.start()
                return
        raise AssertionError(said)

    def die(self) -> None:
        """As in a power cut: nothing is finished, nothing is said."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()

    def come_back(self) -> None:
        self._begin("--resume", self.file.name, "--anyway")

    def state(self) -> dict:
        return self._ask("state")

    def do(self, what: str, **args: object) -> dict:
        return self._ask("do", {"do": what, **args})

    def _ask(self, what: str, message: dict | None = None) -> dict:
        request = Request(
            f"{self.url}host/{what}",
            None if message is None else json.dumps(message).encode(),
            {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=20) as answer:
            return json.load(answer)


def check_kept(file: Path, phones: list[Phone]) -> int:
    """Hold what phones were told against what the file of their class tells.

    Every acknowledged bid is there once and there is no other; every table has played to its end,
    and its record is valid and has these bids. Gives their number.
    """
    with told(file) as room:
        assert [one.name for one in room.pupils.values()] == sorted(
            {phone.name for phone in phones}, key=[p.name for p in room.pupils.values()].index
        )
        named = {one.name: one for one in room.pupils.values()}
        logged = {
            event.number: (event.data["pupil"], event.data["turn"], event.data["bids"])
            for event in room.store.events()
            if event.kind == "bid"
        }
        acknowledged = {
            receipt["n"]: (named[phone.name].number, receipt["turn"], receipt["bids"])
            for phone in phones
            for receipt in phone.receipts.values()
        }
        assert logged == acknowledged
        steps = Counter((pupil, *turn) for pupil, turn, _ in logged.values())
        assert set(steps.values()) <= {1}
        in_records = {}
        for desk in room.desks:
            assert desk.over
            lines = desk.record().splitlines()
            game = record.parse(desk.record(), desk.name).game()
            assert len(game.steps) == 2 * desk.months == len(lines) - 1
            for line in map(json.loads, lines[1:]):
                for firm, place in enumerate(desk.places):
                    for pupil in place.pupils:
                        bids = line["bids"].get(firm_name(firm), {})
                        in_records[pupil, line["month"], line["step"]] = bids
        assert in_records == {(pupil, *turn): bids for pupil, turn, bids in logged.values()}
    return len(acknowledged)


def quietly(work, *args, **kwargs):
    """Ask a server that may be gone at any moment; None then."""
    with suppress(OSError, ValueError):
        return work(*args, **kwargs)
