"""The web side of a class: routes that are the same inside Jupyter and behind ``exdec host``.

Nothing here answers before a class is open. Pages hold no secrets, and no secret is ever part of
an address that a server sees: links carry them after ``#``, and pages send them in a message or in
a header. A page of ours shares its origin with the instructor's Jupyter, so it may run no script
but its own, and a request from any other page is refused.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import segno
from tornado import web, websocket

from exdec.classroom.desk import RefusalError
from exdec.classroom.keys import same
from exdec.classroom.messages import Message, update
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings
from exdec.errors import ExdecError

MOST_BYTES = 4_096
"""Of one message; the largest bid has a tenth of it."""

MOST_BODY = 256 * 1024
"""Of an instructor's request: a roster of a thousand names."""

PAGES_OF_ONE = 6
"""Pages that one pupil can have open; more are a mistake or an attack."""

WRONG_KEYS = 5

UNKNOWN = 30.0
"""Seconds that a line may stay open without saying whose page it is."""

KINDS = {".css": "text/css", ".js": "text/javascript"}
STATIC = {
    file.name: kind
    for file in (files("exdec.classroom") / "static").iterdir()
    if (kind := KINDS.get(Path(file.name).suffix))
}
"""What the two pages are made of."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'{}; "
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

log = logging.getLogger("exdec.classroom")


def routes(server: Server, base: str = "/", hosts: Sequence[str] | None = None) -> list[Any]:
    """Every route of a class.

    Parameters
    ----------
    server : Server
    base : str
        What all addresses begin with, such as ``"/user/ann/"``.
    hosts : sequence of str, optional
        The names by which this machine may be asked; any if left out.

    Returns
    -------
    list
        For `tornado.web.Application`.
    """
    own = base.rstrip("/") + "/exdec"
    with_server = {"server": server, "hosts": hosts}
    return [
        (rf"{own}", _Slash, with_server),
        (rf"{own}/", _File, {**with_server, "name": "phone.html"}),
        (rf"{own}/host", _File, {**with_server, "name": "host.html"}),
        (rf"{own}/static/([\w.]+)", _Static, with_server),
        (rf"{own}/live", _PupilSocket, with_server),
        (rf"{own}/say", _Say, with_server),
        (rf"{own}/host/live", _HostSocket, with_server),
        (rf"{own}/host/(do|state|open|qr|slips|classes|export\.zip)", _Host, with_server),
        (rf"{own}/.*", _Nothing, with_server),
    ]


def application(
    server: Server, hosts: Sequence[str] | None = None, base: str = "/"
) -> web.Application:
    """The routes of a class and nothing else, for a listener of its own."""
    return web.Application(
        [
            ("/", _Slash, {"server": server, "hosts": hosts}),
            *routes(server, base, hosts),
        ],
        default_handler_class=_Nothing,
        default_handler_args={"server": server, "hosts": hosts},
        log_function=log_request,
        websocket_max_message_size=MOST_BYTES,
        compress_response=True,
    )


class _Route(web.RequestHandler):
    """What all routes have in common: who may ask, and how little an answer gives away."""

    def initialize(self, server: Server, hosts: Sequence[str] | None) -> None:
        self.server = server
        self.hosts = hosts

    def set_default_headers(self) -> None:
        # Safari before 15.4 does not count a socket to the same host as the same site.
        host = self.request.host
        sockets = f" ws://{host} wss://{host}" if re.fullmatch(r"[\w.:-]+", host, re.ASCII) else ""
        self.set_header("Content-Security-Policy", POLICY.format(sockets))
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")
        self.clear_header("Server")

    def check_xsrf_cookie(self) -> None:
        """Requests carry their key themselves; no cookie opens anything here."""

    def prepare(self) -> None:
        if self.hosts is not None and self.request.host_name.lower() not in self.hosts:
            raise web.HTTPError(403, "This machine has another name.")

    def compute_etag(self) -> None:
        return None

    def write_error(self, status_code: int, **_: Any) -> None:
        """Say in a sentence what is wrong, and nothing of how this is made."""
        said = {
            403: "This is not answered from here.",
            404: "No class is open here, or the address has a slip in it.",
            405: "This address is not asked in this way.",
            413: "That is too long.",
            429: "Too many at once. Wait a few seconds.",
        }.get(status_code, "Something went wrong. Load the page again.")
        if self.request.method == "POST":
            self.set_header("Content-Type", "application/json")
            self.finish(json.dumps({"messages": [], "ok": False, "text": said}))
        else:
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.finish(
                '<!doctype html><html lang="en"><meta charset="utf-8">'
                '<meta name="viewport" content="width=device-width">'
                f"<title>Executive Decision</title><p>{escape(said)}</p></html>"
            )


class _Slash(_Route):
    def get(self) -> None:
        if self.server.room is None:
            raise web.HTTPError(404)
        self.redirect("exdec/")


class _Nothing(_Route):
    """Every address that there is not, and every way of asking that there is not."""

    def prepare(self) -> None:
        raise web.HTTPError(404)


class _File(_Route):
    """One of the two pages, while a class is open."""

    def initialize(self, server: Server, hosts: Sequence[str] | None, name: str = "") -> None:
        super().initialize(server, hosts)
        self.name = name

    def get(self) -> None:
        self.send(self.name, "text/html")

    head = get

    def send(self, name: str, kind: str) -> None:
        if self.server.room is None:
            raise web.HTTPError(404)
        body, tag = _static(name)
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("Etag", f'"{tag}"')
        if self.check_etag_header():
            self.set_status(304)
        else:
            self.write(body)


class _Static(_File):
    def get(self, name: str) -> None:  # type: ignore[override]
        if name not in STATIC:
            raise web.HTTPError(404)
        self.send(name, STATIC[name])

    head = get  # type: ignore[assignment]


@cache
def _static(name: str) -> tuple[bytes, str]:
    body = (files("exdec.classroom") / "static" / name).read_bytes()
    return body, sha256(body).hexdigest()[:16]


@web.stream_request_body
class _Post(_Route):
    """A request with a small JSON object; anything else is refused before it is read."""

    most = MOST_BYTES

    def prepare(self) -> None:
        super().prepare()
        # Pages may be reached by a link from anywhere; what they then ask for comes from them.
        if not same_origin(self.request.headers, self.request.host):
            raise web.HTTPError(403, "Another site asked.")
        self._body = bytearray()
        if self.server.room is None and not self.early():
            raise web.HTTPError(404)
        if self.request.method != "POST":
            return
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise web.HTTPError(403)
        length = self.request.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > self.most:
            raise web.HTTPError(413)
        # What says no length is cut off there.
        connection: Any = self.request.connection
        connection.set_max_body_size(self.most)

    def early(self) -> bool:
        """Whether this is answered before a class is open."""
        return False

    def write_error(self, status_code: int, **_: Any) -> None:
        # A body that nobody reads ends the line. If that is not said, a proxy sends the next
        # request there.
        self.set_header("Connection", "close")
        super().write_error(status_code)

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    def json(self) -> Message:
        """The body.

        Raises
        ------
        tornado.web.HTTPError
            It is no JSON object.
        """
        message = read_json(bytes(self._body))
        if message is None:
            raise web.HTTPError(400)
        return message


class _Say(_Post):
    """What a pupil's page says when it cannot keep a socket open."""

    async def post(self) -> None:
        message = self.json()
        address = _address(self)
        self.write({"messages": [one async for one in _answers(self.server, message, address)]})


