"""The live class inside Jupyter Server: the notebook's server is the class's server.

Pupils have no account here. Their routes, and no others, let everyone in; they answer only while
a class is open, and everything else of Jupyter stays behind its login.
"""

from __future__ import annotations

import asyncio
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.extension.application import ExtensionApp
from jupyter_server.serverapp import ServerApp
from tornado.web import RequestHandler
from traitlets import Unicode

from exdec.classroom.app import log_request, routes
from exdec.classroom.client import SECRET, URL
from exdec.classroom.listen import EVERYWHERE, PORT, Listener, ListenError
from exdec.classroom.server import Server

AGAIN = "Start exdec lab again, run the cell of the class, and choose Go on with it."

LAST_WORDS = 0.3
"""Seconds for the pages' last message."""


class LiveClass(ExtensionApp):
    """What Jupyter Server loads."""

    name = "exdec"

    room_address = Unicode(
        EVERYWHERE, help="Where the room's own address listens, if the instructor opens one."
    ).tag(config=True)

    _server: Server | None = None
    _for_kernels: Listener | None = None

    def initialize_handlers(self) -> None:
        """Add the routes of a class, which are closed until one is open."""
        jupyter = self.serverapp
        assert jupyter is not None, "linked before"
        # As Jupyter does with tornado's: errors go where its own go.
        logging.getLogger("exdec").parent = jupyter.log
        server = self._server = Server(Path(jupyter.root_dir).absolute() / "classes")
        server.on_event = self._note_activity
        server.again = lambda _: AGAIN
        # Behind a hub, phones come through the hub; its machine stands in no classroom.
        if "JUPYTERHUB_SERVICE_PREFIX" not in os.environ:
            server.listen = self._listen_in_room
        self.handlers.extend(
            (pattern, open_to_all(handler), *rest)
            for pattern, handler, *rest in routes(server, "/", _names(jupyter))
        )
        # The port is chosen after the extensions are loaded, and before the loop runs.
        jupyter.io_loop.add_callback(self._tell_kernels, server)

    def _tell_kernels(self, server: Server) -> None:
        """Put into the environment, which kernels inherit, how to reach this server."""
        jupyter = self.serverapp
        assert jupyter is not None, "linked before"
        if jupyter.sock or jupyter.certfile:
            # A kernel would need a client for the socket, or a certificate for this very name.
            self._for_kernels = Listener(server, "127.0.0.1", 0, base=jupyter.base_url)
            url = self._for_kernels.url.removesuffix("exdec/")
        else:
            url = f"http://{_reachable(jupyter.ip)}:{jupyter.port}{jupyter.base_url}"
        os.environ[URL] = url
        os.environ[SECRET] = server.secret

    def _listen_in_room(self, port: int | None) -> Listener:
        """Open an address for phones in the same room, at a port where they look for it already."""
        assert self._server is not None, "it asks"
        try:
            listener = Listener(self._server, self.room_address, port or PORT)
        except ListenError:
            if port is not None:
                raise ListenError(
                    f"Another program has port {port}, perhaps an earlier JupyterLab that still "
                    "runs. Stop it, and open the address again."
                ) from None
            # Phones scan the address, so another port will do.
            listener = Listener(self._server, self.room_address, 0)
        if self.room_address == EVERYWHERE and listener.address == "127.0.0.1":
            listener.close()
            raise ListenError(
                "This machine is in no network, so no phone can reach it. Join the room's Wi-Fi or "
                "open a hotspot, and try again."
            )
        return listener

    def _note_activity(self) -> None:
        """Keep the server from being taken for idle while a class is played."""
        jupyter = self.serverapp
        assert jupyter is not None, "linked before"
        jupyter.web_app.settings["last_activity_times"]["exdec"] = datetime.now(UTC)

    async def stop_extension(self) -> None:
        """Leave the class as it is; pages try to come back until it is resumed."""
        if self._for_kernels is not None:
            self._for_kernels.close()
        if self._server is not None and self._server.room is not None:
            self._server.shut(gone=False)
            await asyncio.sleep(LAST_WORDS)


def _names(jupyter: ServerApp) -> list[str] | None:
    """The names by which a server may be asked that lets nobody in from elsewhere."""
    if jupyter.allow_remote_access:
        return None
    return ["localhost", "127.0.0.1", "[::1]", *map(str.lower, jupyter.local_hostnames)]


def open_to_all(handler: type[RequestHandler]) -> type[RequestHandler]:
    """A handler that Jupyter asks no login for, and that writes nothing into Jupyter's log.

    Its requests carry keys of their own, in places that no log shows.
    """
    methods: dict[str, Any] = {"_log": log_request}
    for name in map(str.lower, handler.SUPPORTED_METHODS):
        method = getattr(handler, name)
        if method is not RequestHandler._unimplemented_method:
            methods[name] = allow_unauthenticated(method)
    return type(handler.__name__, (handler,), methods)


def _reachable(ip: str) -> str:
    """Where a kernel on this machine finds a server that listens at an address.

    Examples
    --------
    >>> _reachable("0.0.0.0"), _reachable("localhost"), _reachable("::"), _reachable("10.0.0.7")
    ('127.0.0.1', '127.0.0.1', '[::1]', '10.0.0.7')
    """
    if ip in ("", "*", "0.0.0.0", "localhost"):
        return "127.0.0.1"
    if ip == "::":
        return "[::1]"
    return f"[{ip}]" if ":" in ip else ip
