"""Lesson 2: what X-FINE is worth to one firm, what a class wants of it, and where that posts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from itertools import accumulate, groupby
from pathlib import Path

import ipywidgets as widgets

from exdec.items import GOODS, MATERIALS, Good, Goods, Item, Material, Materials
from exdec.lessons.checking import amount
from exdec.lessons.curves import (
    BEFORE,
    DEMAND,
    SUPPLY,
    Axis,
    BuildUp,
    Chart,
    Exploration,
    Knob,
    Line,
    Look,
    Picture,
    Point,
    build_up,
    explore,
    staircase,
)
from exdec.lessons.own_game import OwnGame
from exdec.lessons.schedules import (
    ScheduleError,
    Schedules,
    read_dollars,
    read_name,
    read_schedules,
    recorded_class,
    write_schedules,
)
from exdec.lessons.views import View, enter_goes_on
from exdec.model import month_name, possessive
from exdec.narrate import counted, dollars
from exdec.notebook.clicks import Press, guarded, said_html
from exdec.notebook.form import Field
from exdec.notebook.live import Live, chart_bundle
from exdec.rules import STANDARD, Rules
from exdec.theory.demand import (
    added_worth,
    best_mix,
    crossing,
    demand_prices,
    market_demand,
    most_value,
    quantity_at,
    shifted,
    worth_in_good,
)
from exdec.theory.prices import opening_price, posted_price

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
FIELDS = 4
"""Units that a pupil's form asks for."""

CLASS = 3
"""Pupils whose curve is drawn in place of the recorded class's."""

ALONE = (
    "Alone? Put yours in or leave the fields empty, and draw the curve: until three of you are in, "
    "it is that of the recorded class. The steps of one alone stand beside it."
)
TOGETHER = (
    "A later unit is worth more to you than one before it, so they are wanted together, at their "
    "average."
)

LEFT_OVER = Materials(X=0, F=2, S=3)
"""What Cy holds in the recorded game after January's orders: everything but X-FINE."""

LOOK_AT = 50
"""Dollars at which the exploration of the class's curve begins."""


# -- one firm ------------------------------------------------------------------------------------