async def _answers(server: Server, message: Message, address: str) -> AsyncIterator[Message]:
    try:
        answer: Message | None
        match message.get("t"):
            case "look":
                answer = await server.look(message, address)
            case "join":
                answer = await server.take_in(message, address)
            case "ping":
                answer = {"t": "pong"}
            case "hello":
                answer = server.polled(message.get("key"), message.get("since"))
            case _:
                answer = await server.hear(server.pupil_of(message.get("key")), message)
        if answer is not None:
            yield answer
    except ExdecError as error:
        yield _no(error)


def _address(asked: _Route | _Socket) -> str:
    """The address of who asks, or "" if all may come from the same one.

    They do behind a proxy: in Jupyter there may be one anywhere, else on this machine.
    """
    ip = str(asked.request.remote_ip)
    return "" if asked.hosts is None or ip_address(ip).is_loopback else ip


def _no(error: ExdecError) -> Message:
    why = error.why if isinstance(error, RefusalError) else "disk"
    return {"t": "gone"} if why == "gone" else {"t": "no", "why": why, "text": str(error)}


class _Socket(websocket.WebSocketHandler):
    """A page's open line; what is too slow to take everything gets only what is newest."""

    most = MOST_BYTES

    def initialize(self, server: Server, hosts: Sequence[str] | None) -> None:
        self.server = server
        self.hosts = hosts
        self._writing = False
        self._waiting = False

    def set_default_headers(self) -> None:
        self.clear_header("Server")

    def check_origin(self, origin: str) -> bool:  # noqa: ARG002  (it is among the headers)
        return same_origin(self.request.headers, self.request.host)

    async def get(self, *args: Any, **kwargs: Any) -> None:
        if self.hosts is not None and self.request.host_name.lower() not in self.hosts:
            raise web.HTTPError(403)
        if self.server.room is None:
            raise web.HTTPError(404)
        if not same_origin(self.request.headers, self.request.host):
            raise web.HTTPError(403)
        await super().get(*args, **kwargs)

    @property
    def max_message_size(self) -> int:
        return self.most

    @property
    def ping_interval(self) -> float:
        return 20.0

    @property
    def ping_timeout(self) -> float:
        return 20.0

    def open(self, *_: str, **__: str) -> None:
        # A receipt and the board that follows it are small; neither waits for the other's arrival.
        self.set_nodelay(True)
        asyncio.get_running_loop().call_later(UNKNOWN, self._expect_known)

    def known(self) -> bool:
        """Whether the page has said whose it is."""
        raise NotImplementedError

    def _expect_known(self) -> None:
        """Hang up on who says nothing: each line takes one of the files that may be open."""
        if not self.known():
            self.close(1008, "who is there?")

    def send(self, message: Message) -> None:
        """Send a message; a page that is gone is no matter."""
        self._write(message, _fetch)

    def _write(self, message: Message, then: Callable[[asyncio.Future[None]], None]) -> None:
        if self.ws_connection is not None:
            with suppress(websocket.WebSocketClosedError):
                self.write_message(_encode(message)).add_done_callback(then)

    def push(self) -> None:
        """Send what is new, or as soon as the page has taken what was sent before."""
        if self._writing:
            self._waiting = True
            return
        message = self.news()
        if message is not None and self.ws_connection is not None:
            self._writing = True
            self._write(message, self._pushed)

    def _pushed(self, written: asyncio.Future[None]) -> None:
        _fetch(written)
        self._writing = False
        if self._waiting:
            self._waiting = False
            self.push()

    def news(self) -> Message | None:
        """What this page has not been sent yet."""
        raise NotImplementedError

    def end(self, message: Message) -> None:
        """Send a last message, and close."""
        self.send(message)
        asyncio.get_running_loop().call_later(0.2, self.close)

    async def on_message(self, text: str | bytes) -> None:
        message = read_json(text)
        if message is None:
            self.close(1003, "JSON objects only")
            return
        try:
            await self.hear(message)
        except ExdecError as error:
            self.send(_no(error))

    async def hear(self, message: Message) -> None:
        """Take a message."""
        raise NotImplementedError


