import json
import re
from pathlib import Path

import pytest
from lab_page import Notebook, save, sit_down
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOT_SEAT = """from exdec.notebook import hot_seat

room = hot_seat(["Ann", "Ben", "Cy"], months=2, record="games/three.jsonl")
room"""

SECRET = re.compile(r"(?<![0-9a-f-])(4,?321|8,?642)(?![0-9a-f-])")
"""Ann's bid and what it comes to; not four digits within a random name."""


CUT = """() => [...document.querySelectorAll(
    '.jp-OutputArea :is(.jupyter-button, .exdec-pin .widget-label, .exdec-form span)'
)].filter(one => one.offsetParent && one.clientWidth && one.scrollWidth > one.clientWidth + 1)
    .map(one => one.innerText)"""
"""What is on the page and does not show all of its text."""


@pytest.fixture
def heard(context) -> list[str]:
    """Every frame that a page receives over its websockets, in order."""
    frames: list[str] = []

    def listen(socket) -> None:
        socket.on(
            "framereceived",
            lambda frame: frames.append(
                frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
            ),
        )

    context.on("page", lambda page: page.on("websocket", listen))
    return frames


def run(notebook: Notebook) -> None:
    notebook.menu("Run", "Run All Cells")
    expect(notebook.where).to_be_visible(timeout=30_000)


def order(notebook: Notebook, player: str, units: int, price: int) -> None:
    sit_down(notebook, player)
    notebook.bid(X=(units, price))
    notebook.hand_in("order")


def test_nothing_of_a_bid_is_left_on_the_page_after_the_curtain(
    heard, open_notebook, write, lab, context
):
    notebook = open_notebook(write("three.ipynb", HOT_SEAT))
    page = notebook.page
    run(notebook)
    sit_down(notebook, "Ann", pin="2580")
    notebook.bid(X=(2, 4321))
    page.keyboard.press("Tab")
    expect(notebook.form).to_contain_text("$8,642")
    assert any(SECRET.search(frame) for frame in heard)
    notebook.hand_in("order")
    expect(notebook.form).to_contain_text("To take the risk, press Hand in once more.")
    notebook.hand_in("order")
    expect(page.get_by_text("Pass the machine to Ben")).to_be_visible()
    expect(page.get_by_role("button", name="I am Ben")).to_be_focused()
    del heard[:]
    order(notebook, "Ben", 1, 45)
    order(notebook, "Cy", 1, 45)
    expect(page.get_by_text("Pass the machine to Ann")).to_be_visible()
    expect(notebook.report).to_contain_text("4 X-FINE ordered, so −6: it posts at $34.")
    expect(notebook.report).to_contain_text("told at your own turn, behind the curtain")
    notebook.wait_for_prices("X-FINE", [40, 34])
    assert heard
    assert not any(SECRET.search(frame) for frame in heard)
    assert not SECRET.search(page.content())
    everything = save(notebook, lab, "three.ipynb")
    assert "4 X-FINE ordered" in everything
    assert not SECRET.search(everything)
    assert "2580" not in re.sub("[0-9a-f]{32}|[0-9a-f-]{36}", "", everything)

    sit_down(notebook, "Ann", pin="1234")
    expect(page.get_by_role("alert").filter(has_text="This is not Ann's PIN")).to_be_visible()
    sit_down(notebook, "Ann", pin="2580")
    expect(notebook.report).to_contain_text("Your $4,321 would buy 2")


@pytest.mark.slow
def test_half_a_step_goes_on_after_a_restart_of_the_kernel(open_notebook, write, lab):
    notebook = open_notebook(write("three.ipynb", HOT_SEAT))
    run(notebook)
    order(notebook, "Ann", 2, 45)
    expect(notebook.page.get_by_text("Pass the machine to Ben")).to_be_visible()
    notebook.page.locator(".exdec-curtain").evaluate("old => old.classList.add('from-before')")
    notebook.menu("Kernel", "Restart Kernel and Run All Cells…")
    notebook.page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.page.locator(".exdec-curtain:not(.from-before)")).to_be_visible()
    order(notebook, "Ben", 1, 45)
    order(notebook, "Cy", 1, 45)
    expect(notebook.page.get_by_text("Pass the machine to Ann")).to_be_visible()
    _, step = Path(lab.folder, "games", "three.jsonl").read_text("utf-8").splitlines()
    assert json.loads(step)["bids"]["Ann"] == {"X": [2, 45]}
    assert [path.name for path in Path(lab.folder, "games").iterdir()] == ["three.jsonl"]


@pytest.mark.slow
def test_the_curtain_is_opened_and_the_form_filled_in_by_keyboard(open_notebook, write):
    notebook = open_notebook(write("three.ipynb", HOT_SEAT))
    page = notebook.page
    run(notebook)
    page.locator(".exdec-pin input").focus()
    page.keyboard.type("2580")
    page.keyboard.press("Enter")
    expect(notebook.form.get_by_label("X-FINE, units")).to_be_visible()
    page.keyboard.press("Tab")
    expect(notebook.form.get_by_label("X-FINE, units")).to_be_focused()
    page.keyboard.type("2")
    for _ in range(5):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # in the last field, this hands in
    button = page.get_by_role("button", name="I am Ben")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(notebook.form.get_by_label("X-FINE, units")).to_be_visible()


