import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Game as WholeGame
from strategies import whole_game

from exdec import STANDARD, Bid, Game, RecordError, Step
from exdec.record import dumps, fork, parse, read, save
from exdec.recorder import Recorder

DATA = Path(__file__).parent / "data"

HEADER = '{"format": "exdec-game", "version": 1, "players": ["Ann", "Ben", "Cy"]}\n'
BUY = '{"month": 1, "step": "buy", "bids": {"Ann": {"X": [2, 40]}}}\n'
SELL = '{"month": 1, "step": "sell", "bids": {}}\n'


def header(**changes):
    fields = json.loads(HEADER) | changes
    return json.dumps({key: value for key, value in fields.items() if value is not ...}) + "\n"


def buy(bids="{}", more=""):
    return f'{{"month": 1, "step": "buy", "bids": {bids}{more}}}\n'


def playing(whole: WholeGame, steps: int | None = None) -> Game:
    game = Game(whole.start.players, whole.start.rules)
    for step in whole.steps[:steps]:
        for player in game.players:
            game.hand_in(player, step.bids.get(player, {}))
    return game


def demo() -> Game:
    """Two months of three, with names that are not ASCII."""
    game = Game(["Zoë", "Бен"], STANDARD.vary(months=3, partial_buys=True))
    for _ in range(2):
        game.order("Zoë", X=(4, 45), F=(4, 40), S=(2, 25))
        game.order("Бен", S=(6, 12))
        game.offer("Zoë", A=(1, 130))
        game.offer("Бен")
    return game


def same(one: Game, other: Game) -> bool:
    return (one.state, one.steps) == (other.state, other.steps)


class disk_full_at:  # noqa: N801  (reads as a sentence)
    """No file can grow beyond so many bytes."""

    def __init__(self, size):
        self.size = size

    def __enter__(self):
        self.resource = pytest.importorskip("resource")
        self.before = self.resource.getrlimit(self.resource.RLIMIT_FSIZE)
        self.resource.setrlimit(self.resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *_):
        self.resource.setrlimit(self.resource.RLIMIT_FSIZE, self.before)


# -- reading -------------------------------------------------------------------------------------


def test_a_record_written_by_hand():
    record = read(DATA / "rulebook-selling.jsonl")
    assert record.players == ("Ann", "Ben", "Cy")
    assert record.rules == STANDARD.vary(months=1)
    assert record.extra == {"title": "The rulebook's example of selling"}
    assert record.lost is None
    bought, sold = record.steps
    assert (bought.month, bought.step, bought.line) == (1, Step.BUY, 2)
    assert (sold.month, sold.step, sold.line) == (1, Step.SELL, 3)
    assert bought.bids["Ben"] == {"X": Bid(2, 45), "F": Bid(1, 40)}
    assert bought.check is None
    assert sold.check == {"prices": {"A": 143, "B": 124, "C": 89}}
    assert record.game().winners == ("Ann",)


def test_lines_are_counted_with_the_blank_ones():
    (step,) = read(DATA / "rulebook-buying.jsonl").steps
    assert step.line == 3


def test_players_and_lines_left_out_pass():
    record = parse(HEADER + buy('{"Ann": {"X": [0, 0], "F": [0, 40]}, "Cy": {}}'))
    assert record.steps[0].bids == {"Ann": {}, "Ben": {}, "Cy": {}}


@pytest.mark.parametrize(
    "text",
    [
        HEADER + BUY + SELL,
        HEADER + BUY + SELL.rstrip("\n"),
        (HEADER + BUY + SELL).replace("\n", "\r\n"),
        (HEADER + BUY + SELL).replace("\n", "\r\n").removesuffix("\n"),
        "\ufeff" + HEADER + BUY + SELL,
        "\n \n" + HEADER + "\t\n" + BUY + "\n\n" + SELL + "\n  ",
        HEADER + buy('{"Cy": {}, "Ann": {"X": [2, 40], "S": [0, 1]}}') + SELL,
        HEADER + BUY.replace("}\n", ', "note": {"by": ["me", 1.5, null]}}\n') + SELL,
        header(months=12) + BUY + SELL,
        header(rules={}) + BUY + SELL,
        header(rules={"months": 12}) + BUY + SELL,
        header(months=12, rules={"months": 12}) + BUY + SELL,
        header(rules={"partial_buys": False}) + BUY + SELL,
    ],
)
def test_what_cannot_be_misunderstood_is_forgiven(text):
    plain = parse(HEADER + BUY + SELL)
    for given_ in (text, text.encode()):
        record = parse(given_)
        assert record.lost is None
        assert [step[:3] for step in record.steps] == [step[:3] for step in plain.steps]
        assert same(record.game(), plain.game())


