"""Whole games as plain text, for the command line: the board, the tallies and the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exdec import frames
from exdec.game import Game
from exdec.items import GOODS, MATERIALS
from exdec.model import MONTHS, Line, Outcome, Purchase, Result, Step, month_name, possessive
from exdec.narrate import dollars, final_sentence

MARKS = {
    Outcome.BELOW_MARKET: ("below", "the bid is below the market: nothing is bought"),
    Outcome.ABOVE_MARKET: ("above", "the ask is above the market: nothing is sold"),
    Outcome.SHORT_OF_CASH: ("no cash", "the month's successful bids cost more than there is"),
    Outcome.CANNOT_DELIVER: ("no goods", "the month's sales take more certificates than there are"),
    Outcome.PARTLY_FILLED: ("got", "only so many of the units change hands"),
}
"""How a tally marks each outcome that loses units: a word, and what it means."""


def game_text(game: Game, strategies: Mapping[str, str] | None = None) -> str:
    """Write out a whole game, finished or not, with every bid that was opened.

    Parameters
    ----------
    game : Game
    strategies : mapping of player to name, optional
        Which strategy played which seat.
    """
    names = strategies or {}
    tallies = [tally_text(game, player, names.get(player, "")) for player in game.players]
    faults = ["\n".join(["Moves that were lost", *map(str, game.faults)])] if game.faults else []
    return "\n\n".join([board_text(game), tally_key(game), *tallies, *faults, result_text(game)])


def board_text(game: Game) -> str:
    """Write the Price Level Board, a column for each month.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> report = game.open_bids()
    >>> print(board_text(game))
    Price Level Board, dollars a unit
              Opening  Jan
    X-FINE         40   30
    FINE           30   20
    STANDARD       20   10
    A             140
    B             115
    C              90
    """
    board = frames.board(game)
    head = ["", *(name[:3] if name in MONTHS else name for name in board.columns)]
    prices = board.astype("string").fillna("").itertuples()
    return "Price Level Board, dollars a unit\n" + columns([head, *prices], left=[0])


def tally_key(game: Game) -> str:
    """Say how to read the tallies, with the marks that occur in this game."""
    lost = {
        line.outcome for step in game.steps for firm in step.report.firms for line in firm.lines
    }
    marks = [[f"  {word}", text] for outcome, (word, text) in MARKS.items() if outcome in lost]
    key = "Tallies: units@bid, and a word where units are lost"
    return f"{key}\n{columns(marks, left=[0, 1])}" if marks else key


def tally_text(game: Game, player: str, strategy: str = "") -> str:
    """Write one player's Tally sheet, a row for each month.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", X=(2, 40), S=(6, 23))
    >>> game.order("Ben", X=(9, 41))
    >>> print(tally_text(game, "Ann"))
    Ann's tally
         X-FINE      FINE  STANDARD  paid  A  B  C  received  cash
    Jan  2@40 below        6@23      $138                     $762
    """
    seat = game.players.index(player)
    labels = [*(grade.label for grade in MATERIALS), "paid", *GOODS, "received"]
    rows = [["", *labels, "cash"]]
    for bought, sold in zip(game.steps[::2], [*game.steps[1::2], None], strict=False):
        purchase = bought.report.firms[seat]
        row = [month_name(bought.report.month)[:3], *_half(purchase)]
        if sold is None:
            row += ["", "", "", "", dollars(purchase.cash)]
        else:
            sale = sold.report.firms[seat]
            row += [*_half(sale), dollars(sale.cash)]
        rows.append(row)
    title = f"{possessive(player)} tally" + (f" ({strategy})" if strategy else "")
    return f"{title}\n{columns(rows, left=[0, 1, 2, 3, 5, 6, 7])}"


def result_text(game: Game) -> str:
    """Write what each player ends with and who won, or where an unfinished game goes on."""
    if game.step is not Step.OVER:
        kind = "orders" if game.step is Step.BUY else "offers"
        return f"The game goes on with {possessive(month_name(game.month))} {kind}."
    final = game.final
    rows = [["Result", "last certificates", "cash in the end", "profit"]]
    for player, *amounts in zip(
        final.players, final.liquidation, final.cash, final.profit, strict=True
    ):
        rows.append([player, *map(dollars, amounts)])
    return f"{columns(rows, left=[0])}\n\n{final_sentence(final)}"


def _half(result: Result) -> list[str]:
    """One month's order or offer as four cells: three lines, and what they came to."""
    amount = result.paid if isinstance(result, Purchase) else result.received
    return [*map(_cell, result.lines), dollars(amount) if amount else ""]


def _cell(line: Line) -> str:
    if not line.units:
        return ""
    bid = f"{line.units}@{line.price}"
    if line.outcome is Outcome.PARTLY_FILLED:
        return f"{bid} got {line.filled}"
    return f"{bid} {MARKS[line.outcome][0]}" if line.outcome in MARKS else bid


def columns(rows: Sequence[Iterable[str]], left: Sequence[int]) -> str:
    """Align rows of cells two spaces apart: the columns in `left` left, the others right.

    Examples
    --------
    >>> print(columns([("Ann", "$50"), ("Ben", "−$20")], left=[0]))
    Ann   $50
    Ben  −$20
    """
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
