"""The Production Chart: what each good takes, and what may stand in for what."""

from __future__ import annotations

from exdec.items import GOODS, MATERIALS
from exdec.rules import Rules, Substitution
from exdec.theme import mark

STAND_IN = {
    Substitution.X_FOR_F: "X-FINE for FINE",
    Substitution.F_FOR_S: "FINE for STANDARD",
}


def production_html(rules: Rules) -> str:
    """The chart as a table, and the substitutions in words (R4, R12).

    Examples
    --------
    >>> from exdec import STANDARD
    >>> print(production_html(STANDARD).partition("</table>")[2])
    <p class="exdec-quiet">X-FINE for FINE or FINE for STANDARD may stand in, one for one.</p>
    """
    heads = "".join(f'<th scope="col">{mark(grade)}{grade.label}</th>' for grade in MATERIALS)
    rows = []
    for good, recipe in zip(GOODS, rules.production, strict=True):
        cells = "".join(f"<td>{units or ''}</td>" for units in recipe)
        rows.append(f'<tr><th scope="row">{mark(good)}{good}</th>{cells}</tr>')
    allowed = " or ".join(STAND_IN[one] for one in rules.substitutions)
    said = f"{allowed} may stand in, one for one." if allowed else "No grade stands in for another."
    return (
        f"<table><caption>One unit takes</caption><thead><tr><td></td>{heads}</tr></thead>"
        f'<tbody>{"".join(rows)}</tbody></table><p class="exdec-quiet">{said}</p>'
    )