def test_the_rules_of_the_format_have_these_names():
    rules = {
        "partial_buys": True,
        "partial_sales": True,
        "undeliverable": "refuse",
        "past_table": "clamp",
        "materials_floor": 2,
        "goods_floor": 3,
    }
    assert parse(header(rules=rules, months=5)).rules == STANDARD.vary(months=5, **rules)


def test_other_keys_of_the_header_are_kept_in_order():
    extra = {"title": "Café", "seed": 2**90, "bots": {"Ben": "cautious"}, "date": None}
    assert list(parse(header(**extra)).extra.items()) == list(extra.items())


@pytest.mark.parametrize(
    "check",
    [
        {},
        {"prices": {}},
        {"prices": {"X": 32, "F": 20, "S": 10}, "cash": {"Ann": 520, "Ben": 600, "Cy": 600}},
        {"prices": {"X": 32}},
        {"cash": {"Ann": 520}},
        {"prices": {"A": 140}},
        {"by": "hand"},
    ],
)
def test_a_check_may_be_partial(check):
    text = HEADER + buy('{"Ann": {"X": [2, 40]}}', f', "check": {json.dumps(check)}')
    assert parse(text).game().state.firms[0].cash == 600 - 2 * 40


# -- what is refused -----------------------------------------------------------------------------

