"""The pupil's page by itself, on a real server whose other pupils are not there."""

import asyncio
import json
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from class_server import hosted
from playwright.sync_api import expect

from exdec import Game
from exdec.bots import LEVELS
from exdec.classroom.settings import ClassSettings
from exdec.items import GOODS, MATERIALS
from exdec.model import Outcome, Step
from exdec.narrate import result_sentence
from exdec.notebook.advice import advise, line_hint
from exdec.notebook.report import _sentences, final_text

pytestmark = pytest.mark.browser

STATIC = Path(__file__).parents[2] / "exdec/classroom/static"
FILES = [
    STATIC / name
    for name in ("phone.html", "phone.css", "phone.js", "link.js", "say.js", "words.js")
]
EVIL = "<img src=x onerror=a()>"


@contextmanager
def opened(folder, months=2, **settings):
    """A class for two that is open; in the end no browser's idle connection stays with it."""
    with hosted(
        folder, ClassSettings(title="Year 11", size=2, months=months, seconds=0, **settings)
    ) as one:
        yield one
        idle = one.listener._server.close_all_connections()
        asyncio.run_coroutine_threadsafe(idle, one.loop).result(10)


@pytest.fixture
def school(tmp_path):
    with opened(tmp_path) as school:
        yield school


@pytest.fixture
def phone(browser):
    """Open the page on another phone; in the end none may have complained."""
    contexts, wrong = [], []

    def open_it(url, width=390, height=844, before=None, **options):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, **{"locale": "en-GB", **options})
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: "//127.0.0.1:" in asked.url or wrong.append(asked.url))
        if before is not None:
            before(page)
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def ann(school, phone):
    """Ann's page at a table with Ben, who is not there; and Ben's key."""
    page = phone(f"{school.url}#c={school.room.code}")
    page.get_by_label("Your name").fill("Ann")
    expect(page.locator("#trouble")).to_have_text("")
    page.get_by_role("button", name="Join as Ann").click()
    expect(page.get_by_role("heading", name="You are Ann")).to_be_focused()
    page.ben = school.join("Ben")
    school.do("start")
    expect(page.locator("#where")).to_have_text("January · order 1/2")
    return page


def turn_of(school):
    month, step = school.room.desks[0].turn
    return [month, step.value]


def ben_bids(school, page, **bids):
    """Let Ben hand in."""
    turn = turn_of(school)
    message = {"t": "bid", "key": page.ben, "id": f"ben's own {turn}", "turn": turn, "bids": bids}
    assert school.say(message)["ok"]


def bid(page, **bids):
    names = {"X": "X-FINE", "F": "FINE", "S": "STANDARD"}
    for item, (units, price) in bids.items():
        name = names.get(item, item)
        page.get_by_label(f"{name}, units", exact=True).fill(str(units))
        page.get_by_label(f"{name}, price a unit in dollars", exact=True).fill(str(price))


def hand_in(page):
    page.locator("#handIn").click()


def hand_in_surely(page):
    """Hand in, and once more if that is asked."""
    hand_in(page)
    if page.locator("#wrong").text_content():
        page.wait_for_timeout(800)
        hand_in(page)


def texts(page, selector):
    return page.locator(selector).evaluate_all("all => all.map(one => one.lastChild.textContent)")


# -- the files -----------------------------------------------------------------------------------


def test_the_page_weighs_less_than_sixty_kilobytes():
    assert sum(path.stat().st_size for path in FILES) < 61_440  # 60 KiB


def test_an_old_browser_can_read_every_script():
    # Optional chaining, ??, private and class fields, replaceAll and flex gaps came in 2020.
    scripts = "\n".join(path.read_text("utf-8") for path in FILES if path.suffix == ".js")
    assert not re.search(r"\?\.\D|\?\?|\.#\w|replaceAll|replaceChildren|\.at\(|hasOwn", scripts)
    style = (STATIC / "phone.css").read_text("utf-8")
    assert not re.search(r"(?<!grid-column-)\bgap:|:has\(|:focus-visible|inset:|clamp\(|dvh", style)


def test_no_file_makes_html_of_text_or_asks_another_machine():
    whole = "".join(path.read_text("utf-8") for path in FILES)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval|<style|style=", whole
    )
    assert set(re.findall(r"https?://[\w.]+", whole)) <= {"http://www.w3.org"}


@pytest.mark.slow
def test_every_text_is_in_both_languages_with_the_same_places_and_is_used(school, phone):
    page = phone(school.url)
    words = page.evaluate("import('./static/words.js').then(it => ({...it}))")
    assert list(words["LANGUAGES"]) == ["en", "es"]

    def places(text):
        return sorted(re.findall(r"\{\w+\}", text.split("|")[-1]))

    for key, text in words["TEXTS"].items():
        assert places(text["en"]) == places(text["es"]), key
        assert text["en"] != text["es"], key
    code = "".join(path.read_text("utf-8") for path in FILES if path.suffix != ".css")
    before, _, after = code.partition("const TEXTS = {};\n`\n")
    table, _, after = after.partition("\n`")
    lines = [line for line in table.split("\n") if line]
    assert [line.partition("=")[0] for line in lines[::2]] == list(words["TEXTS"])
    assert all(line.startswith("\t") for line in lines[1::2])
    code = before + after

    def is_used(key):
        varies = r"^(buy|sell)(?=[A-Z])|^\w+(?=(No|News|First)$)|(?<=^rule)\d$"
        return re.search(rf"""["`. }}]{re.sub(varies, "", key)}["`,:?$\]]""", code)

    sent = {one.value for one in Outcome} | set(LEVELS.values())
    assert set(words["TEXTS"]) >= sent - {Outcome.FILLED, Outcome.PARTLY_FILLED, Outcome.NO_BID}
    assert [key for key in words["TEXTS"] if not is_used(key) and key not in sent] == []


# -- what it says --------------------------------------------------------------------------------

PLAYED = [
    ({"X": (6, 45), "F": (4, 30), "S": (2, 22)}, {"X": (9, 41), "S": (2, 12)}),
    ({"A": (2, 120), "B": (1, 130)}, {"A": (1, 120)}),
    ({"X": (12, 60), "F": (6, 90)}, {}),
    ({"A": (3, 100), "B": (3, 90), "C": (2, 300)}, {}),
]


