"""`exdec lab` as a process of its own, for tests that talk to the server."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace
from urllib.request import urlopen

# Runs in every Python that the server starts, and notes whom it wants to talk to.
WATCH = """
import os, sys

def watch(event, args):
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    with open(os.environ["EXDEC_WATCH"], "a") as log:
        print(host.decode() if isinstance(host, bytes) else host, file=log)

sys.addaudithook(watch)
"""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(folder, *options, command=(sys.executable, "-m", "exdec"), watched=True, port=None):
    """Run `exdec lab` as someone who has no Jupyter settings, until its address is printed.

    Watching whom it talks to costs time in every process, which a benchmark cannot have.
    """
    home = folder / "home"
    home.mkdir()
    if watched:
        (home / "sitecustomize.py").write_text(WATCH)
    contacts = home / "contacts"
    contacts.touch()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")}
    environment |= {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "PYTHONPATH": str(home),
        "EXDEC_WATCH": str(contacts),
    }
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            # Jupyter looks for a free port and takes it later; two that start at once would meet.
            [*command, "lab", "--no-browser", f"--port={port or free_port()}", *options],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    deadline = time.monotonic() + 120
    try:
        while not (
            found := re.search(r"(http://127\.0\.0\.1:(\d+)/)(\S*)\?token=(\w+)", log.read_text())
        ):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        base, port, page, token = found.groups()

        def fetch(path, data=None):
            with urlopen(f"{base}{path}?token={token}", data) as answer:
                return answer.read().decode()

        yield SimpleNamespace(
            fetch=fetch,
            port=int(port),
            page=page,
            token=token,
            pid=process.pid,
            log=log,
            home=home,
            contacts=contacts,
        )
    finally:
        process.terminate()
        process.wait(60)
