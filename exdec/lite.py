"""A site on which the notebooks run in the reader's own browser: JupyterLite, with no server.

`prepare` writes a folder that ``jupyter lite build`` makes a site of:

- ``files``: what a learner's own copy has, each notebook with a first cell that brings exdec into
  the page,
- ``pypi``: exdec as a wheel for that cell, which asks for what a page needs and no more,
- settings that are as calm as those of ``exdec lab``.
"""

from __future__ import annotations

import csv
import io
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from exdec.errors import ExdecError
from exdec.kit import KIT, PACKAGE, files, page

NEEDED = ("ipywidgets", "pandas", "plotly")
"""Of what exdec asks for, all that a page can have and use; pandas brings NumPy."""

LEFT = {"__pycache__", ".ipynb_checkpoints", "_kit"}
"""What is no code, and what comes from elsewhere in a clone."""

BUILD = (
    'uvx --from "jupyterlite-core[contents]~=0.8.0" --with "jupyterlite-pyodide-kernel~=0.8.0" '
    "--with ipywidgets --with plotly "
    "jupyter-lite build --lite-dir {folder} --output-dir {folder}/site"
)
"""What makes the site of it; ipywidgets and plotly bring what draws widgets and charts."""

KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}

BRING = "# Brings exdec into this page. It may take a minute the first time.\n%pip install -q exdec"

CANNOT = {
    "host.ipynb": (
        "**This notebook cannot do its work here.** A class needs a server, and here everything "
        "runs inside this page. Open it in JupyterLab on a computer, on a JupyterHub or on Binder."
    ),
    "00_start_here.ipynb": (
        "**Your work stays in this browser**, on this computer. To take it elsewhere, or before "
        "you clear the browser's data, download it: right click on a file, then **Download**."
    ),
}
"""What a notebook says first, if it is otherwise here than elsewhere."""


class LiteError(ExdecError):
    """The folder cannot be written."""


def prepare(folder: Path) -> Path:
    """Write all that the site is built of into a new folder.

    Parameters
    ----------
    folder : Path
        Not there yet, or empty.

    Returns
    -------
    Path
        Exdec's wheel in it.

    Raises
    ------
    LiteError
        There is something in the folder, or it cannot be written.
    """
    try:
        if folder.exists() and any(folder.iterdir()):
            raise LiteError(f"There is something in {folder}. Name a new folder.")
        for kind in ("files", "pypi"):
            (folder / kind).mkdir(parents=True)
        for name in files():
            source, target = KIT / name, folder / "files" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix == ".ipynb":
                made = for_a_page(json.loads(source.read_text("utf-8")), source.name)
                target.write_text(_json(made), "utf-8", newline="\n")
            else:
                target.write_bytes(page(source))
        for file, settings in _settings().items():
            (folder / file).write_text(_json(settings), "utf-8", newline="\n")
        return pack(folder / "pypi")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LiteError(f"{folder} cannot be written: {reason}. Name another folder.") from None


def for_a_page(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Give a notebook the cells that it needs in a page.

    Parameters
    ----------
    notebook : dict
        As its file holds it.
    name : str
        Of that file.

    Examples
    --------
    >>> made = for_a_page({"cells": [], "metadata": {}}, "host.ipynb")
    >>> [cell["cell_type"] for cell in made["cells"]]
    ['markdown', 'code']
    """
    first: list[dict[str, Any]] = []
    if name in CANNOT:
        first.append({"cell_type": "markdown", "id": "lite-note", "source": CANNOT[name]})
    first.append(
        {"cell_type": "code", "id": "lite-pip", "source": BRING, "outputs": []}
        | {"execution_count": None}
    )
    for cell in first:
        cell["metadata"] = {}
    metadata = {**notebook["metadata"], "kernelspec": KERNEL}
    return {**notebook, "cells": [*first, *notebook["cells"]], "metadata": metadata}


def pack(folder: Path) -> Path:
    """Pack exdec, as it runs here, into a wheel for pages.

    It holds the lessons, which are checked there, and leaves out the notebooks. The same exdec
    gives the same bytes.

    Raises
    ------
    OSError
        It cannot be written.
    """
    ours = distribution("exdec")
    info = f"exdec-{ours.version}.dist-info"
    contents = {f"exdec/{name.as_posix()}": path.read_bytes() for path, name in _files(PACKAGE)}
    for path, name in _files(KIT / "lessons"):
        contents[f"exdec/_kit/lessons/{name.as_posix()}"] = path.read_bytes()
    contents[f"{info}/METADATA"] = _metadata(ours).encode()
    contents[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: exdec\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    if text := ours.read_text("licenses/LICENSE"):
        contents[f"{info}/licenses/LICENSE"] = text.encode()
    contents[f"{info}/RECORD"] = _record(contents, f"{info}/RECORD").encode()
    wheel = folder / f"exdec-{ours.version}-py3-none-any.whl"
    with ZipFile(wheel, "w") as packed:
        for inside, data in contents.items():
            packed.writestr(ZipInfo(inside), data, ZIP_DEFLATED)
    return wheel


def _files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Every file of exdec's below a folder, and its name from there."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not LEFT & set(name.parts):
            yield path, name


def _metadata(ours: Distribution) -> str:
    """What the wheel says of itself; of its needs, those that a page can have."""
    head, _, readme = (ours.read_text("METADATA") or "").partition("\n\n")
    kept = []
    for line in head.split("\n"):
        key, _, value = line.partition(": ")
        if key == "Provides-Extra" or (key == "Requires-Dist" and not value.startswith(NEEDED)):
            continue
        kept.append(line)
    return "\n".join([*kept, "", readme])


def _record(contents: dict[str, bytes], itself: str) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    for name, data in contents.items():
        digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        writer.writerow((name, f"sha256={digest}", len(data)))
    writer.writerow((itself, "", ""))
    return lines.getvalue()


def _settings() -> dict[str, dict[str, Any]]:
    """The files of settings that ``jupyter lite build`` looks for."""
    calm = json.loads((PACKAGE / "lab_settings" / "overrides.json").read_text("utf-8"))
    return {
        "overrides.json": calm,
        "jupyter-lite.json": {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {"appName": "exdec", "defaultKernelName": KERNEL["name"]},
        },
        "jupyter_lite_config.json": {
            "LiteBuildConfig": {
                "contents": ["files"],
                "apps": ["lab"],
                "no_sourcemaps": True,
                "no_unused_shared_packages": True,
            }
        },
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
