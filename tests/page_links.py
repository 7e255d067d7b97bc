"""The links of pages and notebooks, and where they lead; no network is asked."""

import json
import re
import unicodedata
from urllib.parse import unquote, urlsplit

FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)[^`].*?\1(?!`)", re.DOTALL)
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINED = re.compile(r"^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
ATTRIBUTE = re.compile(r"<[a-z][^>]*\s(?:href|src)=\"([^\"]+)\"", re.IGNORECASE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
ANCHOR = re.compile(r"<[a-z][^>]*\s(?:id|name)=\"([^\"]+)\"", re.IGNORECASE)


def prose(path):
    """The Markdown of a page or of a notebook's text cells, without code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return FENCE.sub("", text)


def links(path):
    text = CODE.sub("", prose(path))
    return [one for kind in (LINK, DEFINED, ATTRIBUTE) for one in kind.findall(text)]


def anchors(path):
    """Names of a page's headings: "Add it, then" is #add-it-then, and in Jupyter #Add-it,-then."""
    text = prose(path)
    found = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        kept = "".join(c for c in words if c in " -_" or unicodedata.category(c)[0] in "LN")
        found |= {kept.replace(" ", "-").lower(), words.replace(" ", "-")}
    return found


def wrong(root, path, link):
    """Why a link of a page leads nowhere below a folder, or nothing."""
    parts = urlsplit(link)
    if parts.scheme in ("http", "https"):
        good = "." in parts.netloc or parts.hostname in ("localhost", "127.0.0.1")
        return None if good else "is no address"
    if parts.scheme == "mailto":
        return None if "@" in parts.path else "is no address"
    if parts.scheme or link.startswith("/"):
        return "is no link that works for everyone"
    # A lesson's text is read as the notebook that is made from it.
    folder = root / "notebooks" if path.name == "lesson.md" else path.parent
    target = folder / unquote(parts.path) if parts.path else path
    if not target.exists():
        return "does not exist"
    if not target.resolve().is_relative_to(root):
        return "is outside of the project"
    if parts.fragment and target.suffix in (".md", ".ipynb"):
        return None if unquote(parts.fragment) in anchors(target) else "has no such heading"
    return None
