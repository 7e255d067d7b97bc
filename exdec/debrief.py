"""The ten minutes after the game: what a class did, and what to ask about it.

One line in a notebook shows a whole class, from nothing but its game records:

>>> from exdec import Game
>>> from exdec.played import PlayedClass, PlayedTable
>>> game = Game(["Ann", "Ben"], months=1)
>>> game.order("Ann", X=(2, 40), F=(1, 30))
>>> game.order("Ben")
>>> game.offer("Ann", A=(1, 149))
>>> game.offer("Ben")
>>> shown = Debrief(PlayedClass("11b", (PlayedTable("Table 1", game, "", {}, ""),), (), False))
>>> print(shown.head)
11b: 1 table, 2 firms, 1 month
All firms are played by people.
Ann makes the most: +$39. The average firm makes +$20.

Every bid lies open here: it is for after the game.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import chain, count
from pathlib import Path
from typing import Any

from exdec.analysis import PARTS
from exdec.debrief_charts import (
    bids_told,
    far_words,
    kind,
    margins_told,
    prices_told,
    profits_told,
    quantities_told,
    tables_told,
)
from exdec.errors import RecordError
from exdec.items import Good
from exdec.narrate import change, counted, dollars, final_sentence, whole
from exdec.notebook.live import chart_bundle, chart_json, html_bundle
from exdec.played import Firm, PlayedClass, PlayedTable, gather, listed, mean, stands
from exdec.questions import Question, choose
from exdec.record import as_path, failed, write_new
from exdec.rules import Rules
from exdec.theme import STYLESHEET
from exdec.tournament_charts import Told
from exdec.turning import turning_points

LONG = 24
"""Rows of a table, or tables of a class, that are shown; more are folded away."""

GENERATOR = '<meta name="generator" content="exdec debrief {mark}">'
"""What a page knows the class by that it shows."""


@dataclass(frozen=True)
class Part:
    """One part of a debrief: what a notebook shows when it is the last line of a cell.

    Parameters
    ----------
    title : str
    lines : tuple of str
        All of it in sentences; print a part to read them.
    html : str
        The same as HTML, below the figure if there is one.
    told : Told, optional
        A figure, and the sentence that says the same.
    """

    title: str
    lines: tuple[str, ...]
    html: str
    told: Told | None = None

    def __str__(self) -> str:
        return "\n".join([self.title, *self.lines])

    __repr__ = __str__

    def _ipython_display_(self) -> None:
        _display([self])

    def before(self, level: int = 3) -> str:
        """The heading, and the sentence that says what the figure shows."""
        said = f'<p class="exdec-says">{escape(self.told.sentence)}</p>' if self.told else ""
        return f"<h{level}>{escape(self.title)}</h{level}>{said}"


def debrief(path: str | os.PathLike[str], *, pseudonyms: bool = False) -> Debrief:
    """Show what a class did: make it the last line of a cell.

    Parameters
    ----------
    path : str or path
        A folder of game records (a whole class), the folder of an export, or one record. An
        export that is kept where its class is, in ``classes``, is found by its name.
    pseudonyms : bool
        Put "Pupil 1", "Pupil 2", … in place of people's names, and number the tables. The same
        records always give the same names: those of the class's export with pseudonyms.

    Returns
    -------
    Debrief
        Its parts can be shown one by one, and all of it saved as a page.

    Raises
    ------
    RecordError
        There is no such folder or file, nothing in it can be read, or it holds two classes.
    """
    return Debrief(gather(path, pseudonyms=pseudonyms))


class Debrief:
    """What a class did, part by part.

    Parameters
    ----------
    played : PlayedClass

    Attributes
    ----------
    head, questions, prices, quantities, margins, bids, profit, tables, turning_points : Part
        Each can be shown by itself, or printed.
    """

    def __init__(self, played: PlayedClass) -> None:
        self.played = played

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, in the order in which they are shown."""
        if not any(table.game.steps for table in self.played.tables):
            return (self.head,)
        return (
            self.head,
            self.questions,
            self.prices,
            self.quantities,
            self.margins,
            self.bids,
            self.profit,
            *((self.tables,) if len(self.played.begun.tables) > 1 else ()),
            self.turning_points,
        )

    def without_names(self) -> Debrief:
        """The same with "Pupil 1", "Pupil 2", … in place of people's names."""
        return Debrief(self.played.without_names())

    # -- parts -----------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The class's name."""
        tables = self.played.tables
        return self.played.title or (tables[0].name if len(tables) == 1 else "A class")

    @cached_property
    def head(self) -> Part:
        """What class this is, and what to know before reading on."""
        played = self.played
        months = sorted({table.game.rules.months for table in played.tables})
        size = (
            f"{counted(len(played.tables), 'table')}, {counted(len(played.firms), 'firm')}, "
            f"{' or '.join(map(str, months))} month{'s' * (months != [1])}"
        )
        lines = [*self._who(), *_rules(played), *_notes(played)]
        if len(played.finished) > 1:
            lines.append(_winner(played))
        if not any(table.game.steps for table in played.tables):
            lines.append("No step is settled yet, so there is nothing to show.")
        said = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return Part(f"{self.title}: {size}", tuple(lines), said)

    def _who(self) -> list[str]:
        firms = self.played.firms
        bots = [firm for firm in firms if firm.bot is not None]
        if not bots:
            said = "All firms are played by people."
        else:
            is_played = "firm is played by a bot" if len(bots) == 1 else "firms are played by bots"
            named = _some([f"{firm.label}, {firm.bot}" for firm in bots])
            said = f"{len(bots)} {is_played}: {named}."
        if self.played.pseudonyms:
            said += " People's names are replaced."
        lines = [said]
        helped = [firm for firm in firms if firm.bot is None and firm.bot_steps]
        if helped:
            named = _some([_steps(firm, firm.bot_steps) for firm in helped])
            said = f"A bot played for people who were away or came late: {named}."
            if not all(firm.is_person for firm in helped):
                said += (
                    " Firms that had one for half of their steps or more do not count as people."
                )
            lines.append(said)
        taken = [firm for firm in bots if firm.people_steps]
        if taken:
            named = _some([_steps(firm, firm.people_steps) for firm in taken])
            said = f"People played a bot's firm before it was the bot's: {named}."
            if not all(firm.is_bot for firm in taken):
                said += (
                    " Firms that had people for half of their steps or more do not count as bots."
                )
            lines.append(said)
        return lines

    @cached_property
    def questions(self) -> Part:
        """Three questions for the class, and what to listen for."""
        chosen = choose(self.played.begun)
        lines = []
        for number, question in enumerate(chosen, start=1):
            lines.append(f"{number}. {question.ask}")
            lines += [f"   Listen for: {text}" for text in question.listen]
            lines.append(f"   Then ask: {question.follow}")
        title = (
            "A question to ask" if len(chosen) == 1 else f"{_number(len(chosen))} questions to ask"
        )
        if not chosen:
            title, lines = "Questions to ask", ["Too little has happened to ask about it."]
            return Part(title, tuple(lines), f"<p>{lines[0]}</p>")
        items = "".join(map(_question_html, chosen))
        return Part(title, tuple(lines), f'<ol class="exdec-questions">{items}</ol>')

    @cached_property
    def prices(self) -> Part:
        """Posted prices, the class's average and every table."""
        return _chart("Prices", prices_told(self.played.begun), self._thin())

    @cached_property
    def quantities(self) -> Part:
        """Units ordered and offered, beside the number at which a price stays."""
        dashes = "The dashed level is where the price stays."
        return _chart("Quantities", quantities_told(self.played.begun), f"{self._thin()} {dashes}")

    @cached_property
    def margins(self) -> Part:
        """What a good leaves above its materials at posted prices, and what firms earned."""
        why = (
            "What is earned differs from what posted prices leave: materials were bought earlier, "
            "and bids lie beside the market."
        )
        return _chart("Margins", margins_told(self.played.begun), f"{self._thin()} {why}")

    @cached_property
    def bids(self) -> Part:
        """Each bid against the market."""
        note = (
            f"A larger mark stands for several bids. {far_words(self.played.bids)} Nobody knew the "
            "market when bidding."
        ).replace("  ", " ")
        if len(self.played.peoples_bids) < len(self.played.bids):
            note += ' Bots\' bids are among them; "you" in a question means people alone.'
        part = _chart("Bids and the market", bids_told(self.played.begun), note)
        rows = [_bid_row(firm) for firm in self.played.begun.firms]
        heads = (
            "firm", "bids", "filled", "paid above the market", "given away below it",
            "units lost by price", "won, but void",
        )  # fmt: skip
        table = _folded(_table_html("Each firm's bids", heads, rows), "Firm by firm", fold=True)
        return Part(part.title, part.lines, part.html + table, part.told)

    @cached_property
    def profit(self) -> Part:
        """Standings across tables, and what made each firm's profit."""
        played = self.played.begun
        firms = played.firms
        lines = tuple(_standing(firm) for firm in firms)
        heads = ("place", "firm", "profit", *PARTS.values())
        rows = [_profit_row(firm) for firm in firms]
        note = ""
        if len({_start(table) for table in played.tables}) > 1:
            note = (
                "<p>Tables differ in firms, months or rules, so compare their places with care.</p>"
            )
        if not all(table.over for table in played.tables):
            said = "Where a game goes on, certificates in hand count at their last posted prices."
            lines += (said,)
            note += f"<p>{said}</p>"
        html = note + _table_html("Standings", heads, rows[:LONG])
        if len(rows) > LONG:
            html = note + _table_html(f"Standings, the first {LONG}", heads, rows[:LONG])
            everyone = _table_html("Standings", heads, rows)
            html += _folded(everyone, f"All {len(rows)} firms", fold=True)
        told = profits_told(self.played.begun)
        return Part("Profit", lines, html, told)

    @cached_property
    def tables(self) -> Part:
        """How the tables differ."""
        return _chart("Tables", tables_told(self.played.begun), "")

    @cached_property
    def turning_points(self) -> Part:
        """What decided each table's game, in words."""
        lines, html = [], []
        for table in self.played.tables:
            said, points = _decided(table)
            lines += [f"{table.name}: {said}", *(f"  {point}" for point in points)]
            items = "".join(f"<li>{escape(point)}</li>" for point in points)
            html.append(
                f"<h4>{escape(table.name)}</h4><p>{escape(said)}</p>"
                + (f"<ul>{items}</ul>" if points else "")
            )
        many = len(self.played.tables) > LONG
        folded = _folded("".join(html), "Table by table", fold=many)
        return Part("What decided the games", tuple(lines), folded)

    def _thin(self) -> str:
        played = self.played.begun
        if len(played.tables) == 1:
            return ""
        thick = "each treatment's average" if len(played.groups) > 1 else "the average"
        said = f"The thick line is {thick}, a thin one is one table."
        lengths = {len(table.game.steps) for table in played.tables}
        return said + " Late months average those tables that got so far." * (len(lengths) > 1)

    # -- showing ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.parts))

    def __repr__(self) -> str:
        return f"<Debrief of {self.head.title}>"

    def _ipython_display_(self) -> None:
        _display(self.parts)

    def html(self) -> str:
        """All of it as one page, which opens in a browser without a network."""
        body: list[str] = []
        charts = []
        for part in self.parts:
            chart = ""
            if part.told:
                bundle = chart_json(part.told.figure)
                height = bundle["layout"]["height"]
                chart = (
                    f'<div class="jp-RenderedPlotly" role="img" '
                    f'aria-label="{escape(part.title)}: a chart; the sentence above says the same" '
                    f'style="height:{height}px"></div>'
                )
                charts.append(bundle)
            # A notebook has headings above these; a page begins with the class.
            before = part.before(level=2 if body else 1)
            html = part.html.replace("<h4>", "<h3>").replace("</h4>", "</h3>")
            body.append(f"<section>{before}{chart}{html}</section>")
        title = escape(self.head.title)
        # No end tag of a script can stand in it.
        data = json.dumps(charts, separators=(",", ":")).replace("<", "\\u003c")
        plotly = (files("plotly") / "package_data" / "plotly.min.js").read_text("utf-8")
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"{self._generator}\n"
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{title}</title>\n<style>{STYLESHEET}\n{STYLE}\n{PAGE}</style>\n</head>\n"
            f'<body>\n<main class="exdec-static"><div class="exdec exdec-debrief">{"".join(body)}'
            "</div></main>\n"
            f'<script type="application/json" id="charts">{data}</script>\n'
            f"<script>{plotly}</script>\n<script>{DRAW}</script>\n</body>\n</html>\n"
        )

    def save(self, path: str | os.PathLike[str] | None = None) -> Saved:
        """Write all of it into one HTML file, in place of an earlier debrief of the same class.

        Parameters
        ----------
        path : str or path, optional
            If left out, a file in this folder that has the class's name, and for one record the
            table's; the name of the folder with the records too, if another debrief has that.

        Raises
        ------
        RecordError
            The file cannot be written, or holds something else.
        """
        file = self._free_file() if path is None else as_path(path).resolve()
        part = file.with_name(f"{file.name}.part")
        try:
            if not self._may_replace(file):
                raise RecordError(
                    f"{file} is there already and is no debrief of this class. Choose another name."
                )
            write_new(part, "wb", self.html())
            part.replace(file)
        except OSError as error:
            raise failed(file, "cannot be written", error) from None
        return Saved(file, self.head.title)

    def _free_file(self) -> Path:
        """A file of the class's name, or of its folder's too, that holds nothing else."""
        played = self.played
        one = played.tables[0].name if played.title and not played.folder else ""
        stem = page_stem(f"{self.title} {one}")
        end = "-pseudonyms" * played.pseudonyms
        other = f"{stem}-{_written(played.folder.removesuffix(end))}".rstrip("-")
        names = (f"{other}{end}{f'-{number}' * (number > 1)}.html" for number in count(1))
        files = map(Path, chain([f"{stem}{end}.html"], names))
        return next(file for file in files if self._may_replace(file)).resolve()

    def _may_replace(self, file: Path) -> bool:
        if not file.exists():
            return True
        if not file.is_file():
            return False
        with file.open(encoding="utf-8", errors="replace") as page:
            return self._generator in page.read(2000)

    @property
    def _generator(self) -> str:
        """Names the class by what stays as it plays on: its people, and their first orders."""
        first = [
            [bid for bid in table.bids if bid.month == 1 and bid.buying]
            for table in self.played.tables
        ]
        players = [table.game.players for table in self.played.tables]
        known = repr([self.title, players, first])
        return GENERATOR.format(mark=sha256(known.encode()).hexdigest()[:16])


