import os
import pickle
import random
import re
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from html import escape
from itertools import permutations
from math import nan, sqrt
from pathlib import Path
from threading import Event

import numpy as np
import pandas as pd
import pytest
from dying import die_once, hear_nothing, refuse_to_end, written

from exdec import STANDARD, ExdecError, TurnError
from exdec.batch import play_block
from exdec.bots import BOTS, Cautious, FullCapacity, MarginSeeker, RandomLegal, make_bot
from exdec.bots.strategy import Strategy
from exdec.cli import main
from exdec.crew import Here, Processes, finished
from exdec.entrants import entered
from exdec.mixed import Mixed
from exdec.observations import Observations
from exdec.own import load
from exdec.standings import Standings, estimate
from exdec.sums import PriceCounts, Sums
from exdec.tournament import StoppedError, Tournament, _combination, run

EXDEC = [sys.executable, "-m", "exdec"]
FOUR = ("cautious", "full capacity", "random", "margin seeker")

OWN = """
class Pair:
    def order(self, view):
        price = view.material_prices
        return {"F": (2, price.F + 9), "S": (1, price.S + 9)}

    def offer(self, view):
        return {"C": (view.makeable.most.C, max(view.good_prices.C - 9, 1))}


class Breaks(Pair):
    def offer(self, view):
        if view.month == 2:
            raise RuntimeError("no idea")
        return {}


class Hangs(Pair):
    def order(self, view):
        while view.month == 1:
            pass
        return {}
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "pupils_bots.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def plan(names=FOUR, players=(2, 3), games=60, seed=5, drawing=FOUR, **changes):
    """A tournament in which every game is played, as if everyone drew chance."""
    rules = STANDARD.vary(**({"months": 3} | changes))
    bots = {name: make_bot(name) for name in names}
    return Tournament(bots, players, games, seed, rules, drawing)


def tables(standings):
    return [standings.ranking, standings.head_to_head, standings.by_month, standings.prices]


def same(one, other):
    for left, right in zip(tables(one), tables(other), strict=True):
        pd.testing.assert_frame_equal(left, right, check_exact=True)
    return True


# -- who meets whom ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_combination_plays_and_everyone_sits_in_every_seat_equally_often(players):
    tournament = plan(list(BOTS)[:7], (players,), games=1)
    seats = {}
    for block in tournament.blocks():
        for game in block.entrants.T.tolist():
            for seat, entrant in enumerate(game):
                key = (frozenset(game), entrant, seat)
                seats[key] = seats.get(key, 0) + 1
    chosen = {combination for combination, _, _ in seats}
    assert len(chosen) == 1
    assert len(seats) == players * players
    assert set(seats.values()) == {1}
    every = plan(list(BOTS)[:7], (players,), games=300, drawing=tuple(BOTS))
    met = {frozenset(game) for block in every.blocks() for game in block.entrants.T.tolist()}
    assert len(met) == {2: 21, 3: 35, 4: 35, 5: 21, 6: 7}[players]


def test_the_plan_is_played_in_full():
    tournament = plan(players=(2, 3, 4), games=1000)
    assert tournament.planned == 1008 + 1008 + 1000  # multiples of 6 × 2, 4 × 3 and 1 × 4 seatings
    assert sum(block.entrants.shape[1] for block in tournament.blocks()) == tournament.planned


def test_combinations_are_drawn_once_and_are_not_sent_to_workers(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "exdec.tournament._combination", lambda *one: drawn.append(one) or _combination(*one)
    )
    tournament = plan(list(BOTS), (2, 3), games=1000, drawing=tuple(BOTS))
    sent = pickle.dumps(tournament)
    assert tournament.planned == 1092 + 1716  # multiples of 78 × 2 and 286 × 3 seatings
    standings = Standings(tournament, Sums(tournament.counts, 3))
    assert not standings.complete
    assert sum(len(block.combinations) for block in tournament.blocks()) >= 78 + 286
    assert len(drawn) == 78 + 286
    assert len(pickle.dumps(tournament)) == len(sent)
    assert pickle.loads(sent).planned == tournament.planned


def test_fewer_strategies_than_seats_play_more_than_once():
    tournament = plan(FOUR[:2], players=(4,), games=1)
    assert set(tournament.combinations(4)) == {(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)}


def test_too_many_combinations_are_drawn_by_the_seed():
    one, again, other = (plan(list(BOTS), (6,), 60, seed).combinations(6) for seed in (1, 1, 2))
    assert one == again != other
    assert len(set(one)) == 10
    assert all(len(set(some)) == 6 for some in one)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"names": FOUR[:1]}, "at least two strategies"),
        ({"players": (2, 7)}, "2 to 6 can play, not 7"),
        ({"players": ()}, "Say how many play"),
        ({"players": 2}, "players=2 is no list of whole numbers. Write players=[2]"),
        ({"players": [2.0]}, "players=[2.0] is no list of whole numbers"),
        ({"players": "23"}, "players='23' is no list of whole numbers"),
        ({"games": 0}, "games is a whole number from 1 on, not 0"),
        ({"games": 2.5}, "games is a whole number from 1 on, not 2.5"),
        ({"games": True}, "games is a whole number from 1 on, not True"),
        ({"seed": -1}, "seed is a whole number from 0 on, not -1"),
        ({"seed": "x"}, "seed is a whole number from 0 on, not 'x'"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(change, said):
    with pytest.raises(TurnError, match=re.escape(said)):
        plan(**change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"entrants": "easy"}, "'easy' is no list of strategies. Write them as one: [\"easy\", "),
        ({"entrants": Cautious}, "Cautious'> is no list of strategies"),
        ({"rules": {"months": 2}}, "are no rules. Write rules=STANDARD.vary(months=6)"),
        ({"workers": 0}, "workers is a whole number from 1 on, not 0"),
        ({"workers": -1}, "workers is a whole number from 1 on, not -1"),
        ({"workers": 1.5}, "workers is a whole number from 1 on, not 1.5"),
    ],
)
def test_what_a_tournament_cannot_take_is_refused_before_it_starts(change, said):
    with pytest.raises(TurnError, match=re.escape(said)):
        run(**({"entrants": ["easy", "random"], "players": [2], "games": 4} | change))


def test_entrants_without_names_are_refused():
    with pytest.raises(TurnError, match=r"no names. Write \{name: strategy, …\}, or let run"):
        Tournament([Cautious(), RandomLegal()])


@pytest.mark.parametrize("in_flight", [0, -1])
def test_as_many_blocks_as_none_are_refused(in_flight):
    with pytest.raises(TurnError, match="in_flight is a whole number from 1 on"):
        plan().run(workers=1, in_flight=in_flight)
    with pytest.raises(TurnError, match="in_flight is a whole number from 1 on"):
        next(plan().stream(workers=1, in_flight=in_flight))


def test_a_number_of_players_that_is_named_twice_counts_once():
    one, twice = (plan(players=numbers).run(workers=1) for numbers in ((2, 3), [2, np.int64(3), 2]))
    assert twice.tournament.players == (2, 3)
    assert twice.complete
    assert same(one, twice)


# -- the numbers ---------------------------------------------------------------------------------


def replayed(tournament, players):
    """Every game once more by the batch engine, with the mean and the wins worked out anew."""
    bots = [make_bot(name) for name in tournament.names]
    for block in tournament.blocks():
        if block.players == players:
            seats = [Mixed(bots, row) for row in block.entrants]
            seed = (tournament.seed, players, block.first, block.number)
            played = play_block(
                tournament.rules, seats, block.entrants.shape[1], seed, by_month=True
            )
            yield block.entrants, played


def test_means_intervals_and_wins_are_those_of_the_games_replayed():
    tournament = plan(players=(3,), games=300)
    standings = tournament.run(workers=1)
    profit = {}  # combination, strategy -> profits
    wins = {}
    gaps = {}
    for entrants, played in replayed(tournament, 3):
        for game, seats in enumerate(entrants.T.tolist()):
            made = dict(zip(seats, played.profit[:, game].tolist(), strict=True))
            key = tuple(sorted(seats))
            best = [one for one in made if made[one] == max(made.values())]
            for one in made:
                profit.setdefault(one, {}).setdefault(key, []).append(made[one])
                share = (one in best) / len(best)
                wins.setdefault(one, {}).setdefault(key, []).append(share)
            for pair in permutations(made, 2):
                gap = made[pair[0]] - made[pair[1]]
                gaps.setdefault(pair, {}).setdefault(key, []).append(gap)

    def expected(by_combination):
        games = np.concatenate(list(by_combination.values()))
        within = sum(len(some) * np.var(some, ddof=1) for some in by_combination.values())
        return len(games), games.mean(), 1.96 * sqrt(within) / len(games)

    def close(row, name, by_combination):
        games, mean, half = expected(by_combination)
        assert row["games"] == games
        found = [row[name], row[f"{name}_low"], row[f"{name}_high"]]
        assert found == pytest.approx([mean, mean - half, mean + half])

    ranking = standings.ranking.set_index("strategy")
    for number, name in enumerate(tournament.names):
        close(ranking.loc[name], "profit", profit[number])
        close(ranking.loc[name], "wins", wins[number])
    versus = standings.head_to_head.set_index(["strategy", "rival"])
    for (one, other), by_combination in gaps.items():
        key = (tournament.names[one], tournament.names[other])
        close(versus.loc[key], "difference", by_combination)
    assert ranking["profit"].is_monotonic_decreasing


def test_a_sample_of_combinations_adds_what_the_choice_of_them_may_do():
    # By hand: means 2 and 6 of four games in two of ten combinations.
    found = estimate([(2, 4, 10), (2, 12, 74)], of_all=10)
    assert (found.games, found.mean) == (4, 4.0)
    assert found.error**2 == pytest.approx(0.2 * (2 * 2 + 2 * 2) / 16 + 0.8 * 2 * (16 + 16) / 16)
    all_played = estimate([(2, 4, 10), (2, 12, 74)], of_all=2)
    assert all_played.error**2 == pytest.approx((2 * 2 + 2 * 2) / 16)
    assert np.isnan(estimate([(2, 4, 10)], of_all=10).error)
    assert np.isnan(estimate([(1, 4, 16)], of_all=1).error)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    # The mean of each of 40 small tournaments against that of a large one.
    names = FOUR[1:3]
    (truth,) = (
        plan(names, (2,), 20_000, months=1)
        .run(workers=1)
        .ranking.query("strategy == 'random'")["profit"]
    )
    held = 0
    for seed in range(40):
        ranking = plan(names, (2,), 40, seed, months=1).run(workers=1).ranking
        (row,) = ranking.query("strategy == 'random'").itertuples()
        held += row.profit_low <= truth <= row.profit_high
    assert 33 <= held <= 40


def test_over_numbers_of_players_each_counts_the_same():
    both = plan(players=(2, 3)).run(workers=1)
    two, three = (both.at(n).ranking.set_index("strategy") for n in (2, 3))
    ranking = both.ranking.set_index("strategy")
    for name in FOUR:
        row, a, b = ranking.loc[name], two.loc[name], three.loc[name]
        assert row["profit"] == pytest.approx((a["profit"] + b["profit"]) / 2)
        halves = [frame["profit_high"] - frame["profit"] for frame in (a, b)]
        assert row["profit_high"] - row["profit"] == pytest.approx(np.hypot(*halves) / 2)
        assert row["games"] == a["games"] + b["games"]
    with pytest.raises(TurnError, match="games of 2 or 3 players, not 4"):
        both.at(4)


def test_shares_of_the_win_add_up_to_one():
    tournament = plan(players=(4,), games=200)
    standings = tournament.run(workers=1)
    assert standings.ranking["wins"].sum() == pytest.approx(1)
    # Nobody can buy or sell, so all make nothing and share the win.
    poor = plan(players=(4,), games=8, starting_cash=0).run(workers=1)
    assert poor.ranking["wins"].tolist() == [0.25] * 4


def test_head_to_head_is_the_same_from_both_sides():
    versus = plan(players=(2, 3, 4)).run(workers=1).head_to_head.set_index(["strategy", "rival"])
    assert len(versus) == 12
    for one, other in permutations(FOUR, 2):
        there, back = versus.loc[one, other], versus.loc[other, one]
        assert there["difference"] == pytest.approx(-back["difference"])
        assert there["difference_low"] == pytest.approx(-back["difference_high"])


def test_a_strategy_in_several_seats_counts_with_their_mean():
    tournament = plan(FOUR[:2], (3,), games=30)
    ranking = tournament.run(workers=1).ranking.set_index("strategy")
    means = {0: [], 1: []}
    for entrants, played in replayed(tournament, 3):
        for game, seats in enumerate(entrants.T):
            for one in means:
                means[one].append(played.profit[seats == one, game].mean())
    for number, name in enumerate(FOUR[:2]):
        assert ranking.loc[name, "profit"] == pytest.approx(np.mean(means[number]))


def test_profit_by_month_and_prices_are_those_of_the_games_replayed():
    tournament = plan(players=(2,), games=100)
    standings = tournament.run(workers=1)
    played = [(entrants, one) for entrants, one in replayed(tournament, 2)]
    by_month = standings.by_month.set_index(["strategy", "month"])["profit"]
    who = np.concatenate([entrants for entrants, _ in played], axis=1)
    made = np.concatenate([one.profit_by_month for _, one in played], axis=2)
    for number, name in enumerate(FOUR):
        for month in (1, 2, 3):
            assert by_month[name, month] == pytest.approx(made[month - 1][who == number].mean())
    last = standings.ranking.set_index("strategy")["profit"]
    assert by_month[:, 3].to_dict() == pytest.approx(last.to_dict())
    posted = np.concatenate([one.batch.posted_goods for _, one in played], axis=2)
    row = standings.prices.set_index(["item", "month"]).loc["B", 2]
    prices = posted[1, 1]
    assert row["games"] == len(prices) == 108
    for percent in (5, 25, 50, 75, 95):
        expected = np.quantile(prices, percent / 100, method="inverted_cdf")
        assert row[f"p{percent}"] == expected


def test_price_counts_add_up_whatever_they_span():
    prices = np.random.default_rng(1).integers(1, 90, (2, 6, 50))
    one, other = PriceCounts.of(prices[..., :20] + 100), PriceCounts.of(prices[..., 20:])
    both = np.concatenate([prices[..., :20] + 100, prices[..., 20:]], axis=-1)
    for added in (one + other, other + one):
        expected = np.quantile(both, [0.05, 0.5], axis=-1, method="inverted_cdf")
        assert (added.quantiles([5, 50]) == expected).all()


def test_sums_hold_profits_of_any_size():
    from exdec.sums import Cells

    profit = np.array([[[3_000_000_000, 5], [-3_000_000_000, 7]]])
    cells = Cells.of(profit, combinations=1)
    assert cells.profit_squares[0, 0, 1] == -9 * 10**18 + 35


# -- the same table, whoever plays ---------------------------------------------------------------


class Shuffled(Executor):
    """Finishes what it is given in an order of its own."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.waiting = []

    def submit(self, work, /, *args):
        future = Future()
        self.waiting.append((future, work, args))
        if len(self.waiting) == 5:
            self.flush()
        return future

    def flush(self):
        self.chance.shuffle(self.waiting)
        for future, work, args in self.waiting:
            future.set_result(work(*args))
        self.waiting = []


