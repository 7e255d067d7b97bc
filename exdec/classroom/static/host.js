// The instructor's page: what the class sees on the projector, and the controls.
//
// The server decides everything; the page shows its state, and sends what a button asks for.
// All text from people reaches the page by textContent alone.

const here = new URL(".", location.href); // …/exdec/
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
// The colours are in host.css. See exdec/theme.py: each series looks the same everywhere.
const SERIES = [
  { key: "X", name: "X-FINE", dash: "none", mark: "circle" },
  { key: "F", name: "FINE", dash: "10 6", mark: "square" },
  { key: "S", name: "STANDARD", dash: "2 5", mark: "diamond" },
  { key: "A", name: "A", dash: "none", mark: "triangle" },
  { key: "B", name: "B", dash: "10 6", mark: "cross" },
  { key: "C", name: "C", dash: "2 5", mark: "star" },
];
const MATERIALS = [0, 1, 2];
const GOODS = [3, 4, 5];
const DOING = { buy: "Order raw materials", sell: "Offer finished goods" };
const MOST_RANKS = 10;
const NEWS_SECONDS = 90;

let state = null;
let stateAt = 0; // performance.now() when it came, so that clocks run on in between
let view = null;

// -- the page ------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);

/** Make an element; `on…` options are listeners, `text` is its text, the others attributes. */
function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Change text only where it differs, so that screen readers repeat nothing. */
function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function show(node, on) {
  node.hidden = !on;
}

/** Bring a parent's children in line with a list; those that stay keep focus and selection. */
function keep(parent, items, keyOf, make, update = () => {}) {
  const keys = items.map((item, at) => String(keyOf(item, at)));
  const wanted = new Set(keys);
  const old = new Map();
  for (const node of [...parent.children]) {
    if (wanted.has(node.dataset.key)) old.set(node.dataset.key, node);
    else node.remove();
  }
  items.forEach((item, at) => {
    let node = old.get(keys[at]);
    if (!node) {
      node = make(item, at);
      node.dataset.key = keys[at];
    }
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
    update(node, item, at);
  });
}

/** Words in a row, each in an element of its own. */
function keepTexts(parent, texts, tag = "li") {
  keep(parent, texts, (text, at) => `${at} ${text}`, (text) => el(tag, { text }));
}

/** Make the type smaller until what is inside fits; sizes in em. */
function fit(node, largest, smallest) {
  for (let size = largest; ; size *= 0.93) {
    node.style.fontSize = `${Math.max(size, smallest)}em`;
    const fits = node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1;
    if (fits || size <= smallest) return fits;
  }
}

// -- words ---------------------------------------------------------------------------------------

const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const dollars = (n) => `${n < 0 ? "−" : ""}$${Math.abs(Math.round(n)).toLocaleString("en-US")}`;
const signed = (n) => (n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${Math.abs(n)}`);
const gain = (n) => (n > 0 ? `+${dollars(n)}` : dollars(n));
const listed = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function turnWords([month, step]) {
  return step === "over" ? "Over" : `${MONTHS[month - 1]}, ${step === "buy" ? "materials" : "goods"}`;
}

function clockText(left) {
  const whole = Math.ceil(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function clockWords(left) {
  const whole = Math.ceil(left);
  const [minutes, seconds] = [Math.floor(whole / 60), whole % 60];
  if (whole === 0) return "time is up";
  const parts = [];
  if (minutes) parts.push(count(minutes, "minute"));
  if (seconds) parts.push(count(seconds, "second"));
  return `${parts.join(" ")} left`;
}

/** A time the server gave, as it is by now. */
function now(left) {
  if (left == null) return null;
  const gone = state.phase === "running" ? (performance.now() - stateAt) / 1000 : 0;
  return Math.max(0, left - gone);
}

const tableName = (at) => state.tables[at]?.name ?? "";
const running = () => state.phase === "running" || state.phase === "paused";

// -- the server ----------------------------------------------------------------------------------

let key = null;
const wire = { socket: null, tries: 0, heard: 0, retry: 0, poll: 0, wanted: undefined, down: false };

class Trouble extends Error {}

async function fetched(path, options = {}, patience = 15_000) {
  let answer;
  try {
    answer = await fetch(new URL(path, here), {
      ...options,
      headers: { Authorization: `Bearer ${key}`, ...options.headers },
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Trouble("The server does not answer. The class may still run; try again in a moment.");
  }
  if (answer.status === 401 || answer.status === 403) {
    notice("key");
    throw new Trouble("The server does not accept this page's key.");
  }
  if (answer.status === 404) {
    notice("closed");
    throw new Trouble("No class is open on this server.");
  }
  return answer;
}

async function fetchedJson(path, body) {
  const options = body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetched(path, options);
  try {
    const found = await answer.json();
    if (answer.ok || "text" in found) return found;
  } catch {
    // What is no JSON comes from a server in between.
  }
  throw new Trouble("The answer does not come from the class. The session may have stopped.");
}

function connect() {
  clearTimeout(wire.retry);
  const url = new URL("host/live", here);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  wire.socket = socket;
  wire.heard = performance.now();
  socket.onopen = () => {
    socket.send(JSON.stringify({ t: "hello", key }));
    if (wire.wanted !== undefined) socket.send(JSON.stringify({ t: "show", table: wire.wanted }));
  };
  socket.onmessage = ({ data }) => {
    if (socket === wire.socket) heard(JSON.parse(data), true);
  };
  socket.onclose = () => {
    if (socket === wire.socket) lost();
  };
}

function lost() {
  disconnect();
  const wait = Math.min(15, 0.5 * 2 ** wire.tries++) * (0.75 + Math.random() / 2);
  wire.retry = setTimeout(connect, wait * 1000);
  poll();
}

function disconnect() {
  clearTimeout(wire.retry);
  clearTimeout(wire.poll);
  const socket = wire.socket;
  wire.socket = null;
  socket?.close();
}

const fetchedState = () => fetchedJson(wire.wanted == null ? "host/state" : `host/state?show=${wire.wanted}`);

/** Ask for the state, again and again until the WebSocket brings it. */
async function poll() {
  clearTimeout(wire.poll);
  const asked = key;
  try {
    heard(await fetchedState(), false);
  } catch {
    if (asked === key) setDown(true);
  }
  if (asked === key && wire.socket?.readyState !== WebSocket.OPEN) {
    clearTimeout(wire.poll);
    wire.poll = setTimeout(poll, 2000);
  }
}

function heard(message, live) {
  wire.heard = performance.now();
  if (live) {
    wire.tries = 0;
    clearTimeout(wire.poll);
  }
  if (message.t === "no") notice("key");
  else if (message.t === "gone" || message.t === "none") notice("closed");
  else if (message.t === "state") {
    setDown(false);
    farewell = "";
    const before = state;
    state = message;
    stateAt = performance.now();
    noteNews(before);
    render();
  }
}

/** A line that is dead without having been closed is found by asking another way. */
function checkLine(patience = 25_000) {
  if (wire.socket?.readyState !== WebSocket.OPEN || performance.now() - wire.heard < patience) return;
  wire.heard = performance.now();
  fetchedState().then(
    (message) => heard(message, false),
    () => wire.socket && lost(),
  );
}

function setDown(down) {
  wire.down = down;
  say($("lost"), down
    ? "Not connected. The class goes on without this page, which tries again by itself."
    : "");
}

/** Send a command; its answer as a line, with a way back if there is one. */
async function act(command) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const id = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let done;
  try {
    done = await fetchedJson("host/do", { t: "do", id, ...command });
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    done = { ok: false, text: trouble.message };
  }
  return done;
}

// -- key, notices, views -------------------------------------------------------------------------

const NOTICES = {
  none: ["This page needs the instructor's link", "Open it with the button in the host notebook's panel, or with the instructor link that “exdec host” printed. The link ends in #k= and a long key. Pupils use another address: the one on the projector."],
  key: ["This link does not open the class", "Its key belongs to another class, or it was not copied whole. Open the page again from the host notebook's panel, or with the link that “exdec host” printed."],
  closed: ["No class is open here", "It was finished, or nobody has opened one yet. Open a class in the host notebook or with “exdec host”; this page then finds it by itself."],
};

/** What the server said when this page closed the class. */
let farewell = "";

function notice(which) {
  const [title, text] = NOTICES[which];
  disconnect();
  state = null;
  setDown(false);
  dialog.close();
  say($("notice-title"), title);
  say($("notice-text"), which === "closed" && farewell ? farewell : text);
  show($("notice-again"), which !== "none");
  for (const id of ["projector", "controls", "slips"]) show($(id), false);
  show($("notice"), true);
  document.title = title;
  if (which === "closed") wire.poll = setTimeout(begin, 5000);
}

function begin() {
  disconnect();
  if (!key) return notice("none");
  wire.tries = 0;
  return connect();
}

/** Read what stands after # in the address, and take it out of there. */
function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("k")) {
    key = given.get("k");
    stored(sessionStorage, "exdec-host-key", key);
  }
  if (given.has("view")) stored(sessionStorage, "exdec-host-view", given.get("view"));
  if (location.hash) history.replaceState(null, "", location.pathname);
  key ??= stored(sessionStorage, "exdec-host-key");
}

/** What a browser may refuse to keep is then forgotten with the page. */
function stored(where, name, value) {
  try {
    if (value !== undefined) where.setItem(name, value);
    return where.getItem(name);
  } catch {
    return null;
  }
}

function go(to) {
  view = to === "projector" ? to : "controls";
  stored(sessionStorage, "exdec-host-view", view);
  dialog.close();
  $("s-cards").replaceChildren();
  render();
  window.scrollTo(0, 0);
  keepAwake();
  document.querySelector(`#${view} [data-view]`).focus({ preventScroll: true });
}

