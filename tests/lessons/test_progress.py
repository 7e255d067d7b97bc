import json
import multiprocessing
import os
import re
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exdec.lessons.progress import (
    NAME,
    Attempt,
    Forecast,
    Progress,
    ProgressError,
    ProgressFile,
    Written,
    parse,
)

ids = st.sampled_from(["01-1", "01-2", "02-a"])
words = st.text(max_size=3)
HERE, THERE = (("X", 45),), (("X", 38),)
happenings = st.sampled_from([(), HERE, THERE])
deeds = st.one_of(
    st.tuples(st.just("attempted"), ids, words, st.sampled_from(["right", "wrong", "sunk cost"])),
    st.tuples(st.just("hinted"), ids, st.integers(1, 2)),
    st.tuples(st.just("explained"), ids, words),
    st.tuples(
        st.just("predicted"), ids, st.dictionaries(st.just("X"), st.integers(0, 3)), happenings
    ),
    st.tuples(st.just("revealed"), ids, happenings),
    st.tuples(st.just("named"), words),
    st.tuples(st.just("played"), st.just("01"), st.integers(1, 12), st.integers(-9, 9)),
)


def done(all_of_them) -> Progress:
    progress = Progress()
    for deed, *arguments in all_of_them:
        try:
            progress = getattr(progress, deed)(*arguments)
        except ProgressError:
            assert deed == "predicted"
    return progress


progresses = st.lists(deeds, max_size=12).map(done)


@given(progresses, progresses, progresses)
def test_merging_does_not_depend_on_order_or_how_often(a, b, c):
    assert a.merged(b) == b.merged(a)
    assert a.merged(a) == a.merged(Progress())
    assert a.merged(b).merged(b) == a.merged(b)
    assert a.merged(b.merged(c)) == a.merged(b).merged(c)


@given(progresses, progresses)
def test_merging_loses_nothing(a, b):
    both = a.merged(b)
    for one in (a, b):
        for name in one.attempts:
            tried = {attempt[1:] for attempt in both.attempts[name]}
            assert tried >= {attempt[1:] for attempt in one.attempts[name]}
            assert both.solved(name) >= one.solved(name)
        for name, hints in one.hints.items():
            assert both.hints[name] >= hints
        for name, texts in one.explanations.items():
            assert {text.text for text in both.explanations[name]} >= {t.text for t in texts}
        for name, sealed in one.predictions.items():
            there = {forecast[1:] for forecast in both.predictions[name]}
            assert there >= {forecast[1:] for forecast in sealed}
        assert {name.text for name in both.names} >= {name.text for name in one.names}
        assert both.games.keys() >= one.games.keys()


@given(progresses)
def test_what_is_written_is_read_again(progress):
    assert parse(progress.dumps()) == progress.merged(Progress())


def test_the_same_answer_twice_is_one_attempt():
    once = Progress().attempted("01-1", "5", "wrong")
    assert once.attempted("01-1", "5", "wrong") is once
    twice = once.attempted("01-1", "7", "right")
    assert twice.attempts["01-1"] == (Attempt(1, "5", "wrong"), Attempt(2, "7", "right"))
    assert twice.solved("01-1")
    assert not once.solved("01-1")


def test_the_last_explanation_counts_and_the_first_is_kept():
    progress = Progress().explained("01-e", "a").explained("01-e", "b").explained("01-e", "a")
    assert progress.explanation("01-e") == "a"
    assert progress.explanations["01-e"] == (Written(2, "b"), Written(3, "a"))


def test_a_prediction_can_be_changed_until_it_is_revealed():
    progress = Progress().predicted("01-a", {"X": 40}, HERE).predicted("01-a", {"X": 42}, HERE)
    assert progress.forecast("01-a", HERE) == Forecast(2, (("X", 42),), False)
    revealed = progress.revealed("01-a", HERE)
    with pytest.raises(ProgressError, match="It stays as it was sealed"):
        revealed.predicted("01-a", {"X": 44}, HERE)
    assert revealed.predicted("01-a", {"X": 42}, HERE) is revealed
    elsewhere = Progress().predicted("01-a", {"X": 1}, HERE).predicted("01-a", {"X": 99}, HERE)
    elsewhere = elsewhere.predicted("01-a", {"X": 50}, HERE)
    assert elsewhere.merged(revealed).forecast("01-a", HERE).values == (("X", 42),)


def test_a_prediction_belongs_to_the_game_that_it_was_compared_with():
    sealed = Progress().predicted("01-a", {"X": 42}, HERE)
    revealed = sealed.revealed("01-a", HERE)
    # Another notebook may still have it as it was before.
    for first in (revealed, sealed.merged(revealed)):
        assert first.forecast("01-a", THERE) is None
        again = first.predicted("01-a", {"X": 42}, THERE)
        assert again.forecast("01-a", THERE) == Forecast(2, (("X", 42),), False)
        both = again.revealed("01-a", THERE)
        assert both.forecast("01-a", THERE).n == 2
        assert both.forecast("01-a", HERE).n == 1


def test_a_file_that_does_not_tell_what_happened_holds_its_predictions():
    """As those before this was noted."""
    told = Progress().predicted("01-a", {"X": 42}, ()).revealed("01-a", ())
    assert "happened" not in told.dumps()
    assert parse(told.dumps()).forecast("01-a", HERE).revealed


def test_revealing_without_a_prediction_changes_nothing():
    assert Progress().revealed("01-a", HERE) == Progress()


# -- on the disk ---------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path) -> ProgressFile:
    return ProgressFile(tmp_path / NAME)


