"""Functions that compute right answers, and wrong ones, from the learner's own game.

A lesson's exercises.toml names one by its module and its own name, such as ``general.paid``: the
module is one of this package, and the function is in its ``__all__``. It is called as
``f(game, player, **params)`` with a `Game` that may still be going on, and returns what the kind
of exercise takes: a whole number, a decimal, a ``Fraction``, text, or a list of these.

Where a game cannot tell (what one FINE cost to somebody who bought none), the function raises
`NotInGameError`; the exercise is then about the recorded game, and says why.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from exdec.errors import ExdecError


class NotInGameError(ExdecError):
    """A game cannot tell; the message goes on "…, since", as in "you bought no FINE"."""


def function(name: str) -> Callable[..., Any]:
    """Find a function by its name.

    Parameters
    ----------
    name : str
        "module.function".

    Raises
    ------
    LookupError
        There is no such function; the message says what there is.

    Examples
    --------
    >>> function("general.paid").__name__
    'paid'
    """
    module, _, wanted = name.partition(".")
    if not (module.isidentifier() and wanted.isidentifier()):
        raise LookupError(f"{name!r} names no function. Write it as module.function.")
    try:
        functions = import_module(f"{__name__}.{module}")
    except ModuleNotFoundError:
        raise LookupError(f"{__name__} has no module {module!r}.") from None
    if wanted not in functions.__all__:
        known = ", ".join(functions.__all__)
        raise LookupError(f"{module} has no function {wanted!r}. There are: {known}.")
    found: Callable[..., Any] = getattr(functions, wanted)
    return found
