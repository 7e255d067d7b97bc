import re
from datetime import UTC, datetime

import pytest

from exdec import STANDARD, Game
from exdec.lessons import ask, explain, lesson, own_game, predict, progress, reveal
from exdec.lessons.exercises import LessonError
from exdec.lessons.own_game import path_of
from exdec.lessons.predict import Compared, compared_figure, compared_sentence
from exdec.lessons.progress import NAME, Progress, ProgressError, ProgressFile
from exdec.notebook.live import PLOTLY
from exdec.notebook.stage import widgets_of


@pytest.fixture(autouse=True)
def opened(here):
    return lesson("91", here=here, sources=here / "sources")


def press(view) -> None:
    view.press.button.click()
    view.press.echo.value = view.press.ask.value


def kept(here):
    return ProgressFile(here / NAME).read()


# In the recorded game X-FINE posts at $41 and FINE at $35 (worked example 2).


def test_a_prediction_is_sealed_and_then_compared(here):
    view = predict("91-a")
    view.fields["X"].value, view.fields["F"].value = "$45", "33"
    press(view)
    assert "Your forecast: X-FINE posts at $45. FINE posts at $33." in view.state.value
    assert dict(kept(here).predictions["91-a"][-1].values) == {"X": 45, "F": 33}
    shown = reveal("91-a")
    assert shown.sentence == (
        "X-FINE posts at $41; you predicted $45, $4 too high. "
        "FINE posts at $35; you predicted $33, $2 too low. Together you were off by $6."
    )
    head, chart, below = shown.bundles()
    drawn = {trace["name"]: list(trace["x"]) for trace in chart[PLOTLY]["data"]}
    assert drawn == {"predicted": [45, 33], "happened": [41, 35]}
    assert chart["text/plain"] == shown.sentence
    assert shown.sentence in below["text/html"]
    assert "Each unit that is ordered moves the price by $1." in below["text/html"]
    assert "In the recorded game, since you have not played yet." in head["text/html"]


def test_it_can_be_changed_until_it_is_revealed_and_not_after(here):
    view = predict("91-a", answer={"X": 45, "F": 33})
    view.fields["X"].value = "44"
    press(view)
    reveal("91-a", anyway=True)
    assert view.press.button.disabled
    assert all(field.disabled for field in view.fields.values())
    again = predict("91-a")
    assert [field.value for field in again.fields.values()] == ["44", "33"]
    again.fields["X"].value = "41"
    press(again)
    assert "It stays as it was sealed." in again.message.value
    with pytest.raises(ProgressError, match="It stays as it was sealed"):
        predict("91-a", answer={"X": 41, "F": 35})
    assert dict(kept(here).predictions["91-a"][-1].values) == {"X": 44, "F": 33}
    assert "you predicted $44" in reveal("91-a").sentence


def test_without_a_prediction_the_reveal_holds_back(here):
    shown = reveal("91-a")
    assert repr(shown).startswith("Nothing is predicted yet. Write a forecast above,")
    (only,) = shown.bundles()
    assert not any(price in str(only) + repr(shown) for price in ("$41", "$35"))
    assert not (here / NAME).exists()


def begin(here, opened: bool) -> None:
    """Begin a game of one's own."""
    game = Game(["You", "Ben"], months=2)
    game.order("You", F=(10, 31), X=(2, 30))
    game.order("Ben", X=(9, 45))
    if opened:
        game.open_bids()
        game.open_bids()
    path = path_of(here, "91")
    path.parent.mkdir(exist_ok=True)
    game.save(path, bots={"Ben": "cautious"})


def test_a_sealed_forecast_waits_for_the_own_game_that_is_on_its_way(here):
    predict("91-a", answer={"X": 45, "F": 33})
    begin(here, opened=False)
    shown = reveal("91-a")
    assert repr(shown).startswith(
        "Play to the end of January first; your forecast is kept. Then run this cell again."
    )
    assert "$41" not in str(shown.bundles())
    assert not kept(here).predictions["91-a"][-1].revealed
    begin(here, opened=True)
    assert "In your game. X-FINE posts at" in repr(reveal("91-a"))
    assert kept(here).predictions["91-a"][-1].revealed


def test_beside_the_recorded_game_a_forecast_is_not_locked(here):
    view = predict("91-a", answer={"X": 45, "F": 33})
    assert "X-FINE posts at $41" in repr(shown := reveal("91-a"))
    assert "Your forecast stays open" in repr(shown)
    assert not view.press.button.disabled
    assert not kept(here).predictions["91-a"][-1].revealed
    begin(here, opened=False)
    assert "X-FINE posts at $41" in repr(reveal("91-a", anyway=True))
    assert kept(here).predictions["91-a"][-1].revealed


