import json
from itertools import pairwise

from exdec import STANDARD, Game
from exdec.charts import LABEL_HEIGHT, _apart, price_figure, price_sentence
from exdec.items import GOODS, MATERIALS, Material
from exdec.theme import CHART_HEIGHT, SERIES


def played(months: int, rules=STANDARD) -> Game:
    game = Game(["Ann", "Ben"], rules)
    for _ in range(months):
        game.order("Ann", X=(12, 60), F=(6, 60))
        game.order("Ben", X=(2, 60), F=(10, 60))
        game.offer("Ann")
        game.offer("Ben", C=(3, 200))
    return game


def postings(game: Game) -> list:
    return game.postings


def test_lines_start_at_opening_and_grow_by_what_is_posted():
    figure = price_figure(STANDARD, postings(played(2)))
    prices = {trace.name: list(trace.y) for trace in figure.data}
    assert prices["X-FINE"] == [40, 44, 48]  # 14 ordered: +4
    assert prices["STANDARD"] == [20, 10, 1]  # −10, then the floor
    assert prices["C"] == [90, 95, 100]  # 3 offered: +5


def test_a_hover_says_how_the_price_came_about():
    figure = price_figure(STANDARD, postings(played(1)))
    hovers = {trace.name: list(trace.hovertext) for trace in figure.data}
    assert hovers["X-FINE"] == ["X-FINE, Opening: $40", "X-FINE, January: 14 ordered, +4, $44"]
    assert hovers["C"][1] == "C, January: 3 offered, +5, $95"


def test_series_differ_by_dash_and_by_marker_as_well_as_by_colour():
    for items in (MATERIALS, GOODS):
        assert len({SERIES[item].dash for item in items}) >= 2
        assert len({(SERIES[item].dash, SERIES[item].symbol) for item in items}) == 3
    for part in ("colour", "symbol", "glyph"):
        assert len({getattr(series, part) for series in SERIES.values()}) == 6


def test_colours_stand_out_on_light_and_dark_ground():
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    for series in SERIES.values():
        assert light("#ffffff") / light(series.colour) >= 3.9
        assert light(series.colour) / light("#111111") >= 3.9


def test_every_line_is_named_at_its_end():
    figure = price_figure(STANDARD, postings(played(1)))
    assert not figure.layout.showlegend
    labels = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert labels["X-FINE <b>$44</b>"] == (1, 44)
    assert labels["C <b>$95</b>"] == (1, 95)


def test_labels_at_equal_prices_do_not_cover_one_another():
    prices = {Material.X: 30, Material.F: 30, Material.S: 31}
    shifts = _apart(prices, dollar=2.0)
    heights = sorted(prices[grade] * 2.0 + shifts[grade] for grade in prices)
    gaps = [high - low for low, high in pairwise(heights)]
    assert min(gaps) >= LABEL_HEIGHT - 1
    assert _apart({Material.X: 40, Material.F: 20}, dollar=2.0) == {Material.X: 0, Material.F: 0}


def test_a_dollar_is_as_high_among_goods_as_among_materials():
    layout = price_figure(STANDARD, postings(played(2))).layout
    heights = []
    for axis in (layout.yaxis, layout.yaxis2):
        span = axis.range[1] - axis.range[0]
        heights.append((axis.domain[1] - axis.domain[0]) * CHART_HEIGHT / span)
    assert abs(heights[0] - heights[1]) < 0.001


def test_twelve_months_are_a_few_kilobytes_of_plain_json():
    rules = STANDARD.vary(starting_cash=99_999)
    figure = price_figure(rules, postings(played(12, rules)))
    assert len(figure.data[0].x) == 13
    assert len(json.dumps(figure.to_plotly_json())) < 9_000
    assert "template" not in figure.to_plotly_json()["layout"]


def test_the_sentence_says_what_the_chart_shows():
    game = played(1)
    assert price_sentence(STANDARD, []) == (
        "Opening prices of materials: X-FINE $40, FINE $30, STANDARD $20. "
        "Opening prices of goods: A $140, B $115, C $90."
    )
    assert price_sentence(STANDARD, postings(game)) == (
        "January's materials: X-FINE $44 (+4), FINE $36 (+6), STANDARD $10 (−10). "
        "January's goods: A $151 (+11), B $126 (+11), C $95 (+5)."
    )
