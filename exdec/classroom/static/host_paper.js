// A paper tally, keyed in quickly.

import { dialog, tell, whole } from "./host_ask.js";
import { GOODS, MATERIALS, SERIES, markIcon } from "./host_board.js";
import { el } from "./host_page.js";
import { control, state, turnWords } from "./host_state.js";
import { Trouble, act } from "./host_wire.js";

/** Places at a table that have yet to hand in and have no page open, from one on. */
function onPaper(table, firm) {
  const order = [...state.tables[table].firms.keys()];
  return [...order.slice(firm + 1), ...order.slice(0, firm)].filter((at) => {
    const place = state.tables[table].firms[at];
    return !place.in && !place.bot && !place.here;
  });
}

/** A paper tally: units and prices, Enter to the next field, Enter on the last hands in. */
export function keyIn(table, firm, rest = onPaper(table, firm)) {
  const place = state.tables[table].firms[firm];
  const one = control("paper");
  if (!one?.on || place.in) return;
  const turn = state.tables[table].turn;
  const group = (turn[1] === "buy" ? MATERIALS : GOODS).map((at) => SERIES[at]);
  const rows = group.map(({ key: name, name: word, ...series }) => {
    const [units, price] = ["units", "price, $"].map((what) =>
      el("input", {
        inputmode: "numeric",
        size: 5,
        autocomplete: "off",
        "aria-label": `${word}, ${what}`,
      }),
    );
    return {
      name,
      word,
      units,
      price,
      row: el(
        "tr",
        {},
        el("th", { scope: "row" }, markIcon({ key: name, ...series }), word),
        el("td", {}, units),
        el("td", {}, price),
      ),
    };
  });
  const inputs = rows.flatMap(({ units, price }) => [units, price]);
  inputs.forEach((input, at) =>
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || at === inputs.length - 1) return;
      event.preventDefault();
      inputs[at + 1].focus();
    }),
  );
  const next = rest[0];
  const onward = el("input", { type: "checkbox", checked: paperOnward });
  const body = [
    el("p", {
      text: `${state.tables[table].name}, ${turnWords(turn)}. Leave a line empty to pass.`,
    }),
    el(
      "table",
      { class: "tally" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td"),
          el("th", { scope: "col", text: "units" }),
          el("th", { scope: "col", text: "price, $" }),
        ),
      ),
      el("tbody", {}, ...rows.map(({ row }) => row)),
    ),
  ];
  if (next != null)
    body.push(
      el(
        "p",
        {},
        el("label", {}, onward, ` Then go on with ${state.tables[table].firms[next].name}`),
      ),
    );
  dialog.open(
    `Tally of ${place.name}`,
    body,
    [dialog.cancel(), el("button", { class: "main", text: "Hand in" })],
    async () => {
      const bids = {};
      for (const { name, word, units, price } of rows) {
        const filled = [units, price].filter((input) => input.value.trim());
        if (filled.length === 1) {
          const what = units.value.trim() ? "units and no price" : "a price and no units";
          throw new Trouble(`${word} has ${what}. Fill in both, or neither.`);
        }
        if (filled.length)
          bids[name] = [whole(units.value, `${word}: units`), whole(price.value, `${word}: price`)];
      }
      const done = await act({ do: "paper", table, firm, bids, turn });
      if (!done.ok) throw new Trouble(done.text);
      tell(done);
      paperOnward = onward.checked;
      dialog.close();
      if (next != null && paperOnward) keyIn(table, next, rest.slice(1));
    },
  );
}

let paperOnward = true;
