"""``python -m exdec``, and the command ``exdec``."""

import signal
import sys


def main() -> int:
    """Run the command line; Control-C ends it without a word while its parts are still coming."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from exdec.cli import main as run

    signal.signal(signal.SIGINT, usual)
    try:
        return run()
    finally:
        if usual is signal.default_int_handler:  # all is printed by now
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
