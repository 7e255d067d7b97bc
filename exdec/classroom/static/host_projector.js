// What the class sees. Nothing secret is ever put here.

import { actionButton, canDo, updateButton } from "./host_ask.js";
import { GOODS, SERIES, drawBoard, drawChart } from "./host_board.js";
import { asideOf, rankHeading } from "./host_ranks.js";
import { ONLY_HERE, joinBase, onlyHere, putAddress, putQr, typed } from "./host_links.js";
import {
  $,
  clockText,
  clockWords,
  count,
  el,
  fit,
  gain,
  keep,
  keepTexts,
  listed,
  say,
  show,
} from "./host_page.js";
import {
  MONTHS,
  botsWords,
  clockNow,
  control,
  earliest,
  running,
  scattered,
  settings,
  shownTables,
  state,
  tableWords,
  turnWords,
} from "./host_state.js";

const DOING = { buy: "Order raw materials", sell: "Offer finished goods" };

const MOST_RANKS = 10;

const NEWS_SECONDS = 90;

const newsSeen = new Map();

export function renderProjector() {
  const lobby = state.phase === "lobby";
  $("projector").dataset.phase = state.phase;
  say($("p-title"), lobby || !running() ? state.title : "");
  say($("p-doing"), doingWords());
  if (running()) renderStep();
  show($("p-lobby"), lobby);
  show($("p-progress"), running());
  $("p-bar").toggleAttribute("hidden", !running());
  show($("p-game"), !lobby);
  show($("p-foot"), running());
  show($("p-late"), state.joining && !state.full);
  renderRecipes();
  renderTools();
  if (lobby) renderLobby();
  else renderGame();
  if (running()) renderProgress();
  renderMessage();
  tickProjector();
  layOut();
}

/** What depends on how much room everything else has left. */
function layOut() {
  if (state.phase === "lobby") layOutNames();
  else if (!$("p-message").hidden) fit($("p-message"), 1.4, 0.6);
  else if ($("p-standings").hidden) fit($("p-report"), 1, 0.6);
  else {
    while (!fit($("p-standings"), 1.2, 0.65) && $("p-ranks").children.length > 3) {
      $("p-ranks").lastElementChild.remove();
      sayRanks();
    }
  }
  if (state.phase !== "lobby" && state.board) drawChart($("p-chart"), state.board);
}

function doingWords() {
  if (state.phase === "lobby") return "Take out your phone and join.";
  const words = state.phase === "over" ? ["The game is over."] : [];
  return [...words, ...(state.closed ? ["The class is closed."] : [])].join(" ");
}

/** What a good takes; pupils order materials with this before their eyes. */
function renderRecipes() {
  const { recipes, subs } = state.rules;
  const named = Object.fromEntries(SERIES.map(({ key, name }) => [key, name]));
  const goods = recipes.map((recipe, at) => {
    const parts = recipe.flatMap((units, n) => (units ? [`${units} ${SERIES[n].name}`] : []));
    return `${SERIES[GOODS[at]].name} = ${parts.join(" + ")}`;
  });
  const stand = subs.map((one) => {
    const [finer, coarser] = one.split(" for ");
    return `${named[finer]} for ${named[coarser]}`;
  });
  say($("p-goods"), goods.join(" · "));
  say($("p-subs"), stand.length ? `May stand in: ${stand.join(", ")}.` : "");
}

function renderStep() {
  const tables = shownTables();
  if (!tables.length) return;
  const [month, step] = earliest(tables).turn;
  const alone = tables.length === 1 && state.tables.length > 1 ? `${tables[0].name}: ` : "";
  let title = MONTHS[month - 1];
  let small = `month ${month} of ${state.months}`;
  let doing = `${alone}${step === "over" ? "the game is over" : DOING[step]}`;
  if (scattered(tables)) {
    const months = tables.map((table) => table.turn[0]);
    const last = Math.max(...months);
    if (last > month) [title, small] = [`${title} to ${MONTHS[last - 1]}`, ""];
    doing = "Each table goes on when it is ready.";
  }
  say($("p-title"), title);
  $("p-title").append(" ", el("small", { text: small }));
  say($("p-doing"), doing);
}

let announced = null;