def page_stem(title: str) -> str:
    """How the file of a class's debrief is called, without its ending.

    Examples
    --------
    >>> page_stem("Year 11, Monday")
    'debrief-Year-11-Monday'
    """
    return f"debrief-{_written(title)}"


def _written(words: str) -> str:
    """Words as a part of a file's name."""
    return re.sub(r"[^\w-]+", "-", words)[:60].strip("-")


@dataclass(frozen=True)
class Saved:
    """Where a page was written, and what it shows."""

    path: Path
    title: str

    def __repr__(self) -> str:
        size = self.path.stat().st_size / 1_000_000
        return (
            f"{self.title}.\nSaved in {self.path} ({size:.0f} MB). It opens in any browser, also "
            "without internet."
        )


def _display(parts: Sequence[Part]) -> None:
    from IPython.display import display

    style = f"<style>{STYLESHEET}\n{STYLE}</style>"
    for part in parts:
        bundles = [_bundle(style + part.before() + ("" if part.told else part.html))]
        if part.told:
            bundles.append(chart_bundle(part.told.figure, part.told.sentence))
            bundles += [_bundle(part.html)] if part.html else []
        bundles[0]["text/plain"] = str(part)
        for bundle in bundles:
            display(bundle, raw=True)  # type: ignore[no-untyped-call]
        style = ""


