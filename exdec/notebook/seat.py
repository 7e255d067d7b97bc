"""One person's seat, shown on outputs that are there already."""

from __future__ import annotations

from exdec.notebook.stage import Stage
from exdec.notebook.view import TableView
from exdec.table import Table


class Seat(TableView):
    """A seat on a stage: it draws there, and its form stands where the stage's controls do.

    Parameters
    ----------
    table : Table
    player : str
    stage : Stage
    """

    def __init__(self, table: Table, player: str, stage: Stage) -> None:
        super().__init__(table, player, large=stage.large)
        # Not the stage itself: what a seat holds is closed with it.
        self._live = stage.lives

    def show(self) -> None:
        """Draw what this player may see."""
        for part, bundle in self._bundles().items():
            self._live[part].update(bundle)
