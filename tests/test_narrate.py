from exdec import STANDARD, VARIATION, Good, Material, buy, new_game, sell
from exdec.items import Materials
from exdec.model import Firm, Step
from exdec.narrate import line_sentence, posting_sentence, report_text, result_sentence

X, F, S = Material
A, B, C = Good


def at_july(rules=VARIATION):
    """Prices from which the orders of worked example 6 lead to its 37, 35 and 17."""
    return new_game(["Ann", "Ben"], rules.vary(opening_materials={"X": 39, "F": 41, "S": 21}))


def test_variation_says_how_many_units_a_low_bid_loses():
    # Worked example 6: 8 @ 41, 4 @ 38, 6 @ 14 at 37, 35 and 17.
    _, report = buy(at_july(), {"Ann": {"X": (8, 41), "F": (4, 38), "S": (6, 14)}})
    assert report.prices == (37, 35, 17)
    assert line_sentence(report, "Ann", S) == (
        "Your $14 is $3 below it, so 3 of 6 are lost: 3 STANDARD for $42."
    )
    assert line_sentence(report, "Ann", X) == (
        "Your $41 is above it, and you pay what you bid: 8 X-FINE for $328."
    )
    assert result_sentence(report, "Ann") == "You pay $522 and have $378."


def test_every_outcome_of_an_order_has_its_sentence():
    _, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 42), "F": (1, 15)}})
    assert line_sentence(report, "Ann", X) == "Your $42 meets it: 12 X-FINE for $504."
    assert line_sentence(report, "Ann", F) == (
        "Your $15 is below it: you get none, and pay nothing."
    )
    assert line_sentence(report, "Ann", S) == ""
    assert line_sentence(report, "Ann", X, you=False) == "Ann's $42 meets it: 12 X-FINE for $504."
    _, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 90)}})
    assert line_sentence(report, "Ann", X) == (
        "Your $90 would buy 12, but all that you won costs $1,080 and there is only $900: "
        "no purchase at all this month."
    )
    assert result_sentence(report, "Ann") == "You buy nothing and have $900."


def selling(materials, offer, rules=STANDARD):
    state, _ = buy(new_game(["Ann", "Ben"], rules), {})
    firms = (Firm(100, Materials(*materials)), state.firms[1])
    changed = type(state)(
        state.rules,
        state.players,
        1,
        Step.SELL,
        state.material_prices,
        state.good_prices,
        firms,
    )
    return sell(changed, {"Ann": offer})[1]


def test_every_outcome_of_an_offer_has_its_sentence():
    report = selling((1, 2, 3), {"B": (1, 130), "C": (1, 99)})
    assert posting_sentence(report, B) == "1 B offered, so +9: it posts at $124."
    assert posting_sentence(report, A) == "Nobody offers A, so +11: it posts at $151."
    assert line_sentence(report, "Ann", B) == (
        "Your $130 is above it: none is sold, and the certificates stay with you."
    )
    assert line_sentence(report, "Ann", C) == "Your $99 meets it: 1 C sold for $99."
    assert result_sentence(report, "Ann") == "You receive $99 and have $199."
    report = selling((0, 0, 0), {"A": (1, 100)})
    assert line_sentence(report, "Ann", A, you=False) == (
        "Ann's $100 would sell 1, but Ann cannot deliver all that Ann sold: "
        "no sale at all this month, and the certificates stay."
    )


def test_substitutes_are_named():
    report = selling((1, 2, 0), {"C": (1, 99)})
    assert result_sentence(report, "Ann") == (
        "You receive $99 and have $199. 2 FINE stand in for STANDARD, 1 X-FINE stands in for FINE."
    )


def test_a_price_at_its_floor_says_so():
    _, report = buy(new_game(["Ann", "Ben"], STANDARD.vary(opening_materials={"S": 6})), {})
    assert posting_sentence(report, S) == (
        "Nobody orders STANDARD, so −10; it stops at its lowest price, $1."
    )


def test_a_whole_report_names_every_bid():
    _, report = buy(new_game(["Ann", "Ben"]), {"Ann": {"X": (12, 42)}, "Ben": {"F": (1, 30)}})
    text = report_text(report)
    assert text == str(report)
    assert "Ben's $30 is above it, and Ben pays what Ben bid: 1 FINE for $30." in text
    assert text.splitlines()[0] == "January, materials"
