import asyncio
import json
import logging
import re
import zipfile
from contextlib import suppress
from io import BytesIO
from ipaddress import ip_network

import pytest
from class_server import Hosted, Phone, hosted, run

from exdec.classroom.app import PAGES_OF_ONE, WRONG_KEYS, _Socket
from exdec.classroom.desk import RefusalError
from exdec.classroom.settings import ClassSettings

PUBLIC = ("", "host", "static/phone.js", "static/host.css", "live", "say", "host/live")


@pytest.fixture
def one(tmp_path):
    with hosted(tmp_path, ClassSettings(title="Year 11", months=2, seconds=0, size=2)) as one:
        yield one


@pytest.fixture
def closed(tmp_path):
    with hosted(tmp_path) as one:
        yield one


@pytest.fixture
def told(caplog):
    """Everything that is logged anywhere while a test runs."""
    with caplog.at_level(logging.DEBUG):
        yield caplog


def begin(one: Hosted, *names: str) -> list[str]:
    keys = [one.join(name) for name in names or ("Ann", "Ben")]
    assert one.do("start")["ok"]
    return keys


# -- nothing before a class is open, and nothing after ---------------------------------------------


@pytest.mark.parametrize("path", PUBLIC)
def test_nothing_answers_before_a_class_is_open(closed, path):
    assert closed.ask("GET", path)[0] == 404
    assert closed.post("say", {"t": "look", "code": "AAAAAA"})[0] == 404


def test_no_key_opens_a_class_but_the_servers_own(closed):
    for key in (None, "", "x" * 43, "x" * 10_000):
        assert closed.post("host/open", {"settings": {}}, key=key)[0] == 404
    status, answer = closed.post("host/open", {"settings": {}}, key=closed.server.secret)
    assert (status, answer["ok"]) == (200, True)
    assert closed.ask("GET", "")[0] == 200
    status, answer = closed.post("host/open", {"settings": {}}, key=answer["host"])
    assert status == 404


def test_a_class_that_cannot_be_set_up_says_why(closed):
    status, answer = closed.post("host/open", {"settings": {"size": 9}}, key=closed.server.secret)
    assert (status, answer) == (200, {"ok": False, "text": "size runs from 2 to 6, not 9."})
    _, answer = closed.post("host/open", {"resume": "../x.sqlite"}, key=closed.server.secret)
    assert "without a folder" in answer["text"]


@pytest.mark.parametrize(("query", "end"), [("", ""), ("?pseudonyms=1", "-pseudonyms")])
def test_a_download_and_its_folder_have_the_name_of_the_classs_file(one, monkeypatch, query, end):
    def as_on_windows(*_, **__):
        raise NotImplementedError  # the loop that Jupyter runs there starts no processes

    monkeypatch.setattr(asyncio, "create_subprocess_exec", as_on_windows)
    begin(one)
    key = f"Bearer {one.room.host_key}"
    _, headers, body = one.ask("GET", f"host/export.zip{query}", Authorization=key)
    name = one.room.store.path.stem + end
    assert headers["Content-Disposition"] == f'attachment; filename="{name}.zip"'
    with zipfile.ZipFile(BytesIO(body)) as book:
        assert {one.split("/")[0] for one in book.namelist()} == {name}


def test_everything_public_closes_with_the_class(one):
    key = one.join()
    host = one.room.host_key

    async def phone() -> list[str]:
        page = await Phone.open(one.url)
        await page.say(t="hello", key=key)
        heard = [(await page.hear())["t"]]
        one_done = asyncio.to_thread(one.post, "host/do", {"do": "finish"}, host)
        assert (await one_done)[1]["ok"]
        heard.append((await page.hear())["t"])
        assert await page.hear() is None
        return heard

    assert run(phone()) == ["view", "gone"]
    for path in PUBLIC:
        assert one.ask("GET", path)[0] == 404
    assert one.post("host/do", {"do": "say", "text": "x"}, key=host)[0] == 404