@pytest.mark.slow
@pytest.mark.parametrize("variation", [False, True])
def test_reports_and_advice_are_those_of_the_notebook(tmp_path, phone, variation):
    rules = {"partial_buys": variation, "partial_sales": variation}
    with opened(tmp_path, rules=rules) as school:
        key, page = school.join("Ann"), None
        page = phone(f"{school.url}#k={key}")
        page.get_by_role("button", name="This is my seat").click()
        page.ben = school.join("Ben")
        school.do("start")
        game = Game(["Ann", "Ben"], school.room.settings.rules_of(None))
        for own, other in PLAYED:
            kind = "order" if game.step is Step.BUY else "offer"
            expect(page.locator("#where")).to_contain_text(kind)
            bid(page, **own)
            items = GOODS if game.step is Step.SELL else MATERIALS
            bids = {item: own.get(item.value, (0, 0)) for item in items}
            view = game.observe("Ann")
            said = [one for one in texts(page, "#advice li") if "more than you need" not in one]
            assert said == [
                one.text
                for one in advise(view, bids)
                if " stake." not in one.text and not re.fullmatch(r"\d+ of \d+ units\.", one.text)
            ]
            for at, item in enumerate(items):
                hint = page.locator(f"#hint{at}").text_content()
                assert hint == line_hint(view, bids, item)
            hand_in_surely(page)
            expect(page.get_by_text("Handed in", exact=False).first).to_be_visible()
            ben_bids(school, page, **{item: list(line) for item, line in other.items()})
            game.order("Ann", **own) if kind == "order" else game.offer("Ann", **own)
            game.order("Ben", **other) if kind == "order" else game.offer("Ben", **other)
            report = game.report
            expect(page.locator("#report p")).to_have_text(result_sentence(report, "Ann"))
            assert texts(page, "#report li") == _sentences(report, "Ann")
        expect(page.locator("#state")).to_contain_text(final_text(game.final, "Ann"))


NOTHING_IN = {
    "en-GB": "You handed nothing in. You buy nothing and have $900.",
    "es-ES": "No has entregado nada. No compras nada y tienes $900.",
}


@pytest.mark.slow
@pytest.mark.parametrize("locale", NOTHING_IN)
def test_who_handed_nothing_in_is_told_so_and_who_passed_is_not(school, phone, locale):
    ann, ben = (phone(f"{school.url}#k={school.join(name)}", locale=locale) for name in "ab")
    for page in (ann, ben):
        page.locator("#door button").click()
    school.do("start")
    hand_in_surely(ben)
    expect(ben.locator("#state h2")).to_be_visible()
    school.do("close")
    expect(ann.locator("#report p")).to_have_text(NOTHING_IN[locale])
    expect(ann.locator("#said")).to_contain_text(NOTHING_IN[locale])
    expect(ben.locator("#report p")).to_have_text(NOTHING_IN[locale].partition(". ")[2])
    ann.reload()
    expect(ann.locator("#report p")).to_have_text(NOTHING_IN[locale])
    school.do("bot", table=0, firm=school.room.pupils[1].firm)
    school.do("close")
    first = NOTHING_IN[locale].partition(".")[0]
    expect(ben.locator("#report p")).to_contain_text(first)
    expect(ann.locator("#report h2")).to_contain_text(re.compile("goods|productos"))
    expect(ann.locator("#report p")).not_to_contain_text(first)


# -- a seat --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_empty_field_is_asked_for_and_a_bots_name_is_the_bots(school, phone):
    for locale, said in {
        "en-GB": ["Type the code.", "Write your name.", "Bots are called so. Write your own name."],
        "es-ES": ["Escribe el código.", "Escribe tu nombre.", "Así se llaman los bots."],
    }.items():
        page = phone(school.url, locale=locale)
        refused = page.locator("#refused")
        page.locator("#go").click()
        expect(refused).to_have_text(said[0])
        page.locator("#typed").fill(school.room.code)
        page.locator("#go").click()
        expect(page.get_by_role("heading")).to_have_text("Year 11")
        page.locator("#go").click()
        expect(refused).to_have_text(said[1])
        page.locator("#typed").fill("Bot 1")
        expect(refused).to_be_empty()
        page.locator("#go").click()
        expect(refused).to_contain_text(said[2])


@pytest.mark.slow
def test_a_late_answer_leaves_what_is_typed_meanwhile(school, phone):
    page = phone(school.url)
    typed, go, heading = page.locator("#typed"), page.locator("#go"), page.get_by_role("heading")
    held = []

    def asked():
        while not held:
            page.wait_for_timeout(50)
        return held.pop()

    for tries, late, then in (
        (["WRONG", school.room.code], "No class has this code.", "Year 11"),
        (["Ann", "Anna"], "You are Ann", "You are "),
    ):
        page.route("**/say", lambda route: held.append(route))
        typed.fill(tries[0])
        go.click()
        asked().fulfill(json={"messages": [{"t": "no", "why": "busy"}]})
        expect(page.locator("#trouble")).to_have_text("The class is busy. Trying again…")
        second = asked()
        typed.fill(tries[1])
        expect(page.locator("#trouble")).to_be_empty()
        second.continue_()
        page.wait_for_timeout(3_500)  # by then it would be asked once more
        assert held == []
        expect(typed).to_have_value(tries[1])
        expect(page.get_by_text(late)).to_have_count(0)
        page.unroute("**/say")
        go.click()
        expect(heading.first).to_contain_text(then)


@pytest.mark.slow
def test_half_a_bid_survives_a_refresh_and_goes_to_another_phone(school, phone, ann):
    bid(ann, X=(2, 44))
    ann.get_by_role("button", name="FINE +1", exact=True).click()
    other = phone(ann.url)
    other.get_by_role("button", name="This is my seat").click()
    for page in (ann, other):
        if page is ann:
            page.reload()
        expect(page.get_by_label("X-FINE, units")).to_have_value("2")
        expect(page.get_by_label("X-FINE, price")).to_have_value("44")
        expect(page.get_by_label("FINE, units", exact=True)).to_have_value("1")
    # What is typed on one is seen on the other, also when that is loaded anew; but never under
    # the fingers.
    ann.get_by_label("X-FINE, units").focus()
    bid(other, X=(7, 43))
    expect(ann.get_by_label("X-FINE, price")).to_have_value("43")
    expect(ann.get_by_label("X-FINE, units")).to_have_value("2")
    ann.reload()
    expect(ann.get_by_label("X-FINE, units")).to_have_value("7")


