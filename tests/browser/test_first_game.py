import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_month_is_played_and_goes_on_after_a_restart(notebook, lab):
    notebook.run_all()
    assert notebook.prices("X-FINE") == [40]
    notebook.bid(X=(2, 45), F=(4, 38), S=(6, 23))
    expect(notebook.form).to_contain_text("12 of 12 units.")
    expect(notebook.form).to_contain_text("$380 of your $600 at stake.")
    notebook.hand_in("order")

    expect(notebook.where).to_contain_text("January (1 of 3) · step 3 of 4: offer")
    # Ben orders 2 of each grade and Cy 4 of each: 8 X-FINE in all, so −2.
    expect(notebook.report).to_contain_text("8 X-FINE ordered, so −2: it posts at $38.")
    expect(notebook.report).to_contain_text("Your $45 is above it")
    notebook.wait_for_prices("X-FINE", [40, 38])
    expect(notebook.form.get_by_label("A, units")).to_be_focused()

    notebook.bid(B=(1, 110))
    notebook.hand_in("offer")
    expect(notebook.where).to_contain_text("February (2 of 3) · step 1 of 4: order")
    expect(notebook.report).to_contain_text("1 B sold for $110.")
    board = notebook.page.locator(".exdec-board")
    expect(board.get_by_role("row", name="X-FINE")).to_contain_text("38▼−2")

    story = notebook.report.inner_text()
    prices = notebook.prices("B")
    notebook.restart_and_run_all()
    expect(notebook.where).to_contain_text("February (2 of 3) · step 1 of 4: order")
    expect(notebook.report).to_have_text(story, use_inner_text=True)
    notebook.wait_for_prices("B", prices)
    assert len((lab.folder / "games" / "first_game.jsonl").read_text().splitlines()) == 3


@pytest.mark.slow
def test_a_mistake_is_told_and_keeps_what_was_typed_and_undo_takes_a_step_back(notebook):
    notebook.run_all()
    notebook.bid(X=(14, 45))
    notebook.hand_in("order")
    expect(notebook.form.get_by_role("alert")).to_contain_text("Take 2 off.")
    expect(notebook.form.get_by_label("X-FINE, units")).to_have_value("14")
    notebook.bid(X=(12, 45))
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text("step 3 of 4: offer")
    notebook.form.get_by_role("button", name="Undo").click()
    expect(notebook.where).to_contain_text("step 1 of 4: order")
    expect(notebook.form.get_by_label("X-FINE, units")).to_have_value("12")
    notebook.wait_for_prices("X-FINE", [40])


@pytest.mark.slow
def test_what_is_typed_while_the_kernel_is_busy_is_what_is_handed_in(open_notebook, lab):
    # JupyterLab holds later keystrokes back until the kernel has answered the first.
    busy = json.loads((lab.folder / "00_start_here.ipynb").read_text("utf-8"))
    (play,) = (cell for cell in busy["cells"] if cell["id"] == "play")
    busy["cells"] = [play, {**play, "id": "busy", "source": "import time; time.sleep(3)"}]
    (lab.folder / "busy.ipynb").write_text(json.dumps(busy), "utf-8")

    notebook = open_notebook("busy.ipynb")
    notebook.menu("Run", "Run All Cells")
    price = notebook.form.get_by_label("X-FINE, price a unit in dollars")
    price.press("Control+a")
    price.press_sequentially("143")
    notebook.form.get_by_label("X-FINE, units").fill("2")
    notebook.hand_in("order")
    expect(notebook.where).to_contain_text("step 3 of 4: offer")
    _, order = (lab.folder / "games" / "first_game.jsonl").read_text("utf-8").splitlines()
    assert json.loads(order)["bids"]["You"] == {"X": [2, 143]}


@pytest.mark.slow
def test_a_double_click_does_not_pass_the_next_step(notebook, lab):
    notebook.run_all()
    notebook.bid(X=(2, 45))
    notebook.form.get_by_role("button", name="Hand in").dblclick()
    expect(notebook.where).to_contain_text("step 3 of 4: offer")
    notebook.form.get_by_label("A, units").fill("1")
    notebook.page.keyboard.press("Tab")
    expect(notebook.form).to_contain_text("1 A cannot be made of 2 X-FINE.")
    assert len((lab.folder / "games" / "first_game.jsonl").read_text("utf-8").splitlines()) == 2


