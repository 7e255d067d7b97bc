"""``python -m exdec``: the same as the command ``exdec``."""

import sys

from exdec.cli import main

sys.exit(main())