@pytest.fixture(scope="module")
def alone():
    return plan(games=900).run(workers=1)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_table_is_the_same_for_any_number_of_processes(alone, workers):
    assert same(plan(games=900).run(workers=workers), alone)


@pytest.mark.parametrize("in_flight", [1, 3, 100])
def test_the_table_is_the_same_with_threads_and_any_number_of_blocks_out(alone, in_flight):
    with ThreadPoolExecutor(3) as threads:
        assert same(plan(games=900).run(threads, in_flight=in_flight), alone)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_table_is_the_same_in_whatever_order_blocks_come_back(alone, seed):
    tournament = plan(games=900)
    count = len(list(tournament.blocks()))
    assert count == 10
    assert same(tournament.run(Shuffled(seed), in_flight=5), alone)


def test_another_seed_is_another_tournament(alone):
    assert not plan(games=900, seed=6).run(workers=1).ranking.equals(alone.ranking)


def test_the_stream_adds_up_to_the_table(alone):
    tournament = plan(games=900)
    sums = Sums(tournament.counts, tournament.rules.months)
    seen = []
    for part in tournament.stream(workers=1):
        sums.add(part)
        seen.append(Standings(tournament, sums).games)
    assert seen == sorted(set(seen))
    assert same(Standings(tournament, sums), alone)


