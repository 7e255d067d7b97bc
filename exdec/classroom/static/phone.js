// The pupil's page: its screens, the bid form, and what is kept on this phone.

import { Link, ask } from "./link.js";
import {
  ITEMS, advise, bidsText, ending, itemsOf, label, lastPrices, lineHint, priceSentence, readNumber,
  recipesText, report,
} from "./say.js";
import {
  WORDS, capital, change, dollars, language, list, monthName, signed, speak, t,
} from "./words.js";

const SCREENS = ["door", "lobby", "play"];
const SEATS_KEPT = 6;
const RESEND = 4e3;
const AGAIN = 700; // a tap that comes sooner is the second half of a double tap
const GLYPHS = { X: "●", F: "■", S: "◆", A: "▲", B: "✚", C: "★" };

// -- elements --------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);
const SVG = ["svg", "path", "text", "tspan"];

/**
 * Make an element: el("p.quiet", { id: "here" }, "text", [more, …]).
 *
 * This is the one way onto the page, and text is only ever the text of a node.
 */
function el(what, ...kids) {
  const [name, ...classes] = what.split(".");
  const space = `http://www.w3.org/${SVG.includes(name) ? "2000/svg" : "1999/xhtml"}`;
  const node = document.createElementNS(space, name);
  node.setAttribute("class", classes.join(" "));
  return fill(node, kids);
}

function fill(node, kids) {
  for (const kid of [kids].flat(5)) {
    if (kid === null || kid === undefined || kid === false) continue;
    if (kid.nodeType) node.appendChild(kid);
    else if (typeof kid !== "object") node.appendChild(document.createTextNode(kid));
    else for (const key of Object.keys(kid)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), kid[key]);
      else node.setAttribute(key, kid[key]);
    }
  }
  return node;
}

const button = (kind, text, onclick) => el(`button.${kind}`, { type: "button", onclick }, text);
const mark = (item) => el(`b.mark.${item}`, { "aria-hidden": "true" }, GLYPHS[item]);
const named = (item) => [mark(item), label(item)];

function table(title, heads, rows) {
  const scroll = { role: "region", tabindex: 0, "aria-label": title };
  return [el("h2", title), el("div.scroll", scroll, el("table",
    el("thead", el("tr", heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", rows.map(([kind, head, ...cells]) =>
      el(`tr.${kind}`, el("th", { scope: "row" }, head), cells.map((cell) => el("td", cell)))))))];
}

/** Build a part of the page anew, but only if what it shows has changed. */
const shown = {};
function part(id, facts, build) {
  const now = JSON.stringify([language(), facts]);
  if (shown[id] === now) return false;
  shown[id] = now;
  $(id).textContent = "";
  fill($(id), build());
  return true;
}

function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

/** Let a screen reader say something. */
function announce(text) {
  const line = $("said").appendChild(el("p", text));
  setTimeout(() => line.parentNode.removeChild(line), 8e3);
}

// -- what this phone keeps; where the browser keeps nothing, it lasts as long as the page ----------

const HOME = `exdec:${location.pathname}:`;
const shelf = {};

function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(HOME + name));
  } catch (_) {
    return shelf[name] || null;
  }
}

function keep(name, value) {
  shelf[name] = value;
  try {
    if (value === null) localStorage.removeItem(HOME + name);
    else localStorage.setItem(HOME + name, JSON.stringify(value));
  } catch (_) { /* It stays on the shelf. */ }
}

const seats = () => kept("seats") || [];
const own = (name) => `${key}/${name}`;

function keepSeats(wanted) {
  keep("seats", wanted.slice(0, SEATS_KEPT));
  for (const old of wanted.slice(SEATS_KEPT)) {
    for (const name of ["draft", "outbox", "receipt", "news"]) keep(`${old.key}/${name}`, null);
  }
}

