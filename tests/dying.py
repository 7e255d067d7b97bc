"""Work that kills the process that does it, once; light, because new processes import it."""

import os


def die_once(marker):
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return marker
    os._exit(1)
