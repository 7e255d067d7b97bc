"""The live class inside Jupyter Server, asked by people who have no account there."""

import asyncio
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from re import _constants as sre
from re import _parser as sre_parser
from types import SimpleNamespace
from urllib.error import HTTPError

import pytest
from class_jupyter import (
    OPEN_A_CLASS,
    OUR_404,
    PATIENCE,
    START,
    TOKEN,
    Site,
    environment,
    free_port,
    jupyter,
    resume_the_class,
)
from class_server import Phone, hosted, run
from lab_server import running
from tornado.web import RequestHandler

from exdec.classroom.app import routes
from exdec.classroom.extension import open_to_all
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings

pytestmark = pytest.mark.slow

PUBLIC = ("exdec", "exdec/", "exdec/host", "exdec/static/phone.js", "exdec/live", "exdec/say")
HIDDEN = ("exdec/host/live", "exdec/host/state", "exdec/host/slips", "exdec/host/export.zip")
UNKNOWN = ("exdec/zzz", "exdec/api/contents", "exdec/static/../api", "exdec/login", "exdec/lab/")

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec_WebSocket_Version": "13",
}

PASSWORD = "a password"


def by_password() -> tuple[str, ...]:
    from jupyter_server.auth.security import passwd

    hashed = passwd(PASSWORD, "sha256")
    return ("--IdentityProvider.token=", f"--PasswordIdentityProvider.hashed_password={hashed}")


# As Binder starts it; as somebody careful starts it; and with a password, without any token.
WAYS = {
    "binder": {
        "command": "lab",
        "base": "/user/x/",
        "options": (
            f"--IdentityProvider.token={TOKEN}",
            "--ServerApp.allow_remote_access=True",
            "--ServerApp.allow_origin=*",
        ),
    },
    "closed": {
        "command": "server",
        "base": "/user/x/",
        "options": (
            f"--IdentityProvider.token={TOKEN}",
            "--ServerApp.allow_unauthenticated_access=False",
        ),
    },
    "password": {"command": "server", "base": "/", "options": by_password()},
}


SLOW = [pytest.param(way, marks=pytest.mark.slow) for way in ("closed", "password")]


@pytest.fixture(scope="module", params=["binder", *SLOW])
def server(request, tmp_path_factory):
    way = WAYS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    with jupyter(folder, *way["options"], command=way["command"], base=way["base"]) as server:
        server.way = request.param
        server.login = (
            logged_in(server)
            if request.param == "password"
            else {"Authorization": f"token {TOKEN}"}
        )
        server.secret = json.loads(server.run_in_kernel(OPEN_A_CLASS, **server.login))["secret"]
        server.host("do", {"do": "finish"}, key=server.secret)
        yield server