function render() {
  if (!state) return;
  show($("notice"), false);
  const slips = $("s-cards").hasChildNodes();
  show($("projector"), view === "projector");
  show($("controls"), view === "controls" && !slips);
  show($("slips"), view === "controls" && slips);
  document.title = `${state.title}: ${view}`;
  if (view === "projector") renderProjector();
  else renderControls();
}

/** A projector must not go dark; browsers allow this on https and on the own computer. */
async function keepAwake() {
  if (view !== "projector" || document.hidden) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Low battery, or not allowed: the computer's own settings hold.
  }
}

const settings = { theme: "auto", names: false };

function readSettings() {
  try {
    Object.assign(settings, JSON.parse(stored(localStorage, "exdec-host") ?? "{}"));
  } catch {
    // Somebody else's value; the page's own settings stay.
  }
  document.documentElement.dataset.theme = settings.theme;
  for (const choice of document.querySelectorAll("[data-theme-choice]")) choice.value = settings.theme;
  $("p-who").checked = settings.names;
  render();
}

function setSetting(name, value) {
  settings[name] = value;
  stored(localStorage, "exdec-host", JSON.stringify(settings));
  readSettings();
}

// -- addresses and QR codes ----------------------------------------------------------------------

const joinBase = () => state.join ?? here.href;

/** As it is typed: without scheme and without the last slash. */
const typed = (url) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

/** Phones cannot reach an address that means "this computer". */
function onlyHere() {
  return !state.join && /^(localhost|127\.|\[::1\])/.test(location.hostname);
}

const ONLY_HERE = "This address works on this computer only, so phones cannot open it.";

const drawn = new Map();

/** QR codes as data addresses, in the order of the texts. */
async function qrCodes(texts) {
  const missing = texts.filter((text) => !drawn.has(text));
  for (let at = 0; at < missing.length; at += 40) {
    const some = missing.slice(at, at + 40);
    const { svgs } = await fetchedJson("host/qr", { texts: some });
    svgs.forEach((markup, n) => drawn.set(some[n], asImage(markup)));
  }
  return texts.map((text) => drawn.get(text));
}