DEEP = 100_000
CASES = {
    "rule called self": (header(rules={"self": 1}), 1, "no rule 'self'"),
    "empty": ("", 1, "nothing here"),
    "blank": ("\n\n", 1, "nothing here"),
    "header torn": (HEADER[:30], 1, "not JSON"),
    "header not an object": ("[]\n", 1, "must look like {…}"),
    "a number": ("7\n", 1, "must look like {…}"),
    "no format": (header(format=...), 1, '"format": "exdec-game"'),
    "another format": (header(format="chess"), 1, 'not "chess"'),
    "no version": (header(version=...), 1, '"version": 1'),
    "version true": (header(version=True), 1, "not true"),
    "version 1.0": (header(version=1.0), 1, "not 1.0"),
    "version 0": (header(version=0), 1, "not 0"),
    "version as text": (header(version="1"), 1, 'not "1"'),
    "newer version": (header(version=2), 1, "newer than this exdec"),
    "no players": (header(players=...), 1, '"players"'),
    "players null": (header(players=None), 1, "not null"),
    "players as text": (header(players="Ann"), 1, 'not "Ann"'),
    "players as object": (header(players={"Ann": 1, "Ben": 2}), 1, "not {"),
    "one player": (header(players=["Ann"]), 1, "2 to 6"),
    "seven players": (header(players=list("abcdefg")), 1, "2 to 6"),
    "twice Ann": (header(players=["Ann", "Ann"]), 1, "Two players"),
    "player 3": (header(players=["Ann", 3]), 1, "not 3"),
    "player of 41 letters": (header(players=["Ann", "x" * 41]), 1, "1 to 40"),
    "player without letters": (header(players=["Ann", ""]), 1, "1 to 40"),
    "months 0": (header(months=0), 1, "1 to 12"),
    "months 13": (header(months=13), 1, "1 to 12"),
    "months true": (header(months=True), 1, "not True"),
    "months 1.0": (header(months=1.0), 1, "not 1.0"),
    "months null": (header(months=None), 1, "not None"),
    "months twice": (header(months=3, rules={"months": 4}), 1, "Keep one"),
    "months true twice": (header(months=1, rules={"months": True}), 1, "not True"),
    "rules null": (header(rules=None), 1, "not null"),
    "rules as list": (header(rules=["partial_buys"]), 1, '"rules"'),
    "unknown rule": (header(rules={"partial_buy": True}), 1, "Did you mean 'partial_buys'?"),
    "bad rule": (header(rules={"partial_buys": 1}), 1, "True or False, not 1"),
    "bad choice": (header(rules={"undeliverable": "shrug"}), 1, "penalty"),
    "duplicate in header": (HEADER.replace("{", '{"version": 1, ', 1), 1, '"version" stands twice'),
    "NaN": (HEADER.replace("}", ', "x": NaN}'), 1, "NaN is not a number"),
    "minus infinity": (HEADER.replace("}", ', "x": [-Infinity]}'), 1, "-Infinity is not a number"),
    "infinite in effect": (HEADER.replace("}", ', "x": 1e999}'), 1, "1e999 is too large"),
    "too many digits": (HEADER.replace("}", f', "x": {"9" * 5000}}}'), 1, "100 digits"),
    "far too deep": (HEADER.replace("}", f', "x": {"[" * DEEP}{"]" * DEEP}}}'), 1, "deep"),
    "somewhat too deep": (HEADER.replace("}", f', "x": {"[" * 50}{"]" * 50}}}'), 1, "deep"),
    "deep and no object": ("[" * 500 + "]" * 500 + "\n", 1, "deep"),
    "UTF-16": ((HEADER + BUY).encode("utf-16"), 1, "not UTF-8"),
    "Latin-1": (header(title="Café").replace("\\u00e9", "é").encode("latin-1"), 1, "not UTF-8"),
    "second header": (HEADER + HEADER, 2, '"month"'),
    "broken line": (HEADER + '{"month": 1,\n' + SELL, 2, "not JSON"),
    "broken last line": (HEADER + BUY + '{"month": 1, "step"\n', 3, "not JSON"),
    "single quotes": (HEADER + BUY.replace('"', "'"), 2, "double quotes"),
    "Latin-1 in a step": (HEADER.encode() + buy(more=', "n": "é"').encode("latin-1"), 2, "UTF-8"),
    "whole but Latin-1": (
        HEADER.encode() + buy(more=', "n": "é"').strip().encode("latin-1"),
        2,
        "UTF-8",
    ),
    "no month": (HEADER + BUY.replace('"month": 1, ', ""), 2, '"month"'),
    "month true": (HEADER + BUY.replace("1,", "true,"), 2, "not true"),
    "month 1.0": (HEADER + BUY.replace("1,", "1.0,"), 2, "not 1.0"),
    "month as text": (HEADER + BUY.replace("1,", '"1",'), 2, 'not "1"'),
    "month 0": (HEADER + BUY.replace("1,", "0,"), 2, "month 1, buy comes next"),
    "month enormous": (HEADER + BUY.replace("1,", "9" * 90 + ","), 2, "month 1, buy comes next"),
    "no step": (HEADER + BUY.replace('"step": "buy", ', ""), 2, '"step"'),
    "step over": (HEADER + BUY.replace("buy", "over"), 2, 'not "over"'),
    "step a list": (HEADER + BUY.replace('"buy"', '["buy"]'), 2, 'not ["buy"]'),
    "no bids": (HEADER + '{"month": 1, "step": "buy"}\n', 2, '"bids": {} if everyone passes'),
    "bids null": (HEADER + buy("null"), 2, "not null"),
    "bids a list": (HEADER + buy("[]"), 2, "not []"),
    "sell first": (HEADER + SELL, 2, "month 1, buy comes next"),
    "step repeated": (HEADER + BUY + BUY, 3, "month 1, sell comes next"),
    "month left out": (HEADER + BUY + SELL + BUY.replace("1,", "3,"), 4, "month 2, buy comes next"),
    "after the end": (header(months=1) + BUY + SELL + BUY, 4, "after the end"),
    "month too many": (
        header(months=1) + BUY + SELL + "\n" + BUY.replace("1,", "2,"),
        5,
        "month 2, buy comes after the end",
    ),
    "unknown player": (HEADER + buy('{"Anne": {}}'), 2, "Did you mean 'Ann'?"),
    "nobody at all": (HEADER + buy('{"": {}}'), 2, "Nobody called ''"),
    "unknown grade": (HEADER + buy('{"Ann": {"Y": [1, 2]}}'), 2, "X, F and S"),
    "small letter": (HEADER + buy('{"Ann": {"x": [1, 2]}}'), 2, "Did you mean 'X'?"),
    "goods when buying": (HEADER + buy('{"Ann": {"A": [1, 2]}}'), 2, "no 'A' to order"),
    "materials when selling": (HEADER + BUY + SELL.replace("{}", '{"Ann": {"X": [1, 2]}}'), 3, "C"),
    "player twice": (HEADER + buy('{"Ann": {}, "Ann": {}}'), 2, '"Ann" stands twice'),
    "grade twice": (HEADER + buy('{"Ann": {"X": [1, 2], "X": [1, 2]}}'), 2, '"X" stands twice'),
    "over the limit": (HEADER + buy('{"Ann": {"X": [13, 2]}}'), 2, "Take 1 off"),
    "over one grade": (
        header(players=["Ann", "Ben"]) + buy('{"Ann": {"X": [13, 2]}}'),
        2,
        "12 units of one grade",
    ),
    "undeliverable": (
        header(rules={"undeliverable": "refuse"}) + BUY + SELL.replace("{}", '{"Ann":{"A":[1,2]}}'),
        3,
        "cannot be made",
    ),
    "wrong price": (HEADER + buy(more=', "check": {"prices": {"X": 41}}'), 2, "month 1, buy"),
    "wrong cash": (HEADER + buy(more=', "check": {"cash": {"Ben": 599}}'), 2, "month 1, buy"),
    "check of nobody": (HEADER + buy(more=', "check": {"cash": {"Dan": 6}}'), 2, '"Dan"'),
    "check of nothing": (HEADER + buy(more=', "check": {"prices": {"Y": 6}}'), 2, '"Y"'),
    "check null": (HEADER + buy(more=', "check": null'), 2, "not null"),
    "check prices null": (HEADER + buy(more=', "check": {"prices": null}'), 2, "not null"),
    "check 30.0": (HEADER + buy(more=', "check": {"prices": {"X": 30.0}}'), 2, "not 30.0"),
    "check true": (HEADER + buy(more=', "check": {"cash": {"Ann": true}}'), 2, "not true"),
}


