// The pupil's page: its screens, the bid form, and what is kept on this phone.

import { Link, ask } from "./link.js";
import {
  ITEMS, advise, bidsText, ending, itemsOf, label, lastPrices, lineHint, priceSentence, readNumber,
  recipesText, report,
} from "./say.js";
import { WORDS, capital, change, dollars, language, list, monthName, signed, speak, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const SCREENS = ["loading", "enter", "join", "confirm", "closed", "lobby", "play"];
const GLYPHS = { X: "●", F: "■", S: "◆", A: "▲", B: "✚", C: "★" };
const SEATS_KEPT = 6;
const RESEND = 4e3;
const AGAIN = 700; // a tap that comes sooner is the second half of a double tap

// -- elements --------------------------------------------------------------------------------------

const SVG = ["svg", "path", "text", "tspan"];

/**
 * Make an element: el("p.quiet.small", { id: "here" }, "text", [more, …]).
 *
 * This is the one way of anything onto the page: text is only ever the text of a node.
 */
function el(what, ...kids) {
  const [name, ...classes] = what.split(".");
  const space = `http://www.w3.org/${SVG.includes(name) ? "2000/svg" : "1999/xhtml"}`;
  const node = document.createElementNS(space, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return fill(node, kids);
}

function fill(node, kids) {
  for (const kid of [kids].flat(4)) {
    if (kid === null || kid === undefined || kid === false || kid === "") continue;
    if (kid.nodeType) node.appendChild(kid);
    else if (typeof kid !== "object") node.appendChild(document.createTextNode(kid));
    else for (const key of Object.keys(kid)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), kid[key]);
      else node.setAttribute(key, kid[key]);
    }
  }
  return node;
}

const button = (kind, text, onclick, more = {}) => el(`button.${kind}`, { type: "button", onclick }, more, text);
const named = (item) => [el(`b.mark.${item}`, { "aria-hidden": "true" }, GLYPHS[item]), label(item)];

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
  setTimeout(() => $("said").removeChild(line), 8e3);
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
const seated = () => seats().some((seat) => seat.key === key);
const own = (name) => `${key}/${name}`;

function keepSeats(wanted) {
  wanted.slice(SEATS_KEPT).forEach(forget);
  keep("seats", wanted.slice(0, SEATS_KEPT));
}

function forget(seat) {
  for (const name of ["draft", "outbox", "receipt", "news"]) keep(`${seat.key}/${name}`, null);
}

const random = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((n) => (n + 256).toString(16).slice(1)).join("");

// -- the state of the page -------------------------------------------------------------------------

let key = ""; // the seat's secret
let code = "";
let link = null;
let view = null; // what the server has sent of the seat
let screen = "";
let visit = 0; // what was begun for an earlier address is dropped
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
let draftTimer = 0;
let warnTimer = 0;
let warned = "";

const same = (one, other) => !!one && !!other && one[0] === other[0] && one[1] === other[1];

function show(name) {
  if (screen === name) return;
  screen = name;
  SCREENS.forEach((one) => ($(one).hidden = one !== name));
  $("head").hidden = name !== "play";
  $("seat").hidden = name !== "play" && name !== "lobby";
  $("seat").open = name === "lobby";
  $("address").value = location.href;
  scrollTo(0, 0);
  const heading = $(name).querySelector("h1[tabindex]");
  if (heading) heading.focus();
}

function setTrouble(name) {
  trouble = name && (navigator.onLine ? name : "offline");
  write("trouble", trouble && t(trouble));
}

// -- coming in -------------------------------------------------------------------------------------

