"""``exdec rehearse``: simulated phones play a class on the evening before it.

They do what phones in a classroom do: they lose their line and come back, load the page again in
the middle of typing, tap twice, dawdle; and one goes away and never comes back. Each keeps account
of what was acknowledged to it, and finds fault if the class's own account differs.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import secrets
import subprocess
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.simple_httpclient import HTTPStreamClosedError, HTTPTimeoutError
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from exdec.classroom.listen import EVERYWHERE, PORT
from exdec.errors import ExdecError, shown
from exdec.items import GOODS, MATERIALS
from exdec.narrate import counted

View = dict[str, Any]

SLOW = 1.0
"""Seconds that 95 of 100 answers may take at most; people begin to tap again after that."""

JOINING = 30.0
"""Seconds that all phones together have to join."""

STEP = 8
"""Seconds for each step in a class of the rehearsal's own."""

AGAIN = 5.0
"""Seconds after which a phone sends again what was not answered."""

GIVE_UP = 15.0
"""Seconds without a server after which a phone is given up."""

GONE = (OSError, HTTPClientError, HTTPStreamClosedError, HTTPTimeoutError, WebSocketClosedError)


class RehearsalError(ExdecError):
    """The rehearsal could not begin; the message says why and what to do."""


class Habit(StrEnum):
    """What a phone is like."""

    STEADY = "steady"
    DROPS = "loses its line after sending, and comes back"
    REFRESHES = "loads the page again in the middle of typing"
    TAPS_TWICE = "sends the same bid twice"
    BIDS_TWICE = "sends a second bid"
    DAWDLES = "thinks long and reads slowly"
    LEAVES = "joins and never comes back"


class Account:
    """What the phones of one rehearsal know together.

    Attributes
    ----------
    acknowledged, posted : list of float
        Seconds from Submit to the receipt, and from a table's last bid to each new board.
    faults : list of str
        What went wrong, as sentences.
    breaks : list of (float, float)
        From when to when a phone found no server, in seconds since 1970.
    """

    def __init__(self) -> None:
        self.breaks: list[tuple[float, float]] = []
        self.acknowledged: list[float] = []
        self.posted: list[float] = []
        self.faults: list[str] = []
        self._sent: defaultdict[tuple[str, int], dict[str, float]] = defaultdict(dict)

    def bid(self, view: View) -> None:
        """A phone hands in."""
        step = self._sent[view["table"]["name"], len(view["postings"])]
        step.setdefault(view["you"]["name"], time.perf_counter())

    def board(self, view: View, people: int) -> None:
        """A phone has a new board; it counts if people brought it about and not the clock."""
        sent = self._sent[view["table"]["name"], len(view["postings"]) - 1]
        if len(sent) == people:
            self.posted.append(time.perf_counter() - max(sent.values()))