/** What changes by itself: the clock, and a message that grows old. */
export function tickProjector() {
  if (!$("p-message").hidden && !messageNow()) {
    renderMessage();
    layOut();
  }
  show($("p-clock"), running());
  if (!running()) return;
  const { left, first } = clockNow();
  const paused = state.phase === "paused";
  const hasty = left != null && left <= 10 && !paused;
  const words =
    left == null
      ? "no time limit"
      : clockWords(left).replace(/minutes?|seconds?/g, (word) => (word[0] === "m" ? "min" : "s"));
  say($("p-time"), paused ? "Paused" : left == null ? "" : clockText(left));
  say($("p-time-words"), paused && left == null ? "" : words);
  show($("p-time-first"), Boolean(first));
  if (first) say($("p-time-first"), `${first.name} is next`);
  $("p-clock").classList.toggle("soon", hasty);
  const mark = [10, 30, 60].find((limit) => left != null && left <= limit && left > limit - 2);
  if (mark && mark !== announced && !first) say($("aloud"), clockWords(mark));
  announced = mark;
}

/** What makes a message old, besides the time. */
const situation = () =>
  String([state.reveal, state.phase === "over", ...state.tables.map(({ turn }) => turn)]);

/** Note when messages came; those that were there before this page are old already. */
export function noteNews(before) {
  for (const { n } of state.news) {
    if (!newsSeen.has(n))
      newsSeen.set(n, { since: before ? performance.now() : -Infinity, situation: situation() });
  }
}

/** The last message to all: before the game for good, then until the next step or for a while. */
function messageNow() {
  const message = state.news.filter(({ what }) => what === "message").at(-1);
  if (!message || state.closed) return "";
  const seen = newsSeen.get(message.n);
  const old =
    seen.situation !== situation() || performance.now() - seen.since > NEWS_SECONDS * 1000;
  return old && state.phase !== "lobby" ? "" : message.text;
}

/** In the game a message stands where the report or the standings are otherwise. */
function renderMessage() {
  const text = messageNow();
  const playing = state.phase !== "lobby";
  const ranks = Boolean(state.reveal && state.standings);
  show($("p-news"), Boolean(text) && !playing);
  show($("p-message"), Boolean(text) && playing);
  show($("p-standings"), ranks && !text);
  show($("p-report"), !ranks && !text);
  say($("p-news"), text);
  say($("p-message"), text);
}

let arrived = [];

/** In a crowd there is room for those who came last. */
function layOutNames() {
  const box = $("p-names");
  const put = (some) =>
    keep(
      box,
      some,
      (pupil) => pupil.id,
      () => el("li"),
      (node, pupil) => say(node, pupil.name),
    );
  put(arrived);
  if (fit(box, 1.3, 0.6)) return;
  let some = Math.floor((arrived.length * box.clientHeight) / box.scrollHeight);
  do {
    const others = { id: "others", name: `${arrived.length - some} others,` };
    put([others, ...arrived.slice(-some)]);
  } while (box.scrollHeight > box.clientHeight + 1 && --some > 0);
}

function renderLobby() {
  const link = `${joinBase()}#c=${state.code}`;
  putQr($("p-qr"), link, `QR code of the address ${typed(joinBase())} with the code`);
  putAddress($("p-address"), typed(joinBase()));
  say($("p-code"), state.code);
  show($("p-here-only"), onlyHere());
  say($("p-here-only"), ONLY_HERE);
  const people = state.pupils.filter((pupil) => !pupil.out);
  arrived = people.filter((pupil) => pupil.here || !pupil.roster);
  const of = arrived.length < people.length ? ` of ${people.length}` : "";
  const here = `${count(arrived.length, "pupil")} here${of}`;
  say($("p-here"), arrived.length ? here : "Nobody is here yet");
}

function renderProgress() {
  const { in: done, of } = state.counts;
  $("p-bar").firstElementChild.setAttribute("width", of ? done / of : 0);
  const handedIn = `${done} of ${of} ${of === 1 ? "has" : "have"} handed in.`;
  say($("p-in"), of ? handedIn : "");
  const waiting = state.waiting ?? [];
  let text = "";
  if (!of) text = `${botsWords()}.`;
  else if (scattered(shownTables())) text = turnsWords();
  else if (settings.names && waiting.length) {
    const many = state.tables.length > 1;
    const late = waiting.map(({ table, names }) => `${many ? `${table}: ` : ""}${listed(names)}`);
    text = `Waiting for ${late.join("; ")}.`;
  } else if (state.tables.length > 1 && waiting.length) {
    const numbers = waiting.map(({ table }) => table.replace(/^Table /, ""));
    text =
      waiting.length > 8
        ? `Waiting at ${waiting.length} tables.`
        : `Waiting at table${waiting.length > 1 ? "s" : ""} ${listed(numbers)}.`;
  } else if (state.tables.length === 1 && done) {
    const firms = state.tables[0].firms.filter((firm) => firm.in && !firm.bot);
    text = `Handed in: ${listed(firms.map((firm) => firm.name))}.`;
  }
  say($("p-waiting"), text);
}