/** The address says what to do: #k= is a seat, #c= a class's code. */
function begin() {
  visit += 1;
  if (link) link.stop();
  link = view = outbox = turn = deadline = null;
  notices = [];
  setTrouble("");
  const parts = new URLSearchParams(location.hash.slice(1));
  key = parts.get("k");
  if (key) sit();
  else if (parts.get("c")) look(parts.get("c"));
  else enter("");
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

const offerSeats = (some) => some.slice(0, 3).map((seat) =>
  button("main", t("goOnAs", seat), () => go(`k=${seat.key}`)));

function enter(wrong) {
  part("again", seats(), () => offerSeats(seats()));
  write("codeWrong", wrong);
  show("enter");
}

async function look(wanted) {
  code = wanted.replace(/[\s-]/g, "").toUpperCase();
  const answer = await insist({ t: "look", code });
  if (!answer) return;
  if (answer.t !== "class") {
    $("code").value = wanted;
    enter(t("codeWrong"));
    return;
  }
  write("title", (document.title = answer.title));
  write("started", answer.started ? t("started") : "");
  write("nameWrong", answer.joining ? "" : t("locked"));
  part("joinAgain", [code, seats()], () => offerSeats(seats().filter((seat) => seat.code === code)));
  show("join");
}

function nameTyped() {
  const name = $("name").value.trim();
  write("joinButton", name ? t("joinAs", { name }) : t("join"));
}

async function join() {
  const name = $("name").value.trim();
  if (!name) {
    write("nameWrong", t("nameWrong"));
    $("name").focus();
    return;
  }
  // The same number gets the same seat, so it is kept before it is sent.
  const once = kept(`once/${code}`) || random();
  keep(`once/${code}`, once);
  write("nameWrong", "");
  $("joinButton").disabled = true;
  const answer = await insist({ t: "join", code, name, once });
  $("joinButton").disabled = false;
  if (!answer) return;
  if (answer.t !== "joined") {
    const texts = { locked: "locked", full: "full", code: "codeWrong" };
    write("nameWrong", t(texts[answer.why] || "nameWrong"));
    return;
  }
  keep(`once/${code}`, null);
  keepSeats([{ key: answer.key, name: answer.name, code }, ...seats()]);
  go(`k=${answer.key}`);
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
  setTrouble("");
  if (why === "revoked") {
    forget({ key });
    keepSeats(seats().filter((seat) => seat.key !== key));
  }
  write("closedWhy", t(why));
  write("closedHelp", t(`${why}Help`));
  show("closed");
}

// -- what the server says --------------------------------------------------------------------------

function hear(message) {
  const { t: kind, posting, result, ...fields } = message;
  if (kind === "receipt") receive(message);
  else if (kind === "draft" && same(message.turn, turn)) typeIn(message.text);
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
  if (!same(view.turn, turn)) turnOver(before);
  else if (before && before.sealed && !view.sealed) typeIn(asTyped(before.sealed.bids)); // to change
  else if (whole && !unsure && view.draft) typeIn(view.draft.text);
  hearNews();
  render();
  if (before && view.postings.length > before.postings.length) showReport();
  if (!whole) return;
  if (unsure) sendDraft();
  if (outbox) deliver();
}

/** Show news that this phone has not shown; whoever comes in later is told messages only. */
function hearNews() {
  const seen = kept(own("news"));
  view.news.forEach(({ n, what, text }) => {
    if (n <= seen || (seen === null && what !== "message") || notices.some((one) => one.n === n)) return;
    const known = `${what}News` in WORDS.en ? `${what}News` : "otherNews";
    notices.push({ n, text: t(known, { text }) });
  });
  if (seen === null) keep(own("news"), 0);
  const old = view.news.filter(({ n }) => !notices.some((one) => one.n === n)).map(({ n }) => n);
  if (!notices.length && old.length) keep(own("news"), Math.max(...old));
}

function dismiss(notice) {
  notices = notices.filter((one) => one !== notice);
  if (notice.n) keep(own("news"), Math.max(notice.n, kept(own("news"))));
  render();
}

// -- handing in ------------------------------------------------------------------------------------

/** Keep a bid or a change, then send it until there is a receipt. */
function post(message) {
  outbox = { ...message, id: random(), since: Date.now() };
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
  const sent = outbox;
  const now = same(sent.turn, view.turn);
  outbox = null;
  keep(own("outbox"), null);
  if (ok && sent.bids) {
    keep(own("receipt"), { id, n });
    if (now) view.sealed = { ...sent };
    announce(`${t("sealed")}. ${t("receipt", { n })}`);
  } else if (ok && now) {
    if (view.sealed) typeIn(asTyped(view.sealed.bids));
    view.sealed = null;
  } else if (!ok) {
    const known = { late: "late", early: "early", in: "isIn", paused: "isPaused", bot: "isBot" }[why];
    const said = known || !text || language() !== "en" ? t(known || "refused", stepWords(sent.turn)) : text;
    const bids = sent.bids && bidsText(sent.bids);
    if (now) complain(said);
    else notices.push({ text: bids ? `${said} ${t("typed", { bids })}` : said });
  }
  render();
  if (ok && !sent.bids && formOpen()) field(0, 0).focus();
}

const stepWords = ([month, step]) => ({ month: monthName(month), step: t(step) });

const asTyped = (bids) =>
  ITEMS.reduce((text, item) => ({ ...text, [item]: bids[item] ? bids[item].map(String) : ["", null] }), {});

// -- the form --------------------------------------------------------------------------------------

const items = () => itemsOf(turn[1]);
const field = (at, column) => $(`f${at}${column}`);
const line = (at) => [field(at, 0).value, field(at, 1).value];
const formOpen = () => !$("bids").hidden;

const typed = () => items().reduce((text, item, at) => ({ ...text, [item]: line(at) }), {});

/** Put text into the fields, but not into the one that is being typed in. */
function typeIn(text) {
  items().forEach((item, at) => (text[item] || []).forEach((value, column) => {
    if (value !== null && field(at, column) !== document.activeElement) field(at, column).value = value;
  }));
  weigh();
}

/** Turn the form over to the step that is asked for now. */
function turnOver(before) {
  if (before && turn && formOpen() && view.postings.length > before.postings.length) {
    const bids = bidsText(read().bids.reduce((all, bid, at) => ({ ...all, [items()[at]]: bid }), {}));
    if (bids) notices.push({ text: `${t("closed", stepWords(turn))} ${t("typed", { bids })}` });
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
  unsure = !!draft && same(draft.turn, turn) && draft.unsure;
  if (unsure) typeIn(draft.text);
  else if (view.draft && same(view.draft.turn, turn)) typeIn(view.draft.text);
}

function buildLines() {
  const step = (at, by) => button("step", by > 0 ? "+" : "−", () => {
    const n = Number(field(at, 0).value.replace(/\D/g, "")) + by;
    field(at, 0).value = n > 0 ? n : "";
    onTyped();
  }, { "aria-label": t(by > 0 ? "more" : "less", { item: label(items()[at]) }) });
  const input = (at, column) => el(`input.${column ? "price" : "units"}`, {
    id: `f${at}${column}`, inputmode: "numeric", pattern: "[0-9]*", maxlength: 12, enterkeyhint: "next",
    "aria-label": t(column ? "price" : "units", { item: label(items()[at]) }), "aria-describedby": `hint${at}`,
    placeholder: column ? "" : "0",
    oninput: onTyped,
    onfocus: ({ target }) => target.select(),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // only the button hands in
      (field(at + column, 1 - column) || $("handIn")).focus();
    },
  });
  $("lines").textContent = "";
  fill($("lines"), items().map((item, at) => el("div.line",
    el("p.item", named(item), el("span.amount", { id: `amount${at}` })),
    el("div.fields", el("span", step(at, -1), input(at, 0), step(at, 1)), " ", el("span", t("at"), input(at, 1))),
    el("p.hint", { id: `hint${at}` }))));
}

function onTyped() {
  doubt = 0;
  write("wrong", "");
  unsure = true;
  keep(own("draft"), { turn, text: typed(), unsure });
  clearTimeout(draftTimer);
  draftTimer = setTimeout(sendDraft, 400);
  weigh(true);
}

function sendDraft() {
  if (!formOpen()) return;
  link.send({ t: "draft", turn, text: typed() });
  link.send({ t: "ping" }); // its answer tells that the draft has come
}

/** Read the form: bids, each [units, price]; and what is wrong with which line. */
function read() {
  const wrong = [];
  const bids = items().map((item, at) => {
    try {
      const [units, price] = line(at).map((text, column) =>
        readNumber(t(column ? "price" : "units", { item: label(item) }), text));
      if (units && !price) throw t("noPrice", { item: label(item), n: units });
      return [units, price];
    } catch (text) {
      if (typeof text !== "string") throw text;
      wrong.push({ at, text, warns: true });
      return [0, 0];
    }
  });
  return { bids, wrong };
}

/** Show amounts, hints and advice; or, in place of advice, what cannot be read. */
function weigh(byHand) {
  if (!formOpen()) return;
  const { bids, wrong } = read();
  bids.forEach(([n, price], at) => {
    write(`amount${at}`, dollars(n * price));
    write(`hint${at}`, lineHint(view, bids, at));
  });
  const sum = (of) => bids.reduce((all, bid) => all + of(bid), 0);
  const amount = sum(([n, price]) => n * price);
  const left = turn[1] === "buy" && t("left", {
    n: Math.max(0, view.rules.order - sum(([n]) => n)), cash: dollars(view.cash - amount),
  });
  part("total", [amount, left], () => [el("strong", t("total", { amount: dollars(amount) })), " ", left]);
  const said = (wrong.length ? wrong : advise(view, bids)).filter((one) => !one.told);
  part("advice", said, () => said.map(({ text, warns }) => el(warns ? "li.warn" : "li", text)));
  // Not at every keystroke.
  const warning = said.filter((one) => one.warns).map((one) => one.text).join(" ");
  clearTimeout(warnTimer);
  if (byHand && warning !== warned) warnTimer = setTimeout(announce, 1500, warning);
  warned = warning;
}

function complain(text) {
  write("wrong", "");
  write("wrong", text);
}

function handIn() {
  if (outbox || !formOpen() || Date.now() - turnedAt < AGAIN) return;
  const { bids, wrong } = read();
  const advice = wrong.length ? [] : advise(view, bids);
  const bar = wrong[0] || advice.find((one) => one.bars);
  const empty = !bids.some(([n]) => n);
  if (view.phase === "paused") complain(t("isPaused"));
  else if (bar) {
    complain(bar.text);
    if (wrong[0]) field(bar.at, 0).focus();
  } else if (!doubt && (empty || advice.some((one) => one.grave))) {
    complain(t(empty ? "pass" : "risk"));
    doubt = Date.now();
  } else if (Date.now() - doubt > AGAIN) {
    clearTimeout(draftTimer);
    keep(own("draft"), null);
    write("wrong", "");
    post({ t: "bid", turn, bids: bids.reduce((all, bid, at) => (bid[0] ? { ...all, [items()[at]]: bid } : all), {}) });
  }
}

// -- the screens of a seat -------------------------------------------------------------------------

function render() {
  if (!view || screen === "closed") return;
  const { name } = view.you;
  document.title = view.title;
  if (!seated()) {
    write("confirmTitle", view.title);
    write("confirmName", t("youAre", { name }));
    write("mine", t("mine", { name }));
    show("confirm");
  } else if (view.table) {
    show("play");
    renderTable();
  } else {
    write("hello", t("youAre", { name }));
    write("here", view.phase === "lobby" ? t("here", { n: view.lobby.here }) : t("unseated"));
    part("rules", 0, () => [1, 2, 3, 4, 5].map((n) => el("li", t(`rule${n}`))));
    show("lobby");
  }
}

function renderTable() {
  const { you, cash, held, postings, results, final, table } = view;
  const over = turn[1] === "over";
  const { month, step } = stepWords(turn);
  write("playTitle", view.title);
  part("where", [turn, view.months], () => over ? t("over", { month })
    : [`${capital(month)} · ${step} `, el("small", t("of", { m: turn[0], months: view.months }))]);
  part("purse", [cash, held, final], () => [
    final ? t("profit") : t("cash"), " ", el("strong", dollars(final ? final.profit[you.seat] : cash)),
    held.map((n, at) => el("span", named(ITEMS[at]), " ", el("strong", n)))]);
  part("news", notices, () => notices.map((notice) => el("div.notice", { role: "status" },
    el("p", notice.text), button("plain", t("ok"), () => dismiss(notice)))));

  const sealed = view.sealed && same(view.sealed.turn, turn) ? view.sealed : null;
  const playing = !over && !you.bot && view.phase !== "wait";
  $("bids").hidden = !playing || !!sealed || !!outbox;
  renderState(playing, sealed);
  write("bidsTitle", over ? "" : t(turn[1] === "sell" ? "offer" : "order", { month }));
  weigh();
  part("others", [you, table.firms, playing], () => others(playing));
  tick();

  const posting = postings[postings.length - 1];
  $("report").hidden = !posting;
  if (posting) part("report", [postings, results], () => reportPart(posting));
  // What has just happened comes before the form; once a bid is in, the form's place is first.
  const first = $(sealed || outbox || over ? "step" : "report");
  if (first.previousElementSibling) first.parentNode.insertBefore(first, first.parentNode.firstChild);

  $("standings").hidden = !view.standings;
  part("standings", view.standings, () => view.standings && standings());
  part("chart", [postings, $("chart").clientWidth], chart);
  if (part("board", [postings, turn], board)) $("board").lastChild.scrollLeft = 9e3;
  part("firms", [table, postings, you.seat], firms);
  part("tally", [postings, results], tally);
}

const resultOf = ({ m, s }) => view.results.find((one) => one.m === m && one.s === s);
const reportOf = (posting) => report(posting, resultOf(posting));

function renderState(playing, sealed) {
  const { you, phase, final } = view;
  const waiting = !!outbox && (!!trouble || Date.now() - outbox.since > 2500);
  const receipt = kept(own("receipt"));
  const n = sealed && receipt && receipt.id === sealed.id && receipt.n;
  part("state", [playing, sealed, outbox, waiting, n, you, phase, final], () => {
    if (phase === "over") return final && end();
    if (you.bot) {
      const takeBack = button("main", t("takeBack"), () => link.send({ t: "back" }));
      return [el("p", t("bot", you)), takeBack];
    }
    if (!playing) return el("p", t("wait"));
    if (outbox) {
      const title = el("h2", t(outbox.bids ? "sending" : "takingBack"));
      return el("div.slip", title, waiting && el("p.warn", t("unsent")), outbox.bids && el("p", bidsText(outbox.bids)));
    }
    if (sealed) {
      return el("div.slip", el("h2", t("sealed"), n && el("small", ` ${t("receipt", { n })}`)),
        el("p", bidsText(sealed.bids) || t("passed")),
        button("plain", t("change"), () => outbox || post({ t: "change", turn })));
    }
    return phase === "paused" && el("p.warn", t("pausedLong"));
  });
}

/** Who has handed in; never what. */
function others(playing) {
  const { you: { mates, seat }, table } = view;
  const people = table.firms.filter((firm) => playing && !firm.bot);
  const names = (some) => list(some.map((firm) => (firm.here ? firm.name : t("away", firm))), t("and"));
  const are = people.filter((firm) => firm.in);
  const wait = people.filter((firm) => !firm.in && firm !== table.firms[seat]);
  return [
    mates.length > 0 && t("mates", { names: list(mates, t("and")) }), " ",
    are.length > 0 && t("areIn", { names: names(are) }), " ",
    wait.length > 0 && t("waitingFor", { names: names(wait) })];
}

function reportPart(posting) {
  const { title, lines, result } = reportOf(posting);
  return [el("h2", { id: "reportTitle" }, title),
    el("ul", lines.map((text, at) => el("li", named(itemsOf(posting.s)[at])[0], text))), el("p.result", result)];
}

/** A step has just been settled: it is seen and read out at once. */
function showReport() {
  const { title, lines, result } = reportOf(view.postings[view.postings.length - 1]);
  announce([`${title}.`, ...lines, result].join(" "));
  scrollTo(0, 0);
  $(turn[1] === "over" ? "state" : "report").focus({ preventScroll: true });
}

// -- tables ----------------------------------------------------------------------------------------

const head = (...names) => el("thead", el("tr", names.map((name) => el("th", { scope: "col" }, t(name)))));
const rowHead = (...kids) => el("th", { scope: "row" }, kids);
const whole = (kind, ...kids) => el(`tr.${kind}`, el("td", { colspan: 5 }, kids));
const mine = (yes, ...kids) => el(yes ? "tr.mine" : "tr", kids);
const titled = (title, ...kids) => [el("h2", title), el("div.scroll", { role: "region", tabindex: 0, "aria-label": title }, kids)];

function end() {
  const { final: { profit, liquidation, winners }, table: { firms }, you } = view;
  const order = firms.map((_, at) => at).sort((a, b) => profit[b] - profit[a]);
  const wins = el("small", ` ${t(winners.length > 1 ? "shares" : "wins")}`);
  return el("div.slip", el("h2", t("end")), el("p.result", ending(view)), el("table", head("firm", "fromBroker", "profit"),
    el("tbody", order.map((at) => mine(at === you.seat, rowHead(firms[at].name, winners.includes(at) && wins.cloneNode(true)),
      el("td", dollars(liquidation[at])), el("td", el("strong", change(profit[at]))))))));
}

const standings = () => titled(t("standings"), el("table", head("place", "firm", "table", "profit"),
  el("tbody", view.standings.map(({ rank, name, table, profit, you }) =>
    mine(you, el("td", rank), rowHead(name), el("td", table), el("td", change(profit)))))));

const short = (month) => (month ? capital(monthName(month).slice(0, 3)) : t("opening"));

/** Each item's posted prices, from Opening on. */
const priceLines = () => ITEMS.map((item, at) => [view.opening[at], ...view.postings
  .filter(({ s }) => itemsOf(s).includes(item)).map(({ prices }) => prices[at % 3])]);

function board() {
  const columns = Array.from({ length: turn[0] + 1 }, (_, month) => month);
  const cell = (line, at, month) => {
    const moved = line[month] - line[month - 1];
    const arrow = moved > 0 ? "▲" : moved < 0 ? "▼" : "";
    return el("td", line[month], moved === moved && el(`small.m${arrow}`, arrow + signed(moved)),
      month > 0 && line[month] === view.rules.floors[at < 3 ? 0 : 1] && el("small", t("lowest")));
  };
  return titled(t("board"), el("table.board",
    el("thead", el("tr", el("td"), columns.map((month) => el("th", { scope: "col" }, short(month))))),
    el("tbody", priceLines().map((line, at) =>
      el(at === 3 ? "tr.goods" : "tr", rowHead(named(ITEMS[at])), columns.map((month) => cell(line, at, month)))))));
}

/** What lies open of every firm: certificates, units announced, and what the rules reveal. */
function firms() {
  const { table, postings, you } = view;
  const { s, held, announced, cash, bids } = postings[postings.length - 1] || {};
  const units = (counts, some) => some.map((item, at) => [el("span", `${item} ${counts[at]}`), " "]);
  const each = (line) => itemsOf(s).reduce((all, item, at) => ({ ...all, [item]: line[at] }), {});
  return titled(t("firms"), el("table", head("firm", "holds", "announced"), el("tbody", table.firms.map((firm, at) =>
    mine(at === you.seat,
      rowHead(firm.name, at === you.seat && el("small", t("you")), firm.bot && el("small", `bot: ${firm.bot}`),
        cash && el("small", `${t("cash")} ${dollars(cash[at])}`)),
      el("td", units(held ? held[at] : [0, 0, 0], ["X", "F", "S"])),
      el("td", s ? units(announced[at], itemsOf(s)) : t("nothingYet"), bids && el("small", bidsText(each(bids[at])))))))));
}

const LOST = {
  "below market": "underMarket", "above market": "overMarket", "short of cash": "noCash", "cannot deliver": "noDelivery",
};

/** The own Tally sheet, the latest month first; a bid that failed is struck through. */
function tally() {
  const row = (item, [n, price, , filled, how], market) => {
    const lost = LOST[how];
    return n > 0 && el("tr", rowHead(named(item)), el("td", el(lost ? "s" : "span", filled && filled < n ? `${filled}/${n}` : n)),
      el("td", el(lost ? "s" : "span", price)), el("td", market),
      el("td", lost ? el("small", t(lost)) : dollars(filled * price)));
  };
  const half = (posting) => {
    const { s, lines, money, cash, held } = resultOf(posting);
    const month = stepWords([posting.m, s]);
    return el("tbody", whole("month", `${capital(month.month)} · ${month.step}`),
      lines.map((line, at) => row(itemsOf(s)[at], line, posting.prices[at])),
      whole("sum", t(s === "buy" ? "paidSum" : "receivedSum", { amount: dollars(money), cash: dollars(cash), held: held.join(" · ") })));
  };
  return view.postings.length > 0 && titled(t("tally"), el("table.tally",
    head("item", "unitsHead", "priceHead", "market", "amount"), view.postings.map(half).reverse()));
}

// -- the chart -------------------------------------------------------------------------------------

const DASHES = ["none", "7 4", "2 4", "none", "7 4", "2 4"];
const MARKERS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5l5 5l-5 5l-5-5z", "M0-5l5 9h-10z",
  "M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z", "M0-6l1.500 4.200h4.300l-3.500 2.700l1.300 4.300l-3.600-2.600l-3.600 2.600l1.300-4.300l-3.500-2.700h4.300z",
];