# -- joining, and one seat ---------------------------------------------------------------------


def test_looking_takes_no_seat_and_the_same_phone_takes_one(one):
    assert one.say({"t": "look", "code": one.room.code})["title"] == "Year 11"
    assert one.room.pupils == {}
    assert one.join("Ann") == one.join("Ann")
    assert len(one.room.pupils) == 1


def test_links_hold_no_class_and_previews_take_no_seat(one):
    for agent in ("WhatsApp/2", "facebookexternalhit/1.1", "Slackbot-LinkExpanding"):
        assert one.ask("GET", "", User_Agent=agent)[0] == 200
        assert one.ask("HEAD", "", User_Agent=agent)[0] == 200
    assert one.room.pupils == {}


def wrong_codes(one, many) -> list[str]:
    """What is said to wrong codes, on an open line and on lines of their own."""

    async def phone() -> str:
        page = await Phone.open(one.url)
        await page.say(t="look", code="AAAAAA")
        return (await page.hear())["why"]

    said = [one.say({"t": "look", "code": f"AAAA{n:02}"})["why"] for n in range(many)]
    return [*said, run(phone())]


def test_where_all_may_have_one_address_a_phone_that_guesses_keeps_nobody_out(one):
    assert wrong_codes(one, 40) == ["code"] * 41
    assert one.call(lambda: one.room.wrong_codes) == 41
    assert one.join()


def test_where_phones_have_their_own_addresses_one_that_guesses_has_to_wait(one, monkeypatch):
    ours = ip_network("192.0.2.0/24")  # as if this machine were in that network
    monkeypatch.setattr("exdec.classroom.app.ip_address", lambda _: ours[1])
    key = one.join()
    answers = wrong_codes(one, 60)
    assert answers[:20] == ["code"] * 20
    assert answers[-1] == "busy"
    assert one.say({"t": "look", "code": one.room.code})["why"] == "busy"
    one.call(lambda: one.room.check_code(one.room.code, one.server.clock(), "192.0.2.7"))
    # Who is in plays on.
    assert one.say({"t": "hello", "key": key})["t"] == "view"


def test_a_phone_that_joins_with_wrong_codes_keeps_nobody_out(one):
    async def joins() -> str:
        join = {"name": "Ann", "once": "the only phone of Ann"}
        for n in range(500):
            with suppress(RefusalError):
                await one.server.take_in({**join, "code": f"AAA{n:03}"}, "192.0.2.1")
        answer = await one.server.take_in({**join, "code": one.room.code}, "192.0.2.2")
        return answer["t"]

    assert asyncio.run_coroutine_threadsafe(joins(), one.loop).result(30) == "joined"


def test_wrong_keys_are_refused_and_close_the_line(one):
    key = one.join()
    number = key.partition(".")[0]
    wrong = ["", key[:-1], key + "x", f"{number}.{'A' * 22}", "9.x", f"-{key}", "٣.x", None, 7, []]
    for guess in wrong:
        assert one.say({"t": "hello", "key": guess})["why"] == "key"

    async def guesses() -> int:
        page = await Phone.open(one.url)
        for n in range(50):
            await page.say(t="hello", key=f"1.{n:022}")
            if await page.hear() is None:
                return n
        return 50

    assert run(guesses()) <= WRONG_KEYS + 1


def test_another_seats_key_does_nothing_for_ones_own(one):
    ann, ben = begin(one)
    for key, price in ((ann, 41), (ben, 43)):
        receipt = one.say(
            {
                "t": "bid",
                "key": key,
                "id": f"bid-{key}"[:20],
                "turn": [1, "buy"],
                "bids": {"X": [1, price]},
            }
        )
        assert receipt["ok"], receipt
    view = one.say({"t": "hello", "key": ann})
    assert [line[1] for line in view["results"][0]["lines"]] == [41, 0, 0]
    assert "43" not in json.dumps(view["results"])


