"""Asking strategies that others wrote: whatever they do costs them one move, and never the game.

`ask` takes a strategy's answer, or says in a sentence why it counts as a pass. `Apart` lets a
strategy run in a process of its own, with a time limit, where no other seat's bids ever are.
"""

from __future__ import annotations

import copy
import faulthandler
import functools
import inspect
import io
import itertools
import json
import linecache
import marshal
import operator
import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import threading
import traceback
import weakref
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from exdec.engine import check_offer, check_order
from exdec.errors import BidError, TurnError, shown
from exdec.items import GOODS, MATERIALS, Item
from exdec.model import Bid, Firm, Order, State, Step, month_name, possessive
from exdec.observe import Observation
from exdec.own import FromFile, is_loaded
from exdec.places import need_a_computer

if TYPE_CHECKING:
    from exdec.bots import Bot

LOADING = 30.0
"""Seconds that a new process may take to start and to import what a strategy imports."""

LONGEST_ANSWER = 100_000
"""Bytes; an honest answer takes a hundredth of them."""

Place: TypeAlias = tuple[str, int]
"""A file and a line in it, from 1."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A move that a strategy lost, and why.

    Parameters
    ----------
    player : str
        Who passes for it.
    month : int
        From 1.
    step : Step
    what : str
        What the strategy did, to go on from "Ben's strategy".
    mend : str
        What its author can do about it, in a sentence; "" if `what` says it all.
    place : (str, int), optional
        The line of the strategy's own code that is to blame.

    Examples
    --------
    >>> fault = Fault("Ben", 3, Step.BUY, "ordered 14 units; 3 players may order 12 each")
    >>> print(fault)
    In March Ben's strategy ordered 14 units; 3 players may order 12 each. Ben passes.
    """

    player: str
    month: int
    step: Step
    what: str
    mend: str = ""
    place: Place | None = None

    @property
    def deed(self) -> str:
        """What the strategy did, with the line that is to blame."""
        return self.what if self.place is None else f"{self.what}, in {_told(self.place)}"

    @property
    def sentence(self) -> str:
        """The fault as a game's report names it."""
        when, you = month_name(self.month), self.player == "You"
        whose = "your" if you else possessive(self.player)
        return f"In {when} {whose} strategy {self.deed}. {self.player} pass{'' if you else 'es'}."

    def __str__(self) -> str:
        return self.sentence


class MoveError(Exception):
    """Why a move is lost; `ask` makes a `Fault` of it.

    Parameters
    ----------
    what, mend, place
        See `Fault`.
    """

    def __init__(self, what: str, mend: str = "", place: Place | None = None) -> None:
        super().__init__(what)
        self.what, self.mend, self.place = what, mend, place


class Answer(NamedTuple):
    """What a strategy hands in; an empty order, which is a pass, beside a fault."""

    bids: Order
    fault: Fault | None


def ask(bot: Bot, view: Observation) -> Answer:
    """Ask a strategy for its move, and let nothing that it does get out.

    It is given a copy of the view. What it returns is checked by the rules, and is a pass if they
    do not allow it. In this process a strategy that hangs is not stopped, and one that means harm
    could reach more than its view: let those of strangers run `Apart`.

    Parameters
    ----------
    bot : Bot
    view : Observation

    Examples
    --------
    >>> from exdec import Game
    >>> class Greedy:
    ...     def order(self, view):
    ...         return {"X": (14, view.material_prices.X + 1)}
    >>> answer = ask(Greedy(), Game(["Ann", "Ben", "Cy"]).observe("Ben"))
    >>> answer.bids
    {}
    >>> print(answer.fault)
    In January Ben's strategy ordered 14 units; 3 players may order 12 each. Ben passes.
    """
    try:
        return Answer(_answer(bot, view), None)
    except MoveError as lost:
        fault = Fault(view.player, view.month, view.step, lost.what, lost.mend, lost.place)
        return Answer({}, fault)