/** Six lines in two panels; a dollar is as high in both, so that movements compare. */
function chart() {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const [left, right, label_height, edge] = [36, 92, 14, 14].map((n) => n * em);
  const width = Math.max(240, $("chart").clientWidth);
  const lines = priceLines();
  const months = Math.max(3, ...lines.map((line) => line.length - 1));
  const x = (month) => left + 6 + (month / months) * (width - left - right - 6);
  const panels = [[3, 4, 5], [0, 1, 2]].map((some) => {
    const all = some.map((at) => lines[at]).flat();
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return { some, middle: (low + high) / 2, spread: Math.max(high - low, 12) };
  });
  const dollar = (220 * em) / (panels[0].spread + panels[1].spread);
  const gap = [5, 10, 20, 50, 100].find((n) => n * dollar > 24 * em) || 200;
  const parts = [];
  let top = 0;
  for (const { some, middle, spread } of panels) {
    const height = spread * dollar + 2 * edge;
    const y = (price) => top + 20 * em + height / 2 - (price - middle) * dollar;
    parts.push(el("text.strong", { x: 0, y: top + 14 * em }, t(some[0] ? "goodsPanel" : "materialsPanel")));
    for (let price = Math.max(0, Math.ceil((middle - spread / 2 - edge / dollar) / gap) * gap);
      y(price) > top + 20 * em; price += gap) {
      parts.push(el("path.grid", { d: `M${left} ${y(price)}H${width - right}` }),
        el("text.end", { x: left - 6, y: y(price) + 4 * em }, dollars(price)));
    }
    const last = some.map((at) => lines[at][lines[at].length - 1]);
    const places = apart(last.map(y), label_height);
    some.forEach((at, i) => {
      const points = lines[at].map((price, month) => `${x(month)} ${y(price)}`);
      parts.push(el(`path.trace.${ITEMS[at]}`, { "stroke-dasharray": DASHES[at], d: `M${points.join("L")}` }),
        points.map((point) => el(`path.dot.${ITEMS[at]}`, { d: MARKERS[at], transform: `translate(${point})` })),
        el("text", { x: x(lines[at].length - 1) + 9, y: places[i] + 4 * em }, `${label(ITEMS[at])} `,
          el("tspan.strong", dollars(last[i]))));
    });
    top += height + 20 * em;
  }
  const every = Math.ceil((months * 36 * em) / (width - left - right));
  for (let month = 0; month <= months; month += every) {
    parts.push(el("text.middle", { x: x(month), y: top + 14 * em }, short(month)));
  }
  const height = top + 20 * em;
  return [el("h2", t("chart")), el("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": "sentence",
  }, parts), el("p", { id: "sentence" }, priceSentence(view))];
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
  write("clock", view.phase === "paused" ? t("paused") : deadline === null ? "" : left ? t("timeLeft", { time }) : t("timeUp"));
  const asked = formOpen() && view.phase === "open";
  $("clock").className = asked && left <= 30 ? "warn" : "";
  for (const mark of [30, 10]) if (asked && left <= mark && left > 0 && reached > mark) announce(t("timeLeft", { time }));
  reached = left;
  if (outbox && Date.now() - sentAt > RESEND) deliver();
  if (outbox && screen === "play") renderState(true, null);
}

