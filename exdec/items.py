"""The six things that are traded, and one value for each of them."""

from __future__ import annotations

import operator
from enum import StrEnum
from typing import Generic, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Material(StrEnum):
    """A grade of raw material; its certificates are bought from the Broker."""

    X = "X"
    F = "F"
    S = "S"

    @property
    def label(self) -> str:
        """The name on the Price Level Board."""
        return {"X": "X-FINE", "F": "FINE", "S": "STANDARD"}[self.value]


class Good(StrEnum):
    """A finished good; it is made from certificates and sold to the Broker."""

    A = "A"
    B = "B"
    C = "C"

    @property
    def label(self) -> str:
        """The name on the Price Level Board."""
        return self.value


def whole(value: object) -> int:
    """Take a whole number, those that NumPy and pandas count with included, but no truth value.

    Raises
    ------
    TypeError
        It is none.

    Examples
    --------
    >>> whole(3)
    3
    >>> whole(True)
    Traceback (most recent call last):
    TypeError
    """
    # Before NumPy 2.3, its truth values pass for whole numbers.
    if type(value).__name__ in ("bool", "bool_"):
        raise TypeError
    return operator.index(value)  # type: ignore[arg-type]


Item: TypeAlias = Material | Good

MATERIALS = tuple(Material)
GOODS = tuple(Good)


class Materials(NamedTuple, Generic[T]):
    """One value for each grade of material, in the order of the Price Level Board.

    Examples
    --------
    >>> held = Materials(X=1, F=2, S=3)
    >>> held.F, sum(held)
    (2, 6)
    """

    X: T
    F: T
    S: T


class Goods(NamedTuple, Generic[T]):
    """One value for each good, in the order of the Price Level Board.

    Examples
    --------
    >>> Goods(A=140, B=115, C=90)._asdict()
    {'A': 140, 'B': 115, 'C': 90}
    """

    A: T
    B: T
    C: T
