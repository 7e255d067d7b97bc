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

/** While no server has the class, its clocks stand still. */
export function holdClocks() {
  if (state.held) return;
  const tables = state.tables.map((table) => ({ ...table, left: now(table.left) }));
  setState({ ...state, held: true, tables });
}

/** Keep what there is, of a class that was closed: no clock runs, and nothing can be done. */
export function setClosed() {
  if (state.closed) return;
  setState({
    ...state,
    closed: true,
    joining: false,
    controls: state.controls.map((one) => ({ ...one, on: false })),
  });
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
  const gone = state.phase === "running" && !state.held ? (performance.now() - stateAt) / 1000 : 0;
  return Math.max(0, left - gone);
}

/** What the class is kept in. */
export const fileName = () => state?.file?.split(/[\\/]/).at(-1) ?? "FILE";

export const tableName = (at) => state.tables[at]?.name ?? "";

export const running = () =>
  !state.closed && (state.phase === "running" || state.phase === "paused");

export const settings = { theme: "auto", names: false };

/** The tables whose clock is shown: the one that is picked, or all that still play. */
export function shownTables() {
  const picked = state.tables.filter((table) => table.name === state.board?.table);
  return picked.length ? picked : state.tables.filter((table) => !table.over);
}

export function earliest(tables) {
  return tables.reduce((first, table) =>
    settledSteps(table) < settledSteps(first) ? table : first,
  );
}

/** Whether these tables are at different steps; then no one clock holds for all of them. */
export const scattered = (tables) => new Set(tables.map((table) => String(table.turn))).size > 1;

/** The clock that is shown: how long is left, and of which table if others have another time. */
export function clockNow() {
  const tables = shownTables();
  const timed = tables.filter(({ open, left }) => open && left != null);
  if (!timed.length) return { left: null, first: null };
  const lefts = timed.map(({ left }) => left);
  if (!scattered(tables)) return { left: now(Math.max(...lefts)), first: null };
  const soonest = Math.min(...lefts);
  return { left: now(soonest), first: timed.find(({ left }) => left === soonest) };
}

/** What the class waits for where nobody is left to hand in. */
export function botsWords() {
  const then = clockNow().left == null ? "press Close the step now to go on" : "time closes the step";
  return `Bots play every place: ${then}`;
}

/** What a control takes back at these tables: the months, or the last steps; each once. */
export function takenBack(name, tables) {
  const lasts = tables.filter(({ last }) => last).map(({ last }) => last);
  const words = lasts.map((last) => (name === "undo" ? MONTHS[last[0] - 1] : turnWords(last)));
  return [...new Set(words)];
}

/** How many steps are settled at a table. */
export function settledSteps({ turn: [month, step] }) {
  return 2 * (month - 1) + { buy: 0, sell: 1, over: 2 }[step];
}

export const tableWords = ({ name, treatment }) => (treatment ? `${name} (${treatment})` : name);

export const control = (name) => state.controls.find((one) => one.do === name);

export function placeWords({ table, firm }) {
  return table == null ? "no seat yet" : `${tableName(table)}, seat ${firm + 1}`;
}

export const pupilOf = ({ pupil }) => state.pupils.find(({ id }) => id === pupil);
