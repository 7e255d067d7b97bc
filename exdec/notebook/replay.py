"""A recorded game, looked at step by step."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import ipywidgets as widgets

from exdec.game import Game
from exdec.model import Step, month_name
from exdec.notebook.clicks import guarded, warning_html
from exdec.notebook.ending import ending_html
from exdec.notebook.stage import (
    Parts,
    Stage,
    head_html,
    posted_html,
    room_parts,
    told_html,
    where_sentence,
)

OPEN = "This is the teacher's view: every bid lies open."


class Replay:
    """A game with a slider from Opening to its last step. Make it the last line of a cell.

    Parameters
    ----------
    game : Game
        Finished or not.
    rivals : mapping of player to strategy, optional
        Which seats played by themselves.
    title : str, optional
        What the record calls itself.
    lost : str, optional
        What a torn last line cost, as a sentence.
    stage : Stage, optional
        Outputs that are shown already.
    """

    def __init__(
        self,
        game: Game,
        rivals: Mapping[str, str] | None = None,
        title: str = "",
        lost: str | None = None,
        *,
        stage: Stage | None = None,
    ) -> None:
        self.game = game
        self._rivals = dict(rivals or {})
        self._title = title
        self._notes = (lost,) if lost else ()
        self._new = False
        self._message = widgets.HTML()
        stops = ["Opening", *(_stop(step.report.month, at) for at, step in enumerate(game.steps))]
        self._slider = widgets.SelectionSlider(
            options=[(stop, at) for at, stop in enumerate(stops)],
            description="Look at",
            continuous_update=False,
        )
        self._back = widgets.Button(description="One step back")
        self._on = widgets.Button(description="One step on", button_style="primary")
        self._back.on_click(guarded(lambda: self.go(self.at - 1), self._complain))
        self._on.on_click(guarded(lambda: self.go(self.at + 1), self._complain))
        self._slider.observe(guarded(self._redraw, self._complain), "value")
        buttons = widgets.Box([self._back, self._on], _dom_classes=["exdec-buttons"])
        self._stage = stage or Stage()
        play = widgets.Box([self._slider, buttons, self._message], _dom_classes=["exdec-play"])
        self._stage.controls = play
        self._set_buttons()

    @property
    def at(self) -> int:
        """How many settled steps are shown; 0 is Opening."""
        return int(self._slider.value)

    def go(self, at: int) -> None:
        """Show the game after so many settled steps; past either end, the end."""
        self._slider.value = max(0, min(at, len(self.game.steps)))

    def _redraw(self) -> None:
        self._new = True
        self._set_buttons()
        self._stage.draw(self.parts())

    def _set_buttons(self) -> None:
        self._message.value = ""
        self._back.disabled = self.at == 0
        self._on.disabled = self.at == len(self.game.steps)

    def _complain(self, text: str) -> None:
        self._message.value = warning_html(text)

    def parts(self) -> Parts:
        """What everyone may see, part by part."""
        game = _as_far_as(self.game, self.at)
        last = self.at == len(self.game.steps)
        if game.report is None:
            who = ", ".join(self._named(player) for player in game.players)
            report = told_html(f"{who}. Go on step by step, or move the slider. {OPEN}")
        else:
            report = posted_html(game.report, bids=True, new=self._new, then=OPEN)
        if game.step is Step.OVER:
            report = ending_html(game, None, self._rivals) + report
        if not last:
            then = "The slider takes the arrow keys too."
        elif game.step is Step.OVER:
            then = "This is the end of the game."
        else:
            then = "The record stops here; the game is not over."
        where = where_sentence(game) if game.report is None or last else _after(game)
        head = head_html(where, escape(self._title), then, self._notes, large=self._stage.large)
        return room_parts(game, self._rivals, head, report)

    def _named(self, player: str) -> str:
        return f"{player} ({self._rivals[player]})" if player in self._rivals else player

    def open(self) -> None:
        """Draw it on a stage that is shown already."""
        self._stage.draw(self.parts())

    def _ipython_display_(self) -> None:
        self._stage.show(self.parts())


def _stop(month: int, at: int) -> str:
    return f"{month_name(month)}, {'goods' if at % 2 else 'materials'}"


def _after(game: Game) -> str:
    assert game.report is not None
    return f"After {_stop(game.report.month, len(game.steps) - 1)}"


def _as_far_as(game: Game, steps: int) -> Game:
    """The first steps of a game, played again."""
    if steps == len(game.steps):
        return game
    part = Game(game.players, game.rules)
    for step in game.steps[:steps]:
        for player, bids in step.bids.items():
            part.hand_in(player, bids)
    return part


def named_rivals(extra: Mapping[str, Any]) -> dict[str, str]:
    """The strategies that a record's header names; anything else there is no concern of ours."""
    bots = extra.get("bots")
    return {str(k): str(v) for k, v in bots.items()} if isinstance(bots, dict) else {}
