"""The commands, one in each module; ``exdec --help`` names them in this order."""

from exdec.commands import (
    build_lite,
    build_notebooks,
    check_lessons,
    demo,
    export,
    gradebook,
    host,
    lab,
    link,
    print,  # noqa: A004  (the command's own name)
    rehearse,
    score,
    tournament,
)

COMMANDS = (
    lab,
    demo,
    score,
    tournament,
    host,
    print,
    rehearse,
    gradebook,
    export,
    link,
    build_lite,
    check_lessons,
    build_notebooks,
)
