"""The instructor's controls as widgets, made from what the server says that there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from exdec.bots import LEVELS
from exdec.classroom.panel.kept import still_named
from exdec.classroom.panel.parts import (
    Answer,
    Fold,
    State,
    box,
    button,
    choose,
    field,
    on_enter,
    show,
)
from exdec.errors import ExdecError
from exdec.model import Step, month_name
from exdec.notebook.typed import read_number
from exdec.rules import PLAYERS, STANDARD

Do = Callable[..., Mapping[str, Any]]
"""Takes a control's name and what it needs; gives ``text`` and perhaps ``back``."""

DELETE = {
    "do": "delete",
    "label": "Delete the class",
    "ask": "Delete the class with all names, bids and results? Every phone stops, and nothing can "
    "be exported any more.",
    "needs": [],
    "on": True,
}
"""The server offers it to whoever has the class's key; it is no event of a class."""

EVERY_TABLE = -1
"""A list of choices takes None for no choice."""

CLOCK: tuple[tuple[str, ...], ...] = (("start", "room", "pause", "go"), ("close", "extend"))
FOLDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "Back and forward": (("reopen", "undo", "redo", "end", "unend"),),
    "People": (
        ("add",),
        ("lock", "unlock", "bots_absent"),
        ("bot", "return", "take_back"),
        ("kick", "readmit", "newlink"),
        ("rename",),
        ("reseat",),
    ),
    "The class": (
        ("say",),
        ("standings", "room"),
        ("settings",),
        ("seconds",),
    ),
}
"""What stands in one row shares its fields. A control that is named nowhere joins the class's."""

LAST = (("finish", "delete"),)
ELSEWHERE = ("paper",)
MAIN = ("start", "go")
OF_CLASS = ("phase", "joining", "reveal", "seconds", "months", "size", "level", "join")
"""What can be set for the whole class, and set back."""

SHARED = ("table", "pupil")
"""One choice each for the whole panel: what is chosen in one place holds in every other."""

OWN_SEAT = ("bot", "return", "take_back")
"""The server asks for a place; here it is the one of the pupil who is chosen."""

LABELS = {
    "table": "Where",
    "pupil": "Pupil",
    "place": "Place",
    "name": "Name",
    "text": "Message to everyone",
    "seconds": "Seconds for each step",
    "months": "Months of the game",
    "size": "Places at a table",
    "level": "Bots play at level",
}
CHOICES: dict[str, Sequence[Any]] = {
    "months": range(1, STANDARD.months + 1),
    "size": PLAYERS,
    "level": tuple(LEVELS),
}
OTHERWISE = {
    ("extend", "seconds"): "Seconds more",
    ("rename", "name"): "New name",
    ("reseat", "place"): "To which place",
    ("add", "name"): "Name of the new pupil",
}
TAKES_BACK = {"redo": "undone", "unend": "ended"}
"""What a table has if this can be done there."""

SHORT = {"seconds": "Set the seconds", "settings": "Set these"}
"""Where the field beside it says the rest."""

YES = {
    "close": "Close it now",
    "reopen": "Open it again",
    "undo": "Undo the month",
    "end": "End the game",
    "kick": "Send out",
    "newlink": "Make a new link",
    "finish": "Really close it",
    "delete": "Really delete it",
}
WHAT = {Step.BUY: "materials", Step.SELL: "goods"}
DONE_ELSEWHERE = {"newlink": " Print its slip again, on the page of the controls."}


