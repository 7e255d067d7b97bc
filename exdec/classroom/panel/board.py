"""What the instructor's panel tells of a class, as HTML and as a chart; none of it is secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil
from typing import TYPE_CHECKING, Any

from exdec.charts import price_figure, price_sentence
from exdec.items import Goods, Materials
from exdec.model import Step, month_name
from exdec.narrate import counted, dollars
from exdec.notebook.board import prices_html
from exdec.notebook.live import Bundle, chart_bundle
from exdec.observe import Posting
from exdec.rules import STANDARD, Rules

if TYPE_CHECKING:
    from exdec.classroom.panel.parts import State

MOST_NAMES = 12
"""Names of people who are waited for in one sentence."""

DOING = {"buy": "orders for materials", "sell": "offers of goods"}


def head_html(state: State) -> str:
    """The title, what the class does, and how much time is left."""
    return (
        f'<p class="exdec-where">{escape(state["title"])} · {escape(where(state))}</p>'
        f'<p class="exdec-purse">{escape(clock(state))}</p>'
    )


def where(state: State) -> str:
    """What the class is doing."""
    if state["phase"] == "lobby":
        return "pupils join"
    if state["phase"] == "over":
        return "the game is over"
    turns = {tuple(table["turn"]) for table in _playing(state)}
    months = sorted({month for month, _ in turns})
    paused = "paused · " if state["phase"] == "paused" else ""
    if len(months) > 1:
        first, last = month_name(months[0]), month_name(months[-1])
        return f"{paused}{first} to {last}, each table at its own step"
    doing = " and ".join(DOING[step] for step in ("buy", "sell") if (months[0], step) in turns)
    return f"{paused}{month_name(months[0])}, {doing}"


def clock(state: State) -> str:
    """The time that is left; that of the table which has least, if they differ.

    Examples
    --------
    >>> table = {"name": "Table 1", "left": 65.2, "over": False}
    >>> clock({"phase": "running", "tables": [table]})
    '1:06 left'
    """
    if state["phase"] not in ("running", "paused"):
        return ""
    left = {table["name"]: table["left"] for table in _playing(state) if table["left"] is not None}
    if not left:
        return "no deadline"
    first = min(left, key=lambda name: left[name])
    seconds = ceil(left[first])
    text = f"{seconds // 60}:{seconds % 60:02} left"
    return text if ceil(max(left.values())) == seconds else f"{text} at {first}"


def _playing(state: State) -> list[Mapping[str, Any]]:
    return [table for table in state["tables"] if not table["over"]]


def people_html(state: State) -> str:
    """Who is here, and at whom the class waits; never what anybody handed in."""
    pupils = [one for one in state["pupils"] if not one["out"]]
    here = state["counts"]["here"]
    told = f"{counted(len(pupils), 'pupil')} in the class, {here} with the page open now."
    if state["phase"] == "lobby":
        return f"<p><strong>{told}</strong></p>" if pupils else ""
    counts, told = state["counts"], f"{told} {counted(len(state['tables']), 'table')}."
    if state["phase"] == "over":
        return f"<p>{told}</p>"
    if not counts["of"]:
        timed = any(table["left"] is not None for table in _playing(state))
        then = "Time closes the step" if timed else "Nothing goes on until you press"
        return (
            "<p><strong>Bots play every place.</strong> "
            f"{then}{', or you do:' * timed} Close the step now.</p><p>{told}</p>"
        )
    waiting = [
        f"{name} ({one['table']})" if len(state["tables"]) > 1 else name
        for one in state["waiting"]
        for name in one["names"]
    ]
    rest = len(waiting) - MOST_NAMES
    names = ", ".join(waiting[:MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")
    then = f"Waiting for {names}." if waiting else "Nobody is waited for."
    return (
        f"<p><strong>{counts['in']} of {counts['of']} have handed in.</strong> "
        f"{escape(then)}</p><p>{told}</p>"
    )


def notes_html(state: State) -> str:
    """What the instructor should know besides."""
    notes = []
    if not state["joining"] and state["phase"] != "over":
        notes.append("Nobody else can join now; pupils who have a link still come in.")
    if state["wrong"]:
        notes.append(f"Somebody typed {counted(state['wrong'], 'wrong code')} lately.")
    if state.get("note"):
        notes.append(state["note"])
    return "".join(f'<p class="exdec-quiet">{escape(note)}</p>' for note in notes)


def tables_html(state: State) -> str:
    """Each table, and who of it has handed in; before the game, who has joined."""
    if not state["tables"]:
        return _lobby_html(state)
    rows = []
    for table in state["tables"]:
        month, step = table["turn"]
        doing = "over" if table["over"] else f"{month_name(month)[:3]}, {_kind(step)}"
        kind = f" <small>{escape(table['treatment'])}</small>" if table["treatment"] else ""
        firms = "".join(f"<li>{_firm_html(table, firm)}</li>" for firm in table["firms"])
        rows.append(
            f'<tr><th scope="row">{escape(table["name"])}{kind}</th><td>{doing}</td>'
            f"<td><ul>{firms}</ul></td></tr>"
        )
    return (
        '<div class="exdec-scroll" role="region" tabindex="0" aria-label="Tables"><table>'
        "<caption>Who has handed in</caption><thead><tr>"
        '<th scope="col">table</th><th scope="col">step</th><th scope="col">firms</th></tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table></div><p class="exdec-quiet">✓ handed in · '
        "○ not yet · away: no page is open</p>"
    )


def _kind(step: str) -> str:
    return "orders" if step == "buy" else "offers"


def _firm_html(table: Mapping[str, Any], firm: Mapping[str, Any]) -> str:
    name = escape(firm["name"])
    if firm["bot"]:
        # A place that nobody has is called Bot already.
        return f"{name} <small>a bot plays</small>" if firm["pupils"] else f"<small>{name}</small>"
    mark = "✓" if firm["in"] else "○" if table["open"] else "·"
    away = "" if firm["here"] else " <small>away</small>"
    return f"{mark} {name}{away}"


def _lobby_html(state: State) -> str:
    pupils = [one for one in state["pupils"] if not one["out"]]
    if not pupils:
        return (
            "<p>Nobody has joined yet. Open the projector: it shows the code and a QR code to "
            "scan.</p>"
        )
    names = "".join(
        f"<li>{escape(one['name'])}{'' if one['here'] else ' <small>away</small>'}</li>"
        for one in pupils
    )
    return f'<ul class="exdec-names" aria-label="Pupils">{names}</ul>'


def standings_html(state: State) -> str:
    """The best of the class, if everyone may see them."""
    if not state["standings"]:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{one["rank"]}. {escape(one["name"])}</th>'
        f"<td>{escape(one['table'])}</td><td>{dollars(one['profit'])}</td></tr>"
        for one in state["standings"][:10]
    )
    caption = "Final standings" if state["phase"] == "over" else "Standings, profit so far"
    more = len(state["standings"]) - 10
    rest = f'<p class="exdec-quiet">and {counted(more, "more firm")}</p>' if more > 0 else ""
    return (
        f"<table><caption>{caption}. Everyone sees them.</caption><thead><tr>"
        '<th scope="col">firm</th><th scope="col">table</th><th scope="col">profit</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>{rest}"
    )


# -- prices --------------------------------------------------------------------------------------


def posted(board: Mapping[str, Any]) -> list[Posting]:
    """What was posted, of one table or of all on average.

    Examples
    --------
    >>> month = {"m": 1, "prices": [38, 30, 20, None, None, None], "units": [8, 10, 10] * 2}
    >>> (one,) = posted({"opening": [40, 30, 20, 140, 115, 90], "months": [month]})
    >>> one.prices, one.movement
    (Materials(X=38, F=30, S=20), Materials(X=-2, F=0, S=0))
    """
    before = list(board["opening"])
    postings = []
    for month in board["months"]:
        for step, first in ((Step.BUY, 0), (Step.SELL, 3)):
            part = slice(first, first + 3)
            if any(price is None for price in month["prices"][part]):
                continue
            prices = month["prices"][part]
            moves = [new - old for new, old in zip(prices, before[part], strict=True)]
            kind: Callable[..., Materials[int] | Goods[int]] = Goods if first else Materials
            postings.append(
                Posting(
                    month["m"],
                    step,
                    units=kind(*month["units"][part]),
                    before=kind(*before[part]),
                    movement=kind(*moves),
                    prices=kind(*prices),
                    announced=(),
                    certificates=(),
                    cash=None,
                    lines=None,
                )
            )
            before[part] = prices
    return postings


def _rules(state: State) -> Rules:
    """Enough of the rules to draw prices by; lowest prices are not pointed out."""
    board = state["board"]
    months = max([state["months"], *(month["m"] for month in board["months"])])
    return STANDARD.vary(
        months=months,
        opening_materials=Materials(*board["opening"][:3]),
        opening_goods=Goods(*board["opening"][3:]),
        materials_floor=0,
        goods_floor=0,
    )


def board_html(state: State) -> str:
    """The Price Level Board, and what the last step brought in sentences."""
    board = state["board"]
    rules, postings = _rules(state), posted(board)
    now = max((table["turn"][0] for table in _playing(state)), default=None)
    told = _sentences(board["sentences"]) or f"<p>{escape(price_sentence(rules, postings))}</p>"
    one = board["tables"] == 1
    whose = "" if one else f'<p class="exdec-quiet">{_average(board)}</p>'
    return (
        f'<div class="exdec-board">{told}'
        '<div class="exdec-scroll" role="region" tabindex="0" aria-label="Price Level Board">'
        f"{prices_html(rules, postings, now, moves=one)}</div>{whose}</div>"
    )


def _average(board: Mapping[str, Any]) -> str:
    """Of how many tables the prices are, and which of them are of fewer."""
    fewer = [
        f"{month_name(month['m'])}'s {what} of {posted}"
        for month in board["months"]
        for what, posted in zip(("materials", "goods"), month["of"], strict=True)
        if 0 < posted < board["tables"]
    ]
    last = f"; {', '.join(fewer[-3:])}" if fewer else ""
    said = f"The average of {board['tables']} tables, to the dollar{last}."
    return f"{said} Choose a table to see what moved its prices."


def _sentences(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    head, *lines = sentences
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<p><strong>{escape(head)}</strong></p><ul>{items}</ul>"


def board_chart(state: State) -> Bundle:
    """The chart of the posted prices."""
    rules, postings = _rules(state), posted(state["board"])
    figure, said = price_figure(rules, postings), price_sentence(rules, postings)
    if state["board"]["tables"] > 1:
        # An average follows no row of the Market Calculator, so units and movements are left out.
        said = re.sub(r" \(.*?\)", "", said)
        for trace in figure.data:
            trace.hovertext = [
                f"{trace.name}, {month_name(month) if month else 'Opening'}: {dollars(price)}"
                for month, price in zip(trace.x, trace.y, strict=True)
            ]
    return chart_bundle(figure, said)


def audit_html(state: State) -> str:
    """What was done last, the newest first."""
    lines = [escape(one["text"]) for one in reversed(state["audit"][-6:])]
    if not lines:
        return ""
    return (
        f"<p><strong>Done lately</strong></p><ul>{''.join(f'<li>{one}</li>' for one in lines)}</ul>"
    )
