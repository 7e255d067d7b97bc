"""The game itself, as pure functions from a state and what was handed in to the next state.

One month is ``buy`` then ``sell``; after the last month ``liquidate`` says who won. Prices are
posted first, from all units announced, and the bids are settled at these prices afterwards, so
the order of players never matters (R9).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from exdec.errors import BidError, RulesError, TurnError, shown
from exdec.items import GOODS, MATERIALS, Good, Goods, Material, Materials, whole
from exdec.model import (
    NO_BID,
    Bid,
    BuyReport,
    Delivery,
    Final,
    Firm,
    Line,
    Order,
    Outcome,
    Purchase,
    Sale,
    SaleReport,
    State,
    Step,
    month_name,
    possessive,
)
from exdec.production import deliver
from exdec.rules import PLAYERS, STANDARD, Calculator, Rules, Undeliverable

MOST_UNITS = 9_999
MOST_DOLLARS = 999_999
"""A bid beyond these is a slip of the finger; refusing it keeps every sum small (R8)."""

NO_ORDER = Materials(NO_BID, NO_BID, NO_BID)
NO_OFFER = Goods(NO_BID, NO_BID, NO_BID)
"""What a player who passes hands in."""

LONGEST_NAME = 40
UNWRITABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's control characters, half characters, and line and paragraph separators."""


def new_game(players: Sequence[str], rules: Rules = STANDARD) -> State:
    """Set up a game: opening prices on the board, starting cash in every hand.

    Parameters
    ----------
    players : sequence of str
        2 to 6 different names of 1 to 40 characters.
    rules : Rules

    Raises
    ------
    TurnError
        Too few or too many players, or names that cannot be told apart.
    RulesError
        `rules` are not `Rules`.

    Examples
    --------
    >>> new_game(["Ann", "Ben", "Cy"]).firms[0]
    Firm(cash=600, materials=Materials(X=0, F=0, S=0))
    """
    names = _check_names(players)
    if not isinstance(rules, Rules):
        raise RulesError(f"Rules are STANDARD or made by STANDARD.vary(…), not {shown(rules)}.")
    firm = Firm(rules.starting_cash.at(len(names)), Materials(0, 0, 0))
    return State(
        rules=rules,
        players=names,
        month=1,
        step=Step.BUY,
        material_prices=rules.opening_materials,
        good_prices=rules.opening_goods,
        firms=(firm,) * len(names),
    )


def _check_names(players: Sequence[str]) -> tuple[str, ...]:
    # A set has no order, so its players would sit elsewhere in each run.
    if isinstance(players, str | set | frozenset) or not isinstance(players, Iterable):
        raise TurnError(
            f"Players are a list of names, such as ['Ann', 'Ben'], not {shown(players)}."
        )
    names = tuple(players)
    for name in names:
        if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME or not name.strip():
            raise TurnError(
                f"A player's name has 1 to {LONGEST_NAME} characters, not {shown(name)}."
            )
        if any(unicodedata.category(letter) in UNWRITABLE for letter in name):
            raise TurnError(f"The name {name!r} holds a character that cannot be written.")
    if len(names) not in PLAYERS:
        raise TurnError(f"2 to 6 can play, not {len(names)}.")
    looks = [unicodedata.normalize("NFC", name.strip()) for name in names]
    for name, look in zip(names, looks, strict=True):
        if looks.count(look) > 1:
            raise TurnError(f"Two players are called {name!r}. Give each a name of their own.")
    return names


# -- what is handed in ---------------------------------------------------------------------------