def test_names_and_strategies_can_be_entered():
    by_name = run(FOUR, (2, 3), 900, 5, STANDARD.vary(months=3), workers=1)
    bots = [Cautious(), FullCapacity(), RandomLegal(), MarginSeeker()]
    entrants = dict(zip(FOUR, bots, strict=True))
    assert same(run(entrants, (2, 3), 900, 5, STANDARD.vary(months=3), workers=1), by_name)
    assert same(run(list(entrants.values()), (2, 3), 900, 5, STANDARD.vary(months=3)), by_name)
    with pytest.raises(TurnError, match="Did you mean 'cautious'"):
        run(["cautous", "random"])


def test_progress_is_told_in_games():
    told = []
    tournament = plan(games=900)
    tournament.run(workers=1, progress=told.append)
    assert sum(told) == tournament.planned
    assert len(told) == 10


# -- workers that die, and Control-C -------------------------------------------------------------


@pytest.mark.slow
def test_a_process_that_dies_costs_nothing(tmp_path):
    pieces = [str(tmp_path / f"piece{number}") for number in range(3)]
    pools = []

    def another():
        pools.append(Processes(2))
        return pools[-1]

    done = list(finished(die_once, pieces, another(), another, in_flight=2))
    for pool in pools:
        pool.shutdown()
    assert sorted(done) == pieces
    assert len(pools) >= 2


