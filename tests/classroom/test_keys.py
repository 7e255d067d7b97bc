import pytest
from hypothesis import given
from hypothesis import strategies as st

from exdec.classroom.keys import (
    ALPHABET,
    CODE_LENGTH,
    WRONG_CODES,
    WRONG_CODES_OF_ONE,
    Bucket,
    fingerprint,
    new_code,
    new_secret,
    pupil_key,
    read_code,
    same,
)


def test_a_code_has_no_signs_that_look_alike_and_no_two_are_the_same():
    codes = {new_code() for _ in range(300)}
    assert len(codes) == 300
    assert not set("".join(codes)) & set("01ILO")
    assert {len(code) for code in codes} == {CODE_LENGTH}


def test_years_of_guessing_on_one_phone_find_no_code():
    _, rate = WRONG_CODES_OF_ONE
    half_of_all = len(ALPHABET) ** CODE_LENGTH / 2
    assert half_of_all / rate > 5 * 365 * 24 * 3600


def test_a_school_day_of_guessing_on_many_phones_hardly_finds_a_code():
    burst, rate = WRONG_CODES
    assert (burst + 8 * 3600 * rate) / len(ALPHABET) ** CODE_LENGTH < 1 / 300


@given(st.sampled_from(["K7Q2M4", "234567"]), st.lists(st.sampled_from(" -\t\n "), max_size=6))
def test_a_code_is_read_however_it_is_spaced(code, between):
    typed = "".join(a + b for a, b in zip(code.lower(), [*between, *[""] * 6], strict=False))
    assert read_code(typed) == code


def test_a_key_is_the_pupils_own_in_its_own_class_and_generation():
    secrets = [new_secret() for _ in range(3)]
    keys = {pupil_key(s, pupil, g) for s in secrets for pupil in range(1, 30) for g in range(3)}
    assert len(keys) == 3 * 29 * 3
    for key in keys:
        _, _, mac = key.partition(".")
        assert len(mac) == 22  # 128 bits in base64
    # "1" and generation 10 are not "11" and generation 0.
    assert len({pupil_key("s", 1, 10).split(".")[1], pupil_key("s", 11, 0).split(".")[1]}) == 2


def test_secrets_are_compared_whatever_they_hold():
    assert same("é", "é")
    assert not same("é", "e")
    assert fingerprint("a") != fingerprint("b")


def test_a_bucket_lets_through_its_burst_and_then_its_rate():
    bucket = Bucket(burst=3, rate=0.5)
    assert [bucket.take(10) for _ in range(5)] == [True, True, True, False, False]
    assert not bucket.take(11.9)
    assert bucket.take(12)
    assert not bucket.take(12)
    assert bucket.left(1e9) == 3


def test_a_clock_that_goes_back_gives_nothing_and_breaks_nothing():
    bucket = Bucket(burst=1, rate=1)
    assert bucket.take(100)
    assert not bucket.take(50)
    assert not bucket.take(50.5)
    assert bucket.take(51)


@given(st.lists(st.floats(0, 100), min_size=1), st.integers(1, 5))
def test_a_bucket_never_lets_through_more_than_it_may(times, burst):
    bucket = Bucket(burst, rate=2)
    times = sorted(times)
    taken = sum(bucket.take(now) for now in times)
    assert taken <= burst + 2 * (times[-1] - times[0]) + 1e-6


@pytest.mark.parametrize("text", ["", "é", "\ud800"])
def test_what_a_phone_sends_has_a_fingerprint(text):
    assert len(fingerprint(text)) == 64