def test_a_bid_is_sealed_changed_and_settled_and_the_report_is_seen(school, phone, ann):
    expect(ann.locator("#others")).to_have_text("Waiting for Ben (away). ")
    bid(ann, X=(2, 44), F=(1, 33))
    expect(ann.locator("#total")).to_have_text("Total $121 · 15 units left · $779 left")
    hand_in(ann)
    expect(ann.locator("#state")).to_contain_text("Handed in Receipt")
    expect(ann.locator("#state")).to_contain_text("2 X-FINE $44, 1 FINE $33")
    expect(ann.locator("#state")).to_contain_text("You can change it until the step closes.")
    ann.reload()
    expect(ann.locator("#state")).to_contain_text("Handed in Receipt")
    other = phone(ann.url)
    expect(other.locator("#door")).to_contain_text("Not you? Close this page")
    other.get_by_role("button", name="This is my seat").click()
    number = ann.locator("#state small").text_content()
    expect(other.locator("#state small")).to_have_text(number)
    ann.get_by_role("button", name="Change my bid").click()
    expect(ann.get_by_label("X-FINE, units")).to_be_focused()
    expect(ann.get_by_label("X-FINE, units")).to_have_value("2")
    bid(ann, X=(3, 44))
    hand_in(ann)
    expect(ann.locator("#state")).to_contain_text("3 X-FINE $44")
    ben_bids(school, ann, X=[1, 30])
    expect(ann.locator("#report")).to_be_focused()
    expect(ann.locator("#report")).to_be_in_viewport()
    expect(ann.locator("#said")).to_contain_text("You pay $165 and have $735.")
    expect(ann.get_by_label("A, units")).to_be_visible()
    assert ann.locator("#news + #report").count() == 1


MAKES = {
    "en-GB": [
        "X-FINE may stand in for FINE.",
        "materials: −10, and +1 for each unit of all firms, up to 24.",
        "goods: +11, and −2 for each unit of all firms, up to 16.",
    ],
    "es-ES": [
        "X-FINE puede sustituir a FINE.",
        "materiales: −10, y +1 por cada unidad de todas las empresas, hasta 24.",
        "productos: +11, y −2 por cada unidad de todas las empresas, hasta 16.",
    ],
}


@pytest.mark.parametrize("locale", MAKES)
@pytest.mark.slow
def test_what_makes_what_is_under_the_form_by_the_rules_of_the_table(tmp_path, phone, locale):
    rules = {
        "production": {"A": {"X": 3, "F": 0}},
        "substitutions": ["X for F"],
        "past_table": "clamp",
    }
    with opened(tmp_path, rules=rules) as school:
        page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
        page.locator("#door button").click()
        school.join("Ben")
        school.do("start")
        expect(page.locator("#makes")).to_be_hidden()
        page.locator("#recipes").click()
        lines = ["A = 3 X-FINE", "B = 1 X-FINE + 1 FINE + 1 STANDARD", "C = 1 FINE + 2 STANDARD"]
        expect(page.locator("#makes p")).to_have_text([*lines, *MAKES[locale]])
        page.locator("#f00").fill("1")
        page.locator("#handIn").click()
        expect(page.locator("#state")).to_contain_text("1 X-FINE")
        expect(page.locator("#makes")).to_be_visible()


@pytest.mark.slow
def test_enter_goes_on_and_never_hands_in_and_passing_takes_two_presses(school, ann):
    ann.get_by_label("X-FINE, units").focus()
    for _ in range(6):
        ann.keyboard.press("Enter")
    expect(ann.get_by_role("button", name="Hand in")).to_be_focused()
    expect(ann.locator("#wrong")).to_be_empty()
    ann.keyboard.press("Enter")
    expect(ann.get_by_role("alert")).to_have_text(
        "No units are written down. To pass, press Hand in once more."
    )
    ann.keyboard.press("Enter")  # the second half of a double tap
    expect(ann.locator("#bids")).to_be_visible()
    ann.wait_for_timeout(800)
    ann.keyboard.press("Enter")
    expect(ann.locator("#state")).to_contain_text("You pass.")


@pytest.mark.slow
def test_an_order_over_the_limit_or_without_a_price_is_not_handed_in(school, ann):
    bid(ann, X=(1, 40), F=(13, 35))
    expect(ann.locator("#advice .warn")).to_have_text("13 of at most 12 FINE. Take 1 off.")
    hand_in(ann)
    expect(ann.get_by_label("FINE, units", exact=True)).to_be_focused()
    expect(ann.get_by_role("alert")).to_have_text("13 of at most 12 FINE. Take 1 off.")
    expect(ann.get_by_text("Take 1 off.")).to_have_count(1)
    bid(ann, F=("", 30))
    odd = dict.fromkeys(("ten", "2,5", "2.5", "1,000"), "not a whole number. Write it like 10.")
    for typed, what in {**odd, "-3": "below 0. Write 0 or more."}.items():
        bid(ann, X=(typed, 40))
        wrong = f"X-FINE, units: '{typed}' is {what}"
        expect(ann.locator("#advice .warn")).to_have_text(wrong)
    bid(ann, X=(2, "40,50"))
    expect(ann.locator("#advice .warn")).to_contain_text("'40,50' is not a whole number.")
    expect(ann.locator("#total")).to_contain_text("Total $0")
    hand_in(ann)
    expect(ann.get_by_text("'40,50' is not a whole number.")).to_have_count(1)
    expect(ann.get_by_role("alert")).to_contain_text("'40,50' is not a whole number.")
    expect(ann.get_by_label("X-FINE, price")).to_be_focused()
    bid(ann, X=("2,5", 40))
    ann.get_by_role("button", name="X-FINE +1", exact=True).click()
    expect(ann.get_by_label("X-FINE, units")).to_have_value("3")
    bid(ann, X=(3, ""))
    expect(ann.locator("#advice .warn")).to_have_text(
        "X-FINE: 3 without a price. Write one beside the units."
    )
    hand_in(ann)
    expect(ann.get_by_text("3 without a price.")).to_have_count(1)
    expect(ann.get_by_label("X-FINE, price")).to_be_focused()
    assert not school.room.desks[0].sealed


@pytest.mark.slow
def test_of_more_than_may_be_ordered_only_that_is_said(school, ann):
    bid(ann, X=(999, 40), F=(1, 30))
    expect(ann.locator("#advice li")).to_have_text("1000 of 18 units. Take 982 off.")
    expect(ann.locator("#hint0")).to_be_empty()
    expect(ann.locator("#hint1")).to_contain_text("It can post at")
    bid(ann, X=(13, 90))
    expect(ann.locator("#advice li")).to_have_text("13 of at most 12 X-FINE. Take 1 off.")
    expect(ann.locator("#hint0")).to_be_empty()
    bid(ann, X=(12, 40))
    expect(ann.locator("#hint0")).to_contain_text("It can post at $42")


