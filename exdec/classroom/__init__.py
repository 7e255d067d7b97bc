"""The live class: pupils play from their phones, and the instructor runs it from one page.

A class is one file (`store`), an append-only log of what happened; everything else follows from it.

- `settings`, `roster`, `seating`: what is to be played, by whom, and who sits where.
- `desk` and `chronicle`: pupils and tables, as the log tells them.
- `room` and `controls`: what pupils and the instructor ask for, checked and turned into events.
- `messages`: what each of them may read, built field by field.
- `keys`: codes, links and rate limits.
- `server`: clocks, pages, and what is told when; `app` has the web's routes to it.
- `extension` puts them into Jupyter, `serve` behind ``exdec host``; both use `listen`.
- `client` and `panel`: the instructor's notebook. `static`: the pupil's page and the instructor's.
- `told`, `codebook`, `sheets`, `exports`: what is left when the class is over.
- `rehearse`: phones that are none.

The games are `exdec.table`'s and the rules `exdec.engine`'s: nothing is decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exdec.classroom.panel import HostPanel


def host() -> HostPanel:
    """Open a class, or show the one that is open: the last line of a cell of the instructor's.

    Returns
    -------
    HostPanel
        The class itself runs in the notebook's server; run the cell again whenever you like.

    Raises
    ------
    PlaceError
        There is no server: Python runs in a page, as in JupyterLite.
    """
    from exdec.places import need_a_computer

    need_a_computer("A class needs a server")
    from exdec.classroom.panel import HostPanel

    return HostPanel()