@pytest.mark.slow
def test_in_large_type_no_button_is_cut_and_the_room_reads_whose_turn_it_is(open_notebook, write):
    source = HOT_SEAT.replace("months=2", "months=2, large=True")
    notebook = open_notebook(write("large.ipynb", source))
    page = notebook.page
    run(notebook)
    assert page.evaluate(CUT) == []
    sit_down(notebook, "Ann")
    notebook.bid(X=(1, 45))
    assert page.evaluate(CUT) == []
    page.locator(".jp-WindowedPanel-outer").evaluate("all => all.scrollTo(0, all.scrollHeight)")
    notebook.form.get_by_role("button", name="Hand in").evaluate("button => button.click()")
    expect(page.get_by_text("Pass the machine to Ben")).to_be_in_viewport(ratio=1)
    assert page.evaluate(CUT) == []


@pytest.mark.slow
def test_an_exhibition_is_stepped_through_played_through_and_begun_again(open_notebook, write):
    source = "from exdec.notebook import watch\n\nwatch(['cautious', 'full capacity'], months=2)"
    notebook = open_notebook(write("watch.ipynb", source))
    page = notebook.page
    run(notebook)
    page.get_by_role("button", name="Next step").click()
    expect(notebook.report).to_contain_text("January, materials")
    notebook.wait_for_prices("X-FINE", [40, 39])
    page.get_by_role("button", name="Play through").click()
    expect(notebook.where).to_contain_text("February (2 of 2) · step 1 of 4")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play through")).to_be_visible()
    page.get_by_role("button", name="Play through").click()
    expect(notebook.where).to_contain_text("The game ended with February")
    expect(page.locator(".exdec-ending")).to_be_visible()
    expect(page.get_by_role("button", name="Play through")).to_be_disabled()
    page.get_by_role("button", name="Start again").click()
    expect(notebook.where).to_contain_text("January (1 of 2) · step 1 of 4")
    notebook.wait_for_prices("X-FINE", [40])


@pytest.mark.slow
def test_a_replay_is_gone_through_by_arrow_keys(open_notebook, write):
    source = (
        "from exdec.notebook import replay\nfrom exdec.play import play\n"
        "from exdec import STANDARD\nfrom exdec.bots import make_bot\n\n"
        "bots = {'Ann': make_bot('cautious'), 'Ben': make_bot('full capacity')}\n"
        "replay(play(STANDARD.vary(months=2), bots, seed=1))"
    )
    notebook = open_notebook(write("replay.ipynb", source))
    page = notebook.page
    run(notebook)
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(notebook.where).to_have_text("After January, materials")
    page.keyboard.press("ArrowRight")
    expect(notebook.where).to_have_text("After January, goods")
    page.keyboard.press("ArrowLeft")
    expect(notebook.where).to_have_text("After January, materials")
    expect(notebook.report).to_contain_text("This is the teacher's view")
    page.keyboard.press("End")
    expect(notebook.where).to_have_text("The game ended with February")
    expect(page.locator(".exdec-ending")).to_be_visible()
    page.get_by_role("button", name="One step back").click()
    expect(notebook.where).to_have_text("After February, materials")


@pytest.mark.slow
def test_the_start_panel_gives_way_to_the_table(open_notebook, write, lab):
    source = "from exdec.notebook import start\n\nstart()"
    notebook = open_notebook(write("start.ipynb", source))
    page = notebook.page
    run(notebook)
    begin = page.get_by_role("button", name="Start", exact=True)
    expect(begin).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="In turns on this machine").click()
    expect(page.locator(".exdec-start")).to_contain_text("Write their names with commas")
    expect(begin).to_be_disabled()
    page.get_by_label("Names", exact=True).fill("Ann, Ben")
    expect(page.locator(".exdec-start")).to_contain_text("2 firms: Ann, Ben. 12 months")
    page.get_by_role("button", name="Alone", exact=True).click()
    page.get_by_label("Your name").fill("Ann")
    rivals = [page.get_by_label(f"Rival {seat}", exact=True) for seat in range(1, 7)]
    expect(rivals[2]).to_be_hidden()
    page.get_by_label("Rivals", exact=True).select_option("5")
    expect(rivals[4]).to_be_visible()
    rivals[4].focus()
    page.keyboard.press("Space")  # while the list is closed, letters are JupyterLab's shortcuts
    page.keyboard.type("random")
    page.keyboard.press("Enter")
    expect(page.locator(".exdec-start")).to_contain_text("Ann, Ben (cautious)")
    expect(page.locator(".exdec-start")).to_contain_text("Flo (random). 12 months")
    expect(begin).to_be_in_viewport(ratio=1)
    page.get_by_label("Rivals", exact=True).select_option("2")
    expect(page.locator(".exdec-start")).to_contain_text("Cy (full capacity). 12 months")
    begin.click()
    expect(page.locator(".exdec-start")).to_have_count(0)
    notebook.wait_for_prices("X-FINE", [40])
    notebook.bid(X=(2, 45))
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text("step 3 of 4: offer")
    # Ben orders 2 of each grade and Cy 4 of each.
    notebook.wait_for_prices("X-FINE", [40, 38])
    assert Path(lab.folder, "games", "ann-1.jsonl").exists()
