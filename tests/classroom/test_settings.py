import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exdec.classroom.seating import Rest
from exdec.classroom.settings import (
    LONGEST_NAME,
    ClassSettings,
    Entry,
    SettingsError,
    Treatment,
    clean_name,
    free_name,
)
from exdec.errors import RulesError, shown

RANGES = {
    "size": (2, 6),
    "months": (1, 12),
    "seconds": (0, 3600),
    "absent_after": (0, 24),
    "most": (1, 1200),
    "seed": (0, 1_000_000_000),
}


@pytest.mark.parametrize("name", RANGES)
def test_a_number_out_of_its_range_is_named_with_the_range(name):
    low, high = RANGES[name]
    for value in (low - 1, high + 1, True, 2.0, "3", None, [3]):
        with pytest.raises(SettingsError) as error:
            ClassSettings(**{name: value})
        assert str(error.value) == f"{name} runs from {low} to {high}, not {shown(value)}."
    for value in (low, high):
        assert getattr(ClassSettings(**{name: value}), name) == value


@pytest.mark.parametrize(
    ("plain", "sentence"),
    [
        ({"seconds": 4}, "seconds is 0 for no deadline, or at least 5."),
        ({"title": 5}, "title is a text, not 5."),
        ({"together": 1}, "together is true or false, not 1."),
        ({"draw": "yes"}, "draw is true or false, not 'yes'."),
        ({"rest": "empty"}, "rest is one of bots, share, smaller, not 'empty'."),
        ({"rest": ["bots"]}, "rest is one of bots, share, smaller, not ['bots']."),
        ({"level": "brutal"}, "level is one of easy, medium, hard, not 'brutal'."),
        ({"level": ["easy"]}, "level is one of easy, medium, hard, not ['easy']."),
        ({"rules": 5}, "rules is rules by their names, not 5."),
        ({"rules": "partial"}, "rules is rules by their names, not 'partial'."),
        ({"rules": {1: 2}}, "rules is rules by their names, not {1: 2}."),
        ({"rules": {"months": 3}}, "months is a setting of its own; take it out of rules."),
        ({"treatments": "A"}, "treatments is a list, not 'A'."),
        ({"treatments": {"name": "A"}}, "treatments is a list, not {'name': 'A'}."),
        ({"treatments": [5]}, "treatments have a name and rules each, not 5."),
        ({"treatments": [{"name": "A"}]}, "treatments have a name and rules each, not "),
        ({"treatments": [{"name": " ", "rules": {}}]}, "Each of the treatments needs a name."),
        ({"treatments": [{"name": "A", "rules": 5}]}, "Treatment A: rules is rules by their names"),
        ({"treatments": [Treatment("A", 5)]}, "Treatment A: rules is rules by their names"),
        (
            {"treatments": [{"name": "A", "rules": {}}] * 2},
            "Two treatments are called A. Give each its own name.",
        ),
        ({"roster": "Ann"}, "roster is a list, not 'Ann'."),
        ({"roster": [5]}, "roster has a name and perhaps a group, not 5."),
        ({"roster": [["a", "b", "c"]]}, "roster has a name and perhaps a group, not "),
        ({"roster": [{"group": "red"}]}, "roster has a name and perhaps a group, not "),
        ({"roster": [{"name": "Ann", "age": 9}]}, "roster has a name and perhaps a group, not "),
        (
            {"roster": [f"Pupil {number}" for number in range(1_201)]},
            "The roster has 1,201 names, and a class takes 1,200 at the most.",
        ),
        ({"colour": 1}, "There is no setting 'colour'. There are: title, size, rest, "),
        ({"treatment": []}, "There is no setting 'treatment'. Did you mean treatments?"),
    ],
)
def test_a_bad_value_is_answered_with_a_sentence_that_names_it(plain, sentence):
    with pytest.raises(SettingsError) as error:
        ClassSettings.from_json(plain)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("plain", [None, 5, "months", ["months"]])
