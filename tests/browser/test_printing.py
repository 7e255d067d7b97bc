"""Sheets on paper: a real browser prints them, a page for a page, and nothing is cut off."""

import re

import pytest

from exdec import STANDARD, VARIATION
from exdec.printing import save

pytestmark = [pytest.mark.browser, pytest.mark.slow]

POINTS = {"a4": (595, 842), "letter": (612, 792)}

CUT_OFF = """
() => [...document.querySelectorAll(".inner")]
  .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
  .map((one) => one.parentElement.ariaLabel)
"""

# Firefox prints an empty page after a sheet that is as high as its page.
ROOM = """
() => Math.max(...[...document.querySelectorAll(".sheet")]
  .map((one) => one.getBoundingClientRect().height)) * 72 / 96
"""


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("players", "rules"), [(2, STANDARD), (6, VARIATION.vary(months=6))])
def test_each_sheet_fills_one_page_and_nothing_is_cut_off(browser, tmp_path, paper, players, rules):
    done = save(tmp_path / "sheets.html", (), rules, players, paper)
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(done.path.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(ROOM) < POINTS[paper][1] - 0.2
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert {(round(float(w)), round(float(h))) for w, h in sizes} == {POINTS[paper]}
    assert len(sizes) == done.pages
    assert asked == [done.path.as_uri()]