const random = () => [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-");

// -- the state of the page -------------------------------------------------------------------------

const PAGE = random(); // to know this page's own drafts
let key = ""; // the seat's secret
let link = null;
let view = null; // what the server has sent of the seat
let visit = 0; // what was begun for an earlier address is dropped
let enter = () => {}; // draws the screen before a seat again
let trouble = "";
let notices = [];
let deadline = null;
let reached = 99; // seconds left when last looked
let outbox = null; // a bid or a change without a receipt; `since` is when it was handed in
let sentAt = 0;
let turn = null; // the step that the form is for
let turnedAt = 0;
let doubt = 0; // when the form asked for a second tap
let unsure = false; // whether the server may not have what is typed
let timer = 0;
let warned = "";

const same = (one, other) => !!one && !!other && one[0] === other[0] && one[1] === other[1];
const stepWords = ([month, step]) => ({ month: capital(monthName(month)), step: t(step) });

function show(name) {
  if (!$(name).hidden && name !== "door") return;
  SCREENS.forEach((one) => ($(one).hidden = one !== name));
  $("head").hidden = name !== "play";
  $("seat").hidden = name === "door";
  $("seat").open = name === "lobby";
  $("address").value = location.href;
  scrollTo(0, 0);
  const heading = $(name).querySelector("h1");
  if (heading) heading.focus();
}

function setTrouble(name) {
  trouble = name && (navigator.onLine ? name : "offline");
  write("trouble", trouble && t(trouble));
}

// -- the way to a seat -----------------------------------------------------------------------------

/** The address says what to do: #k= is a seat, #c= a class's code. */
function begin() {
  visit += 1;
  if (link) link.stop();
  link = view = outbox = turn = deadline = null;
  notices = [];
  const parts = new URLSearchParams(location.hash.slice(1));
  key = parts.get("k");
  if (key) sit();
  else if (parts.get("c")) look(parts.get("c"));
  else askCode("");
}

function go(fragment) {
  history.replaceState(null, "", `#${fragment}`);
  begin();
}

/** Ask until the class answers; null if the page has gone on to something else. */
async function insist(message) {
  const here = visit;
  for (let wait = 500; ; wait = Math.min(8e3, wait * 2)) {
    const [answer] = await ask(message).catch(() => [null]);
    if (here !== visit) return null;
    setTrouble(!answer ? "silent" : answer.why === "busy" ? "busy" : "");
    if (!trouble) return answer;
    await new Promise((done) => setTimeout(done, wait * (0.5 + Math.random())));
  }
}

/** Draw a screen before a seat, and again when the language changes. */
function door(title, ...kids) {
  enter = () => {
    const typed = $("typed") ? $("typed").value : "";
    $("door").textContent = "";
    fill($("door"), [el("h1", { tabindex: -1 }, title()), ...kids.map((kid) => kid())]);
    if ($("typed") && typed) $("typed").value = typed;
  };
  enter();
  show("door");
}

function form(name, length, submit, wrong, value) {
  const onsubmit = (event) => {
    event.preventDefault();
    const text = $("typed").value.trim();
    if (text) submit(text);
    else write("refused", t(wrong));
  };
  return el("form", { onsubmit, autocomplete: "off" }, el("label", { for: "typed" }, t(name)),
    el("input", { id: "typed", maxlength: length, value, autocorrect: "off", spellcheck: "false" }),
    el("p.warn", { id: "refused", role: "alert" }), el("button.main", { id: "go" }, t("goOn")));
}

const offer = (some) => some.slice(0, 3).map((seat) =>
  button("main", t("goOnAs", seat), () => go(`k=${seat.key}`)));

function askCode(wrong, value = "") {
  setTrouble("");
  door(() => t("enter"), () => offer(seats()),
    () => form("code", 12, (code) => go(`c=${encodeURIComponent(code)}`), "codeWrong", value));
  if (wrong) write("refused", t(wrong));
}

async function look(typed) {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  const answer = await insist({ t: "look", code });
  if (!answer) return;
  if (answer.t !== "class") {
    askCode("codeWrong", typed);
    return;
  }
  const name = () => {
    const whole = form("name", 24, (text) => join(code, text), "nameWrong", "");
    const named = ({ target }) => write("go", t("joinAs", { name: target.value.trim() || "…" }));
    whole.addEventListener("input", named);
    whole.querySelector("button").textContent = t("joinAs", { name: "…" });
    return whole;
  };
  door(() => answer.title, () => el("p", answer.started && t("started")),
    () => offer(seats().filter((seat) => seat.code === code)),
    () => (answer.joining ? name() : el("p.warn", t("locked"))));
}

async function join(code, name) {
  // The same number gets the same seat, so it is kept before it is sent.
  const once = kept(`once/${code}`) || random();
  keep(`once/${code}`, once);
  $("go").disabled = true;
  const answer = await insist({ t: "join", code, name, once });
  if (!answer) return;
  $("go").disabled = false;
  if (answer.t === "joined") {
    keep(`once/${code}`, null);
    keepSeats([{ key: answer.key, name: answer.name, code }, ...seats()]);
    go(`k=${answer.key}`);
  } else {
    const known = { locked: "locked", full: "full", code: "codeWrong" };
    write("refused", t(known[answer.why] || "nameWrong"));
  }
}

function sit() {
  outbox = kept(own("outbox"));
  link = new Link(key, {
    hello: (asking) => ({ t: "hello", ...(asking && view ? { since: view.v } : {}) }),
    hear,
    changed: (up) => {
      setTrouble(up ? "" : "silent");
      render();
    },
  });
}

function leave(why) {
  link.stop();
  view = null;
  if (why === "revoked") keepSeats(seats().filter((seat) => seat.key !== key));
  door(() => t(why), () => button("plain", t("enter"), () => go("")));
}

// -- what the server says --------------------------------------------------------------------------

function hear(message) {
  const { t: kind, posting, result, ...fields } = message;
  if (kind === "receipt") receive(message);
  else if (kind === "pong") unsure = false;
  else if (kind === "gone") leave("gone");
  else if (kind === "no" && message.why === "key") leave("revoked");
  else if (kind === "view" || (view && (kind === "update" || kind === "same"))) {
    const before = view;
    view = kind === "view" ? fields : { ...view, ...fields };
    if (posting) view.postings = view.postings.concat(posting);
    if (result) view.results = view.results.concat(result);
    if ("left" in fields) deadline = fields.left === null ? null : Date.now() + fields.left * 1e3;
    changed(before, kind === "view");
  }
}

function changed(before, whole) {
  const settled = before && view.postings.length > before.postings.length;
  if (!same(view.turn, turn) || (view.table && !before.table)) turnOver(settled);
  else if (before && before.sealed && !view.sealed) typeIn(before.sealed.bids); // to be changed
  else if (!unsure && view.draft && view.draft.by !== PAGE) typeIn(view.draft.text);
  hearNews();
  render();
  if (settled) showReport();
  if (whole && unsure) sendDraft();
  if (whole && outbox) deliver();
}

/** Show the news since this phone looked last; at first, only what the instructor wrote. */
function hearNews() {
  const seen = kept(own("news"));
  for (const { n, what, text } of view.news) {
    const known = `${what}News`;
    if (n > seen && known in WORDS.en && (seen !== null || what === "message")) {
      notices.push(() => t(known, { text }));
    }
  }
  keep(own("news"), Math.max(seen, 0, ...view.news.map(({ n }) => n)));
}

// -- handing in ------------------------------------------------------------------------------------

/** Keep a bid or a change, then send it until there is a receipt. */
function post(message) {
  outbox = { ...message, turn, id: random(), since: Date.now() };
  keep(own("outbox"), outbox);
  deliver();
  render();
  $("state").focus();
}

function deliver() {
  const { since, ...message } = outbox;
  sentAt = Date.now();
  link.send(message);
}

function receive({ id, ok, why, n, text }) {
  // A server that is busy, or whose disk is full, has taken nothing: it is asked again.
  if (!outbox || outbox.id !== id || why === "busy" || why === "disk") return;
  const { bids, turn: step } = outbox;
  const now = same(step, view.turn);
  outbox = null;
  keep(own("outbox"), null);
  if (ok && bids) {
    keep(own("receipt"), { id, n });
    if (now) view.sealed = { id, bids, turn };
    announce(`${t("sealed")}. ${t("receipt", { n })}`);
  } else if (ok && now && view.sealed) {
    typeIn(view.sealed.bids);
    view.sealed = null;
  } else if (!ok) {
    const said = () => (why === "late" ? t("late", stepWords(step)) : t("refused", { text }));
    const typed = bids && bidsText(bids);
    if (now) complain(said());
    else notices.push(() => `${said()} ${typed ? t("typed", { bids: typed }) : ""}`);
  }
  render();
  if (ok && !bids && formOpen()) field(0, 0).focus();
}

// -- the form --------------------------------------------------------------------------------------

const items = () => itemsOf(turn[1]);
const field = (at, column) => $(`f${at}${column}`);
const line = (at) => [field(at, 0).value, field(at, 1).value];
const formOpen = () => !$("bids").hidden;
const byItem = (values) => items().reduce((all, item, at) => ({ ...all, [item]: values[at] }), {});
const typedText = () => byItem(items().map((_, at) => line(at)));

/** Put text into the fields, but not into the one that is being typed in. */
function typeIn(text) {
  items().forEach((item, at) => (text[item] || [""]).forEach((value, column) => {
    if (field(at, column) !== document.activeElement) field(at, column).value = value;
  }));
  weigh();
}

/** Turn the form over to the step that is asked for now. */
function turnOver(settled) {
  if (settled && formOpen()) {
    const words = turn;
    const bids = bidsText(byItem(read().bids));
    if (bids) notices.push(() => `${t("closed", stepWords(words))} ${t("typed", { bids })}`);
  }
  turn = view.turn;
  unsure = false;
  doubt = 0;
  turnedAt = Date.now();
  write("wrong", "");
  if (turn[1] === "over" || !view.table) return;
  buildLines();
  // The price that this seat bid last; where it did not bid, the one posted last.
  const last = view.results.filter(({ s }) => s === turn[1]).pop();
  lastPrices(view, turn[1]).forEach((price, at) => {
    field(at, 1).value = last && last.lines[at][0] ? last.lines[at][1] : price;
  });
  const draft = kept(own("draft"));
  unsure = !!draft && same(draft.turn, turn);
  if (unsure) typeIn(draft.text);
  else if (view.draft && same(view.draft.turn, turn)) typeIn(view.draft.text);
}

function buildLines() {
  const stepper = (at, by) => fill(button("step", by > 0 ? "+" : "−", () => {
    const n = Number(field(at, 0).value.replace(/\D/g, "")) + by;
    field(at, 0).value = n > 0 ? n : "";
    onTyped();
  }), { "aria-label": t(by > 0 ? "more" : "less", { item: label(items()[at]) }) });
  const input = (at, column) => el("input", {
    id: `f${at}${column}`, inputmode: "numeric", maxlength: 12, placeholder: column ? "" : 0,
    "aria-label": t(column ? "price" : "units", { item: label(items()[at]) }),
    "aria-describedby": `hint${at}`,
    oninput: onTyped,
    onfocus: ({ target }) => target.select(),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // only the button hands in
      (field(at + column, 1 - column) || $("bids").lastElementChild).focus();
    },
  });
  $("lines").textContent = "";
  fill($("lines"), items().map((item, at) => el("div.line",
    el("p", named(item), el("span.amount", { id: `amount${at}` })),
    el("span", stepper(at, -1), input(at, 0), stepper(at, 1)), " ",
    el("span", t("at"), input(at, 1)), el("p.quiet", { id: `hint${at}` }))));
}

