"""Sheets to play on paper: what stands on them is what the rules say."""

import re

import pytest

from exdec import STANDARD, VARIATION, new_game
from exdec.cli import main
from exdec.engine import buy
from exdec.errors import ExdecError
from exdec.printing import SHEETS, pages, save
from exdec.rules import PLAYERS


def text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def on(kind, rules=STANDARD, players=4):
    return text("".join(page.body for page in pages([kind], rules, players)))


# -- the numbers of the printed game -------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "cash", "units"),
    [(2, 900, 18), (3, 600, 12), (4, 450, 9), (5, 350, 7), (6, 300, 6)],
)
def test_a_tally_has_the_cash_and_the_limit_of_r7(players, cash, units):
    sheet = on("tally", players=players)
    assert f"You begin with ${cash}. Order at most {units} units a month" in sheet
    assert f"cash ${cash} − paid" in sheet  # January's first cash is filled in
    assert f"− start ${cash} = profit" in sheet


def test_two_players_read_of_their_limit_for_one_grade():
    assert "at most 18 units a month, and at most 12 of one grade." in on("tally", players=2)
    assert "of one grade" not in on("tally", players=3)


def test_the_board_opens_at_the_printed_prices():
    first, second = pages(["board"])
    assert re.findall(r"<th scope=row>.*?([A-Z-]+)</th><td>(\d+)<", first.body) == [
        ("X-FINE", "40"),
        ("FINE", "30"),
        ("STANDARD", "20"),
        ("A", "140"),
        ("B", "115"),
        ("C", "90"),
    ]
    assert text(first.body).count("June") == 1
    assert "Opening" not in second.body
    assert text(second.body).count("July") == 1
    assert second.body.count("<td></td>") == 6 * 6 + 1  # six months to fill in, and the corner


def calculator(rules=STANDARD):
    """Units and movements as they stand under each other, materials and then goods."""
    body = pages(["calculator"], rules)[0].body
    for row in re.split("<h3>", body)[1:]:
        units = map(int, re.findall(r"scope=col>(\d+)<", row))
        moves = re.findall(r"<td>([^<]+)</td>", row)
        yield dict(zip(units, moves, strict=True))


def test_the_market_calculator_has_every_column_of_r1_and_r2():
    materials, goods = calculator()
    assert list(materials) == list(range(25))
    assert list(goods) == list(range(17))
    assert [materials[n] for n in (0, 1, 5, 9, 10, 11, 12, 24)] == [
        "−10", "−9", "−5", "−1", "±0", "+1", "+2", "+14",
    ]  # fmt: skip
    assert [goods[n] for n in (0, 1, 4, 5, 6, 7, 12, 16)] == [
        "+11", "+9", "+3", "+1", "−1", "−3", "−13", "−21",
    ]  # fmt: skip


def test_past_the_last_column_the_line_goes_on_or_stops_as_r5_has_it():
    assert "More than 24: +1 for each further unit." in on("calculator")
    assert "More than 16: −2 for each further unit." in on("calculator")
    stops = on("calculator", STANDARD.vary(past_table="clamp"))
    assert "More than 24: as for 24." in stops
    assert "further" not in stops


def test_the_production_chart_shows_the_certificates_of_r4():
    chart = on("production")
    assert "A takes X-FINE X-FINE FINE B takes X-FINE FINE STANDARD C takes FINE STANDARD" in chart
    assert chart.count("STANDARD") == 1 + 2 + 1  # in B, twice in C, and as what FINE stands in for
    assert "X-FINE may stand in for FINE, and FINE may stand in for STANDARD" in chart


@pytest.mark.parametrize(("players", "of_each"), [(2, 24), (3, 36), (4, 36), (5, 35), (6, 36)])
def test_there_are_certificates_for_all_that_can_be_ordered_of_a_grade(players, of_each):
    sheet = on("certificates", players=players)
    assert {grade: len(re.findall(rf"(?<![\w-]){grade}\b", sheet)) for grade in
            ("X-FINE", "FINE", "STANDARD")} == dict.fromkeys(
        ("X-FINE", "FINE", "STANDARD"), of_each
    )  # fmt: skip


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("months", [1, 6, 7, 12])
def test_sheets_are_for_all_players_and_months(players, months):
    rules = STANDARD.vary(months=months)
    tallies = pages(["tally"], rules, players)
    assert len(tallies) == players * (1 if months <= 6 else 2)
    names = re.findall(r'class="name">(\w+)<', "".join(one.body for one in tallies))
    assert len(names) == months * players
    assert sum("profit" in one.body for one in tallies) == players
    slips = on("slips", rules, players)
    assert months * players <= slips.count("Order") == slips.count("Offer")
    assert slips.count("Order") < months * players + 12  # no page too many


# -- the rules in words --------------------------------------------------------------------------


def test_the_summary_works_out_a_price_as_the_engine_does():
    state, _ = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 45)}})
    assert state.material_prices.X == 42
    assert "12 units of X-FINE are ordered in all in January: $40 + $2 = $42." in on("rules")