def test_a_revoked_link_ends_its_pages_and_opens_nothing(one):
    key = one.join()

    async def phone() -> tuple[object, ...]:
        page = await Phone.open(one.url)
        await page.say(t="hello", key=key)
        assert (await page.hear())["t"] == "view"
        new = await asyncio.to_thread(one.do, "newlink", pupil=1)
        return await page.hear(), new["key"]

    last, new = run(phone())
    assert last == {"t": "no", "why": "key"}
    assert one.say({"t": "hello", "key": key})["why"] == "key"
    assert one.say({"t": "hello", "key": new})["t"] == "view"


def test_many_pages_of_one_seat_have_an_end(one):
    key = one.join()

    async def phones() -> list[str]:
        pages = [await Phone.open(one.url) for _ in range(PAGES_OF_ONE + 1)]
        for page in pages:
            await page.say(t="hello", key=key)
        heard = [await page.hear() for page in pages]
        return sorted(one.get("why", one["t"]) for one in heard)

    assert run(phones()) == ["pages"] + ["view"] * PAGES_OF_ONE


# -- handing in --------------------------------------------------------------------------------


def test_a_receipt_never_names_bids_that_it_is_not_for(one):
    ann = one.join()
    one.join("Ben")
    one.do("start")
    first = {"t": "bid", "key": ann, "id": "the same id", "turn": [1, "buy"]}
    receipts = [one.say({**first, "bids": {"X": bid}}) for bid in ([1, 45], [9, 99])]
    assert receipts[0] == receipts[1]
    assert one.room.desks[0].sealed[0].bids == {"X": [1, 45]}


def test_a_line_that_says_nothing_is_hung_up(one, monkeypatch):
    monkeypatch.setattr("exdec.classroom.app.UNKNOWN", 0.3)
    key = one.join()

    async def lines():
        silent, known = [await Phone.open(one.url) for _ in range(2)]
        await known.say(t="hello", key=key)
        assert (await known.hear())["t"] == "view"
        assert await asyncio.wait_for(silent.line.read_message(), 10) is None
        await known.say(t="ping")
        assert (await known.hear("pong"))["t"] == "pong"

    run(lines())


def test_a_table_of_a_number_without_end_is_none(one):
    key = {"Authorization": f"Bearer {one.room.host_key}"}
    status, _, body = one.ask("GET", f"host/state?show={'9' * 5_000}", **key)
    assert status == 200
    assert json.loads(body)["t"] == "state"


def test_as_many_phones_may_come_as_the_system_lets_in(tmp_path):
    resource = pytest.importorskip("resource")
    _, hard = before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with hosted(tmp_path / "other"):
            soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert soft == 10_000 or soft == hard


def test_a_replay_and_a_late_bid_do_nothing_twice(one):
    ann, ben = begin(one)
    bid = {"t": "bid", "key": ann, "id": "bid-0001", "turn": [1, "buy"], "bids": {"X": [1, 41]}}
    first = one.say(bid)
    assert one.say(bid) == first
    again = one.say({**bid, "id": "bid-0002"})
    assert (again["ok"], again["why"]) == (False, "in")
    assert one.say({**bid, "key": ben})["ok"]
    assert one.say(bid) == first
    late = one.say({**bid, "id": "bid-0003"})
    assert (late["ok"], late["why"]) == (False, "late")
    assert "offers are open now" in late["text"]
    assert len(one.room.table(0).game.steps) == 1


def test_a_seat_that_asks_too_often_waits(one):
    ann, _ = begin(one)

    async def phone() -> list[str]:
        page = await Phone.open(one.url)
        await page.say(t="hello", key=ann)
        for n in range(200):
            await page.say(t="change", id=f"change-{n}", turn=[1, "buy"])
        return [(await page.hear("receipt"))["why"] for _ in range(200)]

    why = run(phone())
    assert why[:50] == ["late"] * 50
    assert why.count("busy") > 100