def check_order(state: State, player: str, order: Order) -> Materials[Bid]:
    """Read one player's order for materials, or refuse it (R7, R8).

    Parameters
    ----------
    order : mapping
        ``{"X": (units, price), …}``; a grade left out, or with 0 units, is not bid for.

    Raises
    ------
    BidError
        The message names the player, the month, the grade, the limit and the value.
    TurnError
        It is not time to buy, or nobody of that name plays.

    Examples
    --------
    >>> check_order(new_game(["Ann", "Ben"]), "Ann", {"X": (2, 40)}).X
    Bid(units=2, price=40)
    """
    expect(state, Step.BUY)
    seat(state, player)
    bids = Materials(*_read(state, player, order, MATERIALS))
    players = len(state.players)
    total = bids.X.units + bids.F.units + bids.S.units
    limit = state.rules.order_limit.at(players)
    if total > limit:
        raise BidError(
            f"{_whose(state, player, 'order')}: {players} players may order {limit} units in all; "
            f"this order has {total}. Take {total - limit} off."
        )
    of_one_grade = state.rules.grade_limit.at(players)
    if of_one_grade is not None:
        for grade, bid in zip(MATERIALS, bids, strict=True):
            if bid.units > of_one_grade:
                raise BidError(
                    f"{_whose(state, player, 'order')}: {players} players may order "
                    f"{of_one_grade} units of one grade; {grade.label} has {bid.units}. "
                    f"Take {bid.units - of_one_grade} off."
                )
    return bids


def check_offer(state: State, player: str, offer: Order) -> Goods[Bid]:
    """Read one player's offer of goods, or refuse it (R8, R14).

    Parameters
    ----------
    offer : mapping
        ``{"A": (units, price), …}``; a good left out, or with 0 units, is not offered.

    Raises
    ------
    BidError
        The message names the player, the month, the good, the limit and the value.
    TurnError
        It is not time to sell, or nobody of that name plays.

    Examples
    --------
    >>> state, _ = buy(new_game(["Ann", "Ben"]), {})
    >>> check_offer(state, "Ann", {"A": (2, 143)}).A
    Bid(units=2, price=143)
    """
    expect(state, Step.SELL)
    firm = state.firms[seat(state, player)]
    bids = Goods(*_read(state, player, offer, GOODS))
    if state.rules.undeliverable is Undeliverable.REFUSE:
        units = Goods(*(bid.units for bid in bids))
        if deliver(state.rules, firm.materials, units) is None:
            held = ", ".join(
                f"{n} {grade.label}" for grade, n in zip(MATERIALS, firm.materials, strict=True)
            )
            wanted = ", ".join(f"{n} {good}" for good, n in zip(GOODS, units, strict=True) if n)
            raise BidError(
                f"{_whose(state, player, 'offer')}: {wanted} cannot be made of {held}. Offer less."
            )
    return bids


def _read(
    state: State, player: str, order: Order, items: tuple[Material, ...] | tuple[Good, ...]
) -> list[Bid]:
    """Read the lines of an order or offer, in the order of the board."""
    if type(order) is not dict and not isinstance(order, Mapping):
        raise BidError(
            f"{_whose(state, player, _kind(state))} must look like "
            f'{{"{items[0]}": (2, 40)}}, not {type(order).__name__}.'
        )
    found = 0
    bids = []
    for item in items:
        if item in order:
            found += 1
            bids.append(_read_line(state, player, item, order[item]))
        else:
            bids.append(NO_BID)
    if found != len(order):
        wrong = next(key for key in order if key not in items)
        raise BidError(f"{_whose(state, player, _kind(state))}: {_no_such_item(state, wrong)}")
    return bids


def _read_line(state: State, player: str, item: Material | Good, line: Sequence[int]) -> Bid:
    if not isinstance(line, tuple | list) or len(line) != 2:
        raise BidError(
            f"{_whose(state, player, _kind(state))}, {item.label}: "
            f"write (units, price), such as (2, 40), not {shown(line)}."
        )
    units, price = line
    if type(units) is not int:
        units = _whole_number(state, player, item, "units", units)
    if type(price) is not int:
        price = _whole_number(state, player, item, "a price", price)
    if not 0 <= units <= MOST_UNITS:
        raise BidError(
            f"{_whose(state, player, _kind(state))}, {item.label}: "
            f"units run from 0 to {MOST_UNITS:,}, not {shown(units)}."
        )
    # Without units there is no bid, and so no price to speak of: (0, 0) is how people write that.
    if not (0 if units == 0 else 1) <= price <= MOST_DOLLARS:
        raise BidError(
            f"{_whose(state, player, _kind(state))}, {item.label}: "
            f"a price runs from $1 to ${MOST_DOLLARS:,}, not {shown(price)}."
        )
    return Bid(units, price) if units else NO_BID