def logged_in(server) -> dict[str, str]:
    """The cookies and header of somebody who knows the password."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(
        "POST",
        f"{server.base}login",
        f"password={PASSWORD.replace(' ', '+')}&_xsrf=a1",
        {"Content-Type": "application/x-www-form-urlencoded", "Cookie": "_xsrf=a1"},
    )
    answer = connection.getresponse()
    cookies = [text.partition(";")[0] for text in answer.headers.get_all("Set-Cookie")]
    connection.close()
    cookies = [one for one in cookies if not one.startswith("_xsrf")]
    return {"Cookie": "; ".join([*cookies, "_xsrf=a1"]), "X_XSRFToken": "a1"}


@pytest.fixture
def opened(server):
    """A class that is open while a test runs."""
    given = {"title": "Year 11", "size": 2, "months": 2, "seconds": 0}
    told = server.host("open", {"settings": given}, key=server.secret)
    assert told["ok"], told
    yield SimpleNamespace(code=told["code"], host=told["host"], file=told["file"])
    if server.ask("GET", "exdec/")[0] == 200:
        assert server.host("do", {"do": "finish"}, key=told["host"])["ok"]


def everything_is_closed(server) -> None:
    for path in (*PUBLIC, *HIDDEN, *UNKNOWN):
        for headers in ({}, UPGRADE):
            status, _, body = server.ask("GET", path, **headers)
            assert (status, path) == (404, path)
            assert OUR_404 in body.decode() or path.endswith("live")
    for path in ("exdec/say", "exdec/host/do", "exdec/host/open", "exdec/host/qr"):
        status, _, body = server.ask("POST", path, {"t": "look", "code": "AAAAAA"})
        assert (status, json.loads(body)["text"]) == (404, OUR_404)


# -- doors -----------------------------------------------------------------------------------------


def test_every_method_of_every_route_is_open_to_all(tmp_path):
    for pattern, handler, *_ in routes(Server(tmp_path)):
        ours = open_to_all(handler)
        for name in map(str.lower, ours.SUPPORTED_METHODS):
            method = getattr(ours, name)
            if method is not RequestHandler._unimplemented_method:
                assert getattr(method, "__allow_unauthenticated", False), (pattern, name)


def test_nothing_answers_before_a_class_is_open(server):
    everything_is_closed(server)


def test_a_kernel_opens_a_class_and_everything_closes_with_it(server):
    told = json.loads(server.run_in_kernel(OPEN_A_CLASS, **server.login))
    assert told["ok"], told
    assert told["url"] == f"http://127.0.0.1:{server.port}{server.base}"
    assert os.path.dirname(told["file"]) == str(server.log.parent / "root" / "classes")
    assert server.ask("GET", "exdec/")[0] == 200
    assert server.ask("GET", "exdec/static/phone.js")[0] == 200
    status, headers, _ = server.ask("GET", "exdec")
    assert (status, headers["Location"]) == (302, "exdec/")
    assert server.host("do", {"do": "finish"}, key=told["host"])["ok"]
    everything_is_closed(server)


def test_an_address_that_there_is_not_leads_to_no_login(server, opened):
    for path in UNKNOWN:
        for method in ("GET", "POST", "PUT", "DELETE"):
            status, headers, _ = server.ask(method, path)
            assert (status, path, method) == (404, path, method)
            assert "Location" not in headers


def test_pupils_without_a_cookie_play_a_step_by_post_and_by_socket(server, opened):
    async def play():
        ann = await asyncio.to_thread(server.join, opened.code, "Ann")
        page = await Phone.open(server.url)
        await page.say(t="join", code=opened.code, name="Ben", once="the phone of somebody else")
        ben = (await page.hear("joined"))["key"]
        await page.say(t="hello", key=ben)
        assert (await page.hear("view"))["phase"] == "lobby"
        started = await asyncio.to_thread(server.host, "do", {"do": "start"}, key=opened.host)
        assert started["ok"], started
        bid = {"t": "bid", "turn": [1, "buy"], "bids": {"X": [2, 40]}}
        ann_says = {**bid, "id": "of the first", "key": ann}
        receipt = await asyncio.to_thread(lambda: server.say(**ann_says))
        assert (receipt["t"], receipt["ok"]) == ("receipt", True), receipt
        await page.say(**bid, id="of the second")
        heard = {}
        while not {"posting", "ok"} <= {*heard}:
            heard |= await page.hear("update", "receipt")
        assert heard["ok"]
        polled = await asyncio.to_thread(lambda: server.say(t="hello", key=ann))
        assert polled["turn"] == [1, "sell"]
        assert [posting["units"][0] for posting in polled["postings"]] == [4]

    run(play())


def test_a_page_of_another_site_is_refused_whatever_jupyter_allows(server, opened):
    look = {"t": "look", "code": opened.code}
    for headers in ({"Origin": "https://evil.example"}, {"Sec_Fetch_Site": "cross-site"}):
        assert server.ask("POST", "exdec/say", look, **headers)[0] == 403
    assert server.ask("GET", "exdec/live", Origin="https://evil.example", **UPGRADE)[0] == 403
    _, headers, _ = server.ask("GET", "exdec/", Origin="https://evil.example")
    assert "Access-Control-Allow-Origin" not in headers


def test_a_server_for_this_machine_answers_to_no_other_name(server, opened):
    expected = 200 if server.way == "binder" else 403
    assert server.ask("GET", "exdec/", Host="classroom.example")[0] == expected
    assert server.ask("GET", "exdec/", Host=f"localhost:{server.port}")[0] == 200


# -- Jupyter's own doors ---------------------------------------------------------------------------

# What Jupyter shows to everyone: that it runs, its version, its picture, and the pages to log in
# and out. (None of its scripts has the name that is tried.)
JUPYTERS_PUBLIC = {"/", "/api", "/favicon.ico", "/login", "/logout"}

# JupyterLab refuses there too, but fails to say so.
SILENT = "/lab/api/licenses/x"

RULES = """
import json, sys, warnings
warnings.simplefilter("ignore")
from jupyterlab.labapp import LabApp
lab = LabApp.initialize_server(["--ServerApp.allow_root=True", "--ServerApp.port=0",
                                "--LanguageServerManager.autodetect=False", "--log-level=ERROR"])
