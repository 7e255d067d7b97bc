"""One's own copy of the kit, as `exdec lab` makes and opens it."""

import pytest
from lab_page import Lab, open_page
from lab_server import running
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    home = tmp_path_factory.mktemp("own")
    with running(home) as server:
        yield Lab(home / "exdec-kit", server.port, server.token, server.pid)


def test_the_first_notebook_plays_a_step_in_the_copy(context, own):
    notebook = open_page(context.new_page(), own, "notebooks/00_start_here.ipynb")
    notebook.run_all()
    notebook.bid(X=(2, 45), F=(4, 38), S=(6, 23))
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text(": offer")
    assert (own.folder / "notebooks" / "games" / "first_game.jsonl").is_file()


def test_the_guide_opens_rendered_by_a_double_click_and_its_links_jump(context, own):
    page = open_page(context.new_page(), own, "notebooks/00_start_here.ipynb").page
    page.locator(".jp-BreadCrumbs-home").click()
    for name in ("lessons", "README.md"):
        page.locator(".jp-DirListing-item", has_text=name).dblclick()
    expect(page.get_by_role("heading", name="The course at a glance")).to_be_visible()
    for link in ("one projector", "paper only"):
        page.get_by_role("link", name=link, exact=True).click()
        heading = page.get_by_role("heading", name=link)
        expect(heading).to_be_in_viewport()
        top = "e => e.getBoundingClientRect().top"
        assert heading.evaluate(top) - page.locator(".jp-MarkdownViewer").evaluate(top) < 60
        page.locator(".jp-MarkdownViewer .jp-RenderedMarkdown").evaluate("e => e.scrollTop = 0")


def test_guide_and_plan_open_rendered_and_lead_back_to_notebooks(context, own):
    page = open_page(context.new_page(), own, "notebooks/instructor/host.ipynb").page
    page.get_by_role("link", name="The teacher's guide").click()
    expect(page.get_by_role("heading", name="The course at a glance")).to_be_visible()
    page.get_by_role("link", name="plan", exact=True).first.click()
    expect(page.get_by_role("heading", name="Wrong answers")).to_be_visible()
    page.get_by_role("link", name="the notebook", exact=True).first.click()
    expect(page.get_by_role("heading", name="1. Where prices come from")).to_be_visible()
    page.get_by_role("tab", name="README.md").click()
    page.get_by_role("link", name="the rules on one page").click()
    expect(page.get_by_role("heading", name="The variation")).to_be_visible()