class _PupilSocket(_Socket):
    """A pupil's page.

    It keeps the key and not the pupil: a class that cannot be written is made anew from its log,
    and a link may have been revoked since.
    """

    number: int | None = None

    def open(self, *_: str, **__: str) -> None:
        super().open()
        self._key: object = None
        self._sent: Message | None = None
        self._wrong = 0

    def known(self) -> bool:
        return self.number is not None

    async def hear(self, message: Message) -> None:
        kind = message.get("t")
        if kind == "ping":
            self.send({"t": "pong"})
        elif kind == "hello":
            self._hello(message)
        elif kind in ("look", "join"):
            try:
                asked = self.server.look if kind == "look" else self.server.take_in
                self.send(await asked(message, _address(self)))
            except RefusalError:
                self._mistake()
                raise
        elif self.number is None:
            self._mistake()
            raise RefusalError("key", "Say who you are first.")
        else:
            answer = await self.server.hear(self.server.pupil_of(self._key), message)
            if answer is not None:
                self.send(answer)

    def _hello(self, message: Message) -> None:
        key = message.get("key")
        try:
            number = self.server.pupil_of(key).number
        except RefusalError:
            self._mistake()
            raise
        if number != self.number:
            if len(self.server.pages.get(number, ())) >= PAGES_OF_ONE:
                raise RefusalError("pages", "This seat is open on too many pages. Close some.")
            self._leave()
            self.number = number
            self.server.come(number, self)
        self._key = key
        self._sent = None
        self.push()

    def _mistake(self) -> None:
        self._wrong += 1
        if self._wrong > WRONG_KEYS:
            self.close(1008, "too many mistakes")

    def news(self) -> Message | None:
        if self.number is None:
            return None
        try:
            view = self.server.view(self._key)
        except ExdecError:
            return None  # it has had its last message, or waits for the disk
        message = view if self._sent is None else update(self._sent, view)
        self._sent = view
        return message

    def on_close(self) -> None:
        self._leave()

    def _leave(self) -> None:
        number, self.number = self.number, None
        if number is not None:
            self.server.go(number, self)


