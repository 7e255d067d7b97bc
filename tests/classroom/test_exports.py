import csv
import errno
import io
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exdec import record
from exdec.bots import BOTS
from exdec.classroom import exports
from exdec.classroom.chronicle import Chronicle
from exdec.classroom.codebook import COLUMNS, SHEETS
from exdec.classroom.desk import RefusalError, Settled
from exdec.classroom.exports import ExportError, export, frames, safe, to_debrief
from exdec.classroom.room import Room
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Event, Store, StoreError
from exdec.classroom.told import WORDS, told
from exdec.cli import main
from exdec.debrief import debrief

NOON = datetime(2026, 3, 5, 12, 0, 0).timestamp()

# One month of three firms, worked out by hand: 11, 15 and 7 units are ordered, so the materials
# post at 41, 35 and 17; 4, 1 and 4 are offered, so the goods post at 143, 124 and 93.
ORDERS = {
    "Ann": {"X": [2, 40], "F": [4, 35], "S": [6, 23]},
    "Ben": {"X": [6, 44], "F": [5, 36], "S": [1, 20]},
    "Cy": {"X": [3, 41], "F": [6, 37]},
}
OFFERS = {
    "Ann": {"C": [3, 90]},
    "Ben": {"A": [3, 140]},
    "Cy": {"A": [1, 143], "B": [1, 120], "C": [1, 95]},
}


class Class:
    """A class in a test: its room, and a clock that goes on by a second at each thing done."""

    def __init__(self, path, names, **options):
        self.now = NOON
        options = {"title": "Year 11", "size": 3, "months": 1, "seconds": 0} | options
        self.room = Room.create(path, ClassSettings(**options), NOON)
        self.path = path
        self.pupils = [self.join(name) for name in names]

    def join(self, name):
        self.now += 1
        pupil = self.room.join(self.room.code, name, f"once upon a time {name}", self.now)
        self.room.commit()
        return pupil

    def do(self, what, **args):
        self.now += 1
        done = self.room.do(what, self.now, **args)
        self.room.commit()
        return done

    def bid(self, pupil, bids):
        self.now += 1
        desk = self.room.desks[pupil.table]
        month, step = desk.turn
        self.room.bid(pupil, f"id-{self.now}-{pupil.number}", [month, step.value], bids, self.now)
        self.room.commit()

    def play(self, by_name):
        for pupil in self.pupils:
            if pupil.name in by_name:
                self.bid(pupil, by_name[pupil.name])


@pytest.fixture
def make(tmp_path):
    made = []

    def one(names=("Ann", "Ben", "Cy"), **options):
        made.append(Class(tmp_path / f"class{len(made)}.sqlite", names, **options))
        return made[-1]

    yield one
    for one_class in made:
        one_class.room.store.close()


@pytest.fixture
def played(make):
    played = make()
    played.do("start")
    played.play(ORDERS)
    played.play(OFFERS)
    return played


def read_csv(path):
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def everything(folder):
    """All that an export says, its workbook unpacked."""
    parts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".xlsx":
            with zipfile.ZipFile(path) as book:
                parts += [book.read(name).decode() for name in book.namelist()]
        elif path.is_file():
            parts.append(path.read_text(encoding="utf-8-sig"))
    return "\n".join(parts)


