"""Every link in a page or notebook leads somewhere; no network is asked."""

from pathlib import Path

import pytest
from page_links import links, wrong

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    not (ROOT / "docs").exists(), reason="beside the wheel there are no pages"
)


def pages():
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("binder", "docs", "exdec", "lessons", "notebooks"):
        for kind in ("*.md", "*.ipynb"):
            found += (ROOT / folder).rglob(kind)
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path):
    found = [f"{link} {why}" for link in links(path) if (why := wrong(ROOT, path, link))]
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
    assert wrong(ROOT, ROOT / "CONTRIBUTING.md", link) == why


def test_links_in_code_are_no_links(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "[a](one.md) `[b](two.md)`\n\n```\n[c](three.md)\n```\n\n[d]: four.md\n", "utf-8"
    )
    assert links(page) == ["one.md", "four.md"]