class _HostSocket(_Socket):
    """The instructor's page, or the projector's."""

    most = 64 * 1024

    def open(self, *_: str, **__: str) -> None:
        super().open()
        self._known = False
        self._show: int | None = None
        self._sent = ""

    def known(self) -> bool:
        return self._known

    async def hear(self, message: Message) -> None:
        if not self._known:
            if not self.server.is_host(message.get("key")):
                self.end({"t": "no", "why": "key"})
                return
            self._known = True
            self.server.watch(self)
            self.push()
            return
        match message.get("t"):
            case "ping":
                self.send({"t": "pong"})
            case "show":
                table = message.get("table")
                self._show = table if type(table) is int else None
                self.push()
            case "do":
                done = await self.server.do(message)
                self.send({"t": "done", "id": message.get("id"), **done})

    def news(self) -> Message | None:
        return None if self.server.room is None else self.server.state(self._show)

    def on_close(self) -> None:
        self.server.unwatch(self)


class _Host(_Post):
    """The instructor's requests; each carries the key in its header."""

    most = MOST_BODY

    def prepare(self) -> None:
        super().prepare()
        scheme, _, key = self.request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self.server.is_host(key):
            raise web.HTTPError(404 if self.server.room is None else 403)
        self.master = same(key, self.server.secret)

    def early(self) -> bool:
        return True

    async def get(self, what: str) -> None:
        match what:
            case "state" if self.server.room is not None:
                show = self.get_query_argument("show", "")
                table = int(show) if show.isdecimal() and len(show) < 6 else None
                state = self.server.state(table)
                if self.master:
                    # The notebook links to this class's page, and exports its file.
                    room = self.server.room
                    state |= {"host": room.host_key, "file": str(room.store.path.resolve())}
                self.write(state)
            case "state" | "classes" if self.master:
                found = await asyncio.get_running_loop().run_in_executor(None, self.server.classes)
                self.write(
                    {"t": "none", "classes": found, "folder": str(self.server.folder.resolve())}
                )
            case "slips" if self.server.room is not None:
                self.write({"slips": self.server.slips()})
            case "export.zip" if self.server.room is not None:
                await self._export()
            case _:
                raise web.HTTPError(404)

    async def post(self, what: str) -> None:
        message = self.json()
        match what:
            case "do":
                self.write(await self.server.do(message))
            case "open" if self.master:
                self.write(self._open(message))
            case "qr":
                texts = message.get("texts")
                if not isinstance(texts, list) or len(texts) > 1_200:
                    raise web.HTTPError(400)
                self.write({"svgs": [_qr(str(text)[:600]) for text in texts]})
            case _:
                raise web.HTTPError(404)

    def _open(self, message: Message) -> Message:
        try:
            if "resume" in message:
                room = self.server.resume(str(message["resume"]))
            else:
                room = self.server.open(ClassSettings.from_json(message.get("settings", {})))
        except ExdecError as error:
            return {"ok": False, "text": str(error)}
        return {
            "ok": True,
            "text": f"{room.settings.title} is open.",
            "code": room.code,
            "host": room.host_key,
            "file": str(room.store.path.resolve()),
        }

    async def _export(self) -> None:
        """Everything that is known of the class, made by a process of its own."""
        room = self.server.room
        assert room is not None
        pseudonyms = bool(self.get_query_argument("pseudonyms", ""))
        name = f"{room.store.path.stem}{'-pseudonyms' * pseudonyms}.zip"
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, name)
            words = ["export", str(room.store.path), "--out", str(made)]
            words += ["--pseudonyms"] * pseudonyms
            # In a thread: on Windows, the loop that Jupyter runs starts no processes.
            done = await asyncio.to_thread(
                subprocess.run,
                [sys.executable, "-m", "exdec", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if done.returncode or not made.is_file():
                said = done.stderr.decode(errors="replace")
                log.error("A class could not be exported: %s", said[-500:])
                raise web.HTTPError(500)
            body = await asyncio.to_thread(made.read_bytes)
        self.set_header("Content-Type", "application/zip")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.write(body)


def _qr(text: str) -> str:
    return segno.make(text, micro=False, error="m").svg_inline(scale=8, border=2, light="#fff")


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _fetch(written: asyncio.Future[None]) -> None:
    """Take note that a page is gone, which is no error."""
    if not written.cancelled():
        written.exception()


def read_json(text: str | bytes) -> Message | None:
    """A JSON object, or None if it is anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def same_origin(headers: Any, host: str) -> bool:
    """Whether a request comes from a page of this very site, or from no page at all.

    Examples
    --------
    >>> same_origin({"Origin": "https://hub.example"}, "hub.example")
    True
    >>> same_origin({"Sec-Fetch-Site": "cross-site"}, "hub.example")
    False
    """
    site = headers.get("Sec-Fetch-Site")
    origin = headers.get("Origin")
    if origin is not None:
        return bool(origin.partition("://")[2].lower() == host.lower())
    return site in (None, "same-origin", "none")


def log_request(handler: web.RequestHandler) -> None:
    """What failed here, without anything that was sent."""
    if handler.get_status() >= 500:
        log.error("%s %s", handler.get_status(), handler.request.path)
