"""The instructor's page by itself, on a real server with pupils who are not there."""

from __future__ import annotations

import asyncio
import re
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from exdec.classroom.listen import Listener
from exdec.classroom.messages import Messages
from exdec.classroom.panel.board import board_chart, board_html
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings
from exdec.debrief_charts import prices_told
from exdec.played import gather

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MARKUP = "<img src=x onerror=alert(1)>"
SECONDS = 60


class Phone:
    """A pupil's page that takes everything and shows nothing."""

    def push(self):
        pass

    def end(self, message):
        pass


class School:
    """A class on a server of its own, in a thread of its own."""

    def __init__(self, folder):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.server = self.run(self._serve(folder))

    async def _serve(self, folder):
        server = Server(folder)
        self.listener = Listener(server, "127.0.0.1", 0)
        return server

    def run(self, work: Any) -> Any:
        found: Future[Any] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return found.result(SECONDS)

    def open(self, *names, **settings):
        async def work():
            given = {"title": "Year 11", "months": 3, **settings}
            return self.server.open(ClassSettings(**given))

        self.run(work())
        self.join(*names)

    @property
    def room(self):
        return self.server.room

    def link(self, view="controls"):
        return f"{self.listener.url}host#k={self.room.host_key}&view={view}"

    def join(self, *names):
        async def work():
            for name in names:
                once = f"{name} has this telephone"[:64]
                asked = {"code": self.room.code, "name": name, "once": once}
                await self.server.take_in(asked)
                self.server.come(len(self.room.pupils), Phone())

        self.run(work())

    def do(self, what, **given):
        done = self.run(self.server.do({"do": what, **given}))
        assert done["ok"], done
        return done

    def hand_in(self, name, **bids):
        pupil = next(one for one in self.room.pupils.values() if one.name == name)
        month, step = self.room.desks[pupil.table].turn
        own = f"{name} {month} {step} in time"
        message = {"t": "bid", "id": own, "turn": [month, step.value], "bids": bids}
        receipt = self.run(self.server.hear(pupil, message))
        assert receipt["ok"], receipt

    def close(self):
        async def work():
            self.server.shut(gone=False)
            await asyncio.sleep(0.3)
            self.listener.close()
            await self.listener._server.close_all_connections()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)

        self.run(work())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(SECONDS)
        self.loop.close()


@pytest.fixture
def school(tmp_path):
    school = School(tmp_path)
    yield school
    school.close()


@pytest.fixture
def look(browser):
    """Open a page; in the end none may have complained, or asked another machine."""
    contexts, wrong = [], []

    def open_it(url, width=1280, height=720, **options):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, **options)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text)
                if said.type == "error" and not re.search(r"(status of|code:) 40", said.text)
                else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None
                if re.match(r"(https?://127\.0\.0\.1|data:|blob:)", asked.url)
                else wrong.append(asked.url)
            ),
        )
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


def serious(page):
    found = Axe().run(page).response["violations"]
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]


def test_the_lobby_shows_how_to_join_and_who_is_here(school, look):
    school.open("Ann", MARKUP)
    page = look(school.link("projector"))
    expect(page.locator("#p-code")).to_have_text(school.room.code)
    expect(page.locator("#p-address")).to_have_text(f"127.0.0.1:{school.listener.port}/exdec")
    expect(page.locator("#p-here")).to_have_text("2 pupils here")
    expect(page.locator("#p-names li")).to_have_text(["Ann", MARKUP[:24]])
    page.wait_for_function("document.querySelector('#p-qr img')?.naturalWidth > 100")
    school.join("Cy")
    expect(page.locator("#p-names li").last).to_have_text("Cy")
    assert serious(page) == []


def test_the_key_leaves_the_address_and_outlives_loading_the_page_again(school, look):
    school.open("Ann")
    page = look(school.link())
    expect(page.locator("#c-title")).to_have_text("Year 11")
    assert page.url == f"{school.listener.url}host"
    page.reload()
    expect(page.locator("#c-title")).to_have_text("Year 11")


@pytest.mark.parametrize(
    ("fragment", "title"),
    [
        ("", "This page needs the instructor's link"),
        ("#k=wrong", "This link does not open the class"),
    ],
)
def test_without_the_right_key_a_sentence_says_what_to_do(school, look, fragment, title):
    school.open("Ann")
    page = look(f"{school.listener.url}host{fragment}")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("#notice-text")).to_contain_text("exdec host")
    assert "Ann" not in page.content()
    # The right link, pasted into the same window, is taken without loading the page again.
    page.evaluate("key => location.hash = `k=${key}`", school.room.host_key)
    expect(page.locator("#c-title")).to_have_text("Year 11")


def test_a_month_on_the_projector_and_nobody_late_is_named_unless_it_is_wanted(school, look):
    school.open("Ann", "Ben", size=2)
    page = look(school.link("projector"))
    school.do("start")
    expect(page.locator("#p-title")).to_contain_text("January month 1 of 3")
    expect(page.locator("#p-doing")).to_have_text("Order raw materials")
    expect(page.locator("#p-time")).to_have_text(re.compile(r"1:[0-3]\d"))
    school.hand_in("Ann", X=[4, 48])
    expect(page.locator("#p-in")).to_have_text("1 of 2 have handed in.")
    expect(page.locator("#p-waiting")).to_have_text("Handed in: Ann.")
    page.mouse.move(100, 100)
    page.get_by_label("Say who is late").check()
    expect(page.locator("#p-waiting")).to_have_text("Waiting for Ben.")
    school.hand_in("Ben", X=[4, 47], F=[2, 30])
    expect(page.locator("#p-doing")).to_have_text("Offer finished goods")
    expect(page.locator("#p-report-title")).to_have_text("January, materials")
    expect(page.locator("#p-sentences")).to_contain_text("8 X-FINE ordered, so −2")
    x_fine = page.locator("#p-board tbody tr").first
    expect(x_fine).to_contain_text("38")
    expect(page.locator("#p-chart svg")).to_have_attribute("aria-label", re.compile(r"X-FINE \$38"))
    assert serious(page) == []