found = []
for rule in lab.web_app.default_router.rules:
    for inner in getattr(rule.target, "rules", []):
        found.append(inner.matcher.regex.pattern)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """A path for every route that JupyterLab's server has, ours apart."""
    home = tmp_path_factory.mktemp("rules")
    done = subprocess.run(
        [sys.executable, "-c", RULES],
        cwd=home,
        env=environment(home / "home"),
        capture_output=True,
        text=True,
        check=True,
    )
    patterns = json.loads(done.stdout.splitlines()[-1])
    assert any("/exdec/" in one for one in patterns)
    found = {one: "".join(example(sre_parser.parse(one))) for one in patterns if "exdec" not in one}
    for pattern, path in found.items():
        assert re.fullmatch(pattern, path), (pattern, path)
    return sorted(path for path in {*found.values()} if path.startswith("/"))


def example(parsed):
    """A text that a regular expression matches, piece by piece."""
    for kind, value in parsed:
        match kind:
            case sre.LITERAL:
                yield chr(value)
            case sre.NOT_LITERAL | sre.ANY:
                yield "x"
            case sre.IN:
                yield next(c for c in "x1/-" if re.fullmatch(f"[{''.join(as_set(value))}]", c))
            case sre.MAX_REPEAT | sre.MIN_REPEAT:
                least, _, inner = value
                yield "".join(example(inner)) * max(least, 1)
            case sre.SUBPATTERN:
                yield from example(value[3])
            case sre.BRANCH:
                yield from example(value[1][0])
            case _:
                assert kind in (sre.AT, sre.ASSERT_NOT), kind


def as_set(members):
    classes = {sre.CATEGORY_WORD: r"\w", sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_SPACE: r"\s"}
    for kind, value in members:
        match kind:
            case sre.NEGATE:
                yield "^"
            case sre.LITERAL:
                yield re.escape(chr(value))
            case sre.RANGE:
                yield f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
            case sre.CATEGORY:
                yield classes[value]


def test_jupyters_own_routes_are_closed_to_a_pupil(server, opened, rules):
    assert len(rules) > 50
    assert {"/api/kernels", "/api/contents/x", "/files/x", "/terminals/websocket/x"} <= {*rules}
    key = server.join(opened.code, "Mallory")
    # What a pupil has, and what opens the class's own doors; each with Jupyter's other hurdle
    # taken, a cookie that a header repeats.
    logins = [{}, {"Authorization": f"token {key}"}, {"Authorization": f"Bearer {server.secret}"}]
    doubled = {"Cookie": f"_xsrf=a1; key={key}", "X_XSRFToken": "a1"}
    ways = [("GET", None, login) for login in logins] + [("GET", None, {**UPGRADE, **logins[1]})]
    ways += [(method, None, logins[1]) for method in ("HEAD", "DELETE")]
    ways += [(method, {}, logins[1]) for method in ("POST", "PUT", "PATCH")]
    told = []
    for path in rules:
        for method, body, headers in ways:
            try:
                patience = 1 if path == SILENT else PATIENCE
                status, headers, _ = server.ask(
                    method, path[1:], body, patience, **doubled, **headers
                )
            except (TimeoutError, http.client.RemoteDisconnected):
                assert path in (SILENT, "/robots.txt", "/favicon.ico"), (method, path)
                break
            if status not in (400, 401, 403, 404, 405) and "Location" not in headers:
                told.append(path)
    assert {*told} <= JUPYTERS_PUBLIC


# -- the rest of the server's life -----------------------------------------------------------------


