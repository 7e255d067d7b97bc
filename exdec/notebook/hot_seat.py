"""Several people on one machine, with a curtain between them.

While the curtain is closed, nothing on the page is anybody's secret: a form is made for one
person's turn and closed with it, so that no widget, no saved notebook and no message to the page
still holds what was typed; and what is drawn is what everyone may see.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from html import escape

import ipywidgets as widgets

from exdec.errors import ExdecError
from exdec.model import Report, Step, month_name, possessive
from exdec.narrate import counted
from exdec.notebook.again import play_again
from exdec.notebook.clicks import Press, guarded, warning_html
from exdec.notebook.ending import ending_html
from exdec.notebook.stage import (
    Parts,
    Stage,
    head_html,
    posted_html,
    room_parts,
    told_html,
    where_sentence,
    widgets_of,
)
from exdec.notebook.view import TableView
from exdec.table import Table

SHORTEST_PIN = 4

SECRET = "What each of you got is told at your own turn, behind the curtain."

_at_the_machine: weakref.ref[HotSeat] | None = None
"""The table that was shown last: a machine has one seat, and a cell may be run twice."""


class HotSeat:
    """A table for people who take turns at one machine. Make it the last line of a cell.

    Turns go round by seats. Nobody gains by being last, because nothing is opened before all have
    handed in. The record holds every settled bid and so everyone's cash: whoever opens that file
    sees them.

    Parameters
    ----------
    table : Table
    stage : Stage, optional
        Outputs that are shown already.

    Attributes
    ----------
    player : str or None
        Whose turn it is; None once the game is over.
    seat : Turn or None
        The view of who sits at the machine; None while the curtain is closed.
    """

    def __init__(self, table: Table, stage: Stage | None = None) -> None:
        global _at_the_machine
        before = _at_the_machine() if _at_the_machine is not None else None
        if before is not None and before.seat is not None:
            before.leave()
        _at_the_machine = weakref.ref(self)
        self.table = table
        self.player: str | None = None
        self.seat: Turn | None = None
        self.curtain = Curtain(self)
        self._place = widgets.Box(_dom_classes=["exdec-room"])
        self._message = widgets.HTML()
        self._again = widgets.Button(
            description="Play again", tooltip="The same players, and other luck for the rivals"
        )
        self._again.on_click(guarded(self.play_again, self._complain))
        self._end = widgets.Box(
            [widgets.Box([self._again], _dom_classes=["exdec-buttons"]), self._message],
            _dom_classes=["exdec-room"],
        )
        self._new = False
        self._stage = stage or Stage()
        self._stage.controls = widgets.Box(
            [self.curtain.widget, self._place], _dom_classes=["exdec", "exdec-room"]
        )
        self._next()

    # -- turns -----------------------------------------------------------------------------------

    def sit_down(self) -> None:
        """Open the curtain for the player whose turn it is."""
        if self.player is None or self.seat is not None:
            return
        self.seat = Turn(self.table, self.player, self._stage, self.leave)
        self.curtain.hide()
        self._place.children = [self.seat.widget]
        self.seat.draw()

    def leave(self, report: Report | None = None) -> None:
        """Close the curtain: nothing of whoever sat here stays.

        Parameters
        ----------
        report : BuyReport or SaleReport, optional
            What came of the step, if it is settled now.
        """
        seat, self.seat = self.seat, None
        self._new = report is not None
        # What the player saw is gone before the next one is asked for.
        self._stage.draw(self.parts())
        self._next()
        # The rest of a click may still be on its way to the form; it finds nothing there.
        for widget in list(widgets_of(seat, but=self._stage)):
            widget.close()
        self._draw()

    def call(self, player: str) -> None:
        """Let a player write anew who has handed in, once the player is at the machine."""
        self.player = player
        self._new = False
        self.curtain.ask(player)
        self._draw()

    def go_on(self) -> None:
        """Go on with whoever is waited for."""
        self._new = False
        self._next()
        self._draw()

    def play_again(self) -> None:
        """Lay out the same game for the same players once it is over, with a record of its own.

        Raises
        ------
        RecordError
            The new record cannot be written.
        """
        self.table = play_again(self.table, self.table.seed + 1)
        self.go_on()

    def _next(self) -> None:
        waiting = self.table.waiting
        self.player = waiting[0] if waiting else None
        self._place.children = []
        self._message.value = ""
        if self.player is None:
            self.curtain.hide()
            self._place.children = [self._end]
        else:
            self.curtain.ask(self.player)

    def _draw(self) -> None:
        self._stage.draw(self.parts())
        if self.player is not None:
            # The page scrolls to what has the keyboard, so the room sees whose turn it is.
            self.curtain.button.focus()

    def _complain(self, text: str) -> None:
        self._message.value = warning_html(text)

    # -- what everyone may see -------------------------------------------------------------------

    def parts(self) -> Parts:
        """What everyone may see, part by part."""
        table = self.table
        game = table.game
        over = game.step is Step.OVER
        waiting = table.waiting
        done = [player for player in table.people if player not in waiting]
        if over:
            beside = then = ""
            if table.path is not None:
                then = f'replay("{table.path}") shows the whole game with every bid.'
        else:
            beside = f"handed in: {', '.join(done) or 'nobody'}"
            then = f"Waiting for {', '.join(waiting)}."
        head = head_html(
            where_sentence(game),
            escape(beside),
            then,
            self._notes(),
            step=game.step,
            large=self._stage.large,
        )
        return room_parts(game, table.rivals, head, self._report(game.report))

    def _report(self, report: Report | None) -> str:
        table = self.table
        game = table.game
        if report is None:
            alone = [f"{name} plays by itself ({how})." for name, how in table.rivals.items()]
            return told_html(
                " ".join(
                    [
                        f"{counted(len(game.players), 'firm')}, "
                        f"{counted(game.rules.months, 'month')}.",
                        *alone,
                        "You take turns at this machine, and a curtain closes between you.",
                        "Nothing is opened before everyone has handed in.",
                    ]
                )
            )
        if game.step is not Step.OVER:
            return posted_html(report, bids=False, new=self._new, then=SECRET)
        end = ending_html(game, None, table.rivals) + posted_html(report, bids=False, new=False)
        return f'<div class="exdec-news">{end}</div>'

    def _notes(self) -> tuple[str, ...]:
        seals = self.table.seals
        lost = (self.table.lost,) if self.table.lost else ()
        return (*lost, *seals.lost, *seals.notes)

    def open(self) -> None:
        """Draw it on a stage that is shown already."""
        self._stage.draw(self.parts())

    def _ipython_display_(self) -> None:
        self._stage.show(self.parts())


class Turn(TableView):
    """One person's turn at the machine.

    Parameters
    ----------
    table : Table
    player : str
    stage : Stage
    leave : callable
        Closes the curtain, with the report if the step is settled.
    """

    private = True

    def __init__(
        self, table: Table, player: str, stage: Stage, leave: Callable[[Report | None], None]
    ) -> None:
        super().__init__(table, player, stage)
        self._turn = table.turn
        self._leave = leave
        self.new = True

    def hand_in(self, bids: dict[str, tuple[int, int]]) -> None:
        """Hand in this player's order or offer, and leave the machine."""
        self._leave(self.table.hand_in(self.player, bids, self._turn))

    def undo(self) -> None:
        """Take the last settled step back, where that is allowed, and leave the machine."""
        self.table.undo()
        self._leave(None)


