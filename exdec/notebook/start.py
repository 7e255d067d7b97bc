"""A panel on which a game is chosen, and which gives way to the table."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import ipywidgets as widgets

from exdec.bots import BOTS, LEVELS, about
from exdec.errors import ExdecError, TurnError
from exdec.narrate import counted, dollars
from exdec.notebook.clicks import Press, guarded, warning_html
from exdec.notebook.hot_seat import HotSeat
from exdec.notebook.live import html_bundle
from exdec.notebook.rule_fields import RuleFields, help_html
from exdec.notebook.stage import PARTS, Parts, Stage, head_html, where_sentence, widgets_of
from exdec.notebook.typed import read_number
from exdec.notebook.view import TableView
from exdec.notebook.watch import Exhibition
from exdec.notebook.ways import name_rivals
from exdec.record import read
from exdec.rules import PLAYERS, STANDARD, Rules
from exdec.table import Table

ALONE, IN_TURNS, LOOKING_ON = "Alone", "In turns on this machine", "Watch rivals play"
WAYS = {
    ALONE: "You play against rivals that the computer plays.",
    IN_TURNS: "Two to six people pass the machine round; a curtain closes between them.",
    LOOKING_ON: "Only rivals play. You step through their game, and every bid lies open.",
}
HOW_MANY = {
    ALONE: (range(PLAYERS[0] - 1, PLAYERS[-1]), 2),
    IN_TURNS: (range(PLAYERS[-1] - 1), 0),
    LOOKING_ON: (PLAYERS, 3),
}
"""How many rivals can play, and how many do until something else is chosen."""

RIVALS = ("easy", "full capacity", "random", "medium", "hard", "adaptive")
"""What rivals are, in the order of their seats, until something else is chosen."""


class StartPanel:
    """Choose a game and begin it, or go on with one. Make it the last line of a cell.

    Parameters
    ----------
    folder : Path
        Where games are kept.

    Attributes
    ----------
    table : TableView, HotSeat or Exhibition, or None
        What is played, once it is begun.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table: TableView | HotSeat | Exhibition | None = None
        self._stage = Stage()
        told = {"style": {"description_width": "112px"}}
        self.way = widgets.ToggleButtons(options=list(WAYS), description="Way to play", **told)
        self.names = widgets.Text(value="You", description="Your name", **told)
        self.many = widgets.Dropdown(description="Rivals", **told)
        levels = [(f"{level} · {name}", level) for level, name in LEVELS.items()]
        kinds = [*levels, *((name, name) for name in BOTS)]
        self.rivals = [
            widgets.Dropdown(options=kinds, value=kind, description=f"Rival {number}", **told)
            for number, kind in enumerate(RIVALS, start=1)
        ]
        self._abouts = [widgets.HTML() for _ in self.rivals]
        self.months = widgets.Dropdown(
            options=range(1, STANDARD.months + 1),
            value=STANDARD.months,
            description="Months",
            **told,
        )
        self.seed = widgets.Text(value="1", description="Seed", **told)
        self.large = widgets.Checkbox(description="Large type, for a projector", indent=False)
        self._rules = RuleFields(**told)
        self.game, self.rules = self._rules.game, self._rules.fields
        self.summary = widgets.HTML()
        self.message = widgets.HTML()
        self.start = Press("Start", self.begin, self._complain)
        games = [(_kept(path), str(path)) for path in sorted(folder.glob("*.jsonl"))]
        self.kept = widgets.Dropdown(options=games, description="Games so far", **told)
        self.resume = widgets.Button(description="Go on with it")
        self._so_far = widgets.Box([self.kept, self.resume], _dom_classes=["exdec-kept"])
        self._so_far.layout.display = "" if games else "none"
        self.resume.on_click(guarded(self.go_on, self._complain))
        self.way.observe(guarded(self._choose_many, self._complain), "value")
        self.game.observe(guarded(self._rules.choose, self._complain), "value")
        for field in (
            *(self.way, self.names, self.many, self.months, self.seed),
            *self.rivals,
            *self._rules.widgets,
        ):
            field.observe(guarded(self._sum_up, self._complain), "value")
        self._stage.controls = self._panel()
        self._choose_many()

    # -- what is chosen --------------------------------------------------------------------------

    @property
    def people(self) -> list[str]:
        """The names of the people, as typed."""
        if self.way.value == LOOKING_ON:
            return []
        if self.way.value == ALONE:
            return [self.names.value.strip() or "You"]
        return [name.strip() for name in self.names.value.split(",")]

    @property
    def strategies(self) -> list[str]:
        """What each rival is: a strategy, or a level."""
        return [rival.value for rival in self.rivals[: self.many.value]]

    @property
    def chosen_rules(self) -> Rules:
        """The rules as they stand in the panel.

        Raises
        ------
        RulesError
            A value that makes no sense; the message gives the range or the choices.
        """
        return self._rules.rules(self.months.value)

    def sit_down(self) -> Table:
        """The table that is chosen, kept under a name that is free.

        Raises
        ------
        TurnError, RulesError, BidError
            What is chosen cannot be played; the message says why.
        """
        people, strategies = self.people, self.strategies
        if self.way.value == IN_TURNS and len(people) < 2:
            raise TurnError(
                "Two or more people take turns. Write their names with commas between them: "
                "Ann, Ben, Cy."
            )
        if not all(people):
            raise TurnError("A name is missing beside a comma. Write it, or take the comma away.")
        if not self.seed.value.strip():
            raise TurnError("Seed: nothing is written. Write any whole number, such as 1.")
        seed = read_number("Seed", self.seed.value)
        rivals = name_rivals(people, strategies)
        path = self._free_path(people)
        return Table.create(path, [*people, *rivals], self.chosen_rules, rivals, seed)

    def _free_path(self, people: list[str]) -> Path:
        """A readable name that no file has."""
        words = re.sub(r"\W+", "-", "-".join(people).lower()).strip("-_")[:40] or "exhibition"
        number = 1
        while (path := self.folder / f"{words}-{number}.jsonl").exists():
            number += 1
        return path

    # -- what is done ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the game that is chosen, in this panel's place.

        Raises
        ------
        ExdecError
            As `sit_down`.
        """
        self._give_way(self.sit_down())

    def go_on(self) -> None:
        """Go on with the game that is picked from the list.

        Raises
        ------
        ExdecError
            Its record cannot be read; the message names the line.
        """
        if self.kept.value is not None:
            self._give_way(Table.resume(Path(self.kept.value)))

    def _give_way(self, table: Table) -> None:
        panel = self._stage.controls
        self._stage.large = self.large.value
        if len(table.people) == 1:
            seat = TableView(table, table.people[0], self._stage)
            self._stage.controls = seat.widget
            seat.draw()
            self.table = seat
        else:
            room = HotSeat if table.people else Exhibition
            self.table = room(table, self._stage)
            self.table.open()
        for widget in list(widgets_of(panel)):
            widget.close()

    # -- what is said ----------------------------------------------------------------------------

    def _choose_many(self) -> None:
        self.many.options, self.many.value = HOW_MANY[self.way.value]

    def _sum_up(self) -> None:
        self.message.value = ""
        way = self.way.value
        self.names.layout.display = "none" if way == LOOKING_ON else ""
        self.names.description = "Your name" if way == ALONE else "Names"
        for seat, (rival, told) in enumerate(zip(self.rivals, self._abouts, strict=True)):
            rival.layout.display = told.layout.display = "" if seat < self.many.value else "none"
            told.value = help_html(about(rival.value))
        try:
            table = self.sit_down()
        except ExdecError as error:
            self.start.button.disabled = True
            self.summary.value = f'<p class="exdec-warn">{escape(str(error))}</p>'
        else:
            self.start.button.disabled = False
            self.summary.value = f"<p>{escape(WAYS[way])} {escape(summary(table))}</p>"

    def _complain(self, text: str) -> None:
        self.message.value = warning_html(text)

    def _panel(self) -> widgets.Box:
        def beside(text: str) -> widgets.HTML:
            return widgets.HTML(help_html(text))

        rivals = [self.many, beside("Each plays at a level, or by a strategy that you pick.")]
        for rival, told in zip(self.rivals, self._abouts, strict=True):
            rivals += [rival, told]
        more = widgets.Accordion([self._rules.box])
        more.set_title(0, "Every other rule")
        left = [
            *(self._so_far, self.large, self.way, self.names),
            widgets.Box(rivals, _dom_classes=["exdec-fields", "exdec-who"]),
            widgets.Box([self.months, self.game], _dom_classes=["exdec-fields"]),
            widgets.Box(
                [self.seed, beside("The same seed meets the same rivals with the same luck.")],
                _dom_classes=["exdec-fields"],
            ),
            self.summary,
            widgets.Box([self.start.button], _dom_classes=["exdec-buttons"]),
            *(self.message, more),
        ]
        return widgets.Box(left, _dom_classes=["exdec-start"])

    def parts(self) -> Parts:
        """The panel's head; there is no chart yet."""
        then = "Choose how to play, then press Start. Nothing is kept before that."
        for part in PARTS:
            yield part, html_bundle(head_html("A new game", "", then) if part == "facts" else "")

    def _ipython_display_(self) -> None:
        self._stage.show(self.parts())


