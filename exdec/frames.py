"""Games as pandas frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from exdec.engine import seat
from exdec.items import GOODS, MATERIALS
from exdec.model import BuyReport, month_name
from exdec.narrate import items_of

if TYPE_CHECKING:
    from exdec.game import Game


class Board(pd.DataFrame):
    """A frame that shows what is not posted yet as an empty cell."""

    def __repr__(self) -> str:
        return self._shown().to_string()

    def _repr_html_(self) -> str:
        return self._shown().to_html()

    def _shown(self) -> pd.DataFrame:
        return self.astype("string").fillna("")


def board(game: Game) -> Board:
    """The Price Level Board.

    Returns
    -------
    pandas.DataFrame
        Six rows (X-FINE, FINE, STANDARD, A, B, C), a column "Opening" and one for each month in
        which something is posted; whole dollars a unit, `pandas.NA` where nothing is posted yet.
    """
    rules = game.rules
    opening = [*rules.opening_materials, *rules.opening_goods]
    columns: dict[str, list[int | None]] = {"Opening": [*opening]}
    for step in game.steps:
        report = step.report
        column = columns.setdefault(month_name(report.month), [None] * 6)
        if isinstance(report, BuyReport):
            column[:3] = report.prices
        else:
            column[3:] = report.prices
    labels = [*(grade.label for grade in MATERIALS), *(good.label for good in GOODS)]
    return Board(columns, index=labels, dtype="Int64")


def tally(game: Game, player: str) -> pd.DataFrame:
    """One player's Tally sheet.

    Returns
    -------
    pandas.DataFrame
        A row for each line that was bid, the oldest first: ``month`` (name), ``item`` (label),
        ``units`` and ``bid`` (dollars a unit) as written, ``market`` (posted price), ``filled``
        (units that changed hands), ``paid`` and ``received`` (dollars), ``outcome`` (in words).

    Raises
    ------
    TurnError
        Nobody of that name plays.
    """
    at = seat(game.state, player)
    rows = []
    for step in game.steps:
        report = step.report
        buying = isinstance(report, BuyReport)
        items = items_of(report)
        for item, line, market in zip(items, report.firms[at].lines, report.prices, strict=True):
            if line.units:
                rows.append(
                    {
                        "month": month_name(report.month),
                        "item": item.label,
                        "units": line.units,
                        "bid": line.price,
                        "market": market,
                        "filled": line.filled,
                        "paid": line.amount if buying else 0,
                        "received": 0 if buying else line.amount,
                        "outcome": line.outcome.value,
                    }
                )
    columns = ["month", "item", "units", "bid", "market", "filled", "paid", "received", "outcome"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype(dict.fromkeys(columns[2:8], "int64"))
