"""Views where no widgets run: a frame, a game as HTML, an exported notebook."""

import re

import nbformat
from nbconvert import HTMLExporter

from exdec import STANDARD, Game
from exdec.charts import price_figure, price_sentence
from exdec.notebook.board import board_html
from exdec.notebook.live import chart_bundle, html_bundle
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
    cell = nbformat.v4.new_code_cell("table", outputs=outputs)
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert 'class="exdec exdec-board"' in page
    assert 'class="exdec exdec-tally"' in page
    assert "<s>" not in page  # no bid failed
    assert "--exdec-text" in page
    assert f"<pre>{sentence}" in page