@pytest.mark.parametrize(
    "bids",
    [
        {"X": [1]},
        {"X": [1, 2, 3]},
        {"X": ["1", "2"]},
        {"X": [1.5, 40]},
        {"X": [True, 40]},
        {"X": [-1, 40]},
        {"X": [10**9, 40]},
        {"Q": [1, 40]},
        {"A": [1, 40]},
        {"X": {"units": 1}},
        [],
        "X",
        None,
        {str(n): [1, 1] for n in range(7)},
    ],
)
def test_bids_that_are_none_are_refused_in_words(one, bids):
    ann, _ = begin(one)
    receipt = one.say({"t": "bid", "key": ann, "id": "bid-0001", "turn": [1, "buy"], "bids": bids})
    assert (receipt["ok"], receipt["why"]) == (False, "rules")
    assert "Firm" not in receipt["text"]
    assert one.room.desks[0].sealed == {}


# -- what is said to whom -----------------------------------------------------------------------


def test_no_page_reads_a_bid_before_it_is_opened(one, told):
    ann, ben = begin(one, "Ann", "Ben", "Cy")[:2]

    async def watch() -> str:
        pages = {key: await Phone.open(one.url) for key in (ann, ben)}
        for key, page in pages.items():
            await page.say(t="hello", key=key)
            await page.hear("view")
        await pages[ann].say(t="draft", turn=[1, "buy"], text={"X": ["7", "4321"]}, by="me")
        await pages[ann].say(t="bid", id="bid-0001", turn=[1, "buy"], bids={"X": [7, 4322]})
        assert (await pages[ann].hear("receipt"))["ok"]
        heard = [await pages[ben].hear("update")]
        _, host = await asyncio.to_thread(one.post, "host/do", {"do": "lock"}, one.room.host_key)
        status, _, state = await asyncio.to_thread(
            one.ask, "GET", "host/state", Authorization=f"Bearer {one.room.host_key}"
        )
        assert status == 200
        heard += [host, state.decode()]
        return json.dumps(heard) + repr(one.room) + repr(one.room.desks) + repr(one.server)

    said = run(watch())
    assert '"in": true' in said
    for secret in ("4321", "4322"):
        assert secret not in said
        assert secret not in told.text
    for key in (ann, ben, one.room.host_key, one.room.code):
        assert key not in told.text


def test_logs_hold_no_keys_even_of_what_fails(one, told):
    ann, _ = begin(one)
    one.call(lambda: setattr(one.room, "bid", lambda *_: 1 / 0))
    status, _ = one.post(
        "say",
        {"t": "bid", "key": ann, "id": "bid-0001", "turn": [1, "buy"], "bids": {"X": [1, 987]}},
    )
    assert status == 500
    assert "ZeroDivisionError" in told.text
    assert ann not in told.text
    assert "987" not in told.text


class Polls:
    """A phone that has no socket and asks now and then."""

    def __init__(self, one: Hosted, key: str) -> None:
        self.one = one
        self.key = key
        self.since = None

    def ask(self) -> dict | None:
        """What is new; None if nothing is."""
        view = self.one.say({"t": "hello", "key": self.key, "since": self.since})
        self.since = view["v"]
        return None if view["t"] == "same" else view


def test_a_page_that_polls_learns_how_many_are_in_the_lobby(one):
    ann, ben = (Polls(one, one.join(name)) for name in ("Ann", "Ben"))
    assert ann.ask()["lobby"] == {"here": 1}
    assert ann.ask() is None
    ben.ask()
    assert ann.ask()["lobby"] == {"here": 2}


def test_a_page_that_polls_learns_who_is_here(one):
    ann, ben = (Polls(one, key) for key in begin(one))
    ann.ask()
    assert ann.ask() is None
    ben.ask()
    assert [firm["here"] for firm in ann.ask()["table"]["firms"]] == [True, True]
    assert ann.ask() is None