def _answer(bot: Bot, view: Observation, *, apart: bool = False) -> dict[str, tuple[int, int]]:
    """Ask for a move and read it; raise MoveError for anything but a move that the rules allow."""
    buying = view.step is Step.BUY
    given = replace(view, rules=copy.copy(view.rules))
    with _lost(_raised, view, apart=apart):
        returned = bot.order(given) if buying else bot.offer(given)
    with _lost(_changed, view, apart=apart):
        if given != view:
            raise AttributeError
    bids: Sequence[Bid]
    with _lost(_refused, view, apart=apart):
        if inspect.iscoroutine(returned):
            returned.close()
        if returned is None:
            kind = "order" if buying else "offer"
            raise MoveError(f"returned nothing for its {kind}", "End with return {…}.")
        if buying:
            _keep_to_limits(returned, view)
        bids = (check_order if buying else check_offer)(_known(view), view.player, returned)
    items: tuple[Item, ...] = MATERIALS if buying else GOODS
    pairs = zip(items, bids, strict=True)
    return {item.value: (int(bid.units), int(bid.price)) for item, bid in pairs if bid.units}


@contextmanager
def _lost(
    why: Callable[[BaseException, Observation], MoveError], view: Observation, *, apart: bool
) -> Iterator[None]:
    """Let whatever is raised become a MoveError; exit() and the like end no game either."""
    try:
        yield
    except MoveError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not apart:
            raise  # from the person at the keyboard, whose way it is to stop what hangs
        raise why(error, view) from None


def _known(view: Observation) -> State:
    """The state as far as a seat knows it, which is all that its own bids are checked by."""
    firms = [Firm(0, held) for held in view.certificates]
    firms[view.players.index(view.player)] = Firm(view.cash, view.materials)
    return State(
        rules=view.rules,
        players=view.players,
        month=view.month,
        step=view.step,
        material_prices=view.material_prices,
        good_prices=view.good_prices,
        firms=tuple(firms),
    )


# -- what went wrong, in words -------------------------------------------------------------------

MENDS = {
    "must be a whole number": "Round it: round(…), or divide with // in place of /.",
    "a price runs": "max(1, …) keeps a price from falling below $1.",
    "cannot be made of": "Ask view.makeable what can be made before you offer it.",
    "must look like": "Return a dictionary; {} is a pass.",
}
"""What to do about a refusal, by words that stand in it."""


def _keep_to_limits(returned: Any, view: Observation) -> None:
    """Refuse too many units (R7), before the engine does it in words for who can still mend it."""
    try:
        units = {item: operator.index(line[0]) for item, line in returned.items()}
        total, grade = sum(units.values()), max(units, key=units.__getitem__, default="X")
    except Exception:  # noqa: BLE001  (the engine says what is wrong with it)
        return
    players = f"{len(view.players)} players may order"
    if total > view.order_limit:
        raise MoveError(
            f"ordered {shown(total)} units; {players} {view.order_limit} each",
            "Keep the units of all grades together to view.order_limit.",
        )
    if units.get(grade, 0) > view.grade_limit:
        raise MoveError(
            f"ordered {shown(units[grade])} units of {grade}; {players} {view.grade_limit} of one "
            "grade each",
            "Keep the units of each grade to view.grade_limit.",
        )


def _refused(error: BaseException, view: Observation) -> MoveError:
    """Say which rule a move breaks."""
    if not isinstance(error, BidError):
        return MoveError(f"returned what cannot be read ({_named(error)})")
    kind = "order" if view.step is Step.BUY else "offer"
    whose = f"{possessive(view.player)} {kind} for {month_name(view.month)}"
    told = str(error).removeprefix(whose).lstrip(",: ").rstrip(".")
    mend = next((mend for part, mend in MENDS.items() if part in told), "")
    if told.startswith("must look like"):
        return MoveError(f"returned an {kind} that {told}", mend)
    told = f"{told[:1].upper()}{told[1:]}"
    return MoveError(f"returned an {kind} that cannot be taken. {told}", mend)


def _changed(_error: BaseException, _view: Observation) -> MoveError:
    return MoveError("changed its view", "A view is for reading; copy what you change.")