PAUSED = {"en-GB": "The class is paused.", "es-ES": "La clase está en pausa."}


@pytest.mark.slow
@pytest.mark.parametrize("locale", PAUSED)
def test_in_a_pause_the_buttons_say_why_they_do_nothing(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568, locale=locale)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("start")
    page.locator("#f00").fill("2")
    change = page.locator("#state button")
    for button, beside in ((page.locator("#handIn"), "#wrong"), (change, "#state .warn")):
        school.do("pause")
        expect(button).to_be_disabled()
        for said in ("#clock", beside):
            expect(page.locator(said)).to_have_text(PAUSED[locale])
            expect(page.locator(said)).to_be_in_viewport(ratio=1)
        if button is change:
            expect(page.locator("#said")).to_have_text(PAUSED[locale])
        else:
            page.locator("#f00").fill("3")
            expect(page.locator(beside)).to_have_text(PAUSED[locale])
            page.reload()
            expect(page.locator(beside)).to_have_text(PAUSED[locale])
            expect(page.locator("#f00")).to_have_value("3")
        school.do("go")
        expect(page.get_by_text(PAUSED[locale])).to_have_count(int(button is change))  # read out
        button.click()
    expect(page.locator("#f00")).to_have_value("3")
    page.locator("#handIn").click()
    expect(page.locator("#state")).to_contain_text("3 X-FINE $40")


@pytest.mark.slow
def test_a_bid_that_arrives_in_a_pause_waits_for_its_end(school, phone):
    page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("start")
    page.locator("#f00").fill("2")
    page.context.set_offline(True)
    page.locator("#handIn").click()
    school.do("pause")
    page.context.set_offline(False)
    expect(page.locator("#state .warn")).to_have_text("The class is paused. Trying again…")
    expect(page.locator("#state")).to_contain_text("2 X-FINE $40")
    school.do("go")
    expect(page.locator("#state h2")).to_contain_text("Handed in", timeout=20_000)
    assert school.room.desks[0].sealed[0].bids == {"X": [2, 40]}


@pytest.mark.slow
def test_who_hears_the_page_is_told_that_the_game_begins_and_how_it_ends(school, phone):
    page = phone(f"{school.url}#k={school.join('Ann')}")
    page.locator("#door button").click()
    school.join("Ben")
    expect(page.locator("#hello")).to_be_focused()
    school.do("start")
    expect(page.locator("#said")).to_contain_text("January · order 1/2")
    expect(page.locator("#where")).to_be_focused()
    for step in ("offer 1/2", "order 2/2", "offer 2/2"):
        school.do("close")
        expect(page.locator("#said")).to_contain_text(f"{step}")
        expect(page.locator("#report")).to_be_focused()
    school.do("close")
    expect(page.locator("#said")).to_contain_text("Your profit is $0.")
    expect(page.locator("#state")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-GB", "materials: a bid that misses loses a unit for each dollar."),
        ("es-ES", "materiales: si no alcanzas el precio, pierdes una unidad por dólar."),
    ],
)
def test_the_rules_of_a_variation_are_among_the_rules(tmp_path, phone, locale, said):
    with opened(tmp_path, rules={"partial_buys": True}) as school:
        page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
        page.locator("#door button").click()
        school.do("start")
        page.locator("#guide").evaluate("guide => guide.open = true")
        expect(page.locator("#makes p").first).to_have_text(said)
        expect(page.locator("#makes p", has_text=said[12:])).to_have_count(1)


