"""The rehearsal: it passes where a class can be played, and says why where it cannot."""

import asyncio
import copy
import random
import re
import threading
import time

import pytest
from class_room import again, bid, opened, views, wire
from class_server import hosted
from tornado.websocket import WebSocketProtocol13

from exdec.classroom import rehearse as module
from exdec.classroom.rehearse import (
    Account,
    Habit,
    Phone,
    RehearsalError,
    bid_for,
    rehearse,
    whole_url,
)
from exdec.classroom.settings import ClassSettings
from exdec.cli import main


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 6])
def test_what_phones_bid_is_allowed_and_brings_trade(tmp_path, seed, size):
    names = [f"Pupil {at}" for at in range(size)]
    room = opened(tmp_path, *names, size=size, months=3, rules={"undeliverable": "refuse"})
    luck = random.Random(seed)
    for _ in range(6):
        for number, view in wire(views(room)).items():
            bid(room, int(number), bid_for(view, luck))
    results = [one for view in views(room).values() for one in view["results"]]
    assert len(results) == 6 * size
    assert any(line[3] for one in results if one["s"] == "sell" for line in one["lines"])
    room.commit()
    assert again(room).desks[0].over


@pytest.mark.slow
def test_phones_play_a_class_that_is_open(tmp_path):
    with hosted(tmp_path, ClassSettings(seconds=0, months=1)) as host:

        def start() -> None:
            for _ in range(200):
                if len(host.room.here) == 6:
                    host.do("start")
                    return
                time.sleep(0.05)

        teacher = threading.Thread(target=start)
        teacher.start()
        said: list[str] = []
        verdict = rehearse(6, 1, 0.5, url=host.url, code=host.room.code, say=said.append)
        teacher.join()
    assert "All have joined. Start the game on your page now." in said
    assert verdict.passed, verdict
    assert str(verdict).startswith("PASS. 6 phones can play here.\n\nJoined             6 of 6\n")
    assert "\nPlayed 1 month     6 of 6\n" in str(verdict)
    assert "That class has 6 simulated pupils now. Delete it" in str(verdict)
    # A bid in each of two steps; drop-outs and second taps are not counted twice.
    assert (verdict.joined, verdict.finished, verdict.submissions) == (6, 6, 12)
    # Who comes back on a new line has the board with the rest of the page.
    assert 8 <= len(verdict.posted) <= 12
    assert 2_000 < verdict.page < 60_000


