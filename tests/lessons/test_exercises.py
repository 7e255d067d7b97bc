import re

import pytest

from exdec.lessons.answers import function
from exdec.lessons.exercises import Kind, LessonError, read_exercises

FILE = "exercises.toml"


def test_the_example_has_one_exercise_of_each_kind(example):
    assert [one.kind for one in example.exercises.values()] == list(Kind)
    assert (example.number, example.months, example.player) == ("91", 1, "Ann")
    assert [one.label for one in example.predictions["91-a"].quantities] == [
        "X-FINE posts at",
        "FINE posts at",
    ]


def test_what_depends_on_the_learners_game_says_so(example):
    on_the_game = [one.id for one in example.exercises.values() if one.on_the_game]
    assert on_the_game == ["91-1", "91-6"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "number"', 'kind = "numbr"', "\"kind\" is 'numbr'. It can be"),
        ("objective = 1", "objectiv = 1", '"objective" is missing'),
        ("minutes = 3", "minutes = 3\nminute = 4", '"minute" is not a key here. There are: id,'),
        ('"general.paid"', '"general.payd"', "general has no function 'payd'. There are:"),
        ('"general.paid"', '"nowhere.paid"', "has no module 'nowhere'"),
        ("{value} left", "{vale} left", '"right" has {vale}; there are'),
        ("Which of your bids", "{value}: which", '"hints" would give the answer away'),
        ("That pays for", "Not {value} pays", '"says" would give the answer away'),
        ("hints = [", 'hints = ["a", ', '"hints" needs 2 texts'),
        ("range = [0, 900]", "range = [900, 0]", '"range" must be two numbers'),
        ('id = "91-2"', 'id = "92-2"', 'id "92-2" must be 91, a hyphen'),
        ('id = "91-2"', 'id = "91-1"', 'id "91-1" stands twice'),
        ('answer = "b"', 'answer = "d"', "the answer 'd' does not fit this kind"),
        ('answer = "b"', 'answer = "a"', "option b is wrong, so it needs"),
        ('answer = ["a", "d"]', 'answer = ["a", "b"]', "option d is wrong, so it needs"),
        ('answer = ["c", "a", "b"]', 'answer = ["c", "a"]', "every letter once"),
        ('shape = ["rising"]', 'shape = ["up"]', "\"shape\" is ['up']"),
        ("start = 20", "start = 200", '"low", "start" and "high"'),
        ('recorded = "recorded.jsonl"', 'recorded = "gone.jsonl"', "no such file beside it"),
        ('compute = "general.paid"', 'answer = 3\ncompute = "general.paid"', "either"),
        ('name = "sunk cost"', 'name = "right"', "which is a verdict"),
        ("{failed}.", "{failed!r}.", "braces hold one name and no more"),
    ],
)
def test_a_mistake_in_the_file_is_said_with_its_place(sources, old, new, said):
    text = (sources / FILE).read_text("utf-8")
    assert old in text
    (sources / FILE).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(LessonError, match=re.escape(said)) as error:
        read_exercises(sources / FILE)
    assert str(error.value).startswith("91_example/exercises.toml")


def test_what_is_not_toml_is_said_to_be_so(sources):
    (sources / FILE).write_text("lesson = ", "utf-8")
    with pytest.raises(LessonError, match="is not TOML"):
        read_exercises(sources / FILE)


def test_a_function_is_found_by_module_and_name_only():
    assert function("general.paid").__name__ == "paid"
    for name in ("paid", "general.Fraction", "general.__name__", "os.getcwd", ".paid"):
        with pytest.raises(LookupError):
            function(name)