def class_of(folder):
    """The columns that say which class it is."""
    (row, *_) = read_csv(folder / "clicks.csv")
    return {name: row[name] for name in ("class_id", "class")}


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_book(path):
    """The cells of every sheet, and each sheet's XML."""
    with zipfile.ZipFile(path) as book:
        names = [
            sheet.get("name")
            for sheet in ElementTree.fromstring(book.read("xl/workbook.xml")).iter(f"{MAIN}sheet")
        ]
        strings = [
            "".join(text.text or "" for text in one.iter(f"{MAIN}t"))
            for one in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        pages = {
            name: ElementTree.fromstring(book.read(f"xl/worksheets/sheet{at}.xml"))
            for at, name in enumerate(names, start=1)
        }
    cells = {
        name: [
            {
                cell.get("r").rstrip("0123456789"): strings[int(value.text)]
                if cell.get("t") == "s"
                else float(value.text)
                for cell in row.iter(f"{MAIN}c")
                if (value := cell.find(f"{MAIN}v")) is not None
            }
            for row in page.iter(f"{MAIN}row")
        ]
        for name, page in pages.items()
    }
    return cells, pages


# -- what is in it -------------------------------------------------------------------------------


def test_every_line_that_was_bid_has_a_row(played, tmp_path):
    out = export(played.path, tmp_path / "out")
    rows = read_csv(out / "bids.csv")
    assert list(rows[0]) == list(SHEETS["bids"].columns)
    assert len(rows) == 8 + 5
    where = class_of(out) | {"table": "Table 1", "treatment": "", "month": "1", "bot": ""}
    ann = where | {"seat": "1", "firm": "Ann", "pupils": "Ann"}
    below = {"units": "2", "price": "40", "market_price": "41", "filled": "0", "amount": "0"}
    full = {"units": "6", "price": "23", "market_price": "17", "filled": "6", "amount": "138"}
    asks = {"units": "3", "price": "90", "market_price": "93", "filled": "3", "amount": "270"}
    assert [row for row in rows if row["firm"] == "Ann"][::2] == [
        ann | below | {"step": "buy", "item": "X", "outcome": "below market"},
        ann | full | {"step": "buy", "item": "S", "outcome": "filled"},
    ]
    assert rows[8] == ann | asks | {"step": "sell", "item": "C", "outcome": "filled"}


def test_prices_firms_standings_and_gradebook_by_hand(played, tmp_path):
    out = export(played.path, tmp_path / "out")
    prices = {row["item"]: row for row in read_csv(out / "prices.csv")}
    assert {item: row["market_price"] for item, row in prices.items()} == {
        "X": "41", "F": "35", "S": "17", "A": "143", "B": "124", "C": "93",
    }  # fmt: skip
    x = prices["X"]
    assert (x["step"], x["all_units"], x["before"], x["movement"]) == ("buy", "11", "40", "1")

    ann = read_csv(out / "firms.csv")[0]
    assert ann == class_of(out) | {
        "table": "Table 1",
        "treatment": "",
        "month": "1",
        "seat": "1",
        "firm": "Ann",
        "pupils": "Ann",
        "bot_buying": "",
        "bot_selling": "",
        "bought_X": "0",
        "bought_F": "4",
        "bought_S": "6",
        "paid": "278",
        "sold_A": "0",
        "sold_B": "0",
        "sold_C": "3",
        "received": "270",
        "held_X": "0",
        "held_F": "1",
        "held_S": "0",
        "cash": "592",
        "broker": "35",
        "profit": "27",
    }

    standings = read_csv(out / "standings.csv")
    assert [(row["rank"], row["firm"], row["profit"]) for row in standings] == [
        ("1", "Ben", "43"),
        ("2", "Ann", "27"),
        ("3", "Cy", "23"),
    ]
    assert {row["over"] for row in standings} == {"yes"}

    assert read_csv(out / "gradebook.csv")[0] == class_of(out) | {
        "name": "Ann",
        "table": "Table 1",
        "treatment": "",
        "seat": "1",
        "firm": "Ann",
        "months_played": "1",
        "handed_in": "2",
        "missed": "0",
        "bot_steps": "0",
        "profit": "27",
        "rank_at_table": "2",
        "rank": "2",
        "out": "",
    }


def test_the_records_are_the_games(played, tmp_path):
    out = export(played.path, tmp_path / "out")
    (path,) = (out / "records").iterdir()
    assert path.name == "table-01.jsonl"
    read = record.read(path)
    with told(played.path) as class_:
        numbered = enumerate(class_.shuffled("pupil", ("Ann", "Ben", "Cy")), 1)
    pupils = {name: f"Pupil {number}" for number, name in numbered}
    assert read.extra == class_of(out) | {
        "table": "Table 1",
        "treatment": "",
        "date": "2026-03-05",
        "bots": {},
        "places": {"Ann": ["Ann"], "Ben": ["Ben"], "Cy": ["Cy"]},
        "steps": 2,
        "pseudonyms": {"table": "Table 1", "pupils": pupils},
    }
    assert read.game().profit == {"Ann": 27, "Ben": 43, "Cy": 23}
    assert path.read_text(encoding="utf-8").count('"check"') == 2


def test_the_workbook_holds_the_same_as_the_csv_files(played, tmp_path):
    out = export(played.path, tmp_path / "out")
    cells, pages = read_book(out / "class.xlsx")
    assert list(cells) == list(SHEETS)
    for name, sheet in SHEETS.items():
        head, *rows = cells[name]
        assert list(head.values()) == list(sheet.columns)
        letters = dict(zip(sheet.columns, head, strict=True))
        for row, line in zip(rows, read_csv(out / f"{name}.csv"), strict=True):
            for column, text in line.items():
                cell = row.get(letters[column], "")
                if COLUMNS[column].kind == "time":
                    assert (datetime.fromisoformat(text) - datetime(1899, 12, 30)).total_seconds() \
                        == round(cell * 86_400)  # fmt: skip
                elif COLUMNS[column].kind == "text" or not text:
                    assert cell == text
                else:
                    assert cell == float(text)
        (pane,) = pages[name].iter(f"{MAIN}pane")
        assert (pane.get("ySplit"), pane.get("state")) == ("1", "frozen")
        assert all(float(one.get("width")) > 4 for one in pages[name].iter(f"{MAIN}col"))


def test_clicks_tell_who_did_what_when_but_never_what_was_bid(played, tmp_path):
    out = export(played.path, tmp_path / "out")
    rows = read_csv(out / "clicks.csv")
    assert [(row["seconds"], row["what"], row["firm"], row["pupil"]) for row in rows] == [
        ("0.0", "class opened", "", ""),
        ("1.0", "joined", "", "Ann"),
        ("2.0", "joined", "", "Ben"),
        ("3.0", "joined", "", "Cy"),
        ("4.0", "game began", "", ""),
        ("4.0", "step opened", "", ""),
        ("5.0", "handed in", "Ann", "Ann"),
        ("6.0", "handed in", "Ben", "Ben"),
        ("7.0", "handed in", "Cy", "Cy"),
        ("7.0", "step settled", "", ""),
        ("7.0", "step opened", "", ""),
        ("8.0", "handed in", "Ann", "Ann"),
        ("9.0", "handed in", "Ben", "Ben"),
        ("10.0", "handed in", "Cy", "Cy"),
        ("10.0", "step settled", "", ""),
    ]
    assert rows[-1]["time"] == "2026-03-05 12:00:10"
    assert (rows[-1]["month"], rows[-1]["step"], rows[5]["step"]) == ("1", "sell", "buy")


def test_undone_steps_are_in_clicks_only(make, tmp_path):
    one = make()
    one.do("start")
    one.play(ORDERS)
    one.do("reopen", table=0)
    one.play({"Ann": {"X": [1, 48]}, "Ben": {}, "Cy": {}})
    tables = frames(one.path)
    assert tables["bids"][["firm", "item", "units", "price"]].values.tolist() == [
        ["Ann", "X", 1, 48]
    ]
    what = list(tables["clicks"]["what"])
    assert what.count("handed in") == 6
    assert what.count("settled steps taken back") == 1
    assert tables["gradebook"]["handed_in"].tolist() == [1, 1, 1]


def test_what_was_undone_and_stands_again_is_there_once(make):
    one = make()
    one.do("start")
    one.play(ORDERS)
    one.do("reopen", table=0)
    one.do("redo", table=0)
    assert len(frames(one.path)["bids"]) == 8


def test_a_bots_steps_are_marked_one_by_one(make, tmp_path):
    one = make(months=2)
    one.do("start")
    one.do("bot", table=0, firm=0)
    one.play({"Ben": ORDERS["Ben"], "Cy": ORDERS["Cy"]})
    one.do("return", table=0, firm=0)
    one.play({"Ann": {}, "Ben": {}, "Cy": {}})
    # What is sealed when a bot takes over is the pupil's.
    one.play({"Ann": {"X": [1, 41]}})
    one.do("bot", table=0, firm=0)
    one.play({"Ben": {}, "Cy": {}})
    tables = frames(one.path)
    bids = tables["bids"].query("firm == 'Ann'")
    assert set(bids.query("month == 1")["bot"]) == {"margin seeker"}
    assert bids.query("month == 2")[["item", "bot"]].values.tolist() == [["X", ""]]
    firms = tables["firms"].query("firm == 'Ann'")
    assert firms["bot_buying"].tolist() == ["margin seeker", ""]
    assert firms["bot_selling"].tolist() == ["", ""]
    ann = tables["gradebook"].iloc[0]
    assert (ann["name"], ann["handed_in"], ann["bot_steps"], ann["months_played"]) == (
        "Ann", 2, 1, 2,
    )  # fmt: skip
    assert tables["standings"].query("firm == 'Ann'")["bot_steps"].tolist() == [1]
    (path,) = (export(one.path, tmp_path / "out") / "records").iterdir()
    header = record.read(path).extra
    assert (header["steps"], header["bot_steps"]) == (3, {"Ann": 1})


def test_whom_an_early_end_overtook_has_missed_nothing(make):
    one = make(months=2)
    one.do("start")
    one.play(ORDERS)
    one.play({"Ann": {}})
    one.do("end")
    tables = frames(one.path)
    assert tables["gradebook"]["missed"].tolist() == [0, 0, 0]
    assert tables["gradebook"]["handed_in"].tolist() == [2, 1, 1]
    offers = tables["steps"].query("step == 'sell'")
    assert offers["how"].tolist() == ["passed", "missed", "missed"]
    assert set(offers["settled_by"]) == {"teacher, who ended the game"}


def test_who_missed_a_step_is_told_so(make):
    one = make()
    one.do("start")
    one.play({"Ann": ORDERS["Ann"]})
    one.do("close")
    tables = frames(one.path)
    assert tables["gradebook"][["name", "handed_in", "missed"]].values.tolist() == [
        ["Ann", 1, 0],
        ["Ben", 0, 1],
        ["Cy", 0, 1],
    ]
    missed = tables["clicks"].query("what == 'missed'")
    assert missed[["firm", "month", "step"]].values.tolist() == [
        ["Ben", 1, "buy"],
        ["Cy", 1, "buy"],
    ]
    firms = tables["firms"]
    assert firms["received"].isna().all()
    # Alone in the market, all three lines are filled: 2 × 40 + 4 × 35 + 6 × 23.
    assert firms["profit"].tolist() == [-358, 0, 0]


STEP = ["month", "step", "firm", "how", "bot", "by"]


def test_how_each_firms_bids_came_is_told_step_by_step(make):
    one = make()
    one.do("start")
    one.play({"Ann": ORDERS["Ann"], "Ben": {}})
    one.do("close")
    one.do("bot", table=0, firm=2)
    one.do("paper", table=0, firm=0, bids={"C": [1, 90]})
    one.play({"Ben": {"A": [0, 140]}})
    steps = frames(one.path)["steps"]
    assert steps[STEP].values.tolist() == [
        [1, "buy", "Ann", "handed in", "", "phone"],
        [1, "buy", "Ben", "passed", "", "phone"],
        [1, "buy", "Cy", "missed", "", ""],
        [1, "sell", "Ann", "handed in", "", "paper"],
        [1, "sell", "Ben", "passed", "", "phone"],
        [1, "sell", "Cy", "bot", "margin seeker", ""],
    ]
    # Three join and the game begins: 4 seconds. Then a second each: Ann, Ben, the teacher closes;
    # a bot, the paper, Ben.
    assert steps["seat"].tolist() == [1, 2, 3] * 2
    assert steps["opened_at"].tolist() == [4] * 3 + [7] * 3
    assert steps["handed_in_at"].fillna(-1).tolist() == [5, 6, -1, 9, 10, -1]
    assert steps["settled_at"].tolist() == [7] * 3 + [10] * 3
    assert steps["settled_by"].tolist() == ["teacher"] * 3 + ["last bid"] * 3


def test_the_bid_that_counted_is_the_one_whose_time_is_told(make):
    one = make()
    one.do("start")
    one.play({"Ann": ORDERS["Ann"]})
    one.now += 1
    one.room.change(one.pupils[0], "id-change", [1, "buy"], one.now)
    one.room.commit()
    one.play({"Ann": {}, "Ben": {}})
    # Offers are sealed, orders are taken back, and stand again with what was sealed.
    one.play({"Cy": {}})
    one.play({"Ann": {}})
    one.do("reopen", table=0)
    one.do("redo", table=0)
    one.play({"Ben": {}, "Cy": {}})
    steps = frames(one.path)["steps"]
    assert steps["how"].tolist() == ["passed"] * 6
    assert steps["opened_at"].tolist() == [4] * 3 + [9] * 3
    assert steps["handed_in_at"].tolist() == [7, 8, 9, 10, 13, 14]


def test_what_settled_a_step_is_told(make):
    one = make(seconds=60, months=2)
    one.do("start")
    one.play(ORDERS)
    one.now += 62
    one.room.tick(one.now)
    one.room.commit()
    one.play({"Ann": {}, "Ben": {}})
    one.do("bot", table=0, firm=2)
    one.do("end")
    tables = frames(one.path)
    why = ["last bid", "clock", "nobody waited for", "teacher, who ended the game"]
    clicks = tables["clicks"]
    assert clicks.query("what == 'step settled'")["detail"].tolist() == why
    assert tables["steps"]["settled_by"].tolist()[::3] == why
    (bot,) = clicks.query("what == 'bot plays'")[["new_bot", "detail"]].values.tolist()
    assert bot == ["margin seeker", "By the teacher"]
    assert clicks.query("what == 'step opened'")["detail"].iloc[0] == "seconds: 60"


def test_a_file_that_does_not_tell_what_settled_a_step_is_read(played):
    with sqlite3.connect(played.path) as db:
        for number, data in db.execute("SELECT number, data FROM events WHERE kind = 'settle'"):
            older = {name: value for name, value in json.loads(data).items() if name != "why"}
            db.execute("UPDATE events SET data = ? WHERE number = ?", (json.dumps(older), number))
    db.close()
    assert set(frames(played.path)["steps"]["settled_by"]) == {""}


def test_clicks_say_whether_their_step_stands(make):
    one = make(months=2)
    one.do("start")
    one.play(ORDERS)
    one.do("reopen", table=0)
    one.play({"Ann": {}, "Cy": {}})
    one.do("close")
    one.play({"Ann": {}})
    clicks = frames(one.path)["clicks"]
    assert clicks.loc[4:, ["what", "step", "stands"]].values.tolist() == [
        ["game began", "", ""],
        ["step opened", "buy", "no"],
        *[["handed in", "buy", "no"]] * 3,
        ["step settled", "buy", "no"],
        ["step opened", "sell", "no"],
        ["settled steps taken back", "sell", "no"],
        ["step opened", "buy", "yes"],
        *[["handed in", "buy", "yes"]] * 2,
        ["step settled", "buy", "yes"],
        ["missed", "buy", "yes"],
        ["step opened", "sell", ""],
        ["handed in", "sell", ""],
    ]
    one.do("end")
    clicks = frames(one.path)["clicks"]
    assert clicks.query("what == 'missed'")["stands"].tolist() == ["yes", "yes", "yes"]
    # The game ended before February's orders, which nobody plays.
    assert clicks[["what", "month", "step", "stands"]].values.tolist()[-1] == [
        *("game ended early", 2, "buy", "no"),
    ]


def test_what_goes_on_after_an_early_end_was_taken_back_stands(make):
    one = make(months=2)
    one.do("start")
    one.play(ORDERS)
    one.play({"Ann": {}})
    one.do("end")
    one.do("unend")
    one.play({"Ben": {}, "Cy": {}})
    tables = frames(one.path)
    offers = tables["clicks"].query("step == 'sell'")
    assert offers[["what", "firm", "stands"]].values.tolist() == [
        ["step opened", "", "yes"],
        ["handed in", "Ann", "yes"],
        ["step settled", "", "no"],
        ["missed", "Ben", "no"],
        ["missed", "Cy", "no"],
        ["step opened", "", "yes"],
        ["handed in", "Ben", "yes"],
        ["handed in", "Cy", "yes"],
        ["step settled", "", "yes"],
    ]
    steps = tables["steps"].query("step == 'sell'")
    assert steps["how"].tolist() == ["passed"] * 3
    # Joined by 3, begun at 4, orders until 7; Ann, the end, no end, Ben, Cy.
    assert steps["handed_in_at"].tolist() == [8, 11, 12]
    assert set(steps["settled_by"]) == {"last bid"}


def test_each_tables_rules_are_told(make):
    treatments = (
        {"name": "plain", "rules": {}},
        {"name": "part", "rules": {"partial_buys": True, "opening_goods": {"A": 150}, "months": 1}},
    )
    one = make(("Ann", "Ben", "Cy"), size=2, months=2, treatments=treatments, draw=True)
    one.do("start")
    for _ in range(2):
        one.do("close")
    one.do("end", table=0)
    tables = frames(one.path)
    began = tables["clicks"].query("what == 'game began'")
    assert began["detail"].tolist() == ["tables: 2, seats drawn by lot"]
    plain, part = tables["tables"].to_dict("records")
    many = ["firms", "people", "bots", "months", "months_settled", "starting_cash", "order_limit"]
    assert [plain[name] for name in many] == [2, 2, 0, 2, 1, 900, 18]
    assert [part[name] for name in many] == [2, 1, 1, 1, 1, 900, 18]
    words = ["treatment", "partial_buys", "partial_sales", "over", "ended_early", "drawn"]
    assert [plain[name] for name in words] == ["plain", "no", "no", "yes", "yes", "yes"]
    assert [part[name] for name in words] == ["part", "yes", "no", "yes", "no", "yes"]
    assert json.loads(part["opening_goods"]) == {"A": 150, "B": 115, "C": 90}
    assert part["undeliverable"] == "penalty"
    assert json.loads(part["reveal"]) == []


def test_a_game_that_is_ended_among_its_last_offers_has_all_its_months(make):
    one = make()
    one.do("start")
    one.play(ORDERS)
    one.do("end")
    (table,) = frames(one.path)["tables"].to_dict("records")
    told_of = [table[name] for name in ("months", "months_settled", "over", "ended_early")]
    assert told_of == [1, 1, "yes", "no"]


def test_a_clock_that_was_set_back_is_told_as_such(make):
    one = make()
    one.do("start")
    one.room.wake(one.now, one.now - 3_600)
    one.room.commit()
    assert frames(one.path)["clicks"]["detail"].iloc[-1] == "the clock was set back"


def test_a_class_has_one_key_that_no_other_has(make, tmp_path):
    one, other = make(), make()
    for each in (one, other):
        each.do("start")
    keys = set()
    for pseudonyms in (False, True):
        tables = frames(one.path, pseudonyms)
        keys |= {key for name in SHEETS if name != "codebook" for key in tables[name]["class_id"]}
    (key,) = keys
    assert re.fullmatch("c[0-9a-f]{8}", key)
    assert key not in one.room.secret
    assert set(frames(other.path)["standings"]["class_id"]) != {key}
    (path,) = (export(one.path, tmp_path / "out") / "records").iterdir()
    assert record.read(path).extra["class_id"] == key


def test_seats_join_tables_where_a_name_looks_like_a_formula(make, tmp_path):
    one = make(("=Ann", "Ben", "-Cy"))
    one.do("start")
    one.play({"=Ann": {"X": [1, 41]}, "Ben": {}, "-Cy": {}})
    out = export(one.path, tmp_path / "out")
    (path,) = (out / "records").iterdir()
    players = record.read(path).players
    for name in ("bids", "steps", "firms", "standings", "gradebook", "clicks"):
        rows = [row for row in read_csv(out / f"{name}.csv") if row["firm"]]
        assert rows
        assert all(safe(players[int(row["seat"]) - 1]) == row["firm"] for row in rows)


def test_pupils_who_share_a_place_both_get_its_profit(make):
    one = make(("Ann", "Ben", "Cy"), size=2, rest="share")
    one.do("start")
    one.play({"Ann": {"X": [1, 40]}, "Ben": {}})
    tables = frames(one.path)
    assert tables["firms"]["firm"].tolist() == ["Ann & Cy", "Ben"]
    grades = tables["gradebook"].set_index("name")
    assert grades["firm"].to_dict() == {"Ann": "Ann & Cy", "Ben": "Ben", "Cy": "Ann & Cy"}
    assert grades["handed_in"].to_dict() == {"Ann": 1, "Ben": 1, "Cy": 1}
    assert grades["profit"].to_dict() == {"Ann": -40, "Ben": 0, "Cy": -40}
    assert grades["rank"].to_dict() == {"Ann": 2, "Ben": 1, "Cy": 2}


def test_bots_places_and_treatments_are_in_the_records(make, tmp_path):
    treatments = ({"name": "short", "rules": {"months": 1}}, {"name": "long", "rules": {}})
    one = make(("Ann", "Ben", "Cy"), size=2, months=2, treatments=treatments)
    one.do("start")
    out = export(one.path, tmp_path / "out")
    first, second = (record.read(path) for path in sorted((out / "records").iterdir()))
    assert (first.extra["treatment"], first.rules.months) == ("short", 1)
    assert (second.extra["treatment"], second.rules.months) == ("long", 2)
    assert second.players == ("Cy", "Bot 1")
    assert second.extra["bots"] == {"Bot 1": "margin seeker"}
    assert second.extra["places"] == {"Cy": ["Cy"]}


def test_a_pupil_who_was_sent_out_stays_in_the_gradebook(make):
    one = make()
    one.do("start")
    one.play(ORDERS)
    one.do("kick", pupil=1)
    ann = frames(one.path)["gradebook"].iloc[0]
    assert (ann["name"], ann["table"], ann["handed_in"], ann["out"]) == ("Ann", "", 1, "yes")
    assert pd.isna(ann["profit"])


@pytest.mark.parametrize("months", [0, 1])
def test_a_game_that_ends_early_is_exported_as_it_ended(make, tmp_path, months):
    one = make(months=3)
    one.do("start")
    if months:
        one.play(ORDERS)
        one.play(OFFERS)
    one.do("end")
    tables = frames(one.path)
    assert set(tables["standings"]["over"]) == {"yes"}
    assert sorted(tables["standings"]["profit"]) == ([23, 27, 43] if months else [0, 0, 0])
    assert tables["firms"]["broker"].tolist() == ([35, 87, 105] if months else [])
    (path,) = (export(one.path, tmp_path / "out") / "records").iterdir()
    assert len(record.read(path).steps) == 2 * months


def test_a_class_in_the_lobby_exports_what_there_is(make, tmp_path):
    one = make(roster=("Dee",))
    out = export(one.path, tmp_path / "out")
    assert [row["name"] for row in read_csv(out / "gradebook.csv")] == ["Ann", "Ben", "Cy", "Dee"]
    assert read_csv(out / "bids.csv") == read_csv(out / "standings.csv") == []
    assert list((out / "records").iterdir()) == []
    assert read_book(out / "class.xlsx")[0]["bids"][0]["A"] == "class_id"
    assert all(len(frame.columns) for frame in frames(one.path).values())


def test_a_notebook_gets_frames_with_the_same_columns(played):
    tables = frames(played.path)
    assert {name: tuple(frame.columns) for name, frame in tables.items()} == {
        name: sheet.columns for name, sheet in SHEETS.items()
    }
    assert tables["bids"]["units"].dtype == "Int64"
    assert tables["clicks"]["time"].iloc[0] == pd.Timestamp("2026-03-05 12:00:00")


def test_every_column_is_explained_in_the_readme_and_used(played, tmp_path):
    assert {column for sheet in SHEETS.values() for column in sheet.columns} == set(COLUMNS)
    readme = (export(played.path, tmp_path / "out") / "README.txt").read_text("utf-8-sig")
    for name, sheet in SHEETS.items():
        part = readme.partition(f"\n{name}: each row is ")[2].partition("\n\n")[0]
        for column in sheet.columns:
            assert f"\n  {column} " in part
    assert max(map(len, readme.splitlines())) <= 80
    said = " ".join(readme.split())
    for listed in (
        "step: buy; sell; over.",
        "by: phone; paper.",
        "how: handed in; passed; missed; bot.",
        f"settled_by: {'; '.join(Settled)}.",
        "outcome: filled; partly filled; below market; above market; short of cash; "
        "cannot deliver.",
        f"what: {'; '.join(WORDS.values())}; missed.",
        f"bot, bot_buying, bot_selling, new_bot: {'; '.join(BOTS)}.",
    ):
        assert listed in said


def test_sentences_of_the_codebook_can_be_read_in_full(played, tmp_path):
    book = export(played.path, tmp_path / "out") / "class.xlsx"
    pages = read_book(book)[1]
    with zipfile.ZipFile(book) as packed:
        styles = ElementTree.fromstring(packed.read("xl/styles.xml"))
    forms = list(styles.find(f"{MAIN}cellXfs"))

    def wraps(name):
        (cell,) = (one for one in pages[name].iter(f"{MAIN}c") if one.get("r") == "D2")
        alignment = forms[int(cell.get("s", 0))].find(f"{MAIN}alignment")
        return alignment is not None and alignment.get("wrapText") == "1"

    assert wraps("codebook")
    assert not wraps("gradebook")


def test_the_codebook_has_every_column_and_every_text_that_can_stand_there(many):
    tables = frames(many.path)
    book = tables["codebook"]
    assert book[["sheet", "column"]].values.tolist() == [
        [name, column] for name, sheet in SHEETS.items() for column in sheet.columns
    ]
    for sheet, column, values in book[["sheet", "column", "values"]].values.tolist():
        if values:
            assert set(tables[sheet][column]) <= {"", *json.loads(values)}


@pytest.mark.parametrize("name", ["class 10b.zip", "class 10b"])
def test_the_readme_says_the_line_that_shows_the_debrief(played, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    export(played.path, name)
    if name.endswith(".zip"):
        with zipfile.ZipFile(name) as book:
            book.extractall()
    readme = Path("class 10b", "README.txt").read_text("utf-8-sig")
    (folder,) = re.findall(r'^    ours = debrief\("(.+)"\)$', readme, re.MULTILINE)
    assert debrief(folder).head.title == "Year 11: 1 table, 3 firms, 1 month"


def test_every_event_has_a_word():
    kinds = {name.removeprefix("_on_") for name in dir(Chronicle) if name.startswith("_on_")}
    assert set(WORDS) == kinds


# -- secrets -------------------------------------------------------------------------------------


def test_no_secret_and_no_sealed_bid_gets_out(make, tmp_path):
    one = make(months=2)
    one.do("start")
    one.play(ORDERS)
    one.play({"Ann": {"C": [1, 8765]}, "Ben": {"A": [1, 7654]}})
    one.room.draft(one.pupils[2], [1, "sell"], {"A": ["6543", ""]})
    one.room.commit()
    said = everything(export(one.path, tmp_path / "out"))
    assert "Ann" in said
    room = one.room
    for hidden in (
        *(room.code, room.secret, room.host_key, "8765", "7654", "6543", "id-1"),
        *map(room.key, one.pupils),
        *(pupil.once for pupil in one.pupils),
    ):
        assert len(hidden) > 3
        assert hidden not in said


# -- names ---------------------------------------------------------------------------------------

HOSTILE = (
    "=cmd|'/c calc'!A1",
    "<script>alert(1)</script>",
    'Quo"ted, name',
    "+49 170",
    "-2+3",
    "@SUM(1+1)*cmd",
    "Ann;=1+1",
    "Line\nbreak\ttab\r",
    "\u202eשלום",
    "https://evil.example",
    "＝1+1",
    "{=1}",
)


def test_hostile_names_do_nothing_anywhere(make, tmp_path):
    one = make(HOSTILE, size=6, title="=1+1")
    one.do("start")
    one.do("say", text="=HYPERLINK(1)")
    for pupil in one.pupils:
        one.bid(pupil, {})
    names = {pupil.name for pupil in one.pupils}
    assert len(names) == len(HOSTILE)
    out = export(one.path, tmp_path / "out")

    for path in out.glob("*.csv"):
        for delimiter in ",;":
            text = path.read_bytes().decode("utf-8-sig")
            for row in csv.reader(io.StringIO(text), delimiter=delimiter):
                for cell in row:
                    first = cell.lstrip()[:1]
                    assert first not in "=+-@＝" or not first or cell.lstrip("-").isdigit(), cell
    assert {row["name"].replace("'", "") for row in read_csv(out / "gradebook.csv")} == {
        name.replace("'", "") for name in names
    }

    cells, pages = read_book(out / "class.xlsx")
    assert {row["A"] for row in cells["gradebook"][1:]} == names
    for page in pages.values():
        assert not list(page.iter(f"{MAIN}f"))
        assert not list(page.iter(f"{MAIN}hyperlink"))

    players = [record.read(path).players for path in sorted((out / "records").iterdir())]
    assert {name for table in players for name in table} == names


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("=1", "'=1"),
        ("\t=1", "'\t'=1"),
        ("\rAnn", "'\rAnn"),
        (" @x", "' @x"),
        ("a;+1", "a;'+1"),
        ("\u22121", "'\u22121"),
        ("\u200b=1", "'\u200b=1"),
        ("\ufeff \u2060@x", "'\ufeff \u2060@x"),
        ("a\u200b=1", "a\u200b=1"),
        ("a=1", "a=1"),
        ("Ann-Lee", "Ann-Lee"),
        ("", ""),
        ("'", "'"),
    ],
)
def test_only_what_a_spreadsheet_would_take_for_a_formula_gets_an_apostrophe(text, made):
    assert safe(text) == made


