"""A Jupyter Server with the live class, as a process of its own, and ways to ask it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab_server import free_port
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

PATIENCE = 30.0

START = 120.0
"""Seconds in which a server is there, on a machine that has much else to do."""

OUR_404 = "No class is open here, or the address has a slip in it."

TOKEN = "only-the-instructor-knows-this"

# What the notebook's kernel does, by what it inherits.
OPEN_A_CLASS = """
import json, os, urllib.request
request = urllib.request.Request(
    os.environ["EXDEC_KERNEL_URL"] + "exdec/host/open",
    json.dumps({"settings": {"title": "Year 11", "size": 2, "months": 2, "seconds": 0}}).encode(),
    {"Content-Type": "application/json",
     "Authorization": "Bearer " + os.environ["EXDEC_KERNEL_SECRET"]},
)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
told = json.loads(opener.open(request, timeout=20).read())
print(json.dumps({**told, "url": os.environ["EXDEC_KERNEL_URL"],
                  "secret": os.environ["EXDEC_KERNEL_SECRET"]}))
"""

Answer = tuple[int, dict[str, str], bytes]


def resume_the_class(file: str) -> str:
    """The same for a class that was cut off."""
    return OPEN_A_CLASS.replace('"settings": {', f'"resume": "{file}", "was": {{')


class Site:
    """Whatever answers at an address; it is asked without any cookie."""

    def __init__(self, port: int, base: str = "/") -> None:
        self.port = port
        self.base = base
        self.url = f"http://127.0.0.1:{port}{base}exdec/"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        patience: float = PATIENCE,
        **headers: str,
    ) -> Answer:
        """One request below the base; the answer's status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            given.setdefault("Content-Type", "application/json")
            body = json.dumps(body).encode()
        try:
            connection.request(method, self.base + path, body, given)
            answer = connection.getresponse()
            named = {name.title(): value for name, value in answer.getheaders()}
            return answer.status, named, b"" if answer.status == 101 else answer.read()
        finally:
            connection.close()

    def say(self, **message: Any) -> dict[str, Any]:
        """What a pupil's page says without a socket; its one answer."""
        status, headers, body = self.ask("POST", "exdec/say", message)
        assert status == 200, (status, body)
        assert "Set-Cookie" not in headers
        (answer,) = json.loads(body)["messages"]
        return dict(answer)

    def join(self, code: str, name: str) -> str:
        """Take a seat; the key of its link."""
        answer = self.say(t="join", code=code, name=name, once=f"the phone of {name:_<9}")
        assert answer["t"] == "joined", answer
        return str(answer["key"])

    def host(self, what: str, message: Any = None, *, key: str) -> dict[str, Any]:
        """What the instructor asks for."""
        method = "GET" if message is None else "POST"
        status, _, body = self.ask(
            method, f"exdec/host/{what}", message, Authorization=f"Bearer {key}"
        )
        assert status == 200, (status, body)
        return dict(json.loads(body))


class Jupyter(Site):
    """A Jupyter Server that the test has started."""

    def __init__(self, port: int, base: str, log: Path, process: subprocess.Popen[bytes]) -> None:
        super().__init__(port, base)
        self.log = log
        self.process = process

    def run_in_kernel(self, code: str, **login: str) -> str:
        """Start a kernel, run code in it, and give what it printed."""
        status, _, body = self.ask("POST", "api/kernels", {}, **login)
        assert status == 201, (status, body)
        kernel = json.loads(body)["id"]
        try:
            return asyncio.run(self._run(kernel, code, login))
        finally:
            self.ask("DELETE", f"api/kernels/{kernel}", **login)

    async def _run(self, kernel: str, code: str, login: dict[str, str]) -> str:
        url = f"ws://127.0.0.1:{self.port}{self.base}api/kernels/{kernel}/channels"
        named = {name.replace("_", "-"): value for name, value in login.items()}
        line = await websocket_connect(HTTPRequest(url, headers=named))
        asked = uuid.uuid4().hex
        header = {"msg_id": asked, "msg_type": "execute_request", "session": "test"}
        header |= {"username": "", "version": "5.3", "date": ""}
        content = {"code": code, "silent": False, "store_history": False}
        await line.write_message(
            json.dumps(
                {
                    "channel": "shell",
                    "header": header,
                    "parent_header": {},
                    "metadata": {},
                    "content": content,
                    "buffers": [],
                }
            )
        )
        printed = ""
        for _ in range(1_000):
            text = await asyncio.wait_for(line.read_message(), PATIENCE)
            assert isinstance(text, str), "the kernel is gone"
            message = json.loads(text)
            if message["parent_header"].get("msg_id") != asked:
                continue
            if message["msg_type"] == "stream":
                printed += message["content"]["text"]
            elif message["msg_type"] == "error":
                raise AssertionError("\n".join(message["content"]["traceback"]))
            elif message["content"].get("execution_state") == "idle":
                line.close()
                while await asyncio.wait_for(line.read_message(), PATIENCE) is not None:
                    pass  # until the other side has closed it too
                return printed
        raise AssertionError("the kernel talks and talks")


def environment(home: Path, **more: str) -> dict[str, str]:
    """For somebody who has no Jupyter settings, and this very Python first on the path."""
    home.mkdir(exist_ok=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "EXDEC"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")])
    return {**kept, "HOME": str(home), "USERPROFILE": str(home), "PATH": path, **more}


@contextmanager
def started(
    command: list[str], site: Site, log: Path, *, answers: str, env: dict[str, str], cwd: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A process, from when its site answers until the test is done with it."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
    try:
        wait_for(site, process, log, answers)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


def wait_for(site: Site, process: subprocess.Popen[bytes], log: Path, answers: str) -> None:
    """Wait until a path is answered, and not with a proxy's excuse."""
    deadline = time.monotonic() + START
    while True:
        try:
            if site.ask("GET", answers)[0] in (200, 401, 403):
                return
        except OSError:
            pass
        said = log.read_text(errors="replace")[-4_000:]
        assert process.poll() is None, said
        assert time.monotonic() < deadline, said
        time.sleep(0.05)


@contextmanager
def jupyter(
    folder: Path,
    *options: str,
    command: str = "server",
    base: str = "/",
    port: int | None = None,
    **more: str,
) -> Iterator[Jupyter]:
    """A Jupyter Server on a loopback address, until the test is done with it."""
    root = folder / "root"
    root.mkdir(exist_ok=True)
    port = free_port() if port is None else port
    given = [
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.base_url={base}",
        f"--ServerApp.root_dir={root}",
        "--ServerApp.allow_root=True",
        "--LanguageServerManager.autodetect=False",
        "--LiveClass.room_address=127.0.0.1",
        *options,
    ]
    log = folder / "log"
    words = [sys.executable, "-m", "jupyter", command, *given]
    env = environment(folder / "home", **more)
    with started(words, Site(port, base), log, answers="api", env=env, cwd=folder) as process:
        yield Jupyter(port, base, log, process)
