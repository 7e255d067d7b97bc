"""Work given out to an executor: bounded, in any order, and done again where a worker dies."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, NoReturn, TypeVar

from exdec.errors import ExdecError
from exdec.places import in_browser

T = TypeVar("T")
R = TypeVar("R")

TRIES = 5
"""How many workers one piece of work may lose before it is given up."""

AHEAD = 4
"""How many times as many pieces as are out at once may be done before the oldest of them is."""

GRACE = 5
"""Seconds that what is under way has after Control-C."""

STOPPING = (
    f"Stopping: games that are under way have {GRACE} seconds to finish. "
    "Control-C again drops them."
)

MOST_ON_WINDOWS = 61
"""How many processes Python can wait for on Windows."""

UNGUARDED = 77
"""How a process ends that was to read a script which would start processes once more."""


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
    return len(usable(0)) if usable else min(os.cpu_count() or 1, MOST_ON_WINDOWS)


class Processes(ProcessPoolExecutor):
    """Processes that start afresh ("spawn"): on every system, in a notebook and beside threads.

    They leave Control-C to the process that started them, and start at once. When they are shut
    down with `cancel_futures`, what is under way is broken off as well.
    """

    def __init__(self, workers: int) -> None:
        # A process that is being started reads the script of the one that started it.
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            os._exit(UNGUARDED)
        super().__init__(workers, multiprocessing.get_context("spawn"), initializer=_obey)
        self._started = self._processes
        # What is ignored here is ignored by what this starts. Work for which nobody is free starts
        # a process. One that has ended by now has a reason, which the next work is told.
        with _interrupts(signal.SIG_IGN), suppress(BrokenExecutor):
            while len(self._started) < workers:
                self.submit(int)

    @property
    def unguarded(self) -> bool:
        """Whether a process ended because the script that it read would start processes itself."""
        started = list(self._started.values())
        for process in started:
            process.join(1)
        return any(process.exitcode == UNGUARDED for process in started)

    def submit(self, work: Callable[..., R], /, *args: Any, **named: Any) -> Future[R]:
        """Have the work done by a process that is free."""
        return super().submit(_piece, work, *args, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        if not cancel_futures:
            super().shutdown(wait=wait)
            return
        super().shutdown(wait=False, cancel_futures=True)
        started = list(self._started.values())
        for process in started:
            process.terminate()
        if wait:
            last = threading.Timer(GRACE, _kill, [started])
            last.start()
            for process in started:
                process.join()
            last.cancel()


def _kill(processes: Iterable[BaseProcess]) -> None:
    """End those whose work never comes back to Python, and which so obey nothing else."""
    for process in processes:
        process.kill()


def crew(workers: int) -> Executor:
    """Make an executor with so many workers; one works in this process, all that a page has."""
    return Here() if workers == 1 or in_browser() else Processes(workers)


def finished(
    work: Callable[[T], R],
    pieces: Iterable[T],
    executor: Executor,
    replace: Callable[[], Executor],
    in_flight: int,
    stop: threading.Event | None = None,
) -> Iterator[R]:
    """Have pieces of work done, and yield the results as they come in.

    A piece whose worker died is given out again; its result comes once. What is still under way
    when the caller stops is called off. Slow pieces do not come last: the others wait when they
    are far ahead.

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
    stop : threading.Event, optional
        Once it is set, nothing more is begun, and what is under way is finished.

    Raises
    ------
    ExdecError
        Workers keep dying of the same piece, or the executor has ended.
    Exception
        Whatever the work raises, or the way there and back.
    """
    waiting: Iterator[tuple[int, T]] = enumerate(pieces)
    # Pieces go by their numbers, for two may be alike.
    again: deque[int] = deque()
    deaths: Counter[int] = Counter()
    out: dict[Future[R], int] = {}
    missing: dict[int, T] = {}  # the oldest first
    last = -1
    back: SimpleQueue[Future[R]] = SimpleQueue()
    stop = stop or threading.Event()
    stopping = False
    try:
        while True:
            while len(out) < in_flight and not stop.is_set():
                if again:
                    number = again.popleft()
                elif missing and last - next(iter(missing)) >= AHEAD * in_flight:
                    break
                else:
                    try:
                        number, piece = next(waiting)
                    except StopIteration:
                        break
                    missing[number] = piece
                    last = number
                try:
                    future = executor.submit(work, missing[number])
                except BrokenExecutor:
                    executor = replace()
                    future = executor.submit(work, missing[number])
                out[future] = number
                future.add_done_callback(back.put)
            if stop.is_set() and not stopping:
                stopping = True
                for future in list(out):
                    if future.cancel():
                        del out[future]
            if not out:
                return
            try:
                future = back.get(timeout=0.2)  # to look at `stop`
            except Empty:
                continue
            if future not in out:
                continue  # called off
            number = out.pop(future)
            try:
                result = future.result()
            except Exception as error:
                if stopping and _died(error):
                    continue
                # A cluster that is lost calls everything off, once more when it is not found again.
                if not _died(error) or (isinstance(error, CancelledError) and deaths[number]):
                    raise
                deaths[number] += 1
                if deaths[number] == TRIES:
                    raise ExdecError(
                        f"{TRIES} workers have died at the same games, perhaps for want of memory. "
                        "Start fewer workers, or look for what stops them."
                    ) from error
                again.append(number)
            else:
                del missing[number]
                yield result
    except Exception as error:
        # Dask's own word for it, without bringing Dask.
        if isinstance(error, CancelledError) or type(error).__name__ == "ClosedClientError":
            out.clear()  # nobody is left to call it off with
            raise ExdecError(
                "The executor has ended. If it is a cluster, look whether its scheduler still runs."
            ) from error
        raise
    finally:
        for future in out:
            future.cancel()


def _died(error: BaseException) -> bool:
    """Whether it was the worker that ended, rather than the work that failed."""
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ == "KilledWorker"  # Dask's
    )


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """Let Control-C set an event, and say so; the second, or some seconds, raise it as usual."""
    stop, over = threading.Event(), threading.Event()
    came = 0

    def interrupt(*_: object) -> None:
        nonlocal came
        came += 1
        if came == 1:
            stop.set()
            # This may have come in the middle of a line, whose stream takes no other from here.
            threading.Thread(target=count_down, daemon=True).start()
        elif came == 2 and not over.is_set():
            raise KeyboardInterrupt

    def count_down() -> None:
        say(f"\n{STOPPING}")
        if not over.wait(GRACE):
            signal.raise_signal(signal.SIGINT)

    with _interrupts(interrupt):
        try:
            yield stop
        finally:
            over.set()


def say(sentence: str) -> None:
    """Say something to whoever waits, beside what is printed."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


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


class _Worker:
    """Whether this process, which works for another, is at work, and whether it is to end.

    If it ended while it sends a result, half of that would stay in the pipe, and who reads there
    would wait for the rest for ever. So only work is broken off.
    """

    at_work = ending = False


def _piece(work: Callable[..., R], /, *args: Any, **named: Any) -> R:
    """Do a piece of work, unless this process is to end."""
    _Worker.at_work = True
    try:
        if _Worker.ending:
            _leave()
        return work(*args, **named)
    finally:
        _Worker.at_work = False


def _obey() -> None:
    """Leave Control-C to the process that started this one, and end when it says so or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_orphaned, daemon=True).start()


def _end(*_: object) -> None:
    _Worker.ending = True
    if _Worker.at_work:
        _leave()
    # It waits for work, or sends what comes of the last, which takes a moment.
    leaving = threading.Timer(1, _leave)
    leaving.daemon = True
    leaving.start()


def _orphaned() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    _leave()


def _leave() -> NoReturn:
    """End this process and what it has started; work under way would hold up a mere sys.exit."""
    atexit._run_exitfuncs()
    os._exit(0)
