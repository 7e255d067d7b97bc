import json
from itertools import pairwise

from exdec import STANDARD, Game
from exdec.analysis import Split
from exdec.charts import (
    LABEL_HEIGHT,
    apart,
    price_figure,
    price_lines,
    price_sentence,
    price_table_html,
    split_figure,
    split_sentence,
)
from exdec.items import GOODS, MATERIALS, Material
from exdec.theme import CHART_HEIGHT, PARTS_LOOK, SERIES


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
    assert hovers["X-FINE"] == [
        "X-FINE, Opening: $40",
        "X-FINE, January: 14 units ordered, +4, $44",
    ]
    assert hovers["C"][1] == "C, January: 3 units offered, +5, $95"


def test_a_hover_counts_one_unit_and_names_the_lowest_price():
    game = Game(["Ann", "Ben"], STANDARD.vary(opening_materials={"S": 5}))
    game.order("Ann", S=(1, 9))
    game.order("Ben")
    line = price_lines(game.rules, game.postings)[Material.S]
    assert line[1].why == "STANDARD, January: 1 unit ordered, −9, $1, its lowest price"


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

    for look in (*SERIES.values(), *PARTS_LOOK.values()):
        assert light("#ffffff") / light(look.colour) >= 3.9
        assert light(look.colour) / light("#111111") >= 3.9


def test_every_line_is_named_at_its_end():
    figure = price_figure(STANDARD, postings(played(1)))
    assert not figure.layout.showlegend
    labels = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert labels["X-FINE <b>$44</b>"] == (1, 44)
    assert labels["C <b>$95</b>"] == (1, 95)


def test_labels_at_equal_prices_do_not_cover_one_another():
    prices = {Material.X: 30, Material.F: 30, Material.S: 31}
    shifts = apart(prices, dollar=2.0)
    heights = sorted(prices[grade] * 2.0 + shifts[grade] for grade in prices)
    gaps = [high - low for low, high in pairwise(heights)]
    assert min(gaps) >= LABEL_HEIGHT - 1
    assert apart({Material.X: 40, Material.F: 20}, dollar=2.0) == {Material.X: 0, Material.F: 0}


def test_a_dollar_is_as_high_among_goods_as_among_materials():
    layout = price_figure(STANDARD, postings(played(2))).layout
    heights = []
    for axis in (layout.yaxis, layout.yaxis2):
        span = axis.range[1] - axis.range[0]
        heights.append((axis.domain[1] - axis.domain[0]) * CHART_HEIGHT / span)
    assert abs(heights[0] - heights[1]) < 0.001


def test_the_panel_whose_prices_lie_further_apart_is_the_higher_one():
    def height(axis):
        return axis.domain[1] - axis.domain[0]

    game = Game(["Ann", "Ben"])
    for _ in range(6):
        game.order("Ann", X=(12, 1))
        game.order("Ben", X=(12, 1))  # +14 a month, and STANDARD falls to its lowest
        game.open_bids()  # +11 a month for all goods, so they stay $50 apart
    opening, later = (price_figure(STANDARD, some).layout for some in ([], game.postings))
    assert height(opening.yaxis) > height(opening.yaxis2)  # $50 among goods, $20 among materials
    assert height(later.yaxis) < height(later.yaxis2)
    for layout in (opening, later):
        assert layout.yaxis2.domain[0] >= 0
        assert layout.yaxis2.domain[1] < layout.yaxis.domain[0]
        assert layout.yaxis.domain[1] < 1


def test_no_line_leaves_its_panel_and_no_room_is_lost_below_nothing():
    for months in range(13):
        rules = STANDARD.vary(starting_cash=99_999)
        figure = price_figure(rules, postings(played(months, rules)))
        for trace in figure.data:
            axis = figure.layout.yaxis if trace.yaxis == "y" else figure.layout.yaxis2
            low, high = axis.range
            assert low < min(trace.y)
            assert max(trace.y) < high
            assert low > -30


def test_the_lowest_price_is_a_line_once_something_stands_at_it():
    assert not price_figure(STANDARD, postings(played(1))).layout.shapes
    (line,) = price_figure(STANDARD, postings(played(2))).layout.shapes  # STANDARD: $10, then $1
    assert (line.yref, line.y0, line.y1) == ("y2", 1, 1)
    assert line.label.text == "lowest price $1"