/** As an image it can run nothing. */
function asImage(markup) {
  const found = new DOMParser().parseFromString(markup, "text/html").querySelector("svg");
  if (!found.hasAttribute("viewBox")) {
    found.setAttribute("viewBox", `0 0 ${found.getAttribute("width")} ${found.getAttribute("height")}`);
  }
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(found))}`;
}

function putQr(box, text, alt) {
  if (box.dataset.text === text) return;
  box.dataset.text = text;
  const image = el("img", { alt });
  qrCodes([text]).then(
    ([source]) => {
      image.src = source;
      if (box.dataset.text === text) box.replaceChildren(image);
    },
    () => delete box.dataset.text,
  );
}

/** An address that may break after each slash and dot. */
function putAddress(node, text) {
  if (node.textContent === text) return;
  node.replaceChildren();
  for (const part of text.split(/(?<=[/.])/)) node.append(part, el("wbr"));
}

// -- projector -----------------------------------------------------------------------------------

const newsSeen = new Map();

function renderProjector() {
  const lobby = state.phase === "lobby";
  const over = state.phase === "over";
  $("projector").dataset.phase = state.phase;
  say($("p-title"), lobby || over ? state.title : "");
  say($("p-doing"), lobby ? "Take out your phone and join." : "The game is over.");
  if (running()) renderStep();
  show($("p-clock"), state.phase === "paused" || (running() && !scattered(shownTables())));
  show($("p-lobby"), lobby);
  show($("p-progress"), running());
  $("p-bar").toggleAttribute("hidden", !running());
  show($("p-game"), !lobby);
  show($("p-late"), !lobby && !over && state.joining);
  renderTools();
  if (lobby) renderLobby();
  else renderGame(over);
  if (running()) renderProgress();
  renderMessage();
  tick();
  layOut();
}

/** What depends on how much room everything else has left. */
function layOut() {
  if (state.phase === "lobby") fit($("p-names"), 1.3, 0.45);
  else if (!$("p-message").hidden) fit($("p-message"), 1.4, 0.6);
  else if ($("p-standings").hidden) fit($("p-report"), 1, 0.6);
  else {
    while (!fit($("p-standings"), 1.2, 0.8) && $("p-ranks").children.length > 3) {
      $("p-ranks").lastElementChild.remove();
      sayRanks();
    }
  }
  if (state.phase !== "lobby" && state.board) drawChart($("p-chart"), state.board);
}

/** The tables whose clock is shown: the one that is picked, or all that still play. */
function shownTables() {
  const picked = state.tables.filter((table) => table.name === state.board?.table);
  return picked.length ? picked : state.tables.filter((table) => !table.over);
}

function earliest(tables) {
  const order = ({ turn: [month, step] }) => 3 * month + ["buy", "sell", "over"].indexOf(step);
  return tables.reduce((first, table) => (order(table) < order(first) ? table : first));
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

/** Whether these tables are at different steps; then no one clock holds for them. */
const scattered = (tables) => new Set(tables.map((table) => String(table.turn))).size > 1;

function leftNow() {
  const tables = shownTables();
  if (scattered(tables)) return null;
  const lefts = tables.map((table) => table.left).filter((left) => left != null);
  return lefts.length ? now(Math.max(...lefts)) : null;
}

let announced = null;

/** What changes by itself: the clocks. */
function tick() {
  if (!state) return;
  if (view === "projector" && running()) {
    const left = leftNow();
    const paused = state.phase === "paused";
    const words = left == null ? "no time limit" : clockWords(left).replace(/minutes?|seconds?/g, (word) => (word[0] === "m" ? "min" : "s"));
    say($("p-time"), paused ? "Paused" : left == null ? "" : clockText(left));
    say($("p-time-words"), paused ? left == null ? "" : words : words);
    $("p-clock").classList.toggle("soon", left != null && left <= 10 && state.phase === "running");
    const mark = [10, 30, 60].find((limit) => left != null && left <= limit && left > limit - 2);
    if (mark && mark !== announced) say($("aloud"), clockWords(mark));
    announced = mark;
    if (!$("p-message").hidden && !messageNow()) {
      renderMessage();
      layOut();
    }
  }
  if (view === "controls") tickControls();
}

/** What makes a message old, besides the time. */
const situation = () => String([state.reveal, state.phase === "over", ...state.tables.map(({ turn }) => turn)]);

/** Note when messages came; those that were there before this page are old already. */
function noteNews(before) {
  for (const { n } of state.news) {
    if (!newsSeen.has(n)) newsSeen.set(n, { since: before ? performance.now() : -Infinity, situation: situation() });
  }
}

/** The last message to all: before the game for good, then until the next step or for a while. */
function messageNow() {
  const message = state.news.filter(({ what }) => what === "message").at(-1);
  if (!message) return "";
  const seen = newsSeen.get(message.n);
  const old = seen.situation !== situation() || performance.now() - seen.since > NEWS_SECONDS * 1000;
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

function renderLobby() {
  const link = `${joinBase()}#c=${state.code}`;
  putQr($("p-qr"), link, `QR code of the address ${typed(joinBase())} with the code`);
  putAddress($("p-address"), typed(joinBase()));
  say($("p-code"), state.code);
  show($("p-here-only"), onlyHere());
  say($("p-here-only"), ONLY_HERE);
  const people = state.pupils.filter((pupil) => !pupil.out);
  const away = people.filter((pupil) => !pupil.here);
  const arrived = people.filter((pupil) => pupil.here || !pupil.roster);
  say($("p-here"), arrived.length ? `${count(arrived.length, "player")} here${away.length && people.some((p) => p.roster) ? ` of ${people.length}` : ""}` : "Nobody is here yet");
  keep($("p-names"), arrived, (pupil) => pupil.id, () => el("li"), (node, pupil) => say(node, pupil.name));
}