# -- pseudonyms ----------------------------------------------------------------------------------

MANY = [f"Zelda{letter}" for letter in "abcdefghijklmnopqr"]


@pytest.fixture
def many(make):
    many = make(MANY, roster=("Yorick",), size=4, rest="share", months=2)
    many.do("start")
    many.do("say", text="Well done, Zeldaq")
    many.do("rename", pupil=3, name="Xerxes")
    many.do("bot", table=0, firm=1)
    luck = random.Random(3)
    for _ in range(2):
        for pupil in many.room.pupils.values():
            with_bids = {"X": [luck.randint(1, 3), luck.randint(36, 48)]}
            try:
                many.bid(pupil, with_bids)
            except RefusalError:
                continue
        many.do("close")
    return many


def test_pseudonyms_are_everywhere_and_nobodys_name_is(many, tmp_path):
    out = export(many.path, tmp_path / "out", pseudonyms=True)
    said = everything(out)
    for name in ("Zelda", "Yorick", "Xerxes", "Well done"):
        assert name not in said
    telling = {"joined", "renamed", "message to all"}
    assert not telling & {row["what"] for row in read_csv(out / "clicks.csv")}
    everyone = len(many.room.pupils)
    assert [row["name"] for row in read_csv(out / "gradebook.csv")] == [
        f"Pupil {number}" for number in range(1, everyone + 1)
    ]
    known = {f"Pupil {number}" for number in range(1, everyone + 1)}
    for path in (out / "records").iterdir():
        read = record.read(path)
        assert {one for people in read.extra["places"].values() for one in people} <= known


