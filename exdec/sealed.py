"""What people have handed in and nobody has opened yet, kept beside the record.

A step may take a class an hour, and a kernel can restart in the middle of it. So each sealed
order is on the disk before the next person sits down, in a hidden file beside the record:
``games/.monday.jsonl.sealed``. PINs are kept there too, as salted hashes.

Bids in it are packed so that a glance at the file tells nothing. That keeps out a neighbour's
eyes, not somebody who wants to know and can write a line of Python; and a PIN of four digits is
soon guessed by a machine. The record itself never holds any of it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from exdec.errors import RecordError
from exdec.model import Order
from exdec.record import failed, sync_folder, write_new
from exdec.recorder import changed_elsewhere

ROUNDS = 100_000
"""Makes a try at a PIN cost a twentieth of a second."""


class Seals:
    """Sealed bids, PINs and public notes of one table.

    Every change is on the disk when the method returns, or nothing has changed. Without a `path`
    all of it is kept in memory only.

    Parameters
    ----------
    path : pathlib.Path, optional
        The hidden file; see `beside`.

    Attributes
    ----------
    notes : tuple of str
        Sentences that everyone at the table may read, such as whose PIN was taken off.
    lost : tuple of str
        What was sealed and cannot be read any more, as sentences for everyone.

    Examples
    --------
    >>> seals = Seals()
    >>> seals.put("Ann", {"X": (2, 40)}, "January, before anything is settled")
    >>> seals.lock("Ann", "2580")
    >>> seals
    <Seals of Ann>
    >>> seals.opens("Ann", "1234"), seals.opens("Ann", "2580")
    (False, True)
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.notes: tuple[str, ...] = ()
        self.lost: tuple[str, ...] = ()
        self._on_disk = b""
        self._bids: dict[str, dict[str, Any]] = {}
        self._pins: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Seals of {', '.join(self._bids) or 'nobody'}>"

    @staticmethod
    def beside(record: Path) -> Path:
        """Where the seals of a record are kept.

        Examples
        --------
        >>> Seals.beside(Path("games/monday.jsonl")).name
        '.monday.jsonl.sealed'
        """
        return record.with_name(f".{record.name}.sealed")

    # -- bids ------------------------------------------------------------------------------------

    def put(self, player: str, bids: Order, turn: str) -> None:
        """Seal one player's bids for a turn, in place of what the player had sealed.

        Parameters
        ----------
        player : str
        bids : mapping
            Checked by the game; ``{"X": (units, price), …}``.
        turn : str
            Names the turn, and everything that was settled before it. Bids that are sealed for
            another turn are forgotten.

        Raises
        ------
        RecordError
            It cannot be written down; nothing has changed.
        """
        plain = {str(item): [int(units), int(price)] for item, (units, price) in bids.items()}
        others = {name: bid for name, bid in self._bids.items() if bid["turn"] == turn}
        self._change(bids={**others, player: {"turn": turn, "bids": plain}})

    def drop(self, *players: str) -> None:
        """Forget what these players have sealed; without a name, what everyone has.

        Raises
        ------
        RecordError
            It cannot be written down; nothing has changed.
        """
        gone = players or tuple(self._bids)
        self._change(bids={name: bid for name, bid in self._bids.items() if name not in gone})

    def bids(self, turn: str) -> dict[str, dict[str, tuple[int, int]]]:
        """What is sealed for this turn, by player; what was meant for another is left out."""
        return {
            player: {item: (units, price) for item, (units, price) in sealed["bids"].items()}
            for player, sealed in self._bids.items()
            if sealed["turn"] == turn
        }

    # -- PINs ------------------------------------------------------------------------------------

    def lock(self, player: str, pin: str) -> None:
        """Keep a player's PIN, as a salted hash.

        Raises
        ------
        RecordError
            It cannot be written down; nothing has changed.
        """
        salt = secrets.token_hex(16)
        self._change(pins={**self._pins, player: f"{salt} {_hash(pin, salt)}"})

    def unlock(self, player: str, note: str) -> None:
        """Take a player's PIN off, and say so to everyone.

        Raises
        ------
        RecordError
            It cannot be written down; nothing has changed.
        """
        pins = {name: pin for name, pin in self._pins.items() if name != player}
        self._change(pins=pins, notes=(*self.notes, note))

    def locked(self, player: str) -> bool:
        """Whether this player has a PIN."""
        return player in self._pins

    def opens(self, player: str, pin: str) -> bool:
        """Whether this is the player's PIN."""
        salt, digest = self._pins[player].split()
        return hmac.compare_digest(digest, _hash(pin, salt))

    # -- the file --------------------------------------------------------------------------------

    def begin(self, path: Path) -> None:
        """Keep all of it in a file from now on, in place of what an older game left there.

        Raises
        ------
        RecordError
            It cannot be written down.
        """
        self.path = path
        self._on_disk = _contents(path)
        self._change()

    def end(self) -> None:
        """Forget all of it, PINs and notes too: the game is over.

        Raises
        ------
        RecordError
            The file cannot be removed; nothing has changed.
        """
        self._change({}, {}, ())

    def check(self) -> None:
        """Refuse if somebody else has written to the file since.

        Raises
        ------
        RecordError
            It was changed, or cannot be read.
        """
        if self.path is not None and _contents(self.path) != self._on_disk:
            record = self.path.with_name(self.path.name.removeprefix(".").removesuffix(".sealed"))
            raise changed_elsewhere(record)

    @classmethod
    def read(cls, path: Path) -> Seals:
        """Read what is there; what is damaged is left out, and `lost` says whose it was."""
        seals = cls(path)
        try:
            seals._on_disk = _contents(path)
        except RecordError as error:
            seals.lost = (str(error),)
            return seals
        for line in seals._on_disk.splitlines():
            player = ""
            try:
                fields = json.loads(line)
                player = fields.get("player", "")
                kept = _unpack(fields["sealed"])
                if "pin" in kept:
                    salt, digest = kept["pin"].split()
                    seals._pins[player] = f"{salt} {digest}"
                elif "note" in kept:
                    seals.notes += (str(kept["note"]),)
                else:
                    turn, bids = str(kept["turn"]), dict(kept["bids"])
                    whole = {item: [int(n), int(price)] for item, (n, price) in bids.items()}
                    seals._bids[player] = {"turn": turn, "bids": whole}
            except (ValueError, TypeError, KeyError, AttributeError, zlib.error):
                seals.lose(player)
        return seals

    def lose(self, player: object) -> None:
        """Say that what this player sealed is of no use any more."""
        whose = f"What {player} sealed" if player else "Something that was sealed"
        self.lost += (f"{whose} cannot be read any more. It is asked for again.",)

    def _change(
        self,
        bids: Mapping[str, dict[str, Any]] | None = None,
        pins: Mapping[str, str] | None = None,
        notes: tuple[str, ...] | None = None,
    ) -> None:
        bids = self._bids if bids is None else dict(bids)
        pins = self._pins if pins is None else dict(pins)
        notes = self.notes if notes is None else notes
        if self.path is not None:
            kept: list[tuple[str, dict[str, Any]]] = [
                *bids.items(),
                *((player, {"pin": pin}) for player, pin in pins.items()),
                *(("", {"note": note}) for note in notes),
            ]
            self.check()
            lines = [{"player": who, "sealed": _pack(what)} for who, what in kept]
            data = "".join(f"{json.dumps(line)}\n" for line in lines)
            _write(self.path, data)
            self._on_disk = data.encode()
        self._bids, self._pins, self.notes = bids, pins, notes


def _hash(pin: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), salt.encode(), ROUNDS).hex()


def _pack(what: Mapping[str, Any]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(what).encode())).decode()


def _unpack(text: str) -> dict[str, Any]:
    return dict(json.loads(zlib.decompress(base64.b64decode(text, validate=True))))


def _contents(path: Path) -> bytes:
    """What is in a file; nothing, if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise failed(path, "cannot be read", error) from None


def _write(path: Path, data: str) -> None:
    """Let the file hold this: whenever the machine stops, the old lines or the new ones."""
    beside = path.with_name(f"{path.name}.part")
    try:
        if data:
            write_new(beside, "wb", data)
            os.replace(beside, path)
            sync_folder(path)
        else:
            # What comes back after a crash is meant for a turn that is past, and passed over.
            path.unlink(missing_ok=True)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise failed(path, "cannot be written", error) from None
