"""The kit: what people open, where it lies, and how it is put where JupyterLab shows it.

The kit is the notebooks, the teacher's guide and plans, and the pages about playing and teaching.
A clone has it at its top, a wheel in ``exdec/_kit``, laid out the same, so that links between its
files hold. Nobody works in there; see `exdec.own_copy`.
"""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parent
IN_WHEEL = PACKAGE / "_kit"
KIT = IN_WHEEL if IN_WHEEL.is_dir() else PACKAGE.parent
"""Where this exdec has its own ``notebooks``, ``lessons`` and ``docs``."""

PAGES = ("hosting", "lite", "places", "rules", "rulings", "tournaments")
FILES = (
    "notebooks/*.ipynb",
    "notebooks/instructor/*.ipynb",
    "notebooks/instructor/class_example/*.jsonl",
    "lessons/README.md",
    "lessons/*/teacher.md",
    *(f"docs/{page}.md" for page in PAGES),
)
"""What people open, of all that lies there."""

ESCAPED = re.compile(r"(?P<code>`[^`]*`)|\\\$")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
WITHIN = re.compile(r"\]\(#([^)]+)\)")


def files(kit: Path = KIT) -> list[Path]:
    """What is copied, by its name in the kit."""
    return sorted(path.relative_to(kit) for pattern in FILES for path in kit.glob(pattern))


def page(path: Path) -> bytes:
    """Read a file of the kit as it is shown in JupyterLab; see `plain_dollars` and `jumps`."""
    data = path.read_bytes()
    return jumps(plain_dollars(data.decode())).encode() if path.suffix == ".md" else data


def plain_dollars(text: str) -> str:
    r"""Write ``\$`` so that no two of them make a formula.

    JupyterLab drops the backslash before it looks for formulas, but looks for them in one piece
    of text at a time.

    Examples
    --------
    >>> print(plain_dollars(r"It posts at \$40, not at \$41: `\$` here."))
    It posts at <span>\$</span>40, not at <span>\$</span>41: `\$` here.
    """
    return ESCAPED.sub(lambda found: found["code"] or r"<span>\$</span>", text)


def jumps(text: str) -> str:
    r"""Write links within a page as JupyterLab names its headings: it keeps what GitHub drops.

    Examples
    --------
    >>> print(jumps("Read [on](#the-end-really).\n\n## The end, really"))
    Read [on](#The-end,-really).
    <BLANKLINE>
    ## The end, really
    """
    named = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-"): head.replace(" ", "-")
        for head in HEADING.findall(text)
    }
    return WITHIN.sub(lambda found: f"](#{named.get(found[1], found[1])})", text)