def test_a_page_that_polls_learns_what_another_phone_of_its_seat_has_typed(one):
    ann, ben = (Polls(one, key) for key in begin(one))
    one.do("reseat", pupil=2, table=0, firm=0)
    for phone in (ann, ben, ann):
        phone.ask()
    text = {"X": ["2", "44"], "F": ["", ""], "S": ["", ""]}
    one.say({"t": "draft", "key": ben.key, "turn": [1, "buy"], "text": text})
    assert ann.ask()["draft"]["text"] == text
    assert ann.ask() is None


def test_a_page_that_polls_learns_how_the_others_stand(one):
    ann = Polls(one, begin(one, "Ann", "Ben", "Cy", "Dee")[0])
    one.do("standings", show=True)
    assert [firm["profit"] for firm in ann.ask()["standings"]] == [0, 0, 0, 0]
    one.do("paper", table=1, firm=0, bids={"X": [2, 60]})
    one.do("close", table=1)
    assert [firm["profit"] for firm in ann.ask()["standings"]] != [0, 0, 0, 0]


def test_a_page_that_polls_is_told_of_the_clock_all_the_same(one):
    one.do("seconds", seconds=60)
    ann = Polls(one, begin(one)[0])
    ann.ask()
    same = one.say({"t": "hello", "key": ann.key, "since": ann.since})
    assert same["t"] == "same"
    assert 0 < same["left"] <= 60


# -- who asks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_site_cannot_ask(one, headers):
    message = {"t": "look", "code": one.room.code}
    assert one.post("say", message, **headers)[0] == 403
    assert one.post("host/do", {"do": "lock"}, key=one.room.host_key, **headers)[0] == 403
    assert one.room.joining

    asked = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
    assert (
        one.ask("GET", "live", Sec_WebSocket_Key="0123456789abcdef", **asked, **headers)[0] == 403
    )


def test_a_line_whose_body_is_not_read_says_that_it_ends(one):
    body = json.dumps({"t": "look", "code": one.room.code}).encode()
    json_please = {"Content-Type": "application/json"}
    evil = {**json_please, "Origin": "http://evil.example"}
    assert one.ask("POST", "say", body, **evil)[1]["Connection"] == "close"
    status, headers, _ = one.ask("POST", "say", body, **json_please)
    assert (status, headers.get("Connection")) == (200, None)