def test_with_a_game_begun_anew_a_forecast_is_made_anew_and_the_old_one_is_kept(here):
    begin(here, opened=True)
    predict("91-a", answer={"X": 45, "F": 33})
    first = reveal("91-a").sentence
    path_of(here, "91").unlink()
    assert repr(reveal("91-a")).startswith(
        "Your last forecast was compared with another game. Write a new one above,"
    )
    view = predict("91-a")
    assert not view.press.button.disabled
    assert "It was: X-FINE posts at $45. FINE posts at $33. Make a new one" in view.state.value
    assert [field.value for field in view.fields.values()] == ["", ""]
    view.seal({"X": 45, "F": 33})
    begin(here, opened=False)
    assert repr(reveal("91-a")).startswith("Play to the end of January first")
    game = Game(["You", "Ben"], months=2)
    game.order("You", X=(12, 60))
    game.order("Ben")
    game.open_bids()
    game.open_bids()
    game.save(path_of(here, "91"))
    assert (again := reveal("91-a").sentence) != first
    assert "you predicted $45" in again
    assert predict("91-a").press.button.disabled
    both = kept(here).predictions["91-a"]
    assert [(one.n, one.revealed) for one in both] == [(1, True), (2, True)]
    begin(here, opened=True)
    assert reveal("91-a").sentence == first


def test_what_happened_can_be_seen_without_a_prediction(here):
    shown = reveal("91-a", anyway=True)
    assert repr(shown) == (
        "Nothing was predicted. This is what happened. "
        "In the recorded game, since you have not played yet. "
        "X-FINE posts at $41. FINE posts at $35."
    )
    _, chart, _ = shown.bundles()
    assert len(chart[PLOTLY]["data"]) == 1
    assert not (here / NAME).exists()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "X-FINE posts at: nothing is written yet. A guess will do."),
        ("dear", "X-FINE posts at: &#x27;dear&#x27; is not a number in digits."),
        ("5 units", "X-FINE posts at: that is in units. Predict dollars."),
    ],
)
def test_what_is_no_forecast_is_explained_and_not_sealed(here, typed, said):
    view = predict("91-a")
    view.fields["X"].value, view.fields["F"].value = typed, "33"
    press(view)
    assert said in view.message.value
    assert not (here / NAME).exists()


@pytest.mark.parametrize("typed", ["-3", "10.5", "−1 units"])
def test_units_are_whole_and_not_below_nothing(here, typed):
    source = here / "sources" / "91_example" / "exercises.toml"
    at_prediction = source.read_text().partition("[[prediction]]")
    source.write_text("".join([*at_prediction[:2], at_prediction[2].replace('"$"', '"units"', 1)]))
    lesson("91", here=here / "other", sources=here / "sources")
    view = predict("91-a")
    for field in view.fields.values():
        field.value = typed
    press(view)
    assert view.message.value.count("cannot be. Units are whole, and 0 or more.") == 2
    assert not (here / "other" / NAME).exists()
    view.fields["X"].value = "ten"
    press(view)
    assert "Write one, such as 12. FINE posts at:" in view.message.value


def test_what_happened_is_not_sent_before_the_reveal(here):
    view = predict("91-a")
    state = "\n".join(repr(widget.get_state()) for widget in widgets_of(view.widget))
    assert "$41" not in state
    assert "$35" not in state


def test_a_solution_predicts_every_quantity(here):
    with pytest.raises(LessonError, match=r"91-a predicts X, F\. Give a value"):
        predict("91-a", answer={"X": 41})


def test_a_prediction_that_holds_is_said_to_hold():
    rows = [Compared("X", 41, 41), Compared("F", 35, 35)]
    assert compared_sentence(rows, "$").endswith("All of it holds.")
    assert compared_sentence(rows[:1], "units") == "X 41 units; you predicted it."


def test_no_text_in_the_chart_becomes_markup_or_a_formula():
    figure = compared_figure([Compared("<b>X", 45, 41)], "$")
    (note,) = figure.layout.annotations
    assert "&lt;b&gt;X" in note.text
    assert "$" not in note.text


def test_the_key_has_the_colours_of_what_is_drawn():
    figure = compared_figure([Compared("X", 45, 41)], "$")
    (note,) = figure.layout.annotations
    assert len(figure.data) == 2
    for trace in figure.data:
        assert f'<span style="color:{trace.marker.color}">' in note.text