@pytest.mark.parametrize(("text", "line", "words"), CASES.values(), ids=CASES)
def test_refused_with_the_line_and_what_is_wrong(text, line, words):
    with pytest.raises(RecordError) as refusal:
        parse(text)
    message = str(refusal.value)
    assert message.startswith(f"line {line}: ")
    assert words in message
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize(
    "bid",
    [
        "[]",
        "[2]",
        "[2, 40, 1]",
        "[2.0, 40]",
        "[2, 40.0]",
        "[true, 40]",
        "[2, true]",
        '["2", 40]',
        '"2, 40"',
        "[2, null]",
        "null",
        "2",
        '{"units": 2, "price": 40}',
        "[[2], 40]",
        "[-1, 40]",
        "[2, 0]",
        "[2, -40]",
        "[1000000000000, 40]",
        "[2, 1000000000000]",
        f"[2, {'9' * 90}]",
        f"[{'9' * 5000}, 40]",
        "[NaN, 40]",
        "[2, Infinity]",
        "[2, 1e3]",
        "[" * 40 + "]" * 40,
        "[" * DEEP + "]" * DEEP,
    ],
)
def test_bids_that_make_no_sense_are_refused_r8(bid):
    with pytest.raises(RecordError, match=r"^line 3: ") as refusal:
        parse(HEADER + BUY + SELL.replace("{}", f'{{"Cy": {{"C": {bid}}}}}'))
    assert len(str(refusal.value)) < 400
    assert not {"True", "None"} & set(re.findall(r"\w+", str(refusal.value)))  # JSON's words


def test_a_check_that_fails_is_told_with_both_values():
    text = HEADER + BUY + SELL.replace("}\n", ', "check": {"cash": {"Ann": 555}}}\n')
    with pytest.raises(RecordError, match=r"line 3: month 1, sell: .* Ann \$555, .* \$520\."):
        parse(text)


def test_a_record_made_by_hand_is_checked_when_it_is_played():
    record = parse(HEADER + BUY + SELL)
    wrong = record.steps[1]._replace(check={"prices": {"A": 1}})
    altered = type(record)(record.players, record.rules, (record.steps[0], wrong))
    with pytest.raises(RecordError, match=r"^line 3: month 1, sell: .* \$1, .* \$151"):
        altered.game()