function renderProgress() {
  const { in: done, of } = state.counts;
  $("p-bar").firstElementChild.setAttribute("width", of ? done / of : 0);
  say($("p-in"), `${done} of ${of} ${of === 1 ? "has" : "have"} handed in.`);
  const waiting = state.waiting ?? [];
  let text = "";
  if (scattered(shownTables())) text = turnsWords();
  else if (settings.names && waiting.length) {
    text = `Waiting for ${waiting.map(({ table, names }) => (state.tables.length > 1 ? `${table}: ${listed(names)}` : listed(names))).join("; ")}.`;
  } else if (state.tables.length > 1 && waiting.length) {
    const numbers = waiting.map(({ table }) => table.replace(/^Table /, ""));
    text = waiting.length > 8 ? `Waiting at ${waiting.length} tables.` : `Waiting at table${waiting.length > 1 ? "s" : ""} ${listed(numbers)}.`;
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
  const ordered = [...turns.values()].sort((one, other) => earliest([one, other]) === one ? -1 : 1);
  return ordered.map(({ turn, names }) => `${turnWords(turn)}: ${names.length > 8 ? count(names.length, "table") : `${names.length > 1 ? "tables" : "table"} ${listed(names)}`}`).join(" · ");
}

function renderGame(over) {
  const board = state.board;
  if (!board) return;
  const table = state.tables.find(({ name }) => name === board.table);
  const whose = table ? table.name : state.tables.length > 1 ? `average of ${state.tables.length} tables` : "";
  $("p-chart").dataset.whose = whose;
  drawBoard($("p-board"), board, whose);
  const ranks = state.reveal && state.standings ? state.standings : null;
  if (ranks) renderRanks(ranks, over);
  else renderReport(board, table, over);
  putAddress($("p-late"), "");
  if (!over && state.joining) {
    $("p-late").replaceChildren("Late? ", el("strong", { text: typed(joinBase()) }), " code ", el("strong", { class: "code", text: state.code }));
  }
}

function renderReport(board, table, over) {
  const last = board.months.at(-1);
  const goods = last && last.prices[3] != null;
  say($("p-report-title"), last ? `${MONTHS[last.m - 1]}, ${goods ? "goods" : "materials"}` : "Opening prices");
  let sentences = ["Nothing is settled yet."];
  // Of one table the server sends sentences, the first of which is our title.
  if (board.sentences.length) sentences = board.sentences.slice(1);
  else if (last) sentences = (goods ? GOODS : MATERIALS).map((at) => averageSentence(board, at));
  keepTexts($("p-sentences"), sentences);
  const tables = table ? [table] : state.tables;
  const firms = tables.flatMap((one) => one.firms);
  const bots = firms.filter((firm) => firm.bot).length;
  let words = "";
  if (tables.length === 1) words = `At this table: ${listed(firms.map(({ name, bot }) => `${name}${bot ? " (a bot plays)" : ""}`))}.`;
  else if (bots) words = `Bots play ${bots} of ${firms.length} places.`;
  say($("p-firms"), words);
}

function averageSentence(board, at) {
  const [before, last] = [board.months.at(-2)?.prices ?? board.opening, board.months.at(-1)];
  const move = signed(Math.round(last.prices[at]) - Math.round(before[at]));
  const [units, name] = [last.units[at], SERIES[at].name];
  const what = units ? `${units} ${name} ${at < 3 ? "ordered" : "offered"} at a table, on average` : `Nobody ${at < 3 ? "orders" : "offers"} ${name}`;
  return `${what}: it posts at ${dollars(last.prices[at])} (${move}).`;
}

function renderRanks(standings, over) {
  const shown = standings.slice(0, MOST_RANKS);
  say($("p-standings-title"), over ? "Final standings" : "Standings: profit so far");
  keep($("p-ranks"), shown, ({ table, name }) => `${table} ${name}`, () => el("li", {}, el("b"), el("span"), el("em")), (node, one) => {
    const [rank, name, profit] = node.children;
    say(rank, String(one.rank));
    say(name, state.tables.length > 1 ? `${one.name}, ${one.table}` : one.name);
    say(profit, gain(one.profit));
  });
  sayRanks();
}

function sayRanks() {
  const [shown, all] = [$("p-ranks").children.length, state.standings.length];
  say($("p-more"), all > shown ? `The first ${shown} of ${all} firms.` : "");
}

/** Months that have a column; tables may play different numbers of them. */
const allMonths = (board) => Math.max(state.months, ...board.months.map(({ m }) => m));

function drawBoard(box, board, whose) {
  const rounded = (price) => Math.round(price);
  const byMonth = new Map(board.months.map((month) => [month.m, month]));
  const last = board.months.at(-1)?.m;
  const head = el("tr", {}, el("td"), el("th", { scope: "col", text: "Opening" }));
  for (let m = 1; m <= allMonths(board); m++) {
    head.append(el("th", { scope: "col", text: MONTHS[m - 1].slice(0, 3), class: m === last && "now" }));
  }
  const rows = SERIES.map((series, at) => {
    const row = el("tr", { class: at === 3 && "first-good" }, el("th", { scope: "row" }, markIcon(series), series.name), el("td", { text: rounded(board.opening[at]) }));
    let before = board.opening[at];
    for (let m = 1; m <= allMonths(board); m++) {
      const price = byMonth.get(m)?.prices[at];
      const cell = el("td", { class: m === last && "now", text: price == null ? "" : rounded(price) });
      if (price != null) {
        const move = rounded(price) - rounded(before);
        if (m === last) cell.append(" ", el("small", { class: move > 0 ? "up" : move < 0 && "down", text: `${move > 0 ? "▲" : move < 0 ? "▼" : ""}${signed(move)}` }));
        before = price;
      }
      row.append(cell);
    }
    return row;
  });
  const caption = `Price Level Board, $ a unit${whose && `, ${whose}`}`;
  box.replaceChildren(el("table", {}, el("caption", { class: "away", text: caption }), el("thead", {}, head), el("tbody", {}, ...rows)));
}

function markPath(kind, x, y, r) {
  const points = (list) => `M${list.map(([dx, dy]) => `${x + dx * r} ${y + dy * r}`).join("L")}Z`;
  switch (kind) {
    case "circle":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case "square":
      return points([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]);
    case "diamond":
      return points([[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]]);
    case "triangle":
      return points([[0, -1.15], [1.1, 0.85], [-1.1, 0.85]]);
    case "cross":
      return points([[-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]]);
    default:
      return points(Array.from({ length: 10 }, (_, n) => {
        const [far, angle] = [n % 2 ? 0.55 : 1.3, (n * Math.PI) / 5];
        return [far * Math.sin(angle), -far * Math.cos(angle)];
      }));
  }
}

function markIcon({ key: name, mark }) {
  return svg("svg", { class: `mark s-${name}`, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, svg("path", { d: markPath(mark, 0, 0, 5) }));
}

/** Pixels for labels at given heights so that none covers another (exdec.charts.apart). */
function apart(heights, room) {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a] - heights[b]);
  const up = order.map((at) => heights[at]);
  for (let at = 1; at < up.length; at++) up[at] = Math.max(up[at], up[at - 1] + room);
  const down = order.map((at) => heights[at]);
  for (let at = down.length - 2; at >= 0; at--) down[at] = Math.min(down[at], down[at + 1] - room);
  const placed = [];
  order.forEach((at, rank) => (placed[at] = (up[rank] + down[rank]) / 2));
  return placed;
}

/** Goods above and materials below; a dollar is equally high in both. */
function drawChart(box, board) {
  const [width, height] = [box.clientWidth, box.clientHeight];
  if (width < 50 || height < 50) return;
  const type = parseFloat(getComputedStyle(box).fontSize);
  const last = Math.max(0, ...board.months.map(({ m }) => m));
  const span = Math.min(allMonths(board), Math.max(3, last));
  const lines = SERIES.map((_, at) => [
    { m: 0, price: board.opening[at] },
    ...board.months.filter(({ prices }) => prices[at] != null).map(({ m, prices }) => ({ m, price: prices[at] })),
  ]);
  const [left, right, bottom, edge] = [2.6 * type, 10 * type, 1.5 * type, 0.6 * type];
  const x = (month) => left + (month / span) * (width - left - right);
  const heading = 1.4 * type;
  const free = height - bottom - 2 * heading;
  const spread = [GOODS, MATERIALS].map((group) => {
    const prices = group.flatMap((at) => lines[at].map(({ price }) => price));
    return { low: Math.min(...prices), high: Math.max(...prices) };
  });
  const size = spread.map(({ low, high }) => high - low + 1);
  const share = Math.min(0.65, Math.max(0.35, size[0] / (size[0] + size[1])));
  const heights = [free * share, free * (1 - share)];
  const dollar = Math.min(...heights.map((h, n) => (h - 2 * edge) / size[n]));
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": chartWords(lines) });
  let top = 0;
  [GOODS, MATERIALS].forEach((group, n) => {
    const middle = (spread[n].low + spread[n].high) / 2;
    const base = top + heading + heights[n] / 2;
    const y = (price) => base - (price - middle) * dollar;
    picture.append(svg("text", { x: 0, y: top + type, class: "heading" }, n ? "Materials, $" : `Goods, $${box.dataset.whose && ` · ${box.dataset.whose}`}`));
    const step = [5, 10, 20, 25, 50, 100].find((some) => some * dollar > 2 * type) ?? 200;
    const reach = (heights[n] / 2) / dollar;
    for (let price = Math.ceil((middle - reach) / step) * step; price <= middle + reach; price += step) {
      // Not into the heading of the panel below.
      if (price < 0 || y(price) > base + heights[n] / 2 - 0.2 * type) continue;
      picture.append(
        svg("line", { class: "grid", x1: left, x2: width - right, y1: y(price), y2: y(price) }),
        svg("text", { class: "tick", x: left - 0.4 * type, y: y(price) + 0.3 * type, "text-anchor": "end" }, String(price)),
      );
    }
    const ends = group.map((at) => y(lines[at].at(-1).price));
    const places = apart(ends, 1.15 * type);
    group.forEach((at, rank) => {
      const { key: name, name: word, dash, mark } = SERIES[at];
      const points = lines[at].map(({ m, price }) => [x(m), y(price)]);
      const whole = svg("g", { class: `s-${name}` });
      whole.append(svg("polyline", { points: points.map((point) => point.join()).join(" "), "stroke-dasharray": dash }));
      for (const [px, py] of points) whole.append(svg("path", { d: markPath(mark, px, py, 0.26 * type) }));
      const end = points.at(-1)[0] + 0.7 * type;
      // A label that had to move away from its line shows the line's marker again.
      const moved = Math.abs(places[rank] - ends[rank]) > 0.3 * type;
      const label = svg("text", { x: end + (moved ? 0.8 * type : 0), y: places[rank] + 0.35 * type }, `${word} `);
      label.append(svg("tspan", { class: "strong" }, dollars(lines[at].at(-1).price)));
      if (moved) whole.append(svg("path", { d: markPath(mark, end + 0.2 * type, places[rank], 0.3 * type) }));
      picture.append(whole, label);
    });
    top += heading + heights[n];
  });
  const every = span > 6 && (width - left - right) / span < 2.4 * type ? 2 : 1;
  for (let m = 0; m <= span; m += every) {
    picture.append(svg("text", { class: "tick", x: x(m), y: height - 0.3 * type, "text-anchor": "middle" }, m ? MONTHS[m - 1].slice(0, 3) : "Opening"));
  }
  box.replaceChildren(picture);
}

