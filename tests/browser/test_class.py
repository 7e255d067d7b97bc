"""A whole class: the instructor's notebook, the projector, and phones, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab_page import Lab, open_page
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = {"X": "X-FINE", "F": "FINE", "S": "STANDARD"}


class Phone:
    """A pupil's phone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def join(self, link: str, name: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name=f"Join as {name}").click()
        expect(self.page.get_by_text(f"You are {name}")).to_be_visible()

    def type(self, item: str, units: int, price: int) -> None:
        name = NAMES.get(item, item)
        self.units(item).fill(str(units))
        self.page.get_by_label(f"{name}, price a unit in dollars", exact=True).fill(str(price))

    def units(self, item: str):
        return self.page.get_by_label(f"{NAMES.get(item, item)}, units", exact=True)

    def hand_in(self) -> None:
        self.page.locator("#handIn").click()

    def bid(self, item: str, units: int, price: int) -> None:
        self.type(item, units, price)
        self.hand_in()

    def pass_on(self) -> None:
        """Hand in nothing, which is asked once more if there is something to offer."""
        button = self.page.locator("#handIn")
        expect(button).to_be_visible()
        idle = button.text_content() == "Nothing to offer: go on"
        self.hand_in()
        if idle:
            return
        expect(self.page.get_by_text("To pass, press Hand in once more")).to_be_visible()
        self.page.wait_for_timeout(900)  # a double tap is no second thought
        self.hand_in()

    def at(self, where: str) -> None:
        expect(self.page.locator("#where")).to_contain_text(where)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Make phones; afterwards none may have asked for anything elsewhere, or complained."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def make(width: int = 390, **more: object) -> Phone:
        context = browser.new_context(
            viewport={"width": width, "height": 844}, has_touch=True, locale="en-GB", **more
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()

        def asked(url: str) -> None:
            if urlsplit(url).hostname != "127.0.0.1" and not url.startswith("data:"):
                wrong.append(url)

        page.on("request", lambda request: asked(request.url))
        page.on("websocket", lambda socket: asked(socket.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        return Phone(page)

    yield make
    for context in contexts:
        context.close()
    assert wrong == []


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_a_class_plays_three_months_from_its_phones(
    lab: Lab, context: BrowserContext, phone: Callable[..., Phone]
) -> None:
    # -- the instructor opens a class of five, one of whom never comes
    page = context.new_page()
    notebook = open_page(page, lab, "instructor/host.ipynb")
    notebook.menu("Run", "Run All Cells")
    panel = page.locator(".exdec-class").first
    expect(page.get_by_role("button", name="Open the class")).to_be_visible(timeout=60_000)
    page.get_by_label("Places at a table").select_option("5")
    page.get_by_label("Months of the game").first.select_option("3")
    page.get_by_label("Seconds for each step").fill("300")
    page.get_by_label("A bot plays for who is away").select_option("only if you say so")
    page.get_by_role("button", name="Open the class").click()
    code = page.locator(".exdec-code strong").inner_text().replace(" ", "")
    with context.expect_page() as opened:
        page.get_by_role("link", name="Open the projector").click()
    wall = opened.value
    expect(wall.get_by_text(re.compile(f"{code[:3]}.?{code[3:]}")).first).to_be_visible()
    assert "k=" not in wall.url
    expect(wall.locator("#qr img, img[alt*=QR], #qr svg").first).to_be_visible()

    # -- four phones join, one of them small; the fifth pupil is on the list and never comes
    link = f"http://127.0.0.1:{lab.port}/exdec/#c={code}"
    ann, ben, cy, dee = (phone(), phone(320), phone(), phone())
    for one, name in ((ann, "Ann"), (ben, "Ben"), (cy, "Cy"), (dee, "<b>Dee</b>")):
        one.join(link, name)
    page.get_by_role("button", name="People").click()
    page.get_by_label("Name of the new pupil", exact=True).fill("Nia")
    page.get_by_role("button", name="Add a pupil").click()
    expect(wall.get_by_text("<b>Dee</b>")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    for one in (ann, ben, cy, dee):
        one.at("January")

    # -- January: a refresh in the middle of typing, another device, a bot for who is away
    ann.type("X", 3, 44)
    ann.page.wait_for_timeout(600)
    ann.page.reload()
    expect(ann.units("X")).to_have_value("3")
    ben.type("F", 2, 33)
    ben.page.wait_for_timeout(600)
    seat = ben.page.url
    ben.page.context.close()
    ben = phone(320)
    ben.page.goto(seat)
    ben.page.get_by_role("button", name="This is my seat").click()
    expect(ben.units("F")).to_have_value("2")
    ann.hand_in()
    expect(ann.page.locator("#state")).to_contain_text(re.compile(r"Receipt \d+"))
    ben.hand_in()
    cy.bid("X", 4, 47)
    dee.bid("S", 5, 29)
    expect(ann.page.locator("#others")).to_contain_text("Nia")
    for other in (ben, cy, dee):
        assert "44" not in other.page.locator("body").inner_text()
    assert "44" not in wall.locator("body").inner_text()
    page.get_by_role("button", name="Bots play for all who are away").click()
    for one in (ann, ben, cy, dee):
        expect(one.page.locator("#report")).to_contain_text("January, materials")
    expect(ann.page.locator("#report")).to_contain_text("X-FINE ordered")
    expect(ann.page.locator("#firms")).to_contain_text("medium")

    # -- pause and go on; what is typed stays
    page.get_by_role("button", name="Pause").click()
    for one in (ann, ben):
        expect(one.page.locator("#clock")).to_contain_text("paused")
    expect(wall.get_by_text("Paused").first).to_be_visible()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(ann.page.locator("#clock")).not_to_contain_text("paused")

    # -- offers: the instructor closes the step, opens it again, and all hand in
    ann.pass_on()
    page.get_by_role("button", name="Close the step now").click()
    page.get_by_role("button", name="Close it now").click()
    for one in (ann, ben, cy, dee):
        one.at("February")
    page.get_by_role("button", name="Back and forward").click()
    page.get_by_role("button", name="Open the last step again").click()
    page.get_by_role("button", name="Open January, goods again").click()
    for one in (ann, ben, cy, dee):
        expect(one.page.locator("#news")).to_contain_text("January, offer: open again")
        one.pass_on()

    # -- two more months
    for month in ("February", "March"):
        for one, item, price in ((ann, "F", 30), (ben, "X", 40), (cy, "S", 25), (dee, "F", 31)):
            one.at(month)
            expect(one.page.locator("#where")).to_contain_text("order")
            one.bid(item, 1, price)
        for one in (ann, ben, cy, dee):
            expect(one.page.locator("#where")).to_contain_text("offer")
            one.pass_on()

    # -- the end
    for one in (ann, ben, cy, dee):
        expect(one.page.get_by_text("Your", exact=False).filter(has_text="$").first).to_be_visible()
        one.at("ended")
    assert serious(ann.page) == []
    assert serious(wall) == []
    page.get_by_role("button", name="The class").click()
    page.get_by_role("button", name="Show the standings").click()
    expect(ann.page.locator("#standings")).to_contain_text("Ann")
    page.get_by_role("button", name="Close the class").click()
    page.get_by_role("button", name="Really close it").click()
    for one in (ann, ben, cy, dee):
        expect(one.page.get_by_text("The class is closed")).to_be_visible()
    assert panel is not None
    assert len(list(Path(lab.folder).glob("**/classes/*.sqlite"))) == 1
