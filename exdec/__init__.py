"""Executive Decision: sealed bids, and the market prices that they make."""
