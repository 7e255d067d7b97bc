"""A name that is missing, as one sentence: most often a cell further up has not run."""

from __future__ import annotations

from types import TracebackType
from typing import Any


def explain_missing_names() -> None:
    """Let the notebook say how to go on where it would quote lines of code; elsewhere, nothing.

    The lines are still there for ``%tb``.
    """
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), _show)


def _show(
    shell: Any,
    kind: type[NameError],
    error: NameError,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> None:
    if kind is NameError:
        error._render_traceback_ = lambda: [missing_sentence(error.name)]  # type: ignore[attr-defined]
    try:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    finally:
        vars(error).pop("_render_traceback_", None)


def missing_sentence(name: str | None) -> str:
    """Say which name is missing, and how to go on.

    Examples
    --------
    >>> print(missing_sentence("ask"))
    There is no 'ask' yet. A cell further up has not run: choose Run ▸ Run All Above Selected \
Cell, then run this cell again. If you wrote 'ask' yourself, look at its spelling.
    """
    return (
        f"There is no {name!r} yet. A cell further up has not run: choose Run ▸ Run All Above "
        f"Selected Cell, then run this cell again. If you wrote {name!r} yourself, look at its "
        "spelling."
    )
