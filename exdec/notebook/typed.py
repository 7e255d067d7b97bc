"""Numbers as people type them."""

from __future__ import annotations

import re
from unicodedata import decimal

from exdec.errors import BidError, shown

NUMBER = re.compile(r"(?:\$\s*)?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.0*)?(?:\s*\$)?", re.ASCII)


def plain_digits(text: str) -> str:
    """The digits of any script as 0 to 9.

    Examples
    --------
    >>> plain_digits("٣ units"), plain_digits("x²")
    ('3 units', 'x²')
    """
    return "".join(str(decimal(one, one)) for one in text)


def read_number(what: str, text: str) -> int:
    """Read a whole number from 0 on; nothing typed is 0.

    Parameters
    ----------
    what : str
        The field's name, for the error.
    text : str

    Raises
    ------
    BidError
        It is no such number; the message quotes it and says what is.

    Examples
    --------
    >>> [read_number("Units", text) for text in (" 12 ", "$40", "1,000", "٣", "")]
    [12, 40, 1000, 3, 0]
    >>> read_number("Units", "ten")
    Traceback (most recent call last):
    ...
    exdec.errors.BidError: Units: 'ten' is not a number in digits. Write it like 10.
    """
    text = plain_digits(text.strip())
    if not text:
        return 0
    if found := NUMBER.fullmatch(text):
        return int(found[1].replace(",", ""))
    said = f"{what}: {shown(text)}"
    if re.fullmatch(r"[-−]\s*\$?\d.*", text):
        raise BidError(f"{said} is below 0. Write 0 or more.")
    if re.fullmatch(r"\$?\d*[.,]\d+\$?", text):
        raise BidError(f"{said} is not a whole number. Write it without a fraction.")
    if re.fullmatch(r"\$?[\d,]+\$?", text):
        raise BidError(f"{said} is too large. Write a smaller number.")
    raise BidError(f"{said} is not a number in digits. Write it like 10.")
