// What the server last said of the class, and what follows from it by itself.

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

export let state = null;
let stateAt = 0; // performance.now() when it came, so that clocks run on in between
export let view = "controls";

/** Take in what the server says; null if there is no class. */
export function setState(message) {
  state = message;
  stateAt = performance.now();
}

export function setView(to) {
  view = to === "projector" ? to : "controls";
}

export function turnWords([month, step]) {
  return step === "over"
    ? "Over"
    : `${MONTHS[month - 1]}, ${step === "buy" ? "materials" : "goods"}`;
}

/** A time the server gave, as it is by now. */
export function now(left) {
  if (left == null) return null;
  const gone = state.phase === "running" ? (performance.now() - stateAt) / 1000 : 0;
  return Math.max(0, left - gone);
}

export const tableName = (at) => state.tables[at]?.name ?? "";

export const running = () => state.phase === "running" || state.phase === "paused";

export const settings = { theme: "auto", names: false };

/** The tables whose clock is shown: the one that is picked, or all that still play. */
export function shownTables() {
  const picked = state.tables.filter((table) => table.name === state.board?.table);
  return picked.length ? picked : state.tables.filter((table) => !table.over);
}

export function earliest(tables) {
  const order = ({ turn: [month, step] }) => 3 * month + ["buy", "sell", "over"].indexOf(step);
  return tables.reduce((first, table) => (order(table) < order(first) ? table : first));
}

/** Whether these tables are at different steps; then no one clock holds for them. */
export const scattered = (tables) => new Set(tables.map((table) => String(table.turn))).size > 1;

export function leftNow() {
  const tables = shownTables();
  if (scattered(tables)) return null;
  const lefts = tables.map((table) => table.left).filter((left) => left != null);
  return lefts.length ? now(Math.max(...lefts)) : null;
}

export const tableWords = ({ name, treatment }) => (treatment ? `${name} (${treatment})` : name);

export const control = (name) => state.controls.find((one) => one.do === name);

export function placeWords({ table, firm }) {
  return table == null ? "no seat yet" : `${tableName(table)}, seat ${firm + 1}`;
}

export const pupilOf = ({ pupil }) => state.pupils.find(({ id }) => id === pupil);
