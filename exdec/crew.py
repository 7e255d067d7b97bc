"""Work given out to an executor: bounded, in any order, and done again where a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from exdec.errors import ExdecError

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")

TRIES = 5
"""How many workers one piece of work may lose before it is given up."""


class Here(Executor):
    """An executor that does the work at once, in this thread."""

    def submit(self, work: Callable[..., R], /, *args: Any, **named: Any) -> Future[R]:
        """Do the work, and return a future that is finished."""
        future: Future[R] = Future()
        try:
            future.set_result(work(*args, **named))
        except Exception as error:  # noqa: BLE001  (whoever asks for the result gets it)
            future.set_exception(error)
        return future


def workers_here() -> int:
    """Processors that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


class Processes(ProcessPoolExecutor):
    """Processes that start afresh ("spawn"): on every system, in a notebook and beside threads.

    They leave Control-C to the process that started them, and start at once. When they are shut
    down with `cancel_futures`, what is under way is broken off as well.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, multiprocessing.get_context("spawn"), initializer=_obey)
        before = set(multiprocessing.active_children())
        with _interrupts(signal.SIG_IGN):  # what is ignored here is ignored by what this starts
            self.submit(int)
        self._started = set(multiprocessing.active_children()) - before

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        if cancel_futures:
            for process in self._started:
                process.terminate()
        super().shutdown(wait=wait)


def crew(workers: int) -> Executor:
    """Make an executor with so many workers; one works in this process."""
    return Here() if workers == 1 else Processes(workers)


def finished(
    work: Callable[[T], R],
    pieces: Iterable[T],
    executor: Executor,
    replace: Callable[[], Executor],
    in_flight: int,
) -> Iterator[R]:
    """Have pieces of work done, and yield the results as they come in.

    A piece whose worker died is given out again; its result comes once. What is still under way
    when the caller stops is called off.

    Parameters
    ----------
    work : callable
        What is done with each piece; a process must be able to unpickle it.
    pieces : iterable
        Taken as they are needed.
    executor : Executor
    replace : callable
        Makes another executor when this one is broken.
    in_flight : int
        How many pieces are out at once.

    Raises
    ------
    ExdecError
        Workers keep dying of the same piece.
    """
    waiting: Iterator[T] = iter(pieces)
    again: deque[T] = deque()
    deaths: Counter[T] = Counter()
    out: dict[Future[R], T] = {}
    back: SimpleQueue[Future[R]] = SimpleQueue()
    try:
        while True:
            while len(out) < in_flight:
                if again:
                    piece = again.popleft()
                else:
                    try:
                        piece = next(waiting)
                    except StopIteration:
                        break
                try:
                    future = executor.submit(work, piece)
                except BrokenExecutor:
                    executor = replace()
                    future = executor.submit(work, piece)
                out[future] = piece
                future.add_done_callback(back.put)
            if not out:
                return
            future = back.get()
            piece = out.pop(future)
            try:
                result = future.result()
            except (Exception, CancelledError) as error:
                if not _died(error):
                    raise
                deaths[piece] += 1
                if deaths[piece] == TRIES:
                    raise ExdecError(
                        f"{TRIES} workers have died at the same games, perhaps for want of memory. "
                        "Start fewer workers, or look for what stops them."
                    ) from error
                again.append(piece)
            else:
                yield result
    finally:
        for future in out:
            future.cancel()


def _died(error: BaseException) -> bool:
    """Whether it was the worker that ended, rather than the work that failed."""
    # Dask's own word for it, without bringing Dask.
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ == "KilledWorker"
    )


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Control-C wait until this is done."""
    came: list[tuple[Any, ...]] = []
    before = signal.getsignal(signal.SIGINT)
    with _interrupts(lambda *args: came.append(args)):
        yield
    if came and callable(before):
        before(*came[0])


@contextmanager
def _interrupts(handler: Any) -> Iterator[None]:
    """Answer Control-C by a handler; only the main thread can, and others never get one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _obey() -> None:
    """Leave Control-C to the process that started this one, and end properly when it says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
