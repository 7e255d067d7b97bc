"""Lesson 2 as a learner does it."""

import json
import shutil

import pytest
from lab_page import Notebook
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "02_demand.ipynb"


@pytest.fixture
def lesson(open_notebook, lab):
    yield open_notebook(NAME)
    shutil.rmtree(lab.folder / "games", ignore_errors=True)
    for file in ("progress.json", ".progress.json.lock", "class_demand.csv"):
        (lab.folder / file).unlink(missing_ok=True)


@pytest.fixture
def cell(lesson, lab):
    """Find a cell by what its source begins or ends with, and bring it into sight."""
    sources = [
        "".join(one["source"]) for one in json.loads((lab.folder / NAME).read_text())["cells"]
    ]

    def find(source: str) -> Locator:
        at = next(k for k, one in enumerate(sources) if one.endswith(source))
        found = lesson.page.locator(".jp-Notebook .jp-Cell").nth(at)
        found.scroll_into_view_if_needed()
        return found

    return find


def idle(notebook: Notebook) -> None:
    there = notebook.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    expect(there).to_be_visible(timeout=60_000)


def run(lesson: Notebook, cell: Locator) -> None:
    cell.locator(".cm-content").click()
    lesson.page.keyboard.press("Control+Enter")


def test_lesson_2_is_predicted_played_checked_and_still_there_after_a_restart(lesson, cell, lab):
    page = lesson.page
    lesson.menu("Run", "Run All Cells")
    idle(lesson)

    # Run All leaves the page at its end, which leads back up; and it shows no answers yet.
    end = page.locator(".jp-Notebook .jp-Cell").last
    end.get_by_role("link", name="Predict, then play").click()
    expect(page.get_by_role("heading", name="Predict, then play")).to_be_in_viewport()
    worths = cell("display(worth_by_month(mine))")
    expect(worths).to_contain_text("This shows what 02-1 and 02-4 ask.")
    expect(worths.locator(".js-plotly-plot")).to_have_count(0)

    predict = cell('predict("02-a")')
    predict.get_by_label("X-FINE posts in January at, in dollars").fill("44")
    predict.get_by_label("After January, X-FINE in a B is worth, in dollars").fill("$70")
    page.keyboard.press("Enter")
    expect(predict).to_contain_text("Your forecast: X-FINE posts in January at $44.")

    cell("\ntable")
    lesson.bid(X=(2, 55), F=(2, 45), S=(2, 35))
    lesson.hand_in("order")
    expect(lesson.where).to_contain_text(": offer")
    lesson.bid(B=(2, 100))
    lesson.hand_in("offer")
    expect(lesson.where).to_contain_text("February")

    # The exercise was asked about the recorded game; now it is about the learner's own.
    ask = cell('ask("02-3")')
    field, check = ask.locator("input"), ask.get_by_role("button", name="Check")
    field.fill("55")
    check.click()
    expect(ask.get_by_role("alert")).to_contain_text("You have played on since this was asked")
    ask.locator("input").fill("$1")
    check.click()
    expect(ask.get_by_role("alert").first).to_contain_text("Not yet.")
    expect(ask).to_contain_text("In your game.")
    ask.get_by_role("button", name="First hint").click()
    expect(ask).to_contain_text("As in 02-2, with the new prices.")
    prices = json.loads((lab.folder / "games" / "lesson_02.jsonl").read_text().splitlines()[2])
    orders = json.loads((lab.folder / "games" / "lesson_02.jsonl").read_text().splitlines()[1])
    a, f = prices["check"]["prices"]["A"], orders["check"]["prices"]["F"]
    ask.locator("input").fill(str((a - f) / 2))
    page.keyboard.press("Enter")
    expect(ask).to_contain_text("Right.")

    reveal = cell('reveal("02-a")')
    run(lesson, reveal)
    expect(reveal).to_contain_text("In your game.")
    expect(reveal).to_contain_text("you predicted")

    # One pupil after another; what the first one wrote is gone.
    form = cell("class_demand()")
    for name, first in (("Zoe", "71"), ("Yan", "58"), ("Xia", "64")):
        form.get_by_label("Your name").fill(name)
        form.get_by_label("For the first X-FINE").fill(first)
        form.get_by_role("button", name="Put mine in").click()
        expect(form).to_contain_text(f"{name}, yours is in: 1 unit.")
        expect(form.get_by_label("For the first X-FINE")).to_have_value("")
        expect(form.get_by_label("Your name")).to_be_focused()
    form.get_by_role("button", name="Draw the curve").click()
    expect(form).to_contain_text("Demand of your class, 3 pupils")
    expect(form.locator(".js-plotly-plot .trace")).to_have_count(1)
    assert (lab.folder / "class_demand.csv").read_text() == (
        "name,unit,dollars\nZoe,1,71\nYan,1,58\nXia,1,64\n"
    )

    lesson.menu("Kernel", "Restart Kernel and Run All Cells…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    idle(lesson)
    expect(cell('lesson("02")')).to_contain_text("1 of 12 exercises solved.")
    expect(cell('ask("02-3")')).to_contain_text("✓ solved in 2 attempts")
    expect(cell('reveal("02-a")')).to_contain_text("you predicted")
    expect(cell("\ntable")).to_contain_text("February")
    expect(cell("class_demand()")).to_contain_text("class_demand.csv: 3 schedules.")