def _raised(error: BaseException, view: Observation) -> MoveError:
    """Say what a strategy stopped with, and at which line of its own."""
    mend = ""
    if isinstance(error, IndexError) and view.month == 1:
        mend = "In January nothing is settled yet: postings and others_ordered may be empty."
    return MoveError(f"stopped with {_named(error)}", mend, _own_line(error))


def _named(error: BaseException) -> str:
    """An error's kind and message on one line."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  (it is the strategy's own error)
        message = ""
    if len(message) > 160:
        message = f"{message[:157]}…"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _own_line(error: BaseException) -> Place | None:
    """The innermost line that is neither Python's, nor a package's, nor ours."""
    libraries = {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}
    others = (str(Path(__file__).parent), *libraries, "<frozen")
    places = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [place for place in places if not place[0].startswith(others)]
    return own[-1] if own else None


def _told(place: Place) -> str:
    """Name a line as its author knows it, and quote it."""
    file, line = place
    cell = "ipykernel_" in file or file.startswith("<")
    quoted = linecache.getline(file, line).strip()
    where = f"line {line} of {'its cell' if cell else Path(file).name}"
    return f"{where} ({shorter(quoted)})" if quoted else where


def shorter(text: str, width: int = 80) -> str:
    """Cut a text to a width."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


# -- a process of its own ------------------------------------------------------------------------


class Apart:
    """A strategy in a process of its own, where it has so much time for a move and no more.

    The process starts with the first move. It is stopped when a move takes too long, and started
    again for the next one. What the strategy prints goes nowhere, and it is sent nothing but its
    view; files and the network stay open to it. It is made anew for every game, and keeps what it
    remembers within one as long as its process lives.

    An `Apart` can be pickled, the strategy's own code with it: into other processes and to
    machines that have never seen that code.

    Parameters
    ----------
    bot : Bot, or a class of Bot
        A strategy as it is at the start of a game, or its class.
    limit : float
        Seconds for one move.
    patience : int
        How often the process may be lost before the strategy is not asked any more.

    Raises
    ------
    TurnError
        The strategy holds something that cannot be sent to another process.

    Examples
    --------
    >>> from exdec import Game
    >>> class Sleepy:
    ...     def order(self, view):
    ...         while True:
    ...             pass
    >>> with Apart(Sleepy, limit=0.2) as sleepy:
    ...     print(ask(sleepy, Game(["Ann", "Ben"]).observe("Ann")).fault)
    In January Ann's strategy took longer than 0.2 seconds. Ann passes.
    """

    def __init__(self, bot: Bot | type[Bot], limit: float = 1.0, patience: int = 10) -> None:
        need_a_computer("A strategy of yours plays in a process of its own")
        self.name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
        self._game = 0
        self._process = _Process(_packed(bot, self.name), limit, patience)

    def order(self, view: Observation) -> Order:
        """Ask for an order; the strategy's faults are raised as `MoveError`, for `ask` to take."""
        return self._process.move(self._game, view)

    def offer(self, view: Observation) -> Order:
        """Ask for an offer, like `order`."""
        return self._process.move(self._game, view)

    @property
    def given_up(self) -> bool:
        """Whether its process was lost so often that it is not asked any more."""
        return self._process.given_up

    def anew(self) -> Apart:
        """The same strategy for another game at the same time, in the same process."""
        other = object.__new__(Apart)
        other.name, other._game, other._process = self.name, next(_games), self._process
        return other

    def close(self) -> None:
        """Stop the process; one more move would start it again."""
        self._process.close()

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __getstate__(self) -> tuple[str, tuple[bytes, float, int]]:
        process = self._process
        return self.name, (process.packed, process.limit, process.patience)

    def __setstate__(self, state: tuple[str, tuple[bytes, float, int]]) -> None:
        self.name, process = state
        self._game, self._process = 0, _Process(*process)

    def __repr__(self) -> str:
        return f"Apart({self.name}, limit={self._process.limit:g})"


_games = itertools.count(1)