def test_pseudonyms_stay_the_same_and_change_no_number(many, tmp_path):
    plain, hidden = frames(many.path), frames(many.path, pseudonyms=True)
    again = frames(many.path, pseudonyms=True)
    for name in SHEETS:
        pd.testing.assert_frame_equal(hidden[name], again[name])
    for name, columns in {
        "bids": ["month", "step", "item", "units", "price", "market_price", "filled", "bot"],
        "firms": ["month", "paid", "received", "cash", "profit"],
        "prices": ["month", "item", "all_units", "market_price"],
        "gradebook": ["months_played", "handed_in", "missed", "bot_steps", "profit", "rank"],
    }.items():
        rows = [sorted(map(repr, f[name][columns].values.tolist())) for f in (plain, hidden)]
        assert rows[0] == rows[1]


def test_neither_joining_nor_the_alphabet_nor_the_seat_tells_who_is_who(many, make):
    with told(many.path) as class_:
        order = class_.shuffled("pupil", range(19))
        assert sorted(order) == list(range(19))
        assert order != list(range(19))
        assert order == class_.shuffled("pupil", range(19))
    other = make(("Ann",))
    with told(other.path) as class_:
        assert class_.shuffled("pupil", range(19)) != order
    clicks = frames(many.path, pseudonyms=True)["clicks"]
    assert set(clicks["seconds"] % 1) == {0}
    moments = clicks.query("what == 'step opened' and month == 1 and step == 'buy'")
    assert moments["table"].tolist() == [f"Table {n}" for n in range(1, len(moments) + 1)]


