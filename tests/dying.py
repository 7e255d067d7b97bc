"""Work that ends badly; light, because new processes import it."""

import os
import time
from pathlib import Path


def die_once(marker):
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return marker
    os._exit(1)


def refuse_to_end(marker):
    Path(marker).write_text("working")
    try:
        time.sleep(60)
    except SystemExit:
        Path(marker).write_text("went on")