@pytest.mark.parametrize(("bidders", "timed"), [(("Ann", "Ben"), 0), (("Ann", "Ben", "Cy"), 1)])
def test_a_board_that_the_clock_brought_is_not_timed(tmp_path, monkeypatch, bidders, timed):
    """Cy has gone. A bot comes for her with the message that closes the step."""
    account = Account()
    phone = Phone("", "", "", random.Random(1), account)
    for view in wire(views(opened(tmp_path, "Ann", "Ben", "Cy", size=3))).values():
        phone.view = view
        if view["you"]["name"] in bidders:
            account.bid(view)
    table = copy.deepcopy(phone.view["table"])
    table["firms"][2]["bot"] = "medium"
    monkeypatch.setattr(phone, "_go_on", lambda: None)
    phone._hear({"t": "update", "table": table, "posting": {"s": "buy", "units": [0, 0, 0]}})
    assert len(account.posted) == timed


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A rehearsal that does not mind how busy the machine is."""
    monkeypatch.setattr(module, "SLOW", 60)


@pytest.mark.slow
def test_the_rehearsals_own_class_passes_though_one_goes_away(capsys):
    words = ["--players", "8", "--months", "1", "--minutes", "2"]
    assert main(["rehearse", *words, "--address", "127.0.0.1", "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "PASS. 8 phones can play here." in said
    assert "the room's Wi-Fi was not tried" in said


def test_a_wrong_code_fails_with_the_reason_and_what_to_do(tmp_path, capsys):
    with (
        hosted(tmp_path, ClassSettings()) as host,
        pytest.raises(SystemExit) as status,
    ):
        main(["rehearse", "--players", "2", "--url", host.url, "--code", "AAAAAA"])
    assert status.value.code == 1
    assert "FAIL. The class does not let phones in: There is no class with this code." in (
        capsys.readouterr().out
    )


def test_what_cannot_be_reached_is_refused_in_a_sentence(tmp_path, capsys):
    assert main(["rehearse", "--url", "http://127.0.0.1:9/exdec/", "--code", "AAAAAA"]) == 2
    assert "Nothing answers at http://127.0.0.1:9/exdec/" in capsys.readouterr().err
    with hosted(tmp_path) as host, pytest.raises(RehearsalError, match="no class is open there"):
        rehearse(2, url=host.url, code="AAAAAA")
    with pytest.raises(RehearsalError, match="Give the class's code too"):
        rehearse(2, url="http://127.0.0.1:9/exdec/")


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("127.0.0.1:47311/exdec", "http://127.0.0.1:47311/exdec/"),
        (" http://127.0.0.1:47311/exdec/ ", "http://127.0.0.1:47311/exdec/"),
        ("127.0.0.1:47311", "http://127.0.0.1:47311/exdec/"),
        ("class.local:8765/exdec/#c=K7Q2M4", "http://class.local:8765/exdec/"),
        ("https://hub.example.edu/user/ann/exdec", "https://hub.example.edu/user/ann/exdec/"),
    ],
)
def test_an_address_is_taken_as_the_board_shows_it(given, address):
    assert whole_url(given) == address


@pytest.mark.parametrize(
    "given",
    [
        "",
        "http://",
        "ftp://10.0.0.7/exdec",
        "10.0.0.7:port",
        "10.0.0.7:99999",
        "[::1",
        "a..b",
        "a b",
    ],
)
def test_what_is_no_address_is_refused_in_a_sentence(given, capsys):
    assert main(["rehearse", "--url", given, "--code", "K7Q2M4"]) == 2
    said = capsys.readouterr().err
    assert said.endswith(
        " is no address. Type it as the board shows it: --url 10.0.0.7:8765/exdec\n"
    )


def test_where_nobody_answers_is_said_with_the_whole_address(capsys):
    assert main(["rehearse", "--url", "no-such-name.invalid", "--code", "K7Q2M4"]) == 2
    said = capsys.readouterr().err
    assert "Nothing answers at http://no-such-name.invalid/exdec/ (" in said


def test_slow_answers_and_a_game_without_an_end_fail(monkeypatch):
    monkeypatch.setattr(module, "SLOW", 1)

    async def made() -> list[Phone]:
        return [phone(Account()) for _ in range(2)]

    phones = asyncio.run(made())
    account = Account()
    assert module._judge(phones, account, 2, 2, 3) == ("", "")
    account.posted += [0.1] * 90 + [2.5] * 10
    reason, advice = module._judge(phones, account, 2, 2, 3)
    assert "Phones wait too long for the new board: one in twenty waits 2.5 seconds" in reason
    assert "plug it in" in advice
    reason, _ = module._judge(phones, account, 2, 1, 3)
    assert reason == "After 3 minutes 1 of 2 phones were still playing."
    reason, _ = module._judge(phones, account, 1, 0, 3)
    assert reason == "Only 1 of 2 phones joined within 30 seconds."


def test_a_server_that_stops_answering_is_named_and_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "GIVE_UP", 1)
    with hosted(tmp_path, ClassSettings(seconds=0, months=12)) as host:

        def stop() -> None:
            for _ in range(200):
                if len(host.room.here) == 4:
                    host.do("start")
                    time.sleep(0.5)
                    host.call(lambda: (host.server.shut(gone=False), host.listener.close()))
                    return
                time.sleep(0.05)

        teacher = threading.Thread(target=stop)
        teacher.start()
        began = time.monotonic()
        verdict = rehearse(4, 12, 2, url=host.url, code=host.room.code, say=lambda _: None)
        teacher.join()
    assert time.monotonic() - began < 60
    assert re.fullmatch(
        r"The class has not answered \d of 4 phones since \d\d:\d\d:\d\d\.", verdict.reason
    )
    assert verdict.advice.startswith("Does the computer that hosts still run exdec")


def test_a_server_that_sleeps_is_noticed_although_it_hangs_up_on_nobody(monkeypatch):
    monkeypatch.setattr(module, "AGAIN", 0.1)

    lines: list[asyncio.StreamWriter] = []

    async def sleeps(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = re.search(r"Sec-WebSocket-Key: (\S+)", asked, re.IGNORECASE)[1]
        accepted = WebSocketProtocol13.compute_accept_value(key)
        writer.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
        )
        lines.append(writer)  # and nothing more is read or said

    async def play() -> float | None:
        async with await asyncio.start_server(sleeps, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            url = f"http://127.0.0.1:{port}/exdec/"
            ann = Phone(url, "AAAAAA", "Ann", random.Random(1), Account())
            await asyncio.wait_for(ann._connect(1), 2)
            for line in lines:
                line.transport.abort()
            await asyncio.sleep(0.05)  # both ends hear of it
            return ann.lost

    began = time.time()
    assert began <= asyncio.run(play()) <= time.time()


def test_a_break_that_was_long_is_in_the_verdict_and_a_short_one_is_not():
    nine = time.mktime((2026, 12, 1, 9, 0, 0, 0, 0, -1))
    assert module._broke([]) == ""
    assert module._broke([(nine, nine + 0.4)]) == ""
    assert module._broke([(nine, nine + 3), (nine, nine + 14)]) == (
        "At 09:00:00 the class was not to be reached for 14 seconds; then phones came back."
    )


def test_a_phone_that_comes_back_says_how_long_it_was_without(seen):
    _, view = seen
    account = Account()
    ann = phone(account)
    ann.lost = time.time() - 20
    ann._hear(view())
    ((since, until),) = account.breaks
    assert 19 < until - since < 30
    assert ann.lost is None


def test_a_code_without_its_address_is_refused():
    with pytest.raises(RehearsalError, match="Give the address of that class too: --url"):
        rehearse(2, code="K7Q2M4")


def test_what_was_not_timed_is_no_time():
    assert module._times([]) == "none timed"
    assert module._times([0.002, 0.004]) == "half within 3 ms, 95 of 100 within 4 ms"


def phone(account: Account, habit: Habit = Habit.STEADY) -> Phone:
    return Phone("http://127.0.0.1:9/exdec/", "AAAAAA", "Ann", random.Random(1), account, habit)


@pytest.fixture
def seen(tmp_path):
    """A room of two, and what the first one's page shows."""
    room = opened(tmp_path, "Ann", "Ben", size=2)
    return room, lambda: wire(views(room))["1"]