def _bundle(html: str) -> dict[str, Any]:
    return html_bundle(
        f'<div class="exdec-static"><div class="exdec exdec-debrief">{html}</div></div>'
    )


def _chart(title: str, told: Told, note: str) -> Part:
    note = note.strip()
    html = f'<p class="exdec-quiet">{escape(note)}</p>' if note else ""
    return Part(title, tuple(filter(None, [told.sentence, note])), html, told)


# -- words ---------------------------------------------------------------------------------------


def _number(n: int) -> str:
    return {2: "Two", 3: "Three"}.get(n, str(n))


def _some(named: Sequence[str]) -> str:
    """The first of a long list, and how many more there are."""
    more = len(named) - LONG
    return "; ".join([*named[:LONG], *([f"and {more} more"] if more > 0 else [])])


def _steps(firm: Firm, steps: int) -> str:
    return f"{firm.label}, {steps} of {counted(len(firm.table.game.steps), 'step')}"


def _winner(played: PlayedClass) -> str:
    first = [firm for firm in played.finished if firm.place == 1]
    names = listed([firm.label for firm in first])
    average = change(whole(mean(firm.profit for firm in played.finished)))
    makes = "makes" if len(first) == 1 else "make"
    said = f"{names} {makes} the most: {change(first[0].profit)}. The average firm makes {average}."
    for firm in first:
        said += _shared(firm.table, firm.player, firm.label)
    return said