# -- explanations --------------------------------------------------------------------------------


def test_the_model_answer_comes_after_a_sentence_of_ones_own(here):
    view = explain("91-e1")
    assert view.model.value == ""
    view.field.value = "Because."
    press(view)
    assert "Write a whole sentence first" in view.message.value
    assert view.model.value == ""
    view.field.value = "Nobody knows what others bid."
    press(view)
    assert "Bids are sealed, and whoever" in view.model.value
    assert "What does the model say that yours does not? You can change yours." in (
        view.message.value
    )
    assert kept(here).explanation("91-e1") == "Nobody knows what others bid."
    again = explain("91-e1")
    assert again.field.value == "Nobody knows what others bid."
    assert again.model.value == view.model.value


def test_more_than_all_firms_can_order_is_no_forecast(tmp_path):
    lesson("01", here=tmp_path)
    view = predict("01-a")
    with pytest.raises(LessonError, match="these are 60 units, and there can be 36 units at most"):
        view.seal({"X": 20, "F": 20, "S": 20})
    view.seal({"X": 12, "F": 12, "S": 12})
    assert view.prediction.together == 3 * STANDARD.order_limit.at(3)


def test_what_is_optional_is_counted_apart(tmp_path):
    assert "0 of 14 exercises solved.</b> 3 of the 14 are optional." in (
        lesson("01", here=tmp_path).state.value
    )
    assert "Exercise 01-12 · optional · " in ask("01-12").head.value
    assert "optional" not in ask("01-11").head.value
    explain("01-e1", answer="The units count in the total of all.")
    assert "<td>0 of 14, 3 optional</td>" in progress().table.value


# -- progress ------------------------------------------------------------------------------------


def test_the_overview_counts_and_follows_what_is_done(here):
    view = progress()
    assert "Nothing is done yet." in view.table.value
    explain("91-e1", answer="I pay what I bid here.")
    assert '<th scope="row">91 An example</th><td>0 of 6</td><td>0</td><td>1 of 1</td>' in (
        view.table.value
    )


def test_in_the_middle_of_a_game_certificates_count_as_profit(here):
    begin(here, opened=True)
    view = progress()
    game = own_game("91").game
    assert game.profit["You"] == -310
    assert kept(here).games["91"].profit == -310 + 10 * game.observe("You").material_prices.F
    assert ">profit so far</th>" in view.table.value
    assert "−$110 after 1 month</td>" in view.table.value


def test_a_name_is_kept_and_stands_in_what_is_handed_in(here):
    view = progress()
    press(view)
    assert "Write a name first" in view.message.value
    view.name.value = "..."
    press(view)
    assert "Write a name first" in view.message.value
    view.name.value = 400 * "n"
    press(view)
    assert kept(here).name == view.name.value == 60 * "n"
    assert "Kept, cut to 60 letters: nnn" in view.message.value
    view.name.value = " Ann  Smith "
    press(view)
    assert kept(here).name == "Ann Smith"
    assert progress().name.value == "Ann Smith"
    for ending, why in (("json", "to hand in"), ("html", "to read"), ("csv", "for a spread")):
        assert re.search(f'<li><a download="progress-Ann_Smith.{ending}".*{why}', view.links.value)


def test_a_copy_from_elsewhere_is_merged(here):
    explain("91-e1", answer="I pay what I bid here.")
    other = Progress().attempted("91-1", "278", "right").explained("91-e1", "Something else.")
    view = progress()
    view.upload.value = (
        {
            "name": "mine.json",
            "type": "application/json",
            "size": 1,
            "content": memoryview(other.dumps().encode()),
            "last_modified": datetime.fromtimestamp(0, UTC),
        },
    )
    assert "mine.json is merged with what was here. 1 exercise solved in all." in view.message.value
    assert view.upload.value == ()
    assert kept(here).solved("91-1")
    assert {one.text for one in kept(here).explanations["91-e1"]} == {
        "I pay what I bid here.",
        "Something else.",
    }


@pytest.mark.parametrize("content", [b"{}", b"Dear diary", b"\xff\xfe", b"[1]"])
def test_a_copy_that_cannot_be_read_changes_nothing(here, content):
    explain("91-e1", answer="I pay what I bid here.")
    before = (here / NAME).read_bytes()
    view = progress()
    with pytest.raises(
        ProgressError, match=r"holiday\.json is no progress file of exdec\. Choose the progress"
    ):
        view.bring_in(content, "holiday.json")
    assert (here / NAME).read_bytes() == before
