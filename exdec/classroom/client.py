"""What the instructor's notebook asks of the server that a class runs in.

The server is the one that runs the notebook: it puts its address and a secret into the environment
of its kernels. The class itself is in the server, so a kernel that dies takes nothing with it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from exdec.classroom.settings import ClassSettings
from exdec.errors import ExdecError

URL = "EXDEC_KERNEL_URL"
SECRET = "EXDEC_KERNEL_SECRET"
"""What the server leaves in its environment, which kernels inherit."""

PATIENCE = 10.0
"""Seconds in which the server answers; it is on the same machine."""

NO_SERVER = (
    "This notebook's JupyterLab was not started with exdec's server part, so no class can be "
    "opened from here. Close it and start it by exdec lab. Without JupyterLab, exdec host in a "
    "terminal opens a class too."
)
GONE = (
    "The server does not answer. A class that was open is kept, with every hand-in. Start "
    "JupyterLab again, open this notebook, run the cell, and press Go on with it."
)
STRANGER = (
    "The server was started anew and does not know this notebook's kernel. Restart the kernel "
    "(menu Kernel, Restart Kernel), then run the cell again."
)
UNCLEAR = "What answers at the server's address is not exdec. Start JupyterLab again by exdec lab."


class HostError(ExdecError):
    """The server does not do what was asked; the message says why, and what to do."""


class Client:
    """Asks the class's server for what the instructor may see and do.

    Parameters
    ----------
    url : str
        The notebook server's address, with its base, such as ``http://127.0.0.1:8888/user/ann/``.
    secret : str
        What its kernels know.
    """

    def __init__(self, url: str, secret: str) -> None:
        self._url = url.rstrip("/") + "/exdec/"
        self._secret = secret
        # A proxy for the internet does not know the way to this machine, and a login page is no
        # answer of ours.
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirect)

    def __repr__(self) -> str:
        return f"Client({self._url})"

    @classmethod
    def here(cls, environment: Mapping[str, str] = os.environ) -> Client:
        """The server that runs this notebook.

        Raises
        ------
        HostError
            It has no server part of exdec.
        """
        url, secret = environment.get(URL), environment.get(SECRET)
        if not url or not secret:
            raise HostError(NO_SERVER)
        return cls(url, secret)

    def page(self, key: str, view: str) -> str:
        """The instructor's page, as a path that the browser completes: it knows the rest.

        Parameters
        ----------
        key : str
            The class's own key; it stands after ``#``, so no server and no log sees it.
        view : str
            ``"projector"`` or ``"controls"``.
        """
        return f"{urlsplit(self._url).path}host#{urlencode({'k': key, 'view': view})}"

    def state(self, table: int | None = None) -> dict[str, Any]:
        """How the class stands; without one, which classes are kept.

        Parameters
        ----------
        table : int, optional
            Whose prices are in it; the average of all tables if left out.

        Raises
        ------
        HostError
        """
        return self._ask("host/state" if table is None else f"host/state?show={table}")

    def open(self, settings: ClassSettings) -> dict[str, Any]:
        """Open a class.

        Raises
        ------
        HostError
        """
        return self._done("host/open", {"settings": settings.to_json()})

    def resume(self, file: str) -> dict[str, Any]:
        """Go on with a class that was cut off.

        Raises
        ------
        HostError
        """
        return self._done("host/open", {"resume": file})

    def do(self, what: str, **args: Any) -> dict[str, Any]:
        """Use a control.

        Returns
        -------
        dict
            ``text``, and ``back`` if it can be taken back: what to do for that.

        Raises
        ------
        HostError
            It was refused.
        """
        return self._done("host/do", {"do": what, **args})

    def _done(self, path: str, message: dict[str, Any]) -> dict[str, Any]:
        answer = self._ask(path, message)
        if not answer.get("ok"):
            raise HostError(str(answer.get("text", UNCLEAR)))
        return answer

    def _ask(self, path: str, message: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._secret}"}
        data = None
        if message is not None:
            data = json.dumps(message).encode()
            headers["Content-Type"] = "application/json"
        request = Request(self._url + path, data, headers)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return _read(answer)
        except HTTPError as error:
            with error:
                raise HostError(_reason(error)) from None
        except (OSError, HTTPException):
            raise HostError(GONE) from None


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _read(answer: IO[bytes]) -> dict[str, Any]:
    try:
        found = json.loads(answer.read())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise HostError(UNCLEAR)
    return found


def _reason(error: HTTPError) -> str:
    if error.code == 403:
        return STRANGER
    if error.code == 413:
        return "That is too long for the server. Shorten the list of names."
    try:
        return str(_read(error)["text"])
    except (HostError, KeyError):
        return UNCLEAR