def _packed(bot: object, name: str) -> bytes:
    """Pickle a strategy with its own code, since the other side need not have its file."""
    import cloudpickle

    kind = bot if isinstance(bot, type) else type(bot)
    module = sys.modules.get(kind.__module__)
    known = module is None or module.__name__.partition(".")[0] in ("__main__", "exdec", "builtins")
    if not known:
        cloudpickle.register_pickle_by_value(module)
        try:
            return _dumps(bot)
        except Exception:  # noqa: BLE001  (something beside it in its file may not go over)
            if kind is bot and is_loaded(kind):
                bot = FromFile(kind)
        finally:
            cloudpickle.unregister_pickle_by_value(module)
    try:
        return _dumps(bot)
    except Exception as error:  # noqa: BLE001  (its own pickling may raise anything)
        raise TurnError(
            f"{name} cannot run in a process of its own: {_named(error)}. "
            "Let it make what it holds when it is first asked."
        ) from None


def _dumps(bot: object) -> bytes:
    import cloudpickle

    # Cloudpickle takes such a function for one that the other side can import.
    def of_cached(function: Any) -> Any:
        if function.__module__ in ("__main__", *cloudpickle.list_registry_pickle_by_value()):
            return _cached, (function.__wrapped__, *function.cache_parameters().values())
        return function.__qualname__

    class Packer(cloudpickle.Pickler):  # type: ignore[misc]
        # It leaves out from which file code comes, and an error could not name its line.
        dispatch_table: ClassVar[Any] = ChainMap(
            {
                CodeType: lambda code: (marshal.loads, (marshal.dumps(code),)),
                functools._lru_cache_wrapper: of_cached,
            },
            cloudpickle.Pickler.dispatch_table,
        )

    packed = io.BytesIO()
    Packer(packed).dump(bot)
    return packed.getvalue()


def _cached(function: Callable[..., Any], maxsize: int | None, typed: bool) -> Callable[..., Any]:
    return functools.lru_cache(maxsize, typed)(function)


class _Process:
    """The process that a strategy runs in.

    Questions go over as pickles. Answers come back as JSON, because a pickle from a stranger
    could run code here.
    """

    def __init__(self, packed: bytes, limit: float, patience: int) -> None:
        self.packed, self.limit, self.patience = packed, limit, patience
        self._lost = 0
        self._popen: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._stop: weakref.finalize[Any, Any] | None = None
        self._turn = threading.Lock()

    @property
    def given_up(self) -> bool:
        return self._lost >= self.patience

    def move(self, game: int, view: Observation) -> Order:
        with self._turn:
            if self.given_up:
                raise MoveError(f"is not asked any more: it had to be stopped {self._lost} times")
            try:
                reply = self._asked(game, view)
            except BaseException:
                # After Control-C an answer may be on its way, which the next question would get.
                self.close()
                raise
        return _taken(reply)

    def _asked(self, game: int, view: Observation) -> dict[str, Any]:
        # A forked process must not talk to what its parent started.
        if self._popen is None or self._owner != os.getpid() or self._popen.poll() is not None:
            self._start()
        reply = self._talk(pickle.dumps((game, view, self.limit)), self.limit)
        if view.rng is not None:
            with suppress(Exception):  # whatever it sends here can spoil its own luck alone
                view.rng.bit_generator.state = reply["luck"]
        return reply

    def _start(self) -> None:
        self.close()
        code = f"import sys; sys.path[:] = {sys.path!r}; from exdec.guard import _serve; _serve()"
        self._popen = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._owner = os.getpid()
        self._stop = weakref.finalize(self, _end, self._popen, self._owner)
        reply = self._talk(self.packed, LOADING)
        if "lost" in reply:
            self._lose()
            _taken(reply)

    def _talk(self, message: bytes, seconds: float) -> dict[str, Any]:
        """Send a message and wait for the answer to it, but not for ever."""
        assert self._popen is not None
        source, target = self._popen.stdin, self._popen.stdout
        assert source is not None
        assert target is not None
        came: list[Any] = []

        def talk() -> None:
            with suppress(OSError, EOFError, ValueError, RecursionError):
                _write(source, message)
                came.append(json.loads(_read(target, LONGEST_ANSWER)))

        # Pipes on Windows know no time limit, so a thread waits for them.
        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            self._lose()
            unit = "second" if seconds == 1 else "seconds"
            raise MoveError(
                f"took longer than {seconds:g} {unit}",
                "Look for a loop that does not end, or let it try fewer possibilities.",
            )
        if not came or not isinstance(came[0], dict):
            self._lose()
            raise MoveError("ended its own process", "Leave exit and the like out.")
        return came[0]

    def _lose(self) -> None:
        self._lost += 1
        self.close()

    def close(self) -> None:
        stop, self._popen, self._stop = self._stop, None, None
        if stop is not None:
            stop()


