import errno
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from exdec import cli, record
from exdec.bots import BOTS, about
from exdec.cli import main

EXDEC = [sys.executable, "-m", "exdec"]

# One month of three players, worked out by hand: 11, 15 and 7 units are ordered, so the materials
# post at 41, 35 and 17; 4, 1 and 4 are offered, so the goods post at 143, 124 and 93.
MONTH = """\
{"format": "exdec-game", "version": 1, "players": ["Ann", "Ben", "Cy"], "months": 1}
{"month": 1, "step": "buy", "bids": {"Ann": {"X": [2, 40], "F": [4, 35], "S": [6, 23]}, \
"Ben": {"X": [6, 44], "F": [5, 36], "S": [1, 20]}, "Cy": {"X": [3, 41], "F": [6, 37]}}}
{"month": 1, "step": "sell", "bids": {"Ann": {"C": [3, 90]}, "Ben": {"A": [3, 140]}, \
"Cy": {"A": [1, 143], "B": [1, 120], "C": [1, 95]}}}
"""


def run(*words, **options):
    options = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 120} | options
    return subprocess.run([*EXDEC, *words], **options)


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(MONTH, encoding="utf-8")
    return path


def refused(capsys, *words):
    """Run a command that is refused, and return the one line it says."""
    try:
        status = main(words)
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err.rstrip("\n")


# -- the command line itself ---------------------------------------------------------------------


def test_help_says_what_each_command_is_for_with_an_example(capsys):
    with pytest.raises(SystemExit, match="0"):
        main([])
    out = capsys.readouterr().out
    for command in ("lab", "demo", "score", "tournament"):
        assert f"\n    {command}" in out
        assert f"\n  exdec {command} " in out


@pytest.mark.parametrize("command", ["lab", "demo", "score", "tournament", "print", "export"])
def test_the_examples_in_the_help_are_taken(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    lines = capsys.readouterr().out.partition("examples:\n")[2].splitlines()
    examples = [line.partition(f"exdec {command}")[2].partition("   ")[0] for line in lines]
    assert len(examples) >= 3
    for words in examples:
        words = words.replace('"easy,full capacity"', "easy")
        assert cli._read([command, *words.split()]).command == command


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"exdec {version('exdec')}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("dmo", "exdec: there is no command 'dmo'. Did you mean exdec demo?"),
        (
            "cook",
            "exdec: there is no command 'cook'. There are: lab, demo, score, tournament, "
            "host, print, rehearse, gradebook, export, link, build-lite, check-lessons, "
            "build-notebooks.",
        ),
        ("--versio", "exdec: there is no option --versio. Did you mean --version?"),
        ("demo --playrs 4", "exdec demo: there is no option --playrs. Did you mean --players?"),
        ("demo --play=4", "exdec demo: there is no option --play. Did you mean --players?"),
        ("demo -q", "exdec demo: there is no option -q. See exdec demo --help."),
        ("score --jsn", "exdec score: there is no option --jsn. Did you mean --json?"),
        (
            "demo --players 9",
            "exdec demo: --players: give a whole number from 2 to 6, not '9'. "
            "See exdec demo --help.",
        ),
        (
            "demo --months two",
            "exdec demo: --months: give a whole number from 1 to 12, not 'two'. "
            "See exdec demo --help.",
        ),
        (
            "demo --bots random,cautous",
            "exdec demo: --bots: There is no rival called 'cautous'. Did you mean 'cautious'?",
        ),
        (
            "demo --players 2 --bots random,random,random",
            "exdec demo: --bots names 3 rivals for 2 players. Name fewer, or raise --players.",
        ),
        ("demo twice", "exdec demo: there is no use for 'twice' here. See exdec demo --help."),
        (
            "score",
            "exdec score: the following arguments are required: FILE. See exdec score --help.",
        ),
    ],
)
def test_a_slip_gets_one_helpful_line(words, said, capsys):
    assert refused(capsys, *words.split()) == said


