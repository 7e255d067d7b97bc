"""A game as one piece of HTML, for where no widgets run."""

from __future__ import annotations

from html import escape

from exdec.game import Game
from exdec.model import Step
from exdec.notebook.board import board_html
from exdec.notebook.ending import ending_html
from exdec.notebook.stage import onlooker, where_sentence
from exdec.theme import STYLESHEET


def game_html(game: Game) -> str:
    """Where a game stands, as everyone may see it: the board, and at the end who won (R21).

    Examples
    --------
    >>> "January (1 of 12)" in game_html(Game(["Ann", "Ben"]))
    True
    """
    if game.step is Step.OVER:
        then = ending_html(game, None, {})
    else:
        handed_in = [player for player in game.players if player not in game.waiting]
        then = (
            f'<p class="exdec">Handed in: {escape(", ".join(handed_in)) or "nobody"}. '
            f"Waiting for: {escape(', '.join(game.waiting))}.</p>"
        )
    faults = "".join(f"<li>{escape(str(fault))}</li>" for fault in game.faults)
    if faults:
        then += f'<div class="exdec"><p>Moves that were lost:</p><ul>{faults}</ul></div>'
    return (
        f'<div class="exdec-static mathjax_ignore"><style>{STYLESHEET}</style>'
        f'<div class="exdec exdec-head"><p class="exdec-where">{where_sentence(game)}</p></div>'
        f"{then}{board_html(onlooker(game), {})}</div>"
    )
