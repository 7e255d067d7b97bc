import json
import shutil
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab_page import Lab, Notebook, save
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTEBOOK = "instructor/host.ipynb"


class Panel:
    """The instructor's panel, as a person uses it."""

    def __init__(self, notebook: Notebook, lab: Lab) -> None:
        self.notebook = notebook
        self.lab = lab
        self.page: Page = notebook.page
        self.view = self.page.locator(".exdec-host")
        self.keys: list[str] = []

    def run(self) -> None:
        self.notebook.menu("Run", "Run All Cells")
        expect(self.view.get_by_role("button").first).to_be_visible(timeout=60_000)

    def press(self, name: str) -> None:
        self.view.get_by_role("button", name=name, exact=True).click()

    def open(self, **fields: str) -> None:
        for label, text in fields.items():
            self.view.get_by_label(label.replace("_", " ")).fill(text)
        self.press("Open the class")
        expect(self.view.get_by_role("link", name="Open the projector")).to_be_visible()

    def say(self, **message: object) -> dict:
        """What a pupil's phone says."""
        url = f"http://127.0.0.1:{self.lab.port}/exdec/say"
        headers = {"Content-Type": "application/json"}
        with urlopen(Request(url, json.dumps(message).encode(), headers)) as answer:
            return json.load(answer)["messages"][0]

    def join(self, *names: str) -> None:
        code = self.view.locator(".exdec-code strong").inner_text().replace(" ", "")
        for name in names:
            joined = self.say(t="join", code=code, name=name, once=f"the phone of {name:_<12}")
            self.keys.append(joined["key"])
            self.say(t="hello", key=joined["key"])

    def bid(self, pupil: int, **bids: list[int]) -> None:
        key = self.keys[pupil]
        turn = self.say(t="hello", key=key)["turn"]
        receipt = self.say(t="bid", key=key, id=f"bid {pupil} {turn}", turn=turn, bids=bids)
        assert receipt["ok"], receipt

    def theme(self, name: str) -> None:
        self.page.get_by_role("menuitem", name="Settings", exact=True).click()
        self.page.get_by_text("Theme", exact=True).hover()
        self.page.get_by_text(f"JupyterLab {name}", exact=True).click()
        light = str(name == "Light").lower()
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", light)

    def serious(self) -> list[str]:
        """What axe-core finds seriously wrong."""
        found = Axe().run(self.page, context={"include": [[".exdec-host"]]}).response
        return [
            f"{one['id']}: {node['html']} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    def wide_enough(self) -> bool:
        return self.view.evaluate("view => view.scrollWidth <= view.clientWidth")


@pytest.fixture
def panel(open_notebook, lab):
    panel = Panel(open_notebook(NOTEBOOK), lab)
    panel.run()
    yield panel
    # One class is open at a time, and the server serves the other tests too.
    if panel.view.get_by_role("link", name="Open the projector").is_visible():
        delete = panel.view.get_by_role("button", name="Delete the class")
        if not delete.is_visible():
            panel.press("The class ▸")
        delete.click()
        panel.press("Really delete it")
        expect(panel.view).to_contain_text("is gone.")
    shutil.rmtree(lab.folder / "classes", ignore_errors=True)


def test_a_class_is_opened_run_and_closed(panel, context, lab):
    view, page = panel.view, panel.page
    expect(view).to_contain_text("24 pupils: 6 tables of 4.")
    panel.open(Title="Economics 11b", Seconds_for_each_step="0", Pupils_you_expect="4")
    expect(view.get_by_role("button", name="People ▸")).to_be_focused()
    panel.join("Ann", "Ben", "Cy", "Dee")
    expect(view).to_contain_text("4 pupils in the class")

    with context.expect_page() as opened:
        view.get_by_role("link", name="Open the projector").click()
    projector = opened.value
    expect(projector.get_by_text("Economics 11b").first).to_be_visible()
    assert projector.url == f"http://127.0.0.1:{lab.port}/exdec/host"
    projector.close()

    # What another page sets is shown here, and not put back.
    panel.press("The class ▸")
    with context.expect_page() as opened:
        view.get_by_role("link", name="Slips and controls").click()
    opened.value.get_by_label("Months").select_option("5")
    opened.value.locator("#c-before").get_by_role("button", name="Set").click()
    months = view.get_by_label("Months of the game")
    expect(months.locator("option:checked")).to_have_text("5")
    opened.value.close()
    view.get_by_label("Bots play at level").select_option("hard")
    panel.press("Set these")
    expect(view).to_contain_text("Chosen: 5 months, 4 places at a table, hard bots.")
    panel.press("The class ▾")

    panel.press("Start the game")
    expect(view).to_contain_text("0 of 4 have handed in.")
    panel.bid(0, X=[2, 45])
    expect(view).to_contain_text("✓ Ann")
    expect(view).to_contain_text("Waiting for Ben, Cy, Dee.")

    # By keyboard: the question offers first to leave things as they are.
    view.get_by_role("button", name="Close the step now").press("Enter")
    expect(view.get_by_text("Who has not handed in passes.")).to_be_visible()
    cancel = view.get_by_role("button", name="Cancel")
    expect(cancel).to_be_focused()
    cancel.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(view).to_contain_text("January, offers of goods")
    panel.notebook.wait_for_prices("X-FINE", [40, 32])
    panel.press("Take it back")
    panel.press("Take it back")
    expect(view).to_contain_text("January, offers of goods")

    # The kernel may die; the class does not notice.
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Restart Kernel and Run All Cells…", exact=True).click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    stale = page.locator(".exdec-host.jupyter-widgets-disconnected")
    expect(stale).to_have_count(0, timeout=60_000)
    expect(view).to_contain_text("Economics 11b · January, offers of goods", timeout=60_000)
    panel.bid(1)
    expect(view).to_contain_text("✓ Ben")

    text = save(panel.notebook, lab, NOTEBOOK)
    assert "Economics 11b" not in text
    assert "#k=" not in text

    panel.press("The class ▸")
    panel.press("Close the class")
    panel.press("Really close it")
    expect(view).to_contain_text("The class is over")
    panel.press("Export everything")
    expect(view.locator(".exdec-copy")).to_contain_text('-results")')
    assert list((lab.folder / "classes").glob("*-results/records/*.jsonl"))


@pytest.mark.slow
def test_a_paper_tally_is_keyed_in_without_the_mouse(panel):
    panel.open(Seconds_for_each_step="0")
    panel.join("Ann", "Ben")
    panel.press("Start the game")
    panel.press("Paper tally ▸")
    view, keyboard = panel.view, panel.page.keyboard
    first = view.get_by_label("X-FINE, units")
    expect(first).to_be_visible()  # what is folded away takes no focus
    first.focus()
    for keys in ("2", "45", "1", "33", ""):
        keyboard.type(keys)
        keyboard.press("Tab")
    keyboard.press("Enter")
    expect(view).to_contain_text("Handed in for Ann.")
    expect(view.get_by_label("X-FINE, units")).to_be_focused()
    expect(view.get_by_label("X-FINE, units")).to_have_value("")
    expect(view.get_by_label("X-FINE, price in dollars")).to_have_value("")
    expect(view.get_by_label("Place", exact=True).last).to_contain_text("Ben")
    assert panel.say(t="hello", key=panel.keys[0])["sealed"]["bids"] == {"X": [2, 45], "F": [1, 33]}


@pytest.mark.slow
def test_a_page_that_is_loaded_again_shows_the_class(panel, lab):
    panel.open(Title="Economics 11b")
    save(panel.notebook, lab, NOTEBOOK)
    panel.page.reload()
    expect(panel.view).to_contain_text("Economics 11b · pupils join", timeout=60_000)
    panel.join("Ann")
    expect(panel.view).to_contain_text("1 pupil in the class")


@pytest.mark.parametrize("theme", ["Light", pytest.param("Dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(panel, theme):
    panel.theme(theme)
    panel.page.get_by_role("tab", name="File Browser").click()
    for fold in ("A list of names ▸", "Every other rule ▸", "An experiment ▸"):
        panel.press(fold)
    panel.view.get_by_label("Names, one a line").fill("Ann\nBen\nCy\n")
    panel.view.get_by_label("Pupils you expect").is_hidden()
    assert panel.serious() == []
    panel.view.get_by_label("Two groups of tables play different games").check()
    expect(panel.view.get_by_label("Name of the group").first).to_be_visible()
    assert panel.serious() == []
    panel.press("Open the class")
    panel.press("Start the game")
    for fold in ("Back and forward ▸", "People ▸", "Paper tally ▸", "The class ▸", "Export ▸"):
        panel.press(fold)
    panel.press("Show the standings")
    panel.press("Send out")
    expect(panel.view.get_by_text("Ann: Send this pupil out?")).to_be_visible()
    assert panel.serious() == []
    for width in (1280, 600):
        panel.page.set_viewport_size({"width": width, "height": 900})
        assert panel.wide_enough()