function chartWords(lines) {
  const words = SERIES.map(({ name }, at) => `${name} ${dollars(lines[at].at(-1).price)}`);
  return `Prices from the opening on; now ${words.join(", ")}.`;
}

/** On a screen that is shown to the class as it is, the clock is still within reach. */
function renderTools() {
  const names = ["start", "pause", "go", "extend", "close"];
  const usable = names.map(control).filter((one) => one?.on);
  keep($("p-actions"), usable, (one) => one.do, (one) => actionButton(one.do), (node, one) => updateButton(node, one));
  const options = ["Average of all tables", ...state.tables.map(tableWords)];
  show($("p-table"), state.tables.length > 1 && state.phase !== "lobby");
  keep($("p-table"), options, (_, at) => at, () => el("option"), (node, text, at) => {
    say(node, text);
    node.value = at - 1;
  });
  const at = state.tables.findIndex((table) => table.name === state.board?.table);
  if (document.activeElement !== $("p-table")) $("p-table").value = at;
}

const tableWords = ({ name, treatment }) => (treatment ? `${name} (${treatment})` : name);

let quiet = 0;

/** The tools are there while somebody moves the mouse or presses a key. */
function wake() {
  $("projector").classList.add("awake");
  clearTimeout(quiet);
  quiet = setTimeout(() => $("projector").classList.remove("awake"), 4000);
}

// -- controls ------------------------------------------------------------------------------------

const GROUPS = {
  "c-clock": ["start", "pause", "go", "extend", "close", "reopen", "undo", "redo", "end", "unend"],
  "c-join": ["lock", "unlock", "room", "add"],
  "c-class": ["standings", "bots_absent"],
  "c-end": ["finish", "delete"],
};
const ELSEWHERE = ["say", "seconds", "kick", "readmit", "rename", "reseat", "newlink", "bot", "return", "paper", "take_back"];
const TABLE_ACTIONS = ["extend", "close", "reopen", "undo", "redo", "end", "unend"];
/** Of two that undo each other only one is shown. */
const PAIRS = [["go", "pause"], ["unlock", "lock"]];
/** What is rarely possible is shown only then. */
const RARE = ["start", "redo", "unend"];

const control = (name) => state.controls.find((one) => one.do === name);

function shownControls(names) {
  const found = names.map(control).filter(Boolean);
  const hidden = new Set();
  for (const [less, more] of PAIRS) hidden.add(control(less)?.on ? more : less);
  return found.filter((one) => !hidden.has(one.do) && (one.on || (running() && !RARE.includes(one.do))));
}

function label(one) {
  if (one.do === "extend") return `${one.label}: 30 s`;
  if (one.do === "standings" && state.reveal) return "Hide the standings";
  return one.label;
}

function actionButton(name, given = () => ({})) {
  return el("button", { type: "button", onclick: () => run(name, given()) });
}

/** A button that cannot be used keeps the focus, so it is not disabled but says so. */
function updateButton(node, one, about = "") {
  say(node, label(one));
  if (about) node.setAttribute("aria-label", `${label(one)}: ${about}`);
  node.setAttribute("aria-disabled", String(!one.on));
  node.classList.toggle("main", one.on && ["start", "go"].includes(one.do));
  node.classList.toggle("danger", ["end", "finish", "delete"].includes(one.do));
}

function renderControls() {
  say($("c-title"), state.title);
  for (const [id, names] of Object.entries(GROUPS)) {
    keep($(id), shownControls(names), (one) => one.do, (one) => actionButton(one.do), (node, one) => updateButton(node, one));
  }
  const known = new Set([...Object.values(GROUPS).flat(), ...ELSEWHERE]);
  for (const one of state.controls) {
    if (known.has(one.do)) continue;
    let button = $("c-class").querySelector(`[data-key="${CSS.escape(one.do)}"]`);
    if (!button) {
      button = actionButton(one.do);
      button.dataset.key = one.do;
      $("c-class").append(button);
    }
    updateButton(button, one);
  }
  say($("c-code"), state.code);
  putAddress($("c-address"), typed(joinBase()));
  show($("c-here-only"), onlyHere());
  say($("c-here-only"), `${ONLY_HERE}${control("room") ? " Open a second address for the room below." : ""}`);
  show($("c-wrong"), state.wrong >= 5);
  say($("c-wrong"), `${count(state.wrong, "wrong code was", "wrong codes were")} tried lately.`);
  $("c-say").querySelector("button").setAttribute("aria-disabled", String(!control("say")?.on));
  $("c-pace").querySelector("button").setAttribute("aria-disabled", String(!control("seconds")?.on));
  if (document.activeElement !== $("c-seconds") && !$("c-seconds").dataset.edited) $("c-seconds").value = state.seconds;
  keepTexts($("c-audit"), state.audit.slice(-8).reverse().map(({ at, text }) => `${timeOf(at)} ${text}`));
  show($("c-note"), Boolean(state.note));
  say($("c-note"), state.note ?? "");
  if (!tabChosen) pickTab(state.tables.length ? $("tab-tables") : $("tab-people"));
  renderTables();
  renderPeople();
  renderStandings();
  tickControls();
}

function tickControls() {
  const { here: present, in: done, of } = state.counts;
  const parts = [];
  if (state.phase === "lobby") parts.push("Not started");
  if (state.phase === "over") parts.push("The game is over");
  if (running()) {
    const tables = shownTables();
    if (state.phase === "paused") parts.push("Paused");
    if (tables.length) parts.push(turnWords(earliest(tables).turn));
    const left = leftNow();
    if (left != null) parts.push(`${clockText(left)} left`);
    parts.push(`${done} of ${of} handed in`);
  }
  parts.push(`${present} here`);
  say($("c-status"), parts.join(" · "));
  for (const card of $("c-cards").children) {
    const table = state.tables[Number(card.dataset.key)];
    if (table) say(card.querySelector(".turn"), cardWords(table));
  }
}