def test_what_is_done_is_on_the_disk_at_once(file):
    file.update(lambda progress: progress.attempted("01-1", "5", "right"))
    assert ProgressFile(file.path).read().solved("01-1")
    assert os.listdir(file.path.parent) in (
        [NAME, f".{NAME}.lock"],
        [f".{NAME}.lock", NAME],
        [NAME],
    )
    table = json.loads(file.path.read_text("utf-8"))
    assert (table["format"], table["version"]) == ("exdec-progress", 1)


def test_nothing_is_written_where_nothing_was_done(file):
    assert file.read() == Progress()
    assert not file.path.exists()


def test_where_files_cannot_be_locked_they_are_written_all_the_same(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", ModuleType("fcntl"))  # as a page has it
    file.update(lambda progress: progress.hinted("02-3", 1))
    assert parse(file.path.read_bytes()).hints == {"02-3": 1}


def test_two_notebooks_do_not_lose_each_others(file):
    other = ProgressFile(file.path)
    other.read()
    file.update(lambda progress: progress.attempted("01-1", "5", "right"))
    other.update(lambda progress: progress.attempted("01-2", "6", "right"))
    file.update(lambda progress: progress.hinted("01-1", 1))
    assert file.read() == other.read() == ProgressFile(file.path).read()
    assert set(file.progress.attempts) == {"01-1", "01-2"}


def work(path, name):
    file = ProgressFile(path)
    for answer in range(15):
        file.update(lambda progress, a=answer: progress.attempted(name, str(a), "wrong"))


def test_two_kernels_at_the_same_instant_lose_nothing(file):
    start = multiprocessing.get_context("spawn")
    kernels = [start.Process(target=work, args=(file.path, f"01-{k}")) for k in (1, 2)]
    for kernel in kernels:
        kernel.start()
    for kernel in kernels:
        kernel.join()
    attempts = file.read().attempts
    assert [len(attempts[name]) for name in ("01-1", "01-2")] == [15, 15]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": "exdec-progress", "version": 2}', "version 2 is newer than this exdec."),
        ('{"format": "exdec-progress", "version": 1', "line 1 is not JSON"),
        ('{"format": "exdec-game", "version": 1}', "it is no progress file of exdec."),
        ("[]", "it is no progress file of exdec."),
        ('{"format": "exdec-progress", "version": true}', '"version" is True'),
        ('{"format": "exdec-progress", "version": 1, "marks": 6}', "'marks', which is not known"),
        ('{"format": "exdec-progress", "version": 1, "exercises": []}', '"exercises" is []'),
        ("[" * 100_000, "its brackets stand too deep"),
        ("\ud800", "is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_kept_aside(file, text, said):
    file.path.write_bytes(text.encode("utf-8", "replace"))
    before = file.path.read_bytes()
    assert file.read() == Progress()
    assert said in file.notice
    assert file.path.read_bytes() == before
    file.update(lambda progress: progress.hinted("01-1", 1))
    assert "It is kept as progress-kept-1.json; a new one is begun." in file.notice
    assert (file.path.parent / "progress-kept-1.json").read_bytes() == before
    assert ProgressFile(file.path).read().hints == {"01-1": 1}
    file.update(lambda progress: progress.hinted("01-1", 2))
    assert file.notice == ""


def test_what_a_newer_exdec_noted_comes_back_when_this_one_is_up_to_date(file, monkeypatch):
    module = sys.modules[ProgressFile.__module__]
    monkeypatch.setattr(module, "VERSION", 2)
    ProgressFile(file.path).update(lambda progress: progress.hinted("01-1", 2))
    monkeypatch.undo()
    file.update(lambda progress: progress.hinted("01-2", 1))
    assert "Update exdec: pip install --upgrade exdec. It is kept as" in file.notice
    assert ProgressFile(file.path).read().hints == {"01-2": 1}
    monkeypatch.setattr(module, "VERSION", 2)
    assert ProgressFile(file.path).read().hints == {"01-1": 2, "01-2": 1}


EMPTY = {"format": "exdec-progress", "version": 1}


@pytest.mark.parametrize(
    "part",
    [
        {"names": [{"n": 1}]},
        {"names": [{"n": "1", "text": "Ann"}]},
        {"names": ["Ann"]},
        {"exercises": {"01-1": {"attempts": [{"n": 1, "answer": 5, "verdict": "right"}]}}},
        {"exercises": {"01-1": {"hints": 1.5}}},
        {"exercises": {"01-1": []}},
        {"explanations": {"01-e": {}}},
        {"predictions": {"01-a": [{"n": 1, "values": {"X": "40"}, "revealed": False}]}},
        {"predictions": {"01-a": [{"n": 1, "values": {"X": 40}, "revealed": 1}]}},
        {"predictions": {"01-a": [{"n": 1, "values": [], "revealed": True}]}},
        {"games": {"01": {"months": 1}}},
    ],
)
def test_a_part_that_is_not_what_it_should_be_is_named(part):
    with pytest.raises(ProgressError, match=re.escape("mine.json cannot be read: ")):
        parse(json.dumps({**EMPTY, **part}), "mine.json")


def test_a_folder_that_cannot_be_written_to_costs_no_feedback(tmp_path):
    (tmp_path / "file").write_text("")
    file = ProgressFile(tmp_path / "file" / NAME)
    progress = file.update(lambda progress: progress.attempted("01-1", "5", "right"))
    assert progress.solved("01-1")
    assert "Your progress could not be saved" in file.notice


def test_a_file_that_cannot_be_set_aside_is_not_overwritten(file, monkeypatch):
    file.path.write_text("mine")

    def refuse(self, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(file.path), "rename", refuse)
    file.update(lambda progress: progress.hinted("01-1", 1))
    assert file.path.read_text() == "mine"
    assert "could not be saved" in file.notice
    assert file.progress.hints == {"01-1": 1}
