"""What a learner has done so far: to look at, to take along, to bring in, and to hand in."""

from __future__ import annotations

import os
import re
from html import escape

import ipywidgets as widgets

from exdec.lessons.certificate import csv_text, page_html, rows_of
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import Workbook
from exdec.lessons.progress import NAME, ForeignError, ProgressError, parse
from exdec.lessons.views import View, download_html
from exdec.narrate import change, counted
from exdec.notebook.clicks import Press, guarded, said_html, warning_html
from exdec.own_copy import mismatch

LONGEST_NAME = 60
"""Letters, so that it fits on the page."""

TO_HAND_IN = "Download my progress", "to hand in, and to carry on elsewhere"
TO_READ = "Download as a page", "to read or print, with all that you wrote"
FOR_A_SPREADSHEET = "Download as a table (CSV)", "for a spreadsheet"
"""What each file is, and what it is for."""

BINDER_FORGETS = (
    "Binder forgets everything about ten minutes after you close this page. Download your "
    "progress before you go. Tomorrow, open the link again and load the file here."
)


class LessonHead(View):
    """Which lesson this is, and how far the learner is with it.

    Parameters
    ----------
    desk : Desk
    workbook : Workbook
    """

    def __init__(self, desk: Desk, workbook: Workbook) -> None:
        super().__init__("head-of-lesson")
        self._desk = desk
        self._workbook = workbook
        self._mismatch = mismatch(desk.here, workbook.number)
        self.state = widgets.HTML()
        self.put(self.state)
        self.refresh()
        desk.listen(self)

    def refresh(self) -> None:
        """Show the progress as it is now."""
        progress, workbook = self._desk.progress, self._workbook
        solved = sum(map(progress.solved, workbook.exercises))
        many = len(workbook.exercises)
        optional = sum(one.optional for one in workbook)
        spare = f" {optional} of the {many} {'is' if optional == 1 else 'are'} optional."
        state = f"<b>{solved} of {counted(many, 'exercise')} solved.</b>{spare if optional else ''}"
        notices = (self._mismatch, self._desk.file.notice)
        notice = "".join(warning_html(one) for one in notices)
        self.state.value = (
            f'<p><meter min="0" max="{many}" value="{solved}" aria-hidden="true"></meter> '
            f"Lesson {int(workbook.number)}, {escape(workbook.title)}: "
            f"{state}</p>{notice}"
        )

    def __repr__(self) -> str:
        return f"<Lesson {self._workbook.number}: {self._workbook.title}>"


class Overview(View):
    """All lessons with what is done, the learner's name, and files to take along or bring in.

    Parameters
    ----------
    desk : Desk

    Attributes
    ----------
    name : widgets.Text
    upload : widgets.FileUpload
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("overview")
        self._desk = desk
        self.name = widgets.Text(
            value=desk.progress.name,
            description="Your name, for what you hand in",
            style={"description_width": "initial"},
            continuous_update=False,
        )
        self.press = Press("Keep the name", self._keep_name, self.complain)
        self.table = widgets.HTML()
        self.links = widgets.HTML(_dom_classes=["exdec-links"])
        # The page writes a number of files behind the description. The stylesheet has the words.
        self.upload = widgets.FileUpload(accept=".json", multiple=False, description="")
        self.upload.observe(guarded(self._bring_in, self.complain), "value")
        name = widgets.Box([self.name, self.press.button], _dom_classes=["exdec-name"])
        buttons = widgets.Box([self.upload], _dom_classes=["exdec-buttons", "exdec-load"])
        desk.note_games()
        self.put(self.table, name, self.links, buttons, self.message)
        self.refresh()
        desk.listen(self)

    def bring_in(self, data: bytes, name: str = NAME) -> None:
        """Merge a copy from elsewhere into the progress here; nothing is lost.

        Raises
        ------
        ProgressError
            It cannot be read.
        """
        try:
            other = parse(data, name)
        except ForeignError:
            raise ProgressError(
                f"{name} is no progress file of exdec. Choose the {NAME} that you saved."
            ) from None
        self._desk.update(lambda progress: progress.merged(other))
        solved = sum(map(self._desk.progress.solved, self._desk.progress.attempts))
        self.message.value = said_html(
            f"{name} is merged with what was here. {counted(solved, 'exercise')} solved in all."
        )

    def keep_name(self, name: str) -> None:
        """Call the learner so.

        Raises
        ------
        ProgressError
            There is no name.
        """
        name = " ".join(name.split())
        if not any(map(str.isalnum, name)):
            raise ProgressError("Write a name first, as your teacher knows it.")
        kept = name[:LONGEST_NAME].rstrip()
        self._desk.update(lambda progress: progress.named(kept))
        self.name.value = kept
        cut = "" if kept == name else f", cut to {LONGEST_NAME} letters"
        self.message.value = said_html(f"Kept{cut}: {kept}.")

    def refresh(self) -> None:
        """Show the progress as it is now."""
        progress, lessons = self._desk.progress, self._desk.workbooks()
        rows = rows_of(progress, lessons)
        if self._desk.file.notice:
            self.complain(self._desk.file.notice)
        body = []
        for row in rows:
            number = row.lesson[:2]
            lesson = lessons.get(number)
            said = _of(progress.explanations, number)
            sealed = _of(progress.predictions, number)
            prompts = f"{said} of {len(lesson.explanations)}" if lesson else said
            forecasts = f"{sealed} of {len(lesson.predictions)}" if lesson else sealed
            solved = row.solved if row.exercises is None else f"{row.solved} of {row.exercises}"
            played = progress.games.get(number)
            if optional := sum(one.optional for one in lesson) if lesson else 0:
                solved = f"{solved}, {optional} optional"
            profit = "not played"
            if played:
                profit = f"{change(played.profit)} after {counted(played.months, 'month')}"
            cells = (solved, row.attempts, prompts, forecasts, profit)
            body.append(
                f'<tr><th scope="row">{escape(row.lesson)}</th>'
                f"{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
            )
        heads = ("lesson", "solved", "attempts", "explained", "predicted", "profit so far")
        head = "".join(f'<th scope="col">{one}</th>' for one in heads)
        nothing = (
            "" if rows else "<p>Nothing is done yet. Check an exercise, and it shows here.</p>"
        )
        self.table.value = (
            '<div class="exdec-scroll" role="region" tabindex="0" aria-label="Your progress">'
            f"<table><caption>Your progress</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table></div>{nothing}"
        )
        whose = re.sub(r"\W+", "_", progress.name).strip("_")
        stem = f"progress-{whose}" if whose else "progress"
        files = (
            ("json", "application/json", progress.dumps(), *TO_HAND_IN),
            ("html", "text/html", page_html(progress, lessons), *TO_READ),
            ("csv", "text/csv", csv_text(rows), *FOR_A_SPREADSHEET),
        )
        links = "".join(
            f"<li>{download_html(f'{stem}.{ending}', kind, text, label)} {escape(why)}</li>"
            for ending, kind, text, label, why in files
        )
        forgets = said_html(BINDER_FORGETS) if "BINDER_REQUEST" in os.environ else ""
        self.links.value = f"<ul>{links}</ul>{forgets}"

    def _keep_name(self) -> None:
        self.keep_name(self.name.value)

    def _bring_in(self) -> None:
        brought, self.upload.value = self.upload.value, ()
        for file in brought:
            self.bring_in(bytes(file["content"]), str(file["name"]))


def _of(things: object, number: str) -> int:
    assert isinstance(things, dict)
    return sum(1 for name in things if name.startswith(f"{number}-"))