function cardWords(table) {
  if (table.over) return "Over";
  const people = table.firms.filter((firm) => !firm.bot);
  const left = now(table.left);
  const parts = [turnWords(table.turn)];
  if (left != null) parts.push(`${clockText(left)} left`);
  parts.push(`${people.filter((firm) => firm.in).length} of ${people.length} in`);
  return parts.join(" · ");
}

const timeOf = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** What can be done at one table, where it differs from what can be done at some table. */
const AT_TABLE = {
  extend: (table) => table.open && table.left != null,
  close: (table) => table.open,
  redo: (table) => table.undone,
  end: (table) => !table.over,
  unend: (table) => table.ended,
};

function tableControls(table) {
  const found = shownControls(TABLE_ACTIONS).map((one) => ({ ...one, on: one.on && (AT_TABLE[one.do]?.(table) ?? true) }));
  return found.filter((one) => one.on || !RARE.includes(one.do));
}

function renderTables() {
  show($("c-no-tables"), !state.tables.length);
  keep($("c-cards"), state.tables, (_, at) => at, makeCard, (card, table, at) => {
    say(card.querySelector("h3"), tableWords(table));
    keep(card.querySelector("ul"), table.firms, (_, firm) => firm, (_, firm) => makePlace(at, firm), (node, firm) => updatePlace(node, firm, at));
    keep(card.querySelector("details > .buttons"), tableControls(table), (one) => one.do, (one) => actionButton(one.do, () => ({ table: at })), (node, one) => updateButton(node, one, table.name));
  });
}

function makeCard() {
  return el("article", {}, el("h3"), el("p", { class: "turn" }), el("ul", { class: "places plain" }),
    el("details", {}, el("summary", { text: "This table only" }), el("div", { class: "buttons" })));
}

function makePlace(table, firm) {
  const given = () => ({ table, firm });
  return el("li", {}, el("span", { class: "tick", "aria-hidden": "true" }), el("span", { class: "who" }, el("b"), el("small")),
    el("span", { class: "buttons" }, actionButton("bot", given), actionButton("return", given), actionButton("take_back", given), el("button", { type: "button", onclick: () => keyIn(table, firm) })));
}

function updatePlace(node, firm) {
  const [tickMark, who, buttons] = node.children;
  const [bot, back, again, paper] = buttons.children;
  say(tickMark, firm.bot ? "–" : firm.in ? "✓" : "");
  node.classList.toggle("in", Boolean(firm.in && !firm.bot));
  say(who.firstChild, firm.name);
  const facts = [];
  if (firm.bot) facts.push(firm.pupils.length ? "a bot plays for them" : "bot");
  else facts.push(firm.in ? "handed in" : "still thinking");
  if (firm.pupils.length && !firm.here) facts.push("not here");
  if (firm.missed && !firm.bot) facts.push(`missed ${firm.missed}`);
  say(who.lastChild, facts.join(" · "));
  for (const [button, name, wanted] of [[bot, "bot", !firm.bot], [back, "return", firm.bot && firm.pupils.length], [again, "take_back", firm.in && !firm.bot], [paper, "paper", !firm.in && !firm.bot]]) {
    const one = control(name);
    show(button, Boolean(one && wanted));
    if (one) updateButton(button, one, firm.name);
  }
}

function renderPeople() {
  const words = $("c-filter").value.trim().toLowerCase();
  const found = state.pupils.filter((pupil) => pupil.name.toLowerCase().includes(words));
  const present = state.pupils.filter((pupil) => pupil.here).length;
  say($("c-found"), words ? `${found.length} of ${state.pupils.length}` : `${present} of ${state.pupils.length} here`);
  keep($("c-pupils"), found, (pupil) => pupil.id, makePupil, (row, pupil) => {
    const [name, place, there] = row.children;
    say(name, pupil.name);
    say(place, placeWords(pupil));
    say(there, pupil.out ? "removed" : pupil.here ? "here" : "not here");
    row.classList.toggle("absent", !pupil.here);
    row.querySelector("button").setAttribute("aria-label", `Change: ${pupil.name}`);
  });
}

function makePupil({ id }) {
  return el("tr", {}, el("th", { scope: "row" }), el("td"), el("td"),
    el("td", {}, el("button", { type: "button", text: "Change…", onclick: () => changePupil(id) })));
}

function placeWords({ table, firm }) {
  return table == null ? "no seat yet" : `${tableName(table)}, seat ${firm + 1}`;
}

function renderStandings() {
  const all = state.standings ?? [];
  show($("c-standings"), all.length > 0);
  show($("c-no-ranks"), all.length === 0);
  say($("c-no-ranks"), state.phase === "lobby" ? "Standings come with the game." : "Press “Show the standings”, and they are here, on the projector and on all phones.");
  keep($("c-rows"), all, ({ table, name }) => `${table} ${name}`, () => el("tr", {}, el("td"), el("th", { scope: "row" }), el("td"), el("td", { class: "number" })), (row, one) => {
    const texts = [String(one.rank), one.name, one.table, gain(one.profit)];
    texts.forEach((text, at) => say(row.children[at], text));
  });
}

/** The last line of what came of a command. */
function tell(done) {
  const line = el("p", { class: done.ok ? "done" : "warn" }, el("span", { text: done.text }));
  if (done.back) {
    line.append(el("button", { type: "button", text: "Take it back", onclick: async () => tell(await act(done.back)) }));
  }
  if (done.pupil) {
    line.append(el("button", { type: "button", text: "Show the link", onclick: () => showLink(done.pupil) }));
  }
  line.append(el("button", { type: "button", class: "plain", text: "Close", onclick: () => line.remove() }));
  $("said").replaceChildren(line);
  if (view === "projector") say($("aloud"), done.text);
}

/** Ask what there is to ask, then do it. */
async function run(name, given = {}) {
  const one = control(name);
  if (!one?.on) return;
  if (name === "extend") given = { seconds: 30, ...given };
  if (name === "standings") given = { show: !state.reveal, ...given };
  if (name === "room") given = { on: !state.join, ...given };
  const missing = one.needs.filter((need) => FIELDS[need] && !((need === "place" ? "firm" : need) in given));
  if (one.ask || missing.length) await dialog.ask(one, given, missing);
  else tell(await act({ do: name, ...given }));
}

/** Fields of a form, by what a control needs. Each reads its part of a command, or throws. */
const FIELDS = {
  name: (given) => textField("Name", "name", pupilOf(given)?.name ?? "", 24),
  text: () => textField("Text", "text", "", 200),
  seconds: () => {
    const [box, input] = labelled("Seconds", el("input", { inputmode: "numeric", value: state.seconds, autocomplete: "off" }));
    return { box, read: () => ({ seconds: whole(input.value, "Seconds") }) };
  },
  pupil: () => {
    const [box, input] = labelled("Pupil", el("select", {}, ...state.pupils.map(({ id, name }) => el("option", { value: id, text: name }))));
    return { box, read: () => ({ pupil: state.pupils.find(({ id }) => String(id) === input.value)?.id }) };
  },
  place: (given) => {
    const pupil = pupilOf(given);
    const options = state.tables.flatMap((table, at) => table.firms.map((firm, seat) =>
      el("option", { value: `${at} ${seat}`, selected: pupil?.table === at && pupil?.firm === seat, text: `${table.name}, seat ${seat + 1}: ${firm.name}` })));
    const [box, input] = labelled("Place", el("select", {}, ...options));
    return { box, read: () => { const [table, firm] = input.value.split(" ").map(Number); return { table, firm }; } };
  },
};

