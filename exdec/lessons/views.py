"""What the views of a lesson have in common: their look, and texts as HTML."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache, partial
from html import escape
from typing import Any

import ipywidgets as widgets

from exdec.lessons.checking import UNIT_NAMES, Facts, Verdict
from exdec.notebook.clicks import Press, warning_html
from exdec.notebook.form import Field
from exdec.notebook.live import show_widget
from exdec.theme import STYLESHEET

STYLE = f"<style>{STYLESHEET}</style>"


class View:
    """Widgets that are one cell's output. Make it the last line of a cell to see it.

    All of it is made of widgets, so it is there again after the page is loaded again; what was
    done is in the progress file, so it is there after a restart of the kernel too.

    Parameters
    ----------
    kind : str
        What it is, for the stylesheet.

    Attributes
    ----------
    widget : widgets.Box
    message : widgets.HTML
        What a screen reader says at once.
    question : str
        What it asks, for a page that runs no widgets.
    """

    question = ""

    def __init__(self, kind: str) -> None:
        self.message = widgets.HTML(_dom_classes=["exdec-message"])
        self.widget = widgets.Box(_dom_classes=["exdec", "exdec-lesson", f"exdec-{kind}"])

    def put(self, *parts: widgets.Widget) -> None:
        """Fill it; the stylesheet comes first."""
        self.widget.children = [_sheet(), *parts]

    def complain(self, text: str) -> None:
        """Say what went wrong."""
        self.message.value = warning_html(text)

    def _ipython_display_(self) -> None:
        show_widget(self.widget, self.question)


@cache
def _sheet() -> widgets.HTML:
    """The stylesheet, sent to the page once; each cell needs it, for others may not be drawn."""
    return widgets.HTML(STYLE, _dom_classes=["exdec-sheet"])


class Said:
    """A few sentences as a cell's output."""

    def __init__(self, html: str, text: str) -> None:
        self._html = html
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f'<div class="exdec exdec-lesson mathjax_ignore">{STYLE}{self._html}</div>'


def prose_html(text: str) -> str:
    """A text of a lesson as HTML: paragraphs, bold and code.

    Examples
    --------
    >>> prose_html("Paid: **$5** & `x`.")
    '<p>Paid: <strong>$5</strong> &amp; <code>x</code>.</p>'
    """
    html = escape(text, quote=False)
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"`(.+?)`", r"<code>\1</code>", html)
    return "".join(f"<p>{part.strip()}</p>" for part in re.split(r"\n\s*\n", html) if part.strip())


def plain(text: str) -> str:
    """A text of a lesson without its marks."""
    return re.sub(r"\*\*(.+?)\*\*|`(.+?)`", lambda found: found[1] or found[2], text)


def verdict_html(
    verdict: Verdict, facts: Facts, *, on_the_game: bool, notice: str = "", new: bool = True
) -> str:
    """What is said to an answer, and of which game; a screen reader says at once what is new."""
    head = f"<strong>{verdict.head}</strong> " if verdict.head else ""
    where = ""
    if on_the_game and verdict.counts:
        where = f"<small>{escape(facts.game.where)}.</small>"
    wrong = verdict.counts and not verdict.before
    kind = "right" if verdict.right else "wrong" if wrong else "unclear"
    says = prose_html(verdict.says).replace("<p>", f"<p>{head}", 1)
    alert = ' role="alert"' if new else ""
    return (
        f'<div class="exdec-verdict exdec-{kind}"{alert}>{says}{where}</div>{warning_html(notice)}'
    )


def verdict_text(verdict: Verdict, facts: Facts, *, on_the_game: bool) -> str:
    """The same in plain text."""
    where = f"\n{facts.game.where}." if on_the_game and verdict.counts else ""
    return f"{verdict.head} {plain(verdict.says)}".strip() + where


def solution_html(text: str) -> str:
    """A worked solution, folded."""
    return f"<details><summary>Solution</summary>{prose_html(text)}</details>"


def with_unit(label: str, unit: str) -> str:
    """A field's label, with what the number in it is in.

    Examples
    --------
    >>> with_unit("Paid in January", "$"), with_unit("Your answer", "")
    ('Paid in January, in dollars', 'Your answer')
    """
    return f"{label}, in {UNIT_NAMES[unit]}" if unit else label


def labelled(text: str) -> dict[str, Any]:
    """What a widget is told to be labelled with a text.

    Between two dollar signs a page would look for a formula, so there each stands on its own.

    Examples
    --------
    >>> labelled("X-FINE at $50"), labelled("Paid, in <dollars>")
    ({'description': 'X-FINE at $50'}, {'description': 'Paid, in <dollars>'})
    >>> labelled("$5 & $6")["description"]
    '<span>&#36;</span>5 &amp; <span>&#36;</span>6'
    """
    if text.count("$") < 2:
        return {"description": text}
    html = escape(text, quote=False).replace("$", "<span>&#36;</span>")
    return {"description": html, "description_allow_html": True}


def enter_goes_on(fields: Sequence[Field], press: Press) -> None:
    """Let Enter go to the next field, and from the last one press the button."""

    def entered(at: int, _field: Field, content: dict[str, Any], _buffers: Any) -> None:
        if content.get("event") != "submit":
            return
        if at + 1 < len(fields):
            fields[at + 1].focus()
        else:
            press.click()

    for at, field in enumerate(fields):
        field.on_msg(partial(entered, at))


def download_html(name: str, kind: str, text: str, label: str) -> str:
    """A link that saves a text as a file; nothing is fetched from anywhere."""
    data = b64encode(text.encode()).decode()
    return (
        f'<a download="{escape(name)}" href="data:{kind};charset=utf-8;base64,{data}">'
        f"{escape(label)}</a>"
    )
