import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from exdec.record import read

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORD = "games/first_game.jsonl"


def serious(notebook, *parts):
    """What axe-core finds seriously wrong in parts of the view, as text."""
    found = Axe().run(notebook.page, context={"include": [[part] for part in parts]}).response
    return [
        f"{one['id']}: {node['html']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def test_three_months_are_played_to_the_end_and_then_again(notebook, lab):
    notebook.run_all()
    form, page = notebook.form, notebook.page
    for _ in range(3):
        notebook.bid(X=(2, 60), F=(1, 60))
        expect(form).to_contain_text("All of it would make up to 1 A")
        notebook.hand_in("order")
        expect(notebook.where).to_contain_text(": offer")
        expect(form).to_contain_text("One costs you $180.")
        notebook.bid(A=(1, 100))
        expect(form).to_contain_text("$100 for A is below what it costs you: $80 lost if sold.")
        notebook.hand_in("offer")
        expect(notebook.report).to_contain_text("1 A sold for $100.")
    expect(notebook.where).to_contain_text("The game ended with March")
    expect(page.locator(".exdec-ending")).to_contain_text("Your loss is $240.")
    expect(form.get_by_role("button", name="Hand in")).to_be_hidden()
    # A formula would be hidden; the chart names each firm beside its bar.
    expect(page.locator(".js-plotly-plot .annotation", has_text="You")).to_be_visible()

    page.get_by_label("What if, from").select_option("March, offer")
    page.get_by_role("button", name="Decide it anew").click()
    expect(notebook.where).to_contain_text("March (3 of 3) · step 3 of 4: offer")
    expect(form.get_by_label("A, units")).to_be_focused()
    notebook.bid(A=(1, 130))
    notebook.hand_in("offer")
    expect(notebook.where).to_contain_text("The game ended with March")
    page.get_by_role("button", name="Play again with the same rivals").click()
    expect(notebook.where).to_contain_text("January (1 of 3) · step 1 of 4: order")
    notebook.wait_for_prices("X-FINE", [40])
    first, second = read(lab.folder / RECORD), read(lab.folder / "games/first_game-2.jsonl")
    assert first.steps[-1].bids["You"] == {"A": (1, 100)}
    assert second.steps[-1].bids["You"] == {"A": (1, 130)}


def test_three_months_are_played_by_keyboard_alone(notebook, lab):
    notebook.run_all()
    keyboard = notebook.page.keyboard
    first = notebook.form.get_by_label("X-FINE, units")
    for _ in range(100):
        if first.evaluate("field => field === document.activeElement"):
            break
        keyboard.press("Tab")
    for month in ("February", "March", None):
        # Tab goes from field to field, and Enter to the next line; there it hands in.
        for key in ("2", "Tab", "6", "5", "Enter"):
            keyboard.press(key)
        expect(notebook.form.get_by_label("FINE, units", exact=True)).to_be_focused()
        for key in ("1", "Tab", "6", "5", "Tab", "Enter"):
            keyboard.press(key)
        expect(notebook.where).to_contain_text(": offer")
        expect(notebook.form.get_by_label("A, units")).to_be_focused()
        keyboard.press("1")
        # Past the other five fields, to the button.
        for _ in range(6):
            keyboard.press("Tab")
        expect(notebook.form.get_by_role("button", name="Hand in")).to_be_focused()
        keyboard.press("Space")
        if month:
            expect(notebook.where).to_contain_text(month)
            expect(first).to_be_focused()
    expect(notebook.where).to_contain_text("The game ended with March")
    steps = read(lab.folder / RECORD).steps
    assert [step.bids["You"] for step in steps] == [
        {"X": (2, 65), "F": (1, 65)},
        {"A": (1, 140)},
    ] * 3


@pytest.mark.slow
def test_what_is_typed_wrong_stays_and_is_explained_and_undo_brings_bids_back(notebook):
    notebook.run_all()
    units = notebook.form.get_by_label("X-FINE, units")
    units.fill("ten")
    units.press("Tab")
    expect(notebook.form).to_contain_text("X-FINE, units: 'ten' is not a number in digits.")
    notebook.hand_in("order")
    expect(notebook.form.get_by_role("alert")).to_contain_text("Write it like 10.")
    expect(units).to_have_value("ten")
    notebook.bid(X=(3, 55))
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text(": offer")
    notebook.form.get_by_role("button", name="Undo").click()
    expect(notebook.where).to_contain_text(": order")
    expect(units).to_have_value("3")
    expect(notebook.form.get_by_role("button", name="Undo")).to_be_hidden()


BESIDE = """() => {
  const [form, sheets] = [".exdec-form", ".exdec-sheets"].map((one) =>
    document.querySelector(one).getBoundingClientRect(),
  );
  return Math.abs(sheets.top - form.top) < 20 && sheets.left > form.right;
}"""


@pytest.mark.parametrize("theme", ["Light", pytest.param("Dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious(notebook, theme):
    page = notebook.page
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.get_by_text("Theme", exact=True).hover()
    page.get_by_text(f"JupyterLab {theme}", exact=True).click()
    light = str(theme == "Light").lower()
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)
    notebook.run_all()
    page.get_by_role("button", name="Price table").click()
    expect(page.locator(".exdec-sheets")).to_be_visible()
    assert page.evaluate(BESIDE)  # where who clicked can see it
    page.get_by_role("button", name="Market Calculator").click()
    page.get_by_role("button", name="Tally sheet").click()
    expect(page.get_by_role("region", name="Tally sheet")).to_be_visible()
    notebook.bid(X=(14, 90))
    notebook.hand_in("order")
    expect(notebook.form.get_by_role("alert")).to_contain_text("Take 2 off.")
    parts = (".exdec-head", ".exdec-report", ".exdec-seat", ".exdec-board", ".exdec-tally")
    assert serious(notebook, *parts) == []
    for _ in range(3):
        notebook.bid(X=(2, 60), F=(1, 60))
        notebook.hand_in("order")
        notebook.bid(A=(1, 100))
        notebook.hand_in("offer")
    expect(notebook.where).to_contain_text("ended")
    assert serious(notebook, ".exdec-ending", *parts) == []


@pytest.mark.slow
def test_twelve_months_fit_beside_one_another(open_notebook, lab):
    whole = json.loads((lab.folder / "00_start_here.ipynb").read_text("utf-8"))
    (cell,) = (cell for cell in whole["cells"] if cell["id"] == "play")
    cell["source"] = """from exdec.notebook import solo
mine = solo(["cautious"])
for _ in range(24):
    mine.table.hand_in("You", {})
mine"""
    whole["cells"] = [cell]
    (lab.folder / "twelve.ipynb").write_text(json.dumps(whole), "utf-8")
    notebook = open_notebook("twelve.ipynb")
    notebook.page.get_by_role("tab", name="File Browser").click()
    notebook.menu("Run", "Run All Cells")
    board = notebook.page.locator(".exdec-board .exdec-scroll")
    expect(board).to_contain_text("Dec")
    assert board.evaluate("board => board.scrollWidth - board.clientWidth") <= 0