function onTyped() {
  doubt = 0;
  write("wrong", "");
  unsure = true;
  keep(own("draft"), { turn, text: typedText() });
  weigh();
  // Neither sent nor read out at every keystroke.
  clearTimeout(timer);
  timer = setTimeout(sendDraft, 400);
}

function sendDraft() {
  if (!formOpen()) return;
  link.send({ t: "draft", turn, text: typedText(), by: PAGE });
  link.send({ t: "ping" }); // its answer tells that the draft has come
  const { bids, wrong } = read();
  const warning = [...wrong, ...advise(view, bids)].filter((one) => one.warns).map((one) => one.text).join(" ");
  if (warning !== warned) announce(warning);
  warned = warning;
}

/** Read the form: bids, each [units, price]; and what is wrong with which line. */
function read() {
  const wrong = [];
  const bids = items().map((item, at) => {
    const name = { item: label(item) };
    try {
      const [n, price] = line(at).map((text, column) => readNumber(t(column ? "price" : "units", name), text));
      if (n && !price) throw t("noPrice", { ...name, n });
      return [n, price];
    } catch (text) {
      if (typeof text !== "string") throw text;
      wrong.push({ at, text, warns: true, bars: true });
      return [0, 0];
    }
  });
  return { bids, wrong };
}

/** Show amounts, hints and advice; or, in place of advice, what cannot be read. */
function weigh() {
  if (!formOpen()) return;
  const { bids, wrong } = read();
  bids.forEach(([n, price], at) => {
    write(`amount${at}`, dollars(n * price));
    write(`hint${at}`, lineHint(view, bids, at));
  });
  const units = bids.reduce((all, [n]) => all + n, 0);
  const amount = bids.reduce((all, [n, price]) => all + n * price, 0);
  const left = { n: Math.max(0, view.rules.order - units), cash: dollars(view.cash - amount) };
  part("total", [turn, amount, left], () => [
    el("strong", t("total", { amount: dollars(amount) })), turn[1] === "buy" && ` · ${t("left", left)}`]);
  const said = wrong.length ? wrong : advise(view, bids);
  part("advice", said, () => said.map(({ text, warns }) => el(warns ? "li.warn" : "li", text)));
}

