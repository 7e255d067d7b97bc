"""A learner's own copy of the kit, which an upgrade leaves to the learner.

`working_copy` puts the kit into a folder ``exdec-kit``, laid out the same.
``exdec-kit/.exdec-kit.json`` says which exdec put each file there, and a hash of what it put:

.. code-block:: json

    {
     "format": "exdec-kit",
     "version": 1,
     "files": {
      "notebooks/01_prices.ipynb": {"exdec": "0.2.0", "hash": "5f2b…"},
      "notebooks/02_demand.ipynb": {"exdec": "0.1.0", "hash": "c0a1…", "offered": "77e9…"}
     }
    }

So a newer exdec tells three cases apart: a file that is as it was put there is replaced, one that
the learner changed stays, and one that is missing is added. Where both the learner and the kit have
changed a file, the new one is put beside it once, as ``02_demand.new-0.2.0.ipynb``: your own work
stays open under the name you know, and the new page is one click away. ``offered`` is its hash.
Files that the kit has no more are left, and so is what a newer exdec put there.

A notebook is changed if a cell or its output is. Outputs count: a report or a chart of one's own
game is work, and running the cell again may show another game. Cell ids, execution counts, the
notebook's own metadata, and whether a cell is folded do not, for Jupyter writes them when a
notebook is only looked at.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from exdec.errors import ExdecError
from exdec.kit import KIT, files, page

FOLDER = "exdec-kit"

FORMAT = "exdec-kit"
VERSION = 1
NAME = ".exdec-kit.json"

LOOKS = {"collapsed", "jupyter", "scrolled", "trusted"}
"""What Jupyter notes of a cell when somebody folds it, unfolds it or scrolls in it."""

UPDATE = "Update exdec: pip install --upgrade exdec"


class KitError(ExdecError):
    """The kit cannot be put where it is to be used."""


class NewerError(KitError):
    """A newer exdec has been here, and left notes that this one cannot read."""


class Put(NamedTuple):
    """How a file came into a working copy.

    Parameters
    ----------
    exdec : str
        Which version put it there; "" if it was there before anybody took note.
    hash : str
        Of what was put there; "" if nobody knows.
    offered : str
        Hash of the newest that was put beside it, or told of; "" if none was.
    """

    exdec: str
    hash: str
    offered: str = ""


def working_copy(here: Path, kit: Path = KIT, exdec: str | None = None) -> tuple[Path, list[str]]:
    """Keep a copy of the kit in ``here/exdec-kit``, and let be what a learner did.

    If `here` is in such a copy already, it is that one. A crash leaves each file as it was or as it
    shall be, and the next call does the rest.

    Parameters
    ----------
    here, kit : Path
        Where to put the copy, and what to copy.
    exdec : str, optional
        The kit's version; that of the installed exdec if left out.

    Returns
    -------
    Path, list of str
        The folder, and what was done in sentences.

    Raises
    ------
    KitError
        The folder cannot be written to, and has not all files yet.
    """
    folder = _copy_around(here) or here.absolute() / FOLDER
    try:
        return folder, _bring_up_to_date(folder, kit, exdec or version("exdec"))
    except NewerError as error:
        return folder, [str(error)]
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if all((folder / name).is_file() for name in files(kit)):
            return folder, [
                f"What is in {folder} cannot be brought up to date: {reason}. It opens as it is."
            ]
        raise KitError(
            f"Your own copy cannot be put into {folder}: {reason}. Try it in another folder."
        ) from None


def mismatch(folder: Path, lesson: str, exdec: str | None = None) -> str:
    """Say if a lesson's notebook is of another exdec than is installed.

    Parameters
    ----------
    folder : Path
        Where the notebook is.
    lesson : str
        Its number, such as "02".
    exdec : str, optional
        The installed version; looked up if left out.

    Returns
    -------
    str
        A sentence or two; "" if all is well, or if nobody knows.
    """
    folder = folder.absolute()
    copy = _copy_around(folder)
    if copy is None:
        return ""
    try:
        put = _read(copy)
    except NewerError as error:
        return str(error)
    exdec = exdec or version("exdec")
    for file, one in put.items():
        name = Path(file)
        this = copy / name.parent == folder and name.name.startswith(f"{lesson}_")
        if not this or one.exdec == exdec:
            continue
        if _is_newer(one.exdec, exdec):
            return f"This notebook is of exdec {one.exdec}, and you have exdec {exdec}. {UPDATE}"
        if one.offered:
            beside = sorted(folder.glob(_beside(name, "*").name), key=os.path.getmtime)
            if not beside:  # it was looked at, and put away
                return ""
            return (
                f"You have changed this notebook, so it is still of {_release(one.exdec)}. "
                f"The new one is beside it: {beside[-1].name}."
            )
        return (
            f"This notebook is of {_release(one.exdec)}, and you have exdec {exdec}. Start with "
            "exdec lab, which brings up to date what you have not changed."
        )
    return ""


def _bring_up_to_date(folder: Path, kit: Path, exdec: str) -> list[str]:
    before = _read(folder)
    now = dict(before)
    added, updated, kept, told, newer = [], [], [], [], []
    for name in files(kit):
        source, target, was = kit / name, folder / name, before.get(name.as_posix())
        data = page(source)
        new = _hash(name, data)
        if not target.exists():
            _write(target, data)
            put = Put(exdec, new)
            added.append(name)
        elif was and _is_newer(was.exdec, exdec):
            put = was
            newer.append(name)
        elif (here := _hash(name, target.read_bytes())) == new:
            put = Put(exdec, new)
        elif was and here == was.hash:
            _write(target, data)
            put = Put(exdec, new)
            updated.append(name)
        elif was and was.hash == new:
            put = Put(exdec, new, was.offered)
        elif was and was.offered == new:
            put = was
        else:
            put = was or Put("", "")
            if name.suffix == ".jsonl":  # whose readers take all that is in the folder
                told.append(name)
            else:
                beside = _free(folder, name, exdec, {new, put.offered})
                _write(folder / beside, data)
                kept.append((name, beside))
            put = put._replace(offered=new)
        now[name.as_posix()] = put
    # Last, for without a note of it a file that is new already counts as up to date.
    if now != before:
        _write(folder / NAME, _dumps(now).encode())
    done = []
    if added:
        done.append(f"Put {_named(added)} into {folder}, your own copy of the kit.")
    if updated:
        done.append(f"Brought {_named(updated)} up to date with exdec {exdec}.")
    done += [
        f"{name} stays as you have changed it. The new one is beside it: {beside.name}."
        for name, beside in kept
    ]
    done += [
        f"{name} stays as you have changed it. For the new one, rename yours first."
        for name in told
    ]
    if newer:
        done.append(
            f"Left {_named(newer)} as a newer exdec put it there. You have exdec {exdec}. {UPDATE}"
        )
    return done


def _copy_around(here: Path) -> Path | None:
    """The working copy that a folder is, or is in."""
    here = here.absolute()
    return next((one for one in (here, *here.parents) if (one / NAME).is_file()), None)


def _hash(name: Path, data: bytes) -> str:
    """Of what somebody may have made in a file; see the module's docstring."""
    if name.suffix == ".ipynb":
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            cells = json.loads(data)["cells"]
            made = [_made({**cell, "id": "", "metadata": _noted(cell)}) for cell in cells]
            data = json.dumps(made, sort_keys=True).encode()
    return hashlib.sha256(data).hexdigest()