LOW_AND_HIGH = {
    "en-GB": [
        "$10 for X-FINE is below $32, the lowest it can post at, so you get none.",
        "$90 for FINE is above $33, the highest it can post at, so you pay more than you need.",
        "$500 for A is above $149, the highest it can post at, so you sell none.",
    ],
    "es-ES": [
        "$10 por X-FINE es menos de $32, el mínimo posible: no recibes nada.",
        "$90 por FINE es más de $33, el máximo posible: pagas más de lo necesario.",
        "$500 por A es más de $149, el máximo posible: no vendes nada.",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOW_AND_HIGH)
def test_a_price_that_cannot_post_is_told_and_asked_for_once_more(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
    page.locator("#door button").click()
    page.ben = school.join("Ben")
    school.do("start")

    def write(*typed):
        for field, text in typed:
            page.locator(f"#{field}").fill(str(text))

    warned = page.locator("#advice .warn")
    *order, offer = LOW_AND_HIGH[locale]
    write(("f00", 2), ("f01", 10), ("f10", 1), ("f11", 90))
    expect(warned).to_have_text(order)
    hand_in(page)
    expect(page.locator("#wrong")).not_to_be_empty()
    assert not school.room.desks[0].sealed
    for prices in ((32, 33), (44, 21)):  # the lowest and the highest are possible
        write(("f01", prices[0]), ("f11", prices[1]))
        expect(warned).to_have_count(0)
    write(("f00", 2), ("f01", 44), ("f10", 1), ("f11", 90))
    expect(warned).to_have_text(order[1])
    hand_in_surely(page)
    ben_bids(school, page)
    expect(page.locator("#tally")).not_to_be_empty()
    write(("f00", 1), ("f01", 500))
    expect(warned).to_have_text(offer)
    expect(page.locator("#hint0")).not_to_contain_text("$500")
    write(("f01", 149))
    expect(page.get_by_text(offer)).to_have_count(0)
    expect(page.locator("#hint0")).to_contain_text("$149")


GO_ON = {"en-GB": "Nothing to offer: go on", "es-ES": "Nada que ofrecer: seguir"}


@pytest.mark.slow
@pytest.mark.parametrize("locale", GO_ON)
def test_who_can_make_nothing_goes_on_with_one_press(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
    page.locator("#door button").click()
    page.ben = school.join("Ben")
    school.do("start")
    expect(page.locator("#handIn")).not_to_have_text(GO_ON[locale])
    hand_in_surely(page)
    ben_bids(school, page)
    expect(page.locator("#handIn")).to_have_text(GO_ON[locale])
    nothing = "Puedes hacer: nada." if locale == "es-ES" else "You can make nothing."
    expect(page.locator("#advice")).to_have_text(nothing)
    page.locator("#f00").fill("1")  # it moves the price (R14), so it may be offered
    expect(page.locator("#handIn")).not_to_have_text(GO_ON[locale])
    page.locator("#f00").fill("")
    hand_in(page)
    expect(page.locator("#state h2")).to_be_visible()
    ben_bids(school, page)
    expect(page.locator("#where")).to_contain_text("2/2")


TOO_MUCH = {
    "en-GB": "Total $1,000 · 2 units too many · $100 too much",
    "es-ES": "Total: $1000 · sobran 2 unidades · faltan $100",
}


@pytest.mark.slow
@pytest.mark.parametrize("locale", TOO_MUCH)
def test_what_is_too_much_is_said_so_and_hand_in_stays_within_reach(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568, locale=locale)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("start")
    bids = [(14, 50), (6, 50), (0, 1)]
    for at, line in enumerate(bids):
        for column, typed in enumerate(line):
            field = page.locator(f"#f{at}{column}")
            field.fill(str(typed))
            # The bar is below what is typed into, wherever the page stands.
            expect(page.locator("#handIn")).to_be_in_viewport(ratio=1)
            boxes = [one.bounding_box() for one in (field, page.locator("#bar"))]
            assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    expect(page.locator("#total")).to_have_text(TOO_MUCH[locale])
    page.locator("#handIn").click()
    expect(page.locator("#wrong")).not_to_be_empty()
    expect(page.locator("#wrong")).to_be_in_viewport(ratio=1)
    expect(page.locator("#handIn")).to_be_in_viewport(ratio=1)
    page.locator("#f00").fill("2")
    page.locator("#f10").fill("14")
    page.locator("#f10").fill("12")
    page.locator("#f11").fill("80")
    page.locator("#handIn").click()  # a risk: the warning comes into sight with the question
    expect(page.locator("#advice .warn").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#handIn")).to_be_in_viewport(ratio=1)
    # Beside a keyboard there is no room for it; it stays at the form's end.
    page.set_viewport_size({"width": 320, "height": 300})
    page.locator("#f00").scroll_into_view_if_needed()
    expect(page.locator("#bar")).to_have_css("position", "static")
    expect(page.locator("#f00")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("months", [1, 2, 4])
@pytest.mark.slow
def test_the_chart_names_no_month_after_the_last(tmp_path, phone, months):
    with opened(tmp_path, months=months) as school:
        page = phone(f"{school.url}#k={school.join('Ann')}")
        page.locator("#door button").click()
        school.join("Ben")
        school.do("start")
        named = page.locator("#chart svg:first-of-type .middle").filter(
            has_text=re.compile("[a-z]")
        )
        expect(named).to_have_text(["Opening", "Jan", "Feb", "Mar"][: months + 1])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_chart_has_a_panel_for_goods_and_one_for_materials(tmp_path, phone, scheme):
    with opened(tmp_path, months=5, absent_after=0) as school:
        page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568, color_scheme=scheme)
        page.locator("#door button").click()
        school.join("Ben")
        school.do("start")
        for _ in range(3):
            school.do("close")
        expect(page.locator("#where")).to_contain_text("February · offer")
        expect(page.locator("#chart p")).to_have_text(["goods", "materials"])
        goods, materials = (
            page.locator(f"#chart svg:nth-of-type({at})").locator("text.end") for at in (1, 2)
        )
        expect(goods).to_have_text(["$80", "$100", "$120", "$140", "$160"])
        expect(materials).to_have_text(["$0", "$10", "$20", "$30", "$40"])
        assert page.locator("#chart svg").evaluate_all(ALL_NAMES_ARE_READ)
        for _ in range(6):
            school.do("close")
        expect(page.locator("#where")).to_contain_text("May · offer")
        names = page.locator("#chart svg:nth-of-type(2) text", has_text=re.compile("[A-Z] "))
        expect(names).to_have_text(["X-FINE $1", "FINE $1", "STANDARD $1"])
        assert page.locator("#chart svg").evaluate_all(ALL_NAMES_ARE_READ)


ALL_NAMES_ARE_READ = """all => all.every((one) => {
  const box = one.getBoundingClientRect();
  const all = [...one.querySelectorAll('text')];
  const texts = all.map((text) => text.getBoundingClientRect());
  const names = texts.filter((_, at) => all[at].textContent.includes(' $'));
  return texts.every((text) => text.left >= box.left && text.right <= box.right + 1
    && text.top >= box.top - 1 && text.bottom <= box.bottom + 1)
    && names.every((text, at) => !at || text.top >= names[at - 1].bottom - 5);
})"""
"""Everything stands inside, and no name covers another."""


SLIP = {"en-GB": "Use the link on its slip, or ask your teacher.", "es-ES": "avisa a tu docente."}


@pytest.mark.slow
@pytest.mark.parametrize("locale", SLIP)
def test_who_has_a_slip_is_told_to_use_it(tmp_path, phone, locale):
    with opened(tmp_path, roster=["Ann"]) as school:
        page = phone(f"{school.url}#c={school.room.code}", locale=locale)
        page.locator("#typed").fill("Ann")
        page.locator("#go").click()
        expect(page.locator("#refused")).to_contain_text(SLIP[locale])
        page.locator("#typed").fill("Ann B")
        page.locator("#go").click()
        expect(page.locator("#hello")).to_contain_text("Ann B")


NOT_YET = {"en-GB": "Not handed in yet.", "es-ES": "Aún no has entregado."}


@pytest.mark.slow
@pytest.mark.parametrize("locale", NOT_YET)
def test_the_last_half_minute_tells_of_what_is_typed_and_not_handed_in(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568, locale=locale)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("seconds", seconds=32)
    school.do("start")
    status = page.locator("#trouble")
    said = "n => { n.said = []; new MutationObserver(() => n.said.push(n.textContent))"
    status.evaluate(said + ".observe(n, {childList: true}) }")
    expect(page.locator("#clock")).to_contain_text("29 s")
    expect(status).to_be_empty()
    page.locator("#f00").fill("2")
    expect(status).to_have_text(NOT_YET[locale])
    expect(status).to_have_attribute("role", "status")
    page.locator("footer").scroll_into_view_if_needed()
    expect(status).to_be_in_viewport()
    expect(page.locator("#clock")).to_contain_text("26 s")
    assert status.evaluate("n => n.said") == [NOT_YET[locale]]
    page.locator("#handIn").click()
    expect(status).to_be_empty()


@pytest.mark.slow
def test_the_head_keeps_words_apart_on_a_narrow_phone(school, phone):
    page = phone(f"{school.url}#k={school.join('Ann')}", 320, 568, locale="es-ES")
    page.locator("#door button").click()
    school.join("Ben")
    school.do("seconds", seconds=600)
    school.do("start")
    expect(page.locator("#clock")).to_contain_text("quedan 9:")
    # Letter by letter wider, until the clock goes into a line of its own.
    apart = """(where) => {
      const clock = document.getElementById("clock");
      const range = document.createRange();
      range.selectNodeContents(where);
      for (let n = 0; n < 12; n++) {
        where.firstChild.data += "x";
        const [a, b] = [range.getBoundingClientRect(), clock.getBoundingClientRect()];
        if (b.top < a.bottom - 4 && b.left - a.right < 8) return false;
      }
      return true;
    }"""
    assert page.locator("#where").evaluate(apart)


@pytest.mark.slow
def test_a_step_that_closes_under_the_fingers_loses_nothing_silently(school, ann):
    bid(ann, X=(2, 44))
    ann.wait_for_timeout(600)
    school.do("close")
    expect(ann.locator("#news")).to_contain_text(
        "January, order: this is settled. Too late for 2 X-FINE $44."
    )
    school.do("reopen", table=0)
    expect(ann.locator("#where")).to_contain_text("January · order")
    expect(ann.locator("#news p")).to_have_text("January, order: open again. Hand in again.")


@pytest.mark.slow
def test_a_notice_goes_away_when_it_is_no_longer_true(school, ann):
    ann.clock.install()
    ann.reload()
    expect(ann.locator("#bids")).to_be_visible()
    news = ann.locator("#news p")
    school.do("seconds", seconds=90)
    school.do("close")
    school.do("reopen")
    long = ("Look up. " * 12).strip()
    school.do("say", text=long)
    school.do("extend", seconds=30)
    again, says = "January, order: open again. Hand in again.", f"Your teacher says: {long}"
    expect(news).to_have_text([again, says])
    expect(ann.locator("#said")).to_have_text("30 seconds more.")  # read out, though no room for it
    ann.get_by_role("button", name="OK").first.click()
    ben = school.room.pupils[2].firm
    for what, text in (("bot", "A bot (medium) plays for Ben."), ("return", "Now Ben plays.")):
        school.do(what, table=0, firm=ben)
        expect(news).to_have_count(2)
        expect(news.last).to_contain_text(text)
    ann.clock.run_for(40_000)
    expect(news).to_have_text([says])
    school.do("close")
    expect(ann.locator("#where")).to_have_text("January · offer 1/2")
    expect(news).to_have_count(0)
    folded = ann.locator("#news summary")
    expect(folded).to_have_text(says)
    assert folded.evaluate("one => one.clientHeight") <= 56
    folded.click()
    assert folded.evaluate("one => one.clientHeight") > 56
    ann.locator("#news button").click()
    expect(ann.locator("#news div")).to_have_count(0)
    # What was said while the phone slept is told only if it is true of the step that is open.
    address = ann.url
    ann.goto("about:blank")
    school.do("extend", seconds=30)
    school.do("reopen")
    school.do("close")
    school.do("bot", table=0, firm=ben)
    ann.goto(address)
    expect(ann.locator("#where")).to_have_text("January · offer 1/2")
    expect(news).to_have_text("A bot (medium) plays for Ben.")
    for _ in range(3):
        school.do("close")
    expect(ann.locator("#where")).to_contain_text("ended")
    expect(news).to_have_text([])


UNTIL_NOW = {
    "en-GB": "A bot played your seat until now.",
    "es-ES": "Hasta ahora jugó un bot en tu puesto.",
}


@pytest.mark.slow
@pytest.mark.parametrize("locale", UNTIL_NOW)
def test_who_comes_late_is_told_of_the_bot_and_finds_no_price_of_it(tmp_path, phone, locale):
    with opened(tmp_path) as school:
        cy = phone(f"{school.url}#k={school.join('Cy')}")
        cy.locator("#door button").click()
        school.do("start")
        for step in ("order", "offer"):
            expect(cy.locator("#where")).to_have_text(f"January · {step} 1/2")
            bid(cy, **({"X": (2, 43)} if step == "order" else {"A": (0, 1)}))
            hand_in_surely(cy)
        expect(cy.get_by_label("X-FINE, price")).to_have_value("43")
        page = phone(f"{school.url}#k={school.join('Dee')}", locale=locale)
        page.locator("#door button").click()
        expect(page.locator("#news p")).to_have_text(UNTIL_NOW[locale])
        # The rules, which others have read in the lobby, stand open before the form.
        for one, above in ((page, "#guide + #state"), (cy, "#others + #guide")):
            assert one.locator(above).count() == 1
            assert one.locator("#guide").get_attribute("open") == (None if one is cy else "")
        expect(page.locator("#makes li")).to_have_count(5)
        expect(page.locator("#makes")).to_be_in_viewport()
        cy.locator("#recipes").click()
        expect(cy.locator("#makes li")).to_have_text(cy.locator("#rules li").all_text_contents())
        posted = school.room.table(0).game.postings[0].prices
        for at, price in enumerate(posted):
            expect(page.locator(f"#f{at}1")).to_have_value(str(price))
        firm = school.room.pupils[2].firm
        bot = school.room.table(0).game.observe(f"Firm {firm + 1}").results[0].lines
        assert any(line.units and line.price != at for line, at in zip(bot, posted, strict=True))


CLOSED = {"en-GB": "The class is closed.", "es-ES": "La clase está cerrada."}


@pytest.mark.slow
@pytest.mark.parametrize("locale", CLOSED)
def test_what_was_played_can_be_read_when_the_class_is_closed(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("seconds", seconds=90)
    school.do("start")
    page.locator("#f00").fill("2")
    school.do("close")
    expect(page.locator("#report")).not_to_be_empty()
    school.do("standings", show=True)
    expect(page.locator("#standings")).to_contain_text("Ben")
    school.do("finish")
    expect(page.locator("#trouble")).to_have_text(CLOSED[locale])
    for part in ("#report", "#standings", "#board", "#tally"):
        expect(page.locator(part)).to_be_visible()
    page.wait_for_timeout(1_500)
    for part in ("#bids", "#clock"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator("#trouble")).to_have_text(CLOSED[locale])
    page.locator("#state button").click()
    expect(page.locator("#typed")).to_be_visible()
    expect(page.locator("#trouble")).to_be_empty()


@pytest.mark.slow
def test_the_final_result_stays_when_the_class_is_closed(school, ann):
    for _ in range(4):
        school.do("close")
    expect(ann.locator("#state")).to_contain_text("Your profit")
    school.do("finish")
    expect(ann.locator("#trouble")).to_have_text("The class is closed.")
    expect(ann.locator("#state")).to_contain_text("Your profit")
    expect(ann.locator("#state table")).to_be_visible()


@pytest.mark.slow
def test_a_half_typed_bid_gives_way_to_the_next_step_at_once(school, phone, ann):
    ben = phone(f"{school.url}#k={ann.ben}")
    ben.get_by_role("button", name="This is my seat").click()
    bid(ann, X=(2, 44))
    hand_in(ann)
    bid(ben, F=(1, 30))
    hand_in(ben)
    for month, next_step in (("January", "February · order"), ("February", "ended")):
        for page in (ann, ben):
            expect(page.locator("#where")).to_contain_text(f"{month} · offer")
        hand_in_surely(ann)
        ben.get_by_label("A, units", exact=True).press_sequentially("1x")
        ben.get_by_label("A, price").focus()
        school.do("close")
        expect(ben.locator("#where")).to_contain_text(next_step, timeout=1_000)
        school.do("reopen")
        expect(ben.locator("#where")).to_contain_text(f"{month} · offer", timeout=1_000)
        ben_bids(school, ann)
        bid(ann, A=(0, 1))
        hand_in_surely(ann)
        if month == "January":
            for page in (ann, ben):
                bid(page, S=(1, 12))
                hand_in(page)
    expect(ben.locator("#state")).to_contain_text("Your ")


@pytest.mark.slow
def test_a_name_is_text_wherever_it_stands(school, phone):
    key = school.join(EVIL)
    page = phone(f"{school.url}#k={key}")
    expect(page.get_by_role("heading")).to_have_text(f"You are {EVIL}")
    page.get_by_role("button", name="This is my seat").click()
    school.join("Ben")
    school.do("start")
    school.do("say", text=EVIL)
    expect(page.locator("#firms")).to_contain_text(EVIL)
    expect(page.locator("#news")).to_contain_text(f"Your teacher says: {EVIL}")
    assert page.locator("img").count() == 0


NEWS = {
    "en-GB": [
        "A bot (medium) plays for Ben.",
        "Now Ben plays.",
        "Taken back: the game stands as before.",
    ],
    "es-ES": [
        "Un bot (medio) juega por Ben.",
        "Ahora juega Ben.",
        "Se ha deshecho: la partida sigue como antes.",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("locale", NEWS)
def test_what_becomes_of_others_is_news_in_the_own_language(school, phone, locale):
    page = phone(f"{school.url}#k={school.join('Ann')}", locale=locale)
    page.locator("#door button").click()
    school.join("Ben")
    school.do("start")
    expect(page.locator("#bids")).to_be_visible()
    ben = school.room.pupils[2].firm
    school.do("bot", table=0, firm=1 - ben)  # of the own seat the page itself tells
    school.do("return", table=0, firm=1 - ben)
    did = [("bot", {"firm": ben}), ("return", {"firm": ben}), ("unend", {})]
    for (what, more), text in zip(did, NEWS[locale], strict=True):
        if what == "unend":
            school.do("close")
            school.do("close")
            school.do("end")
            expect(page.locator("#state")).to_be_focused()
            expect(page.locator("#news p")).to_have_count(0)
        school.do(what, table=0, **more)
        expect(page.locator("#news p").last).to_have_text(text)
    expect(page.locator("#where")).to_contain_text("2/2")


@pytest.mark.slow
def test_a_game_that_is_called_off_at_once_says_so(school, ann):
    school.do("end")
    expect(ann.locator("#where")).to_have_text("The game was called off")
    expect(ann.locator("#purse")).to_contain_text("cash $900")
    expect(ann.locator("#bids")).to_be_hidden()
    school.do("unend")
    expect(ann.locator("#where")).to_have_text("January · order 1/2")


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
def test_a_refusal_has_a_sentence_in_the_own_language(school, phone, locale):
    why = ["early"]

    def refuse(line):
        server = line.connect_to_server()

        def from_page(text):
            asked = json.loads(text)
            if asked["t"] != "bid":
                server.send(text)
                return
            answer = {"t": "receipt", "id": asked["id"], "ok": False, "why": why[0]}
            line.send(json.dumps({**answer, "text": "Of the server."}))

        line.on_message(from_page)

    page = phone(
        f"{school.url}#k={school.join('Ann')}",
        locale=locale,
        before=lambda page: page.route_web_socket(re.compile("/live$"), refuse),
    )
    page.locator("#door button").click()
    school.join("Ben")
    school.do("start")
    page.locator("#f00").fill("1")
    said = set()
    for why[0] in ("early", "in", "bot", "rules"):
        page.locator("#handIn").click()
        expect(page.locator("#wrong")).not_to_be_empty()
        text = page.locator("#wrong").text_content()
        assert ("Of the server." in text) == (why[0] == "rules" and locale == "en-GB")
        said.add(text)
    assert len(said) == 4
    why[0] = "disk"
    page.locator("#handIn").click()
    full = "La clase no puede guardarlo." if locale == "es-ES" else "The class cannot write"
    expect(page.locator("#state .warn")).to_contain_text(full)


# -- a bad network -------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_any_socket_the_page_asks_now_and_then(school, phone):
    key = school.join("Ann")
    page = phone(
        f"{school.url}#k={key}",
        before=lambda page: page.add_init_script("window.WebSocket = function () { throw 1; }"),
    )
    page.get_by_role("button", name="This is my seat").click()
    page.ben = school.join("Ben")
    school.do("start")
    expect(page.locator("#where")).to_contain_text("January · order")
    bid(page, X=(2, 44))
    hand_in(page)
    expect(page.locator("#state")).to_contain_text("Receipt")
    ben_bids(school, page)
    expect(page.locator("#where")).to_contain_text("January · offer")


@pytest.mark.slow
def test_a_bid_waits_for_the_network_and_is_sent_once(school, phone):
    key = school.join("Ann")
    lines, away = [], [False]

    def cut(page):
        def socket(line):
            if away[0]:
                line.close()
            else:
                line.connect_to_server()
                lines.append(line)

        page.route_web_socket(re.compile("/live$"), socket)
        page.route(
            "**/say",
            lambda route: (
                route.fulfill(status=200, content_type="text/html", body="<p>Log in</p>")
                if away[0]
                else route.continue_()
            ),
        )

    page = phone(f"{school.url}#k={key}", before=cut)
    page.get_by_role("button", name="This is my seat").click()
    page.ben = school.join("Ben")
    school.do("seconds", seconds=90)
    school.do("start")
    bid(page, X=(2, 44))
    expect(page.locator("#clock")).to_contain_text("left")
    away[0] = True
    lines[-1].close()
    expect(page.locator("#trouble")).to_have_text("The class is not answering. Trying again…")
    page.locator("footer").scroll_into_view_if_needed()
    expect(page.locator("#trouble")).to_be_in_viewport()
    stopped = page.locator("#clock").text_content()
    page.wait_for_timeout(2_500)
    expect(page.locator("#clock")).to_have_text(stopped)
    hand_in(page)
    expect(page.locator("#state")).to_contain_text("Not sent yet. Trying again…")
    page.reload()
    expect(page.locator("#trouble")).to_have_text("The class is not answering. Trying again…")
    away[0] = False
    expect(page.locator("#state")).to_contain_text("2 X-FINE $44", timeout=20_000)
    expect(page.locator("#state")).to_contain_text("Receipt")
    expect(page.locator("#trouble")).to_be_empty()
    bids = [event for event in school.room.store.events() if event.kind == "bid"]
    assert len(bids) == 1


@pytest.mark.slow
def test_what_comes_too_late_is_answered_in_words(school, phone, ann):
    turn = turn_of(school)
    bid(ann, X=(2, 44))
    ann.evaluate("WebSocket.prototype.send = () => {}")  # sent into nowhere
    hand_in(ann)
    expect(ann.locator("#state")).to_contain_text("Sending…")
    school.do("close")
    assert turn_of(school) != turn
    ann.reload()
    expect(ann.locator("#news")).to_contain_text(
        "January, order: this is settled. Too late for 2 X-FINE $44."
    )


@pytest.mark.slow
def test_a_browser_that_keeps_nothing_will_do(school, phone):
    def forget(page):
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
        )

    page = phone(f"{school.url}#c={school.room.code}", before=forget)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Join as Ann").click()
    school.join("Ben")
    school.do("start")
    bid(page, X=(2, 44))
    hand_in(page)
    expect(page.locator("#state")).to_contain_text("Receipt")


@pytest.mark.slow
def test_a_link_that_is_revoked_says_so(school, ann):
    school.do("newlink", pupil=1)
    expect(ann.get_by_role("heading")).to_contain_text("This link opens no seat.")


# -- how it looks --------------------------------------------------------------------------------


def serious(page):
    return [
        f"{one['id']}: {node['html']} {node['failureSummary']}"
        for one in Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_nothing_goes_sideways(school, phone, scheme):
    page = phone(school.url, width=320, height=568, color_scheme=scheme)

    def look():
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320

    page.get_by_label("Class code").fill("NONESUCH")
    page.get_by_role("button", name="Join a class").click()
    expect(page.get_by_role("alert")).to_contain_text("No class has this code.")
    look()
    page.get_by_label("Class code").fill(school.room.code.lower())
    page.get_by_role("button", name="Join a class").click()
    page.get_by_label("Your name").fill("Ann")
    look()
    page.get_by_role("button", name="Join as Ann").click()
    expect(page.get_by_role("heading", name="You are Ann")).to_be_visible()
    look()
    page.ben = school.join("Ben")
    school.do("start")
    for own, other in PLAYED:
        expect(page.locator("#bids")).to_be_visible()
        bid(page, **own)
        look()
        hand_in_surely(page)
        expect(page.locator("#state")).to_contain_text("Handed in")
        look()
        ben_bids(school, page, **{item: list(line) for item, line in other.items()})
        expect(page.locator("#state")).not_to_contain_text("Handed in")
    school.do("standings", show=True)
    expect(page.locator("#standings")).to_contain_text("Table 1")
    look()
    page.locator("#language").select_option("es")
    expect(page.locator("#standings")).to_contain_text("Mesa 1")
    expect(page.locator("#standings")).not_to_contain_text("Table")
    look()
    page.locator("html").evaluate("root => root.style.fontSize = '200%'")
    page.reload()
    look()


def full_year(view):
    """A view of a game of twelve months that is over, with lines as wide as they get."""
    buy = [[12, 143, 12, 7, "partly filled"], *[[12, 43, 12, 12, "filled"]] * 2]
    sell = [[12, 140, 12, 12, "filled"], [3, 115, 0, 0, "above market"], [5, 190, 5, 5, "filled"]]
    steps = [(month, step) for month in range(1, 13) for step in ("buy", "sell")]
    triples = {key: [14, 40, 20] for key in ("units", "before", "move", "prices")}
    open_facts = {"announced": [[1, 2, 3], [4, 5, 6]], "held": [[0, 1, 2], [3, 4, 5]]}
    own = {"due": 0, "missed": False, "money": 1234, "cash": 4321, "subs": [0, 0]}
    return {
        **view,
        "phase": "over",
        "months": 12,
        "turn": [12, "over"],
        "postings": [{"m": m, "s": s, **triples, **open_facts} for m, s in steps],
        "results": [
            {"m": m, "s": s, "lines": buy if s == "buy" else sell, **own} for m, s in steps
        ],
        "final": {"liquidation": [0, 0], "profit": [1234, -1500], "winners": [0]},
    }


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("width", [320, 390])
def test_a_whole_year_of_the_tally_sheet_fits_and_no_name_is_changed(school, phone, width, locale):
    def play_on(line):
        def told(text):
            message = json.loads(text)
            line.send(json.dumps(full_year(message) if message["t"] == "view" else message))

        line.connect_to_server().on_message(told)

    page = phone(
        f"{school.url}#k={school.join('ann 2')}",
        width,
        locale=locale,
        before=lambda page: page.route_web_socket(re.compile("/live$"), play_on),
    )
    page.locator("#door button").click()
    school.join("ben")
    school.do("start")
    expect(page.locator("#tally tbody tr")).to_have_count(24)
    for wide in page.locator("#tally .scroll, #firms .scroll, #state .scroll").all():
        assert wide.evaluate("one => one.scrollWidth <= one.clientWidth")
    small = "all => all.every((one) => parseFloat(getComputedStyle(one).fontSize) >= 12)"
    assert page.locator("#tally *").evaluate_all(small)
    shown = "one => getComputedStyle(one, '::first-letter').textTransform"
    for part in ("#state", "#firms"):
        assert page.locator(f"{part} .mine th").evaluate(shown) == "none"
        assert page.locator(f"{part} thead th").first.evaluate(shown) == "uppercase"


@pytest.mark.slow
def test_spanish_is_chosen_by_the_browser_and_kept_when_chosen_by_hand(school, phone):
    page = phone(school.url, locale="es-MX")
    expect(page.get_by_role("heading")).to_have_text("Entra en una clase")
    page.get_by_label("Idioma").select_option("en")
    expect(page.get_by_role("heading")).to_have_text("Join a class")
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("Join a class")
    expect(page.locator("html")).to_have_attribute("lang", "en")