class Controls:
    """Rows of controls, in the groups that a teacher looks for them in.

    Parameters
    ----------
    do : callable
        Carries a control out.
    state : dict
        What the server says of the class.

    Attributes
    ----------
    clock : widgets.Box
        What is needed at every moment.
    answer : Answer
        What is said of the clock.
    """

    def __init__(self, do: Do, state: State) -> None:
        self._do = do
        self._state = state
        self._stage = _stage(state)
        self._shared = {need: widgets.Dropdown(description=LABELS[need]) for need in SHARED}
        named = {one for rows in (CLOCK, *FOLDED.values(), LAST) for row in rows for one in row}
        others = [
            (one["do"],) for one in state["controls"] if one["do"] not in (*named, *ELSEWHERE)
        ]
        self._rows: list[Row] = []
        self._folded: list[tuple[Fold, list[Row]]] = []
        self._answers: list[Answer] = []
        self.answer = Answer()
        self.clock, _ = self._group(CLOCK, state, self.answer)
        for title, rows in FOLDED.items():
            every = (*rows, *others, *LAST) if title == "The class" else rows
            group, made = self._group(every, state, Answer())
            self._folded.append((Fold(title, group), made))
        self._shared["table"].observe(lambda _: self._again(), "value")

    def _again(self) -> None:
        """What can be used depends on the table that is chosen."""
        for row in self._rows:
            row.update(self._state)

    def _latest(self, answer: Answer) -> None:
        """There is one way back, that of what was done last."""
        for one in self._answers:
            if one is not answer:
                one.forget()

    @property
    def folds(self) -> list[Fold]:
        """What is needed now and then."""
        return [fold for fold, _ in self._folded]

    def _group(
        self, rows: tuple[tuple[str, ...], ...], state: State, answer: Answer
    ) -> tuple[widgets.Box, list[Row]]:
        made = [
            row
            for names in rows
            if (row := Row(self._do, names, state, answer, self._shared, self._latest)).buttons
        ]
        self._rows += made
        self._answers.append(answer)
        parts = [row.widget for row in made]
        of_pupil = next((at for at, row in enumerate(made) if "pupil" in row.fields), None)
        if of_pupil is not None:
            # Everything below is done to the pupil who is chosen here.
            parts.insert(of_pupil, box("row", self._shared["pupil"]).add_class("exdec-whom"))
        return box("group", *parts, answer.widget), made

    def update(self, state: State) -> None:
        """Show what can be used now, and the pupils and tables that there are."""
        self._state = state
        if _stage(state) != self._stage:
            self._stage = _stage(state)
            # What was said of the lobby is not true of the game, nor that of a pause after it.
            self.answer.forget()
        choose(self._shared["table"], [("All tables", EVERY_TABLE), *tables(state)])
        choose(self._shared["pupil"], _pupils(state))
        for row in self._rows:
            row.update(state)
        for answer in self._answers:
            answer.update(state)
        for fold, rows in self._folded:
            fold.offer(any(row.usable for row in rows))


