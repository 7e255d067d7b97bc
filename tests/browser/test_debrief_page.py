"""The page that a debrief is saved as, opened in Chromium without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab_page import open_page
from playwright.sync_api import Browser, Page, expect

from exdec import Game
from exdec.debrief import debrief

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("<img src=x onerror=alert(1)>", "$x$ and $y$", "</script><script>alert(1)</script>")


@pytest.fixture
def page(browser: Browser, tmp_path: Path):
    """A class of two tables with hostile names; nothing may be asked for, or go wrong."""
    for number in (1, 2):
        game = Game([f"{name}{number}" for name in NAMES], months=1)
        first, second, third = game.players
        game.order(first, X=(2, 45), F=(1, 30))
        game.order(second, X=(10, 41 + number))
        game.order(third)
        game.offer(first, A=(1, 140))
        game.offer(second)
        game.offer(third)
        game.save(tmp_path / f"{number}.jsonl", treatment=f"$t$ <b>{number}", table=NAMES[2])
    file = tmp_path / "debrief.html"
    debrief(tmp_path).save(file)
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    wrong: list[str] = []
    context.on("request", lambda request: wrong.append(request.url))
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("dialog", lambda dialog: wrong.append(dialog.message) or dialog.dismiss())
    page.goto(file.as_uri())
    page.locator(".js-plotly-plot .xaxislayer-above").last.wait_for(state="attached")
    yield page
    context.close()
    assert wrong == [file.as_uri()]


def test_one_line_shows_and_saves_ones_own_class(context, lab):
    records = lab.folder / "classes" / "11b-results" / "records"
    records.mkdir(parents=True)
    game = Game(["Ann", "Ben"], months=1)
    game.order("Ann", X=(2, 95), F=(1, 30))
    game.order("Ben")
    game.offer("Ann", A=(1, 140))
    game.offer("Ben")
    game.save(records / "a.jsonl", **{"class": "11b"})
    page = open_page(context.new_page(), lab, "instructor/debrief.ipynb").page
    cell = page.locator(".jp-CodeCell", has_text="class_example").locator(".cm-content")
    cell.click()
    cell.press("ControlOrMeta+a")
    page.keyboard.insert_text('ours = debrief("11b-results")')
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    saved = page.locator(".jp-OutputArea-output", has_text="Saved in")
    expect(saved).to_contain_text("11b: 1 table, 2 firms, 1 month.", timeout=60_000)
    # The end of the page is where Run All leaves you; it leads to the questions.
    end = page.get_by_role("link", name="the whole class", exact=True)
    expect(end).to_be_visible()
    end.click()
    expect(page.get_by_role("heading", name="The whole class")).to_be_in_viewport()
    expect(page.locator(".jp-Notebook")).not_to_contain_text("Amara")
    file = lab.folder / "instructor" / "debrief-11b.html"
    assert "<title>11b: 1 table" in file.read_text("utf-8")


def test_every_chart_is_drawn_and_nothing_goes_sideways(page: Page):
    assert page.locator(".js-plotly-plot").count() == 6
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] == width[1]


def test_the_page_has_one_first_heading_and_leaves_no_level_out(page: Page):
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(one => one.tagName)")
    assert levels[:2] == ["H1", "H2"]
    assert levels.count("H1") == 1
    assert set(levels) == {"H1", "H2", "H3"}


def test_a_phone_cuts_no_word_and_no_number(browser: Browser, tmp_path: Path):
    """The last months of one chart and the first of its neighbour stand apart, and texts end."""
    game = Game(["Maximiliane-Friederike A", "Bartholomew Nebuchadnezz & Cy"], months=5)
    for _ in range(5):
        game.order(game.players[0], X=(2, 95), F=(1, 30))
        game.order(game.players[1])
        game.offer(game.players[0], A=(1, 140))
        game.offer(game.players[1])
    header = {"bots": {game.players[1]: "easy"}, "bot_steps": {game.players[1]: 4}, "steps": 10}
    game.save(tmp_path / "a.jsonl", **header)
    file = tmp_path / "debrief.html"
    debrief(tmp_path).save(file)
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(file.as_uri())
    page.locator(".js-plotly-plot .xaxislayer-above").last.wait_for(state="attached")
    for at in range(page.locator(".js-plotly-plot").count()):
        chart = page.locator(".js-plotly-plot").nth(at)
        right = chart.bounding_box()["x"] + chart.bounding_box()["width"]
        for text in chart.locator(".annotation-text").all():
            box = text.bounding_box()
            assert box["x"] + box["width"] <= right, text.text_content()
        months = [tick.bounding_box() for tick in chart.locator(".xtick text").all()]
        for one in months:
            for other in months:
                beside = abs(one["y"] - other["y"]) < 4 and one["x"] < other["x"]
                assert not beside or one["x"] + one["width"] < other["x"]
    name = page.locator("th[scope=row]", has_text="Maximiliane").first
    # Two lines for two words, and no more.
    assert name.bounding_box()["height"] < 60
    page.close()


def test_names_are_text(page: Page):
    assert page.locator("img").count() == 0
    said = page.locator("main").inner_text()
    for name in NAMES:
        assert f"{name}1" in said
    # In a chart too, and under the pointer.
    labels = page.locator(".js-plotly-plot text").all_text_contents()
    assert any("$t$ <b>1" in label for label in labels)
    assert any("</script><script>alert(1)</script>" in label for label in labels)
    page.locator(".js-plotly-plot").nth(3).locator(".points path").first.hover(force=True)
    page.locator(".hovertext").first.wait_for()
    assert "<img src=x onerror=alert(1)>1" in page.locator(".hovertext").first.text_content()


def test_on_paper_everything_is_unfolded(page: Page):
    assert page.locator("details[open]").count() == 0
    folded = page.locator("details").count()
    page.locator("summary").first.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details[open]").count() == folded > 3
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 1