def _taken(reply: dict[str, Any]) -> Order:
    """The bids in a reply; a strategy may have forged it, so `ask` reads them once more."""
    if "bids" in reply:
        bids = reply["bids"]
        if isinstance(bids, dict):
            return bids
    try:
        what, mend, place = reply["lost"]
        raise MoveError(str(what), str(mend), place and (str(place[0]), int(place[1])))
    except (KeyError, TypeError, ValueError, IndexError):
        raise MoveError("sent an answer that cannot be read") from None


def _end(popen: subprocess.Popen[bytes], owner: int) -> None:
    """Stop a process and whatever it has started."""
    assert popen.stdin is not None
    assert popen.stdout is not None
    if os.getpid() == owner:
        if sys.platform != "win32":
            with suppress(OSError):
                os.killpg(popen.pid, signal.SIGKILL)
        popen.kill()
        popen.wait()
    else:
        popen.returncode = 0  # a forked process has nothing to wait for
    popen.stdin.close()
    popen.stdout.close()


def _serve() -> None:
    """Answer questions from the process that started this one, until it stops asking."""
    import cloudpickle
    import numpy.random  # noqa: F401  (views bring it, and no move should have to wait for it)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nothing that a strategy prints or asks for may get between questions and answers.
    source, target = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    reply: dict[str, Any]

    def make() -> Any:
        made = cloudpickle.loads(packed)
        return made() if isinstance(made, type) else made

    bots: dict[int, Any] = {}
    packed = _read(source)
    try:
        cloudpickle.loads(packed)
        reply = {}
    except BaseException as error:  # noqa: BLE001  (what it imports may do anything)
        reply = {"lost": (f"could not be loaded: {_named(error)}", "", _own_line(error))}
    _write(target, json.dumps(reply).encode())
    while True:
        try:
            game, view, limit = pickle.loads(_read(source))
        except EOFError:
            os._exit(0)  # whatever threads it may have
        # If nobody is left to stop this process, it stops itself.
        faulthandler.dump_traceback_later(limit + LOADING, exit=True, file=nowhere)
        try:
            if game not in bots or (view.month == 1 and view.step is Step.BUY):
                bots[game] = make()
        except BaseException as error:  # noqa: BLE001  (so may its __init__)
            reply = {"lost": (f"could not be made: {_named(error)}", "", _own_line(error))}
        else:
            try:
                reply = {"bids": _answer(bots[game], view, apart=True)}
            except MoveError as lost:
                reply = {"lost": (lost.what, lost.mend, lost.place)}
        faulthandler.cancel_dump_traceback_later()
        if view.month == view.rules.months and view.step is Step.SELL:
            bots.pop(game, None)
        if view.rng is not None:
            reply["luck"] = view.rng.bit_generator.state
        _write(target, json.dumps(reply).encode())


def _write(stream: IO[bytes], message: bytes) -> None:
    left = memoryview(len(message).to_bytes(8, "little") + message)
    while left:
        left = left[stream.write(left) :]


def _read(stream: IO[bytes], most: int | None = None) -> bytes:
    length = int.from_bytes(_exactly(stream, 8), "little")
    if most is not None and length > most:
        raise ValueError
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    parts = []
    while length:
        if not (part := stream.read(length)):
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
