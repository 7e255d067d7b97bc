"""What happened, in sentences: the one place where a settled step is put into words.

A sentence says the number, then the reason, then what follows from it.
"""

from __future__ import annotations

from math import copysign

from exdec.items import GOODS, MATERIALS, Item
from exdec.model import BuyReport, Delivery, Final, Outcome, Report, month_name, possessive


def dollars(amount: int) -> str:
    """Write an amount of money.

    Examples
    --------
    >>> dollars(1679), dollars(-5)
    ('$1,679', '−$5')
    """
    return f"{'−' if amount < 0 else ''}${abs(amount):,}"


def signed(number: int) -> str:
    """Write a number with its sign.

    Examples
    --------
    >>> signed(2), signed(-10), signed(0)
    ('+2', '−10', '±0')
    """
    return "±0" if number == 0 else f"{'+' if number > 0 else '−'}{abs(number):,}"


def change(amount: int) -> str:
    """Write a gain or a loss of money, with its sign.

    Examples
    --------
    >>> change(70), change(-5), change(0)
    ('+$70', '−$5', '$0')
    """
    return f"+{dollars(amount)}" if amount > 0 else dollars(amount)


def whole(average: float) -> int:
    """Round an average, a half away from zero, as people do on paper; Python's own goes to even.

    Examples
    --------
    >>> whole(8.5), whole(-8.5), whole(8.4)
    (9, -9, 8)
    """
    return int(average + copysign(0.5, average))


def counted(number: int, what: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "month"), counted(3, "firm")
    ('1 month', '3 firms')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def items_of(report: Report) -> tuple[Item, ...]:
    """What a report is about: the materials or the goods, in the order of the board."""
    return MATERIALS if isinstance(report, BuyReport) else GOODS


def posting_sentence(report: Report, item: Item) -> str:
    """Say how one posted price came about.

    Examples
    --------
    >>> from exdec import Material, buy, new_game
    >>> state, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 42)}})
    >>> posting_sentence(report, Material.X)
    '12 X-FINE ordered, so +2: it posts at $42.'
    >>> posting_sentence(report, Material.S)
    'Nobody orders STANDARD, so −10: it posts at $10.'
    """
    at = items_of(report).index(item)
    buying = isinstance(report, BuyReport)
    units, move, price = report.units[at], report.movement[at], report.prices[at]
    if units:
        what = f"{units} {item.label} {'ordered' if buying else 'offered'}"
    else:
        what = f"Nobody {'orders' if buying else 'offers'} {item.label}"
    if report.before[at] + move != price:
        return f"{what}, so {signed(move)}; it stops at its lowest price, {dollars(price)}."
    return f"{what}, so {signed(move)}: it posts at {dollars(price)}."


def line_sentence(report: Report, player: str, item: Item, *, you: bool = True) -> str:
    """Say what became of one line of a player's order or offer, and why; "" without a bid.

    It goes on from `posting_sentence`: "it" is the posted price.

    Parameters
    ----------
    report : BuyReport or SaleReport
    player : str
    item : Material or Good
    you : bool
        Speak to the player rather than of the player.

    Examples
    --------
    >>> from exdec import Material, buy, new_game
    >>> state, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 40)}})
    >>> line_sentence(report, "Ann", Material.X)
    'Your $40 is below it: you get none, and pay nothing.'
    """
    you = you or player == "You"
    at = items_of(report).index(item)
    firm = report.firms[report.players.index(player)]
    line = firm.lines[at]
    buying = isinstance(report, BuyReport)
    they = "you" if you else player
    s = "" if you else "s"
    bid = f"{'Your' if you else possessive(player)} {dollars(line.price)}"
    gap = abs(line.price - report.prices[at])
    if line.price == report.prices[at]:
        meets = f"{bid} meets it"
    elif buying:
        meets = f"{bid} is above it, and {they} pay{s} what {they} bid"
    else:
        meets = f"{bid} is below it, and {they} get{s} what {they} asked"
    goods = f"{line.filled} {item.label} {'for' if buying else 'sold for'} {dollars(line.amount)}"
    match line.outcome:
        case Outcome.NO_BID:
            return ""
        case Outcome.FILLED:
            return f"{meets}: {goods}."
        case Outcome.PARTLY_FILLED:
            side = "below" if buying else "above"
            return (
                f"{bid} is {dollars(gap)} {side} it, so {line.lost} of {line.units} are lost: "
                f"{goods}."
            )
        case Outcome.BELOW_MARKET:
            return f"{bid} is below it: {they} get{s} none, and pay{s} nothing."
        case Outcome.ABOVE_MARKET:
            return f"{bid} is above it: none is sold, and the certificates stay with {they}."
        case Outcome.SHORT_OF_CASH:
            return (
                f"{bid} would buy {line.won}, but all that {they} won costs {dollars(firm.due)} "
                f"and there is only {dollars(firm.cash)}: no purchase at all this month."
            )
        case Outcome.CANNOT_DELIVER:
            return (
                f"{bid} would sell {line.won}, but {they} cannot deliver all that {they} sold: "
                "no sale at all this month, and the certificates stay."
            )