function relabel() {
  document.documentElement.lang = language();
  document.querySelectorAll("[data-t]").forEach((node) => (node.textContent = t(node.dataset.t)));
  write("trouble", trouble && t(trouble));
  nameTyped();
  if (turn && field(0, 0)) {
    const text = typed();
    buildLines();
    typeIn(text);
  }
  render();
}

function start() {
  speak([kept("language"), ...navigator.languages]);
  fill($("language"), Object.keys(WORDS).map((one) => el("option", { value: one, lang: one }, WORDS[one].tongue)));
  $("language").value = language();
  const on = (id, event, act) => $(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    act(happened);
  });
  on("language", "change", ({ target }) => {
    keep("language", target.value);
    speak([target.value]);
    relabel();
  });
  on("codeForm", "submit", () => $("code").value.trim() && go(`c=${encodeURIComponent($("code").value.trim())}`));
  on("joinForm", "submit", join);
  on("name", "input", nameTyped);
  on("bids", "submit", handIn);
  on("mine", "click", () => {
    keepSeats([{ key, name: view.you.name }, ...seats()]);
    render();
  });
  for (const id of ["notMine", "anew"]) on(id, "click", () => go(""));
  on("copy", "click", () => {
    // The Clipboard API is for HTTPS only, and a classroom's own network has none.
    $("address").focus();
    $("address").setSelectionRange(0, 999);
    write("copied", t(document.execCommand("copy") ? "copied" : "notCopied"));
  });
  addEventListener("hashchange", begin);
  addEventListener("resize", render);
  setInterval(tick, 1e3);
  relabel();
  begin();
}

start();
