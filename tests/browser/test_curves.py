import pytest
from axe_playwright_python.sync_playwright import Axe
from lab_page import save
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BUILT = """from exdec.lessons.explore.prices import calculator_as_a_line

calculator_as_a_line()"""

EXPLORED = """from exdec.lessons.explore.prices import my_own_order

my_own_order()"""


def traces(page, many):
    """Wait until the chart that is seen draws so many points, lines and areas."""
    page.wait_for_function(
        """many => [...document.querySelectorAll('.js-plotly-plot')]
            .some(chart => chart.offsetParent && chart.data.length === many)""",
        arg=many,
    )


def test_a_chart_is_built_up_by_keyboard_and_goes_on_after_the_page_is_loaded_again(
    open_notebook, write, lab
):
    notebook = open_notebook(write("built.ipynb", BUILT))
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    after = page.get_by_role("button", name="Next")
    after.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".exdec-steps")).to_contain_text("Step 2 of 6")
    expect(page.locator(".exdec-says:visible")).to_contain_text("5 units ordered: $35.")
    traces(page, 2)
    seen = {"include": [[".exdec-steps"], [".exdec-says"], [".exdec-all-steps"]]}
    found = Axe().run(page, context=seen).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    save(notebook, lab, "built.ipynb")
    page.reload()
    expect(page.locator(".exdec-part").first).to_be_attached(timeout=60_000)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".exdec-steps")).to_contain_text("Step 3 of 6")
    traces(page, 3)


def test_a_slider_is_moved_by_keyboard_and_keeps_the_keyboard(open_notebook, write):
    notebook = open_notebook(write("explored.ipynb", EXPLORED))
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    expect(page.locator(".exdec-head")).to_contain_text("How many units can you order")
    mine = page.get_by_role("slider").nth(1)
    mine.focus()
    for units, word in ((2, "enough"), (3, "enough"), (4, "below it: you buy none")):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".exdec-says:visible")).to_contain_text(f"12 + {units} =")
        expect(page.locator(".exdec-says:visible")).to_contain_text(word)
    expect(mine).to_be_focused()
