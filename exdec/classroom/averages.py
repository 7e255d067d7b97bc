"""The prices of several tables together: in numbers, and in words that hold for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from exdec.items import MATERIALS, Item
from exdec.model import month_name
from exdec.narrate import dollars, whole


def means(columns: Sequence[Sequence[int]]) -> list[int | None]:
    """Average each column, in whole dollars or units; None of nothing.

    Examples
    --------
    >>> means([[40, 41], [30], []])
    [41, 30, None]
    """
    return [whole(sum(some) / len(some)) if some else None for some in columns]


def average_sentences(
    month: int,
    items: Sequence[Item],
    prices: Sequence[Sequence[int]],
    names: Sequence[str],
    of: int,
) -> list[str]:
    """Say where prices stand at the tables that have posted them.

    How a price moved is not said: the Market Calculator moves a table's price by that table's
    units, and averages of both do not follow it. Who wants to know that looks at one table.

    Parameters
    ----------
    month : int
        From 1.
    items : sequence of Material or Good
    prices : sequence of sequence of int
        For each item what every one of these tables has posted, in dollars.
    names : sequence of str
        The tables that have posted.
    of : int
        How many tables there are.

    Returns
    -------
    list of str
        A heading without a stop, then sentences.

    Examples
    --------
    >>> from exdec.items import MATERIALS
    >>> posted = [(38, 41), (30, 30), (20, 20)]
    >>> names = ["Table 1", "Table 2"]
    >>> head, x_fine, fine, standard = average_sentences(1, MATERIALS, posted, names, 3)
    >>> head
    'January, materials: 2 of 3 tables'
    >>> x_fine
    'X-FINE posts at $40 on average, from $38 to $41.'
    >>> fine
    'FINE posts at $30 at each table.'
    """
    few = f": {names[0]} only" if len(names) == 1 else f": {len(names)} of {of} tables"
    return [
        f"{heading(month, items)}{few if len(names) < of else ''}",
        *(
            f"{item.label} posts at {_where(posted)}."
            for item, posted in zip(items, prices, strict=True)
        ),
    ]


def heading(month: int, items: Sequence[Item]) -> str:
    """Name a step by what was posted.

    Examples
    --------
    >>> from exdec.items import GOODS
    >>> heading(1, GOODS)
    'January, goods'
    """
    return f"{month_name(month)}, {'materials' if items == MATERIALS else 'goods'}"


def _where(posted: Sequence[int]) -> str:
    low, high = min(posted), max(posted)
    if low < high:
        average = whole(sum(posted) / len(posted))
        return f"{dollars(average)} on average, from {dollars(low)} to {dollars(high)}"
    return f"{dollars(low)}{' at each table' * (len(posted) > 1)}"