def test_errors_from_a_file_begin_with_its_name(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(HEADER + "\n" + SELL)
    with pytest.raises(RecordError, match=r"^game\.jsonl, line 3: month 1, sell"):
        read(path)
    with pytest.raises(RecordError, match=r"none\.jsonl cannot be read: no such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match=r"cannot be read"):
        read(tmp_path)


# -- a torn last line ----------------------------------------------------------------------------


def test_a_torn_last_line_loses_that_line_only():
    record = parse(HEADER + BUY + SELL[:-8])
    assert len(record.steps) == 1
    assert record.lost == (
        "Line 3 was cut off while it was written, and is lost. "
        "The game goes on with January's offers."
    )


def test_a_torn_line_after_the_end_costs_nothing():
    record = parse(header(months=1) + BUY + SELL + BUY[:9])
    assert record.lost is not None
    assert record.lost.endswith("The game is complete without it.")
    assert record.game().step is Step.OVER


@pytest.mark.parametrize("tail", [b"\x00\x00\x00", b"{", b'{"month": 2, "step": "b\xc3', b"\xff"])
def test_whatever_a_crash_leaves_after_the_last_newline_is_torn(tail):
    record = parse((HEADER + BUY + SELL).encode() + tail)
    assert len(record.steps) == 2
    assert record.lost is not None


def test_cut_at_any_byte_a_record_is_whole_or_torn_and_nothing_else():
    game = demo()
    data = dumps(game, title="Größe").encode()
    ends = [at for at, byte in enumerate(data) if byte == ord("\n")]
    seen = set()
    for cut in range(len(data) + 1):
        if cut < ends[0]:
            with pytest.raises(RecordError, match=r"^line 1: "):
                parse(data[:cut])
            continue
        record = parse(data[:cut])
        whole = sum(end <= cut for end in ends) - 1
        at_a_line_end = cut in ends or cut - 1 in ends
        assert len(record.steps) == whole
        assert (record.lost is None) == at_a_line_end
        if not at_a_line_end:
            assert f"Line {whole + 2} " in record.lost
        assert record.game().steps == game.steps[:whole]
        seen.add((whole, at_a_line_end))
    assert len(seen) == 9


# -- writing -------------------------------------------------------------------------------------


def test_this_is_what_a_written_record_looks_like():
    game = Game(["Ann", "Zoë"], STANDARD.vary(months=1, partial_buys=True))
    game.order("Zoë", F=(4, 35), X=(2, 40))
    game.order("Ann")
    assert dumps(game, title="Group 3").splitlines() == [
        '{"format": "exdec-game", "version": 1, "players": ["Ann", "Zoë"], "months": 1, '
        '"rules": {"partial_buys": true}, "title": "Group 3"}',
        '{"month": 1, "step": "buy", "bids": {"Ann": {}, "Zoë": {"X": [2, 40], "F": [4, 35]}}, '
        '"check": {"prices": {"X": 32, "F": 24, "S": 10}, "cash": {"Ann": 900, "Zoë": 680}}}',
    ]


@given(whole_game(), st.data())
def test_a_record_plays_the_same_game_again(whole, data):
    game = playing(whole, data.draw(st.integers(0, len(whole.steps))))
    record = parse(dumps(game))
    assert same(record.game(), game)
    assert record.rules == game.rules
    assert [step.bids for step in record.steps] == [step.bids for step in game.steps]
    assert dumps(record.game()) == dumps(game)
    # The engine alone, without any Game, came to the same.
    assert [step.report for step in record.game().steps] == [
        step.report for step in whole.steps[: len(record.steps)]
    ]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**90), 10**90)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    # Half of a pair: it stands in no UTF-8 file, but JSON can say it.
    | st.characters(categories=["Cs"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values))
def test_extra_keys_come_back(extra):
    for key in ("format", "version", "players", "months", "rules"):
        extra.pop(key, None)
    text = dumps(Game(["Ann", "Ben"]), **extra)
    assert list(parse(text.encode()).extra.items()) == list(extra.items())
    assert parse(text) == parse(text.encode())


