"""The panel on which a class is set up, with a sentence that sums it up in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as widgets

from exdec.bots import LEVELS
from exdec.classroom.panel.parts import Answer, Fold, box, button, field, show
from exdec.classroom.roster import parse_roster, roster_text, understood
from exdec.classroom.seating import Rest, seat
from exdec.classroom.settings import MOST_PUPILS, ClassSettings, Treatment
from exdec.errors import ExdecError
from exdec.narrate import counted
from exdec.notebook.clicks import guarded
from exdec.notebook.rule_fields import RuleFields, help_html
from exdec.notebook.typed import read_number
from exdec.rules import PLAYERS, STANDARD

DEFAULT = ClassSettings()

EXPECTED = 24
"""Pupils, until something else is written."""

RESTS = (
    ("bots play there", Rest.BOTS.value),
    ("two pupils share a place", Rest.SHARE.value),
    ("some tables are smaller", Rest.SMALLER.value),
)
PACES = (
    ("each table goes on when it is ready", False),
    ("all tables begin each step together", True),
)
ABSENT = (
    ("after 1 missed step", 1),
    ("after 2 missed steps", 2),
    ("after 3 missed steps", 3),
    ("only if you say so", 0),
)
AWAY = (
    "Away is who has the page closed. No bot comes for who has it open and hands nothing in: once "
    "the class runs, choose that pupil under People, and press A bot plays."
)
MONTHS = range(1, STANDARD.months + 1)


class Variant:
    """What one group of tables plays, where two are compared."""

    def __init__(self, name: str, months: int, rules: RuleFields) -> None:
        self.name = field("Name of the group", name)
        self.months = widgets.Dropdown(
            options=MONTHS, value=months, description="Months of the game"
        )
        self.rules = RuleFields()
        for mine, chosen in zip(self.rules.widgets, rules.widgets, strict=True):
            mine.value = chosen.value
        self.more = Fold("Every other rule", self.rules.box)
        self.widget = box(
            "variant",
            box("fields", self.name, self.months, self.rules.game),
            self.more.button,
            self.more.box,
        )

    @property
    def treatment(self) -> Treatment:
        """The group as a class's settings have it.

        Raises
        ------
        RulesError
        """
        months = self.months.value
        return Treatment(self.name.value, {**_changes(self.rules, months), "months": months})


class Setup:
    """Every choice for a new class, and Open.

    Parameters
    ----------
    begin : callable
        Opens a class of these settings.

    Attributes
    ----------
    widgets : list of widgets
        Its parts, from top to bottom.
    """

    def __init__(self, begin: Callable[[ClassSettings], None]) -> None:
        self._begin = begin
        self.answer = Answer()
        self.title = field("Title, which pupils see", DEFAULT.title)
        self.expected = field("Pupils you expect", str(EXPECTED), _dom_classes=["exdec-short"])
        self.size = widgets.Dropdown(
            options=list(PLAYERS), value=DEFAULT.size, description="Places at a table"
        )
        self.rest = widgets.Dropdown(options=RESTS, description="If places are left over")
        self.months = widgets.Dropdown(
            options=MONTHS, value=DEFAULT.months, description="Months of the game"
        )
        self.seconds = field(
            "Seconds for each step, 0 for no deadline",
            str(DEFAULT.seconds),
            _dom_classes=["exdec-short"],
        )
        self.pace = widgets.Dropdown(options=PACES, description="Pace")
        self.level = widgets.Dropdown(
            options=[(f"{level} ({name})", level) for level, name in LEVELS.items()],
            value=DEFAULT.level,
            description="Bots play at level",
        )
        self.absent = widgets.Dropdown(
            options=ABSENT, value=DEFAULT.absent_after, description="A bot plays for who is away"
        )
        self.rules = RuleFields()
        self.names = widgets.Textarea(
            description="Names, one a line; or two columns of a spreadsheet: name and group",
            rows=6,
            continuous_update=False,
        )
        self.file = widgets.FileUpload(accept=".csv,.txt,.tsv", description="Read them from a file")
        self.preview = widgets.HTML()
        self.compare = widgets.Checkbox(
            description="Two groups of tables play different games, to be compared", indent=False
        )
        self.variants: list[Variant] = []
        self._groups = box("variants")
        self.draw = widgets.Checkbox(
            description="Draw seats by lot, not in the order of joining", indent=False
        )
        self.summary = widgets.HTML(_dom_classes=["exdec-summary"])
        self.open = button("Open the class", self.begin, self.answer, typed=True)
        self.open.button_style = "primary"
        self._plain = box("fields", self.months, self.rules.game)
        self.folds = [
            Fold(
                "A list of names",
                widgets.HTML(
                    help_html(
                        "With a list, each pupil gets a slip with a link of their own. Without "
                        "one, whoever has the code joins and writes a name. Pupils of one group "
                        "sit at the same tables."
                    )
                ),
                *(self.names, self.file, self.preview),
            ),
            Fold("Every other rule", self.rules.box),
            Fold("An experiment", self.draw, self.compare, self._groups),
        ]
        self._rules_fold = self.folds[1]
        self.widgets = [
            box("fields", self.title, self.expected, self.size, self.rest),
            self._plain,
            box("fields", self.seconds, self.pace, self.level, self.absent),
            widgets.HTML(help_html(AWAY)),
            box("buttons", *(fold.button for fold in self.folds)),
            *(fold.box for fold in self.folds),
            self.summary,
            box("buttons", self.open),
            self.answer.widget,
        ]
        self.rules.game.observe(guarded(self.rules.choose, self.answer.complain), "value")
        self.compare.observe(guarded(self._compare, self.answer.complain), "value")
        self.file.observe(guarded(self._read_file, self.answer.complain), "value")
        self._watch(
            *(self.title, self.expected, self.size, self.rest, self.months, self.seconds),
            *(self.pace, self.level, self.absent, self.names, self.draw, *self.rules.widgets),
        )
        self.sum_up()

    # -- what is chosen --------------------------------------------------------------------------

    @property
    def settings(self) -> ClassSettings:
        """The class that is chosen.

        Raises
        ------
        ExdecError
            Something cannot be; the message says what.
        """
        seconds = read_number("Seconds for each step", self.seconds.value)
        chosen = ClassSettings(
            title=self.title.value,
            size=self.size.value,
            rest=self.rest.value,
            months=self.months.value,
            seconds=seconds,
            together=self.pace.value,
            level=self.level.value,
            absent_after=self.absent.value,
            roster=parse_roster(self.names.value) if self.names.value.strip() else (),
            draw=self.draw.value,
        )
        if not self.compare.value:
            return replace(chosen, rules=_changes(self.rules, self.months.value))
        treatments = tuple(variant.treatment for variant in self.variants)
        months = max(variant.months.value for variant in self.variants)
        return replace(chosen, treatments=treatments, months=months)

    def begin(self) -> None:
        """Open the class that is chosen.

        Raises
        ------
        ExdecError
            As `settings`, or the server cannot open it.
        """
        self._begin(self.settings)

    # -- what is said ----------------------------------------------------------------------------

    def sum_up(self) -> None:
        """Say in numbers what is chosen, or what does not go."""
        self.answer.say("")
        listed = bool(self.names.value.strip())
        show(self.expected, not listed)
        self.preview.value = ""
        try:
            settings = self.settings
            if listed:
                read = understood(parse_roster(self.names.value), settings.roster)
                said = "".join(f"<p>{escape(line)}</p>" for line in read)
                self.preview.value = f"<p><strong>{escape(preview(settings))}</strong></p>{said}"
            expected = read_number("Pupils you expect", self.expected.value)
            if expected > MOST_PUPILS:
                raise ExdecError(f"A class takes {MOST_PUPILS:,} pupils at the most.")
            text = summary(settings, len(settings.roster) or expected)
        except ExdecError as error:
            self.open.disabled = True
            self.summary.value = f'<p class="exdec-warn">{escape(str(error))}</p>'
        else:
            self.open.disabled = False
            self.summary.value = f"<p>{escape(text)}</p>"

    def _watch(self, *fields: widgets.Widget) -> None:
        for one in fields:
            one.observe(guarded(self.sum_up, self.answer.complain), "value")

    def _compare(self) -> None:
        comparing = self.compare.value
        if comparing and not self.variants:
            self.variants = [Variant(one, self.months.value, self.rules) for one in "AB"]
            # They differ in something from the beginning.
            other = self.variants[1].rules
            other.game.value = next(one for one in other.game.options if one != other.game.value)
            other.choose()
            for one in self.variants:
                one.rules.game.observe(guarded(one.rules.choose, self.answer.complain), "value")
                self._watch(one.name, one.months, *one.rules.widgets)
            self._groups.children = [one.widget for one in self.variants]
        show(self._groups, comparing)
        show(self._plain, not comparing)
        show(self._rules_fold.button, not comparing)
        if comparing:
            self._rules_fold.unfold(False)
        self.sum_up()

    def _read_file(self) -> None:
        if self.file.value:
            (uploaded, *_) = self.file.value
            self.file.value = ()
            text = roster_text(bytes(uploaded["content"]))
            parse_roster(text)  # a file without names changes nothing
            self.names.value = text


def _changes(rules: RuleFields, months: int) -> dict[str, Any]:
    """Rules as settings have them; the months are a setting of their own."""
    return {
        name: value for name, value in rules.rules(months).changes().items() if name != "months"
    }


def summary(settings: ClassSettings, pupils: int) -> str:
    """Say in numbers what a class of so many pupils is.

    Examples
    --------
    >>> print(summary(ClassSettings(months=3, seconds=60), 10))
    10 pupils: 3 tables of 4, where bots play at 2 places. 3 months, 6 steps of 60 seconds: 6 \
