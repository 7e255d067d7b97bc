// What stands beside a firm in the standings, so that its profit is not misread.

import { state } from "./host_state.js";

/** What the profits are. */
export function rankHeading() {
  if (state.phase === "over") return "Final standings";
  return "Profit so far, certificates counted at today's prices";
}

const monthsPlayed = ({ after }) => {
  if (after === 0) return "no month yet";
  return after === 1 ? "after 1 month" : `after ${after} months`;
};

/** Who played a firm if not its pupils, and for how long if the tables differ. */
export function asideOf(one) {
  const facts = [];
  if (one.bot) facts.push("bot");
  else if (one.bot_steps) facts.push(`a bot played ${one.bot_steps} of ${one.steps} steps`);
  if (state.standings.some(({ after }) => after !== one.after)) facts.push(monthsPlayed(one));
  return facts.join(" · ");
}
