"""An exhibition: rivals play by themselves while people look on."""

from __future__ import annotations

import asyncio

import ipywidgets as widgets

from exdec.model import Step
from exdec.narrate import counted
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
from exdec.table import Table

OPEN = "Nobody plays here in person, so every bid lies open once it is settled."


class Exhibition:
    """A table at which only rivals sit. Make it the last line of a cell to see it.

    Parameters
    ----------
    table : Table
    stage : Stage, optional
        Outputs that are shown already.

    Attributes
    ----------
    pause : float
        Seconds between two steps that are played through, to read the headline in.
    """

    def __init__(self, table: Table, stage: Stage | None = None) -> None:
        self.table = table
        self.pause = 0.7
        self._playing: asyncio.Task[None] | None = None
        self._new = False
        self._step = widgets.Button(description="Next step", button_style="primary")
        self._through = widgets.Button(description="Play through")
        self._again = widgets.Button(
            description="Start again", tooltip="The same game once more, from its seed"
        )
        self._progress = widgets.IntProgress(
            max=2 * table.game.rules.months, description="Steps played"
        )
        self._message = widgets.HTML()
        for button, action in (
            (self._step, self.step),
            (self._through, self.play_through),
            (self._again, self.start_again),
        ):
            button.on_click(guarded(action, self._complain))
        buttons = widgets.Box(
            [self._step, self._through, self._again], _dom_classes=["exdec-buttons"]
        )
        self._stage = stage or Stage()
        play = widgets.Box([buttons, self._progress, self._message], _dom_classes=["exdec-play"])
        self._stage.controls = play
        self._show_progress()

    def step(self) -> None:
        """Play the next step, if nothing is being played through.

        Raises
        ------
        TurnError
            The game is over.
        RecordError
            The step cannot be written down, so it is not played.
        """
        self.stop()
        self._play()

    def play_through(self) -> None:
        """Play step after step until the end, or until this is asked for again."""
        if self._playing is None:
            self._message.value = ""
            self._playing = asyncio.get_running_loop().create_task(self._play_on())
        else:
            self.stop()
        self._show_progress()

    def stop(self) -> None:
        """Stop after the step that was played last."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    def start_again(self) -> None:
        """Go back to January; the same seed plays the same game."""
        self.stop()
        while self.table.game.steps:
            self.table.undo()
        self._new = False
        self._redraw()

    async def _play_on(self) -> None:
        try:
            while self.table.game.step is not Step.OVER:
                self._play()
                await asyncio.sleep(self.pause)
        except Exception as error:  # noqa: BLE001
            self._complain(str(error))
        self._playing = None
        self._show_progress()

    def _play(self) -> None:
        self._message.value = ""
        self.table.play_rivals()
        self._new = True
        self._redraw()

    def _redraw(self) -> None:
        self._stage.draw(self.parts())
        self._show_progress()

    def _show_progress(self) -> None:
        over = self.table.game.step is Step.OVER
        self._progress.value = len(self.table.game.steps)
        self._step.disabled = self._through.disabled = over
        playing = self._playing is not None and not over
        self._through.description = "Stop" if playing else "Play through"

    def _complain(self, text: str) -> None:
        self._message.value = warning_html(text)

    def parts(self) -> Parts:
        """What everyone may see, part by part."""
        game, rivals = self.table.game, self.table.rivals
        over = game.step is Step.OVER
        played = f"{len(game.steps)} of {2 * game.rules.months} steps"
        if over:
            then = "Start again plays the same game once more. For another, give another seed."
        else:
            then = "Next step settles what everyone bids. Play through goes on to the end."
        if game.report is None:
            who = ", ".join(f"{player} ({style})" for player, style in rivals.items())
            report = told_html(f"{who} play {counted(game.rules.months, 'month')}. {OPEN}")
        else:
            report = posted_html(game.report, bids=True, new=self._new, then="" if over else OPEN)
        if over:
            report = ending_html(game, None, rivals) + report
        notes = (self.table.lost,) if self.table.lost else ()
        head = head_html(
            where_sentence(game), played, then, notes, step=game.step, large=self._stage.large
        )
        return room_parts(game, rivals, head, report)

    def open(self) -> None:
        """Draw it on a stage that is shown already."""
        self._stage.draw(self.parts())

    def _ipython_display_(self) -> None:
        self._stage.show(self.parts())
