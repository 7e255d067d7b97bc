"""How a game ended: who won, what made each firm's profit, and what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from exdec.analysis import PARTS, split_profit
from exdec.game import Game
from exdec.narrate import change, dollars, final_sentence
from exdec.notebook.report import final_text
from exdec.rules import Reveal
from exdec.turning import turning_points


def ending_html(game: Game, player: str | None, rivals: Mapping[str, str]) -> str:
    """Standings, each firm's profit in its parts, and the turning points.

    Parameters
    ----------
    game : Game
        A finished game.
    player : str or None
        Whom it speaks to; None is for a screen that all look at.
    rivals : mapping of player to strategy
        Which seats played by themselves.

    Raises
    ------
    TurnError
        The game is not over.
    """
    final = game.final
    said = final_sentence(final) if player is None else final_text(final, player)
    return (
        '<div class="exdec exdec-ending"><p><strong>The end.</strong> '
        f"{escape(said)}</p>{_standings(game, player, rivals)}"
        f"{_decided(game, player, rivals)}</div>"
    )


def _decided(game: Game, player: str | None, rivals: Mapping[str, str]) -> str:
    """What decided the game, in a few sentences.

    Bids stay closed after the end too (R21): players meet again. A person reads of no bids but
    his own, unless the rules open them, or nobody but rivals played.
    """
    if Reveal.BIDS in game.rules.reveal or len(rivals) == len(game.players):
        seen: tuple[str, ...] = game.players
    else:
        seen = () if player is None else (player,)
    points = turning_points(game, player, seen)
    if not points:
        return ""
    lines = "".join(f"<li>{escape(point.text)}</li>" for point in points)
    return f'<p class="exdec-title"><strong>What decided it</strong></p><ul>{lines}</ul>'


def _standings(game: Game, player: str | None, rivals: Mapping[str, str]) -> str:
    final = game.final
    cash = dict(zip(final.players, final.cash, strict=True))
    wins = " · wins" if len(final.winners) == 1 else " · shares the win"
    rows = []
    for split in sorted(split_profit(game), key=lambda split: -split.profit):
        who = split.player
        about = "you" if who == player and who != "You" else rivals.get(who, "")
        place = 1 + sum(other > split.profit for other in final.profit)
        parts = "".join(f"<td>{change(getattr(split, part))}</td>" for part in PARTS)
        rows.append(
            f'<tr{" class=exdec-mine" * (who == player)}><th scope="row">{escape(who)} '
            f'<span class="exdec-quiet">{escape(about)}</span></th>'
            f"<td>{place}{wins * (place == 1)}</td><td>{dollars(cash[who])}</td>"
            f"<td><strong>{change(split.profit)}</strong></td>{parts}</tr>"
        )
    names = ("firm", "place", "cash", "profit", *PARTS.values())
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        '<div class="exdec-scroll" role="region" tabindex="0" aria-label="Profit">'
        f"<table><caption>Profit, and what made it</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