minutes at most.
    >>> print(summary(ClassSettings(months=1, seconds=0, rest="smaller"), 7))
    7 pupils: 1 table of 4 and 1 table of 3. 1 month, 2 steps without a deadline.
    """
    tables = _tables(settings, pupils)
    if not tables:
        seated = f"Tables of {settings.size}, as many as the pupils who come need."
    else:
        seated = f"{counted(pupils, 'pupil')}: {_seated(tables)}."
    groups = [one.name for one in settings.treatments]
    if groups and tables:
        shares = [
            f"{counted(len(tables[at :: len(groups)]), 'table')} as {name}"
            for at, name in enumerate(groups)
        ]
        seated += f" {' and '.join(shares)}."
    if settings.draw:
        seated += " Seats are drawn by lot."
    months = [settings.rules_of(one).months for one in settings.treatments or (None,)]
    return f"{seated} {_time(settings, months)}"


def preview(settings: ClassSettings) -> str:
    """Say how many names a roster has, and how they sit.

    Examples
    --------
    >>> preview(ClassSettings(roster=["Ann", "Ben", "Cy", "Dee"]))
    '4 names, 1 table of 4.'
    """
    names = len(settings.roster)
    groups = {one.group for one in settings.roster if one.group}
    told = f" in {counted(len(groups), 'group')}" if groups else ""
    return f"{counted(names, 'name')}{told}, {_seated(_tables(settings, names))}."


def _tables(settings: ClassSettings, pupils: int) -> list[list[list[int]]]:
    """Everyone's places, as the class will seat them: groups of the roster by themselves."""
    groups = Counter(one.group for one in settings.roster) or Counter({"": pupils})
    return [
        table
        for many in groups.values()
        for table in seat(range(many), settings.size, settings.rest)
    ]


def _seated(tables: list[list[list[int]]]) -> str:
    sizes = Counter(len(table) for table in tables)
    words = [f"{counted(many, 'table')} of {size}" for size, many in sorted(sizes.items())[::-1]]
    places = [place for table in tables for place in table]
    bots = sum(not place for place in places)
    shared = sum(len(place) > 1 for place in places)
    said = " and ".join(words)
    if bots:
        said += f", where bots play at {counted(bots, 'place')}"
    if shared:
        said += f", where {counted(shared, 'place')} {'is' if shared == 1 else 'are'} shared"
    return said


def _time(settings: ClassSettings, months: list[int]) -> str:
    longest = max(months)
    told = " or ".join(map(str, sorted(set(months))))
    what = f"{told} month{'s' * (longest != 1)}, {2 * longest} steps"
    if not settings.seconds:
        return f"{what} without a deadline."
    minutes = -(-2 * longest * settings.seconds // 60)
    return f"{what} of {settings.seconds} seconds: {counted(minutes, 'minute')} at most."
