import json
import re
import shutil

import pytest
from ipywidgets import HTML, IntSlider

from exdec import Game
from exdec.errors import ExdecError
from exdec.lessons import answered, ask, check, hint, lesson, own_game
from exdec.lessons.ask import Ask
from exdec.lessons.desk import profit_so_far
from exdec.lessons.exercises import LessonError
from exdec.lessons.own_game import path_of
from exdec.lessons.progress import NAME, ProgressFile
from exdec.notebook.live import PLOTLY
from exdec.notebook.stage import widgets_of


@pytest.fixture(autouse=True)
def opened(here):
    return lesson("91", here=here, sources=here / "sources")


def press(view) -> None:
    """Click the view's button, and let the page echo as JupyterLab does."""
    view.press.button.click()
    view.press.echo.value = view.press.ask.value


def kept(here):
    return ProgressFile(here / NAME).read()


def sent(view) -> str:
    """Everything that the page knows of a view."""
    states = "\n".join(repr(widget.get_state()) for widget in widgets_of(view.widget))
    # The names of other widgets are random, and may hold any three digits.
    return re.sub("IPY_MODEL_[0-9a-f]+", "", states)


def test_a_wrong_answer_gets_its_sentence_and_a_right_one_solves_it(here, opened):
    view = ask("91-1")
    view.given.widget.value = "358"
    press(view)
    assert "Not yet." in view.message.value
    assert "That pays for every bid." in view.message.value
    assert "In the recorded game, since you have not played yet." in view.message.value
    assert "0 of 6 exercises solved" in opened.state.value
    view.given.widget.value = "$278"
    press(view)
    assert "<strong>Right.</strong> $278 left your cash" in view.message.value
    assert "✓ solved</b> in 2 attempts" in view.head.value
    assert "1 of 6 exercises solved" in opened.state.value
    tried = kept(here).attempts["91-1"]
    assert [(one.answer, one.verdict) for one in tried] == [
        ("358", "failed bids are paid"),
        ("278", "right"),
    ]


@pytest.mark.parametrize(
    ("name", "answers"),
    [("91-1", ["278"]), ("91-1", ["358"]), ("91-1", ["278", "358"]), ("91-2", ["a"])],
)
def test_a_cell_that_is_run_again_says_what_it_said(name, answers):
    view = ask(name)
    for answer in answers:
        view.given.put(answer)
        press(view)
    again = ask(name)
    assert again.message.value == view.message.value.replace(' role="alert"', "")
    assert again.verdict.label == view.verdict.label


def test_a_cell_that_is_run_again_says_nothing_of_another_game(here, played):
    view = ask("91-1")
    view.given.widget.value = "278"
    press(view)
    shutil.copytree(path_of(here.parent, "91").parent, here / "games")
    assert ask("91-1").message.value == ""


def test_who_has_not_played_is_told_how_to_be_asked_about_their_own_game(here, played):
    assert "When you have played, run this cell again" in ask("91-1").head.value
    shutil.copytree(path_of(here.parent, "91").parent, here / "games")
    assert "run this cell again" not in ask("91-1").head.value


def test_what_is_no_answer_is_said_and_not_counted(here):
    view = ask("91-1")
    for typed, said in (("", "Nothing is written down yet."), ("ten", "not a number in digits")):
        view.given.widget.value = typed
        press(view)
        assert said in view.message.value
    assert not (here / NAME).exists()
    assert view.solution.value == ""


@pytest.mark.parametrize("name", ["91-1", "91-2", "91-3", "91-4", "91-5", "91-6"])
def test_the_page_knows_no_answer_and_no_solution_before_an_attempt(name, here):
    view = ask(name)
    state = sent(view)
    exercise = view.exercise
    assert not re.search(r"\b278\b", state)
    for secret in ("general.", "misconception", exercise.hints[0], exercise.hints[1]):
        assert secret not in state
    assert exercise.right not in state
    assert "<details>" not in state
    for one in exercise.misconceptions:
        assert one.says not in state
    view.check({"91-2": "a", "91-3": "b", "91-4": "a b c", "91-5": [1, 2, 3]}.get(name, 1))
    assert view.solution.value.startswith("<details><summary>Solution")


@pytest.mark.parametrize(
    ("typed", "said", "attempts"),
    [
        ("$5 units", "names two units", 0),
        ("5 units", "That is in units. The question asks for dollars.", 1),
        ("5000", "out of range", 1),
    ],
)
def test_what_could_not_be_the_answer_opens_no_solution(typed, said, attempts):
    view = ask("91-1")
    view.given.widget.value = typed
    press(view)
    assert said in view.message.value
    assert len(view._desk.progress.attempts.get("91-1", ())) == attempts
    assert view.solution.value == ""
    assert "<details>" not in check("91-1", typed)._repr_html_()