def test_a_link_from_another_site_opens_the_page(one):
    assert one.ask("GET", "", Sec_Fetch_Site="cross-site")[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_of_another_site_is_no_request(one, kind):
    body = json.dumps({"t": "look", "code": one.room.code}).encode()
    assert one.ask("POST", "say", body, Content_Type=kind)[0] == 403


@pytest.mark.parametrize("path", ["/exdec/", "/exdec", "/"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1]", "a b"])
def test_a_name_that_is_not_ours_is_refused(one, host, path):
    got = one.raw(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert b"\r\nServer:" not in got
    assert re.match(rb"HTTP/1.1 (403|400) ", got), got[:100]


def test_the_instructors_routes_are_closed_to_everyone_else(one):
    key = one.join()
    for guess in (None, key, one.room.code, "x" * 43):
        for path in ("host/do", "host/open", "host/qr"):
            assert one.post(path, {"do": "start"}, key=guess)[0] == 403, path
        for path in ("host/state", "host/slips", "host/classes", "host/export.zip"):
            headers = {} if guess is None else {"Authorization": f"Bearer {guess}"}
            assert one.ask("GET", path, **headers)[0] == 403, path

    async def host_line() -> list[object]:
        page = await Phone.open(one.url.replace("/exdec/", "/exdec/host/"))
        await page.say(t="hello", key=key)
        return [await page.hear(), await page.hear()]

    assert run(host_line()) == [{"t": "no", "why": "key"}, None]


# -- what is sent ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"7",
        b'"x"',
        b"{",
        b"\xff\xfe",
        b'{"t":' + b"[" * 3_000,
        b"NaN",
        b'{"t":"hello","key":{"a":{}}}',
    ],
)
def test_what_is_no_message_is_refused(one, body):
    status, _, answer = one.ask("POST", "say", body, Content_Type="application/json")
    assert status in (200, 400)
    assert b"Traceback" not in answer


def test_what_is_too_long_is_refused_before_it_is_read(one):
    long = json.dumps({"t": "join", "name": "x" * 5_000}).encode()
    assert one.ask("POST", "say", long, Content_Type="application/json")[0] == 413
    # It says that it has a gigabyte, and is answered without sending any of it.
    head = (
        f"POST /exdec/say HTTP/1.1\r\nHost: 127.0.0.1:{one.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
    )
    assert one.raw(head.encode())[9:12] in (b"413", b"400")
    # It sends without end and says no length.
    chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    head = head.replace("Content-Length: 1000000000", "Transfer-Encoding: chunked")
    assert one.raw(head.encode() + 4 * chunk)[9:12] in (b"413", b"400")


def test_a_line_is_closed_on_what_is_too_long_or_no_json(one):
    async def phone(text: str | bytes) -> object:
        page = await Phone.open(one.url)
        await page.line.write_message(text, binary=isinstance(text, bytes))
        return await page.hear()

    for text in ("x" * 5_000, "[]", "{", b"\x00\x01", "[" * 3_000):
        assert run(phone(text)) is None
    assert one.ask("GET", "")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "static/../app.py",
        "static/..%2fapp.py",
        "static/%2e%2e/server.py",
        "static/phone.html",
        "static//etc/passwd",
        "static/",
        "host/../../",
        "..%2f..%2fetc/passwd",
        "host/dox",
        "live/x",
    ],
)
def test_path_tricks_find_nothing(one, path):
    assert one.ask("GET", path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_ways_of_asking_are_refused(one, method):
    for path in ("", "say", "host/do"):
        assert one.ask(method, path)[0] in (400, 403, 404, 405)


def test_pages_may_run_no_script_but_their_own(one):
    for path in ("", "host"):
        _, headers, body = one.ask("GET", path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        text = body.decode()
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|<style", text)
        assert not re.search(r'(?:src|href|action)="(?:https?:|/)', text)


@pytest.mark.slow
def test_a_thousand_join_at_once_and_no_more_than_the_class_holds(tmp_path):
    with hosted(tmp_path, ClassSettings(most=50, seconds=0)) as one:

        async def crowd() -> list[str]:
            pages = [await Phone.open(one.url) for _ in range(20)]
            for n in range(1_000):
                await pages[n % 20].say(
                    t="join", code=one.room.code, name="Ann", once=f"once-{n:012}"
                )
            heard = []
            for page in pages:
                while len(heard) < 1_000:
                    message = await page.hear()
                    if message is None:
                        break
                    heard.append(message.get("why", message["t"]))
            return heard

        heard = run(crowd())
        assert heard.count("joined") == 50
        assert len(one.room.pupils) == 50
        assert len({pupil.name for pupil in one.room.pupils.values()}) == 50
        assert one.ask("GET", "")[0] == 200


def test_a_page_that_does_not_take_what_it_is_sent_gets_only_what_is_newest():
    class Slow(_Socket):
        def __init__(self) -> None:
            self.ws_connection = self
            self._writing = self._waiting = False
            self.number = 0
            self.sent: list[str] = []
            self.taken = asyncio.Event()

        def news(self):
            return {"n": self.number}

        def write_message(self, text: str) -> asyncio.Future:
            self.sent.append(text)
            return asyncio.ensure_future(self.taken.wait())

    async def watch() -> list[str]:
        page = Slow()
        for page.number in range(1, 100):
            page.push()
            await asyncio.sleep(0)
        page.taken.set()
        await asyncio.sleep(0.01)
        return page.sent

    assert run(watch()) == ['{"n":1}', '{"n":99}']