class Row:
    """Controls that need the same things, and fields for these.

    Parameters
    ----------
    do : callable
    names : tuple of str
        The controls; those that the server does not have are left out.
    state : dict
    answer : Answer
    shared : mapping of str to widget
        The choices that other rows have too.
    latest : callable
        Told of the answer before something is said there.
    """

    def __init__(
        self,
        do: Do,
        names: tuple[str, ...],
        state: State,
        answer: Answer,
        shared: Mapping[str, widgets.Widget],
        latest: Callable[[Answer], None],
    ) -> None:
        self._do = do
        self._latest = latest
        self._answer = answer
        self._state = state
        controls = {one["do"]: one for one in (*state["controls"], DELETE) if one["do"] in names}
        # Beside Start it is offered for as long as it may be missing; elsewhere always.
        self._invites = "start" in names
        self._needs = {
            name: ("pupil",) if name in OWN_SEAT else tuple(one["needs"])
            for name, one in controls.items()
        }
        self.fields: dict[str, widgets.Widget] = {}
        for name, needs in self._needs.items():
            for need in needs:
                label = OTHERWISE.get((name, need), LABELS.get(need, ""))
                if label and need not in self.fields:
                    self.fields[need] = shared.get(need) or _field(need, label)
        self._chosen = CHOICES.keys() & self.fields.keys()
        typed = bool(self.fields)
        self.buttons: dict[str, widgets.Button] = {}
        for name, one in controls.items():

            def press(name: str = name) -> None:
                self.press(name)

            self.buttons[name] = button(one["label"], press, answer, typed=typed)
            self.buttons[name].button_style = "primary" if name in MAIN else ""
        for one in self.fields.values():
            if isinstance(one, widgets.Text) and len(self.buttons) == 1:
                on_enter(one, next(iter(self.buttons.values())).click)
        for need in self._chosen:
            self.fields[need].value = state[need]
        if "seconds" in self.fields:
            self.fields["seconds"].value = "30" if "extend" in names else str(state["seconds"])
        shown = [one for need, one in self.fields.items() if need != "pupil"]
        self.widget = box("row", *shown, *self.buttons.values())
        self.update(state)

    def update(self, state: State) -> None:
        """Show the controls that can be used now, and what others have set meanwhile."""
        for need in self._chosen:
            # What is chosen here and not set yet stays.
            if self.fields[need].value == self._state[need]:
                self.fields[need].value = state[need]
        self._state = state
        on = set()
        for one in (*state["controls"], DELETE):
            if (made := self.buttons.get(one["do"])) is not None:
                made.description = _label(one, state)
                usable = (
                    one["on"]
                    and (one["do"] != "room" or not self._invites or _unreached(state))
                    and self._is_there(one["do"])
                )
                show(made, usable)
                if usable:
                    on.add(one["do"])
        self.usable = bool(on)
        for need, given in self.fields.items():
            used = any(need in self._needs[name] for name in on)
            if need == "place":
                choose(given, places(state))
            if need == "table":
                # Other rows show it too; all that is in a row with it needs it.
                show(given, len(state["tables"]) > 1)
            elif need != "pupil":
                show(given, used)
        show(self.widget, self.usable)

    def _is_there(self, name: str) -> bool:
        """Whether the table that is chosen has what this takes back."""
        what = TAKES_BACK.get(name)
        if what is None or (at := self.fields["table"].value) in (None, EVERY_TABLE):
            return True
        return bool(self._state["tables"][at][what])

    def press(self, name: str) -> None:
        """Ask first, if this control has a question; then do it.

        Raises
        ------
        ExdecError
            Something is missing, or the server refuses.
        """
        args = self._args(name)
        one = next(one for one in (*self._state["controls"], DELETE) if one["do"] == name)
        if one["ask"]:
            self._answer.ask(
                f"{_about(self._needs[name], args, self._state)}"
                f"{_taken_back(name, args, self._state)}{one['ask']}{_kept(name, self._state)}",
                _yes(one, args, self._state),
                lambda: self._carry_out(name, args),
            )
        else:
            self._carry_out(name, args)

    def _carry_out(self, name: str, args: Mapping[str, Any]) -> None:
        done = self._do(name, **args)
        for need in ("text", "name"):
            if need in self._needs.get(name, ()):
                self.fields[need].value = ""
        self._say(done, DONE_ELSEWHERE.get(name, ""))

    def _say(self, done: Mapping[str, Any], more: str = "") -> None:
        self._latest(self._answer)
        back = dict(done.get("back", {}))
        stake = at_stake(back, self._state)

        def take_back() -> None:
            given = {name: one for name, one in back.items() if name != "do"}
            self._say(self._do(back["do"], **given))

        self._answer.say(
            f"{done['text']}{more}",
            None if stake is None else take_back,
            lambda state: stake in (None, at_stake(back, state)),
        )

    def _args(self, name: str) -> dict[str, Any]:
        args: dict[str, Any] = {}
        for need in self._needs[name]:
            given = self.fields[need].value if need in self.fields else None
            if need == "show":
                args["show"] = not self._state["reveal"]
            elif need == "on":
                args["on"] = self._state["join"] is None
            elif need == "place":
                if given is None:
                    raise ExdecError("Nobody is seated yet. Start the game first.")
                args["table"], args["firm"] = given
            elif need == "seconds":
                args["seconds"] = read_number(self.fields[need].description, str(given))
            elif need == "pupil":
                if given is None:
                    raise ExdecError("Nobody has joined yet.")
                args |= _seat(given, self._state) if name in OWN_SEAT else {"pupil": given}
            elif need in self._chosen:
                if given != self._state[need]:
                    args[need] = given
            elif need != "table" or given != EVERY_TABLE:
                args[need] = given
        return args