def test_what_is_tried_after_solving_is_no_further_attempt(here):
    view = ask("91-1")
    for answer in ("358", "278", "300", "358"):
        view.given.widget.value = answer
        press(view)
    assert "✓ solved</b> in 2 attempts" in view.head.value
    assert "Solved before; this one is not right." in view.message.value
    assert "exdec-wrong" not in view.message.value
    assert kept(here).tries("91-1") == 2
    assert repr(check("91-1", 300)).startswith("Solved before; this one is not right.")


def test_hints_come_one_at_a_time_and_stay(here):
    view = ask("91-1")
    assert view.hints.value == ""
    view.hint_button.click()
    assert "Which of your bids succeeded?" in view.hints.value
    assert "Units times your own bid" not in view.hints.value
    view.hint_button.click()
    assert "Units times your own bid" in view.hints.value
    assert view.hint_button.disabled
    assert kept(here).hints == {"91-1": 2}
    assert ask("91-1").hints.value == view.hints.value


def test_after_a_restart_the_last_answer_and_the_state_are_there_again(here):
    answers = {"91-1": 300, "91-2": "a", "91-3": ["a", "b"], "91-4": "b c a", "91-5": [9, 5, 2]}
    for name, answer in answers.items():
        ask(name).check(answer)
    again = {name: ask(name) for name in answers}
    assert [view.given.value for view in again.values()] == [
        "300",
        "a",
        ["a", "b"],
        ["b", "c", "a"],
        [9, 5, 2],
    ]
    assert all("1 attempt" in view.head.value for view in again.values())
    assert all(view.solution.value for view in again.values())


def test_boxes_and_places_are_read_as_letters(here):
    view = ask("91-3")
    view.given.boxes["a"].value = view.given.boxes["d"].value = True
    press(view)
    assert view.verdict.right
    view = ask("91-4")
    press(view)
    assert "Nothing is put in order yet." in view.message.value
    for letter, place in (("a", 2), ("b", 2), ("c", 1)):
        view.given.places[letter].value = place
    press(view)
    assert "Two have place 2." in view.message.value
    view.given.places["b"].value = 3
    press(view)
    assert view.verdict.right


def test_a_sketch_says_how_high_a_point_can_be():
    labels = [height.description for height in ask("91-5").given.heights]
    assert all(re.search(r", in dollars \(\d+ to \d+\)$", label) for label in labels)


def test_a_curve_is_drawn_while_the_sliders_move(here):
    view = ask("91-5")
    press(view)
    assert "No slider is moved yet." in view.message.value
    for field, height in zip(view.given.heights, (56, 46, 36), strict=True):
        field.value = height
    (output,) = view.given._live.widget.outputs
    curves = {trace["name"]: list(trace["y"]) for trace in output["data"][PLOTLY]["data"]}
    assert curves == {"yours": [56, 46, 36], "before": [52, 42, 32]}
    for trace in output["data"][PLOTLY]["data"]:
        assert trace["marker"]["color"] == trace["line"]["color"]
    assert output["data"]["text/plain"] == "Your curve: $56, $46, $36. Before: $52, $42, $32."
    assert output["data"]["text/plain"] in view.given._sentence.value
    press(view)
    assert view.verdict.right


def test_a_height_beyond_its_ends_is_set_to_them_and_said():
    given = ask("91-5").given
    height, slider = given.heights[0], given._sliders[0]
    height.value = 990
    assert height.value == slider.value == slider.max
    assert f"990 is above {slider.max}, the most that can be drawn here." in given._limit.value
    slider.value = 50
    assert (height.value, given._limit.value) == (50, "")
    height.value = -3
    assert height.value == slider.value == slider.min
    assert f"-3 is below {slider.min}, the least" in given._limit.value


def test_every_input_has_a_label(here):
    for name in ("91-1", "91-2", "91-3", "91-4", "91-5"):
        for widget in widgets_of(ask(name).given.widget):
            # The sliders of a curve are for the pointer; the number beside each has the label.
            if hasattr(widget, "value") and not isinstance(widget, HTML | IntSlider):
                assert widget.description, widget


def test_a_cell_can_check_a_value_and_show_the_solution_after_it(here):
    dots = check("91-6", ...)
    assert repr(dots).startswith("Three dots stand for your answer.")
    assert "<details>" not in dots._repr_html_()
    wrong = check("91-6", 17)
    assert repr(wrong).startswith("Not yet. That is the Market Price. What did you pay?")
    assert "<details><summary>Solution" in wrong._repr_html_()
    assert repr(check("91-6", 23.0)).startswith("Right. $23 each")
    assert len(kept(here).attempts["91-6"]) == 2


def test_running_a_cell_twice_changes_nothing(here):
    for _ in range(2):
        check("91-6", 17)
        hint("91-6")
        ask("91-6")
    progress = kept(here)
    assert len(progress.attempts["91-6"]) == 1
    assert progress.hints == {"91-6": 1}


