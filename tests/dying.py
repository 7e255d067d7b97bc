"""Work that ends badly; light, because new processes import it."""

import multiprocessing.connection
import os
import signal
import time
from pathlib import Path


def die_once(marker):
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return marker
    os._exit(1)


def refuse_to_end(marker):
    Path(marker).write_text("working")
    try:
        time.sleep(60)
    except SystemExit:
        Path(marker).write_text("went on")


def hear_nothing(marker):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    refuse_to_end(marker)


def send_slowly(marker):
    """Have the result of this work reach its reader in two halves, a second from each other."""
    send = multiprocessing.connection.Connection._send

    def in_halves(self, what, *more):
        half = len(what) // 2
        send(self, what[:half], *more)
        Path(marker).write_text("half")
        time.sleep(1)
        send(self, what[half:], *more)

    multiprocessing.connection.Connection._send = in_halves


def written(marker):
    """Wait until the work has said so; what it wrote."""
    marker = Path(marker)
    while not marker.exists() or not marker.read_text():
        time.sleep(0.05)
    return marker.read_text()