def test_what_is_no_table_is_no_settings(plain):
    with pytest.raises(SettingsError, match="Settings are names and values"):
        ClassSettings.from_json(plain)


def test_a_bad_rule_is_named_and_so_is_the_treatment_that_has_it():
    with pytest.raises(RulesError, match="Did you mean 'partial_buys'"):
        ClassSettings(rules={"partial_buy": True})
    with pytest.raises(RulesError, match=r"^Treatment Dear: opening_materials\[X\] "):
        ClassSettings(treatments=[Treatment("Dear", {"opening_materials": {"X": -1}})])


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.floats(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=4,
    ),
    st.sampled_from(sorted(ClassSettings.__dataclass_fields__)),
)
def test_whatever_a_setting_is_given_it_is_taken_or_refused_in_words(value, name):
    try:
        settings = ClassSettings.from_json({name: value})
    except (SettingsError, RulesError) as error:
        assert str(error).endswith(".")  # noqa: PT017
    else:
        assert ClassSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_settings_come_back_from_json_as_they_were():
    settings = ClassSettings(
        title="Year 11",
        size=3,
        rest="share",
        months=4,
        seconds=45,
        together=True,
        draw=True,
        level="hard",
        rules={"reveal": ["cash"], "starting_cash": 700},
        treatments=[("Long", {"months": 6}), Treatment("Partial", {"partial_buys": True})][1:],
        roster=["Ann", ("Ben", "red"), {"name": "Cy"}, Entry("Dee", "blue"), " "],
        absent_after=0,
        most=30,
        seed=7,
    )
    assert settings.rest is Rest.SHARE
    assert settings.roster == (
        Entry("Ann"),
        Entry("Ben", "red"),
        Entry("Cy"),
        Entry("Dee", "blue"),
    )
    assert ClassSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_a_treatment_changes_the_rules_of_the_class_and_may_have_months_of_its_own():
    settings = ClassSettings(
        months=3,
        rules={"partial_buys": True},
        treatments=[Treatment("Long", {"months": 5, "partial_sales": True})],
    )
    rules = settings.rules_of(settings.treatments[0])
    assert (rules.months, rules.partial_buys, rules.partial_sales) == (5, True, True)
    assert settings.rules_of(None).months == 3


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ann \t\n Lee ", "Ann Lee"),
        ("Ann\x00\x1b[31m", "Ann[31m"),
        ("\u202eAnn\u2066", "Ann"),
        ("A\u200bn\u200cn\ufeff\u00ad", "Ann"),
        ("Ann\u200d", "Ann"),
        ("\u200d", ""),
        ("\u3164\u115f\u2800", ""),
        ("\u0301\u0301", ""),
        ("\ud800", ""),
        ("\U000e0041", ""),
        ("e\u0301", "é"),
        ("", ""),
        ("7", "7"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("🏳\ufe0f", "🏳\ufe0f"),
        ("محمد", "محمد"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("x" * 10_000, "x" * LONGEST_NAME),
        (" " * 10_000 + "x", ""),
        (7, ""),
        (None, ""),
        ({"name": "Ann"}, ""),
        (["Ann"], ""),
        (True, ""),
    ],
)
def test_names_as_people_and_others_type_them(typed, name):
    assert clean_name(typed) == name


@given(st.text(), st.integers(1, 60))
def test_a_clean_name_is_clean(text, longest):
    name = clean_name(text, longest)
    assert len(name) <= longest
    assert name == clean_name(name, longest)
    assert name.isprintable() or "\u200d" in name
    name.encode()


@given(st.lists(st.sampled_from(["Ann", "ann", "ANN", "Ann 2", "x" * LONGEST_NAME])))
def test_no_two_pupils_have_the_same_name(names):
    taken: set[str] = set()
    for name in names:
        free = free_name(name, taken)
        assert free.casefold() not in taken
        assert len(free) <= LONGEST_NAME
        taken.add(free.casefold())
