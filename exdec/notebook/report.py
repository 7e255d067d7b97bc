"""What happened, as one player may read it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import fill

from exdec.game import Game
from exdec.items import MATERIALS
from exdec.model import Final, Report, Step, month_name
from exdec.narrate import (
    dollars,
    items_of,
    line_sentence,
    posting_sentence,
    result_sentence,
    won_sentence,
)
from exdec.observe import Observation
from exdec.theme import mark

WIDTH = 88
"""Characters of a line of the story; a notebook beside its sidebar shows that many."""

NOT_YET = "Nothing is settled yet. Fill in the form above and hand it in, then run this cell again."


def report_html(report: Report, player: str, *, new: bool) -> str:
    """A settled step for one player: every posted price, and what came of this player's bids.

    Parameters
    ----------
    report : BuyReport or SaleReport
    player : str
    new : bool
        It has just happened, so a screen reader announces it.
    """
    lines = [
        f"<li>{mark(item)}{escape(said)}</li>"
        for item, said in zip(items_of(report), _sentences(report, player), strict=True)
    ]
    live = ' role="alert" aria-live="polite"' if new else ""
    return (
        f'<div class="exdec exdec-report"{live}>'
        f"<p><strong>{_title(report)}</strong></p><ul>{''.join(lines)}</ul>"
        f'<p class="exdec-result">{escape(result_sentence(report, player))}</p></div>'
    )


def welcome_html(view: Observation, rivals: Mapping[str, str]) -> str:
    """What stands in the report's place before anything has happened."""
    others = ", ".join(
        f"{player} ({rivals[player]})" if player in rivals else player
        for player in view.players
        if player != view.player
    )
    months = f"{view.rules.months} month{'s' * (view.rules.months > 1)}"
    text = (
        f"{len(view.players)} firms, {months}. You play against {others}. "
        "Nobody sees your bids before everyone has handed in."
    )
    return f'<div class="exdec exdec-report"><p>{escape(text)}</p></div>'


def final_text(final: Final, player: str) -> str:
    """Tell one player how the game ended.

    Examples
    --------
    >>> final_text(Final(("Ann", "Ben"), (70, 0), (950, 880), (50, -20), ("Ann",)), "Ann")
    'The Broker pays $70 for the certificates you still hold. Your profit is $50. You win.'
    >>> final_text(Final(("Ann", "Ben"), (0, 0), (950, 880), (50, -20), ("Ann",)), "Ben")
    'Your loss is $20. Ann wins with a profit of $50.'
    """
    at = final.players.index(player)
    profit, sold = final.profit[at], final.liquidation[at]
    left = f"The Broker pays {dollars(sold)} for the certificates you still hold. " if sold else ""
    made = f"Your {'profit' if profit >= 0 else 'loss'} is {dollars(abs(profit))}."
    if player not in final.winners:
        end = won_sentence(final)
    else:
        end = "You win." if len(final.winners) == 1 else "You share the win."
    return f"{left}{made} {end}"


def story(game: Game, player: str) -> str:
    """Everything that happened so far, as this player may know it.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", X=(2, 30))
    >>> game.order("Ben", X=(1, 35))
    >>> print(story(game, "Ann"))
    January, materials
      3 X-FINE ordered, so −7: it posts at $33. Your $30 is below it: you get none, and pay
        nothing.
      Nobody orders FINE, so −10: it posts at $20.
      Nobody orders STANDARD, so −10: it posts at $10.
      You buy nothing and have $900.
    """
    if not game.steps:
        return NOT_YET
    text = []
    for step in game.steps:
        report = step.report
        text.append(_title(report))
        faults = [
            str(fault)
            for fault in game.faults
            if (fault.month, fault.step) == (step.before.month, step.before.step)
        ]
        said = [*faults, *_sentences(report, player), result_sentence(report, player)]
        text += map(_wrapped, said)
    if game.step is Step.OVER:
        text += ["The end", _wrapped(final_text(game.final, player))]
    return "\n".join(text)


def _wrapped(sentence: str) -> str:
    """Lines that a notebook does not break again within a number."""
    return fill(
        sentence, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def _sentences(report: Report, player: str) -> list[str]:
    """What happened to each item; why nothing came of all lines is said with the first of them."""
    said: list[str] = []
    reasons: set[str] = set()
    for item in items_of(report):
        bid, but, reason = line_sentence(report, player, item).partition(", but ")
        if reason in reasons:
            bid, but, reason = f"{bid} too.", "", ""
        elif but:
            reasons.add(reason)
        said.append(f"{posting_sentence(report, item)} {bid}{but}{reason}".rstrip())
    return said


def _title(report: Report) -> str:
    what = "materials" if items_of(report) is MATERIALS else "goods"
    return f"{month_name(report.month)}, {what}"