def _shared(table: PlayedTable, player: str, label: str) -> str:
    """Who else played a firm, as one more sentence; "" for nobody."""
    for who, counts in (("People", table.people_steps), ("A bot", table.bot_steps)):
        if steps := counts.get(player):
            total = counted(len(table.game.steps), "step")
            return f" {who} played {steps} of {label}'s {total}."
    return ""


def _rules(played: PlayedClass) -> list[str]:
    """What is not as in the printed game, by treatment."""
    labels = {field.name: field.label for field in Rules.fields()}
    said = []
    for name, tables in played.groups.items():
        changed = {
            label
            for table in tables
            for rule in table.game.rules.changes()
            if rule != "months" and (label := labels.get(rule, rule))
        }
        few = len(tables) <= 4
        which = listed([table.name for table in tables]) if few else f"{len(tables)} tables"
        who = f'"{name}" ({which})' if name else "Rules"
        if changed:
            said.append(f"{who}, changed from the printed game: {', '.join(sorted(changed))}.")
        elif name:
            said.append(f"{who}: as in the printed game.")
    return said


def _notes(played: PlayedClass) -> list[str]:
    said = [
        f"{table.name} is not finished: {stands(table)}. Its profits are so far, and its firms "
        "have no place."
        for table in played.tables
        if not table.over
    ]
    said += [f"{table.name}: {table.lost}" for table in played.tables if table.lost]
    return [*said, *played.left_out]


