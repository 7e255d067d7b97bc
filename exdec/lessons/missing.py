"""A name that is missing, in sentences: most often a cell further up has not run."""

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
    name = error.name if kind is NameError else None
    if name:
        error._render_traceback_ = lambda: missing_sentences(name)  # type: ignore[attr-defined]
    try:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    finally:
        vars(error).pop("_render_traceback_", None)  # so that %tb quotes the lines


def missing_sentences(name: str) -> list[str]:
    r"""Say which name is missing, and how to go on; a page breaks no line of an error.

    Examples
    --------
    >>> print(*missing_sentences("ask"), sep="\n")
    There is no 'ask' yet: a cell further up has not run.
    Choose Run ▸ Run All Above Selected Cell, then run this cell again.
    If you wrote 'ask' yourself, look at its spelling.
    """
    return [
        f"There is no {name!r} yet: a cell further up has not run.",
        "Choose Run ▸ Run All Above Selected Cell, then run this cell again.",
        f"If you wrote {name!r} yourself, look at its spelling.",
    ]
