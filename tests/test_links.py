"""Every link in a page or notebook leads somewhere; no network is asked."""

import json
import re
import unicodedata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    not (ROOT / "docs").exists(), reason="beside the wheel there are no pages"
)

FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)[^`].*?\1(?!`)", re.DOTALL)
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINED = re.compile(r"^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
ATTRIBUTE = re.compile(r"<[a-z][^>]*\s(?:href|src)=\"([^\"]+)\"", re.IGNORECASE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
ANCHOR = re.compile(r"<[a-z][^>]*\s(?:id|name)=\"([^\"]+)\"", re.IGNORECASE)


def pages():
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("binder", "docs", "exdec", "lessons", "notebooks"):
        for kind in ("*.md", "*.ipynb"):
            found += (ROOT / folder).rglob(kind)
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


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
    """Names of a page's headings, as GitHub and Jupyter make them: "Add a rule" is #add-a-rule."""
    text = prose(path)
    found = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        kept = "".join(c for c in words if c in " -_" or unicodedata.category(c)[0] in "LN")
        name = kept.replace(" ", "-")
        found |= {name, name.lower()}  # Jupyter keeps capitals
    return found


def wrong(path, link):
    """Why a link leads nowhere, or nothing."""
    parts = urlsplit(link)
    if parts.scheme in ("http", "https"):
        good = "." in parts.netloc or parts.hostname in ("localhost", "127.0.0.1")
        return None if good else "is no address"
    if parts.scheme == "mailto":
        return None if "@" in parts.path else "is no address"
    if parts.scheme or link.startswith("/"):
        return "is no link that works for everyone"
    # A lesson's text is read as the notebook that is made from it.
    folder = ROOT / "notebooks" if path.name == "lesson.md" else path.parent
    target = folder / unquote(parts.path) if parts.path else path
    if not target.exists():
        return "does not exist"
    if not target.resolve().is_relative_to(ROOT):
        return "is outside of the project"
    if parts.fragment and target.suffix in (".md", ".ipynb"):
        return None if unquote(parts.fragment) in anchors(target) else "has no such heading"
    return None


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path):
    found = [f"{link} {why}" for link in links(path) if (why := wrong(path, link))]
    assert not found


def test_there_are_links_to_look_at():
    assert sum(len(links(path)) for path in pages()) > 20


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("nowhere.md", "does not exist"),
        ("README.md#no-such-heading", "has no such heading"),
        ("../elsewhere", "does not exist"),
        ("/README.md", "is no link that works for everyone"),
        ("file:///README.md", "is no link that works for everyone"),
        ("https://nowhere", "is no address"),
        ("mailto:nobody", "is no address"),
        ("CONTRIBUTING.md#add-a-rule", None),
        ("#add-a-rule", None),
        ("https://example.org/page", None),
    ],
)
def test_what_counts_as_a_broken_link(link, why):
    assert wrong(ROOT / "CONTRIBUTING.md", link) == why


def test_links_in_code_are_no_links(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "[a](one.md) `[b](two.md)`\n\n```\n[c](three.md)\n```\n\n[d]: four.md\n", "utf-8"
    )
    assert links(page) == ["one.md", "four.md"]