def test_the_projector_keeps_no_secret(school, look):
    school.open("Ann", "Ben", size=2)
    page = look(school.link())
    page.get_by_role("button", name="Change: Ann").click()
    page.get_by_role("button", name="Show this pupil's link").click()
    link = f"{school.listener.url}#k={school.room.key(school.room.pupils[1])}"
    expect(page.get_by_label("Link", exact=True)).to_have_value(link)
    page.wait_for_function("document.querySelector('dialog img')?.naturalWidth > 100")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Show slips to print").click()
    expect(page.locator("#s-cards li")).to_have_count(2)
    page.keyboard.press("p")
    expect(page.locator("#p-code")).to_be_visible()
    school.do("start")
    school.hand_in("Ann", X=[7, 5432])
    expect(page.locator("#p-in")).to_have_text("1 of 2 have handed in.")
    shown = page.content()
    for secret in (*map(school.room.key, school.room.pupils.values()), school.room.host_key):
        assert secret not in shown
        assert secret.partition(".")[2] not in shown or "." not in secret
    assert "5432" not in shown


def test_what_destroys_asks_first_and_can_be_taken_back(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link(), height=800)
    projector = look(school.link("projector"))
    close = page.get_by_role("button", name="Close the step now", exact=True)
    close.click()
    expect(page.get_by_role("dialog")).to_contain_text("Who has not handed in passes.")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(close).to_be_focused()
    expect(projector.locator("#p-doing")).to_have_text("Order raw materials")
    close.click()
    page.get_by_role("dialog").get_by_role("button", name="Close the step now").click()
    expect(projector.locator("#p-doing")).to_have_text("Offer finished goods")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#said")).to_contain_text("Open again at 1 table.")
    expect(projector.locator("#p-doing")).to_have_text("Order raw materials")


def test_a_pause_is_plain_and_the_clock_stands_still(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link())
    projector = look(school.link("projector"))
    expect(projector.locator("#p-time")).to_have_text(re.compile(r"1:\d\d"))
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(projector.locator("#p-time")).to_have_text("Paused")
    stands = projector.locator("#p-time-words").text_content()
    projector.wait_for_timeout(1500)
    expect(projector.locator("#p-time-words")).to_have_text(stands)
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(projector.locator("#p-time")).to_have_text(re.compile(r"1:\d\d"))


def test_a_paper_tally_is_keyed_in_without_the_mouse(school, look):
    school.open("Cy", roster=["Ann", "Ben"], size=3)
    school.do("start")
    page = look(school.link())
    page.get_by_role("button", name="Key in a paper tally: Ann").click()
    expect(page.get_by_role("heading", name="Tally of Ann")).to_be_visible()
    for typed in ("2", "", "", "", "", ""):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("X-FINE has units and no price.")
    page.get_by_label("X-FINE, units").focus()
    page.get_by_label("X-FINE, units").press("Enter")
    for typed in ("44", "", "", "1", "$25"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tally of Ben")).to_be_visible()
    assert school.room.desks[0].sealed[0].bids == {"X": [2, 44], "S": [1, 25]}
    for typed in ("14", "40", "", "", "", ""):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("12")
    page.get_by_label("X-FINE, units").fill("12")
    # Cy has a page and types there.
    expect(page.get_by_role("dialog")).not_to_contain_text("Then go on with")
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#said")).to_contain_text("Handed in for Ben.")
    expect(page.get_by_role("dialog")).to_be_hidden()
    school.hand_in("Cy")
    expect(page.locator("#c-cards .turn")).to_contain_text("January, goods")


def test_people_are_found_renamed_moved_sent_out_and_let_in(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link())
    page.get_by_role("tab", name="People").click()
    rows = page.locator("#c-pupils tr")
    page.get_by_label("Find").fill("cy")
    expect(rows).to_have_count(1)

    def change(name, what):
        page.get_by_role("button", name=f"Change: {name}").click()
        page.get_by_role("dialog").get_by_role("button", name=what).click()

    change("Cy", "Rename")
    page.get_by_label("Name", exact=True).fill("Cyril")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("Cyril")
    change("Cyril", "Move to another place")
    page.get_by_label("Place", exact=True).select_option(label="Table 1, seat 1: Ann")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("Table 1, seat 1")
    change("Cyril", "Send out")
    page.get_by_role("dialog").get_by_role("button", name="Send out").click()
    expect(rows).to_contain_text("sent out")
    page.get_by_role("button", name="Take it back").click()
    expect(rows).to_contain_text("Table 1, seat 1")
    change("Cyril", "A new link")
    before = school.room.key(school.room.pupils[3])
    page.get_by_role("dialog").get_by_role("button", name="A new link").click()
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile(r"#k=3\."))
    assert before not in page.get_by_label("Link", exact=True).input_value()