def summary(table: Table) -> str:
    """Say in numbers what game a table is laid for.

    Examples
    --------
    >>> from exdec import Game
    >>> print(summary(Table(Game(["You", "Ben"]), {"Ben": "cautious"})))
    2 firms: You, Ben (cautious). 12 months; each firm begins with $900 and may order 18 units a \
month.
    """
    game, rules = table.game, table.game.rules
    firms = [f"{who} ({table.rivals[who]})" if who in table.rivals else who for who in game.players]
    many = len(firms)
    return (
        f"{many} firms: {', '.join(firms)}. {counted(rules.months, 'month')}; each firm begins "
        f"with {dollars(rules.starting_cash.at(many))} and may order "
        f"{rules.order_limit.at(many)} units a month."
    )


def _kept(path: Path) -> str:
    """One recorded game as a line of a list."""
    try:
        game = read(path).game()
    except ValueError:
        return f"{path.name} · cannot be read"
    return f"{path.name} · {', '.join(game.players)} · {where_sentence(game)}"


def start(folder: str | Path = "games") -> StartPanel:
    """Choose a game and play it, in one cell.

    Parameters
    ----------
    folder : path
        Where games are kept, and looked for.

    Returns
    -------
    StartPanel
        Make it the last line of a cell to see it.

    Examples
    --------
    >>> start().strategies
    ['easy', 'full capacity']
    """
    return StartPanel(Path(folder))