@pytest.mark.parametrize("work", [refuse_to_end, hear_nothing])
def test_work_that_would_go_on_is_broken_off(tmp_path, monkeypatch, work):
    monkeypatch.setattr("exdec.crew.GRACE", 0.5)
    marker = tmp_path / "marker"
    pool = Processes(1)
    pool.submit(work, str(marker))
    written(marker)
    pool.shutdown(cancel_futures=True)
    assert marker.read_text() == "working"


BROKEN_OFF_WHILE_SENDING = """
from dying import send_slowly, written
pool = Processes(2)
pool.submit(send_slowly, marker)
written(marker)
pool.shutdown(cancel_futures=True)
"""
ONE_DEAD_OTHERS_IDLE = """
pool = Processes(3)
pool.submit(os._exit, 1)
pool.shutdown()
"""
KILLED = """
pool = Processes(2)
pool.submit(int).result()
os.kill(os.getpid(), signal.SIGKILL)
"""


def aside(script, marker, **more):
    """Run a script that has processes; one that hangs fails here, and not when pytest ends."""
    script = f"""
import os, signal, sys
sys.path.append({str(Path(__file__).parent)!r})
from exdec.crew import Processes
marker = {str(marker)!r}
{script}"""
    return subprocess.run([sys.executable, "-c", script], timeout=60, **more)


@pytest.mark.parametrize(
    "script", [BROKEN_OFF_WHILE_SENDING, ONE_DEAD_OTHERS_IDLE], ids=["sending", "one dead"]
)
def test_who_ends_the_processes_is_not_held_up(tmp_path, script):
    done = aside(script, tmp_path / "marker", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_processes_do_not_outlive_who_started_them(tmp_path):
    # They have its standard output, which ends when they do.
    done = aside(KILLED, tmp_path / "marker", stdout=subprocess.PIPE)
    assert done.returncode == -signal.SIGKILL


class Deadly(Executor):
    def submit(self, work, /, *args):
        future = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_what_kills_every_worker_is_given_up():
    with pytest.raises(ExdecError, match="5 workers have died at the same games"):
        list(finished(str, [1], Deadly(), Deadly, in_flight=1))


class ClosedClientError(Exception):
    """Named as Dask's."""


class Ends(Here):
    """Does some work, and then fails in one way: as it is given out, or as it comes back."""

    def __init__(self, error, after=3, *, at_once=False, times=9):
        self.error, self.left, self.at_once, self.times = error, after, at_once, times

    def submit(self, work, /, *args):
        self.left -= 1
        if self.left >= 0 or self.times == 0:
            return super().submit(work, *args)
        self.times -= 1
        if self.at_once:
            raise self.error
        future = Future()
        if isinstance(self.error, CancelledError):
            future.cancel()
        else:
            future.set_exception(self.error)
        return future


ENDINGS = [
    (BrokenExecutor(), False, "5 workers have died at the same games, perhaps for want of memory."),
    (CancelledError(), False, "The executor has ended. If it is a cluster, look whether"),
    (ClosedClientError("closed"), True, "The executor has ended. If it is a cluster, look whether"),
    (OSError(28, "No space left on device"), False, "OSError: [Errno 28] No space left on device."),
    (pickle.PicklingError("it holds\na lock"), False, "PicklingError: it holds a lock."),
    (TypeError("no pickle"), True, "TypeError: no pickle."),
    (MemoryError(), False, "MemoryError."),
    (RuntimeError("cannot schedule new futures after shutdown"), True, "RuntimeError: cannot sch"),
]


@pytest.mark.parametrize(("error", "at_once", "said"), ENDINGS)
def test_a_tournament_that_cannot_go_on_keeps_what_was_finished(error, at_once, said):
    tournament = plan(games=900)
    told = []
    with pytest.raises(StoppedError) as stopped:
        tournament.run(Ends(error, at_once=at_once), in_flight=1, progress=told.append)
    standings = stopped.value.standings
    assert len(told) == 3
    assert standings.games == sum(told) < tournament.planned == 1800
    assert "Stopped early: " in str(standings)
    missing = f"Stopped with {1800 - sum(told):,} of 1,800 games missing. {said}"
    assert str(stopped.value).startswith(missing)
    *tables_, last = stopped.value._render_traceback_()
    assert tables_ == [str(standings)]
    assert last == f"StoppedError: {stopped.value}"


@pytest.mark.parametrize("error", [BrokenExecutor(), CancelledError()])
def test_what_happens_once_changes_nothing(alone, error):
    assert same(plan(games=900).run(Ends(error, times=1), in_flight=4), alone)


def test_nothing_is_called_off_with_an_executor_that_has_ended():
    class Waiting(Ends):
        def submit(self, work, /, *args):
            waiting.append(Future() if self.left > 0 else super().submit(work, *args))
            self.left -= 1
            return waiting[-1]

    waiting = []
    with pytest.raises(ExdecError, match="The executor has ended"):
        list(finished(str, range(9), Waiting(ClosedClientError(), at_once=True), Here, in_flight=5))
    assert [future.cancelled() for future in waiting] == [False] * 3


@pytest.mark.parametrize("after", [0, 3])
def test_the_command_prints_and_saves_what_was_finished(tmp_path, monkeypatch, capsys, after):
    out = tmp_path / "standings.csv"
    ends = Ends(OSError(28, "No space left on device"), after)
    monkeypatch.setattr("exdec.tournament.crew", lambda _workers: ends)
    words = "--bots cautious,medium,random --players 2 --games 900 --months 2 --out"
    assert main(["tournament", *words.split(), str(out)]) == 2
    printed, said = capsys.readouterr()
    games = int(pd.read_csv(out).query("players == 0")["games"].sum()) // 2 if after else 0
    assert said.partition("\n")[2] == (
        f"exdec tournament: Stopped with {602 - games} of 602 games missing. "
        "OSError: [Errno 28] No space left on device.\n"
    )
    if after:
        assert f"Stopped early: {games} of 602 games are in this table.\n" in printed
        assert printed.endswith("-prices.csv\n")
    else:
        assert printed == ""
        assert not out.exists()


def test_an_error_in_the_work_is_no_death():
    with pytest.raises(ValueError, match="invalid literal"):
        list(finished(int, ["x"], Here(), Here, in_flight=1))


def test_pieces_that_are_alike_are_each_done():
    results = finished(len, ["ab", "ab", [], [], [1]], Shuffled(1), Here, in_flight=5)
    assert sorted(results) == [0, 0, 1, 2, 2]


def test_only_so_many_pieces_are_out_at_once():
    class Counting(Shuffled):
        most = 0

        def submit(self, work, /, *args):
            future = super().submit(work, *args)
            self.most = max(self.most, len(self.waiting))
            return future

    counting = Counting(1)
    assert sorted(finished(str, range(5), counting, Here, in_flight=5)) == list("01234")
    assert counting.most == 4  # the fifth sets all of them off


def test_an_interrupt_keeps_what_was_finished_and_says_so():
    tournament = plan(games=900)
    told = []

    def stop(games):
        told.append(games)
        if len(told) == 4:
            raise KeyboardInterrupt

    standings = tournament.run(workers=1, progress=stop)
    assert standings.games == sum(told) < tournament.planned
    assert not standings.complete
    said = f"Stopped early: {standings.games:,} of {tournament.planned:,} games are in this table."
    assert said in str(standings)


@contextmanager
def on_a_terminal(*words, command=EXDEC):
    """The command on a terminal of its own; gives the process, and a wait for what is shown."""
    termios = pytest.importorskip("termios")
    terminal, its = os.openpty()
    termios.tcsetwinsize(its, (24, 100))
    process = subprocess.Popen(
        [*command, "tournament", *words],
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
        start_new_session=True,
    )
    os.close(its)
    shown = b""

    def wait_for(pattern):
        nonlocal shown
        while not re.search(pattern, shown):
            assert select.select([terminal], [], [], 60)[0], f"{pattern} is not shown: {shown}"
            shown += os.read(terminal, 1000)
        assert b"Traceback" not in shown

    def interrupt():
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everyone in the foreground

    try:
        yield process, wait_for, interrupt
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


ENDLESS = ["--bots", "cautious,random,full capacity", "--players", "2", "--games", "100000000"]
BAR = rb"[1-9]\d*/\d+ .*games/s"  # with games in it


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "times"), [("1", 1), ("2", 1), ("1", 2), ("2", 3)])
def test_control_c_prints_and_saves_what_was_finished(tmp_path, workers, times):
    out = tmp_path / "standings.csv"
    words = [*ENDLESS, "--workers", workers, "--out", str(out)]
    with on_a_terminal(*words) as (process, wait_for, interrupt):
        wait_for(BAR)
        for _ in range(times):
            interrupt()
            time.sleep(0.05)
        wait_for(rb"Stopping: games that are under way have 5 seconds to finish\. Control-C again")
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped early: " in printed
    games = int(printed.partition("Stopped early: ")[2].partition(" of")[0].replace(",", ""))
    saved = pd.read_csv(out).query("players == 0")
    assert saved["games"].sum() == 2 * games > 0