def test_a_bot_plays_and_gives_the_seat_back(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link())
    page.get_by_role("button", name="A bot plays: Ben").click()
    ben = page.locator("#c-cards li").nth(1)
    expect(ben).to_contain_text("a bot plays for them")
    projector = look(school.link("projector"))
    expect(projector.locator("#p-firms")).to_contain_text("Ben (a bot plays)")
    page.get_by_role("button", name="Give the seat back: Ben").click()
    expect(ben).to_contain_text("still thinking")


def test_messages_and_standings_reach_the_projector(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link())
    projector = look(school.link("projector"))
    page.get_by_role("textbox", name="Message to everyone").fill("Five minutes' break after this.")
    page.keyboard.press("Enter")
    expect(projector.locator("#p-message")).to_have_text("Five minutes' break after this.")
    page.get_by_role("button", name="Show the standings").click()
    expect(projector.locator("#p-message")).to_be_hidden()
    expect(projector.locator("#p-ranks li")).to_have_count(2)
    page.get_by_role("button", name="Hide the standings").click()
    expect(projector.locator("#p-standings")).to_be_hidden()


def test_one_of_many_tables_is_picked_for_the_projector(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link("projector"))
    expect(page.locator("#p-chart")).to_contain_text("average of 2 tables")
    for name in ("Ann", "Ben"):
        school.hand_in(name)
    expect(page.locator("#p-waiting")).to_have_text(
        "January, materials: table 2 · January, goods: table 1"
    )
    expect(page.locator("#p-chart")).to_contain_text("Materials, $ · average of 2 tables (Jan: 1)")
    expect(page.locator("#p-report-title")).to_have_text("January, materials: Table 1 only")
    expect(page.locator("#p-sentences li").first).to_have_text("X-FINE posts at $30.")
    expect(page.locator("#p-firms")).to_contain_text("Choose a table to see what moved its prices")
    page.mouse.move(50, 50)
    page.get_by_label("Prices of").select_option("Table 1")
    expect(page.locator("#p-chart")).to_contain_text("Table 1")
    expect(page.locator("#p-doing")).to_have_text("Table 1: Offer finished goods")
    expect(page.locator("#p-clock")).to_be_visible()
    expect(page.locator("#p-sentences")).to_contain_text("Nobody orders X-FINE, so −10: it posts")


def test_an_average_states_no_movement_and_rounds_as_the_panel_and_the_debrief_do(
    school, look, tmp_path
):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link("projector"))
    row, lines = (page.locator(one) for one in ("#p-board tbody tr", "#p-sentences li"))
    for name, units in (("Ann", 10), ("Ben", 0), ("Cy", 11), ("Dee", 0)):
        school.hand_in(name, X=[units, 9])
    # $40 and $41; Python's own rounding would make $40 of it.
    expect(page.locator("#p-report-title")).to_have_text("January, materials")
    expect(lines.first).to_have_text("X-FINE posts at $41 on average, from $40 to $41.")
    expect(row.first).to_have_text("X-FINE4041")
    expect(page.locator("#p-chart")).to_contain_text("X-FINE $41")
    expect(page.locator("#p-game")).not_to_contain_text(re.compile(r"[+−±▲▼]\d"))
    state = Messages(school.room).host(None, 0)
    assert "X-FINE $41" in board_chart(state)["text/plain"]
    assert "<td class=exdec-now>41<td" in board_html(state)
    for desk in school.room.desks:
        (tmp_path / f"{desk.number}.jsonl").write_text(desk.record(), "utf-8")
    assert "X-FINE $40 to $41 (+1)" in prices_told(gather(tmp_path)).sentence
    # The table that is ahead has no move beside it that starts from an average.
    for name in ("Ann", "Ben"):
        school.hand_in(name, **({"B": [1, 90]} if name == "Ann" else {}))
    expect(lines.nth(1)).to_have_text("B posts at $124.")
    expect(page.locator("#p-game")).not_to_contain_text(re.compile(r"[+−±▲▼]\d"))
    page.mouse.move(50, 50)
    page.get_by_label("Prices of").select_option("Table 1")
    expect(page.locator("#p-board")).to_contain_text("▲+9")