def test_a_record_with_names_says_the_pseudonyms_that_the_same_class_gets(many, tmp_path):
    named, hidden = (
        {
            read.extra["table"]: read
            for path in (export(many.path, tmp_path / out, out == "hidden") / "records").iterdir()
            for read in [record.read(path)]
        }
        for out in ("named", "hidden")
    )
    for read in named.values():
        as_told = read.extra["pseudonyms"]
        other = hidden[as_told["table"]]
        people = [one for place in read.extra["places"].values() for one in place]
        assert list(as_told["pupils"]) == people
        pupils = {one for place in other.extra["places"].values() for one in place}
        assert set(as_told["pupils"].values()) == pupils
        assert sorted(other.game().profit.values()) == sorted(read.game().profit.values())
        assert other.extra["pseudonyms"] == {
            "table": other.extra["table"],
            "pupils": {one: one for one in pupils},
        }


def test_with_pseudonyms_times_are_whole_seconds_from_nought(make):
    one = make(names=(), size=2)
    one.now = NOON + 0.7
    with sqlite3.connect(one.path) as db:
        db.execute("UPDATE events SET at = ?", (NOON + 0.9,))
    db.close()
    one.now = NOON + 1.2
    one.room.add("Ann")
    one.do("start")
    tables = frames(one.path, pseudonyms=True)
    seconds = tables["clicks"]["seconds"]
    assert seconds.tolist() == [0, 2, 2]
    assert not np.signbit(seconds).any()
    assert frames(one.path)["clicks"]["seconds"].iloc[0] == 0