@pytest.mark.parametrize(
    "extra",
    [
        {"when": object()},
        {"when": float("nan")},
        {"when": 10**100},
        {"when": json.loads("[" * 60 + "]" * 60)},
        {"players": ["Dan"]},
        {"version": 1},
        {"months": 3},
    ],
)
def test_what_could_not_be_read_back_is_not_written(extra, tmp_path):
    with pytest.raises(RecordError):
        Recorder.create(tmp_path / "game.jsonl", demo(), **extra)
    assert list(tmp_path.iterdir()) == []


def test_awkward_names_for_extra_keys():
    extra = {"self": 1, "game": 2, "path": 3, "cls": 4, "fields": 5, "not a name": 6}
    assert parse(dumps(demo(), **extra)).extra == extra


def test_sealed_bids_are_not_written():
    game = demo()
    before = dumps(game)
    game.order("Zoë", X=(3, 77))
    assert dumps(game) == before


def test_save_and_load(tmp_path):
    path = tmp_path / "game.jsonl"
    game = demo()
    game.save(path, title="Group 3")
    assert same(Game.load(path), game)
    game.undo()
    game.save(path)
    assert same(Game.load(path), game)
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_saving_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "game.jsonl"
    game = demo()
    game.save(path)
    before = path.read_bytes()
    with disk_full_at(50), pytest.raises(RecordError, match=r"game\.jsonl cannot be written: "):
        save(path, game, title="x" * 100)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_saving_where_a_folder_stands(tmp_path):
    (tmp_path / "games").mkdir()
    with pytest.raises(RecordError, match=r"games is there already and is no game record"):
        save(tmp_path / "games", demo())
    assert [file.name for file in tmp_path.iterdir()] == ["games"]


@pytest.mark.parametrize("text", ["my homework", ""])
def test_saving_over_what_is_no_record_is_refused(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(RecordError, match=r"notes\.txt is there already and is no game record"):
        demo().save(path)
    assert path.read_text() == text


def test_saving_again_follows_a_link_and_keeps_the_permissions(tmp_path):
    path, link = tmp_path / "game.jsonl", tmp_path / "latest.jsonl"
    Game(["Ann", "Ben"]).save(path)
    path.chmod(0o640)
    link.symlink_to(path)
    demo().save(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert same(Game.load(path), demo())


@pytest.mark.parametrize("path", [3, None, "", ".", "a\0b"])
def test_what_names_no_file_is_refused(path):
    for act in (demo().save, Game.load, read, lambda path: Recorder.create(path, demo())):
        with pytest.raises(RecordError, match=r"named by a text|does not name a file"):
            act(path)


def test_loading_a_torn_record_warns_of_what_is_lost(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(HEADER + BUY + SELL[:20])
    with pytest.warns(UserWarning, match=r"Line 3 was cut off .* January's offers"):
        game = Game.load(path)
    assert game.step is Step.SELL


# -- fork ----------------------------------------------------------------------------------------


def test_fork_plays_everything_before_the_step():
    game = demo()
    record = parse(dumps(game))
    for number, step in enumerate(game.steps):
        forked = fork(record, step.report.month, step.before.step)
        assert forked.state == step.before
        assert forked.steps == game.steps[:number]
        assert forked.waiting == game.players


def test_fork_to_where_the_record_stops_goes_on():
    record = parse(dumps(demo()))
    assert fork(record, 3, "buy").state == demo().state


@pytest.mark.parametrize(
    ("month", "step", "words"),
    [
        (3, "sell", "does not reach month 3, sell. The game goes on with March's orders."),
        (4, "buy", "months 1 to 3, not 4"),
        (0, "buy", "months 1 to 3, not 0"),
        (1, "over", "not 'over'"),
    ],
)
def test_fork_to_what_is_not_there_is_refused(month, step, words):
    with pytest.raises(RecordError) as refusal:
        fork(parse(dumps(demo())), month, step)
    assert words in str(refusal.value)


def test_a_fork_may_be_recorded_as_a_game_of_its_own(tmp_path):
    game = fork(parse(dumps(demo())), 2, "sell")
    recorder = Recorder.create(tmp_path / "fork.jsonl", game)
    game.open_bids()
    recorder.append(game.steps[-1])
    assert same(Game.load(tmp_path / "fork.jsonl"), game)
