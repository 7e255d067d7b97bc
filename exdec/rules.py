"""The rules of Executive Decision as one table that a teacher can read and change.

`STANDARD` is the game as printed, `VARIATION` the one that fills part of a bid which misses the
market. Any other game is a variation of these: ``STANDARD.vary(months=6, partial_buys=True)``.
Everything in a `Rules` is data, so it can be saved, compared, shown in a form and used on arrays.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from exdec.errors import RulesError, shown
from exdec.items import Goods, Materials, whole

E = TypeVar("E", bound=StrEnum)
N = TypeVar("N", bound=int | None)

PLAYERS = range(2, 7)
"""How many can play."""


class Undeliverable(StrEnum):
    """What becomes of an offer that its firm cannot make (R14)."""

    PENALTY = "penalty"
    REFUSE = "refuse"


class PastTable(StrEnum):
    """What the Market Calculator shows past its last printed column (R5)."""

    EXTEND = "extend"
    CLAMP = "clamp"


class Substitution(StrEnum):
    """A certificate that may stand in for another, one for one (R12)."""

    X_FOR_F = "X for F"
    F_FOR_S = "F for S"


class Reveal(StrEnum):
    """A secret that the teacher opens to everyone once a step is settled (R21)."""

    CASH = "cash"
    BIDS = "bids"


class Calculator(NamedTuple):
    """One row of the Market Calculator: a straight line from units to price movement.

    Parameters
    ----------
    at_zero : int
        Movement in dollars when nothing is ordered or offered.
    per_unit : int
        Dollars that one more unit adds.
    last : int
        The last printed column, in units.

    Examples
    --------
    >>> STANDARD.materials_calculator.movement(12)
    2
    >>> STANDARD.goods_calculator.column[:7]
    (11, 9, 7, 5, 3, 1, -1)
    """

    at_zero: int
    per_unit: int
    last: int

    def movement(self, units: int, past_table: PastTable = PastTable.EXTEND) -> int:
        """Dollars by which the price moves when all firms together order or offer `units`."""
        if units > self.last and past_table is PastTable.CLAMP:
            units = self.last
        return self.at_zero + self.per_unit * units

    @property
    def column(self) -> tuple[int, ...]:
        """The printed row: the movement for 0, 1, … `last` units."""
        return tuple(self.movement(units) for units in range(self.last + 1))


class ByPlayers(NamedTuple, Generic[N]):
    """One whole number for each number of players; None means "no limit" where that is allowed."""

    two: N
    three: N
    four: N
    five: N
    six: N

    def at(self, players: int) -> N:
        """Return the value for a game of `players` (2 to 6)."""
        if players not in PLAYERS:
            raise RulesError(f"2 to 6 can play, not {shown(players)}.")
        return self[players - 2]


class RuleField(NamedTuple):
    """One rule as a form shows it."""

    name: str
    label: str
    help: str
    default: Any
    choices: tuple[str, ...] | None
    low: int | None
    high: int | None


# -- what each kind of field accepts -------------------------------------------------------------
# A kind turns what was given into the field's value or raises RulesError. `base` is the value
# that stands now, so that a part of a table can be given and the rest stays.

Kind = Callable[[str, Any, Any], Any]


def _whole(low: int, high: int) -> Kind:
    def accept(name: str, value: Any, _base: Any) -> int:
        try:
            number = whole(value)
        except TypeError:
            raise RulesError(
                f"{name} is a whole number from {low} to {high}, not {shown(value)}."
            ) from None
        if not low <= number <= high:
            raise RulesError(f"{name} runs from {low} to {high}; {shown(number)} is outside.")
        return number

    return accept


def _yes_or_no(name: str, value: Any, _base: Any) -> bool:
    if not isinstance(value, bool):
        raise RulesError(f"{name} is True or False, not {shown(value)}.")
    return value


def _one_of(choices: type[E]) -> Kind:
    def accept(name: str, value: Any, _base: Any) -> E:
        try:
            return choices(value)
        except ValueError:
            names = " or ".join(f'"{choice}"' for choice in choices)
            raise RulesError(f"{name} is {names}, not {shown(value)}.") from None

    return accept


def _some_of(choices: type[E]) -> Kind:
    one = _one_of(choices)

    def accept(name: str, value: Any, base: Any) -> tuple[E, ...]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            names = ", ".join(f'"{choice}"' for choice in choices)
            raise RulesError(f"{name} is a list with any of {names}, not {shown(value)}.")
        given = {one(name, item, base) for item in value}
        return tuple(choice for choice in choices if choice in given)

    return accept


def _table(make: type[Materials[Any]] | type[Goods[Any]] | type[Calculator], **kinds: Kind) -> Kind:
    """One value for each name; names left out keep the value that stands."""

    def accept(name: str, value: Any, base: Any) -> Any:
        if isinstance(value, make):
            value = value._asdict()
        if not isinstance(value, Mapping):
            raise RulesError(
                f"{name} takes a value for each of {', '.join(kinds)}: "
                f"{{{', '.join(f'{key!r}: …' for key in kinds)}}}, not {shown(value)}."
            )
        for key in value:
            if key not in kinds:
                raise RulesError(f"{name} has no {shown(key)}; it has {', '.join(kinds)}.")
        return make(
            **{
                key: kind(f"{name}[{key}]", value[key], getattr(base, key))
                if key in value
                else getattr(base, key)
                for key, kind in kinds.items()
            }
        )

    return accept


def _by_players(low: int, high: int, *, optional: bool = False) -> Kind:
    whole = _whole(low, high)
    from_text = {str(players): players for players in PLAYERS}  # JSON has only text for keys

    def accept(name: str, value: Any, base: ByPlayers[Any]) -> ByPlayers[Any]:
        if isinstance(value, ByPlayers):
            value = dict(zip(PLAYERS, value, strict=True))
        elif not isinstance(value, Mapping):
            value = dict.fromkeys(PLAYERS, value)
        values = dict(zip(PLAYERS, base, strict=True))
        for key, number in value.items():
            players = from_text.get(key, key)
            if isinstance(players, bool) or players not in PLAYERS:
                raise RulesError(
                    f"{name} is given for 2 to 6 players; {shown(key)} is none of these."
                )
            if number is None and optional:
                values[players] = None
            else:
                values[players] = whole(f"{name}[{players} players]", number, None)
        return ByPlayers(*values.values())

    return accept


def _per_material(low: int, high: int) -> Kind:
    return _table(Materials, **dict.fromkeys("XFS", _whole(low, high)))


def _per_good(kind: Kind) -> Kind:
    return _table(Goods, **dict.fromkeys("ABC", kind))


def _calculator(slope: Kind) -> Kind:
    return _table(Calculator, at_zero=_whole(-999, 999), per_unit=slope, last=_whole(0, 999))


def _rule(
    default: Any,
    kind: Kind,
    label: str,
    help: str,  # noqa: A002  (the word that forms use for it)
    *,
    choices: type[StrEnum] | None = None,
    low: int | None = None,
    high: int | None = None,
) -> Any:
    shown = None if choices is None else tuple(choices)
    about = {"kind": kind, "label": label, "help": help, "choices": shown, "low": low, "high": high}
    return field(default=default, metadata=about)


def _number(default: int, low: int, high: int, label: str, help: str) -> Any:  # noqa: A002
    return _rule(default, _whole(low, high), label, help, low=low, high=high)


# -- the table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Every rule of the game, with the printed game as its defaults.

    Each field's label and help text can be read at run time (`Rules.fields`), and `vary` makes
    other games. Money is in whole dollars.

    Raises
    ------
    RulesError
        A value that makes no sense; the message gives the range or the choices.

    Examples
    --------
    >>> Rules() == STANDARD
    True
    >>> STANDARD.vary(months=6, partial_buys=True).changes()
    {'months': 6, 'partial_buys': True}
    >>> STANDARD.vary(partial_buy=True)
    Traceback (most recent call last):
    ...
    exdec.errors.RulesError: There is no rule 'partial_buy'. Did you mean 'partial_buys'?
    """

    months: int = _number(
        12, 1, 12, "Months", "How many months make a game, from January on (R20)."
    )
    starting_cash: ByPlayers[int] = _rule(
        ByPlayers(900, 600, 450, 350, 300),
        _by_players(0, 999_999),
        "Starting cash",
        "Dollars each firm begins with, by the number of players (R7).",
    )
    order_limit: ByPlayers[int] = _rule(
        ByPlayers(18, 12, 9, 7, 6),
        _by_players(1, 999),
        "Order limit",
        "Units of all grades together that one firm may order a month, by the number of players "
        "(R7).",
    )
    grade_limit: ByPlayers[int | None] = _rule(
        ByPlayers(12, None, None, None, None),
        _by_players(1, 999, optional=True),
        "Limit for one grade",
        "Units of one grade that one firm may order a month, by the number of players; none means "
        "that only the order limit counts (R7).",
    )
    opening_materials: Materials[int] = _rule(
        Materials(X=40, F=30, S=20),
        _per_material(0, 99_999),
        "Opening prices of materials",
        "Dollars a unit before January; each month moves the price from the month before.",
    )
    opening_goods: Goods[int] = _rule(
        Goods(A=140, B=115, C=90),
        _per_good(_whole(0, 99_999)),
        "Opening prices of goods",
        "Dollars a unit before January; each month moves the price from the month before.",
    )
    materials_calculator: Calculator = _rule(
        Calculator(at_zero=-10, per_unit=1, last=24),
        _calculator(_whole(0, 99)),
        "Market Calculator, materials",
        "How far a material's price moves: $10 down when nobody orders, and $1 up for each unit "
        "ordered by all firms together (R1).",
    )
    goods_calculator: Calculator = _rule(
        Calculator(at_zero=11, per_unit=-2, last=16),
        _calculator(_whole(-99, 0)),
        "Market Calculator, goods",
        "How far a good's price moves: $11 up when nobody offers, and $2 down for each unit "
        "offered by all firms together (R2).",
    )
    past_table: PastTable = _rule(
        PastTable.EXTEND,
        _one_of(PastTable),
        "Past the printed table",
        "Totals beyond the Market Calculator's last column: go on along the same line (extend), "
        "or move as the last column says (clamp) (R5).",
        choices=PastTable,
    )
    materials_floor: int = _number(
        1, 0, 99_999, "Lowest price of materials", "Dollars below which no material posts (R6)."
    )
    goods_floor: int = _number(
        1, 0, 99_999, "Lowest price of goods", "Dollars below which no good posts (R6)."
    )
    production: Goods[Materials[int]] = _rule(
        Goods(
            A=Materials(X=2, F=1, S=0),
            B=Materials(X=1, F=1, S=1),
            C=Materials(X=0, F=1, S=2),
        ),
        _per_good(_per_material(0, 9)),
        "Production Chart",
        "Certificates that one unit of each good takes (R4).",
    )
    substitutions: tuple[Substitution, ...] = _rule(
        (Substitution.X_FOR_F, Substitution.F_FOR_S),
        _some_of(Substitution),
        "Substitutions",
        "Which certificate may stand in for which, one for one and one step only: X-FINE never "
        "fills a STANDARD place (R12).",
        choices=Substitution,
    )
    undeliverable: Undeliverable = _rule(
        Undeliverable.PENALTY,
        _one_of(Undeliverable),
        "Offers that cannot be made",
        "A firm that cannot deliver all it has sold sells nothing this month (penalty), or an "
        "offer that cannot be made is not taken in the first place (refuse) (R14).",
        choices=Undeliverable,
    )
    partial_buys: bool = _rule(
        False,
        _yes_or_no,
        "Part of a low bid is filled",
        "Variation, buying: a bid below the market loses some units rather than all (R16).",
    )
    buy_dollars_per_unit_lost: int = _number(
        1,
        1,
        999,
        "Dollars below the market that cost one unit",
        "In the variation, one unit of the order is lost for each so many dollars, or part of "
        "them, that the bid is below the market (R16).",
    )
    partial_sales: bool = _rule(
        False,
        _yes_or_no,
        "Part of a high ask is sold",
        "Variation, selling: an ask above the market loses some units rather than all (R17).",
    )
    sale_dollars_per_unit_lost: int = _number(
        2,
        1,
        999,
        "Dollars above the market that cost one unit",
        "In the variation, one unit of the offer is lost for each so many dollars, or part of "
        "them, that the ask is above the market (R17).",
    )
    reveal: tuple[Reveal, ...] = _rule(
        (),
        _some_of(Reveal),
        "Opened to everyone",
        "Secrets that all may see once a step is settled: each firm's cash, and what it bid "
        "(R21). Prices, units and certificates are always open.",
        choices=Reveal,
    )

    def __post_init__(self) -> None:
        for rule in dataclasses.fields(self):
            value = rule.metadata["kind"](rule.name, getattr(self, rule.name), rule.default)
            object.__setattr__(self, rule.name, value)
        for item, price in self.opening_materials._asdict().items():
            _above_floor("opening_materials", item, price, "materials_floor", self.materials_floor)
        for item, price in self.opening_goods._asdict().items():
            _above_floor("opening_goods", item, price, "goods_floor", self.goods_floor)
        for good, recipe in self.production._asdict().items():
            if not sum(recipe):
                raise RulesError(f"production[{good}] takes no certificate; give it at least one.")

    @staticmethod
    def fields() -> tuple[RuleField, ...]:
        """Every rule with its label, help text, default, and choices or range, for forms.

        Examples
        --------
        >>> Rules.fields()[0].help
        'How many months make a game, from January on.'
        """
        return tuple(
            RuleField(
                name=rule.name,
                label=rule.metadata["label"],
                # The number of the ruling is for who reads the table here.
                help=re.sub(r" \(R\d+(, R\d+)*\)", "", rule.metadata["help"]),
                default=rule.default,
                choices=rule.metadata["choices"],
                low=rule.metadata["low"],
                high=rule.metadata["high"],
            )
            for rule in dataclasses.fields(Rules)
        )

    def vary(self, /, **changes: Any) -> Rules:
        """These rules with some of them changed.

        Tables may be given in part: ``vary(starting_cash={2: 1000})`` leaves the cash of the other
        numbers of players as it is.

        Raises
        ------
        RulesError
            An unknown name (the message gives the nearest right one) or a senseless value.
        """
        kinds = {rule.name: rule.metadata["kind"] for rule in dataclasses.fields(self)}
        for name in changes:
            if name not in kinds:
                near = get_close_matches(str(name), kinds, n=1, cutoff=0.5)
                hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(kinds)}."
                raise RulesError(f"There is no rule {shown(name)}. {hint}")
        accepted = {
            name: kinds[name](name, value, getattr(self, name)) for name, value in changes.items()
        }
        return dataclasses.replace(self, **accepted)

    def changes(self) -> dict[str, Any]:
        """What differs from the standard game, as plain data that JSON can hold.

        ``STANDARD.vary(**rules.changes())`` gives the rules back.
        """
        plain = self.plain()
        return {
            rule.name: plain[rule.name]
            for rule in dataclasses.fields(self)
            if getattr(self, rule.name) != rule.default
        }

    def plain(self) -> dict[str, Any]:
        """Every rule, as plain data that JSON can hold."""
        return {rule.name: _plain(getattr(self, rule.name)) for rule in dataclasses.fields(self)}


def _above_floor(table: str, item: str, price: int, floor_name: str, floor: int) -> None:
    if price < floor:
        raise RulesError(f"{table}[{item}] is ${price}, below {floor_name} ${floor}. Change one.")


def _plain(value: Any) -> Any:
    if isinstance(value, ByPlayers):
        return {str(players): _plain(n) for players, n in zip(PLAYERS, value, strict=True)}
    if isinstance(value, Materials | Goods | Calculator):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


STANDARD = Rules()
"""The game as printed."""

VARIATION = STANDARD.vary(partial_buys=True, partial_sales=True)
"""The printed variation: part of a bid that misses the market is filled (R16, R17)."""