# -- the file ------------------------------------------------------------------------------------


def state_of(folder, path):
    """Everything that lies in a folder about a class; not the index that servers share."""
    return {
        one.name: one.read_bytes() if one.suffix != ".sqlite-shm" else b""
        for one in folder.iterdir()
        if one.name.startswith(path.name)
    }


def test_a_closed_file_stays_as_it_is_and_gets_nothing_beside_it(played, tmp_path):
    played.room.store.close()
    before = state_of(tmp_path, played.path)
    assert list(before) == [played.path.name]
    export(played.path, tmp_path / "out")
    frames(played.path)
    assert state_of(tmp_path, played.path) == before


def test_an_export_disturbs_no_server_that_writes_meanwhile(played, tmp_path):
    store = played.room.store
    before = state_of(tmp_path, played.path)
    assert len(before) == 3
    store._db.execute("BEGIN IMMEDIATE")
    store._db.execute("INSERT INTO drafts VALUES ('0/0', 'half')")
    assert len(frames(played.path)["bids"]) == 13
    store._db.execute("ROLLBACK")
    export(played.path, tmp_path / "out")
    assert state_of(tmp_path, played.path) == before
    played.do("say", text="Well played")
    assert frames(played.path)["clicks"]["detail"].iloc[-1] == "Well played"


