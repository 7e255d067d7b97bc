"""Strategies that do what they must not, for tests of whatever asks them."""

import contextlib
import inspect
import os
import random
import sys
import threading
import time


class Good:
    """Plays within the rules."""

    def order(self, view):
        return {"X": (1, view.material_prices.X + 2), "F": (1, view.material_prices.F + 2)}

    def offer(self, view):
        units = min(view.makeable.most.A, 1)
        return {"A": (units, max(1, view.good_prices.A - 5))}


def bad(order):
    """A strategy that is good but for its orders."""
    return type("Bad", (Good,), {"order": order, "__module__": __name__})


def hangs(self, view):
    while True:
        pass


def sleeps(self, view):
    time.sleep(60)


def leaves(self, view):
    sys.exit("bye")


def is_gone(self, view):
    os._exit(3)


def interrupts(self, view):
    raise KeyboardInterrupt


def goes_round(self, view):
    return self.order(view)


def divides(self, view):
    return {"X": (1 // 0, 40)}


def takes_all_memory(self, view):
    return [0] * 10**12


def returns_itself(self, view):
    return self


def returns_nothing(self, view):
    pass


def yields(self, view):
    yield {"X": (1, 40)}


async def waits(self, view):
    return {}


def takes_no_view(self):
    return {}


def deletes(self, view):
    object.__delattr__(view, "cash")
    return {}


def gives_itself_cash(self, view):
    object.__setattr__(view, "cash", 10**6)
    return {"X": (1, 40)}


def changes_the_rules(self, view):
    object.__setattr__(view.rules, "order_limit", (99,) * 5)
    return {"X": (99, 40)}


def hides_a_trap_in_the_view(self, view):
    class Trap:
        def __eq__(self, other):
            raise SystemExit

    object.__setattr__(view, "cash", Trap())
    return {}


class Odd(dict):
    """A mapping that raises whatever is asked of it."""

    def __contains__(self, key):
        raise RuntimeError("no entry")

    __getitem__ = __len__ = __iter__ = keys = items = __contains__


def returns_an_odd_mapping(self, view):
    return Odd()


def prints_a_lot(self, view):
    print("x" * 1_000_000, flush=True)
    print("y" * 1_000_000, file=sys.stderr, flush=True)
    os.write(1, b"\x00" * 1000)
    sys.stdin.read()
    return {"X": (1, 45)}


def scribbles_on_every_pipe(self, view):
    for number in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(number, b"\xff" * 100)
    return {}


def leaves_a_child_behind(self, view):
    if hasattr(os, "fork") and not os.fork():
        time.sleep(60)
    time.sleep(60)


def leaves_a_thread_behind(self, view):
    threading.Thread(target=time.sleep, args=(60,)).start()
    return {"X": (1, 45)}


def throws_dice_of_the_house(self, view):
    return {"X": (1 + random.randrange(2), 40 + random.randrange(50))}


def looks_at_others(self, view):
    """Tell, in an error, everything that the frames which led here hold."""
    seen = [frame.frame.f_locals for frame in inspect.stack()]
    raise RuntimeError(repr(seen))