function complain(text) {
  write("wrong", "");
  write("wrong", text);
}

function handIn(event) {
  event.preventDefault();
  if (outbox || !formOpen() || Date.now() - turnedAt < AGAIN) return;
  const { bids, wrong } = read();
  const advice = wrong.length ? wrong : advise(view, bids);
  const bar = advice.find((one) => one.bars);
  const empty = !bids.some(([n]) => n);
  if (view.phase === "paused") complain(t("stopped"));
  else if (bar) {
    complain(bar.text);
    field(bar.at || 0, 0).focus();
  } else if (!doubt && (empty || advice.some((one) => one.grave))) {
    complain(t(empty ? "pass" : "risk"));
    doubt = Date.now();
  } else if (Date.now() - doubt > AGAIN) {
    clearTimeout(timer);
    keep(own("draft"), null);
    write("wrong", "");
    const all = byItem(bids);
    items().forEach((item) => all[item][0] || delete all[item]);
    post({ t: "bid", bids: all });
  }
}

// -- the screens of a seat -------------------------------------------------------------------------

function render() {
  if (!view) return;
  const { title, you: { name }, lobby, phase } = view;
  document.title = title;
  if (!seats().some((seat) => seat.key === key)) {
    if (enter.of === key) return;
    door(() => t("youAre", { name }), () => el("p", title),
      () => button("main", t("mine"), () => {
        keepSeats([{ key, name }, ...seats()]);
        render();
      }),
      () => button("plain", t("notMine"), () => go("")));
    enter.of = key;
  } else if (view.table) {
    show("play");
    renderTable();
  } else {
    write("hello", t("youAre", { name }));
    write("here", phase === "lobby" ? t("here", { n: lobby.here }) : t("unseated"));
    const recipes = recipesText([[2, 1, 0], [1, 1, 1], [0, 1, 2]]);
    part("rules", 0, () => [1, 2, 3, 4, 5].map((n) => el("li", t(`rule${n}`, { recipes }))));
    show("lobby");
  }
}