def result_sentence(report: Report, player: str, *, you: bool = True) -> str:
    """Say what a player's whole order or offer came to.

    Examples
    --------
    >>> from exdec import buy, new_game
    >>> state, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (2, 40)}})
    >>> result_sentence(report, "Ann", you=False)
    'Ann pays $80 and has $820.'
    """
    you = you or player == "You"
    at = report.players.index(player)
    they, s, have = ("You", "", "have") if you else (player, "s", "has")
    if isinstance(report, BuyReport):
        purchase = report.firms[at]
        done = f"pay{s} {dollars(purchase.paid)}" if purchase.paid else f"buy{s} nothing"
        return f"{they} {done} and {have} {dollars(purchase.cash)}."
    sale = report.firms[at]
    done = f"receive{s} {dollars(sale.received)}" if sale.received else f"sell{s} nothing"
    sentence = f"{they} {done} and {have} {dollars(sale.cash)}."
    return f"{sentence} {substitution_sentence(sale.delivery)}".rstrip()


def substitution_sentence(delivery: Delivery) -> str:
    """Name the substitutes that a delivery takes; "" if it takes none (R12).

    Examples
    --------
    >>> from exdec import makeable
    >>> substitution_sentence(makeable(F=2, S=1).deliver(C=1))
    '1 FINE stands in for STANDARD.'
    """
    parts = [
        f"{units} {held} {'stands' if units == 1 else 'stand'} in for {wanted}"
        for units, held, wanted in (
            (delivery.f_for_s, "FINE", "STANDARD"),
            (delivery.x_for_f, "X-FINE", "FINE"),
        )
        if units
    ]
    return f"{', '.join(parts)}." if parts else ""


def report_text(report: Report) -> str:
    """A whole settled step in sentences: each posted price, then what came of every bid.

    This shows all bids, so it is for the teacher and for after the game.
    """
    kind = "materials" if isinstance(report, BuyReport) else "goods"
    text = [f"{month_name(report.month)}, {kind}"]
    for item in items_of(report):
        text.append(f"  {posting_sentence(report, item)}")
        said = (line_sentence(report, player, item, you=False) for player in report.players)
        text += [f"    {sentence}" for sentence in said if sentence]
    text += [f"  {result_sentence(report, player, you=False)}" for player in report.players]
    return "\n".join(text)


def final_sentence(final: Final) -> str:
    """Say who won, and by how much.

    Examples
    --------
    >>> final_sentence(Final(("Ann", "Ben"), (0, 0), (950, 880), (50, -20), ("Ann",)))
    'Ann wins with a profit of $50. Ben: −$20.'
    """
    by_player = dict(zip(final.players, final.profit, strict=True))
    others = [
        f"{player}: {dollars(made)}"
        for player, made in sorted(by_player.items(), key=lambda pair: -pair[1])
        if player not in final.winners
    ]
    sentence = won_sentence(final)
    return f"{sentence} {', '.join(others)}." if others else sentence


def won_sentence(final: Final) -> str:
    """Say who won, and with what."""
    best = max(final.profit)
    won = " and ".join(final.winners)
    kind = "profit" if best >= 0 else "loss"
    verb = "wins with" if len(final.winners) == 1 else "share the win, each with"
    return f"{won} {verb} a {kind} of {dollars(abs(best))}."