def test_control_c_ends_quietly(monkeypatch, capsys):
    def interrupted(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr("exdec.commands.demo.play", interrupted)
    assert main(["demo"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_reader_who_leaves_early_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = run("demo", "--months", "1", capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_in_one_line():
    with open("/dev/full", "w") as full:
        done = run("demo", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    reason = os.strerror(errno.ENOSPC).lower()
    assert (done.returncode, done.stderr) == (2, f"exdec demo: cannot write: {reason}.\n")


def test_a_screen_without_our_signs_gets_them_spelt_out(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(MONTH.replace("Ann", "Zoë").replace("[3, 90]", "[3, 94]"), encoding="utf-8")
    done = run("score", str(path), env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    # 322 in cash, 4 F at 35 and 6 S at 17 to the Broker: 322 + 140 + 102 − 600.
    assert r"Zo\xeb: -$36" in done.stdout


# -- exdec demo ----------------------------------------------------------------------------------


def test_demo_prints_the_board_each_tally_and_the_result(capsys):
    assert main(["demo", "--players", "4", "--seed", "1", "--months", "12"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    head = out.splitlines()[1].split()
    assert head[0] == "Opening"
    assert (head[1], head[-1], len(head)) == ("Jan", "Dec", 13)
    for title in ("Ann's tally (cautious)", "Cy's tally (planner)", "Result"):
        assert f"\n{title}" in out
    assert " wins with a profit of $" in out
    assert max(map(len, out.splitlines())) <= 100


def test_demo_comes_out_the_same_for_the_same_seed(capsys):
    games = []
    for seed in ("5", "5", "6"):
        main(["demo", "--bots", "random", "--months", "2", "--seed", seed])
        games.append(capsys.readouterr().out)
    assert games[0] == games[1] != games[2]


def test_demo_deals_the_rivals_out_in_turn(capsys):
    main(["demo", "--players", "3", "--bots", "random, full capacity", "--months", "1"])
    out = capsys.readouterr().out
    for title in (
        "Ann's tally (random)",
        "Ben's tally (full capacity)",
        "Cy's tally (random)",
    ):
        assert title in out


def test_demo_takes_levels_and_shows_which_strategy_is_meant(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    main(["demo", "--bots", "easy,random", "--months", "1", "--players=2", f"--record={path}"])
    assert "Ann's tally (cautious)" in capsys.readouterr().out
    assert record.read(path).extra["bots"] == {"Ann": "cautious", "Ben": "random"}


def test_demos_help_lists_every_rival_with_what_it_does_and_the_levels(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["demo", "--help"])
    out = capsys.readouterr().out
    rivals = out.partition("rivals:\n")[2].partition("\n\n")[0]
    assert max(map(len, rivals.splitlines())) <= 80
    for name in BOTS:
        assert f"\n  {name}  " in f"\n{rivals}"
        assert about(name) in " ".join(rivals.split())
    assert "easy is cautious, medium is margin seeker, hard is planner" in rivals


def test_demo_records_the_game_with_its_rivals_and_seed(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    main(["demo", "--players=2", "--seed=7", "--months=2", "--variation", f"--record={path}"])
    printed = capsys.readouterr().out
    read = record.read(path)
    assert read.extra == {"bots": {"Ann": "cautious", "Ben": "margin seeker"}, "seed": 7}
    assert read.rules.changes() == {"months": 2, "partial_buys": True, "partial_sales": True}
    main(["score", str(path)])
    scored = capsys.readouterr().out
    assert (
        scored
        == printed.partition("\n\nRecorded")[0]
        .replace(" (cautious)", "")
        .replace(" (margin seeker)", "")
        + "\n"
    )


def test_demo_never_overwrites_a_record(game, capsys):
    said = refused(capsys, "demo", "--record", str(game))
    assert "game.jsonl is there already" in said
    assert game.read_text(encoding="utf-8") == MONTH


# -- exdec score ---------------------------------------------------------------------------------


def test_score_gives_the_whole_outcome_as_json(game, capsys):
    assert main(["score", str(game), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    scored = json.loads(out)
    (month,) = scored.pop("months")
    assert scored == {
        "format": "exdec-score",
        "version": 1,
        "players": ["Ann", "Ben", "Cy"],
        "final": {
            "liquidation": {"Ann": 35, "Ben": 87, "Cy": 105},
            "cash": {"Ann": 627, "Ben": 643, "Cy": 623},
            "profit": {"Ann": 27, "Ben": 43, "Cy": 23},
            "winners": ["Ben"],
        },
    }
    assert month.pop("firms")["Ann"] == {
        "bought": {"X": 0, "F": 4, "S": 6},
        "paid": 278,
        "purchase_void": False,
        "sold": {"A": 0, "B": 0, "C": 3},
        "received": 270,
        "sale_void": False,
        "cash": 592,
        "materials": {"X": 0, "F": 1, "S": 0},
    }
    assert month == {
        "month": 1,
        "units": {"X": 11, "F": 15, "S": 7, "A": 4, "B": 1, "C": 4},
        "prices": {"X": 41, "F": 35, "S": 17, "A": 143, "B": 124, "C": 93},
    }


def test_score_reads_standard_input(game, capsys):
    main(["score", str(game), "--json"])
    from_file = capsys.readouterr().out
    done = run("score", "-", "--json", input=MONTH)
    assert (done.returncode, done.stdout, done.stderr) == (0, from_file, "")


def test_score_without_json_can_be_read_by_people(game, capsys):
    main(["score", str(game)])
    out = capsys.readouterr().out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert "Jan 2@40 below 4@35 6@23 $278 3@90 $270 $592" in rows
    assert "Jan 3@41 6@37 $345 1@143 1@120 1@95 above $263 $518" in rows
    assert out.endswith("\nBen wins with a profit of $43. Ann: $27, Cy: $23.\n")


def test_score_of_an_unfinished_game_says_where_it_goes_on(game, capsys):
    game.write_text("".join(MONTH.splitlines(keepends=True)[:2]), encoding="utf-8")
    assert main(["score", str(game)]) == 0
    assert capsys.readouterr().out.endswith("\nThe game goes on with January's offers.\n")
    main(["score", str(game), "--json"])
    assert json.loads(capsys.readouterr().out)["final"] is None


def test_score_refuses_in_one_line_that_says_where(game, capsys):
    game.write_text(MONTH.replace('"X": [2, 40]', '"X": [2, 0]'), encoding="utf-8")
    assert refused(capsys, "score", str(game), "--json").startswith(
        "exdec score: game.jsonl, line 2: Ann's order for January, X-FINE: a price "
    )
    said = refused(capsys, "score", str(game.with_name("none.jsonl")))
    assert "none.jsonl cannot be read: " in said


def test_score_goes_on_without_a_torn_last_line_and_says_so(game, capsys):
    game.write_text(MONTH[:-40], encoding="utf-8")
    assert main(["score", str(game), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "A" not in json.loads(out)["months"][0]["prices"]
    assert err.startswith("exdec score: Line 3 was cut off")
    assert err.count("\n") == 1


def test_more_rivals_than_can_play_are_refused(capsys):
    said = refused(capsys, "demo", "--months", "1", "--bots", ",".join(["cautious"] * 7))
    assert said == "exdec demo: --bots names 7 rivals, and 2 to 6 can play. Name fewer."