def test_the_second_hint_is_given_after_the_first_one(here):
    assert repr(hint("91-6", 2)) == 'Read the first hint first: hint("91-6").'
    assert repr(hint("91-6")) == "Hint 1. Paid, divided by bought."
    assert repr(hint("91-6", 2)) == "Hint 2. Failed lines belong to neither."
    with pytest.raises(LessonError, match="there is no hint 3"):
        hint("91-6", 3)


def test_a_solution_that_is_wrong_does_not_go_unnoticed(here):
    assert ask("91-2", answer="b").verdict.right
    with pytest.raises(
        LessonError, match=r"The answer given to 91-2 is not right\. A curve shifts"
    ):
        ask("91-2", answer="a")


@pytest.mark.parametrize("name", ["91-9", "92-1", "", "91-a"])
def test_what_is_not_there_is_named_with_what_is(name):
    with pytest.raises(ExdecError, match=r"There is no .* There are: "):
        ask(name)


def test_an_exercise_is_about_the_own_game_once_that_is_played(here):
    view = ask("91-1")
    game = Game(["You", "Ben"], months=1)
    game.order("You", F=(10, 31), X=(2, 30))
    game.order("Ben", X=(9, 45))
    game.open_bids()
    path_of(here, "91").parent.mkdir()
    game.save(path_of(here, "91"), bots={"Ben": "cautious"})
    view.given.widget.value = "310"
    press(view)
    assert "You have played on since this was asked" in view.message.value
    assert "in your game?" in view.head.value
    view.given.widget.value = "310"
    press(view)
    assert "<small>In your game.</small>" in view.message.value
    assert view.verdict.right
    assert kept(here).games["91"] == (1, profit_so_far(game, "You"))
    assert own_game("91").own


def test_what_was_solved_in_another_game_is_said_to_be(here, played):
    view = ask("91-1")
    view.given.widget.value = "278"
    press(view)
    shutil.copytree(path_of(here.parent, "91").parent, here / "games")
    again = ask("91-1")
    assert "✓ solved</b> in 1 attempt, for the game as it was then;" in again.head.value
    again.given.widget.value = "310"
    press(again)
    assert again.verdict.right
    assert "✓ solved</b> in 1 attempt</p>" in again.head.value
    assert "as it was then" not in ask("91-1").head.value


def test_a_month_played_since_that_changes_no_answer_costs_nothing(here):
    game = Game(["You", "Ben"], months=2)
    path_of(here, "91").parent.mkdir()

    def play() -> None:
        game.order("You", F=(10, 31))
        game.open_bids()
        game.open_bids()
        game.save(path_of(here, "91"), bots={"Ben": "cautious"})

    play()
    view = ask("91-1")
    play()
    view.given.widget.value = "310"
    press(view)
    assert view.verdict.right
    assert "You have played on" not in view.message.value


def test_what_the_own_game_cannot_tell_is_asked_of_the_recorded_one(here, played):
    shutil.copytree(path_of(here.parent, "91").parent, here / "games", dirs_exist_ok=True)
    said = repr(check("91-6", 23))
    assert "In the recorded game, since you hold no STANDARD in January." in said
    assert said.startswith("Right.")


def test_a_progress_file_that_is_too_new_is_said_and_kept(here):
    (here / NAME).write_text(json.dumps({"format": "exdec-progress", "version": 9}))
    head = lesson("91", here=here, sources=here / "sources")
    assert "version 9 is newer than this exdec" in head.state.value
    view = ask("91-2")
    view.check("b")
    assert "It is kept as progress-kept-1.json" in view.message.value
    assert "Right." in view.message.value


def test_a_notebook_of_another_exdec_is_named_where_its_lesson_opens(here):
    put = {"91_test.ipynb": {"exdec": "99.0", "hash": ""}}
    (here / ".exdec-kit.json").write_text(
        json.dumps({"format": "exdec-kit", "version": 1, "files": put})
    )
    said = lesson("91", here=here, sources=here / "sources").state.value
    assert "This notebook is of exdec 99.0, and you have exdec " in said
    assert said.count('role="alert"') == 1


def test_an_error_that_nobody_foresaw_is_shown_and_not_lost(here, monkeypatch):
    view = ask("91-1")

    def broken(self, given):
        raise RuntimeError("<no disk>")

    monkeypatch.setattr(Ask, "check", broken)
    press(view)
    assert "RuntimeError: &lt;no disk&gt;" in view.message.value


def test_what_gives_answers_away_is_kept_back_until_they_are_tried(capsys):
    assert not answered("91-1", "91-2")
    assert "This shows what 91-1 and 91-2 ask. Answer first" in capsys.readouterr().out
    ask("91-1").check("no number")
    assert not answered("91-1")
    ask("91-1").check(1)
    assert answered("91-1")
    assert not answered("91-1", "91-2")
    assert "This shows what 91-2 asks." in capsys.readouterr().out
    with pytest.raises(LessonError, match="91-9"):
        answered("91-9")