class Phone:
    """A simulated phone; `play` lets it play until it has seen so many months.

    Parameters
    ----------
    url : str
        What phones open, such as ``http://10.0.0.7:8765/exdec/``.
    code : str
    name : str
        What it joins as.
    luck : random.Random
    account : Account
    habit : Habit
    think : (float, float)
        Seconds that it thinks about a bid, at least and at most.

    Attributes
    ----------
    key : str
        The secret part of its link, once it has joined.
    view : dict
        What its page shows.
    receipts : dict of str to dict
        The bids that were acknowledged to it, by their ids: ``turn``, ``bids``, ``n``.
    lost : float or None
        Since when it has found no server, in seconds since 1970.
    """

    def __init__(
        self,
        url: str,
        code: str,
        name: str,
        luck: random.Random,
        account: Account,
        habit: Habit = Habit.STEADY,
        think: tuple[float, float] = (0.3, 2.0),
    ) -> None:
        self.url = url
        self.code = code
        self.name = name
        self.habit = habit
        self.key = ""
        self.view: View = {}
        self.receipts: dict[str, View] = {}
        self.submitted = 0
        self.bytes = 0
        self.refused = ""
        self.lost: float | None = None
        self._luck = luck
        self._account = account
        self._think = think
        self._once = secrets.token_urlsafe(16)
        self._line: WebSocketClientConnection | None = None
        self._plan: deque[tuple[float, Callable[[], None]]] = deque()
        self._bid: View | None = None
        """What is handed in and not acknowledged."""
        self._sent_at: float | None = None
        self._planned: list[Any] = []
        self._draft: View | None = None

    async def play(self, months: int) -> None:
        """Play until so many months are settled or the game is over."""
        tries = 0
        while not self.done(months):
            try:
                await self._connect(months)
                tries = 0
            except GONE:
                tries += 1
                self.lost = self.lost or time.time()
            if self.refused or (self.key and self.habit is Habit.LEAVES):
                return
            await asyncio.sleep(self._luck.uniform(0.1, 0.3) * 2 ** min(tries, 4))

    def done(self, months: int) -> bool:
        """Whether it has seen so many months, and all that it sent is answered."""
        if not self.view or self._bid is not None:
            return False
        return self.view["phase"] == "over" or len(self.view["postings"]) >= 2 * months

    async def _connect(self, months: int) -> None:
        """Be on the line until it is cut."""
        address = re.sub("^http", "ws", urljoin(self.url, "live"))
        self._line = line = await websocket_connect(
            HTTPRequest(address, connect_timeout=5, request_timeout=10)
        )
        heard, asked = time.time(), False
        self._plan.clear()
        try:
            if self.key:
                self._say({"t": "hello", "key": self.key})
            else:
                self._say({"t": "join", "code": self.code, "name": self.name, "once": self._once})
            reading = asyncio.ensure_future(line.read_message())
            while self._line is not None and not self.done(months) and not self.refused:
                now = time.perf_counter()
                wait = self._plan[0][0] - now if self._plan else AGAIN
                await asyncio.wait([reading], timeout=max(0.0, wait))
                if reading.done():
                    text = reading.result()
                    if text is None:
                        return
                    self.bytes += len(text)
                    heard, asked = time.time(), False
                    reading = asyncio.ensure_future(line.read_message())
                    self._hear(json.loads(text))
                    if self.habit is Habit.DAWDLES:
                        await asyncio.sleep(0.3)
                elif self._plan:
                    self._plan.popleft()[1]()
                elif asked:
                    # A machine that sleeps hangs up on nobody; only its silence tells.
                    self.lost = self.lost or heard
                    break
                else:
                    self._say_again()
                    self._say({"t": "ping"})
                    asked = True
            reading.cancel()
        finally:
            self._line = None
            line.close()

    def _say(self, message: View) -> None:
        if self._line is not None:
            text = json.dumps(message)
            self.bytes += len(text)
            # Who does not hear it hears it again on the next line.
            with suppress(WebSocketClosedError):
                asyncio.ensure_future(self._line.write_message(text)).add_done_callback(
                    lambda sent: sent.cancelled() or sent.exception()
                )

    def _say_again(self) -> None:
        if self._bid is not None:
            self._say(self._bid)

    def _cut(self) -> None:
        self._line = None
        self._sent_at = None

    # -- hearing ---------------------------------------------------------------------------------

    def _hear(self, message: View) -> None:
        if self.lost is not None:
            self._account.breaks.append((self.lost, time.time()))
            self.lost = None
        match message["t"]:
            case "joined":
                self.key = message["key"]
                if self.habit is Habit.LEAVES:
                    self._cut()
                else:
                    self._say({"t": "hello", "key": self.key})
            case "view":
                self.view = message
                self._planned = []  # what was planned on another line went with it
                self._check_draft()
                self._check_results()
                self._say_again()
                self._go_on()
            case "update":
                # Who was to bid: with the new board, a bot may have come for whoever left.
                table = self.view["table"] or {"firms": []}
                people = sum(firm["bot"] is None for firm in table["firms"])
                merged(self.view, message)
                if "posting" in message:
                    self._account.board(self.view, people)
                    self._check_results()
                self._go_on()
            case "receipt":
                self._receipt(message)
                self._go_on()
            case "no" if message["why"] == "busy":
                self._cut()
            case "no":
                self.refused = message["text"]
            case "gone":
                self.refused = "The class was closed."

    def _receipt(self, message: View) -> None:
        id, bid = message["id"], self._bid  # noqa: A001
        if not message["ok"]:
            if bid is not None and bid["id"] == id:
                if message["why"] in ("busy", "disk", "paused"):
                    self._plan.append((time.perf_counter() + 1.0, lambda: self._say(bid)))
                else:
                    self._bid = None
                    # A step that its clock has closed may be missed; nothing else may happen.
                    if message["why"] != "late":
                        self._fault(f"had a bid refused: {message['text']}")
            elif message["why"] not in ("in", "late", "busy"):
                self._fault(f"had its second bid refused for another reason: {message['text']}")
            return
        known = self.receipts.get(id)
        if known is not None:
            if known["n"] != message["n"]:
                self._fault("had two different receipts for one bid")
            return
        if bid is None or bid["id"] != id:
            self._fault("had a second bid accepted for the same step")
            return
        self.receipts[id] = {"turn": bid["turn"], "bids": bid["bids"], "n": message["n"]}
        self._bid = None
        self._planned = bid["turn"]  # the receipt may come before the view that has it
        if self._sent_at is not None:
            self._account.acknowledged.append(time.perf_counter() - self._sent_at)

    def _fault(self, what: str) -> None:
        self._account.faults.append(f"{self.name} ({self.habit}) {what}.")

    def _check_draft(self) -> None:
        """After loading the page again, what was typed is still there."""
        draft, self._draft = self._draft, None
        if draft is not None and self.view["turn"] == draft["turn"] and not self.view["sealed"]:
            kept = self.view["draft"]
            if kept is None or kept["text"] != draft["text"]:
                self._fault("lost what it had typed when it loaded the page again")

    def _check_results(self) -> None:
        """What was opened is what was acknowledged."""
        given = {tuple(one["turn"]): one["bids"] for one in self.receipts.values()}
        for result in self.view["results"]:
            turn = (result["m"], result["s"])
            if turn in given:
                items = MATERIALS if turn[1] == "buy" else GOODS
                bids = {
                    item.value: line[:2]
                    for item, line in zip(items, result["lines"], strict=True)
                    if line[0]
                }
                if bids != given[turn]:
                    self._fault(f"had another bid opened than it handed in ({turn})")

    # -- handing in ------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Plan what to do about a step that is open; each step once."""
        view = self.view
        if view["phase"] != "open" or view["turn"] == self._planned or view["you"]["bot"]:
            return
        if view["sealed"] or self._bid is not None:
            return
        self._plan.clear()
        at = time.perf_counter() + self._luck.uniform(*self._think)
        turn, bids = view["turn"], bid_for(view, self._luck)
        match self.habit:
            case Habit.REFRESHES if self._draft is None and self._luck.random() < 0.7:
                self._plan.append((at, lambda: self._type(turn, bids)))
                self._plan.append((at + 0.2, self._cut))
                return
            case Habit.DROPS:
                self._plan.append((at, lambda: self._hand_in(turn, bids)))
                self._plan.append((at + self._luck.uniform(0, 0.01), self._cut))
            case Habit.TAPS_TWICE:
                self._plan.append((at, lambda: self._hand_in(turn, bids)))
                self._plan.append((at, self._say_again))
            case Habit.BIDS_TWICE:
                other = {"t": "bid", "id": secrets.token_urlsafe(9), "turn": turn, "bids": {}}
                self._plan.append((at, lambda: self._hand_in(turn, bids)))
                self._plan.append((at, lambda: self._say(other)))
            case Habit.DAWDLES:
                self._plan.append((at + 2, lambda: self._hand_in(turn, bids)))
            case _:
                self._plan.append((at, lambda: self._hand_in(turn, bids)))
        self._planned = turn

    def _type(self, turn: list[Any], bids: View) -> None:
        text = {item: [str(units), ""] for item, (units, _) in bids.items()}
        self._draft = {"turn": turn, "text": text}
        self._say({"t": "draft", **self._draft, "by": "rehearsal"})

    def _hand_in(self, turn: list[Any], bids: View) -> None:
        self._bid = {"t": "bid", "id": secrets.token_urlsafe(9), "turn": turn, "bids": bids}
        self.submitted += 1
        self._sent_at = time.perf_counter()
        self._account.bid(self.view)
        self._say(self._bid)