def test_control_c_before_any_game_was_finished_is_answered(monkeypatch, capsys):
    def stream(self, *args, **named):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Tournament, "stream", stream)
    assert main(["tournament", "--bots", "cautious,random"]) == 130
    out, said = capsys.readouterr()
    assert (out, said.splitlines()[-1]) == ("", "Stopped early: no game was finished.")


def test_control_c_at_the_last_moment_does_not_cost_the_table(monkeypatch, capsys):
    def impatient(self, *args, **named):
        standings = played(self, *args, **named)
        signal.raise_signal(signal.SIGINT)
        return standings

    played = Tournament.run
    monkeypatch.setattr(Tournament, "run", impatient)
    assert (
        main(["tournament", "--bots", "cautious,random", "--games", "6", "--workers", "1"]) == 130
    )
    assert capsys.readouterr().out.startswith("2 strategies, ")


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "times", "grace"), [("1", 1, 5), ("2", 2, 1000)])
def test_games_that_take_long_are_dropped_soon(own, workers, times, grace):
    slow = own.parent / "slow.py"
    slow.write_text(
        "import time\nclass Slow:\n def order(self, view):\n  time.sleep(0.9)\n  return {}\n"
        " offer = order\n"
    )
    words = ["--bots", f"{slow}:Slow,random", "--months", "1", "--players", "2"]
    words += ["--games", "900", "--workers"]
    script = f"from exdec import cli, crew; crew.GRACE = {grace}; exit(cli.main())"
    command = [sys.executable, "-c", script]
    with on_a_terminal(*words, workers, command=command) as (process, wait_for, interrupt):
        wait_for(rb"0/900")
        time.sleep(3)
        for _ in range(times):
            interrupt()
            time.sleep(0.05)
        wait_for(rb"Stopping: ")
        # Not in the quarter of an hour that the games take, nor, where that was said twice, in the
        # grace that they have.
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert printed == ""


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.3, 0.7, 1.2])
def test_control_c_in_the_first_second_shows_no_traceback(after):
    with on_a_terminal(*ENDLESS) as (process, wait_for, interrupt):
        time.sleep(after)
        interrupt()
        interrupt()
        process.communicate(timeout=60)
        wait_for(rb"")
    assert process.returncode in (130, -signal.SIGINT)


def test_pieces_are_not_far_ahead_of_one_that_takes_long():
    class Slow(Here):
        def submit(self, work, /, *args):
            given.append(args[0])
            if args[0] == 0:
                future = Future()
                held.append(future)
                return future
            return super().submit(work, *args)

    given, held = [], []
    results = finished(str, range(100), Slow(), Slow, in_flight=3)
    for _ in range(12):
        next(results)
    held[0].set_result("0")
    assert given == list(range(13))
    assert len(list(results)) == 88


def test_nothing_is_begun_once_it_is_to_stop():
    stop = Event()
    results = finished(str, range(9), Here(), Here, in_flight=2, stop=stop)
    assert next(results) == "0"
    stop.set()
    assert list(results) == ["1"]