def test_where_bots_play_every_place_the_teacher_is_told_what_goes_on(school, look):
    school.open("Ann", size=2, rest="bots", seconds=0)
    school.do("start")
    school.do("bot", table=0, firm=0)
    page, projector = look(school.link()), look(school.link("projector"))
    told = "Bots play every place: press Close the step now to go on"
    expect(projector.locator("#p-progress")).to_have_text(f" {told}.")
    expect(page.locator("#c-status")).to_have_text(f"January, materials · {told} · 1 here")
    expect(page.locator("#c-cards .turn")).to_have_text("January, materials · bots alone")
    page.get_by_role("button", name="Close the step now", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Close the step now").click()
    expect(page.locator("#c-status")).to_contain_text("January, goods")


def test_at_different_steps_the_clock_is_that_of_the_table_that_is_next(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    projector, page = look(school.link("projector")), look(school.link())
    expect(projector.locator("#p-time-first")).to_be_hidden()
    for name in ("Ann", "Ben"):
        school.hand_in(name)
    school.do("extend", seconds=300, table=1)
    expect(projector.locator("#p-time-first")).to_have_text("Table 1 is next")
    expect(projector.locator("#p-time")).to_have_text(re.compile(r"1:[123]\d"))
    expect(page.locator("#c-status")).to_contain_text(
        re.compile(r"Table 1 · January, goods · 1:[123]\d left · others later")
    )
    school.do("pause")
    expect(projector.locator("#p-time-first")).to_have_text("Table 1 is next")


def test_standings_say_what_they_count_and_whom_a_bot_played(school, look):
    school.open("Ann", "Ben", "Cy", size=2, rest="bots")
    school.do("start")
    school.do("bot", table=0, firm=0)
    school.do("close", table=0)
    school.do("return", table=0, firm=0)
    school.do("close", table=0)
    school.do("standings", show=True)
    page, projector = look(school.link()), look(school.link("projector"))
    title = projector.locator("#p-standings-title")
    expect(title).to_have_text("Profit so far, certificates counted at today's prices")
    line = projector.locator("#p-ranks li")
    first, second = (school.room.place_names(table)[0] for table in (0, 1))
    expect(line.filter(has_text=first)).to_contain_text("a bot played 1 of 2 steps · after 1 month")
    expect(line.filter(has_text=second).locator("small")).to_have_text("no month yet")
    bot = line.filter(has_text=school.room.place_names(1)[1]).locator("small")
    expect(bot).to_have_text("bot · no month yet")
    page.get_by_role("tab", name="Standings").click()
    expect(page.locator("#c-ranks-note")).to_contain_text("certificates counted at today's prices")
    expect(page.locator("#c-rows")).to_contain_text("a bot played 1 of 2 steps")
    school.do("close", table=1)
    school.do("close", table=1)
    expect(projector.locator("#p-ranks")).not_to_contain_text("month")
    school.do("end")
    expect(title).to_have_text("Final standings")


def test_recipes_stand_below_the_board_while_the_game_goes_on(school, look):
    school.open("Ann", "Ben", size=2)
    page = look(school.link("projector"))
    expect(page.locator("#p-here")).to_have_text("2 pupils here")
    expect(page.locator("#p-goods")).to_be_hidden()
    school.do("start")
    expect(page.locator("#p-goods")).to_contain_text("A = 2 X-FINE + 1 FINE · B = 1 X-FINE + 1")
    expect(page.locator("#p-subs")).to_have_text(
        "May stand in: X-FINE for FINE, FINE for STANDARD."
    )
    school.do("close")
    school.do("close")
    school.do("end")
    expect(page.locator("#p-doing")).to_have_text("The game is over.")
    expect(page.locator("#p-goods")).to_be_hidden()
    # Months that are never played have no column.
    expect(page.locator("#p-board thead th")).to_have_text(["Opening", "Jan"])


def test_months_places_and_bots_are_set_anew_before_the_start(school, look):
    school.open("Ann", "Ben")
    page = look(school.link())
    form = page.locator("#c-before")
    expect(page.get_by_label("Months")).to_have_value("3")
    page.get_by_label("Months").select_option("5")
    school.join("Cy")  # what is chosen and not set yet is kept
    expect(page.locator("#c-pupils tr")).to_have_count(3)
    page.get_by_label("Places at a table").select_option("3")
    page.locator("#c-level").select_option("hard")
    form.get_by_role("button", name="Set").click()
    expect(page.locator("#said")).to_contain_text("5 months, 3 places at a table, hard bots.")
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_label("Months")).to_have_value("3")
    page.get_by_label("Months").select_option("2")
    form.get_by_role("button", name="Set").click()
    expect(page.locator("#said")).to_contain_text("2 months")
    assert serious(page) == []
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#c-status")).to_contain_text("January")
    expect(form).to_be_hidden()
    assert school.room.desks[0].months == 2


def test_going_back_names_the_month_or_step_that_it_takes_back(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link())
    for _ in range(2):
        school.do("close")
    buttons = page.locator("#c-clock")
    dialog = page.get_by_role("dialog")
    expect(buttons).to_contain_text("Open January, goods again")
    buttons.get_by_role("button", name="Undo January").click()
    expect(dialog.get_by_role("heading")).to_have_text("Undo January")
    expect(dialog.get_by_role("button", name="Undo January")).to_be_visible()
    page.keyboard.press("Escape")
    school.do("close", table=1)
    buttons.get_by_role("button", name="Undo a month").click()
    expect(dialog).to_contain_text("Table 1: January; Table 2: February.")
    page.keyboard.press("Escape")
    page.locator("#c-cards summary").last.click()
    page.get_by_role("button", name="Undo February: Table 2").click()
    expect(dialog.get_by_role("heading")).to_have_text("Undo February: Table 2")


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)], ids=lambda size: str(size[0]))
def test_the_projectors_buttons_cover_nothing_and_the_month_that_is_played_is_shaded(
    school, look, size
):
    school.open("Ann", "Ben", "Cy", size=2)  # a bot has the fourth place: late ones are invited
    page = look(school.link("projector"), *size)
    school.do("start")
    for step in range(3):
        now = page.locator("#p-board thead .now")
        expect(now).to_have_text("Jan" if step < 2 else "Feb")
        page.mouse.move(100 + step, 100)
        expect(page.locator("#p-tools")).to_have_css("opacity", "1")
        tools = page.locator("#p-tools").bounding_box()
        assert tools["y"] + tools["height"] <= size[1] + 1
        for part in ("#p-late", "#p-goods", "#p-subs", "#p-board"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= tools["y"] + 1
        assert page.evaluate(OVERFLOWS) == [False, []]
        # The chart's lines reach as far as its box does.
        assert page.evaluate(CHART_ENDS) < 2
        school.do("close")
    school.do("end")
    expect(page.locator("#p-board .now")).to_have_count(0)


def test_a_grey_button_says_why(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link())
    undo = page.get_by_role("button", name="Undo a month", exact=True)
    expect(undo).to_have_attribute("title", "No step is settled yet.")
    undo.click(force=True)
    expect(page.locator("#said")).to_contain_text("No step is settled yet.")
    expect(page.get_by_role("dialog")).to_be_hidden()
    school.do("pause")
    close = page.get_by_role("button", name="Close the step now", exact=True)
    expect(close).to_have_attribute("title", "The class is paused. Let it go on first.")
    page.get_by_role("button", name="Key in a paper tally: Ann").click()
    page.get_by_role("dialog").get_by_role("button", name="Hand in").click()
    expect(page.locator("#said")).to_contain_text("Handed in for Ann.")
    school.do("go")
    expect(close).not_to_have_attribute("title", re.compile("."))


def test_a_finished_table_waits_for_nobody_and_offers_nothing(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link())
    card = page.locator("#c-cards article").first
    expect(card).to_contain_text("still thinking")
    school.do("close", table=0)
    school.do("close", table=0)
    school.do("end", table=0)
    expect(card.locator(".turn")).to_have_text("Over")
    expect(card).not_to_contain_text("still thinking")
    expect(card.locator("li button:visible")).to_have_count(0)
    expect(page.locator("#c-cards article").last).to_contain_text("still thinking")


def test_what_was_done_is_said_for_a_while_and_covers_nothing(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    page = look(school.link())
    page.clock.install()
    page.get_by_role("button", name="Pause", exact=True).click()
    said = page.locator("#said p")
    expect(said).to_contain_text("Paused.")
    assert page.evaluate("""() => {
      const [line, desk] = ['#said', '.desk'].map((name) => document.querySelector(name));
      return desk.getBoundingClientRect().bottom <= line.getBoundingClientRect().top + 1;
    }""")
    back = page.get_by_role("button", name="Take it back")
    back.focus()
    page.clock.run_for(13_000)
    expect(back).to_be_focused()
    page.get_by_role("textbox", name="Message to everyone").focus()
    page.clock.run_for(3_000)
    expect(said).to_have_count(0)


def test_a_double_click_and_a_typing_slip_do_nothing_in_red(school, look):
    school.open("Ann", "Ben", size=2)
    page = look(school.link())
    page.get_by_role("button", name="Start the game").dblclick()
    expect(page.locator("#said")).to_contain_text("The game begins at 1 table.")
    seconds = page.get_by_role("textbox", name="Seconds for each step")
    seconds.fill("-5")
    seconds.press("Enter")
    expect(page.locator("#said")).to_contain_text("give 5 to 3600, or 0 for no deadline, not “-5”")
    seconds.fill("7")
    seconds.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Only 7 seconds a step?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(seconds).to_have_value("90")
    assert school.room.seconds == 90


def test_a_double_click_sends_a_message_once(school, look):
    school.open("Ann", "Ben", size=2)
    page = look(school.link())
    asked = []

    def slowly(route):
        asked.append(route.request.post_data_json)
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/host/do", slowly)
    page.get_by_role("textbox", name="Message to everyone").fill("Five minutes left.")
    page.get_by_role("button", name="Send", exact=True).dblclick()
    expect(page.locator("#said")).to_contain_text("Everyone reads it now.")
    page.wait_for_timeout(500)
    assert [one["do"] for one in asked] == ["say"]
    page.get_by_role("textbox", name="Message to everyone").fill("One minute left.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Message to everyone")).to_have_value("")
    assert [one["text"] for one in asked] == ["Five minutes left.", "One minute left."]


def test_what_can_be_taken_back_no_more_is_not_offered(school, look):
    school.open("Ann", "Ben", "Cy", "Dee", size=2)
    school.do("start")
    page = look(school.link())
    said = page.locator("#said")
    back = page.get_by_role("button", name="Take it back")
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Close the step now", exact=True).click()
    dialog.get_by_role("button", name="Close the step now").click()
    expect(said).to_contain_text("Closed at 2 tables.")
    back.focus()  # a line in use does not go with time
    school.hand_in("Ann")
    expect(page.locator("#c-status")).to_contain_text("1 of 4 handed in")
    expect(back).to_be_focused()
    school.do("close", table=1)
    expect(said).to_be_empty()
    page.locator("#c-clock").get_by_role("button", name="Undo January").click()
    dialog.get_by_role("button", name="Undo January").click()
    expect(said).to_contain_text("Undone at 2 tables.")
    expect(page.locator("#c-cards .turn").last).to_contain_text("January, materials")
    back.focus()
    school.do("redo", table=0)
    expect(said).to_be_empty()
    # The last tally of a step settles it, and then there is nothing to take back.
    for name in ("Cy", "Dee"):
        page.get_by_role("button", name=f"Key in a paper tally: {name}").click()
        dialog.get_by_role("button", name="Hand in").click()
        expect(said).to_contain_text(f"Handed in for {name}.")
        if name == "Cy":
            expect(back).to_be_visible()
    expect(back).to_have_count(0)
    expect(said).to_contain_text("Handed in for Dee.")


def test_that_nobody_is_here_is_not_said_once_somebody_is(school, look):
    school.open()
    page = look(school.link())
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#said")).to_contain_text("Nobody has joined yet.")
    page.locator("#said").hover()
    school.join("Ann")
    expect(page.locator("#said")).to_be_empty()


def test_who_sits_there_and_hands_nothing_in_is_pointed_out(school, look):
    school.open("Ann", "Ben", size=2, absent_after=2)
    school.do("start")
    page = look(school.link())
    for _ in range(2):
        expect(page.locator("#c-cards")).not_to_contain_text("no bot")
        school.do("close")
    expect(page.locator("#c-cards li").first).to_contain_text(
        "missed 2 · page open: no bot comes by itself"
    )


def test_slips_are_printed_without_the_page_around_them(school, look):
    school.open(roster=["Ann", "Ben", "Cy"])
    page = look(school.link())
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Show slips to print").click()
    expect(page.get_by_role("button", name="Print")).to_be_focused()
    slip = page.locator("#s-cards li").first
    for text in ("Ann", "Year 11", "ask your teacher"):
        expect(slip).to_contain_text(text)
    # A code that is typed leads to another seat than one's own.
    expect(slip).not_to_contain_text(school.room.code)
    page.wait_for_function("document.querySelector('#s-cards img').naturalWidth > 100")
    assert serious(page) == []
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(slip).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#s-cards li")).to_have_count(0)


def test_everything_is_downloaded_with_the_key_in_a_header(school, look):
    school.open("Ann")
    page = look(school.link())
    asked = []

    def answer(route):
        asked.append((route.request.url, route.request.headers["authorization"]))
        name = 'attachment; filename="class-pseudonyms.zip"'
        route.fulfill(body=b"PK", headers={"Content-Disposition": name})

    page.route("**/export.zip*", answer)
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_label("in place of names").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    assert download.value.suggested_filename == "class-pseudonyms.zip"
    expect(page.locator("#c-downloading")).to_contain_text("class-pseudonyms.zip")
    assert asked == [
        (
            f"{school.listener.url}host/export.zip?pseudonyms=1",
            f"Bearer {school.room.host_key}",
        )
    ]


def test_without_a_websocket_the_page_asks_again_and_again(school, look, browser):
    school.open("Ann")
    context = browser.new_context()
    page = context.new_page()
    page.route_web_socket("**/host/live", lambda socket: socket.close())
    page.goto(school.link("projector"))
    expect(page.locator("#p-here")).to_have_text("1 pupil here")
    school.join("Ben")
    expect(page.locator("#p-here")).to_have_text("2 pupils here")
    expect(page.locator("#lost")).to_be_empty()
    context.close()


def test_a_class_that_comes_back_is_found_again(school, look, browser):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    file = school.room.store.path.name
    school.server.again = lambda room: f"Start it again by exdec host --resume {room.store.path}"
    context = browser.new_context()  # its console tells of the time when nothing answers
    page = context.new_page()
    page.goto(school.link("projector"))
    expect(page.locator("#p-doing")).to_have_text("Order raw materials")
    chart = page.locator("#p-chart").bounding_box()
    context.set_offline(True)

    async def stop():
        school.server.shut(gone=False)

    school.run(stop())
    expect(page.locator("#lost")).to_contain_text("Not connected.")
    path = school.server.folder / file
    expect(page.locator("#lost")).to_contain_text(f"by exdec host --resume {path}")
    assert page.evaluate(OVERFLOWS) == [False, []]
    assert page.locator("#p-chart").bounding_box() == chart
    lost, shown = (page.locator(one).bounding_box() for one in ("#lost", "#p-foot"))
    assert lost["y"] >= shown["y"] + shown["height"]
    assert lost["y"] + lost["height"] == 720
    expect(page.locator("#p-doing")).to_have_text("Order raw materials")

    async def resume():
        school.server.resume(file)

    school.run(resume())
    context.set_offline(False)
    expect(page.locator("#lost")).to_be_empty(timeout=20_000)
    expect(page.locator("#p-doing")).to_have_text("Order raw materials")
    context.close()


def test_a_class_that_is_not_opened_again_yet_is_not_said_to_be_closed(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    file = school.room.store.path.name
    wall, page = look(school.link("projector")), look(school.link())
    expect(wall.locator("#p-doing")).to_have_text("Order raw materials")
    expect(page.locator("#c-clock")).to_be_visible()

    async def stop():
        school.server.shut(gone=False)

    async def resume():
        school.server.resume(file)

    school.run(stop())
    for one in (wall, page):
        expect(one.locator("#lost")).to_contain_text("has not been opened again yet")
        expect(one.get_by_text("The class is closed").filter(visible=True)).to_have_count(0)
        # It asks again, and says the same.
        with one.expect_response(lambda answer: "/host/state" in answer.url):
            pass
        expect(one.locator("#lost")).to_contain_text("has not been opened again yet")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator("#said")).to_contain_text("has not been opened again yet")
    school.run(resume())
    for one in (wall, page):
        expect(one.locator("#lost")).to_be_empty(timeout=15_000)
    school.do("pause")
    expect(wall.locator("#p-time")).to_have_text("Paused")
    expect(page.get_by_role("button", name="End the game early").first).to_have_attribute(
        "aria-disabled", "false"
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 720), (1280, 800), (1920, 1080)], ids=str)
def test_the_chart_has_room_and_no_marker_stands_away_from_its_line(school, look, size, dark):
    school.open("Ann", "Ben", size=2)
    page = look(school.link("projector"), *size, color_scheme="dark" if dark else "light")
    school.do("start")
    expect(page.locator("#p-chart svg")).to_be_visible()
    for settled in range(4):
        chart, board = (page.locator(one).bounding_box() for one in ("#p-chart", "#p-board"))
        assert chart["height"] > 0.5 * size[1]
        assert chart["x"] + chart["width"] <= board["x"]
        assert abs(board["y"] + board["height"] - chart["y"] - chart["height"]) < 2
        # A marker for each price, and no more.
        months = (settled + 1) // 2, settled // 2
        expect(page.locator("#p-chart path")).to_have_count(6 + 3 * sum(months))
        assert page.evaluate(OVERFLOWS) == [False, []]
        school.do("close")
        expect(page.locator("#p-report-title")).to_contain_text(
            ("January", "January", "February", "February")[settled]
        )


