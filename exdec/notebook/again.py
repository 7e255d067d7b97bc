"""What can be done once a game is over: keep it, play again, or decide one step anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from itertools import count
from pathlib import Path

import ipywidgets as widgets

from exdec.errors import ExdecError, RecordError
from exdec.game import Game
from exdec.model import month_name
from exdec.notebook.form import BidForm
from exdec.record import dumps, fork, parse
from exdec.table import Table


def play_again(table: Table, seed: int) -> Table:
    """Lay out the same game for the same players, with the luck of `seed`.

    Its record, if this table keeps one, stands beside the first.

    Examples
    --------
    >>> again = play_again(Table(Game(["You", "Ben"]), {"Ben": "cautious"}, seed=1), seed=2)
    >>> again.game, again.seed
    (<Game of You, Ben: January, orders; handed in: nobody; waiting for: You, Ben>, 2)
    """
    game = table.game
    if table.path is None:
        fresh = Game(game.players, game.rules)
        return Table(fresh, table.rivals, seed, practice=table.practice)
    path = beside(table.path)
    return Table.create(path, game.players, game.rules, table.rivals, seed, practice=table.practice)


def what_if(table: Table, month: int, step: str) -> Table:
    """Go back to one step and decide it anew, in a practice game with a record of its own.

    The rivals meet the same luck as before.

    Parameters
    ----------
    table : Table
    month : int
        From 1.
    step : Step or str
        "buy" or "sell".

    Raises
    ------
    RecordError
        The game does not reach that step, or the record cannot be written.
    """
    game = fork(parse(dumps(table.game)), month, step)
    if table.path is None:
        return Table(game, table.rivals, table.seed, practice=True)
    path = beside(table.path)
    keep(table, path, game, practice=True)
    return Table.resume(path)


def keep(table: Table, path: Path, game: Game | None = None, *, practice: bool) -> None:
    """Write a game to a file that is not there yet, so that it can be resumed.

    Raises
    ------
    RecordError
        The file is there already, or cannot be written.
    """
    if path.exists():
        raise RecordError(f"{path} is there already. Choose another name.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"{path} cannot be written ({error.strerror}).") from None
    header = {"bots": table.rivals, "seed": table.seed, "practice": practice}
    (game or table.game).save(path, **header)


def beside(path: Path) -> Path:
    """The first name beside a record that is free.

    Examples
    --------
    >>> beside(Path("no such folder/game.jsonl")).name
    'game-2.jsonl'
    """
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in names if not name.exists())


def kept_html(table: Table) -> str:
    """Where a game is kept that was begun after another, and how to come back to it.

    The cell names the first record, so it brings the first game back whenever it is run again.
    """
    if table.path is None:
        return ""
    path = table.path.as_posix()
    code = f'from exdec.notebook import resume; resume("{path}")'
    return (
        f'<p class="exdec exdec-kept-in">This game is kept in {escape(path)}. Run the cell again, '
        "and the finished game is back. To come back to this one, run in a new cell: "
        f"<code>{escape(code, quote=False)}</code></p>"
    )


class Again:
    """The buttons below a game that is over.

    Parameters
    ----------
    table : Table
        The table whose game is over.
    sit : callable
        Takes the table to go on with.
    form : BidForm
        Whose looks the buttons share.
    """

    def __init__(self, table: Table, sit: Callable[[Table], None], form: BidForm) -> None:
        self._table = table
        self._sit = sit
        self._plain = form.plain
        path = table.path or Path("games/my_game.jsonl")
        self.again = self._button("Play again with the same rivals", self._again)
        self.restart = self._button("Restart with the same seed", self._restart)
        self.step = widgets.Dropdown(
            description="What if, from",
            options=[
                (f"{month_name(month)}, {name}", (month, step))
                for month in range(1, table.game.month + 1)
                for step, name in (("buy", "order"), ("sell", "offer"))
            ],
            layout=self._plain["layout"],
        )
        self.what_if = self._button("Decide it anew", self._what_if)
        self.name = widgets.Text(
            description="Save a copy as",
            value=str(path.with_name(f"{path.stem}-copy{path.suffix}")),
            continuous_update=False,
            layout=self._plain["layout"],
        )
        self.save = self._button("Save a copy", self._save)
        self.message = widgets.HTML(**form.text)
        parts = (self.again, self.restart, self.step, self.what_if, self.name, self.save)
        self.widget = widgets.Box(
            [*parts, self.message],
            layout=self._plain["layout"],
            _dom_classes=["exdec", "exdec-again"],
        )

    def _button(self, description: str, action: Callable[[], None]) -> widgets.Button:
        button = widgets.Button(description=description, **self._plain)
        button.on_click(partial(self._guard, action))
        return button

    def _again(self) -> None:
        self._sit(play_again(self._table, self._table.seed + 1))

    def _restart(self) -> None:
        self._sit(play_again(self._table, self._table.seed))

    def _what_if(self) -> None:
        self._sit(what_if(self._table, *self.step.value))

    def _save(self) -> None:
        path = Path(self.name.value.strip())
        keep(self._table, path, practice=self._table.practice)
        self._say("exdec-said", f"Saved as {path}.")

    def _guard(self, action: Callable[[], None], _button: widgets.Button) -> None:
        """Do what a click asks for; an error becomes text, where ipywidgets would lose it."""
        try:
            action()
        except ExdecError as error:
            self._say("exdec-warn", str(error))
        except Exception as error:  # noqa: BLE001
            self._say("exdec-warn", f"This did not work ({type(error).__name__}: {error}).")

    def _say(self, kind: str, text: str) -> None:
        self.message.value = f'<p class="{kind}" role="alert">{escape(text)}</p>'
