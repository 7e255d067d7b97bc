"""A class at work on a loopback address, for tests: a server in a thread, and plain clients."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from exdec.classroom.listen import Listener
from exdec.classroom.room import Room
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings

T = TypeVar("T")
PATIENCE = 30.0


class Hosted:
    """A server that runs, and ways to ask it."""

    def __init__(self, server: Server, listener: Listener, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.listener = listener
        self.loop = loop
        self.url = listener.url
        self.port = listener.port

    @property
    def room(self) -> Room:
        assert self.server.room is not None
        return self.server.room

    def call(self, work: Callable[[], T]) -> T:
        """Do something in the server's own thread."""

        async def do() -> T:
            return work()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(PATIENCE)

    def do(self, do: str, **args: Any) -> dict[str, Any]:
        """What the instructor's page does."""
        status, answer = self.post("host/do", {"do": do, **args}, key=self.room.host_key)
        assert status == 200, answer
        return answer

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """One request, as raw as can be."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, "/exdec/" + path, body, named)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def post(
        self, path: str, message: Any, key: str | None = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """A JSON request and its answer."""
        given = {"Content-Type": "application/json", **headers}
        if key is not None:
            given["Authorization"] = f"Bearer {key}"
        status, _, body = self.ask("POST", path, json.dumps(message).encode(), **given)
        return status, json.loads(body)

    def say(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """What a pupil's page says without a socket; its one answer."""
        status, answer = self.post("say", message)
        assert status == 200, answer
        return answer["messages"][0] if answer["messages"] else None

    def join(self, name: str = "Ann") -> str:
        """Take a seat; the key of its link."""
        answer = self.say(
            {"t": "join", "code": self.room.code, "name": name, "once": f"once-{name:_<16}"}
        )
        assert answer is not None
        assert answer["t"] == "joined", answer
        return str(answer["key"])

    def raw(self, data: bytes) -> bytes:
        """Send bytes, and read until the server has had enough."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as line:
            line.sendall(data)
            got = b""
            while chunk := line.recv(65536):
                got += chunk
            return got


class Phone:
    """A pupil's socket."""

    opened: ClassVar[list[Phone]] = []

    def __init__(self, line: WebSocketClientConnection) -> None:
        self.line = line

    @classmethod
    async def open(cls, url: str, **headers: str) -> Phone:
        parts = urlsplit(url)
        request = HTTPRequest(
            f"ws://{parts.netloc}{parts.path}live",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            connect_timeout=PATIENCE,
        )
        phone = cls(await websocket_connect(request))
        cls.opened.append(phone)
        return phone

    async def hang_up(self) -> None:
        """Close the line, and see that it is closed."""
        self.line.close()
        with suppress(TimeoutError):
            while await asyncio.wait_for(self.line.read_message(), 0.3) is not None:
                pass
        # The other side's last word may be on its way; nothing is left open for it.
        if self.line.stream is not None:
            self.line.stream.close()

    async def say(self, **message: Any) -> None:
        await self.line.write_message(json.dumps(message))

    async def hear(self, *kinds: str) -> dict[str, Any] | None:
        """The next message of these kinds, or of any; None if the line is closed."""
        for _ in range(1_000):
            text = await asyncio.wait_for(self.line.read_message(), PATIENCE)
            if text is None:
                return None
            message: dict[str, Any] = json.loads(text)
            if not kinds or message["t"] in kinds:
                return message
        raise AssertionError(f"nothing of {kinds} in a thousand messages")


def run(talk: Coroutine[Any, Any, T]) -> T:
    """Let phones talk, and hang up in the end."""

    async def whole() -> T:
        try:
            return await talk
        finally:
            while Phone.opened:
                await Phone.opened.pop().hang_up()

    return asyncio.run(whole())


@contextmanager
def hosted(folder: Path, settings: ClassSettings | None = None) -> Iterator[Hosted]:
    """A server in a thread; a class is open if there are settings."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def begin() -> Hosted:
        server = Server(folder)
        if settings is not None:
            server.open(settings)
        return Hosted(server, Listener(server, "127.0.0.1", 0), loop)

    async def end() -> None:
        one.server.shut(gone=False)
        one.listener.close()
        await asyncio.sleep(0.3)
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    one = asyncio.run_coroutine_threadsafe(begin(), loop).result(PATIENCE)
    try:
        yield one
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()