def test_a_class_whose_server_died_is_read_to_the_last_event(played, tmp_path):
    played.room.store.close()
    last = played.room.last_event
    code = (
        "import os, pathlib, sys; from exdec.classroom.store import Event, Store\n"
        "store = Store.open(pathlib.Path(sys.argv[1]))\n"
        "store.append([Event(int(sys.argv[2]), 1e9, 'say', {'text': 'Last words'})])\n"
        "os._exit(9)"
    )
    words = [sys.executable, "-c", code, str(played.path), str(last + 1)]
    assert subprocess.run(words, timeout=60).returncode == 9
    before = state_of(tmp_path, played.path)
    assert len(before) == 3
    assert frames(played.path)["clicks"]["detail"].iloc[-1] == "Last words"
    assert state_of(tmp_path, played.path) == before


def test_a_class_on_a_network_drive_is_read_too(make, tmp_path, monkeypatch):
    monkeypatch.setattr("exdec.classroom.store._on_network", lambda _path: True)
    one = make()
    one.do("start")
    one.play(ORDERS)
    before = state_of(tmp_path, one.path)
    assert f"{one.path.name}-wal" not in before
    assert len(frames(one.path)["bids"]) == 8
    assert state_of(tmp_path, one.path) == before


def test_what_is_no_class_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(StoreError, match=r"^There is no class in .*none\.sqlite\.$"):
        frames(tmp_path / "none.sqlite")
    empty = tmp_path / "empty.sqlite"
    Store.create(empty).close()
    with pytest.raises(StoreError, match=r"^There is no class in empty\.sqlite\.$"):
        frames(empty)
    other = tmp_path / "other.sqlite"
    other.write_text("This is a letter, and no class. " * 40)
    with pytest.raises(StoreError, match=r"^other\.sqlite cannot be read: file is not a database"):
        export(other, tmp_path / "out")
    assert {one.name for one in tmp_path.iterdir()} == {"empty.sqlite", "other.sqlite"}