SCRIPT = """
print("here")
from exdec.tournament import run
standings = run(["cautious", "random"], [2], 60)
print(standings.games, standings.complete)
"""


@pytest.mark.slow
def test_a_script_without_a_guard_plays_in_one_process_and_is_told_how_to_mend_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.stderr.count("\n") == 1
    assert 'put what it does below a line if __name__ == "__main__":' in done.stderr
    assert done.stdout.splitlines()[-1] == "60 True"
    guarded = SCRIPT.replace("standings =", 'if __name__ == "__main__":\n  standings =')
    script.write_text(guarded.replace("print(st", "  print(st"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "60 True")


# -- pupils' own strategies ----------------------------------------------------------------------


def test_an_own_strategy_plays_among_ours(own):
    entrants = {"Pair": load(f"{own}:Pair"), "cautious": Cautious(), "random": RandomLegal()}
    rules = STANDARD.vary(months=2)
    here = run(entrants, (2, 3), 12, 1, rules, workers=1)
    assert same(run(entrants, (2, 3), 12, 1, rules, workers=2), here)
    assert here.sums.faults == {}
    (row,) = here.ranking.query("strategy == 'Pair'").itertuples()
    assert row.profit != 0
    assert here.complete


def test_an_own_strategy_that_is_ours_makes_the_same_profit(own):
    # FullCapacity draws no luck, so a copy of it that plays game by game earns the same.
    class Copy(FullCapacity):
        pass

    rules = STANDARD.vary(months=3)
    ours = run({"a": FullCapacity(), "b": Cautious()}, (2,), 4, 1, rules, workers=1)
    own = run({"a": Copy(), "b": Cautious()}, (2,), 4, 1, rules, workers=1)
    assert same(ours, own)


def test_an_own_strategy_that_builds_on_ours_is_guarded():
    class Breaks(FullCapacity):
        def orders(self, view):
            raise RuntimeError("no idea")

    class Hides(Strategy):
        def orders(self, view):
            os._exit(1)

        offers = orders

    entrants = {"Breaks": Breaks(), "Hides": Hides, "cautious": Cautious()}
    standings = run(entrants, (3,), 3, 1, STANDARD.vary(months=1), workers=1)
    assert standings.complete
    assert "Breaks (*) lost 3 moves of 6 by its own mistakes." in " ".join(standings.sentences)
    assert "Hides (*) lost 6 moves of 6 by its own mistakes." in " ".join(standings.sentences)


def test_mistakes_of_an_own_strategy_are_named_and_counted(own):
    entrants = {"Breaks": load(f"{own}:Breaks"), "cautious": Cautious()}
    standings = run(entrants, (2,), 6, 1, STANDARD.vary(months=2), workers=1)
    assert standings.complete
    said = " ".join(standings.sentences)
    assert "Breaks (*) lost 6 moves of 24 by its own mistakes. For example: In February" in said
    assert "RuntimeError: no idea" in said


@pytest.mark.slow
def test_an_own_strategy_that_hangs_loses_its_moves_and_is_named(own):
    entrants = {"Hangs": load(f"{own}:Hangs"), "cautious": Cautious()}
    standings = run(entrants, (2,), 2, 1, STANDARD.vary(months=2), workers=1)
    assert standings.complete
    assert "Hangs (*) lost 2 moves of 8 by its own mistakes." in " ".join(standings.sentences)
    assert "took longer than 1 second" in " ".join(standings.sentences)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.py:Pair", "There is no file 'none.py'."),
        ("pupils_bots.py:Pear", "has no strategy 'Pear'. Did you mean pupils_bots.py:Pair?"),
        ("pupils_bots.py", "needs the name of its class. Did you mean pupils_bots.py:Pair?"),
        ("broken.py:Pair", "broken.py cannot be run: NameError: name 'nothing' is not defined."),
        ("empty.py:Pair", "empty.py has no strategy 'Pair'. Give it order and offer."),
    ],
)
def test_an_own_strategy_that_is_not_there_is_refused(own, name, said, monkeypatch):
    monkeypatch.chdir(own.parent)
    (own.parent / "broken.py").write_text("nothing")
    (own.parent / "empty.py").write_text("class Other: pass")
    with pytest.raises(TurnError) as refusal:
        load(name)
    assert said in str(refusal.value)


# -- the command line ----------------------------------------------------------------------------


