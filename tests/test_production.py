"""Production against a search that lays certificates on places one by one."""

from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from exdec.errors import BidError
from exdec.items import Goods, Materials
from exdec.production import deliver, makeable
from exdec.rules import STANDARD, Substitution

PLACES = {"A": "XXF", "B": "XFS", "C": "FSS"}
BOTH = (Substitution.X_FOR_F, Substitution.F_FOR_S)
SOME_OFF = [(), (Substitution.X_FOR_F,), (Substitution.F_FOR_S,)]


@lru_cache
def rules_with(substitutions):
    return STANDARD.vary(substitutions=substitutions)


def fill(ways, place, substitutions):
    """Lay one more certificate; a way is what is left (X, F, S), and X for F, and F for S."""
    filled = set()
    for x, f, s, x_for_f, f_for_s in ways:
        if place == "X" and x:
            filled.add((x - 1, f, s, x_for_f, f_for_s))
        if place == "F" and f:
            filled.add((x, f - 1, s, x_for_f, f_for_s))
        if place == "F" and x and Substitution.X_FOR_F in substitutions:
            filled.add((x - 1, f, s, x_for_f + 1, f_for_s))
        if place == "S" and s:
            filled.add((x, f, s - 1, x_for_f, f_for_s))
        if place == "S" and f and Substitution.F_FOR_S in substitutions:
            filled.add((x, f - 1, s, x_for_f, f_for_s + 1))
    return filled


def ways_of_all_mixes(held, substitutions):
    """Every way to make every mix that can be made of `held`, found place by place."""

    def one_more(ways, good):
        for place in PLACES[good]:
            ways = fill(ways, place, substitutions)
        return ways

    found = {}
    of_a = {(*held, 0, 0)}
    a = 0
    while of_a:
        of_b, b = of_a, 0
        while of_b:
            of_c, c = of_b, 0
            while of_c:
                found[a, b, c] = of_c
                of_c, c = one_more(of_c, "C"), c + 1
            of_b, b = one_more(of_b, "B"), b + 1
        of_a, a = one_more(of_a, "A"), a + 1
    return found


def agree(most_of_a_grade, substitutions):
    rules = rules_with(substitutions)
    for held in product(range(most_of_a_grade + 1), repeat=3):
        ways = ways_of_all_mixes(held, substitutions)
        stock = makeable(Materials(*held), rules=rules)
        assert [tuple(mix) for mix in stock.mixes()] == sorted(ways), held
        assert stock.most == tuple(max(mix[good] for mix in ways) for good in range(3)), held
        for mix, left in ways.items():
            fewest = min(x_for_f + f_for_s for *_, x_for_f, f_for_s in left)
            best = [way for way in left if way[3] + way[4] == fewest]
            x, f, s, x_for_f, f_for_s = best[0]
            used = (held[0] - x, held[1] - f, held[2] - s)
            assert len(best) == 1, (held, mix)
            assert stock.deliver(*mix) == (used, x_for_f, f_for_s), (held, mix)
        # One unit more than the most of any good, beside any other mix, is too much.
        for a, b, c in product(*(range(n + 2) for n in stock.most)):
            assert stock.can_make(a, b, c) == ((a, b, c) in ways), (held, (a, b, c))


def test_every_small_stock_agrees_with_the_search():
    agree(8, BOTH)


@pytest.mark.parametrize("substitutions", SOME_OFF)
def test_every_small_stock_agrees_when_substitutions_are_off(substitutions):
    agree(4, substitutions)


def test_search_itself_finds_what_the_rulebook_says():
    # Two FINE and one STANDARD make a C in one way only; three FINE as well.
    assert ways_of_all_mixes((0, 2, 1), BOTH)[0, 0, 1] == {(0, 0, 0, 0, 1)}
    assert ways_of_all_mixes((0, 3, 0), BOTH)[0, 0, 1] == {(0, 0, 0, 0, 2)}
    assert (0, 0, 1) not in ways_of_all_mixes((9, 0, 1), BOTH)


def test_most_of_a_good_beside_others():
    stock = makeable(X=5, F=4, S=3)
    assert stock.most == (2, 4, 3)
    assert stock.most_of("A", beside=Goods(A=0, B=1, C=1)) == 2
    assert stock.most_of("C", beside=Goods(A=2, B=1, C=0)) == 1
    assert stock.most_of("C", beside=Goods(A=2, B=1, C=1)) == 0


def test_nothing_is_made_of_nothing():
    assert list(makeable().mixes()) == [(0, 0, 0)]
    assert makeable().most == (0, 0, 0)


def test_stock_may_be_given_as_materials_or_by_grade():
    assert makeable(Materials(X=1, F=2, S=3)) == makeable(X=1, F=2, S=3)


def test_another_production_chart_is_followed():
    rules = STANDARD.vary(production={"A": {"X": 0, "F": 0, "S": 4}})
    assert deliver(rules, Materials(1, 3, 2), Goods(1, 0, 0)) == (Materials(0, 2, 2), 0, 2)
    # X-FINE reaches no STANDARD place, not even by way of a FINE that is not there.
    assert deliver(rules, Materials(9, 1, 2), Goods(1, 0, 0)) is None


def test_numpy_whole_numbers_count_as_whole():
    stock = makeable(X=np.int64(2), F=np.uint8(1))
    assert stock.materials == (2, 1, 0)
    assert {type(n) for n in stock.materials} == {int}
    assert stock.can_make(A=np.int64(1))


@pytest.mark.parametrize(
    "units", [-1, True, 1.0, "1", None, float("nan"), -(10**5000)], ids=lambda _: ""
)
def test_stock_of_senseless_units_is_refused(units):
    with pytest.raises(BidError, match="A stock has whole units of F, 0 or more, not") as refused:
        makeable(F=units)
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize("units", [-1, True, 0.5, "1", None])
def test_mix_of_senseless_units_is_refused(units):
    stock = makeable(X=2, F=2, S=2)
    for ask in (stock.deliver, stock.can_make):
        with pytest.raises(BidError, match="A mix has whole units of B, 0 or more, not"):
            ask(B=units)


def test_a_stock_given_twice_and_an_unknown_good_are_refused():
    with pytest.raises(BidError, match="not both"):
        makeable(Materials(1, 2, 3), X=9)
    with pytest.raises(BidError, match="no good 'D'"):
        makeable(X=1).most_of("D")