const pupilOf = ({ pupil }) => state.pupils.find(({ id }) => id === pupil);

let labels = 0;

function labelled(text, input) {
  input.id = `field-${++labels}`;
  return [el("p", { class: "field" }, el("label", { for: input.id, text }), input), input];
}

function textField(text, name, value, maxlength) {
  const [box, input] = labelled(text, el("input", { value, maxlength, autocomplete: "off" }));
  return {
    box,
    read: () => {
      if (!input.value.trim()) throw new Trouble(`${text} is empty. Type something, or cancel.`);
      return { [name]: input.value.trim() };
    },
  };
}

function whole(text, what) {
  const found = text.trim().replace(/^\$/, "");
  if (!/^\d{1,6}$/.test(found)) throw new Trouble(`${what} is a whole number, not “${text.trim()}”.`);
  return Number(found);
}

/** After these there is no class that could be shown. */
const CLOSING = ["finish", "delete"];

/** The one dialog of the page. */
const dialog = {
  open(title, body, buttons, submit = null) {
    say($("d-title"), title);
    $("d-body").replaceChildren(...body);
    say($("d-trouble"), "");
    $("d-buttons").replaceChildren(...buttons);
    dialog.submit = submit;
    if (!$("dialog").open) $("dialog").showModal();
    ($("d-body").querySelector("input:not([readonly]), select") ?? $("d-buttons").firstElementChild).focus();
  },
  close() {
    if ($("dialog").open) $("dialog").close();
  },
  cancel: (text = "Cancel") => el("button", { type: "button", text, onclick: () => dialog.close() }),
  /** Ask before something is done, and for what it needs. */
  ask(one, given, missing) {
    const pupil = pupilOf(given);
    const table = given.table == null ? null : tableName(given.table);
    const about = pupil?.name ?? (given.firm == null ? table : state.tables[given.table].firms[given.firm].name);
    const fields = missing.map((need) => FIELDS[need](given));
    const body = one.ask ? [el("p", { text: one.ask })] : [];
    if (CLOSING.includes(one.do) && !downloaded) {
      body.push(el("p", { class: "warn", text: "Nothing was downloaded from this page yet." }));
    }
    body.push(...fields.map(({ box }) => box));
    const yes = el("button", { class: `main${one.ask ? " danger" : ""}`, text: one.label });
    dialog.open(about ? `${one.label}: ${about}` : one.label, body, [dialog.cancel(), yes], async () => {
      const command = { do: one.do, ...given };
      for (const field of fields) Object.assign(command, field.read());
      const done = await act(command);
      if (!done.ok) throw new Trouble(done.text);
      if (CLOSING.includes(one.do)) {
        farewell = done.text;
        notice("closed");
        return;
      }
      dialog.close();
      tell(done);
      if (done.key) showLink(given.pupil);
    });
  },
};

async function submitDialog(event) {
  event.preventDefault();
  const submit = dialog.submit;
  if (!submit || dialog.busy) return;
  dialog.busy = true;
  try {
    say($("d-trouble"), "");
    await submit();
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    say($("d-trouble"), trouble.message);
  } finally {
    dialog.busy = false;
  }
}

function changePupil(id) {
  const pupil = pupilOf({ pupil: id });
  const choices = shownControls(["rename", "reseat", "newlink"]);
  const last = control(pupil.out ? "readmit" : "kick");
  const buttons = [...choices, ...(last ? [last] : [])].map((one) => {
    const button = el("button", { type: "button", onclick: () => one.on && run(one.do, { pupil: id }) });
    updateButton(button, one);
    return button;
  });
  const link = el("button", { type: "button", text: "Show this pupil's link", onclick: () => showLink(id) });
  dialog.open(pupil.name, [el("p", { text: `${placeWords(pupil)} · ${pupil.here ? "here" : "not here"}` }), el("div", { class: "choices" }, link, ...buttons)], [dialog.cancel("Close")]);
}

async function showLink(id) {
  const pupil = pupilOf({ pupil: id });
  const box = el("div", { class: "qr" });
  const trouble = el("p", { class: "warn", role: "alert" });
  const input = el("input", { readonly: true, "aria-label": "Link", onfocus: () => input.select() });
  dialog.open(pupil.name, [el("p", { text: "Whoever scans this sits on this pupil's seat. “A new link” makes it useless." }), box, input, trouble], [dialog.cancel("Close")]);
  try {
    const { slips } = await fetchedJson("host/slips");
    const slip = slips.find((one) => one.name === pupil.name);
    if (!slip) throw new Trouble("The server has no link for this pupil.");
    const link = `${joinBase()}#k=${slip.key}`;
    const [source] = await qrCodes([link]);
    box.replaceChildren(el("img", { src: source, alt: `QR code of ${pupil.name}'s link` }));
    input.value = link;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    say(trouble, error.message);
  }
}

/** Places at a table that have yet to hand in, from one on. */
function onPaper(table, firm) {
  const order = [...state.tables[table].firms.keys()];
  return [...order.slice(firm + 1), ...order.slice(0, firm)].filter((at) => {
    const place = state.tables[table].firms[at];
    return !place.in && !place.bot;
  });
}

/** A paper tally: units and prices, Enter to the next field, Enter on the last hands in. */
function keyIn(table, firm, rest = onPaper(table, firm)) {
  const place = state.tables[table].firms[firm];
  const one = control("paper");
  if (!one?.on || place.in) return;
  const turn = state.tables[table].turn;
  const group = (turn[1] === "buy" ? MATERIALS : GOODS).map((at) => SERIES[at]);
  const rows = group.map(({ key: name, name: word, ...series }) => {
    const [units, price] = ["units", "price, $"].map((what) =>
      el("input", { inputmode: "numeric", size: 5, autocomplete: "off", "aria-label": `${word}, ${what}` }));
    return { name, word, units, price, row: el("tr", {}, el("th", { scope: "row" }, markIcon({ key: name, ...series }), word), el("td", {}, units), el("td", {}, price)) };
  });
  const inputs = rows.flatMap(({ units, price }) => [units, price]);
  inputs.forEach((input, at) => input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || at === inputs.length - 1) return;
    event.preventDefault();
    inputs[at + 1].focus();
  }));
  const next = rest[0];
  const onward = el("input", { type: "checkbox", checked: paperOnward });
  const body = [
    el("p", { text: `${state.tables[table].name}, ${turnWords(turn)}. Leave a line empty to pass.` }),
    el("table", { class: "tally" }, el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col", text: "units" }), el("th", { scope: "col", text: "price, $" }))), el("tbody", {}, ...rows.map(({ row }) => row))),
  ];
  if (next != null) body.push(el("p", {}, el("label", {}, onward, ` Then go on with ${state.tables[table].firms[next].name}`)));
  dialog.open(`Tally of ${place.name}`, body, [dialog.cancel(), el("button", { class: "main", text: "Hand in" })], async () => {
    const bids = {};
    for (const { name, word, units, price } of rows) {
      const filled = [units, price].filter((input) => input.value.trim());
      if (filled.length === 1) throw new Trouble(`${word} has ${units.value.trim() ? "units and no price" : "a price and no units"}. Fill in both, or neither.`);
      if (filled.length) bids[name] = [whole(units.value, `${word}: units`), whole(price.value, `${word}: price`)];
    }
    const done = await act({ do: "paper", table, firm, bids });
    if (!done.ok) throw new Trouble(done.text);
    tell(done);
    paperOnward = onward.checked;
    dialog.close();
    if (next != null && paperOnward) keyIn(table, next, rest.slice(1));
  });
}