def test_a_pupil_gets_a_table_and_a_sentence(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    words = "--bots cautious,medium,random --players 2 --games 60 --months 4 --workers 1"
    assert main(["tournament", *words.split()]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "3 strategies, 42 games of 2 players, 4 months, seed 1"
    assert lines[2].split() == ["strategy", "profit", "a", "game", "wins"]
    assert re.fullmatch(r"1  margin seeker +\$\d+ ± \d+ +\d+ %", lines[3])
    assert out.split("\n\n")[-1].startswith("margin seeker makes the most: $")
    assert max(map(len, lines)) <= 80


def test_the_table_of_all_strategies_fits_a_screen(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    standings = plan(list(BOTS), (2,), games=1, months=1).run(workers=1)
    lines = str(standings).splitlines()
    assert max(map(len, lines)) <= 80
    across = [line.split() for line in lines if re.fullmatch("[ 0-9]+", line)]
    assert [place for line in across for place in line] == [
        str(place) for place in range(1, len(BOTS) + 1)
    ]
    assert standings._repr_html_().count("<tr>") == len(BOTS) + 1


@pytest.mark.parametrize("ending", ["csv", pytest.param("parquet", marks=pytest.mark.slow)])
def test_tables_are_saved_and_read_back(tmp_path, capsys, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="uv sync --group ci installs it")
    out = tmp_path / f"standings.{ending}"
    words = "--bots cautious,medium,random --players 2,3 --games 60 --months 2 --workers 1 --out"
    assert main(["tournament", *words.split(), str(out)]) == 0
    printed = capsys.readouterr().out
    read = pd.read_csv if ending == "csv" else pd.read_parquet
    names = ["", "-head-to-head", "-by-month", "-prices"]
    files = [tmp_path / f"standings{name}.{ending}" for name in names]
    assert printed.endswith(f"\nSaved: {', '.join(map(str, files))}\n")
    ranking, versus, by_month, prices = map(read, files)
    standings = run(
        ["cautious", "margin seeker", "random"], (2, 3), 60, rules=STANDARD.vary(months=2)
    )
    for part, key in ((standings, 0), (standings.at(2), 2), (standings.at(3), 3)):
        for saved, frame in ((ranking, part.ranking), (versus, part.head_to_head)):
            mine = saved[saved["players"] == key].drop(columns="players").reset_index(drop=True)
            pd.testing.assert_frame_equal(mine, frame, check_dtype=False)
    pd.testing.assert_frame_equal(by_month, standings.by_month, check_dtype=False)
    pd.testing.assert_frame_equal(prices, standings.prices, check_dtype=False)


def test_parquet_without_its_package_is_refused_with_the_way_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr("exdec.standings.find_spec", lambda _name: None)
    assert main(["tournament", "--out", "standings.parquet"]) == 2
    said = capsys.readouterr().err
    assert "pip install 'exdec[parquet]'" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "cautious,cautous"], "There is no rival called 'cautous'. Did you mean"),
        (["--bots", "cautious,easy"], "cautious is named twice. Take one out."),
        (["--bots", "planner"], "A tournament takes at least two strategies."),
        (["--bots", "cautious,none.py:Mine"], "There is no file 'none.py'."),
        (["--players", "2,9"], "--players: give a whole number from 2 to 6, not '9'."),
        (["--games", "many"], "--games: give a whole number from 1 to 1000000000, not 'many'."),
        (["--out", "table.xls"], "Tables are written as .csv or .parquet; 'table.xls' is neither."),
        (["--out", "nowhere/table.csv"], "There is no folder nowhere. Make it, or choose another."),
        (["--players", "4-2"], "--players: give the lower number first, not '4-2'."),
        (["--bots", "mine:Mine,easy"], "Did you mean mine.py:Mine?"),
        (["--bots", "margin", "seeker,easy"], 'in quotes: --bots "margin seeker,…".'),
        (["--workrs", "2"], "there is no option --workrs. Did you mean --workers?"),
    ],
)
def test_a_slip_gets_one_helpful_line(words, said, capsys):
    try:
        status = main(["tournament", *words])
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_files_that_are_there_are_kept(tmp_path, capsys, monkeypatch):
    there = tmp_path / "table-prices.csv"
    there.write_text("mine")
    words = ["tournament", "--bots", "easy,medium", "--players", "2", "--out"]
    assert main([*words, str(tmp_path / "table.csv")]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"{there} is there already. Choose another name.\n")
    assert [path.name for path in tmp_path.iterdir()] == [there.name]
    monkeypatch.setattr("os.access", lambda *_: False)
    assert main([*words, str(tmp_path / "other.csv")]) == 2
    assert f"Nothing can be written in {tmp_path}." in capsys.readouterr().err


def test_four_files_are_announced_before_they_are_written(tmp_path, capsys):
    words = "--bots easy,medium --players 2-3 --months 1 --workers 1 --out"
    assert main(["tournament", *words.split(), str(tmp_path / "t.csv")]) == 0
    said = capsys.readouterr().err
    names = sorted(path.name for path in tmp_path.iterdir())
    assert said.startswith("The tables go into four files: t.csv, t-head-to-head.csv, ")
    assert all(name in said for name in names)
    assert len(names) == 4
    assert set(pd.read_csv(tmp_path / "t.csv")["players"]) == {0, 2, 3}


# -- games without chance, and what the table says ------------------------------------------------


@pytest.mark.parametrize("name", BOTS)
def test_strategies_say_whether_they_draw_chance(name, monkeypatch):
    drawn = []
    real = Observations.draw
    monkeypatch.setattr(
        Observations,
        "draw",
        lambda view, *args, **named: (drawn.append(1), real(view, *args, **named))[1],
    )
    play_block(STANDARD.vary(months=2), [make_bot(name), Cautious()], 2, 1)
    assert bool(drawn) == BOTS[name].draws


def test_without_chance_one_game_of_each_seating_stands_for_all():
    rules = STANDARD.vary(months=3)
    names = [name for name in FOUR if name != "random"]
    once = run(names, (2, 3), 60, 5, rules, workers=1)
    every = plan(names, (2, 3), 60).run(workers=1)
    assert once.games == 3 * 2 + 1 * 3
    assert every.games == 120
    for name in ("profit", "wins"):
        assert once.ranking[name].tolist() == pytest.approx(every.ranking[name].tolist())
    assert once.by_month["profit"].tolist() == pytest.approx(every.by_month["profit"].tolist())
    assert once.prices.drop(columns="games").equals(every.prices.drop(columns="games"))
    assert (once.ranking["profit_low"] == once.ranking["profit"]).all()
    said = " ".join(str(once).split())
    assert "Nobody here draws chance, so each seating is one game: 9 games in all." in said
    assert "± " not in said.replace("no ± for luck", "")


def test_combinations_with_and_without_chance_count_the_same():
    mixed = run(FOUR, (3,), 400, 5, STANDARD.vary(months=3), workers=1)
    assert mixed.games == 1 * 3 + 3 * 102
    by_combination = []
    cells = mixed.sums.cells[3]
    for at, combination in enumerate(mixed.tournament.combinations(3)):
        if 0 in combination:
            place = combination.index(0)
            by_combination.append(cells.profit[at, -1, place] / cells.games[at])
    (row,) = mixed.ranking.query("strategy == 'cautious'").itertuples()
    assert row.profit == pytest.approx(np.mean(by_combination))
    assert row.profit_high > row.profit
    assert "Where nobody draws chance" in " ".join(mixed.notes)


