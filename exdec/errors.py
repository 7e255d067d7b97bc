"""What can go wrong, as kinds of error; `StoppedError` of `exdec.tournament` is one more.

Each message is one or two sentences that say what is wrong, where, and how to mend it, so that
views can show it to a learner as it stands.
"""


class ExdecError(ValueError):
    """Any refusal by exdec; the message says what, where and how to mend it."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message alone, for the lines of code say nothing more."""
        return [f"{type(self).__name__}: {self}"]


class RulesError(ExdecError):
    """A rule has an unknown name or a senseless value."""


class BidError(ExdecError):
    """An order or an offer that the rules do not allow (R7, R8, R14)."""


class TurnError(ExdecError):
    """Something was asked for at the wrong step, or of someone who is not in the game."""


class RecordError(ExdecError):
    """A game record that cannot be read; the message names the line."""


def shown(value: object) -> str:
    """Quote a value in a message, but never a screenful of it.

    Examples
    --------
    >>> shown("forty"), shown(10**100)
    ("'forty'", 'a number of more than 12 digits')
    >>> shown("forty " * 20)
    "'forty forty forty forty forty forty forty forty forty fo…'"
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**12:
        return "a number of more than 12 digits"
    try:
        text = repr(value)
    except ValueError:
        # Python writes out no integer of more than 4,300 digits, wherever it may stand in a value.
        return f"a {type(value).__name__} too long to write out"
    return text if len(text) <= 60 else f"{text[:57]}…{text[-1]}"
