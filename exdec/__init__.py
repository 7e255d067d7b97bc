"""Executive Decision: sealed bids, and the market prices that they make.

The modules build on one another in this order: errors, items, rules, model, production, costs,
engine, observe, game; everything that people see stands above.
"""

from exdec.engine import buy, check_offer, check_order, liquidate, new_game, sell
from exdec.errors import BidError, ExdecError, RecordError, RulesError, TurnError
from exdec.game import Game
from exdec.items import Good, Goods, Material, Materials
from exdec.model import Bid, State, Step
from exdec.observe import Observation, observe
from exdec.production import makeable
from exdec.rules import STANDARD, VARIATION, Rules

__all__ = [
    "STANDARD",
    "VARIATION",
    "Bid",
    "BidError",
    "ExdecError",
    "Game",
    "Good",
    "Goods",
    "Material",
    "Materials",
    "Observation",
    "RecordError",
    "Rules",
    "RulesError",
    "State",
    "Step",
    "TurnError",
    "buy",
    "check_offer",
    "check_order",
    "liquidate",
    "makeable",
    "new_game",
    "observe",
    "sell",
]


def _jupyter_server_extension_points() -> list[dict[str, object]]:
    """What Jupyter Server asks an installed extension for."""
    from exdec.classroom.extension import LiveClass

    return [{"module": "exdec.classroom.extension", "app": LiveClass}]