CHANCE = """
import random

class Steady:
    def order(self, view):
        return {"X": (1, view.material_prices.X + 2)}
    def offer(self, view):
        return {}

class Draws(Steady):
    def offer(self, view):
        view.rng.integers(2)
        return {}

class Dice(Steady):
    def order(self, view):
        return {"X": (1, random.randint(20, 60))}

class Needs(Steady):
    def __init__(self, boldness):
        pass

class Fails(Steady):
    def __init__(self):
        raise RuntimeError("no idea")

class Lacks:
    def order(self, view):
        return {}
"""


@pytest.fixture
def chance(tmp_path):
    path = tmp_path / "chance.py"
    path.write_text(CHANCE, encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "games"), [("Steady", 2), ("Draws", 20), ("Dice", 20)])
def test_an_own_strategy_is_tried_for_chance(chance, name, games):
    tournament = Tournament(entered([f"{chance}:{name}", "easy"]), (2,), 20, 1)
    assert tournament.planned == games


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "Needs",
            "Needs cannot play. Needs() cannot be made without arguments. Give them defaults",
        ),
        ("Fails", "Fails could not be made: RuntimeError: no idea"),
        ("Lacks", "Lacks cannot play. It has no method offer(self, view)."),
    ],
)
def test_an_own_strategy_that_cannot_be_made_is_refused_before_it_plays(chance, name, said):
    with pytest.raises(TurnError) as refusal:
        run([load(f"{chance}:{name}"), "easy"], (2,))
    assert str(refusal.value).startswith(said)


def test_entrants_of_one_name_are_told_apart(chance):
    other = chance.with_name("other.py")
    other.write_text(CHANCE, encoding="utf-8")
    Steady = load(f"{chance}:Steady")
    assert list(entered([Steady, "easy", Steady()])) == ["Steady", "cautious", "Steady 2"]
    two = [f"{chance}:Steady", f"{other}:Steady"]
    assert list(entered(two)) == [f"Steady ({chance})", f"Steady ({other})"]
    with pytest.raises(TurnError, match="is named twice"):
        entered([two[0], two[0]])
    with pytest.raises(TurnError, match=r'without quotes: run\(\[Mine, "easy"\]\)'):
        entered(["Mine", "easy"])


def test_a_tournament_that_was_stopped_names_no_winner_among_some():
    tournament = plan(players=(2,), games=900)
    sums = Sums(tournament.counts, tournament.rules.months)
    for part in list(tournament.stream(workers=1))[:2]:
        sums.add(part)
    stopped = Standings(tournament, sums)
    unseen = list(stopped.ranking.query("games == 0")["strategy"])
    first = stopped.sentences[0]
    assert first.startswith("There is no winner to name: 4 of 6 combinations have no game yet.")
    assert all(f"{name} has none" in first for name in unseen)
    assert "makes the most" not in str(stopped)


def test_the_notes_say_how_to_read_the_table(alone):
    said = " ".join(alone.notes)
    assert "over tables of 2 and 3 players alike" in said
    assert "These are two aims" in said
    assert "need not add up to 100 %" in said
    assert "19 times in 20" in said
    other = plan(players=(3,), games=1000).run(workers=1)
    assert "1,008 games, where 1,000 were asked for" in " ".join(other.notes)


# -- figures -------------------------------------------------------------------------------------


def test_figures_show_the_tables(alone):
    from exdec.tournament_charts import (
        head_to_head_figure,
        prices_figure,
        ranking_figure,
    )

    ranking = alone.ranking
    (bars,) = ranking_figure(alone).figure.data
    assert list(bars.x) == ranking["profit"].tolist()
    assert list(bars.error_x.array) == (ranking["profit_high"] - ranking["profit"]).tolist()
    (cells,) = head_to_head_figure(alone).figure.data
    first = alone.head_to_head.iloc[0]
    assert cells.z[0][1] == round(first["difference"], 1) == -cells.z[1][0]
    fan = prices_figure(alone, players=2)
    middle = alone.prices.query("players == 2 and item == 'A'")["p50"].tolist()
    assert list(fan.figure.data[2].y) == [140, *middle]
    assert f"A opens at $140; in March the middle game has ${middle[-1]}" in fan.sentence
    assert ranking_figure(alone).sentence.startswith(ranking["strategy"][0])
    assert f"{ranking['strategy'][0]} is ahead of " in repr(head_to_head_figure(alone))
    for figure in (ranking_figure(alone).figure, fan.figure):
        assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
        assert len(figure.to_json()) < 20_000


def test_a_notebook_shows_figures_with_their_sentences(alone, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda part, **_: shown.append(part))
    alone.show()
    table, *charts = shown
    assert table is alone
    assert repr(alone) == str(alone)
    assert len(charts) == 4  # with the prices for two players and for three
    for chart in charts:
        shown.clear()
        chart._ipython_display_()
        figure, sentence = shown
        assert "application/vnd.plotly.v1+json" in figure
        assert figure["text/plain"] == chart.sentence
        assert escape(chart.sentence) in sentence["text/html"]


def versus(*rows):
    columns = ["strategy", "rival", "difference", "difference_low", "difference_high"]
    return pd.DataFrame([["a", *row] for row in rows], columns=columns)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [["b", 9, 5, 13], ["c", 90, 80, 100]],
            "In the games they share it beats every other; b comes nearest, $9 ± 4 a game behind.",
        ),
        (
            [["b", -9, -13, -5], ["c", 90, 80, 100]],
            "In the games they share, b makes $9 ± 4 a game more.",
        ),
        (
            [["b", 1, -13, 15], ["c", 90, 80, 100]],
            "Whether it beats b is open: more games would tell.",
        ),
        ([["b", nan, nan, nan]], "50 % of the wins in its games."),
    ],
)
def test_the_sentence_says_how_sure_the_first_place_is(rows, said):
    from exdec.tournament_charts import ranking_sentence

    columns = ["strategy", "profit", "wins"]
    ranking = pd.DataFrame([["a", 100, 0.5], ["b", 50, 0.1]], columns=columns)
    sentence = ranking_sentence(ranking, versus(*rows))
    assert sentence.startswith("a makes the most: $100 a game on average, and 50 % of the wins")
    assert sentence.endswith(said)