def _whole_number(
    state: State, player: str, item: Material | Good, what: str, value: object
) -> int:
    try:
        return whole(value)
    except TypeError:
        raise BidError(
            f"{_whose(state, player, _kind(state))}, {item.label}: "
            f"{what} must be a whole number, not {shown(value)}."
        ) from None


def _no_such_item(state: State, key: object) -> str:
    buying = state.step is Step.BUY
    items = "X, F and S (X-FINE, FINE, STANDARD)" if buying else "A, B and C"
    # "x", "X-Fine" and "XFINE" are near enough to guess.
    text = "".join(filter(str.isalpha, key)).upper() if isinstance(key, str) else ""
    near = [
        item.value
        for item in (MATERIALS if buying else GOODS)
        if text in (item, item.label.replace("-", ""))
    ]
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no {shown(key)} to {_kind(state)}; there are {items}.{hint}"


def _kind(state: State) -> str:
    return "order" if state.step is Step.BUY else "offer"


def _whose(state: State, player: str, kind: str) -> str:
    return f"{possessive(player)} {kind} for {month_name(state.month)}"


def expect(state: State, step: Step) -> None:
    """Raise TurnError unless `step` is what comes next."""
    if state.step is not step:
        what = "order materials" if step is Step.BUY else "offer goods"
        now = {
            Step.BUY: f"{month_name(state.month)}'s orders are still open",
            Step.SELL: f"{month_name(state.month)}'s offers come next",
            Step.OVER: f"the game ended with {month_name(state.month)}",
        }[state.step]
        raise TurnError(f"It is not time to {what}: {now}.")


def seat(state: State, player: str) -> int:
    """Where a player sits, from 0; raise TurnError for a name that nobody has."""
    try:
        return state.players.index(player)
    except ValueError:
        near = get_close_matches(player, state.players, n=1) if isinstance(player, str) else []
        hint = f"Did you mean {near[0]!r}?" if near else f"Playing: {', '.join(state.players)}."
        raise TurnError(f"Nobody called {shown(player)} plays. {hint}") from None


# -- settlement ----------------------------------------------------------------------------------


def buy(state: State, orders: Mapping[str, Order]) -> tuple[State, BuyReport]:
    """Open all orders for materials: post the prices, then settle every firm's purchases.

    Parameters
    ----------
    orders : mapping of player to order
        See `check_order`. A player left out passes.

    Returns
    -------
    State, BuyReport
        The state to sell from, and what became of every line and why.

    Raises
    ------
    BidError, TurnError
        As `check_order`; nothing has changed then.

    Examples
    --------
    The rulebook's example: 12, 5 and 0 units are ordered in January.

    >>> start = new_game(["Ann", "Ben"])
    >>> state, report = buy(start, {"Ann": {"X": (12, 45), "F": (5, 30)}})
    >>> report.prices
    Materials(X=42, F=25, S=10)
    """
    expect(state, Step.BUY)
    _check_players(state, orders)
    tallies = [check_order(state, name, orders.get(name, {})) for name in state.players]
    return settle_buy(state, tallies)