def _noted(cell: dict[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in cell.get("metadata", {}).items() if key not in LOOKS}


def _made(value: Any) -> Any:
    """What is in a cell, without counts; a text may stand as a list of its lines."""
    if isinstance(value, dict):
        return {key: _made(one) for key, one in value.items() if key != "execution_count"}
    if isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return "".join(value)
        return [_made(one) for one in value]
    return value


def _beside(name: Path, exdec: str, again: str = "") -> Path:
    return name.with_name(f"{name.stem}.new-{exdec}{again}{name.suffix}")


def _free(folder: Path, name: Path, exdec: str, ours: set[str]) -> Path:
    """Where the new one goes: what lies there already may be worked in, if it is none of `ours`.

    A clone changes without a new number, and offers again under the same name.
    """
    places = (_beside(name, exdec, f"-{n}" if n > 1 else "") for n in count(1))
    return next(
        one
        for one in places
        if not (folder / one).exists() or _hash(one, (folder / one).read_bytes()) in ours
    )


def _is_newer(one: str, other: str) -> bool:
    from packaging.version import InvalidVersion, Version

    try:
        return Version(one) > Version(other)
    except InvalidVersion:
        return False


def _release(exdec: str) -> str:
    return f"exdec {exdec}" if exdec else "an older exdec"


def _named(names: list[Path]) -> str:
    return str(names[0]) if len(names) == 1 else f"{len(names)} files"


# -- on the disk ---------------------------------------------------------------------------------


def _read(folder: Path) -> dict[str, Put]:
    """Read who put which file there; nothing if there are no notes, or they are broken."""
    try:
        table = json.loads((folder / NAME).read_text("utf-8"))
        if table["format"] != FORMAT:
            return {}
        if table["version"] > VERSION:
            raise NewerError(f"A newer exdec keeps what is in {folder}. {UPDATE}")
        return {
            str(name): Put(str(one["exdec"]), str(one["hash"]), str(one.get("offered", "")))
            for name, one in table["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, NewerError):  # which is a ValueError
            raise
        return {}


def _dumps(put: dict[str, Put]) -> str:
    files = {
        name: {key: value for key, value in one._asdict().items() if value or key != "offered"}
        for name, one in sorted(put.items())
    }
    table = {"format": FORMAT, "version": VERSION, "files": files}
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def _write(target: Path, data: bytes) -> None:
    """Write a file so that a crash leaves no half of it under its name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink()
