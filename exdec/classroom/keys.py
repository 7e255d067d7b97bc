"""Codes, secret links, and how often somebody may try."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No 0 and O, no 1, I and L: a code is read from a wall and typed on a phone."""

CODE_LENGTH = 6
"""31⁶ is 890 million codes."""

WRONG_CODES = 300, 100
"""Wrong codes that a class lets through: so many at once, and then so many a second. Beyond that
right ones wait too, so one phone must not get there easily. Who guesses as fast for eight hours
finds a code with a chance of one in three hundred; it opens a seat, and nobody's bids."""

WRONG_CODES_OF_ONE = 20, 2
"""The same for one phone, where phones can be told apart: it guesses for years."""


def new_code() -> str:
    """Draw a class's code.

    Examples
    --------
    >>> len(new_code())
    6
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """A code as somebody typed it, in its proper form.

    Examples
    --------
    >>> read_code(" k7q 2m4 ")
    'K7Q2M4'
    """
    return "".join(text.split()).replace("-", "").upper()


def new_secret() -> str:
    """Draw a secret of 256 bits."""
    return secrets.token_urlsafe(32)


def pupil_key(secret: str, pupil: int, generation: int) -> str:
    """The secret part of a pupil's link: the pupil's number and 128 bits that nobody can guess.

    It follows from the class's own secret, so slips can be printed again; a new generation makes
    another, and the old one opens nothing any more.

    Examples
    --------
    >>> pupil_key("secret", 7, 0)
    '7.1hgCzgolITYuSIHGSOlsbw'
    """
    mac = hmac.digest(secret.encode(), f"pupil {pupil} {generation}".encode(), "sha256")
    return f"{pupil}.{urlsafe_b64encode(mac[:16]).decode().rstrip('=')}"


def fingerprint(text: str) -> str:
    """What a secret is known by, where the secret itself need not be kept."""
    return hashlib.sha256(_bytes(text)).hexdigest()


def same(given: str, right: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return hmac.compare_digest(_bytes(given), _bytes(right))


def _bytes(text: str) -> bytes:
    # JSON can hold half a character; that is a wrong secret, and no reason to stumble.
    return text.encode(errors="surrogatepass")


class Bucket:
    """So many at once, and then so many a second.

    Parameters
    ----------
    burst : int
    rate : float
        A second.

    Examples
    --------
    >>> bucket = Bucket(burst=2, rate=1)
    >>> [bucket.take(now=0) for _ in range(3)], bucket.take(now=1)
    ([True, True, False], True)
    """

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, burst: int, rate: float) -> None:
        self.burst = burst
        self.rate = rate
        self._left = float(burst)
        self._at = float("-inf")

    def left(self, now: float) -> float:
        """How many may be taken now."""
        # A clock that is set back gives nothing, and is gone by from then on.
        since = max(0.0, now - self._at)
        self._left = min(float(self.burst), self._left + since * self.rate)
        self._at = now
        return self._left

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        if self.left(now) < 1:
            return False
        self._left -= 1
        return True