class Curtain:
    """What stands between two turns: whom to pass the machine to, and the PIN."""

    def __init__(self, seat: HotSeat) -> None:
        self._seat = seat
        self._said = widgets.HTML()
        self.pin = widgets.Password(_dom_classes=["exdec-pin"])
        self.pin.on_msg(self._entered)
        self._press = Press("", self.open, self._complain)
        self.button = self._press.button
        self.forgot = widgets.Button(description="Forgot the PIN")
        self.again = widgets.Button()
        self.message = widgets.HTML()
        self.forgot.on_click(guarded(self.forget, self._complain))
        self.again.on_click(guarded(self._call_or_go_on, self._complain))
        buttons = widgets.Box(
            [self.button, self.again, self.forgot], _dom_classes=["exdec-buttons"]
        )
        self.widget = widgets.Box(
            [self._said, self.pin, buttons, self.message], _dom_classes=["exdec-curtain"]
        )
        self._player = ""
        self._renewed: set[str] = set()
        self._warned = False

    def ask(self, player: str) -> None:
        """Ask for a player to come to the machine."""
        table = self._seat.table
        self._player = player
        self._warned = False
        self.message.value = ""
        self.pin.value = ""
        locked, offered = table.seals.locked(player), self._offers_pin()
        self.pin.description = f"{possessive(player)} PIN"
        if offered:
            self.pin.description = (
                f"Choose a PIN, {player}, if you want one ({SHORTEST_PIN} characters or more)"
            )
        self.pin.layout.display = "" if locked or offered else "none"
        self.forgot.layout.display = "" if locked else "none"
        self.button.description = f"I am {player}, nobody else looks"
        back = self._last_in()
        kind = "offer" if table.turn.step is Step.SELL else "order"
        if self._calls_back():
            said = f"{player} writes a new {kind}; the one that is in is taken back then."
            self.again.description = f"No, go on with {table.waiting[0]}"
        else:
            said = ""
            self.again.description = f"{back}: change the {kind}"
        self.again.layout.display = "" if back else "none"
        self._said.value = curtain_html(player, said)
        self.widget.layout.display = ""

    def hide(self) -> None:
        """Open the curtain, or put it away after the last turn."""
        self.pin.value = ""
        self.message.value = ""
        self.widget.layout.display = "none"

    def open(self) -> None:
        """Let the player sit down, if the PIN is right.

        Raises
        ------
        ExdecError
            The PIN is not the player's, or too short for a new one.
        """
        seals, pin = self._seat.table.seals, self.pin.value
        self.pin.value = ""
        if seals.locked(self._player):
            if not seals.opens(self._player, pin):
                raise ExdecError(f"This is not {possessive(self._player)} PIN. Type it again.")
        elif pin and self._offers_pin():
            if len(pin) < SHORTEST_PIN:
                raise ExdecError(
                    f"A PIN has {SHORTEST_PIN} characters or more. Type a longer one, or none."
                )
            seals.lock(self._player, pin)
        if self._calls_back():
            self._seat.table.take_back(self._player)
        self._renewed.discard(self._player)
        self._seat.sit_down()

    def forget(self) -> None:
        """Take the PIN off, once it is clear what that costs."""
        whose = possessive(self._player)
        if not self._warned:
            self._warned = True
            self._complain(
                f"Whoever sits down next sees {whose} cash and results, so this is for the "
                f"teacher to do. Everyone will read that {whose} PIN was taken off. Press again "
                "to take it off."
            )
            return
        month = month_name(self._seat.table.turn.month)
        self._seat.table.seals.unlock(self._player, f"{month}: {whose} PIN was taken off.")
        self._renewed.add(self._player)
        self._seat.call(self._player) if self._calls_back() else self._seat.go_on()

    def _entered(self, _field: object, content: dict[str, object], _buffers: object) -> None:
        if content.get("event") == "submit":
            self._press.click()

    def _call_or_go_on(self) -> None:
        if self._calls_back():
            self._seat.go_on()
        else:
            self._seat.call(self._last_in())

    def _last_in(self) -> str:
        """Who handed in last, by seats; "" if nobody has."""
        table = self._seat.table
        done = [player for player in table.people if player not in table.waiting]
        return done[-1] if done else ""

    def _calls_back(self) -> bool:
        """Whether the player who is asked for has handed in already."""
        return self._player not in self._seat.table.waiting

    def _offers_pin(self) -> bool:
        table = self._seat.table
        new = not table.game.steps or self._player in self._renewed
        return new and not table.seals.locked(self._player)

    def _complain(self, text: str) -> None:
        self.message.value = warning_html(text)


def curtain_html(player: str, then: str) -> str:
    """Ask for one player, loudly enough to be read from two metres away."""
    name = escape(player)
    more = f'<p class="exdec-said">{escape(then)}</p>' if then else ""
    return (
        f'<div role="alert"><p class="exdec-pass">Pass the machine to <strong>{name}</strong>.</p>'
        f"<p>{name}, press when nobody else looks.</p>{more}</div>"
    )