def test_what_pupils_do_keeps_the_server_from_being_taken_for_idle(server, opened):
    def last_activity():
        return json.loads(server.ask("GET", "api/status", **server.login)[2])["last_activity"]

    before = last_activity()
    server.say(t="look", code=opened.code)
    assert last_activity() == before
    server.join(opened.code, "Ann")
    assert last_activity() > before


def test_the_log_has_no_secret_and_no_request_of_a_pupil(server, opened):
    key = server.join(opened.code, "Ann")
    server.host("state", key=opened.host)
    server.ask("GET", f"exdec/{key}")
    server.ask("POST", "exdec/say", {"t": "hello", "key": "wrong"})
    said = server.log.read_text()
    assert "exdec" in said
    assert not [one for one in (key, opened.code, opened.host, server.secret) if one in said]
    refused = ("Another site asked.", "This machine has another name.")
    requests = [line for line in said.splitlines() if "/exdec" in line]
    assert all(line.endswith(refused) for line in requests)


def test_the_room_has_an_address_of_its_own_while_the_instructor_wants_it(server, opened):
    def room():
        (one,) = [one for one in state()["controls"] if one["do"] == "room"]
        return one

    def state():
        return server.host("state", key=opened.host)

    def answers(url):
        port = int(url.split(":")[2].partition("/")[0])
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/exdec/")
            return connection.getresponse().status
        except ConnectionRefusedError:
            return None
        finally:
            connection.close()

    assert room()["label"].startswith("Open")
    assert state()["join"] is None
    done = server.host("do", {"do": "room", "on": True}, key=opened.host)
    url = state()["join"]
    assert url.startswith("http://127.0.0.1:")
    assert url in done["text"]
    assert "This is plain HTTP" in done["text"]
    assert done["back"] == {"do": "room", "on": False}
    assert room()["label"].startswith("Close")
    assert answers(url) == 200
    again = server.host("do", {"do": "room", "on": True}, key=opened.host)
    assert url in again["text"]
    assert server.host("do", done["back"], key=opened.host)["ok"]
    assert (state()["join"], answers(url)) == (None, None)
    assert not server.host("do", {"do": "room", "on": "yes"}, key=opened.host)["ok"]
    server.host("do", {"do": "room", "on": True}, key=opened.host)
    url = state()["join"]
    server.host("do", {"do": "finish"}, key=opened.host)
    assert answers(url) is None


def test_without_jupyter_there_is_no_second_address(tmp_path):
    with hosted(tmp_path, ClassSettings(title="Year 11")) as one:
        assert "room" not in {control["do"] for control in one.server.state(None)["controls"]}
        answer = one.do("room", on=True)
        assert (answer["ok"], answer["text"]) == (
            False,
            "Phones reach this class at its own address.",
        )


def test_a_server_that_ends_sends_pages_away_to_come_back_to_the_same_seat(tmp_path):
    token = {"Authorization": f"token {TOKEN}"}
    option = f"--IdentityProvider.token={TOKEN}"
    port = free_port()
    with jupyter(tmp_path, option, port=port) as server:
        told = json.loads(server.run_in_kernel(OPEN_A_CLASS, **token))
        key = server.join(told["code"], "Ann")

        async def last_words():
            page = await Phone.open(server.url)
            await page.say(t="hello", key=key)
            await page.hear("view")
            server.process.terminate()
            assert (await page.hear())["t"] == "later"
            assert await page.hear() is None

        run(last_words())
        assert server.process.wait(20) == 0
    with jupyter(tmp_path, option, port=port) as server:
        name = os.path.basename(told["file"])
        again = json.loads(server.run_in_kernel(resume_the_class(name), **token))
        assert again["ok"], again
        assert again["secret"] != told["secret"]
        assert (again["code"], again["host"]) == (told["code"], told["host"])
        assert server.say(t="hello", key=key)["you"]["name"] == "Ann"
    assert "Traceback" not in server.log.read_text()