def settle_buy(state: State, tallies: Sequence[Materials[Bid]]) -> tuple[State, BuyReport]:
    """Settle orders that `check_order` has read, one for each player; nothing is checked again."""
    rules = state.rules
    before = state.material_prices
    units, movement, posted = _post(
        rules, rules.materials_calculator, rules.materials_floor, before, tallies
    )
    prices = Materials(*posted)
    settled = tuple(
        [
            _purchase(rules, firm, tally, prices)
            for firm, tally in zip(state.firms, tallies, strict=True)
        ]
    )
    after = State(
        rules=rules,
        players=state.players,
        month=state.month,
        step=Step.SELL,
        material_prices=prices,
        good_prices=state.good_prices,
        firms=tuple([Firm(purchase.cash, purchase.materials) for purchase in settled]),
    )
    report = BuyReport(
        players=state.players,
        month=state.month,
        units=Materials(*units),
        before=before,
        movement=Materials(*movement),
        prices=prices,
        firms=settled,
    )
    return after, report


def sell(state: State, offers: Mapping[str, Order]) -> tuple[State, SaleReport]:
    """Open all offers of goods: post the prices, then settle every firm's sales.

    Parameters
    ----------
    offers : mapping of player to offer
        See `check_offer`. A player left out passes.

    Returns
    -------
    State, SaleReport
        The state to buy from next month (or the end), and what became of every line and why.

    Raises
    ------
    BidError, TurnError
        As `check_offer`; nothing has changed then.

    Examples
    --------
    The rulebook's example: 7, 0 and 5 units are offered in January.

    >>> state, _ = buy(new_game(["Ann", "Ben"]), {})
    >>> state, report = sell(state, {"Ann": {"A": (7, 130)}, "Ben": {"C": (5, 80)}})
    >>> report.prices
    Goods(A=137, B=126, C=91)
    """
    expect(state, Step.SELL)
    _check_players(state, offers)
    tallies = [check_offer(state, name, offers.get(name, {})) for name in state.players]
    return settle_sell(state, tallies)


def settle_sell(state: State, tallies: Sequence[Goods[Bid]]) -> tuple[State, SaleReport]:
    """Settle offers that `check_offer` has read, one for each player; nothing is checked again."""
    rules = state.rules
    before = state.good_prices
    units, movement, posted = _post(
        rules, rules.goods_calculator, rules.goods_floor, before, tallies
    )
    prices = Goods(*posted)
    settled = tuple(
        _sale(rules, firm, tally, prices) for firm, tally in zip(state.firms, tallies, strict=True)
    )
    last = state.month == rules.months
    after = State(
        rules=rules,
        players=state.players,
        month=state.month if last else state.month + 1,
        step=Step.OVER if last else Step.BUY,
        material_prices=state.material_prices,
        good_prices=prices,
        firms=tuple([Firm(sale.cash, sale.materials) for sale in settled]),
    )
    report = SaleReport(
        players=state.players,
        month=state.month,
        units=Goods(*units),
        before=before,
        movement=Goods(*movement),
        prices=prices,
        firms=settled,
    )
    return after, report


def liquidate(state: State) -> Final:
    """End the game: the Broker buys what certificates are left, and most profit wins (R19).

    Raises
    ------
    TurnError
        The last month has not been sold yet.
    """
    if state.step is not Step.OVER:
        raise TurnError(
            f"The game is not over: {month_name(state.month)} of {state.rules.months} months is "
            "being played."
        )
    proceeds = tuple(
        sum(n * price for n, price in zip(firm.materials, state.material_prices, strict=True))
        for firm in state.firms
    )
    cash = tuple(firm.cash + more for firm, more in zip(state.firms, proceeds, strict=True))
    start = state.rules.starting_cash.at(len(state.players))
    profit = tuple(dollars - start for dollars in cash)
    winners = tuple(
        name for name, made in zip(state.players, profit, strict=True) if made == max(profit)
    )
    return Final(state.players, proceeds, cash, profit, winners)


def _check_players(state: State, orders: Mapping[str, Order]) -> None:
    if not isinstance(orders, Mapping):
        item = MATERIALS[0] if state.step is Step.BUY else GOODS[0]
        raise BidError(
            f"The {_kind(state)}s for {month_name(state.month)} must look like "
            f'{{"{state.players[0]}": {{"{item}": (2, 40)}}}}, not {type(orders).__name__}.'
        )
    for player in orders:
        seat(state, player)