function renderTable() {
  const { you, cash, held, postings, results, final, table: { firms }, months, phase } = view;
  const { month, step } = stepWords(turn);
  write("title", view.title);
  part("where", [turn, months], () => (turn[1] === "over" ? t("over", { month })
    : [`${month} · ${step} `, el("small", t("of", { m: turn[0], months }))]));
  part("purse", [cash, held, final], () => [
    t(final ? "profit" : "cash"), " ", el("strong", dollars(final ? final.profit[you.seat] : cash)),
    held.map((n, at) => el("span", named(ITEMS[at]), " ", el("strong", n)))]);
  part("news", notices.map((notice) => notice()), () => notices.map((notice) => el("div.notice", { role: "status" },
    el("p", notice()), button("plain", t("ok"), () => {
      notices = notices.filter((one) => one !== notice);
      render();
    }))));

  const sealed = view.sealed && same(view.sealed.turn, turn) ? view.sealed : null;
  const playing = phase !== "over" && phase !== "wait" && !you.bot;
  $("bids").hidden = !playing || !!sealed || !!outbox;
  renderState(playing, sealed);
  weigh();
  part("others", [you, firms, playing], () => others(playing));
  tick();
  part("report", [postings, results], lastReport);
  // What has just happened comes before the form; once a bid is in, the form's place is first.
  const first = $(formOpen() ? "report" : "step");
  if (first.previousElementSibling !== $("news")) $("now").insertBefore(first, $("news").nextSibling);

  part("standings", view.standings, () => view.standings && standings());
  part("chart", [postings, $("chart").clientWidth], chart);
  if (part("board", [postings, turn], board)) $("board").lastChild.scrollLeft = 9e3;
  part("firms", [firms, postings, you.seat], firmsPart);
  part("tally", [postings, results], tally);
}