def bid_for(view: View, luck: random.Random) -> dict[str, list[int]]:
    """A bid that the rules allow, with some chance, for the step that a phone shows."""
    rules = view["rules"]
    last = [one["prices"] for one in view["postings"][-2:]]
    if view["turn"][1] == "buy":
        prices = last[-2] if last else view["opening"][:3]
        recipe = luck.choice(rules["recipes"])
        most = min(rules["order"] // sum(recipe), rules["grade"] // max(recipe))
        sets = min(luck.randint(1, 3), most)
        lines = [
            [sets * n, max(1, price + luck.randint(-1, 4))]
            for n, price in zip(recipe, prices, strict=True)
        ]
        items: tuple[Any, ...] = MATERIALS
    else:
        prices = last[-2] if len(last) > 1 else view["opening"][3:]
        held = list(view["held"])
        lines = []
        for recipe, price in zip(rules["recipes"], prices, strict=True):
            units = min(have // n for have, n in zip(held, recipe, strict=True) if n)
            held = [have - units * n for have, n in zip(held, recipe, strict=True)]
            lines.append([units, max(1, price - luck.randint(0, 8))])
        items = GOODS
    return {item.value: line for item, line in zip(items, lines, strict=True) if line[0]}


def merged(view: View, update: View) -> None:
    """Bring a view up to date with an update, as the phone's page does."""
    for name, value in update.items():
        if name == "posting":
            view["postings"].append(value)
        elif name == "result":
            view["results"].append(value)
        elif name != "t":
            view[name] = value


# -- the whole rehearsal -------------------------------------------------------------------------


class Verdict(NamedTuple):
    """What a rehearsal has shown; times in seconds, sizes in bytes.

    Parameters
    ----------
    reason, advice : str
        Why it failed, and what to do; "" if it passed.
    broke : str
        When the class was not to be reached for a while, as a sentence; "" for never.
    months, players, joined, finished, submissions : int
    acknowledged, posted : list of float
        See `Account`.
    page, month : float
        What a phone loads first, and what it exchanges in a month.
    own : bool
        Whether the class was the rehearsal's own, on this machine.
    """

    reason: str
    advice: str
    broke: str
    months: int
    players: int
    joined: int
    finished: int
    submissions: int
    acknowledged: list[float]
    posted: list[float]
    page: float
    month: float
    own: bool

    @property
    def passed(self) -> bool:
        """Whether a class can be played so."""
        return not self.reason

    def __str__(self) -> str:
        played = f"Played {counted(self.months, 'month')}"
        lines = [
            f"PASS. {self.players} phones can play here."
            if self.passed
            else f"FAIL. {self.reason} {self.advice}",
            *([self.broke] if self.broke else []),
            "",
            f"Joined             {self.joined} of {self.players}",
            f"{played:<19}{self.finished} of {self.players}",
            f"Submissions        {self.submissions}, {len(self.acknowledged)} timed",
            f"Submit → receipt      {_times(self.acknowledged)}",
            f"Last bid → new board  {_times(self.posted)}",
            f"Each phone loads {self.page / 1000:.0f} kB to begin with"
            + (
                f", then {self.month / 1000:.1f} kB a month, for some of them load the page again."
                if self.acknowledged
                else "."
            ),
        ]
        if self.own:
            lines += [
                "",
                "These phones ran on this computer, so the room's Wi-Fi was not tried. To try it, "
                "open a class with exdec host, and on another computer in that room run",
                "  exdec rehearse --url ADDRESS --code CODE",
            ]
        elif self.joined:
            lines += [
                "",
                f"That class has {counted(self.joined, 'simulated pupil')} now. Delete it, and "
                "open another one for your pupils.",
            ]
        return "\n".join(lines)


def rehearse(
    players: int = 60,
    months: int = 3,
    minutes: float = 3,
    *,
    url: str | None = None,
    code: str | None = None,
    address: str = EVERYWHERE,
    port: int = PORT,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> Verdict:
    """Let simulated phones play, and judge whether a class of people could.

    Parameters
    ----------
    players : int
    months : int
        How many they play.
    minutes : float
        After so long the rehearsal is over, whatever has come of it.
    url, code : str, optional
        A class that is open and waits for pupils; see `whole_url`. Left out, one is opened in a
        process of its own on this machine, and nothing of it is kept.
    address, port
        Where that one listens, as for `exdec.classroom.listen.Listener`.
    seed : int
        For what the phones bid, and how long they think.
    say : callable
        Takes what is to be printed meanwhile.

    Raises
    ------
    RehearsalError
        No class can be opened or reached.
    """
    if code and url is None:
        raise RehearsalError("Give the address of that class too: --url 10.0.0.7:8765/exdec.")
    if url is not None:
        if not code:
            raise RehearsalError("Give the class's code too: --code ABC123.")
        url = whole_url(url)
        return asyncio.run(_rehearse(url, code, "", players, months, minutes, seed, say))
    with _own_class(months, address, port) as (own_url, key):
        return asyncio.run(_rehearse(own_url, "", key, players, months, minutes, seed, say))


@contextmanager
def _own_class(months: int, address: str, port: int) -> Iterator[tuple[str, str]]:
    """A class in a process of its own, as `exdec host` opens it; gives its address and host key."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = ["host", "--title", "Rehearsal", "--folder", str(Path(folder))]
        words += ["--months", str(months), "--seconds", str(STEP)]
        words += ["--address", address, "--port", str(port)]
        process = subprocess.Popen(
            [sys.executable, "-m", "exdec", *words],
            # In both ways: the second wins over the first, and may be set already.
            env={**os.environ, "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert process.stdout is not None
        reader = threading.Thread(target=process.stdout.read, daemon=True)
        said = ""
        try:
            for line in process.stdout:
                said = line
                link = re.search(r"(http\S+/exdec/)host#k=(\S+)", line)
                if link is not None:
                    # Whatever else it says must not fill the pipe.
                    reader.start()
                    yield link[1], link[2]
                    return
            raise RehearsalError(said.removeprefix("exdec host: ").strip())
        finally:
            process.kill()
            process.wait()
            if reader.is_alive():
                reader.join()
            process.stdout.close()


async def _rehearse(
    url: str,
    code: str,
    key: str,
    players: int,
    months: int,
    minutes: float,
    seed: int,
    say: Callable[[str], None],
) -> Verdict:
    ends = time.monotonic() + 60 * minutes
    page = await page_size(url)
    if key:
        code = (await _ask_host(url, key, "state"))["code"]
    say(f"{players} phones join at {url}")
    account = Account()
    habits = _habits(players, leaves=bool(key))
    phones = [
        Phone(url, code, f"Phone {at + 1}", random.Random(f"{seed} {at}"), account, habit)
        for at, habit in enumerate(habits)
    ]
    playing = [asyncio.create_task(phone.play(months)) for phone in phones]
    try:
        await _until(lambda: all(_joined(one) or one.refused for one in phones), JOINING)
        joined = sum(map(_joined, phones))
        if joined == players:
            before = [phone.bytes for phone in phones]
            if key:
                await _ask_host(url, key, "do", {"do": "start"})
            else:
                say("All have joined. Start the game on your page now.")
            say(f"They play {counted(months, 'month')}, for at most {minutes:g} min.")
            staying = [one for one in phones if one.habit is not Habit.LEAVES]
            left = ends - time.monotonic()
            await _until(
                lambda: all(one.done(months) or one.refused or _gave_up(one) for one in staying),
                left,
            )
        else:
            before = [0] * players
    finally:
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error
    staying = [one for one in phones if one.habit is not Habit.LEAVES]
    finished = sum(one.done(months) for one in staying) + (len(phones) - len(staying))
    exchanged = sum(phone.bytes - was for phone, was in zip(phones, before, strict=True))
    reason, advice = _judge(phones, account, joined, finished, minutes)
    return Verdict(
        reason,
        advice,
        _broke(account.breaks),
        months,
        players,
        joined,
        finished,
        sum(phone.submitted for phone in phones),
        account.acknowledged,
        account.posted,
        page,
        exchanged / players / months,
        bool(key),
    )


def _habits(players: int, *, leaves: bool) -> list[Habit]:
    """One phone that dawdles, perhaps one that leaves, and the others in turn."""
    some = (Habit.STEADY, Habit.DROPS, Habit.REFRESHES, Habit.TAPS_TWICE, Habit.BIDS_TWICE)
    habits = [some[at % len(some)] for at in range(players)]
    habits[-1] = Habit.DAWDLES
    if leaves and players > 2:
        habits[0] = Habit.LEAVES
    return habits


def _gave_up(phone: Phone) -> bool:
    """Whether a phone has found no server for so long that it will not."""
    return phone.lost is not None and time.time() - phone.lost > GIVE_UP


def _broke(breaks: list[tuple[float, float]]) -> str:
    """The longest time for which a phone found no server and then came back, if it was long."""
    since, until = max(breaks, key=lambda one: one[1] - one[0], default=(0.0, 0.0))
    if until - since < 1:
        return ""
    return (
        f"At {_clock(since)} the class was not to be reached for {until - since:.0f} seconds; then "
        "phones came back."
    )


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def _judge(
    phones: list[Phone], account: Account, joined: int, finished: int, minutes: float
) -> tuple[str, str]:
    """Why the rehearsal failed, and what to do."""
    many = len(phones)
    refused = [one.refused for one in phones if one.refused]
    if refused:
        return f"The class does not let phones in: {refused[0]}", "Look at the code and the host."
    if joined < many:
        return (
            f"Only {joined} of {many} phones joined within {JOINING:.0f} seconds.",
            "Close other programs on the computer that hosts, or let fewer play.",
        )
    if account.faults:
        return (
            f"{len(account.faults)} times the class did not do as it should. {account.faults[0]}",
            "Please report this with the sentence before; do not use this version in class.",
        )
    lost = [one.lost for one in phones if one.lost is not None]
    if finished < many and lost:
        return (
            f"The class has not answered {len(lost)} of {many} phones since {_clock(min(lost))}.",
            "Does the computer that hosts still run exdec, or is it asleep? Is the Wi-Fi there?",
        )
    if finished < many:
        return (
            f"After {minutes:g} minute{'s' * (minutes != 1)} {many - finished} of {many} phones "
            "were still playing.",
            "Was the game started? Else give it longer with --minutes, or let fewer play.",
        )
    for times, what in (
        (account.acknowledged, "a receipt"),
        (account.posted, "the new board"),
    ):
        slowest = _percentile(times, 95)
        if slowest > SLOW:
            return (
                f"Phones wait too long for {what}: one in twenty waits {slowest:.1f} seconds or "
                f"more, and {SLOW:g} is what people bear.",
                "Close other programs on the computer that hosts, plug it in, connect it by cable; "
                "or let fewer play.",
            )
    return "", ""


def _joined(phone: Phone) -> bool:
    return bool(phone.key) and (bool(phone.view) or phone.habit is Habit.LEAVES)


async def _until(true: Callable[[], bool], seconds: float) -> None:
    """Wait until something is true, or the time is up."""
    ends = time.monotonic() + seconds
    while not true() and time.monotonic() < ends:
        await asyncio.sleep(0.05)


def whole_url(text: str) -> str:
    """A class's address, from what the board shows or a link holds.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        What phones open.

    Raises
    ------
    RehearsalError
        It is no address.

    Examples
    --------
    >>> whole_url("10.0.0.7:8765/exdec")
    'http://10.0.0.7:8765/exdec/'
    >>> whole_url("https://hub.example.edu/user/ann/exdec/#c=K7Q2M4")
    'https://hub.example.edu/user/ann/exdec/'
    """
    url = text.strip().partition("#")[0]
    if "://" not in url:
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        right = bool(parts.scheme in ("http", "https") and host and parts.port != 0)
    except ValueError:
        right = False
    if not right or re.search(r"\s", url):
        raise RehearsalError(
            f"{shown(text)} is no address. Type it as the board shows it: --url 10.0.0.7:8765/exdec"
        )
    path = parts.path.rstrip("/") or "/exdec"
    return f"{parts.scheme}://{parts.netloc}{path}/"


async def page_size(url: str) -> int:
    """Load the page as a phone does; gives the bytes of it and all its files, as they are sent.

    Raises
    ------
    RehearsalError
        Nothing answers there, or no class is open.
    """
    client = AsyncHTTPClient()
    size, asked = 0, [url]
    try:
        for one in asked:
            answer = await client.fetch(
                one,
                headers={"Accept-Encoding": "gzip"},
                decompress_response=False,
                connect_timeout=5,
            )
            size += len(answer.body)
            packed = answer.headers.get("Content-Encoding") == "gzip"
            text = (gzip.decompress(answer.body) if packed else answer.body).decode()
            for name in re.findall(r'(?:src="|href="|from ?")((?:static/|\./)[\w.]+)"', text):
                if (address := urljoin(one, name)) not in asked:
                    asked.append(address)
    except HTTPClientError as error:
        raise RehearsalError(
            f"{url} answers, but no class is open there ({error.code}). Open one first, and look "
            "whether the address is the one under the code on the board."
        ) from None
    except (OSError, HTTPStreamClosedError) as error:
        raise RehearsalError(
            f"Nothing answers at {url} ({error}). Is the class open, is this computer in the same "
            "network, and does the host's firewall let port numbers like this in?"
        ) from None
    return size


async def _ask_host(url: str, key: str, what: str, message: View | None = None) -> View:
    """Ask the instructor's side of the rehearsal's own class."""
    answer = await AsyncHTTPClient().fetch(
        urljoin(url, f"host/{what}"),
        method="GET" if message is None else "POST",
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        body=None if message is None else json.dumps(message),
        request_timeout=30,
    )
    found: View = json.loads(answer.body)
    return found


def _percentile(times: list[float], percent: int) -> float:
    if len(times) < 2:
        return max(times, default=0.0)
    return quantiles(times, n=100, method="inclusive")[percent - 1]


def _times(times: list[float]) -> str:
    if not times:
        return "none timed"
    half, most = (1000 * _percentile(times, percent) for percent in (50, 95))
    return f"half within {half:,.0f} ms, 95 of 100 within {most:,.0f} ms"