def first_second_third(
    stock: Materials[int] = LEFT_OVER, price: int = 48, units: int = 4, rules: Rules = STANDARD
) -> BuildUp:
    """Build up what a first, second, third … X-FINE adds for a firm that holds some certificates.

    Parameters
    ----------
    stock : Materials[int]
    price : int
        What X-FINE posts at in the last step, in dollars.
    units : int
        How many next units.
    rules : Rules
        Goods are at their opening prices.

    Examples
    --------
    >>> print(first_second_third())  # doctest: +ELLIPSIS
    1. You hold 2 FINE and 3 STANDARD. The best you can make of them is 1 C, for $90.
    2. With 1 X-FINE you make 1 B and 1 C: $205. The first X-FINE adds $115.
    ...
    """
    prices = rules.opening_goods
    worth = added_worth(stock, prices, Material.X, units, rules)
    values = list(accumulate(worth, initial=most_value(stock, prices, rules)))
    mixes = [
        _named(best_mix(stock._replace(X=stock.X + more), prices, rules), GOODS)
        for more in range(units + 1)
    ]
    picture = Picture(
        Axis("units of X-FINE", "units", high=units),
        Axis("one X-FINE more, $", "$", high=10 * (max(worth) // 10 + 2)),
    )
    steps = [
        (
            f"You hold {_named(stock, MATERIALS)}. The best you can make of them is {mixes[0]}, "
            f"for {dollars(values[0])}.",
            picture,
        )
    ]
    steps += [
        (
            f"With {at} X-FINE you make {mixes[at]}: {dollars(values[at])}. The {ORDINALS[at - 1]} "
            f"X-FINE adds {dollars(worth[at - 1])}.",
            picture.add(_stairs("adds", worth[:at], "Unit by unit, X-FINE adds")),
        )
        for at in range(1, units + 1)
    ]
    curve = demand_prices(worth)
    demand = _stairs("your demand", curve, "Your demand: each unit is wanted up to")
    if curve != worth:
        adds = _stairs("adds", worth, "Unit by unit, X-FINE adds", BEFORE)
        steps.append((_together(worth, curve), picture.add(adds, demand)))
    wanted = counted(quantity_at(curve, price), "unit")
    posted = Line(
        "X-FINE posts at",
        [(0, price), (units, price)],
        SUPPLY,
        f"X-FINE posts at {dollars(price)}, and {wanted} of your demand lies above that.",
        marked=(),
    )
    steps.append(
        (
            f"X-FINE posts at {dollars(price)}. Units that add less than they cost are not worth "
            f"having: you want {wanted}.",
            picture.add(demand, posted),
        )
    )
    return build_up(steps)


def _together(worth: Sequence[int], curve: Sequence[Fraction]) -> str:
    """Say which units are wanted together, and what that leaves of the staircase."""
    heaps = [[at for at, _ in heap] for _, heap in groupby(enumerate(curve), lambda one: one[1])]
    heap = next(heap for heap in heaps if len({worth[at] for at in heap}) > 1)
    many, adds = len(heap), sum(worth[at] for at in heap)
    last = adds // many
    return (
        f"Nobody can have the {ORDINALS[heap[-1]]} without the one before. From the "
        f"{ORDINALS[heap[0]]} to the {ORDINALS[heap[-1]]} they add "
        f"{dollars(adds)} together, {amount(curve[heap[0]], '$')} each. At {dollars(last)} for one "
        f"the {many} cost {dollars(last * many)}: you want all of them. At {dollars(last + 1)} "
        f"they cost {dollars((last + 1) * many)}, more than they add: you want none. So you stop "
        "at their average, and that is your demand curve."
    )


def _stairs(name: str, heights: Sequence[Fraction | int], says: str, look: Look = DEMAND) -> Line:
    values = [float(height) for height in heights]
    return staircase(name, values, look, f"{says} {amount(list(heights), '$')}.")


def worth_by_month(own: OwnGame) -> Chart:
    """Draw what X-FINE was worth in a B, month by month, and what it posted at.

    Parameters
    ----------
    own : OwnGame
        The learner's game, or the recorded one.
    """
    import plotly.graph_objects as go

    rules = own.game.rules
    boards = [(rules.opening_materials, rules.opening_goods)]
    posted = [step.report.prices for step in own.game.steps]
    boards += [
        (Materials(*bought), Goods(*sold))
        for bought, sold in zip(posted[::2], posted[1::2], strict=False)
    ]
    months = ["opening", *(month_name(month) for month in range(1, len(boards)))]
    lines: dict[str, tuple[Look, list[float]]] = {
        "worth in a B": (Good.B, [_worth(Good.B, *board, rules) for board in boards]),
        "X-FINE posts at": (Material.X, [materials.X for materials, _ in boards]),
    }
    every = [value for _, values in lines.values() for value in values]
    picture = Picture(
        Axis("", high=max(1, len(boards) - 1)),
        Axis("one X-FINE, $", "$", low=min(0, *every), high=max(every) + 10),
        tuple(
            Line(
                name,
                list(enumerate(values)),
                look,
                f"{name[0].upper()}{name[1:]}: {amount(values, '$')}.",
            )
            for name, (look, values) in lines.items()
        ),
        note=f"From left to right: {', '.join(months)}.",
    )
    figure = go.Figure(picture.figure)
    figure.update_xaxes(tickvals=list(range(len(months))), ticktext=months)
    return Chart(figure, picture.sentence)


def _worth(good: Good, materials: Materials[int], goods: Goods[int], rules: Rules) -> float:
    return float(worth_in_good(good, getattr(goods, good), materials, Material.X, rules))


# -- a class -------------------------------------------------------------------------------------


class ClassDemand(View):
    """A form in which pupils enter what they would pay, one after another, and the class's curve.

    What was entered before is not shown: the fields are empty for whoever comes next, and the
    curve has no names. All of it is kept in a CSV file (`exdec.lessons.schedules`), so a file that
    the class shares, or that another game wrote, is drawn in the same way.

    Parameters
    ----------
    path : Path
        The file; it need not be there yet.

    Attributes
    ----------
    name : Field
    dollars : list of Field
        For a first, second … unit.
    press : Press
        Puts a schedule in.
    draw_button : widgets.Button
    out_button : widgets.Button
        Takes out what was put in last, or what stands under a name that is typed again.
    sentence : str
        What the curve shows; "" before it is drawn.
    """

    def __init__(self, path: Path) -> None:
        super().__init__("class")
        self.path = path
        self.sentence = ""
        wide = {"style": {"description_width": "initial"}, "continuous_update": False}
        self.name = Field(description="Your name", **wide)
        self.dollars = [
            Field(description=f"For the {ordinal} X-FINE I pay at most, in dollars", **wide)
            for ordinal in ORDINALS[:FIELDS]
        ]
        self.press = Press("Put mine in", self.put_in, self.complain)
        self.draw_button = widgets.Button(description="Draw the curve")
        self.draw_button.on_click(guarded(self.draw, self.complain))
        self.out_button = widgets.Button()
        self.out_button.on_click(guarded(self.take_out, self.complain))
        self._out = ""
        self.state = widgets.HTML()
        self._says = widgets.HTML()
        self._live = Live("class")
        self._live.follow()
        self._drawn = widgets.Box([], _dom_classes=["exdec-sketch"])
        fields = [self.name, *self.dollars]
        enter_goes_on(fields, self.press)
        self._buttons = widgets.Box(_dom_classes=["exdec-buttons"])
        self._offer_out("")
        self.put(self.state, *fields, self.message, self._buttons, self._drawn)
        try:
            self._say(self.schedules())
        except ScheduleError as error:
            self.complain(str(error))

    def schedules(self) -> Schedules:
        """What is in the file now; empty if there is none.

        Raises
        ------
        ScheduleError
            The file cannot be read; the message names the line.
        """
        return read_schedules(self.path) if self.path.exists() else {}

    def put_in(self) -> None:
        """Put in what is typed, and empty the fields.

        Raises
        ------
        ExdecError
            Something typed will not do, or the file; what was typed stays.
        """
        schedules = self.schedules()
        name = read_name(self.name.value)
        for there in schedules:
            if there.casefold() == name.casefold():
                self._offer_out(there)
                raise ScheduleError(
                    f"{name} is in already. Is it you? Then take those lines out and put these in. "
                    f"If not, write another name, such as {name} 2."
                )
        worth = _typed([field.value for field in self.dollars])
        schedules[name] = worth
        write_schedules(self.path, schedules)
        for field in (self.name, *self.dollars):
            field.value = ""
        together = f" {TOGETHER}" if demand_prices(worth) != worth else ""
        many = counted(len(worth), "unit")
        self._changed(schedules, f"{name}, yours is in: {many}.{together} Now the next one.")
        self._offer_out(name)

    def take_out(self) -> None:
        """Take out the schedule that the button names, so that it can be put in anew.

        Raises
        ------
        ScheduleError
            As `schedules`.
        """
        schedules = self.schedules()
        schedules.pop(self._out, None)
        if schedules:
            write_schedules(self.path, schedules)
        else:
            self.path.unlink(missing_ok=True)
        self._changed(schedules, f"{possessive(self._out)} lines are out.")
        self._offer_out("")

    def _changed(self, schedules: Schedules, says: str) -> None:
        """Say what was done, and show no curve to whoever writes next."""
        self._drawn.children = []
        self.sentence = ""
        self.message.value = said_html(says)
        self._say(schedules)
        self.name.focus()

    def _offer_out(self, name: str) -> None:
        self._out = name
        self.out_button.description = f"Take {possessive(name)} lines out" if name else ""
        out = [self.out_button] if name else []
        self._buttons.children = [self.press.button, self.draw_button, *out]

    def draw(self) -> None:
        """Draw the curve of all that is in the file, or of the recorded class if few are.

        Raises
        ------
        ScheduleError
            As `schedules`.
        """
        schedules = self.schedules()
        enough = len(schedules) >= CLASS
        # Of two, each could tell what the other has written.
        alone = next(iter(schedules.values())) if len(schedules) == 1 else None
        picture = class_curve(schedules if enough else None, alone)
        self.sentence = picture.sentence
        self.message.value = ""
        self._offer_out("")
        self._say(schedules)
        self._live.update(chart_bundle(picture.figure, picture.sentence), private=True)
        self._says.value = f'<p role="alert">{escape(picture.sentence)}</p>'
        self._drawn.children = [self._live.widget, self._says]

    def _say(self, schedules: Schedules) -> None:
        many = counted(len(schedules), "schedule") if schedules else "no schedule yet"
        alone = "" if len(schedules) >= CLASS else f" {ALONE}"
        self.state.value = f'<p class="exdec-quiet">{escape(self.path.name)}: {many}.{alone}</p>'

    def __repr__(self) -> str:
        return self.sentence or f"{self.path.name}: a form for the class's schedules."


def class_demand(file: str | Path = "class_demand.csv") -> ClassDemand:
    """Ask one pupil after another what they would pay, and draw the class's own demand curve.

    Parameters
    ----------
    file : path
        Where the schedules are kept, beside the notebook; or a CSV file that the class shares,
        with the columns name, unit and dollars.

    Returns
    -------
    ClassDemand
        Make it the last line of a cell.
    """
    return ClassDemand(Path(file))


def class_curve(schedules: Schedules | None = None, beside: Sequence[int] | None = None) -> Picture:
    """Draw the demand curve of a class.

    Parameters
    ----------
    schedules : dict of str to list of int, optional
        Dollars for each unit, by name; the recorded class if there are none.
    beside : sequence of int, optional
        What the learner would pay for each unit, to draw as steps beside the curve.
    """
    whose = "your class" if schedules else "the recorded class"
    curve = market_demand((schedules or recorded_class()).values())
    people = counted(len(schedules or recorded_class()), "pupil")
    note = f"Demand of {whose}, {people}: {_at_prices(curve)}."
    demand = _curve(f"demand of {whose}", curve, DEMAND, "")
    if beside is None:
        return _class_picture(curve).add(demand, note=note)
    own = demand_prices(beside)
    return _class_picture([*curve, *own]).add(
        demand,
        staircase("your own", [float(price) for price in own], BEFORE, ""),
        note=f"{note} Your own steps stand beside it: {amount(list(own), '$')}.",
    )


def along_or_shift(rules: Rules = STANDARD) -> Exploration:
    """Let a learner move the price of X-FINE, and what makes X-FINE worth more or less.

    Each unit of the recorded class goes into a B, so it becomes worth as much more as a B brings
    more, and as much less as FINE costs more.
    """
    curve = market_demand(recorded_class().values())
    b, f = rules.opening_goods.B, rules.opening_materials.F
    picture = _class_picture(curve, more=20)

    def draw(price: int, b_price: int, f_price: int) -> Picture:
        more = b_price - b - (f_price - f)
        now = shifted(curve, more)
        before, after = quantity_at(curve, price), quantity_at(now, price)
        level = Line("price", [(0, price), (picture.x.high, price)], SUPPLY, "", marked=())
        point = Point(
            counted(after, "unit"), (after, price), DEMAND, guides=True, side="above", says=""
        )
        if not more:
            # Before a slider is moved, nothing says what it does.
            moved = (price, b_price, f_price) != (LOOK_AT, b, f)
            stands = " The curve stands where it stood." if moved else ""
            return picture.add(
                _curve("demand", curve, DEMAND, ""),
                level,
                point,
                note=f"At {dollars(price)} the class wants {counted(after, 'unit')}.{stands}",
            )
        way = "up and to the right" if more > 0 else "down and to the left"
        return picture.add(
            _curve("demand before", curve, BEFORE, ""),
            _curve("demand now", now, DEMAND, ""),
            level,
            point,
            note=f"Each X-FINE is worth {dollars(abs(more))} {'more' if more > 0 else 'less'}, so "
            f"the whole curve moves {way}. At the same {dollars(price)} the class wants "
            f"{counted(after, 'unit')}, where it wanted {before}.",
        )

    return explore(
        f"At {dollars(LOOK_AT)} the class wants {quantity_at(curve, LOOK_AT)} units. Which of the "
        "three sliders move the curve, and which one only moves you along it?",
        [
            Knob("price", "X-FINE costs", 20, 90, LOOK_AT, unit="$"),
            Knob("b_price", "B brings", b - 20, b + 20, b, unit="$"),
            Knob("f_price", "FINE costs", f - 10, f + 10, f, unit="$"),
        ],
        draw,
    )


def class_at_one_table(rules: Rules = STANDARD) -> BuildUp:
    """Let the recorded class order from one Broker: its demand, and the price that orders make."""
    curve = market_demand(recorded_class().values())
    last = opening_price(Material.X, rules)
    naive = quantity_at(curve, last)
    high = posted_price(Material.X, last, naive, rules)
    units, price = crossing(curve, Material.X, last, rules)
    demand = _class_picture(curve).add(
        _curve("demand", curve, DEMAND, f"Demand: {_at_prices(curve)}.")
    )
    low, step = posted_price(Material.X, last, 0, rules), rules.materials_calculator.per_unit
    end = len(curve)
    line = [(0, low), (end, posted_price(Material.X, last, end, rules))]
    broker = demand.add(
        Line(
            "X-FINE posts at",
            line,
            SUPPLY,
            f"What X-FINE posts at rises by {dollars(step)} a unit, from {dollars(low)}.",
            marked=(),
        )
    )
    regret = sum(1 for worth in curve if last <= worth < high)
    return build_up(
        [
            ("The demand of the class: how many units it wants at each price.", demand),
            (
                "The Broker's line: where X-FINE posts for each total ordered. You get as many as "
                f"you like, but every unit ordered adds {dollars(step)}.",
                broker,
            ),
            (
                f"Everyone looks at the board, sees {dollars(last)}, and orders what is worth "
                f"that: {naive} units. So X-FINE posts at {dollars(high)}, and {regret} of the "
                "units ordered are not worth it.",
                broker.add(
                    Point(
                        dollars(high),
                        (naive, high),
                        SUPPLY,
                        guides=True,
                        side="above",
                        says=f"At {naive} units it is {dollars(high)}.",
                    )
                ),
            ),
            (
                f"Where the two cross, {units} units are ordered and X-FINE posts at "
                f"{dollars(price)}: each of them is worth its price, and one more would not be.",
                broker.add(
                    Point(
                        dollars(price),
                        (units, price),
                        DEMAND,
                        guides=True,
                        side="above",
                        says=f"The two cross at {units} units and {dollars(price)}.",
                    )
                ),
            ),
        ]
    )


def _class_picture(curve: Sequence[Fraction], more: int = 0) -> Picture:
    top = max([*curve, Fraction(LOOK_AT)]) + more
    low = min([*curve, Fraction(LOOK_AT)])
    floor = 0 if low < 30 else 20
    return Picture(
        Axis("units of X-FINE", "units", high=len(curve) + 1),
        Axis("X-FINE, $ a unit", "$", low=floor, high=10 * (int(top) // 10 + 1)),
    )


def _curve(name: str, curve: Sequence[Fraction], look: Look, says: str) -> Line:
    stairs = staircase(name, [float(price) for price in curve], look, says)
    return replace(stairs, marked=())


def _at_prices(curve: Sequence[Fraction]) -> str:
    """Units at a few round prices, in words."""
    top, low = (10 * (int(edge) // 10) for edge in (max(curve), min(curve)))
    step = 10 * max(1, (top - low) // 50)
    said = [
        f"{quantity_at(curve, price)} at {dollars(price)}" for price in range(top, low - 1, -step)
    ]
    return f"units wanted are {', '.join(said)}"


def _typed(texts: Sequence[str]) -> list[int]:
    """Dollars for each unit, up to the last field in which something is written."""
    written = [at for at, text in enumerate(texts) if text.strip()]
    if not written:
        raise ScheduleError(
            "No dollars are written yet. Write what the first X-FINE is worth to you, or 0."
        )
    if missing := [at for at in range(written[-1]) if at not in written]:
        raise ScheduleError(
            f"The {ORDINALS[missing[0]]} unit is empty, and a later one is not. Fill it, or write "
            "0 there."
        )
    return [read_dollars(f"The {ORDINALS[at]} unit", texts[at]) for at in written]


def _named(units: Sequence[int], items: Sequence[Item]) -> str:
    words = [f"{n} {item.label}" for n, item in zip(units, items, strict=True) if n]
    return (
        " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing"
    )