function renderState(playing, sealed) {
  const { you, phase, final } = view;
  const waiting = !!outbox && (!!trouble || Date.now() - outbox.since > 2500);
  const { id, n } = kept(own("receipt")) || {};
  part("state", [playing, sealed, outbox, waiting, n, you, phase, final], () => {
    if (phase === "over") return final && end();
    if (you.bot) return [el("p", t("bot", you)), button("main", t("takeBack"), () => link.send({ t: "back" }))];
    if (!playing) return el("p", t("wait"));
    if (outbox) {
      return el("div.slip", el("h2", t("sending")), waiting && el("p.warn", t("unsent")),
        el("p", outbox.bids && bidsText(outbox.bids)));
    }
    if (sealed) {
      return el("div.slip", el("h2", t("sealed"), id === sealed.id && el("small", ` ${t("receipt", { n })}`)),
        el("p", bidsText(sealed.bids) || t("passed")),
        button("plain", t("change"), () => outbox || post({ t: "change" })));
    }
    return phase === "paused" && el("p.warn", t("stopped"));
  });
}

/** Who has handed in; never what. */
function others(playing) {
  const { you: { mates, seat }, table: { firms } } = view;
  const say = (key, names) => names.length > 0 && `${t(key, { names: list(names, t("and")) })} `;
  const people = firms.filter((firm) => playing && !firm.bot);
  const called = (some) => some.map((firm) => (firm.here ? firm.name : t("away", firm)));
  return [say("mates", mates), say("areIn", called(people.filter((firm) => firm.in))),
    say("waitingFor", called(people.filter((firm) => !firm.in && firm !== firms[seat])))];
}

const resultOf = ({ m, s }) => view.results.find((one) => one.m === m && one.s === s);

function lastReport() {
  const posting = view.postings[view.postings.length - 1];
  if (!posting) return [];
  const { title, lines, result } = report(posting, resultOf(posting));
  return [el("h2", { id: "reportTitle" }, title), el("ul", lines.map((text, at) =>
    el("li", mark(itemsOf(posting.s)[at]), text))), el("p", el("strong", result))];
}

/** A step has just been settled: it is seen and read out at once. */
function showReport() {
  const texts = $("report").querySelectorAll("h2, li, p");
  announce([...texts].map((one) => one.textContent.replace(/^[●■◆▲✚★]/, "")).join(" "));
  scrollTo(0, 0);
  $(turn[1] === "over" ? "state" : "report").focus({ preventScroll: true });
}

// -- tables ----------------------------------------------------------------------------------------

const yours = (yes) => (yes ? "mine" : "");
const short = (month) => (month ? capital(monthName(month)).slice(0, 3) : t("opening"));

function end() {
  const { final: { profit, liquidation, winners }, table: { firms }, you: { seat } } = view;
  const order = firms.map((_, at) => at).sort((a, b) => profit[b] - profit[a]);
  const wins = ` · ${t(winners.length > 1 ? "shares" : "wins")}`;
  return [el("div.slip", el("h2", t("end")), el("p", ending(view))),
    table(t("profit"), [t("firm"), t("theBroker"), t("profit")], order.map((at) => [yours(at === seat),
      [firms[at].name, winners.includes(at) && el("small", wins)], dollars(liquidation[at]), change(profit[at])]))];
}