def test_a_phone_finds_fault_with_another_bid_than_its_own(seen):
    room, view = seen
    account = Account()
    ann = phone(account)
    ann._hear(view())
    ann._hand_in([1, "buy"], {"X": [1, 50]})
    ann._hear({"t": "receipt", "id": ann._bid["id"], "ok": True, "turn": [1, "buy"], "n": 7})
    bid(room, 1, {"X": [2, 50]})
    bid(room, 2)
    ann._hear(view())
    assert account.faults == ["Ann (steady) had another bid opened than it handed in ((1, 'buy'))."]


def test_a_phone_finds_fault_with_two_receipts_and_with_two_bids(seen):
    _, view = seen
    account = Account()
    ann = phone(account)
    ann._hear(view())
    ann._hand_in([1, "buy"], {})
    receipt = {"t": "receipt", "id": ann._bid["id"], "ok": True, "turn": [1, "buy"], "n": 7}
    ann._hear(receipt)
    ann._hear(receipt)
    assert account.faults == []
    ann._hear({**receipt, "n": 8})
    ann._hear({**receipt, "id": "another bid"})
    assert [one.partition(") ")[2] for one in account.faults] == [
        "had two different receipts for one bid.",
        "had a second bid accepted for the same step.",
    ]


def test_a_phone_finds_fault_with_a_draft_that_is_gone(seen):
    _, view = seen
    account = Account()
    ann = phone(account, Habit.REFRESHES)
    ann._hear(view())
    ann._type([1, "buy"], {"X": [1, 50]})
    ann._hear(view())
    assert len(account.faults) == 1
    assert "lost what it had typed" in account.faults[0]