let paperOnward = true;

// -- slips and files -----------------------------------------------------------------------------

let downloaded = false;

async function download() {
  const said = $("c-downloading");
  say(said, "The server collects the files.");
  try {
    const answer = await fetched(`host/export.zip${$("c-pseudonyms").checked ? "?pseudonyms=1" : ""}`, {}, 120_000);
    if (!answer.ok) throw new Trouble("The server could not collect the files. Its own window says why.");
    const named = /filename="?([\w. -]+)"?/.exec(answer.headers.get("Content-Disposition") ?? "");
    const address = URL.createObjectURL(await answer.blob());
    el("a", { href: address, download: named?.[1] ?? "exdec-class.zip" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    downloaded = true;
    say(said, "Downloaded. It is in your browser's folder of downloads.");
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    say(said, trouble.message);
  }
}

async function showSlips() {
  try {
    const { slips } = await fetchedJson("host/slips");
    if (!slips.length) throw new Trouble("There are no pupils yet, so there are no slips.");
    const codes = await qrCodes(slips.map((slip) => `${joinBase()}#k=${slip.key}`));
    $("s-cards").replaceChildren(...slips.map((slip, at) => makeSlip(slip, codes[at])));
    say($("s-said"), `${count(slips.length, "slip")}, eight to a page.`);
    render();
    window.scrollTo(0, 0);
    $("s-print").focus();
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    tell({ ok: false, text: trouble.message });
  }
}

function makeSlip({ name, table }, source) {
  const address = el("span", { class: "address" });
  putAddress(address, typed(joinBase()));
  return el("li", {},
    el("img", { src: source, alt: `QR code of ${name}'s link` }),
    el("div", {}, el("strong", { text: name }), el("span", { text: table ? `${state.title}, ${table}` : state.title }),
      el("span", {}, "Scan the code: it opens your seat. Keep this slip."),
      address, el("span", {}, "Code ", el("b", { class: "code", text: state.code }))));
}

function hideSlips() {
  $("s-cards").replaceChildren();
  render();
  $("c-slips").focus();
}

// -- what people do ------------------------------------------------------------------------------

/** Before the game there are people and no tables; then somebody's own choice holds. */
let tabChosen = false;

function chooseTab(tab) {
  tabChosen = true;
  pickTab(tab);
}

function pickTab(tab) {
  for (const one of $("c-tabs").children) {
    const on = one === tab;
    one.setAttribute("aria-selected", String(on));
    one.tabIndex = on ? 0 : -1;
    show($(one.getAttribute("aria-controls")), on);
  }
}

function tabKey(event) {
  const tabs = [...$("c-tabs").children];
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = tabs.at(to % tabs.length);
  chooseTab(tab);
  tab.focus();
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

function hotKey(event) {
  wake();
  const typing = event.target.closest?.("input, select, textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !state) return;
  if (event.key.toLowerCase() === "p") go(view === "projector" ? "controls" : "projector");
  else if (event.key.toLowerCase() === "f" && view === "projector") toggleFull();
}

function listen() {
  for (const button of document.querySelectorAll("button[data-view]")) {
    button.addEventListener("click", () => go(button.dataset.view));
  }
  for (const choice of document.querySelectorAll("[data-theme-choice]")) {
    choice.addEventListener("change", () => setSetting("theme", choice.value));
  }
  $("p-who").addEventListener("change", (event) => setSetting("names", event.target.checked));
  $("p-full").addEventListener("click", toggleFull);
  $("p-table").addEventListener("change", (event) => {
    const at = Number(event.target.value);
    wire.wanted = at < 0 ? null : at;
    if (wire.socket?.readyState === WebSocket.OPEN) {
      wire.socket.send(JSON.stringify({ t: "show", table: wire.wanted }));
    }
    event.target.blur();
  });
  $("c-window").addEventListener("click", () => {
    const url = new URL(location.href);
    url.hash = new URLSearchParams({ k: key, view: "projector" });
    window.open(url, "_blank", "noopener");
  });
  $("c-say").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = $("c-say-text").value.trim();
    if (!text || !control("say")?.on) return;
    const done = await act({ do: "say", text });
    if (done.ok) $("c-say-text").value = "";
    tell(done);
  });
  $("c-seconds").addEventListener("input", () => ($("c-seconds").dataset.edited = "yes"));
  $("c-pace").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!control("seconds")?.on) return;
    try {
      tell(await act({ do: "seconds", seconds: whole($("c-seconds").value, "Seconds a step") }));
      delete $("c-seconds").dataset.edited;
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      tell({ ok: false, text: trouble.message });
    }
  });
  for (const tab of $("c-tabs").children) tab.addEventListener("click", () => chooseTab(tab));
  $("c-tabs").addEventListener("keydown", tabKey);
  pickTab($("tab-tables"));
  $("c-find").addEventListener("submit", (event) => event.preventDefault());
  $("c-filter").addEventListener("input", renderPeople);
  $("c-download").addEventListener("click", download);
  $("c-slips").addEventListener("click", showSlips);
  $("s-print").addEventListener("click", () => window.print());
  $("s-back").addEventListener("click", hideSlips);
  $("d-form").addEventListener("submit", submitDialog);
  $("notice-again").addEventListener("click", begin);
  document.addEventListener("keydown", hotKey);
  for (const moved of ["pointermove", "pointerdown", "focusin"]) document.addEventListener(moved, wake);
  window.addEventListener("hashchange", () => {
    readFragment();
    begin();
  });
  window.addEventListener("storage", readSettings);
  window.addEventListener("online", () => wire.down && begin());
  window.addEventListener("offline", () => checkLine(0));
  document.addEventListener("visibilitychange", () => {
    keepAwake();
    if (!document.hidden) checkLine();
  });
  document.addEventListener("fullscreenchange", () => {
    say($("p-full"), document.fullscreenElement ? "Leave full screen" : "Full screen");
  });
  window.addEventListener("resize", render);
  setInterval(tick, 250);
  setInterval(() => checkLine(), 5000);
}

readFragment();
view = stored(sessionStorage, "exdec-host-view") === "projector" ? "projector" : "controls";
readSettings();
listen();
begin();