const standings = () => table(t("standings"), [t("firm"), t("place"), t("table"), t("profit")],
  view.standings.map((one) => [yours(one.you), one.name, one.rank, one.table, change(one.profit)]));

/** Each item's posted prices, from Opening on. */
const priceLines = () => ITEMS.map((item, at) => [view.opening[at], ...view.postings
  .filter(({ s }) => itemsOf(s).includes(item)).map(({ prices }) => prices[at % 3])]);

function board() {
  const months = Array.from({ length: turn[0] + 1 }, (_, month) => month);
  const rows = priceLines().map((line, at) => ["", named(ITEMS[at]), ...months.map((month) => {
    const moved = line[month] - line[month - 1];
    const arrow = moved > 0 ? "▲" : moved < 0 ? "▼" : "";
    const lowest = month && line[month] === view.rules.floors[at < 3 ? 0 : 1];
    return [line[month], moved === moved && el("small", arrow, signed(moved)), lowest && el("small", t("lowest"))];
  })]);
  return table(t("board"), ["", ...months.map(short)], rows);
}

/** What lies open of every firm: certificates, units announced, and what the rules reveal. */
function firmsPart() {
  const { table: { firms }, postings, you: { seat } } = view;
  const { s, held, announced, cash, bids } = postings[postings.length - 1] || {};
  const units = (counts, step) => itemsOf(step).map((item, at) => [el("span", `${item} ${counts[at]}`), " "]);
  const open = (lines) => itemsOf(s).reduce((all, item, at) => ({ ...all, [item]: lines[at] }), {});
  return table(t("firms"), [t("firm"), t("holds"), t("announced")], firms.map(({ name, bot }, at) => [yours(at === seat),
    [name, at === seat && el("small", t("you")), bot && el("small", `bot: ${bot}`),
      cash && el("small", `${t("cash")} ${dollars(cash[at])}`)],
    units(held ? held[at] : [0, 0, 0], "buy"),
    s ? [units(announced[at], s), bids && el("small", bidsText(open(bids[at])))] : "–"]));
}

/** The own Tally sheet as units@price, the latest first; what came to nothing is struck through. */
function tally() {
  const rows = view.results.map(({ m, s, lines, money, cash, held }) => ["",
    `${short(m)} ${t(s)}`, ...lines.map(([n, price, , filled], at) => n > 0 && [mark(itemsOf(s)[at]),
      el(filled ? "span" : "s", `${n}@${price}`), filled > 0 && filled < n && el("small", `${filled}/${n}`)]),
    dollars(money), dollars(cash), held.join(" · ")]);
  const heads = [t("step"), "", t("tallyKey"), "", t("amount"), t("cash"), t("holds")];
  return rows.length > 0 && table(t("tally"), heads, rows.reverse());
}

// -- the chart -------------------------------------------------------------------------------------

const DASHES = ["none", "7 4", "2 4"];
const MARKERS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5l5 5l-5 5l-5-5z", "M0-5l5 9h-10z",
  "M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z", "M0-6l2 4h4l-3 3l1 4l-4-2l-4 2l1-4l-3-3h4z",
];