def test_the_summary_tells_the_variation_of_r16_and_r17():
    said = on("rules", VARIATION)
    assert "You lose one unit for each $1 that is lacking" in said
    assert "You lose one unit for each $2, or part of $2, that it is above" in said
    assert "You get none, and pay nothing." in on("rules")
    assert "You lose" not in on("rules")


def test_the_summary_says_what_becomes_of_offers_that_cannot_be_made():
    assert "you sell nothing this month" in on("rules")
    refused = on("rules", STANDARD.vary(undeliverable="refuse"))
    assert "Offer only what your certificates can make." in refused
    assert "you sell nothing this month" not in refused


def test_opened_secrets_and_missing_substitutions_are_told():
    assert "how much cash they have" in on("rules", STANDARD.vary(reveal=["cash"]))
    assert "show what they bid" in on("rules", STANDARD.vary(reveal=["bids"]))
    assert "No certificate stands in" in on("production", STANDARD.vary(substitutions=[]))
    one = on("production", STANDARD.vary(substitutions=["F for S"]))
    assert "FINE may stand in for STANDARD, one for one." in one
    assert "X-FINE may" not in one


def test_every_number_comes_from_the_rules():
    rules = STANDARD.vary(
        months=3,
        starting_cash={4: 777},
        order_limit={4: 8},
        grade_limit={4: 5},
        opening_materials={"X": 61},
        opening_goods={"C": 62},
        materials_calculator={"at_zero": -7, "per_unit": 3, "last": 9},
        goods_calculator={"at_zero": 8, "per_unit": -1, "last": 4},
        materials_floor=4,
        goods_floor=5,
        production={"A": {"X": 1, "F": 0, "S": 3}},
    )
    tally = on("tally", rules)
    assert (
        "You begin with $777. Order at most 8 units a month, and at most 5 of one grade." in tally
    )
    assert {"61", "62"} <= set(re.findall(r"<td>(\d+)<", pages(["board"], rules)[0].body))
    materials, goods = calculator(rules)
    assert " ".join(materials.values()) == "−7 −4 −1 +2 +5 +8 +11 +14 +17 +20"
    assert list(goods.values()) == ["+8", "+7", "+6", "+5", "+4"]
    said = on("rules", rules)
    assert "$7 down if nothing is ordered, and $3 up for each unit ordered." in said
    assert "No material posts below $4." in said
    assert "No good posts below $5." in said
    assert "A takes 1 X-FINE + 3 STANDARD" in said
    assert "$61 + $20 = $81" in said  # nine units, the last column
    assert on("certificates", rules).count("STANDARD") == 4 * 5


def test_an_example_that_would_stop_at_the_lowest_price_is_left_out():
    low = STANDARD.vary(opening_materials={"X": 5}, materials_calculator={"at_zero": -40})
    assert "Say that" not in on("rules", low)


# -- the file ------------------------------------------------------------------------------------


def test_the_file_asks_for_nothing_from_elsewhere(tmp_path):
    done = save(tmp_path / "sheets.html")
    page = done.path.read_text(encoding="utf-8")
    assert done.pages == page.count("<section")
    assert not re.search(r"https?:|url\(|<script|<link|@import|\ssrc=", page)
    assert "default-src 'none'" in page
    assert "/*" not in page


def test_pages_come_in_one_order_and_once():
    assert [page.title for page in pages(["board", "rules", "board"])] == [
        "How to play", "Price Level Board", "Price Level Board",
    ]  # fmt: skip
    assert (
        len(pages(["all", "rules"])) == len(pages()) == sum(len(pages([kind])) for kind in SHEETS)
    )


def test_earlier_sheets_are_replaced_and_other_files_are_not(tmp_path, capsys):
    file = tmp_path / "sheets.html"
    main(["print", "rules", "--out", str(file)])
    main(["print", "tally", "--players", "2", "--months", "6", "--out", str(file)])
    assert capsys.readouterr().out.splitlines()[1] == (
        f"2 pages for one table of 2 in {file}. Open it in a browser, and print it in actual size."
    )
    assert file.read_text(encoding="utf-8").count("<section") == 2
    other = tmp_path / "letter.html"
    other.write_text("Dear Ann", encoding="utf-8")
    assert main(["print", "--out", str(other)]) == 2
    assert capsys.readouterr().err == (
        f"exdec print: {other} is there already and holds no sheets. Choose another name.\n"
    )
    assert other.read_text(encoding="utf-8") == "Dear Ann"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.html", "sheets.html"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"names": ["taly"]}, "There is no sheet 'taly'. Did you mean tally?"),
        (
            {"names": ["money"]},
            "There is no sheet 'money'. There are: rules, tally, slips, board, calculator, "
            "production, certificates, all.",
        ),
        ({"players": 7}, "2 to 6 can play, not 7."),
        ({"paper": "a5"}, "paper is a4 or letter, not 'a5'."),
    ],
)
def test_what_cannot_be_printed_is_said_and_nothing_is_written(tmp_path, given, said):
    with pytest.raises(ExdecError) as error:
        save(tmp_path / "sheets.html", **given)
    assert str(error.value) == said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    assert main(["print", "--out", str(tmp_path / "no" / "sheets.html")]) == 2
    assert f"there is no folder {tmp_path / 'no'}" in capsys.readouterr().err