@pytest.mark.slow
def test_impatient_clicks_hand_in_one_step(notebook, lab):
    notebook.run_all()
    mouse, record = notebook.page.mouse, lab.folder / "games" / "first_game.jsonl"
    button = notebook.form.get_by_role("button", name="Hand in")
    for month in range(3):
        for step, (bids, weighed) in enumerate(
            (({"X": (2, 60), "F": (1, 60)}, "up to 1 A"), ({"A": (1, 100)}, "$80 lost if sold"))
        ):
            notebook.bid(**bids)
            expect(notebook.form).to_contain_text(weighed)  # the button moves until then
            button.click(trial=True)
            box = button.bounding_box()
            for _ in range(4):
                mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                notebook.page.wait_for_timeout(120)
            expect(notebook.where).not_to_contain_text(": order" if step == 0 else ": offer")
            notebook.page.wait_for_timeout(1200)
            assert len(record.read_text("utf-8").splitlines()) == 2 + 2 * month + step
            expect(notebook.form.locator(".exdec-message")).to_have_text("")
    expect(notebook.where).to_contain_text("The game ended with March")


@pytest.mark.slow
def test_form_and_chart_stand_side_by_side_or_below_one_another(notebook):
    notebook.run_all()
    chart = notebook.page.locator(".js-plotly-plot")
    left, right = notebook.form.bounding_box(), chart.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    notebook.page.set_viewport_size({"width": 768, "height": 1024})
    expect(notebook.form).to_be_visible()
    notebook.page.wait_for_function(
        """() => document.querySelector('.js-plotly-plot').getBoundingClientRect().top
            > document.querySelector('.exdec-form').getBoundingClientRect().bottom"""
    )
    area = notebook.page.locator(".jp-OutputArea:has(.exdec-style)").first
    assert area.evaluate("area => area.scrollWidth <= area.clientWidth")
    assert chart.bounding_box()["height"] > 300


@pytest.mark.slow
def test_on_a_phone_the_report_stands_above_the_form_and_no_column_beside_the_screen(notebook):
    notebook.run_all()
    page = notebook.page
    page.get_by_role("tab", name="File Browser").click()
    page.set_viewport_size({"width": 390, "height": 844})
    amount = notebook.form.locator(".exdec-live b:not(.exdec-mark)").first
    expect(amount).to_have_text("$0")
    page.wait_for_function(
        """() => document.querySelector('.exdec-report').getBoundingClientRect().bottom
            < document.querySelector('.exdec-form').getBoundingClientRect().top"""
    )
    area = page.locator(".jp-OutputArea:has(.exdec-style)").first.bounding_box()
    right = amount.bounding_box()
    assert right["x"] + right["width"] <= area["x"] + area["width"]


@pytest.mark.slow
def test_amounts_follow_each_key(notebook):
    notebook.run_all()
    units = notebook.form.get_by_label("X-FINE, units")
    units.press_sequentially("14")
    expect(notebook.form.locator(".exdec-live b:not(.exdec-mark)").first).to_have_text("$560")
    expect(notebook.form).to_contain_text("14 of 12 units. Take 2 off.")
    expect(units).to_be_focused()
    expect(units).to_have_value("14")


@pytest.mark.slow
def test_the_end_of_the_page_leads_back_to_the_game(notebook):
    notebook.run_all()
    end = notebook.page.locator(".jp-Notebook .jp-Cell").last
    expect(end).to_be_in_viewport()
    end.get_by_role("link", name="Your game").click()
    expect(notebook.page.get_by_role("heading", name="Your table")).to_be_in_viewport()
    expect(notebook.where).to_be_in_viewport()


@pytest.mark.slow
def test_who_goes_on_cell_by_cell_is_led_to_the_table_and_opens_an_answer_when_ready(notebook):
    page = notebook.page
    on = page.locator("[data-command='notebook:run-cell-and-select-next']:visible").first
    to_the_table = page.locator(".jp-mod-active").get_by_role("link", name="your table is above")
    for _ in range(20):
        on.click()
        if to_the_table.count():
            break
    notebook.wait_for_form()
    to_the_table.click()
    expect(notebook.where).to_be_in_viewport()

    answer = page.get_by_text("it posts at $41")
    page.locator(".jp-mod-active").get_by_role("heading", name="What happened").click()
    for _ in range(6):
        on.click()
    expect(page.get_by_text("What came of the orders", exact=True)).to_be_visible()
    expect(answer).to_be_hidden()
    page.get_by_text("What came of the orders", exact=True).click()
    expect(answer).to_be_visible()