def test_a_damaged_log_is_refused_in_a_sentence(make, tmp_path):
    one = make()
    one.do("start")
    one.play(ORDERS)
    line = json.loads(one.room.desks[0].lines[0])
    line |= {"month": 2}
    store, last = one.room.store, one.room.last_event
    store.append([Event(last + 1, NOON, "settle",
                        {"table": 0, "line": json.dumps(line) + "\n", "missed": []})])  # fmt: skip
    with pytest.raises(record.RecordError, match=r"^Table 1, line 3: month 2, buy is out of order"):
        export(one.path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# -- all or nothing ------------------------------------------------------------------------------


def left_over(folder):
    return [one.name for one in folder.iterdir() if ".sqlite" not in one.name]


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_a_disk_that_fills_leaves_nothing_behind(played, tmp_path, monkeypatch, name):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(exports, "_workbook", full)
    with pytest.raises(ExportError, match=r"cannot be written: no space left on device\. Mend"):
        export(played.path, tmp_path / name)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_what_is_there_already_is_never_touched(played, tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(ExportError, match=r"is there already\. Choose another name"):
        export(played.path, tmp_path / name)
    assert list((tmp_path / name).iterdir()) == []


def test_a_folder_that_is_not_there_is_named(played, tmp_path):
    with pytest.raises(ExportError, match=r"There is no folder .*nowhere\. Make it first"):
        export(played.path, tmp_path / "nowhere" / "out")


# -- the command ---------------------------------------------------------------------------------


def test_the_command_makes_a_folder_or_a_zip_with_the_same_files(played, tmp_path, capsys):
    folder, packed = tmp_path / "results", tmp_path / "results.zip"
    assert main(["export", str(played.path), "--out", str(folder)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith(f"Everything of the class is in {folder}.\n\n")
    assert main(["export", str(played.path), "--zip", "--out", str(folder)]) == 0
    assert f" {packed}.\n" in (told_of_zip := capsys.readouterr().out)
    # The same way to the debrief is everywhere: here, in the README, and in the panel.
    readme = (folder / "README.txt").read_text("utf-8-sig")
    for words in to_debrief("results"):
        assert words in told.out
        assert words in told_of_zip
        assert words in " ".join(readme.split())
    names = {f"results/{one.relative_to(folder).as_posix()}" for one in folder.rglob("*.*")}
    with zipfile.ZipFile(packed) as book:
        assert book.testzip() is None
        assert set(book.namelist()) == names
        assert book.read("results/bids.csv") == (folder / "bids.csv").read_bytes()
    assert len(names) == 1 + 9 + 1 + 1


def test_the_command_takes_the_classs_name_and_pseudonyms(played, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export", played.path.name, "--pseudonyms"]) == 0
    assert "Ann" not in everything(Path(f"{played.path.stem}-pseudonyms"))


def test_semicolons_and_decimal_commas_for_spreadsheets_that_expect_them(played, tmp_path, capsys):
    played.now += 0.5
    played.do("say", text="1;2,5")
    out = tmp_path / "out"
    assert main(["export", str(played.path), "--semicolons", "--out", str(out)]) == 0
    class_id, _, rest = (out / "prices.csv").read_text("utf-8-sig").splitlines()[1].partition(";")
    assert class_id.startswith("c")
    assert rest == "Year 11;Table 1;;1;buy;X;11;40;1;41"
    last = (out / "clicks.csv").read_text("utf-8-sig").splitlines()[-1].split(";", 2)
    usual = read_csv(export(played.path, tmp_path / "usual") / "clicks.csv")[-1]
    assert last[1].replace(",", ".") == usual["seconds"]
    assert last[1].endswith(",5")
    assert last[2].endswith(';"1;2,5"')


def test_the_command_refuses_in_one_line(played, tmp_path, capsys):
    assert main(["export", str(tmp_path / "none.sqlite"), "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("exdec export: There is no class in ")


# -- any class -----------------------------------------------------------------------------------


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 10**6), pupils=st.integers(1, 9), size=st.integers(2, 5))
def test_records_come_out_as_they_went_in_and_no_dollar_is_lost(tmp_path, seed, pupils, size):
    luck = random.Random(seed)
    path = tmp_path / f"{seed}-{pupils}-{size}-{len(os.listdir(tmp_path))}.sqlite"
    names = [f"Pupil name {n}" for n in range(pupils)]
    one = Class(path, names, size=size, months=2, rules={"partial_buys": True})
    one.do("start")
    for _ in range(60):
        what = luck.random()
        playing = [pupil for pupil in one.pupils if not one.room.desks[pupil.table].over]
        if not playing:
            break
        pupil = luck.choice(playing)
        try:
            if what < 0.8:
                buying = one.room.desks[pupil.table].turn[1] == "buy"
                item = luck.choice("XFS" if buying else "ABC")
                one.bid(pupil, {item: [luck.randint(1, 3), luck.randint(20, 150)]})
            else:
                doable = ("close", "reopen", "undo", "redo", "bot", "return", "end", "unend")
                do = luck.choice(doable)
                where = {"table": pupil.table}
                if do in ("bot", "return"):
                    where["firm"] = pupil.firm
                one.do(do, **where)
        except RefusalError:
            continue
    room = one.room
    out = export(path, Path(f"{path}-out"))
    hidden = frames(path, pseudonyms=True)
    for desk, file in zip(room.desks, sorted((out / "records").iterdir()), strict=True):
        lines = desk.record(room.place_names(desk.number)).splitlines()
        assert list(map(json.loads, file.read_text("utf-8").splitlines()[1:])) == list(
            map(json.loads, lines[1:])
        )
    tables = frames(path)
    for which in (tables, hidden):
        steps, clicks = which["steps"], which["clicks"]
        assert len(steps) == sum(len(desk.lines) * len(desk.places) for desk in room.desks)
        times = steps[steps["how"].isin(["handed in", "passed"])]
        assert (times["opened_at"] <= times["handed_in_at"]).all()
        assert (times["handed_in_at"] <= times["settled_at"]).all()
        settled = clicks.query("what == 'step settled' and stands == 'yes'")
        assert len(settled) == sum(len(desk.lines) for desk in room.desks)
        firms, bids = which["firms"], which["bids"]
        start = room.desks[0].rules.starting_cash.at(len(room.desks[0].places))
        money = firms.groupby(["table", "firm"])[["paid", "received", "broker"]].sum()
        profit = which["standings"].set_index(["table", "firm"])["profit"]
        for key, row in money.iterrows():
            assert row["received"] + row["broker"] - row["paid"] == profit[key]
        for step, column in (("buy", "paid"), ("sell", "received")):
            assert bids.loc[bids["step"] == step, "amount"].sum() == firms[column].sum()
        if len({len(desk.places) for desk in room.desks}) == 1 and len(firms):
            last = firms.groupby(["table", "firm"]).last()
            assert (last["cash"] + last["broker"].fillna(0) - start == last["profit"]).all()
    room.store.close()
