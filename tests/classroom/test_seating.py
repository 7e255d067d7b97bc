import pytest
from hypothesis import given
from hypothesis import strategies as st

from exdec.classroom.seating import Rest, seat


def shape(pupils: int, size: int, rest: Rest) -> list[list[int]]:
    """How many pupils sit at each place of each table."""
    return [[len(place) for place in table] for table in seat(range(pupils), size, rest)]


@pytest.mark.parametrize(
    ("pupils", "size", "rest", "right"),
    [
        (0, 4, Rest.BOTS, []),
        (1, 4, Rest.BOTS, [[1, 0, 0, 0]]),
        (1, 4, Rest.SHARE, [[1, 0]]),
        (1, 4, Rest.SMALLER, [[1, 0]]),
        (8, 4, Rest.BOTS, [[1, 1, 1, 1], [1, 1, 1, 1]]),
        (9, 4, Rest.BOTS, [[1, 1, 1, 0]] * 3),
        (9, 4, Rest.SMALLER, [[1, 1, 1]] * 3),
        (9, 4, Rest.SHARE, [[2, 1, 1, 1], [1, 1, 1, 1]]),
        (11, 4, Rest.SHARE, [[2, 2, 1, 1], [2, 1, 1, 1]]),
        (7, 4, Rest.SHARE, [[2, 2, 2, 1]]),
        (3, 2, Rest.BOTS, [[1, 1], [1, 0]]),
        (3, 2, Rest.SMALLER, [[1, 1], [1, 0]]),
        (3, 2, Rest.SHARE, [[2, 1]]),
        (7, 6, Rest.BOTS, [[1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0]]),
        (7, 6, Rest.SMALLER, [[1, 1, 1, 1], [1, 1, 1]]),
        (5, 6, Rest.SHARE, [[1, 1, 1, 1, 1]]),
        (11, 6, Rest.SHARE, [[2, 2, 2, 2, 2, 1]]),
    ],
)
def test_seats_counted_by_hand(pupils, size, rest, right):
    assert shape(pupils, size, rest) == right


@given(st.integers(0, 320), st.integers(2, 6), st.sampled_from(Rest))
def test_everyone_is_seated_once_at_tables_that_can_play(pupils, size, rest):
    tables = seat(range(pupils), size, rest)
    assert sorted(one for table in tables for place in table for one in place) == [*range(pupils)]
    for table in tables:
        assert 2 <= len(table) <= size
        assert any(table)
        assert rest is not Rest.BOTS or len(table) == size


@given(st.integers(1, 320), st.integers(2, 6), st.sampled_from(Rest))
def test_people_are_spread_as_evenly_as_can_be(pupils, size, rest):
    places = shape(pupils, size, rest)
    people = [sum(table) for table in places]
    assert max(people) - min(people) <= 1
    assert max(map(max, places)) <= (2 if rest is Rest.SHARE else 1)
    if rest is Rest.SHARE and pupils > 1:
        assert min(map(min, places)) == 1


@given(st.integers(1, 40), st.integers(2, 6), st.sampled_from(Rest))
def test_a_bots_place_is_never_before_a_pupils(pupils, size, rest):
    for table in shape(pupils, size, rest):
        assert table == sorted(table, reverse=True)