def test_every_month_has_a_tick_and_a_narrow_chart_room_for_its_names():
    axis = price_figure(STANDARD, []).layout.xaxis
    assert list(axis.tickvals) == list(range(13))
    names = ["Opening", "", "Feb", "", "Apr", "", "Jun", "", "Aug", "", "Oct", "", "Dec"]
    assert list(axis.ticktext) == names
    short = price_figure(STANDARD.vary(months=4), []).layout.xaxis
    assert list(short.ticktext) == ["Opening", "Jan", "Feb", "Mar", "Apr"]
    longer = price_figure(STANDARD.vary(months=5), []).layout.xaxis
    assert list(longer.ticktext) == names[:6]  # "Opening" and "Jan" would touch on a phone


def test_the_numbers_behind_the_chart_are_in_a_table():
    game = played(1)
    game.order("Ann")
    game.order("Ben")
    html = price_table_html(STANDARD, postings(game))
    assert "<caption>" in html
    assert "<th scope=row>January<td>$44 <small>14 ordered, +4</small>" in html
    assert "<td>$95 <small>3 offered, +5</small>" in html
    rows = html.split("<tr>")[2:]  # a row for Opening, January and February, each of six prices
    assert [row.count("<td>") for row in rows] == [6, 6, 6]
    assert rows[-1].endswith("<td><td><td></tbody></table></div></div>")


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


SPLITS = (
    Split("Ann", gains=120, losses=-300, unsold=-80),
    Split("Ben", gains=400, losses=-40, unsold=35),
)


def test_the_parts_of_a_profit_lie_end_to_end_and_are_named():
    figure = split_figure(SPLITS)
    assert figure.layout.barmode == "relative"
    assert [list(bar.x) for bar in figure.data] == [[400, 120], [-40, -300], [35, -80]]
    assert len({bar.marker.pattern.shape for bar in figure.data}) == 3
    assert [note.text for note in figure.layout.annotations] == [
        "<b>Ben</b> +&#36;400 −&#36;40 +&#36;35 = +&#36;395",
        "<b>Ann</b> +&#36;120 −&#36;300 −&#36;80 = −&#36;260",
    ]
    assert figure.data[1].hovertext[1] == "Ann, goods sold below cost: −&#36;300"
    assert split_sentence(SPLITS) == (
        "Ben: goods sold above cost +$400, goods sold below cost −$40, "
        "certificates left over +$35. "
        "Ann: goods sold above cost +$120, goods sold below cost −$300, "
        "certificates left over −$80."
    )


def test_a_text_that_a_phone_cannot_show_in_a_line_has_several():
    """A number that is cut off at the right would read as another one."""
    name = "Table 2 & Müller; Hans (Table 3), bot played 2 of 8"
    figure = split_figure([*SPLITS, Split(name, gains=48, losses=0, unsold=-6)])
    assert figure.layout.annotations[1].text == (
        "<b>Table 2 &amp; Müller; Hans (Table 3), bot</b><br><b>played 2 of 8</b><br>"
        "+&#36;48 &#36;0 −&#36;6 = +&#36;42"
    )
    assert figure.layout.height == 3 * (44 + 2 * 16) + 56
    # Above the first row there is room for its text, and a bar is as thick as in other charts.
    top = figure.layout.yaxis.range[1]
    assert -top * (44 + 2 * 16) == 22 + 2 * 16
    assert round(figure.data[0].width * (44 + 2 * 16), 6) == 0.36 * 44


def test_quotes_are_shown_as_they_are():
    figure = split_figure([Split('Ben "Benny" O\'Neil', 10, 0, 0)])
    assert figure.layout.annotations[0].text.startswith('<b>Ben "Benny" O\'Neil</b> ')
    assert figure.data[0].hovertext[0].startswith('Ben "Benny" O\'Neil, goods')


def test_zero_is_marked_beside_the_bars_and_not_across_their_texts():
    figure = split_figure(SPLITS)
    assert figure.layout.xaxis.showgrid is False
    # The text of a row stands above its bar, so up to the next row there is room for it.
    bar = figure.data[0]
    assert [(line.x0, line.x1, line.y0, line.y1) for line in figure.layout.shapes] == [
        (0, 0, row, row + bar.width) for row in bar.y
    ]


def test_names_are_text_wherever_a_bar_shows_them():
    figure = split_figure([Split("<b>Ben</b>", 10, 0, 0)])
    shown = [note.text for note in figure.layout.annotations]
    shown += [text for bar in figure.data for text in bar.hovertext]
    assert all("&lt;b&gt;Ben&lt;/b&gt;" in text for text in shown)


def test_bars_are_light_and_show_nothing_but_themselves():
    six = {f"A player with a long name, {at}": 100 * at for at in range(6)}
    splits = [Split(name, made, -10, -10) for name, made in six.items()]
    data = split_figure(splits).to_plotly_json()
    assert len(json.dumps(data)) < 5_000
    assert "template" not in data["layout"]
