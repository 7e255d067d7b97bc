"""The whole outcome of a game as plain data: what ``exdec score --json`` prints."""

from __future__ import annotations

from typing import Any

from exdec.game import Game
from exdec.model import BuyReport, Purchase, Report, Sale, Step
from exdec.record import Record

FORMAT = "exdec-score"
VERSION = 1


def score(played: Game | Record) -> dict[str, Any]:
    """Say what came of every month of a game, and of the whole.

    Parameters
    ----------
    played : Game or Record
        Finished or not.

    Returns
    -------
    dict
        Plain data that JSON can hold: ``players``; ``months``, each with ``units`` and ``prices``
        by item and ``firms`` by player; and ``final``, which is None until the last month is
        complete (R19). All money is in whole dollars. A month of which only the buying is played
        has nothing about goods and sales.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", S=(6, 23))
    >>> game.order("Ben")
    >>> month = score(game)["months"][0]
    >>> month["prices"]
    {'X': 30, 'F': 20, 'S': 16}
    >>> month["firms"]["Ann"]["paid"], score(game)["final"]
    (138, None)
    """
    game = played.game() if isinstance(played, Record) else played
    months: list[dict[str, Any]] = []
    for step in game.steps:
        if isinstance(step.report, BuyReport):
            months.append(
                {
                    "month": step.report.month,
                    "units": {},
                    "prices": {},
                    "firms": {player: {} for player in game.players},
                }
            )
        _add(months[-1], step.report)
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(game.players),
        "months": months,
        "final": _final(game) if game.step is Step.OVER else None,
    }


def _add(month: dict[str, Any], report: Report) -> None:
    """Add what one step brought; cash and certificates are those after the latest step."""
    month["units"] |= report.units._asdict()
    month["prices"] |= report.prices._asdict()
    results: tuple[Purchase | Sale, ...] = report.firms
    for player, result in zip(report.players, results, strict=True):
        firm = month["firms"][player]
        for gone in ("cash", "materials"):
            firm.pop(gone, None)
        firm |= _purchase(result) if isinstance(result, Purchase) else _sale(result)
        firm |= {"cash": result.cash, "materials": result.materials._asdict()}


def _purchase(purchase: Purchase) -> dict[str, Any]:
    return {
        "bought": {item: line.filled for item, line in purchase.lines._asdict().items()},
        "paid": purchase.paid,
        "purchase_void": purchase.void,
    }


def _sale(sale: Sale) -> dict[str, Any]:
    return {
        "sold": {item: line.filled for item, line in sale.lines._asdict().items()},
        "received": sale.received,
        "sale_void": sale.void,
    }


def _final(game: Game) -> dict[str, Any]:
    final = game.final
    return {
        "liquidation": dict(zip(final.players, final.liquidation, strict=True)),
        "cash": dict(zip(final.players, final.cash, strict=True)),
        "profit": dict(zip(final.players, final.profit, strict=True)),
        "winners": list(final.winners),
    }
