"""Views where no widgets run: a frame, a game as HTML, an exported notebook."""

import re
import sys
from types import ModuleType

import nbformat
import pytest
from nbconvert import HTMLExporter

from exdec import STANDARD, Game
from exdec.charts import price_figure, price_sentence
from exdec.lessons import ask, explain, lesson, predict
from exdec.notebook import hot_seat, solo, start, watch
from exdec.notebook.board import board_html
from exdec.notebook.live import NO_WIDGETS, PLOTLY, WIDGET, chart_bundle, html_bundle
from exdec.notebook.tally import tally_html
from exdec.theme import STYLESHEET


def bought() -> Game:
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.order("Ann", X=(4, 47), F=(2, 30))  # X-FINE posts at $34, FINE at $22
    game.order("Ben")
    return game


def test_what_is_not_posted_yet_is_an_empty_cell():
    board = bought().board
    assert str(board).splitlines()[1].split() == ["X-FINE", "40", "34"]
    assert str(board).splitlines()[4].split() == ["A", "140"]
    assert "NA" not in board._repr_html_()
    assert board.loc["A"].isna().tolist() == [False, True]  # in the frame it is missing


def test_a_game_shows_where_it_stands_and_the_board():
    html = bought()._repr_html_()
    assert "January (1 of 1) · step 3 of 4: offer" in html
    assert "Waiting for: Ann, Ben." in html
    assert re.search(r"X-FINE</th><td>40<td[^>]*>34\b", html)
    assert '<div class="exdec-static mathjax_ignore"><style>' in html
    assert ".exdec-static" in STYLESHEET  # the colours are the page's here too


def test_a_game_shows_no_bid_and_no_cash():
    game = bought()
    game.offer("Ann", A=(2, 133))
    page = game._repr_html_().replace(STYLESHEET, "")
    assert "Handed in: Ann. Waiting for: Ben." in page
    for secret in ("133", "47", "652", "188"):  # the ask, a bid, Ann's cash, what she paid
        assert secret not in page


def test_a_game_that_is_over_shows_who_won():
    game = bought()
    game.offer("Ann", A=(2, 147))
    game.offer("Ben")
    page = game._repr_html_().replace(STYLESHEET, "")
    assert "Ann wins with a profit of $46." in page
    assert "asks" not in page


def test_names_are_text():
    game = Game(["<b>Ann", "<b>Ben"])
    game.hand_in("<b>Ann", {})
    assert "<b>A" not in game._repr_html_()
    assert "<b>B" not in game._repr_html_()


def test_an_exported_notebook_keeps_its_views_and_puts_a_sentence_where_the_chart_was():
    game = bought()
    view = game.observe("Ann")
    sentence = price_sentence(view.rules, view.postings)
    bundles = [
        html_bundle(f'<style class="exdec-style">{STYLESHEET}</style>'),
        html_bundle(board_html(view, {})),
        html_bundle(tally_html(view)),
        chart_bundle(price_figure(view.rules, view.postings), sentence),
    ]
    outputs = [nbformat.v4.new_output("display_data", bundle) for bundle in bundles]
    cell = nbformat.v4.new_code_cell("table", outputs=[*outputs])
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert 'class="exdec exdec-board"' in page
    assert 'class="exdec exdec-tally"' in page
    assert "<s>" not in page  # no bid failed
    assert "--exdec-text" in page
    assert f"<pre>{sentence}" in page


# -- where no widgets run ------------------------------------------------------------------------


@pytest.fixture
def displayed(monkeypatch):
    """What a cell shows that ends with a view, as its saved outputs."""

    def display(view):
        shown = []
        monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
        view._ipython_display_()
        return [nbformat.v4.new_output("display_data", data) for data in shown]

    return display


def exported(*outputs):
    cell = nbformat.v4.new_code_cell("table", outputs=[*outputs])
    return HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))[0]


WAYS = {
    "alone": lambda folder: solo("easy", months=1),
    "hot seat": lambda folder: hot_seat(["Ann", "Ben"], months=1),
    "exhibition": lambda folder: watch(["easy", "easy"], months=1),
    "panel": start,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_play_says_what_to_do_where_no_widgets_run(way, displayed, tmp_path):
    outputs = displayed(WAYS[way](tmp_path))
    (form,) = [output.data for output in outputs if WIDGET in output.data]
    assert form["text/plain"] == NO_WIDGETS
    page = exported(*outputs)
    assert NO_WIDGETS in page
    assert not re.search(r"(Box|Output|HTML)\(", re.sub(r"(?s)<(style|script).*?</\1>", "", page))


def test_the_table_stays_readable_where_no_widgets_run(displayed):
    page = exported(*displayed(solo("easy", months=1)))
    assert 'class="exdec exdec-board"' in page
    assert "January (1 of 1)" in page


def test_a_lesson_keeps_its_questions_where_no_widgets_run(displayed, tmp_path):
    lesson("02", here=tmp_path)
    views = ask("02-1"), predict("02-a"), explain("02-e1")
    page = exported(*(output for view in views for output in displayed(view)))
    assert "Exercise 02-1. You hold nothing." in page
    assert "Prediction 02-a. " in page
    assert "In a sentence 02-e1. " in page
    assert page.count(NO_WIDGETS) == 3


def test_a_question_is_kept_without_its_answer_and_hints(displayed, tmp_path):
    lesson("02", here=tmp_path)
    view = ask("02-1")
    view.hint()
    view.check("65")
    (output,) = displayed(view)
    told = output.data["text/plain"]
    assert told == f"{view.question}\n\n{NO_WIDGETS}"
    assert "65" not in told


# -- Colab ---------------------------------------------------------------------------------------


@pytest.fixture
def colab(monkeypatch):
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))


@pytest.mark.usefixtures("colab")
def test_colab_gets_charts_by_plotlys_own_renderer():
    view = bought().observe("Ann")
    bundle = chart_bundle(price_figure(view.rules, view.postings), "X-FINE fell.")
    assert PLOTLY not in bundle
    assert bundle["text/plain"] == "X-FINE fell."
    assert "Plotly.newPlot(" in bundle["text/html"]
    assert len(bundle["text/html"]) < 60_000  # plotly.js itself is not in each of them
    assert '"displaylogo": false' in bundle["text/html"].lower()


@pytest.mark.usefixtures("colab")
def test_a_chart_in_colab_is_redrawn_in_one_step(displayed, monkeypatch):
    table = solo("easy", months=1)
    displayed(table)
    updates = []
    monkeypatch.setattr("IPython.display.update_display", lambda data, **_: updates.append(data))
    table.table.hand_in("You", {})
    table.draw()
    charts = [data for data in updates if "Plotly.newPlot(" in data["text/html"]]
    assert len(charts) == 1
    assert not any("exdec-gap" in data["text/html"] for data in updates)


def test_elsewhere_a_chart_is_data_for_the_page_to_draw():
    view = bought().observe("Ann")
    bundle = chart_bundle(price_figure(view.rules, view.postings), "X-FINE fell.")
    assert {*bundle} == {PLOTLY, "text/plain"}
