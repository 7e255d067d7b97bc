"""JupyterLab at the first notebook, with nothing fetched from outside."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exdec.kit import PACKAGE

FIRST = "notebooks/00_start_here.ipynb"
"""What opens, by its name in the kit."""

SETTINGS: dict[str, dict[str, Any]] = {
    "LabApp": {
        # No news, no search for updates, no catalogue of extensions: no request leaves the machine.
        "news_url": None,
        "check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "extension_manager": "readonly",
        # Nor does JupyterLab ask the learner about news, and no form is taken out of the page when
        # it is scrolled away, as JupyterLab 4.4 would; guide and plans open as pages. All that is
        # in lab_settings/overrides.json.
        "app_settings_dir": str(PACKAGE / "lab_settings"),
    },
    # The search for language servers would run npm, which may ask its registry for a newer npm.
    "LanguageServerManager": {"autodetect": False},
    # What a game sends is much the same at every step, so packing it saves most of it.
    "ServerApp": {"websocket_compression_options": {}},
}
"""What makes JupyterLab calm and light, as in a file of Jupyter's settings; Binder has them too."""

OPTIONS = (
    *(f"--{app}.{name}={value}" for app, some in SETTINGS.items() for name, value in some.items()),
    # Containers often have no other user; the server listens to this machine only, by token.
    "--ServerApp.allow_root=True",
    # What remains is the address to open, and what goes wrong: no page that looks for yesterday's
    # kernel, and no words between libraries.
    "--ServerApp.log_level=ERROR",
    "--LabApp.log_level=ERROR",
)
"""Given on the command line, these hold for this run and leave the user's own settings alone."""


def serve(
    folder: Path, *, browser: bool = True, port: int | None = None, options: Sequence[str] = ()
) -> None:
    """Open JupyterLab at the first notebook, and return when it is stopped.

    Parameters
    ----------
    folder : Path
        The learner's copy of the kit; see `exdec.own_copy.working_copy`.
    browser : bool
        Open a browser; otherwise only the address is printed.
    port : int, optional
        Where to listen; 8888 if left out. If it is taken, a free one is used.
    options : sequence of str
        Further options for Jupyter, such as ``--ServerApp.port_retries=0``.
    """
    # A check for addresses in other alphabets, which nothing here asks for: reading its grammar
    # takes a third of the server's start. Whoever wants it finds it not installed.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from jupyterlab.labapp import LabApp

    ours = [
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        *OPTIONS,
        *([] if browser else ["--no-browser"]),
        *([] if port is None else [f"--ServerApp.port={port}"]),
        *_encryption(),
    ]
    # Jupyter refuses an option that is given twice, so the caller's replaces ours.
    given = {option.partition("=")[0] for option in options}
    ours = [option for option in ours if option.partition("=")[0] not in given]
    LabApp.launch_instance([*ours, *options])


def _encryption() -> list[str]:
    """Let server and kernels talk in secret where they can; where not, new kernels warn of it."""
    import zmq
    from jupyter_client.manager import KernelManager

    known = KernelManager.class_trait_names()
    can = "transport_encryption" in known and zmq.has("curve")
    return ["--KernelManager.transport_encryption=auto"] if can else []
