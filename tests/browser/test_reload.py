import pytest
from lab_page import Notebook, save, sit_down
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOLO = """from exdec.notebook import solo

solo(["cautious", "full capacity"], months=3)"""

HOT_SEAT = """from exdec.notebook import hot_seat

hot_seat(["Ann", "Ben"], months=2)"""


def load_again(notebook: Notebook) -> None:
    """Load the page again while the kernel lives; what it shows then is made of widgets."""
    page = notebook.page
    page.reload()
    expect(page.locator(".exdec-part")).to_have_count(4, timeout=60_000)
    # What the page kept from before is not to be seen.
    expect(notebook.where).to_have_count(1)


def test_everything_moves_on_after_the_page_is_loaded_again(open_notebook, write, lab):
    notebook = open_notebook(write("solo.ipynb", SOLO))
    notebook.run_all()
    notebook.bid(X=(2, 45))
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text("step 3 of 4: offer")
    save(notebook, lab, "solo.ipynb")
    load_again(notebook)
    notebook.form.get_by_role("button", name="Hand in").click()
    expect(notebook.form).to_contain_text("To pass, press Hand in once more.")
    notebook.hand_in("offer")
    expect(notebook.where).to_contain_text("February (2 of 3) · step 1 of 4: order")
    expect(notebook.report).to_contain_text("January, goods")
    board = notebook.page.locator(".exdec-part .exdec-board")
    expect(board.get_by_role("row", name="X-FINE")).to_contain_text("38▼−2")
    chart = notebook.page.locator(".exdec-part .js-plotly-plot")
    expect(chart).to_be_visible()
    # One cautious rival and one with full capacity offer 1, 4 and 1.
    notebook.page.wait_for_function(
        "() => document.querySelector('.exdec-part .js-plotly-plot')?.data?.[0].y.length === 2"
    )


@pytest.mark.slow
def test_nothing_of_who_sat_at_the_machine_comes_back_with_the_page(open_notebook, write, lab):
    notebook = open_notebook(write("two.ipynb", HOT_SEAT))
    page = notebook.page
    notebook.menu("Run", "Run All Cells")
    for player, price in (("Ann", 77), ("Ben", 45)):
        sit_down(notebook, player)
        notebook.bid(X=(1, price))
        notebook.form.get_by_role("button", name="Hand in").click()
    sit_down(notebook, "Ann")
    expect(page.locator(".exdec-part .exdec-report")).to_contain_text("Your $77")
    kept = save(notebook, lab, "two.ipynb")
    assert "2 X-FINE ordered" in kept
    assert "$77" not in kept
    # Ann still sits there, and reads her own report.
    load_again(notebook)
    expect(notebook.report).to_contain_text("Your $77")
    notebook.form.get_by_role("button", name="Hand in").click()
    expect(notebook.form).to_contain_text("To pass, press Hand in once more.")
    notebook.form.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("button", name="I am Ben")).to_be_visible()
    expect(notebook.report).not_to_contain_text("$77")
    assert "$77" not in page.content()
    load_again(notebook)
    expect(page.get_by_role("button", name="I am Ben")).to_be_visible()
    assert "$77" not in page.content()
