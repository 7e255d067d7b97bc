"""Where this Python runs, where that decides what can be done or shown."""

from __future__ import annotations

import sys

from exdec.errors import ExdecError


class PlaceError(ExdecError):
    """Something that cannot be done in this place; the message names one where it can."""


def in_browser() -> bool:
    """Whether Python itself runs in a page, as in JupyterLite: no processes, and no servers."""
    return sys.platform == "emscripten"


def in_colab() -> bool:
    """Whether this is Google Colab, whose kernels have its package loaded from the beginning."""
    return "google.colab" in sys.modules


def need_a_computer(what: str) -> None:
    """Refuse what a page cannot do by itself.

    Parameters
    ----------
    what : str
        The beginning of the sentence, such as "A class needs a server".

    Raises
    ------
    PlaceError
        Python runs in a page.

    Examples
    --------
    >>> need_a_computer("A class needs a server")
    """
    if in_browser():
        raise PlaceError(
            f"{what}, and here everything runs inside this page. Do it in JupyterLab on a "
            "computer, on a JupyterHub or on Binder."
        )