CHART = """() => {
  const texts = [...document.querySelectorAll('#p-chart text')].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { kind: text.className.baseVal, text: text.textContent, left, right, top, bottom };
  });
  const [goods, materials] = texts.filter(({ kind }) => kind === 'heading');
  const ticks = texts.filter(({ kind, text }) => kind === 'tick' && /^\\d/.test(text));
  const months = texts.filter(({ kind, text }) => kind === 'tick' && !/^\\d/.test(text));
  const lines = [...document.querySelectorAll('#p-chart polyline')].slice(-3)
    .map((line) => line.getBoundingClientRect());
  return {
    goods: ticks.filter(({ top }) => top < materials.top).length,
    materials: ticks.filter(({ top }) => top > materials.bottom).length,
    all: ticks.length,
    high: Math.max(...lines.map((box) => box.bottom)) - Math.min(...lines.map((box) => box.top)),
    gap: Math.min(...months.slice(1).map(({ left }, at) => left - months[at].right)),
    wide: Math.max(...texts.map(({ right }) => right)),
  };
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=lambda size: str(size[0]))
@pytest.mark.parametrize("months", [8, 12])
def test_the_chart_of_a_long_game_can_be_read(school, look, size, months):
    school.open("Ann", months=months, size=2, rest="bots", level="medium", seconds=0)
    school.do("start")
    page = look(school.link("projector"), *size)
    heads = page.locator("#p-board thead th")
    expect(heads).to_have_text(["Opening", "Jan", "Feb", "Mar", "Apr"])
    for _ in range(2 * months - 1):
        school.do("close")
    last = ["Opening", "May", "Jun", "Jul", "Aug"]
    if months == 12:
        last = ["Opening", "Sep", "Oct", "Nov", "Dec"]
    expect(heads).to_have_text(last)
    expect(page.locator("#p-chart")).to_contain_text("Materials, $")
    assert page.locator("#p-chart").bounding_box()["height"] > 0.55 * size[1]
    seen = page.evaluate(CHART)
    assert seen["goods"] >= 2
    assert seen["materials"] >= 2
    # No tick touches a heading, and no name of a month another.
    assert seen["goods"] + seen["materials"] == seen["all"]
    assert seen["gap"] > 4
    assert seen["high"] > size[1] / 8
    chart, board = (page.locator(one).bounding_box() for one in ("#p-chart", "#p-board"))
    assert seen["wide"] <= chart["x"] + chart["width"] < board["x"]
    assert page.evaluate(OVERFLOWS) == [False, []]


def test_slips_that_no_phone_can_open_are_warned_of(school, look):
    school.open("Ann")
    page = look(school.link())
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Show slips to print").click()
    expect(page.locator("#s-address")).to_contain_text("works on this computer only")
    # This server opens no second address.
    expect(page.locator("#s-address")).not_to_contain_text("Joining")
    expect(page.locator("#s-address")).to_contain_text("Start exdec host without --address")
    page.get_by_role("button", name="Back").click()
    school.server.join = "http://192.0.2.7:8765/exdec/"
    school.join("Ben")
    expect(page.locator("#c-address")).to_contain_text("192.0.2.7")
    page.get_by_role("button", name="Show slips to print").click()
    expect(page.locator("#s-address")).to_contain_text("Make them where you play.")
    school.server.join = None


def test_the_class_is_closed_after_a_question_and_the_page_says_where_it_is_kept(school, look):
    school.open("Ann")
    file = school.room.store.path.name
    page = look(school.link())
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Close the class").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing was downloaded")
    page.get_by_role("dialog").get_by_role("button", name="Close the class").click()
    expect(page.locator("#notice-text")).to_contain_text(file)
    expect(page.locator("#notice-title")).to_have_text("No class is open here")
    expect(page.locator("#lost")).to_be_empty()


def test_a_closed_class_stays_on_the_projector_and_the_controls_say_how_to_look_again(school, look):
    school.open("Ann", "Ben", size=2)
    school.do("start")
    school.hand_in("Ann", X=[4, 48])
    school.hand_in("Ben")
    school.do("close")
    school.do("standings", show=True)
    file = school.room.store.path.name
    page, projector = look(school.link()), look(school.link("projector"))
    ranks = projector.locator("#p-ranks")
    expect(ranks).to_contain_text("Ann")
    shown = ranks.inner_text()
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Close the class").click()
    expect(page.get_by_role("dialog")).to_contain_text("It cannot be opened again.")
    expect(page.get_by_role("dialog")).to_contain_text("until they load their page again")
    page.get_by_role("dialog").get_by_role("button", name="Close the class").click()
    expect(page.locator("#c-closed code")).to_have_text(f"exdec export {file}")
    expect(page.get_by_role("button", name="Download everything")).to_have_attribute(
        "title", "The class is closed. The command above makes its files."
    )
    expect(projector.locator("#p-doing")).to_have_text("The class is closed.")
    expect(projector.locator("#p-clock")).to_be_hidden()
    assert ranks.inner_text() == shown
    expect(projector.locator("#p-board tbody tr").first).to_contain_text("34")
    for one in (page, projector):
        # The page goes on asking, and is told again that there is no class.
        with one.expect_response(lambda answer: "/host/state" in answer.url):
            pass
        expect(one.locator("#notice")).to_be_hidden()
        expect(one.locator("#lost")).to_be_empty()
        assert serious(one) == []


def test_a_class_that_is_opened_again_is_found_by_the_page_that_waits(school, look):
    school.open("Ann")
    file = school.room.store.path.name
    page = look(school.link("projector"))
    expect(page.locator("#p-here")).to_have_text("1 pupil here")

    async def closed():
        school.server.shut()

    async def opened():
        school.server.resume(file)

    school.run(closed())
    expect(page.locator("#notice-title")).to_have_text("No class is open here")
    school.run(opened())
    expect(page.locator("#p-code")).to_have_text(school.room.code, timeout=15_000)


def test_a_crowd_in_the_lobby_sees_the_last_names(school, look):
    school.open(*[f"Somebody {at}" for at in range(300)], most=400)
    page = look(school.link("projector"))
    expect(page.locator("#p-here")).to_have_text("300 pupils here")
    expect(page.locator("#p-names li").last).to_have_text("Somebody 299")
    expect(page.locator("#p-names li").first).to_have_text(re.compile(r"\d+ others,"))
    assert page.evaluate(OVERFLOWS) == [False, []]


def test_a_class_is_deleted_after_a_question(school, look):
    school.open("Ann")
    path = school.room.store.path
    page = look(school.link())
    page.get_by_role("tab", name="Slips, files and the end").click()
    page.get_by_role("button", name="Delete the class").click()
    assert path.exists()
    (path.parent / f"{path.stem}-results").mkdir()
    expect(page.get_by_role("dialog")).to_contain_text("What was exported or downloaded stays")
    page.get_by_role("dialog").get_by_role("button", name="Delete the class").click()
    expect(page.locator("#notice-text")).to_contain_text(
        f"is gone. Names are also in {path.parent.name}/{path.stem}-results."
    )
    assert not path.exists()


SIZES = [(1280, 720), (1920, 1080)]
CHART_ENDS = """() => {
  const end = (name) => document.querySelector(name).getBoundingClientRect().right;
  return Math.abs(end("#p-chart") - end("#p-chart .grid"));
}"""
"""How far apart the chart and its lines end; asked at once, for it may be drawn anew meanwhile."""

OVERFLOWS = """() => {
  const high = document.documentElement.scrollHeight > innerHeight + 1;
  const parts = ['#p-board', '#p-chart', '#p-report', '#p-standings', '#p-message', '#p-names'];
  const over = parts.filter((name) => {
    const part = document.querySelector(name);
    if (!part.offsetParent) return false;
    const box = part.getBoundingClientRect();
    return box.bottom > innerHeight + 1 || box.right > innerWidth + 1
      || part.scrollHeight > part.clientHeight + 2;
  });
  return [high, over];
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_sixty_pupils_at_fifteen_tables_fit_on_the_projector(school, look, size, dark):
    names = [f"Somebody {at}" for at in range(60)]
    school.open(*names, seconds=0)
    page = look(school.link("projector"), *size, color_scheme="dark" if dark else "light")
    expect(page.locator("#p-here")).to_have_text("60 pupils here")
    assert page.evaluate(OVERFLOWS) == [False, []]
    school.do("start")
    for _ in range(3):
        school.do("close")
    school.do("say", text="A long message, " * 12)
    expect(page.locator("#p-title")).to_contain_text("February")
    expect(page.locator("#p-message")).to_be_visible()
    assert page.evaluate(OVERFLOWS) == [False, []]
    school.do("pause")
    expect(page.locator("#p-time")).to_have_text("Paused")
    assert serious(page) == []
    school.do("standings", show=True)
    expect(page.locator("#p-standings")).to_be_visible()
    assert page.evaluate(OVERFLOWS) == [False, []]
    school.do("go")
    school.do("end")
    expect(page.locator("#p-doing")).to_have_text("The game is over.")
    assert page.evaluate(OVERFLOWS) == [False, []]
    assert serious(page) == []


@pytest.mark.parametrize("size", [(1280, 800), (800, 1000)], ids=lambda size: str(size[0]))
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_controls_of_fifteen_tables_are_accessible(school, look, size, dark):
    school.open(*[f"Somebody {at}" for at in range(60)])
    page = look(school.link(), *size, color_scheme="dark" if dark else "light")
    expect(page.locator("#c-pupils tr")).to_have_count(60)
    assert serious(page) == []
    school.do("start")
    expect(page.locator("#c-cards article")).to_have_count(15)
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert serious(page) == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
