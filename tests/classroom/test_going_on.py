"""A class goes on by the line that `exdec host` prints, typed word for word, in real processes."""

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from urllib.request import Request, urlopen

import pytest
from lab_server import free_port

from exdec.classroom.elsewhere import elsewhere
from exdec.classroom.store import Store

PATIENCE = 30


class Terminal:
    """A terminal in which `exdec host` runs."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "exdec", "host", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.said = ""
        self._read(until="  exdec host --resume ")
        (self.url, self.key) = re.search(r"(http://\S+/exdec/)host#k=(\S+)", self.said).groups()
        (line,) = re.findall(r"^  exdec (host --resume .+)$", self.said, re.MULTILINE)
        self.again = shlex.split(line)[1:]
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self, until=None):
        for line in self.process.stdout:
            self.said += line
            if until and line.startswith(until):
                return
        assert until is None, self.said

    def ask(self, path, message=None):
        body = None if message is None else json.dumps(message).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        with urlopen(Request(self.url + path, body, headers), timeout=PATIENCE) as answer:
            return json.load(answer)

    def play(self):
        """Let one pupil join, and begin."""
        code = self.ask("host/state")["code"]
        joining = {"t": "join", "code": code, "name": "Ann", "once": "once-of-Ann-here"}
        assert self.ask("say", joining)["messages"][0]["t"] == "joined"
        assert self.ask("host/do", {"do": "start"})["ok"]

    def end(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.wait()

    def wait(self):
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return self.said


@pytest.fixture
def terminal(tmp_path):
    """Open terminals in one folder; none outlives the test."""
    opened = []

    def open_one(*words):
        opened.append(Terminal(tmp_path, *words))
        return opened[-1]

    yield open_one
    for one in opened:
        one.end()
        one.process.stdout.close()


def refused(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "exdec", "host", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 2, done.stdout
    return done.stderr


def first(terminal, *words):
    one = terminal("--address", "127.0.0.1", "--port", str(free_port()), *words)
    one.play()
    return one


@contextmanager
def taken(url):
    """Another program has the port where a class was."""
    port = int(re.search(r":(\d+)/", url)[1])
    with closing(socket.create_server(("127.0.0.1", port))):
        yield port


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_printed_line_goes_on_at_once_where_phones_look(terminal, number):
    one = first(terminal, "--name", "localhost")
    assert one.url.startswith("http://localhost:")
    one.end(number)
    again = terminal(*one.again)
    assert again.url == one.url
    state = again.ask("host/state")
    assert (state["phase"], state["unreached"]) == ("running", "")
    assert "Phones look" not in again.said


def test_if_its_port_is_taken_the_class_is_paused_and_both_places_say_why(terminal):
    one = first(terminal)
    one.end()
    with taken(one.url):
        again = terminal(*one.again)
    state = again.ask("host/state")
    why = f"Phones look for the class at {one.url}, and it is at {again.url} now. Let each pupil "
    assert again.url != one.url
    assert state["phase"] == "paused"
    assert state["unreached"] == (
        f"The class is paused. {why}scan a link of their own: People, Change. "
        "Press Go on when the pupils are here again."
    )
    assert state["unreached"] in again.said
    # As long as nobody has gone on there, the former address is tried first.
    again.end()
    back = terminal(*one.again)
    assert (back.url, back.ask("host/state")["unreached"]) == (one.url, "")
    back.end()
    with taken(one.url):
        again = terminal(*one.again)
    assert again.ask("host/do", {"do": "go"})["ok"]
    assert again.ask("host/state")["unreached"] == ""
    again.end()
    assert terminal(*one.again).url == again.url


def test_options_win_over_where_the_class_was_and_a_port_that_is_asked_for_is_not_changed(
    terminal, tmp_path
):
    one = first(terminal)
    one.end()
    other = free_port()
    with taken(f"http://127.0.0.1:{other}/"):
        said = refused(tmp_path, *one.again, "--port", str(other))
    assert f"port {other}: address already in use. Try another port." in said
    again = terminal(*one.again, "--port", str(other), "--name", "localhost")
    assert again.url == f"http://localhost:{other}/exdec/"
    assert again.ask("host/state")["phase"] == "paused"


@pytest.mark.slow
def test_while_a_server_has_the_class_it_is_not_taken_unless_anyway(terminal, tmp_path):
    one = first(terminal)
    file = tmp_path / one.again[1]
    # However long it has been silent: the process is there, even if it does nothing.
    one.process.send_signal(signal.SIGSTOP)
    try:
        said = refused(tmp_path, *one.again)
        assert said.startswith(f"exdec host: {file.name} is open in another server: look for a ")
        assert elsewhere(file, time.time() + 3600).startswith(f"{file.name} is open in another ")
    finally:
        one.process.send_signal(signal.SIGCONT)
    again = terminal(*one.again, "--anyway")
    assert "Another server has gone on with classes" in one.wait()
    assert "is put away" not in one.said
    assert (again.url, again.ask("host/state")["phase"]) == (one.url, "running")


def test_what_another_server_has_taken_is_not_written_any_more(terminal, tmp_path):
    one = first(terminal)
    with closing(Store.open(tmp_path / one.again[1])) as store:
        before = [*store.events()]
        store.take()
        answer = one.ask("host/do", {"do": "pause"})
        assert not answer["ok"]
        assert "open in another server, which has gone on with it" in answer["text"]
        assert [*store.events()] == before