def _post(
    rules: Rules,
    calculator: Calculator,
    floor: int,
    before: Iterable[int],
    tallies: Sequence[Iterable[Bid]],
) -> tuple[list[int], list[int], list[int]]:
    """Add up what was announced, look up the movements, post the prices (R1, R2, R5, R6, R9)."""
    units = [sum([bid.units for bid in bids]) for bids in zip(*tallies, strict=True)]
    movement = [calculator.movement(total, rules.past_table) for total in units]
    prices = [max(floor, price + move) for price, move in zip(before, movement, strict=True)]
    return units, movement, prices


def _purchase(rules: Rules, firm: Firm, tally: Materials[Bid], prices: Materials[int]) -> Purchase:
    """Settle one firm's order: what the market gives (R10, R16), then the cash for it (R11)."""
    lost_per = rules.buy_dollars_per_unit_lost if rules.partial_buys else None
    missed = Outcome.BELOW_MARKET
    x = _line(tally.X, prices.X - tally.X.price, lost_per, missed)
    f = _line(tally.F, prices.F - tally.F.price, lost_per, missed)
    s = _line(tally.S, prices.S - tally.S.price, lost_per, missed)
    due = x.won * x.price + f.won * f.price + s.won * s.price
    if due > firm.cash:
        lines = Materials(*[_voided(line, Outcome.SHORT_OF_CASH) for line in (x, f, s)])
        return Purchase(lines, due, 0, True, firm.cash, firm.materials)
    held = firm.materials
    materials = Materials(held.X + x.filled, held.F + f.filled, held.S + s.filled)
    return Purchase(Materials(x, f, s), due, due, False, firm.cash - due, materials)


def _sale(rules: Rules, firm: Firm, tally: Goods[Bid], prices: Goods[int]) -> Sale:
    """Settle one firm's offer: what the market takes (R10, R17), then delivery (R13, R14)."""
    lost_per = rules.sale_dollars_per_unit_lost if rules.partial_sales else None
    missed = Outcome.ABOVE_MARKET
    a = _line(tally.A, tally.A.price - prices.A, lost_per, missed)
    b = _line(tally.B, tally.B.price - prices.B, lost_per, missed)
    c = _line(tally.C, tally.C.price - prices.C, lost_per, missed)
    due = a.won * a.price + b.won * b.price + c.won * c.price
    delivery = deliver(rules, firm.materials, Goods(a.won, b.won, c.won))
    if delivery is None:
        lines = Goods(*[_voided(line, Outcome.CANNOT_DELIVER) for line in (a, b, c)])
        return Sale(lines, due, 0, True, NO_DELIVERY, firm.cash, firm.materials)
    held, used = firm.materials, delivery.certificates
    materials = Materials(held.X - used.X, held.F - used.F, held.S - used.S)
    return Sale(Goods(a, b, c), due, due, False, delivery, firm.cash + due, materials)


NO_LINE = Line(0, 0, 0, 0, Outcome.NO_BID)
NO_DELIVERY = Delivery(Materials(0, 0, 0), 0, 0)


def _line(bid: Bid, missed_by: int, lost_per: int | None, missed: Outcome) -> Line:
    """Settle one line that misses the market by so many dollars; 0 or less is a hit.

    In the variation one unit is lost for each `lost_per` dollars or part of them (R16, R17).
    """
    units, price = bid
    if not units:
        return NO_LINE
    if missed_by <= 0:
        return Line(units, price, units, units, Outcome.FILLED)
    won = 0 if lost_per is None else max(0, units + -missed_by // lost_per)
    return Line(units, price, won, won, Outcome.PARTLY_FILLED if won else missed)


def _voided(line: Line, outcome: Outcome) -> Line:
    return line._replace(filled=0, outcome=outcome) if line.won else line
