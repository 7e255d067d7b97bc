"""The documentation site: nothing is left out of it, and it needs nobody else's server."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="beside the wheel there are no pages")


def test_the_reference_has_every_module_once():
    pages = (DOCS / "reference").glob("*.rst")
    told = [
        name
        for page in pages
        for name in re.findall(r"^\.\. automodule:: (\S+)$", page.read_text("utf-8"), re.M)
    ]
    files = [*(ROOT / "exdec").rglob("*.py")]
    names = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    packages = {name.removesuffix(".__init__") for name in names.values()}
    modules = {name for file, name in names.items() if not file.name.startswith("__")}
    assert len(told) == len(set(told))
    assert modules <= set(told) <= packages


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sphinx") is None, reason="uv run --group docs pytest")
def test_the_site_builds_without_a_warning_and_asks_nobody_else(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-c", str(DOCS), str(ROOT)]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = sorted(tmp_path.rglob("*.html"))
    names = {str(page.relative_to(tmp_path)) for page in pages}
    assert names >= {"index.html", "docs/rules.html", "notebooks/01_prices.html"}
    outside = re.compile(
        r"<(?:script|img|iframe|source)\b[^>]*\ssrc=\"(?:https?:)?//"
        r"|<link\b[^>]*rel=\"(?:stylesheet|preload|preconnect|icon)\"[^>]*href=\"(?:https?:)?//"
    )
    assert [page.name for page in pages if outside.search(page.read_text("utf-8"))] == []
    for sheet in tmp_path.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8"))