def _start(table: PlayedTable) -> tuple[int, Rules]:
    """What makes profits comparable: as many firms, and the same rules and months."""
    return len(table.game.players), table.game.rules


def _decided(table: PlayedTable) -> tuple[str, list[str]]:
    if not table.over:
        return f"The game is not over: {stands(table)}. What decides it is open.", []
    points = turning_points(table.game, seen=table.game.players)
    shared = "".join(_shared(table, player, player) for player in table.game.players)
    return final_sentence(table.game.final) + shared, [point.text for point in points]


def _standing(firm: Firm) -> str:
    place = "not finished" if firm.place is None else f"{firm.place}."
    parts = ", ".join(f"{name} {change(getattr(firm.split, part))}" for part, name in PARTS.items())
    return f"{place} {firm.named}: {change(firm.profit)} ({parts})"


# -- HTML ----------------------------------------------------------------------------------------


def _question_html(question: Question) -> str:
    listen = "".join(f"<li>{escape(text)}</li>" for text in question.listen)
    return (
        f"<li><p><strong>{escape(question.ask)}</strong></p>"
        f'<p class="exdec-quiet">See below: {escape(question.see)}.</p>'
        f"<details><summary>What to listen for</summary><ul>{listen}</ul>"
        f"<p>Then ask: {escape(question.follow)}</p></details></li>"
    )


def _profit_row(firm: Firm) -> list[str]:
    place = "–" if firm.place is None else str(firm.place)
    so_far = "" if firm.place else " so far"
    parts = [change(getattr(firm.split, part)) for part in PARTS]
    return [place, firm.named, f"{change(firm.profit)}{so_far}", *parts]


def _bid_row(firm: Firm) -> list[str]:
    bids = [bid for bid in firm.table.bids if bid.player == firm.player]
    beyond = [
        sum(bid.beyond for bid in bids if isinstance(bid.item, Good) is good)
        for good in (False, True)
    ]
    kinds = [kind(bid) for bid in bids]
    return [
        firm.named,
        str(len(bids)),
        str(kinds.count("filled")),
        *map(dollars, beyond),
        str(sum(bid.lost for bid in bids)),
        str(kinds.count("void")),
    ]


def _table_html(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the column of firms is text, and heads its rows."""
    at = heads.index("firm")
    head = "".join(
        f'<th scope="col"{" class=exdec-name" * (column == at)}>{escape(name)}</th>'
        for column, name in enumerate(heads)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{escape(cell)}</th>' if column == at else f"<td>{escape(cell)}</td>"
            for column, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="exdec-scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _folded(html: str, summary: str, *, fold: bool) -> str:
    return f"<details><summary>{escape(summary)}</summary>{html}</details>" if fold else html


STYLE = (files("exdec") / "debrief.css").read_text("utf-8")
"""The rules for a debrief, in a notebook and as a page."""

PAGE = (files("exdec") / "debrief_page.css").read_text("utf-8")
"""What JupyterLab gives a notebook, and a page must bring."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)
"""The page asks nobody for anything."""

DRAW = (files("exdec") / "debrief_page.js").read_text("utf-8")
