"""Strategies from a learner's own Python file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.errors import TurnError, shown

if TYPE_CHECKING:
    from exdec.bots import Bot

OWN = "own:"
"""What the names of these files' modules begin with, and no other's: a random.py must not stand in
the way of Python's own."""


def is_own(name: str) -> bool:
    """Whether this names a strategy in a file, such as ``mine.py:Mine``."""
    return ".py:" in name or name.endswith(".py")


def load(name: str) -> type[Bot]:
    """Load a strategy's class from a file.

    What stands in the file beside the class runs as well, as it does when Python imports it.

    Parameters
    ----------
    name : str
        The file and the class, such as ``mine.py:Mine``.

    Raises
    ------
    TurnError
        There is no such file or class, or the file cannot be run; the message says which.
    """
    file, _, wanted = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    path = Path(file).absolute()
    if not path.is_file():
        raise TurnError(f"There is no file {shown(file)}. Check its name and its folder.")
    spec = spec_from_file_location(_module_name(path), path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # A class is sent to other processes with the code of its module, which is looked up here.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001  (it is the learner's own code)
        del sys.modules[spec.name]
        said = f"{type(error).__name__}: {error}"
        raise TurnError(f"{path.name} cannot be run: {said}. Run it alone to see more.") from None
    classes = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and (hasattr(value, "order") or hasattr(value, "offer"))
    ]
    if wanted not in classes:
        near = get_close_matches(wanted, classes, n=1, cutoff=0.4) or classes
        hint = f" Did you mean {path.name}:{near[0]}?" if near else " Give it order and offer."
        lacks = f"has no strategy {shown(wanted)}" if wanted else "needs the name of its class"
        raise TurnError(f"{path.name} {lacks}.{hint}")
    bot: type[Bot] = getattr(module, wanted)
    return bot


def is_loaded(kind: type) -> bool:
    """Whether a class comes from `load`."""
    return kind.__module__.startswith(OWN)


class FromFile:
    """A class from `load` that comes out of its file, not of the pickle, when it is unpickled.

    Parameters
    ----------
    kind : type
    """

    def __init__(self, kind: type) -> None:
        self._place = str(sys.modules[kind.__module__].__file__), kind.__name__

    def __reduce__(self) -> tuple[Callable[[str, str], type[Bot]], tuple[str, str]]:
        return _from_file, self._place


def _from_file(file: str, name: str) -> type[Bot]:
    module = sys.modules.get(_module_name(Path(file)))
    if module is None:
        return load(f"{file}:{name}")
    bot: type[Bot] = getattr(module, name)
    return bot


def _module_name(path: Path) -> str:
    # Dots would make a package of what stands before them.
    return f"{OWN}{path.with_suffix('')}".replace(".", "_")