/** Six lines, goods above materials; a dollar is as high in both, so that movements compare. */
function chart() {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = Math.max(240, $("chart").clientWidth);
  const right = width - 6 * em;
  const lines = priceLines();
  const months = Math.max(3, ...lines.map((line) => line.length - 1));
  const x = (month) => 2.5 * em + (month / months) * (right - 2.5 * em);
  const panels = [[3, 4, 5], [0, 1, 2]].map((some) => {
    const all = some.map((at) => lines[at]).flat();
    return { some, low: Math.min(...all), high: Math.max(...all, Math.min(...all) + 10) };
  });
  const dollar = (15 * em) / panels.reduce((sum, { low, high }) => sum + high - low, 0);
  const gap = [5, 10, 20, 50, 100].find((n) => n * dollar > 1.5 * em) || 200;
  const parts = [];
  let top = em;
  for (const { some, low, high } of panels) {
    const y = (price) => top + (high - price) * dollar;
    for (let price = Math.ceil(low / gap) * gap; price <= high; price += gap) {
      parts.push(el("path.grid", { d: `M${2 * em} ${y(price)}H${right}` }),
        el("text.end", { x: 1.8 * em, y: y(price) + em / 4 }, dollars(price)));
    }
    const last = some.map((at) => lines[at][lines[at].length - 1]);
    const places = apart(last.map(y), 0.9 * em);
    some.forEach((at, i) => {
      const points = lines[at].map((price, month) => `${x(month)} ${y(price)}`);
      parts.push(el(`path.trace.${ITEMS[at]}`, { "stroke-dasharray": DASHES[i], d: `M${points.join("L")}` }),
        points.map((point) => el(`path.dot.${ITEMS[at]}`, { d: MARKERS[at], transform: `translate(${point})` })),
        el("text", { x: x(lines[at].length - 1) + 10, y: places[i] + em / 4 }, label(ITEMS[at]), " ",
          el("tspan", dollars(last[i]))));
    });
    top += (high - low) * dollar + 2 * em;
  }
  const every = Math.ceil((months * 2.5 * em) / (right - 2 * em));
  for (let month = 0; month <= months; month += every) {
    parts.push(el("text.middle", { x: x(month), y: top }, short(month)));
  }
  const height = top + em / 2;
  return [el("h2", t("chart")),
    el("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-labelledby": "sentence" }, parts),
    el("p.quiet", { id: "sentence" }, priceSentence(view))];
}

/** Move labels up or down so that none covers another. */
function apart(places, height) {
  const order = places.map((_, at) => at).sort((a, b) => places[a] - places[b]);
  const [up, down] = [places.slice(), places.slice()];
  order.forEach((at, i) => i && (down[at] = Math.max(down[at], down[order[i - 1]] + height)));
  order.reverse().forEach((at, i) => i && (up[at] = Math.min(up[at], up[order[i - 1]] - height)));
  return places.map((_, at) => (up[at] + down[at]) / 2);
}

// -- the clock, the language, and the start --------------------------------------------------------

function tick() {
  if (!view) return;
  const left = deadline === null ? 99 : Math.max(0, Math.ceil((deadline - Date.now()) / 1e3));
  const time = left < 60 ? `${left} s` : `${Math.floor(left / 60)}:${`0${left % 60}`.slice(-2)}`;
  const running = deadline === null ? "" : left ? t("timeLeft", { time }) : t("timeUp");
  write("clock", view.phase === "paused" ? t("paused") : running);
  const asked = formOpen() && view.phase === "open" && left > 0;
  $("clock").className = asked && left <= 30 ? "warn" : "";
  for (const mark of [30, 10]) if (asked && left <= mark && reached > mark) announce(running);
  reached = left;
  if (!outbox) return;
  if (Date.now() - sentAt > RESEND) deliver();
  if (view.table) renderState(true, null);
}

function relabel() {
  document.documentElement.lang = language();
  document.querySelectorAll("[data-t]").forEach((node) => (node.textContent = t(node.dataset.t)));
  write("trouble", trouble && t(trouble));
  if (!$("door").hidden) enter();
  if (turn && field(0, 0)) {
    const text = typedText();
    buildLines();
    typeIn(text);
  }
  render();
}

speak([kept("language"), ...navigator.languages]);
fill($("language"), Object.keys(WORDS).map((one) => el("option", { value: one, lang: one }, WORDS[one].tongue)));
$("language").value = language();
$("language").onchange = ({ target }) => {
  keep("language", target.value);
  speak([target.value]);
  relabel();
};
$("copy").onclick = () => {
  // The Clipboard API is for HTTPS only, and a classroom's own network has none.
  $("address").select();
  if (document.execCommand("copy")) write("copied", t("copied"));
};
$("bids").onsubmit = handIn;
addEventListener("hashchange", begin);
addEventListener("resize", render);
setInterval(tick, 1e3);
relabel();
begin();
