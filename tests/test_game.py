import copy
import pickle
import traceback

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import orders, players, rules

from exdec import STANDARD, BidError, Game, RulesError, Step, TurnError


def january() -> Game:
    """The rulebook's three-player January: 11, 15 and 7 units ordered (worked example 2)."""
    game = Game(["Ann", "Ben", "Cy"])
    game.order("Ann", X=(2, 40), F=(4, 35), S=(6, 23))
    game.order("Ben", {"X": (9, 41), "F": (3, 34)})
    game.order("Cy", F=(8, 40), S=(1, 17))
    return game


def test_a_month_as_a_teacher_types_it():
    game = january()
    assert game.report.prices == (41, 35, 17)
    assert game.profit == {"Ann": -278, "Ben": -369, "Cy": -337}
    game.offer("Ann", C=(2, 89))
    game.offer("Ben", A=(4, 143))
    game.offer("Cy", C=(4, 200), B=(1, 124))
    assert game.report.prices == (143, 124, 89)
    # Ann's 2 C take 2 FINE and 4 STANDARD. Ben's 9 X-FINE make 4 A only with substitutes: 8 X-FINE
    # for the X places, and 4 FINE of which he has none, so 12 certificates: he cannot.
    assert game.state.firms[0] == (500, (0, 2, 2))
    assert game.report.firms[1].void
    assert game.month == 2
    assert game.step is Step.BUY


def test_repr_and_everything_printable_hide_sealed_bids():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(7, 4321))
    for shown in (repr(game), str(vars(game)), repr(game.state), str(game.steps)):
        assert "4321" not in shown
    assert "handed in: Ann; waiting for: Ben" in repr(game)


def test_a_traceback_that_shows_local_variables_hides_sealed_bids():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(7, 4321))
    with pytest.raises(BidError) as caught:
        game.order("Ben", X=(99, 40))
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "4321" not in "".join(shown.format())


def test_a_refused_order_leaves_the_game_as_it_was():
    game = Game(["Ann", "Ben", "Cy"])
    game.order("Ann", X=(2, 40))
    before = (game.state, game.waiting, game.steps)
    with pytest.raises(BidError, match=r"Ben's order for January: 3 players may order 12 .* 13"):
        game.order("Ben", X=(13, 40))
    with pytest.raises(TurnError, match=r"Nobody called 'Bem' plays\. Did you mean 'Ben'"):
        game.order("Bem", X=(1, 40))
    with pytest.raises(TurnError, match="It is not time to offer goods"):
        game.offer("Ben", A=(1, 40))
    with pytest.raises(BidError):
        game.order("Ben", 0)
    assert (game.state, game.waiting, game.steps) == before


def test_a_second_order_is_refused_until_the_first_is_taken_back():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 40))
    with pytest.raises(TurnError, match="Ann's order for January is in already"):
        game.order("Ann", X=(3, 40))
    game.take_back("Ann")
    with pytest.raises(TurnError, match="nothing on the table"):
        game.take_back("Ann")
    game.order("Ann", X=(3, 45))
    game.order("Ben")
    assert game.report.units.X == 3


def test_open_bids_lets_the_absent_pass():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 40))
    report = game.open_bids()
    assert report.firms[1].paid == 0
    assert report.firms[0].paid == 80
    game.open_bids()
    assert game.month == 2


def test_nothing_can_be_handed_in_after_the_end():
    game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    game.open_bids()
    game.open_bids()
    assert game.step is Step.OVER
    assert game.winners == ("Ann", "Ben")
    assert repr(game) == "<Game of Ann, Ben: over after January; profit: Ann +0, Ben +0>"
    assert game.waiting == ()
    for late in (game.open_bids, lambda: game.order("Ann", X=(1, 40)), lambda: game.offer("Ann")):
        with pytest.raises(TurnError, match="the game ended with January"):
            late()


def test_undo_has_an_end():
    with pytest.raises(TurnError, match="nothing to undo"):
        Game(["Ann", "Ben"]).undo()


@given(st.data())
def test_undo_is_exact(data):
    game = Game(data.draw(players()), data.draw(rules()))
    seen = [copy.deepcopy((game.state, game.steps))]
    while game.step is not Step.OVER:
        for player, bids in data.draw(orders(game.state)).items():
            game.hand_in(player, bids)
        if len(game.steps) < len(seen):
            game.open_bids()
        seen.append(copy.deepcopy((game.state, game.steps)))
    for state, steps in reversed(seen[:-1]):
        game.undo()
        assert (game.state, game.steps) == (state, steps)


def test_undo_drops_what_was_handed_in_since():
    game = january()
    game.offer("Ann", C=(1, 80))
    game.undo()
    assert game.waiting == ("Ann", "Ben", "Cy")
    assert game.step is Step.BUY


def test_board_has_a_column_for_each_posted_month():
    game = january()
    board = game.board
    assert list(board.columns) == ["Opening", "January"]
    assert list(board.index) == ["X-FINE", "FINE", "STANDARD", "A", "B", "C"]
    assert board["Opening"].tolist() == [40, 30, 20, 140, 115, 90]
    assert board["January"].tolist() == [41, 35, 17, pd.NA, pd.NA, pd.NA]
    assert str(board.dtypes["January"]) == "Int64"


def test_tally_is_the_paper_sheet():
    game = january()
    tally = game.tally("Ann")
    assert tally["item"].tolist() == ["X-FINE", "FINE", "STANDARD"]
    assert tally["filled"].tolist() == [0, 4, 6]
    assert tally["paid"].tolist() == [0, 140, 138]
    assert tally["outcome"].tolist() == ["below market", "filled", "filled"]
    assert Game(["Ann", "Ben"]).tally("Ben").empty


def test_a_game_can_be_pickled():
    game = january()
    again = pickle.loads(pickle.dumps(game))
    assert (again.state, again.steps) == (game.state, game.steps)


def test_rules_can_be_changed_where_the_game_is_made():
    game = Game(["Ann", "Ben"], months=3, partial_buys=True)
    assert game.rules == STANDARD.vary(months=3, partial_buys=True)
    with pytest.raises(RulesError, match=r"no rule 'month'\. Did you mean 'months'"):
        Game(["Ann", "Ben"], month=3)


def test_a_line_given_twice_is_refused():
    game = Game(["Ann", "Ben"])
    with pytest.raises(BidError, match="X is given twice"):
        game.order("Ann", {"X": (1, 40)}, X=(1, 41))


def test_a_report_speaks_to_a_player_called_you():
    game = Game(["You", "Ben"])
    game.order("You", X=(2, 40))
    game.order("Ben", X=(8, 40))
    assert "Your $40 meets it: 2 X-FINE for $80." in str(game.report)
    assert "You pay $80 and have $820." in str(game.report)