def test_the_rooms_address_is_there_again_after_a_crash_and_phones_find_their_seats(tmp_path):
    token = {"Authorization": f"token {TOKEN}"}
    options = (f"--IdentityProvider.token={TOKEN}", "--LiveClass.room_address=127.0.0.1")
    port = free_port()

    def at_the_room(url):
        return Site(int(url.split(":")[2].partition("/")[0]))

    with jupyter(tmp_path, *options, port=port) as server:
        told = json.loads(server.run_in_kernel(OPEN_A_CLASS, **token))
        assert server.host("do", {"do": "room", "on": True}, key=told["host"])["ok"]
        url = server.host("state", key=told["host"])["join"]
        key = at_the_room(url).join(told["code"], "Ann")
        assert server.host("do", {"do": "start"}, key=told["host"])["ok"]
        server.process.kill()
        server.process.wait(20)
    with jupyter(tmp_path, *options, port=port) as server:
        resume = resume_the_class(os.path.basename(told["file"]))
        assert json.loads(server.run_in_kernel(resume, **token))["ok"]
        state = server.host("state", key=told["host"])
        assert (state["join"], state["unreached"], state["phase"]) == (url, "", "running")
        assert state["again"].startswith("Start exdec lab again")
        assert at_the_room(url).say(t="hello", key=key)["you"]["name"] == "Ann"


@pytest.mark.parametrize(
    ("broken", "options"),
    [("raise RuntimeError('broken')", ()), ("", ("--LiveClass.room_address=[]",))],
    ids=["import", "configuration"],
)
def test_jupyter_starts_and_ends_well_whatever_is_wrong_with_the_class(tmp_path, broken, options):
    lame = tmp_path / "lame"
    lame.mkdir()
    (lame / "segno.py").write_text(broken or "def make(*args, **kwargs): raise RuntimeError")
    with jupyter(tmp_path, *options, PYTHONPATH=str(lame)) as server:
        assert server.ask("GET", "api")[0] == 200
        server.process.terminate()
        assert server.process.wait(20) == 0
    assert "exdec | e" in server.log.read_text()


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no socket is a file on this system")
def test_a_kernel_finds_a_server_that_listens_at_a_file(tmp_path):
    told = tmp_path / "told"
    tell = (
        "import os, sys, pathlib, urllib.request as r; u = os.environ['EXDEC_KERNEL_URL'];"
        "o = r.build_opener(r.ProxyHandler({}));"
        "q = r.Request(u + 'exdec/host/state', headers={'Authorization': 'Bearer ' + os.environ"
        "['EXDEC_KERNEL_SECRET']});"
        "p = pathlib.Path(sys.argv[1]); p.with_suffix('.part').write_text(u + '\\n' +"
        "o.open(q, timeout=20).read().decode()); p.with_suffix('.part').rename(p)"
    )
    kernel = tmp_path / "data" / "kernels" / "tells"
    kernel.mkdir(parents=True)
    spec = {"argv": [sys.executable, "-c", tell, str(told)], "display_name": "tells"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    (tmp_path / "root").mkdir()
    # The path of such a socket may have a hundred characters, which a test's folder can exceed.
    with tempfile.TemporaryDirectory() as short:
        sock = os.path.join(short, "s")
        words = [*(sys.executable, "-m", "jupyter", "server", "--allow-root", f"--sock={sock}")]
        words += ["--ServerApp.base_url=/user/x/", f"--IdentityProvider.token={TOKEN}"]
        words += [f"--ServerApp.root_dir={tmp_path / 'root'}"]
        env = environment(tmp_path / "home", JUPYTER_DATA_DIR=str(tmp_path / "data"))
        with (tmp_path / "log").open("w") as log:
            process = subprocess.Popen(words, env=env, cwd=tmp_path, stdout=log, stderr=log)
        try:
            wait_until(lambda: os.path.exists(sock))
            connection = http.client.HTTPConnection("localhost")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(sock)
            headers = {"Authorization": f"token {TOKEN}"}
            connection.request("POST", "/user/x/api/kernels", '{"name": "tells"}', headers)
            wait_until(told.exists)
            connection.close()
        finally:
            process.terminate()
            process.wait(20)
    url, _, state = told.read_text().partition("\n")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/user/x/", url)
    assert json.loads(state)["folder"] == str(tmp_path / "root" / "classes")


def wait_until(done):
    deadline = time.monotonic() + START
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_exdec_lab_has_the_live_class(tmp_path):
    with running(tmp_path) as server:
        with pytest.raises(HTTPError) as answer:
            server.fetch("exdec/")
        assert answer.value.code == 404
        assert OUR_404 in answer.value.read().decode()
        assert len(server.log.read_text().splitlines()) < 15