/** Which tables are at which step, the last of them first. */
function turnsWords() {
  const turns = new Map();
  for (const { name, turn } of state.tables) {
    if (!turns.has(String(turn))) turns.set(String(turn), { turn, names: [] });
    turns.get(String(turn)).names.push(name.replace(/^Table /, ""));
  }
  const ordered = [...turns.values()].sort((one, other) =>
    earliest([one, other]) === one ? -1 : 1,
  );
  const which = (names) => {
    if (names.length > 8) return `${names.length} tables`;
    return `table${names.length > 1 ? "s" : ""} ${listed(names)}`;
  };
  return ordered.map(({ turn, names }) => `${turnWords(turn)}: ${which(names)}`).join(" · ");
}

function renderGame() {
  const board = state.board;
  if (!board) return;
  const table = state.tables.find(({ name }) => name === board.table);
  const [materials, goods] = [0, 1].map((half) => table?.name ?? averageWords(half));
  Object.assign($("p-chart").dataset, { materials, goods });
  drawBoard($("p-board"), board, goods);
  const ranks = state.reveal && state.standings ? state.standings : null;
  if (ranks) renderRanks(ranks);
  else renderReport(board, table);
  putAddress($("p-late"), "");
  if (state.joining) {
    $("p-late").replaceChildren(
      "Late? ",
      el("strong", { text: typed(joinBase()) }),
      " code ",
      el("strong", { class: "code", text: state.code }),
    );
  }
}

/** Of how many tables the prices of materials (0) or goods (1) are, and in which months of fewer. */
function averageWords(half) {
  const all = state.board.tables;
  if (all < 2) return "";
  const fewer = state.board.months
    .filter(({ of }) => of[half] && of[half] < all)
    .map(({ m, of }) => `${MONTHS[m - 1].slice(0, 3)}: ${of[half]}`);
  return `average of ${all} tables${fewer.length ? ` (${fewer.slice(-2).join(", ")})` : ""}`;
}

function renderReport(board, table) {
  const [title = "Opening prices", ...sentences] = board.sentences;
  say($("p-report-title"), title);
  keepTexts($("p-sentences"), sentences.length ? sentences : ["Nothing is settled yet."]);
  const tables = table ? [table] : state.tables;
  const firms = tables.flatMap((one) => one.firms);
  const bots = firms.filter((firm) => firm.bot).length;
  let words = "";
  if (tables.length === 1) {
    const players = firms.map(({ name, bot }) => (bot ? `${name} (a bot plays)` : name));
    words = `At this table: ${listed(players)}.`;
  } else {
    if (sentences.length) words = "Choose a table to see what moved its prices. ";
    if (bots) words += `Bots play ${bots} of ${firms.length} places.`;
  }
  say($("p-firms"), words);
}

function renderRanks(standings) {
  const shown = standings.slice(0, MOST_RANKS);
  say($("p-standings-title"), rankHeading());
  keep(
    $("p-ranks"),
    shown,
    ({ table, name }) => `${table} ${name}`,
    () => el("li", {}, el("b"), el("span", {}, el("span"), " ", el("small")), el("em")),
    (node, one) => {
      const [rank, name, profit] = node.children;
      say(rank, String(one.rank));
      const table = one.table.replace(" ", "\u00a0");
      say(name.firstChild, state.tables.length > 1 ? `${one.name}, ${table}` : one.name);
      say(name.lastChild, asideOf(one));
      say(profit, gain(one.profit));
    },
  );
  sayRanks();
}

function sayRanks() {
  const [shown, all] = [$("p-ranks").children.length, state.standings.length];
  say($("p-more"), all > shown ? `The first ${shown} of ${all} firms.` : "");
}

/** On a screen that is shown to the class as it is, the clock is still within reach. */
function renderTools() {
  const names = ["start", "pause", "go", "extend", "close"];
  const usable = names.map(control).filter((one) => one && canDo(one).on);
  keep(
    $("p-actions"),
    usable,
    (one) => one.do,
    (one) => actionButton(one.do),
    (node, one) => updateButton(node, one),
  );
  const options = ["Average of all tables", ...state.tables.map(tableWords)];
  show($("p-table"), state.tables.length > 1 && state.phase !== "lobby");
  keep(
    $("p-table"),
    options,
    (_, at) => at,
    () => el("option"),
    (node, text, at) => {
      say(node, text);
      node.value = at - 1;
    },
  );
  const at = state.tables.findIndex((table) => table.name === state.board?.table);
  if (document.activeElement !== $("p-table")) $("p-table").value = at;
}

let quiet = 0;

/** The tools are there while somebody moves the mouse or presses a key. */
export function wake() {
  $("projector").classList.add("awake");
  clearTimeout(quiet);
  quiet = setTimeout(() => $("projector").classList.remove("awake"), 4000);
}
