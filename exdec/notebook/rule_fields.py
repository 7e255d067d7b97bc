"""A field for each rule, made from what the rules say of themselves."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import ipywidgets as widgets

from exdec.errors import RulesError, shown
from exdec.rules import PLAYERS, STANDARD, VARIATION, ByPlayers, RuleField, Rules

GAMES: dict[str, Rules] = {"Standard": STANDARD, "Variation": VARIATION}


class RuleFields:
    """Every rule but the number of months: the usual ones by a name, and each by itself.

    Parameters
    ----------
    **told
        How the first choice is laid out.

    Attributes
    ----------
    game : widgets.ToggleButtons
        The usual rules, by name; a choice sets the fields.
    fields : dict of str to widgets.Widget
        By the rule's name.
    box : widgets.Box
        The fields, each with what it means.
    """

    def __init__(self, **told: Any) -> None:
        self.game = widgets.ToggleButtons(options=list(GAMES), description="Rules", **told)
        self.fields = {rule.name: _field(rule) for rule in _rules()}
        rules: list[widgets.Widget] = []
        for rule in _rules():
            rules += [self.fields[rule.name], widgets.HTML(help_html(_help(rule)))]
        self.box = widgets.Box(rules, _dom_classes=["exdec-fields", "exdec-rules"])

    @property
    def widgets(self) -> list[widgets.Widget]:
        """What changes when another rule is chosen."""
        return [self.game, *self.fields.values()]

    def choose(self) -> None:
        """Set the fields to the usual rules that are chosen by name."""
        chosen = GAMES[self.game.value]
        for name in ("partial_buys", "partial_sales"):
            self.fields[name].value = getattr(chosen, name)

    def rules(self, months: int) -> Rules:
        """The rules as they stand in the fields.

        Raises
        ------
        RulesError
            A value that makes no sense; the message gives the range or the choices.
        """
        changes = {rule.name: _value(rule, self.fields[rule.name].value) for rule in _rules()}
        try:
            return STANDARD.vary(months=months, **changes)
        except RulesError as error:
            raise RulesError(_by_label(str(error))) from None


def _rules() -> list[RuleField]:
    return [rule for rule in Rules.fields() if rule.name != "months"]


def help_html(text: str) -> str:
    """What a field means, beside it."""
    return f'<p class="exdec-quiet">{escape(text)}</p>'


def _field(rule: RuleField) -> widgets.Widget:
    told = {"description": rule.label, "style": {"description_width": "initial"}}
    if isinstance(rule.default, bool):
        return widgets.Checkbox(value=rule.default, indent=False, **told)
    if rule.choices is not None and isinstance(rule.default, tuple):
        return widgets.SelectMultiple(
            options=rule.choices, value=rule.default, rows=len(rule.choices), **told
        )
    if rule.choices is not None:
        return widgets.Dropdown(options=rule.choices, value=str(rule.default), **told)
    return widgets.Text(value=", ".join(str(n).lower() for _, n in _leaves(rule.default)), **told)


def _help(rule: RuleField) -> str:
    """A rule's help text, and for a table what its numbers stand for."""
    if not hasattr(rule.default, "_asdict"):
        return rule.help
    names = [
        " ".join(str(part).replace("_", " ") for part in path) for path, _ in _leaves(rule.default)
    ]
    players = " players" if isinstance(rule.default, ByPlayers) else ""
    return f"{rule.help} In this order: {', '.join(names)}{players}."


def _value(rule: RuleField, value: Any) -> Any:
    """What a rule's field holds, as `Rules.vary` takes it."""
    if type(rule.default) is int:
        return _number(rule, value.strip())
    if not hasattr(rule.default, "_asdict"):
        return value
    paths = [path for path, _ in _leaves(rule.default)]
    numbers = [word.strip() for word in value.split(",")]
    if len(numbers) != len(paths):
        raise RulesError(
            f"{rule.label}: write {len(paths)} numbers with commas between them, "
            f"not {shown(value)}."
        )
    table: dict[Any, Any] = {}
    for path, word in zip(paths, numbers, strict=True):
        part = table
        for name in path[:-1]:
            part = part.setdefault(name, {})
        part[path[-1]] = _number(rule, word)
    return table


def _number(rule: RuleField, word: str) -> int | None:
    if word.lower() == "none":
        return None
    try:
        return int(word.replace("−", "-"))
    except ValueError:
        raise RulesError(f"{rule.label}: {shown(word)} is not a whole number.") from None


def _by_label(text: str) -> str:
    """A sentence about rules, with the names that the panel gives them."""
    for rule in Rules.fields():
        text = re.sub(rf"(?<!\w){rule.name}\[([^]]+)\]", rf"{rule.label} (\1)", text)
        text = re.sub(rf"(?<!\w){rule.name}(?= (?:is|runs|takes|has|\$))", rule.label, text)
    return text


def _leaves(value: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """The numbers of a table, each with the names that lead to it."""
    if isinstance(value, ByPlayers):
        return [((players,), number) for players, number in zip(PLAYERS, value, strict=True)]
    if not hasattr(value, "_asdict"):
        return [((), value)]
    return [
        ((name, *path), number)
        for name, part in value._asdict().items()
        for path, number in _leaves(part)
    ]
