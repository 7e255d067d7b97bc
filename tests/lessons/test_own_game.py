import pytest

from exdec import Game
from exdec.lessons.exercises import LessonError
from exdec.lessons.own_game import find_own_game, path_of


def test_the_recorded_game_stands_in_where_nothing_was_played(example, tmp_path):
    found = find_own_game(example, tmp_path)
    assert (found.own, found.player, found.game.players[0]) == (False, "Ann", "Ann")
    assert found.where == "In the recorded game, since you have not played yet"
    assert str(found) == (
        "In the recorded game, since you have not played yet (you as Ann, Ben and Cy)."
    )


def test_a_game_that_came_far_enough_is_the_learners_own(example, tmp_path, played):
    found = find_own_game(example, tmp_path)
    assert (found.own, found.player, found.where) == (True, "You", "In your game")
    assert found.game.steps == played.steps
    assert str(found) == "In your game (you and Ben)."


def test_a_game_that_stopped_too_early_is_not_asked(example, tmp_path, played):
    found = find_own_game(example, tmp_path, months=2)
    assert not found.own
    assert found.where == (
        "In the recorded game, since yours has not come to the end of February yet"
    )


def test_a_game_that_cannot_be_read_is_named(example, tmp_path, played):
    path_of(tmp_path, "91").write_text("no game", "utf-8")
    found = find_own_game(example, tmp_path)
    assert not found.own
    assert "since yours cannot be read (lesson_91.jsonl, line 1: this is not JSON" in found.where


def test_in_a_game_of_several_people_each_can_ask_for_the_own_seat(example, tmp_path):
    game = Game(["Ida", "Jo", "Ben"], months=1)
    game.open_bids()
    game.open_bids()
    path_of(tmp_path, "91").parent.mkdir()
    game.save(path_of(tmp_path, "91"), bots={"Ben": "cautious"})
    assert find_own_game(example, tmp_path).player == "Ida"
    assert find_own_game(example, tmp_path, player="Jo").player == "Jo"
    assert not find_own_game(example, tmp_path, player="Kim").own


def test_a_lesson_whose_recorded_game_is_broken_says_so(example, tmp_path):
    broken = tmp_path / "recorded.jsonl"
    broken.write_text("{}", "utf-8")
    lesson = type(example)(
        **{name: getattr(example, name) for name in example.__slots__} | {"recorded": broken}
    )
    with pytest.raises(LessonError, match="The recorded game of lesson 91"):
        find_own_game(lesson, tmp_path)
