"""A listener of a class's own, for phones in the same room: no Jupyter, no internet."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import closing, suppress

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from exdec.classroom.app import MOST_BODY, application
from exdec.classroom.server import Server
from exdec.classroom.store import Address
from exdec.errors import ExdecError, shown

PORT = 8765

EVERYWHERE = "0.0.0.0"

MANY = 10_000
"""Files that may be open at a time."""


class ListenError(ExdecError):
    """The network does not let phones in; the message says what to try."""


class PortError(ListenError):
    """Nothing can be opened at this port; another one may do."""


class Listener:
    """Answers for a class at an address of its own, over plain HTTP.

    Parameters
    ----------
    server : Server
    address : str
        Where to listen; `EVERYWHERE` for all networks of this machine.
    port : int
        0 for any that is free.
    names : sequence of str
        Names by which phones may ask for this machine, besides its own.
    base : str
        What all addresses begin with.

    Attributes
    ----------
    url : str
        What phones open.
    kept : Address
        What opens it again.

    Raises
    ------
    PortError
        The port is taken, say.
    ListenError
        This machine has no such address.
    """

    def __init__(
        self,
        server: Server,
        address: str = EVERYWHERE,
        port: int = PORT,
        names: tuple[str, ...] = (),
        base: str = "/",
    ) -> None:
        try:
            sockets = bind_sockets(port, address, family=socket.AF_INET)
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                own = dict.fromkeys([*own_addresses(), "127.0.0.1"])
                raise ListenError(
                    f"{shown(address)} is no address of this machine. It has "
                    f"{', '.join(own)}; {EVERYWHERE} stands for all of them."
                ) from None
            reason = (error.strerror or str(error)).lower()
            raise PortError(
                f"Nothing can be opened at {address}, port {port}: {reason}. Try another port."
            ) from None
        _open_many_files()
        self.address = own_address() if address == EVERYWHERE else address
        self.port = sockets[0].getsockname()[1]
        self.url = f"http://{names[0] if names else self.address}:{self.port}{base}exdec/"
        self.kept = Address(self.url, self.port, "" if address == EVERYWHERE else address, names)
        known = {*names, self.address, *own_names(), "localhost", "127.0.0.1"}
        self._server = HTTPServer(
            application(server, sorted(name.lower() for name in known), base),
            max_body_size=MOST_BODY,
            max_header_size=16 * 1024,
            idle_connection_timeout=75,
            body_timeout=20,
        )
        self._server.add_sockets(sockets)

    def close(self) -> None:
        """Listen no more, and hang up; pages that are open try to come back."""
        self._server.stop()
        self._hung_up = asyncio.ensure_future(self._server.close_all_connections())


def _open_many_files() -> None:
    """Let in as many phones as this user may; each takes a file, and some systems begin low."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MANY if hard == resource.RLIM_INFINITY else min(MANY, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def own_address() -> str:
    """The address of this machine in the room's network; nothing is sent to find it.

    Without any network it is the machine's own ``127.0.0.1``, which no phone can reach.
    """
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # An address for documentation: the system only looks up which way it would go.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def own_names() -> list[str]:
    """The names and addresses that this machine answers to."""
    name = socket.gethostname()
    return sorted({name, f"{name.partition('.')[0]}.local", *own_addresses()})


def own_addresses() -> list[str]:
    """The addresses of this machine, first the one in the room's network."""
    found = [own_address()]
    with suppress(OSError):
        name = socket.gethostname()
        found += [str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)]
    return list(dict.fromkeys(found))
