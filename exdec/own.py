"""Strategies from a learner's own Python file."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.errors import TurnError, shown

if TYPE_CHECKING:
    from exdec.bots import Bot


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
    path = Path(file)
    if not path.is_file():
        raise TurnError(f"There is no file {shown(file)}. Check its name and its folder.")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # A class is sent to other processes with the code of its module, which is looked up here.
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001  (it is the learner's own code)
        if before is None:
            del sys.modules[path.stem]
        else:
            sys.modules[path.stem] = before
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
