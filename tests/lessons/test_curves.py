import json
from itertools import combinations, pairwise

import pytest

from exdec import Good, Material
from exdec.lessons.curves import (
    BEFORE,
    DEMAND,
    OTHER,
    SUPPLY,
    Area,
    Axis,
    Chart,
    Cloud,
    Knob,
    Line,
    Picture,
    Point,
    build_up,
    explore,
    rectangle,
    staircase,
)
from exdec.notebook.live import PLOTLY
from exdec.theme import SERIES

LOOKS = (DEMAND, SUPPLY, BEFORE, OTHER)
X, Y = Axis("units ordered", "units", high=24), Axis("X-FINE", "$", low=20, high=60)
LINE = Line("posted price", [(0, 30), (24, 54)], Material.X)
TWELVE = Point("12 ordered", (12, 42), guides=True)


@pytest.fixture
def shown(monkeypatch):
    """What showing a view puts below its cell, without the widgets."""

    def show(view):
        bundles = []
        monkeypatch.setattr(
            "IPython.display.display",
            lambda one, **_options: bundles.append(one) if isinstance(one, dict) else None,
        )
        view._ipython_display_()
        return bundles

    return show


def light(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


def test_looks_stand_out_on_light_and_dark_ground():
    for look in LOOKS:
        assert light("#ffffff") / light(look.colour) >= 3.9
        assert light(look.colour) / light("#111111") >= 3.9


def test_looks_differ_by_dash_and_marker_as_well_as_by_colour():
    for one, other in combinations(LOOKS, 2):
        assert one.dash != other.dash
        assert one.symbol != other.symbol
    assert not {look.colour for look in LOOKS} & {series.colour for series in SERIES.values()}


def test_a_picture_draws_what_is_added_and_says_it():
    picture = Picture(X, Y).add(LINE, TWELVE, note="Each unit adds $1.")
    line, point = picture.figure.data
    assert (list(line.x), list(line.y)) == ([0, 24], [30, 54])
    assert line.line.color == SERIES[Material.X].colour
    assert (list(point.x), list(point.y)) == ([12], [42])
    assert picture.sentence == (
        "posted price: from $30 at 0 units to $54 at 24 units. 12 ordered: $42 at 12 units. "
        "Each unit adds $1."
    )
    assert repr(picture) == picture.sentence


def test_adding_leaves_the_earlier_picture_and_its_axes_alone():
    first = Picture(X, Y).add(LINE)
    later = first.add(TWELVE)
    assert len(first.figure.data) == 1
    assert len(later.figure.data) == 2
    for axis in ("xaxis", "yaxis"):
        assert first.figure.layout[axis].range == later.figure.layout[axis].range
    assert first.figure.layout.yaxis.range == (20, 60)


def test_points_lie_above_lines_and_lines_above_areas():
    box = rectangle("revenue", (0, 12), (20, 42))
    figure = Picture(X, Y).add(TWELVE, LINE, box).figure
    assert [trace.name for trace in figure.data] == ["revenue", "posted price", "12 ordered"]


def test_a_sentence_of_its_own_takes_the_place_of_the_usual_one():
    box = Area("revenue", [(0, 0), (1, 0), (1, 1)], says="You receive $406.")
    assert Picture(X, Y).add(box).sentence == "You receive $406."


def test_guides_lead_from_a_point_to_both_axes():
    across, down = Picture(X, Y).add(TWELVE).figure.layout.shapes
    assert (across.x0, across.y0, across.x1, across.y1) == (0, 42, 12, 42)
    assert (down.x0, down.y0, down.x1, down.y1) == (12, 20, 12, 42)
    assert not Picture(X, Y).add(Point("bare", (1, 30))).figure.layout.shapes


def test_a_staircase_steps_down_after_each_whole_unit():
    stairs = staircase("worth to me", [50, 50, 30], Good.A)
    assert stairs.points == [(0, 50), (1, 50), (1, 50), (2, 50), (2, 30), (3, 30)]
    (trace,) = Picture(X, Y).add(stairs).figure.data
    assert list(trace.marker.size) == [0, 8, 8, 8, 0, 8]
    assert stairs.says == "worth to me: $50, $50, $30."


def test_names_of_lines_that_end_together_do_not_cover_one_another():
    lines = [
        Line("demand", [(0, 50), (24, 40)], DEMAND),
        Line("before", [(0, 52), (24, 40)], BEFORE),
        Line("a much longer name than that", [(0, 51), (24, 41)], OTHER),
    ]
    figure = Picture(X, Y).add(*lines).figure
    notes = [note for note in figure.layout.annotations if note.x == 24]
    pixels = (figure.layout.height - 68) / 40
    heights = sorted(note.y * pixels + note.yshift for note in notes)
    assert len(heights) == 3
    assert min(high - low for low, high in pairwise(heights)) >= 15


def test_no_text_of_a_figure_has_a_dollar_that_could_begin_a_formula():
    line = Line("from $3 to $5", [(0, 3), (2, 5)])
    point = Point("$4", (1, 4))
    figure = Picture(Axis("$ here", "$", high=2), Axis("$ there", "$", high=9)).add(line, point)
    plain = figure.figure.to_plotly_json()
    plain["layout"]["xaxis"].pop("tickformat")
    plain["layout"]["yaxis"].pop("tickformat")
    assert "$" not in json.dumps(plain)


def test_a_picture_shows_a_light_figure_and_its_sentence_below(shown):
    chart, says = shown(Picture(X, Y).add(LINE, TWELVE))
    assert len(json.dumps(chart[PLOTLY])) < 3_000
    assert chart["text/plain"].startswith("posted price: from $30")
    assert "posted price: from $30 at 0 units" in says["text/html"]


def test_an_empty_picture_can_be_shown(shown):
    assert shown(Picture(X, Y))[0][PLOTLY]["data"]


def test_another_kind_of_figure_brings_its_own_sentence(shown):
    chart = Chart(Picture(X, Y).add(LINE).figure, "It rises.")
    assert shown(chart)[0]["text/plain"] == "It rises."
    assert dict(build_up([("See.", chart)])._parts())["chart"]["text/plain"] == "It rises."


def steps():
    first = Picture(X, Y).add(LINE)
    return [("The line.", first), ("A point on it: <12>.", first.add(TWELVE))]


def test_a_chart_is_built_up_by_next_and_taken_back_by_back():
    view = build_up(steps())
    assert view.back.disabled
    view.next.click()
    assert view.at == 1
    assert view.next.disabled
    view.back.click()
    assert view.at == 0
    view.go(-3)
    assert view.at == 0
    view.go(9)
    assert view.at == 1


def test_every_step_of_a_chart_that_is_built_up_stands_below_it_as_text(shown):
    outputs = shown(build_up(steps()))
    static = " ".join(one["text/html"] for one in outputs if "text/html" in one)
    assert "<li>The line.</li><li>A point on it: &lt;12&gt;.</li>" in static
    assert repr(build_up(steps())) == "1. The line.\n2. A point on it: <12>."


def test_what_is_said_of_a_new_step_is_said_at_once():
    view = build_up(steps())
    assert "alert" not in view._text.value
    view.next.click()
    assert "role=alert" in view._text.value
    assert "Step 2 of 2" in view._text.value


def test_a_chart_needs_a_step_to_be_built_up():
    with pytest.raises(ValueError, match="at least one step"):
        build_up([])


def exploration(draw=None):
    def price(units, opening):
        return Picture(X, Y).add(Point("posts at", (units, opening + units - 10)))

    knobs = [
        Knob("units", "units ordered by all", 0, 24, start=10),
        Knob("opening", "opening price", 20, 60, start=40, unit="$"),
    ]
    return explore("How many units post $50?", knobs, draw or price)


def test_a_slider_moves_the_chart_and_its_sentence(shown):
    view = exploration()
    assert view.chart.sentence == "posts at: $40 at 10 units."
    shown(view)
    view.sliders["units"].value = 20
    assert view.chart.sentence == "posts at: $50 at 20 units."
    assert view.values == {"units": 20, "opening": 40}
    said = dict(view._parts(new=True))
    assert 'role="alert">posts at: $50' in said["sheet"]["text/html"]


def test_an_exploration_shows_its_question_and_names_its_sliders(shown):
    outputs = shown(exploration())
    assert any("How many units post $50?" in one.get("text/html", "") for one in outputs)
    assert any(PLOTLY in one for one in outputs)
    labels = [slider.description for slider in exploration().sliders.values()]
    assert labels == ["units ordered by all", "opening price"]


def test_an_error_while_drawing_is_shown_and_not_lost(shown):
    def draw(units, opening):
        if units == 13:
            raise ZeroDivisionError("no units")
        return Picture(X, Y)

    view = exploration(draw)
    shown(view)
    view.sliders["units"].value = 13
    assert "ZeroDivisionError" in view._message.value
    view.sliders["units"].value = 12
    assert view._message.value == ""


def test_what_leaves_the_axes_is_cut_off_and_a_marker_on_the_edge_is_not():
    high = Line("too high", [(0, 30), (24, 70)], DEMAND)
    within, beyond = Picture(X, Y).add(LINE, high).figure.data
    assert (within.cliponaxis, beyond.cliponaxis) == (False, True)


def test_a_cloud_is_named_above_the_picture_and_by_its_own_marker():
    months = Cloud("FINE", [(11, 31), (7, 28)], Material.F)
    figure = Picture(X, Y).add(LINE, months).figure
    line, cloud = figure.data
    assert figure.layout.showlegend
    assert (line.showlegend, cloud.showlegend) == (False, True)
    assert (cloud.mode, cloud.marker.symbol) == ("markers", SERIES[Material.F].symbol)
    assert Picture(X, Y).add(months).sentence == "FINE: $31 at 11 units, $28 at 7 units."


def test_what_says_nothing_is_no_part_of_the_sentence():
    silent = Point("12", (12, 42), says="")
    assert Picture(X, Y).add(silent, note="Done.").sentence == "Done."