def at_stake(back: Mapping[str, Any], state: State) -> tuple[Any, ...] | None:
    """What a way back would change, as it is now; None if it cannot be gone now.

    Once this is not what it was, the way back does nothing any more, or something else.

    Parameters
    ----------
    back : mapping
        The control's name as ``do``, and what it needs; empty for no way back.
    state : dict
    """
    do = back.get("do")
    if not any(one["do"] == do and one["on"] for one in state["controls"]):
        return None
    if "pupil" in back:
        pupil = next(one for one in state["pupils"] if one["id"] == back["pupil"])
        return pupil["name"], pupil["table"], pupil["firm"], pupil["out"]
    if "firm" in back:
        table = state["tables"][back["table"]]
        firm = table["firms"][back["firm"]]
        if do == "take_back":
            return tuple(table["turn"]) if firm["in"] else None
        return (firm["bot"],)
    if do in ("reopen", "redo", "unend"):
        given = back["table"]
        chosen = [state["tables"][at] for at in (given if isinstance(given, list) else [given])]
        return tuple((*one["turn"], one["undone"], one["ended"]) for one in chosen)
    return tuple(state[name] for name in OF_CLASS)


def places(state: State) -> list[tuple[str, tuple[int, int]]]:
    """Every place with the names of who sits there, as choices of a list."""
    return [
        (f"{table['name']} · {firm['name']}", (at, number))
        for at, table in enumerate(state["tables"])
        for number, firm in enumerate(table["firms"])
    ]


def tables(state: State) -> list[tuple[str, int]]:
    """Every table, as choices of a list."""
    return [(table["name"], at) for at, table in enumerate(state["tables"])]


def _stage(state: State) -> tuple[str, bool]:
    """What makes old sentences untrue: how far the class is, and whether anybody is in it."""
    return state["phase"], bool(state["pupils"])


def _seat(pupil: int, state: State) -> dict[str, int]:
    """Where a pupil sits."""
    one = next(one for one in state["pupils"] if one["id"] == pupil)
    if one["table"] is None:
        raise ExdecError(f"{one['name']} has no seat. Choose another pupil.")
    return {"table": one["table"], "firm": one["firm"]}


def _pupils(state: State) -> list[tuple[str, int]]:
    return [
        (f"{one['name']} (sent out)" if one["out"] else one["name"], one["id"])
        for one in sorted(state["pupils"], key=lambda one: str(one["name"]).casefold())
    ]


def _field(need: str, label: str) -> widgets.Widget:
    if need in CHOICES:
        return widgets.Dropdown(description=label, options=CHOICES[need])
    if need == "place":
        return widgets.Dropdown(description=label)
    return field(label, _dom_classes=["exdec-short" if need == "seconds" else "exdec-long"])


def _kept(name: str, state: State) -> str:
    """Say what deleting the class does not delete; "" for another control."""
    return still_named(Path(state["file"]), state["title"]) if name == "delete" else ""


def _taken_back(name: str, args: Mapping[str, Any], state: State) -> str:
    """Name the months or steps that going back takes back; "" for another control."""
    if name not in ("undo", "reopen"):
        return ""
    chosen = [state["tables"][args["table"]]] if "table" in args else state["tables"]
    words = {
        month_name(table["last"][0])
        + ("" if name == "undo" else f", {WHAT[Step(table['last'][1])]}"): None
        for table in chosen
        if table["last"]
    }
    return f"{'; '.join(words)}. " if words else ""


def _yes(one: Mapping[str, Any], args: Mapping[str, Any], state: State) -> str:
    """What the button says that goes through with it."""
    taken = _taken_back(one["do"], args, state).removesuffix(". ")
    if taken and ";" not in taken:
        return f"Undo {taken}" if one["do"] == "undo" else f"Open {taken} again"
    return YES.get(one["do"], str(one["label"]))


def _unreached(state: State) -> bool:
    """Whether phones may have no way in yet."""
    return state["join"] is None and (state["phase"] == "lobby" or bool(state["unreached"]))


def _label(one: Mapping[str, Any], state: State) -> str:
    if one["do"] == "standings" and state["reveal"]:
        return "Hide the standings"
    return SHORT.get(one["do"], str(one["label"]))


def _about(needs: tuple[str, ...], args: Mapping[str, Any], state: State) -> str:
    """Whom a question is about, if it is one of many."""
    if "pupil" in needs:
        name = next(one["name"] for one in state["pupils"] if one["id"] == args["pupil"])
        return f"{name}: "
    if "table" not in needs or len(state["tables"]) < 2:
        return ""
    return f"{state['tables'][args['table']]['name']}: " if "table" in args else "All tables: "
