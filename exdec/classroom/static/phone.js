// The pupil's page: its screens, the bid form, and what is kept on this phone.

import { Link, ask } from "./link.js";
import {
  ITEMS, advise, bidsText, ending, idle, itemsOf, label, last, latest, lineHint, makes, pricesOf,
  readNumber, report, unitsOf, worthOf,
} from "./say.js";
import {
  LANGUAGES, TEXTS, change, usd, language, list, monthName, signed, speak, t,
} from "./words.js";

const { abs, ceil, floor, max, min } = Math;
const [AGAIN, RESEND, FADE] = [700, 4e3, 3e4]; // milliseconds; a double tap is over sooner
const GLYPHS = { X: "●", F: "■", S: "◆", A: "▲", B: "✚", C: "★" };

const $ = (id) => document.getElementById(id);

/** Make el("p.quiet", { id: "here" }, "text", [more]); text stays text. */
function el(what, ...kids) {
  const [name, ...classes] = what.split(".");
  const drawn = /^(svg|path|text)$/.test(name);
  const node = document.createElementNS(`http://www.w3.org/${drawn ? "2000/svg" : "1999/xhtml"}`, name);
  return fill(node, { class: classes.join(" ") }, kids);
}

function fill(node, ...kids) {
  for (const kid of kids.flat(9)) {
    if (kid == null || kid === false) continue;
    if (kid.nodeType || typeof kid !== "object") node.append(kid);
    else for (const [key, value] of Object.entries(kid)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value);
    }
  }
  return node;
}

function put(id, ...kids) {
  $(id).textContent = "";
  fill($(id), kids);
}

const button = (kind, text, onclick, more) => el(`button.${kind}`, { type: "button", onclick }, more, t(text));
const mark = (item) => el(`b.mark.${item}`, { "aria-hidden": "true" }, GLYPHS[item]);

const table = (title, heads, rows) => [
  el("h2", t(title)),
  el("div.scroll", { role: "region", tabindex: 0, "aria-label": t(title) }, el("table",
    el("thead", el("tr", heads.map((head) => el("th", t(head))))),
    el("tbody", rows.map(([kind, head, ...cells]) =>
      el(`tr.${kind}`, el("th", { scope: "row" }, head), cells.map((cell) => el("td", cell))))))),
];

const shown = {};
function part(id, facts, build) {
  const now = JSON.stringify([language(), facts]);
  if (shown[id] === now) return false;
  shown[id] = now;
  put(id, build());
  return true;
}

function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// -- what this phone keeps; if it cannot, the page does

const HOME = `exdec:${location.pathname}:`;
const shelf = {};

function kept(name) {
  try {
    return JSON.parse(localStorage[HOME + name]);
  } catch {
    return shelf[name];
  }
}

function keep(name, value) {
  shelf[name] = value;
  try {
    localStorage[HOME + name] = JSON.stringify(value);
  } catch { /* on the shelf */ }
}

/** Seats, the latest first; those with a name are the pupil's own. */
const seats = () => kept("seats") || [];
const others = () => seats().filter((one) => one.key !== key);
const seat = () => seats().find((one) => one.key === key) || { key };
const note = (more) => keep("seats", [{ ...seat(), ...more }, ...others()].slice(0, 6));

const random = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

let key; // the seat's secret
let link;
let view; // what the server has sent of the seat
let visit = 0; // answers to an earlier visit are dropped
let told; // notices
const unsaid = []; // for who hears the page
let deadline = Infinity;
let reached = 0; // seconds left when last looked
let mail; // a bid or a change without a receipt
let sentAt = 0;
let turn; // the step that the form is for
let doubt = 0; // when a second tap was asked for
let unsure = false; // the server may not have what is typed
let timer = 0;
let trouble = ""; // why the class does not answer

const paused = () => view.phase === "paused";
const same = (one, other) => `${one}` === `${other}`;
const stepWords = ([month, step]) => ({ month: monthName(month), step: t(step) });

function show(name) {
  if (name !== "door" && !$(name).hidden) return;
  for (const one of ["door", "lobby", "play"]) $(one).hidden = one !== name;
  $("head").hidden = name !== "play";
  $("seat").hidden = name === "door";
  $("seat").open = name === "lobby";
  $("address").value = location.href;
  scrollTo(0, 0);
  const heading = $(name).querySelector("h1");
  if (heading) heading.focus();
}

function worry(name, text = name && again(name)) {
  trouble = name;
  write("trouble", text);
}

const again = (what) => `${t(what)} ${t("again")}`;

const passing = ({ why }) => "busy disk silent paused".includes(why);
const named = ({ why }) => (`${why}No` in TEXTS ? `${why}No` : "silent");
/** Which rule it is, the server says in English only. */
const refusal = (no) =>
  t(named(no)) + (no.why === "rules" && language() === "en" ? ` ${no.text}` : "");

/** The address says what to do: #k= is a seat, #c= a class's code. */
function begin() {
  document.documentElement.lang = language();
  for (const id of ["soon", "how", "recipes", "seatName", "seatHelp", "copy"]) write(id, t(id));
  put("rules", rules());
  visit += 1;
  if (link) link.stop();
  link = view = mail = turn = null;
  told = [];
  const parts = new URLSearchParams(location.hash.slice(1));
  key = parts.get("k");
  if (key) sit();
  else if (parts.get("c")) look(parts.get("c"));
  else askCode();
}

const rules = () => [1, 2, 3, 4, 5].map((n) => el("li", t(`rule${n}`)));

function go(fragment) {
  history.replaceState(null, "", `#${fragment}`);
  begin();
}

function door(title, ...kids) {
  put("door", el("h1", { tabindex: -1 }, title), kids);
  show("door");
}

/** Ask until the class answers; once something else is typed or asked for, it never does. */
async function insist(message) {
  const here = (visit += 1);
  for (;;) {
    const [answer = { why: "silent" }] = await ask(message).catch(() => []);
    if (here !== visit) return new Promise(() => {});
    worry(passing(answer) ? named(answer) : "");
    if (!trouble) return answer;
    await new Promise((done) => setTimeout(done, 1e3 + Math.random() * 2e3));
  }
}

function question(name, attributes, go, submit) {
  const input = el("input", { id: "typed" }, attributes);
  const onsubmit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text) submit(text);
    else write("refused", t(`${name}First`));
  };
  const oninput = () => {
    visit += 1;
    worry("");
    write("refused", "");
    write("go", t(go, { name: input.value.trim() || "…" }));
  };
  return el("form", { onsubmit, oninput, autocomplete: "off" }, el("label", { for: "typed" }, t(name)), input,
    el("p.warn", { id: "refused", role: "alert" }), el("button.main", { id: "go" }, t(go, { name: "…" })));
}

const offer = (some) => some.filter((one) => one.name).slice(0, 3)
  .map((one) => button("main", t("goOnAs", one), () => go(`k=${one.key}`)));

function askCode(wrong = "", value = "") {
  worry("");
  door(t("enter"), offer(seats()),
    question("code", { maxlength: 12, value }, "enter", (text) => go(`c=${encodeURIComponent(text)}`)));
  write("refused", wrong);
}

async function look(typed) {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  const answer = await insist({ t: "look", code });
  if (answer.t !== "class") askCode(refusal(answer), typed);
  else door(answer.title, offer(seats().filter((one) => one.code === code)),
    answer.joining ? question("name", { maxlength: 24 }, "joinAs", (name) => join(code, name))
      : el("p.warn", t("lockedNo")));
}

async function join(code, name) {
  // The same number gets the same seat, so it is kept before it is sent.
  const once = kept(`once/${code}`) || random();
  keep(`once/${code}`, once);
  const answer = await insist({ t: "join", code, name, once });
  if (answer.t === "joined") {
    keep(`once/${code}`, null);
    key = answer.key;
    note({ name: answer.name, code });
    go(`k=${key}`);
  } else write("refused", refusal(answer));
}

function sit() {
  mail = seat().mail;
  link = new Link(key, {
    hello: (asking) => ({ t: "hello", ...(asking && view && { since: view.v }) }),
    hear,
    changed: (up) => {
      if (trouble || !up) worry(up ? "" : "silent");
      render();
    },
  });
}

function leave(why) {
  link.stop();
  if (why === "revoked") keep("seats", others());
  else if (view && view.table) {
    // What was played stays to be read.
    if (view.phase !== "over") view.phase = why;
    told = told.filter(({ stays }) => stays);
    mail = null;
    write("clock", "");
    worry(why, t(why));
    return render();
  }
  view = null;
  door(t(why), enter());
}

function hear({ t: kind, posting, result, ...fields }) {
  if (kind === "receipt") receive(fields);
  else if (kind === "pong" && !timer) note({ draft: (unsure = null) });
  else if (kind === "gone") leave("gone");
  else if (kind === "no" && fields.why === "key") leave("revoked");
  else if (kind === "no") {
    link.hang(); // asking now and then may do
    worry(named(fields));
  } else if (view || kind === "view") {
    const before = view;
    view = kind === "view" ? fields : { ...view, ...fields };
    if (posting) view.postings = view.postings.concat(posting);
    if (result) view.results = view.results.concat(result);
    if ("left" in fields) deadline = fields.left === null ? Infinity : Date.now() + fields.left * 1e3;
    changed(before, kind === "view");
  }
}

function changed(before, whole) {
  const settled = before && view.postings.length > before.postings.length;
  const moved = !same(view.turn, turn);
  const begun = moved || (view.table && !before.table);
  if (begun) turnOver(settled);
  else if (before && before.sealed && !view.sealed) typeIn(before.sealed.bids); // to be changed
  else if (!unsure && view.draft) typeIn(view.draft.text);
  if (before && before.phase !== view.phase) {
    clear();
    if (paused() && view.sealed) unsaid.push(t("pausedNo"));
  }
  const seen = seat().news;
  const own = view.table && view.table.firms[view.you.seat].name;
  for (const { n, what, text, about } of view.news) {
    const { name, turn: step = turn } = about;
    const key = `${what === "undone" ? "reopened" : what}${name === own ? "Own" : ""}News`;
    const stays = what === "message";
    const first = stays || key === "backOwnNews"; // at first, nothing else is news
    const past = !same(step, turn) || (moved && what === "extended") || (turn[1] === "over" && !stays);
    if (n <= seen || past || !(key in TEXTS) || !(seen || first)) continue;
    const bot = about.bot && t(about.bot);
    notify({
      stays,
      kind: stays ? n : name || key,
      until: stays || about.turn ? Infinity : Date.now() + FADE,
      text: t(key, { text, ...about, bot, ...stepWords(step) }),
    });
  }
  note({ news: max(1, ...view.news.map(({ n }) => n)) });
  render();
  if (before && begun) showReport();
  else announce();
  if (whole && unsure) sendDraft();
  if (whole && mail) deliver();
}

function post(message) {
  mail = { ...message, turn, id: random(), since: Date.now() };
  note({ mail });
  deliver();
  render();
  $("state").focus();
}

function deliver() {
  const { since, why, ...message } = mail;
  sentAt = Date.now();
  link.send(message);
}

function receive({ id, ok, n, ...no }) {
  if (!mail || mail.id !== id) return;
  if (passing(no)) {
    mail.why = no.why;
    return;
  }
  const { bids, turn: step } = mail;
  const now = same(step, view.turn);
  mail = null;
  note({ mail });
  if (no.why === "late") missed(step, bids);
  else if (!ok) complain(refusal(no));
  else if (bids) {
    if (now) view.sealed = { bids, turn, n };
    note({ asked: { ...seat().asked, [step[1]]: bids } });
    unsaid.push(`${t("sealed")}. ${t("receipt", { n })}`);
  } else if (now && view.sealed) {
    typeIn(view.sealed.bids);
    view.sealed = null;
  }
  render();
  announce();
  if (ok && !bids && isOpen()) field(0, 0).focus();
}

function missed(step, all) {
  const bids = all && bidsText(all);
  if (bids) notify({ until: Infinity, text: t("missed", { ...stepWords(step), bids }) });
}

/** Show two at most, one of a kind; what would fade gives way first. */
function notify(one) {
  told = told.filter(({ kind }) => kind !== one.kind).concat(one);
  if (told.length > 2) told.splice(max(0, told.findIndex(({ until }) => until < Infinity)), 1);
  unsaid.push(one.text);
}

/** Read out even what has gone. */
function announce(...texts) {
  const all = unsaid.splice(0).concat(texts).join(" ");
  if (all) $("said").textContent = all;
}

const items = () => itemsOf(turn[1]);
const field = (at, column) => $(`f${at}${column}`);
const line = (at) => [field(at, 0).value, field(at, 1).value];
const isOpen = () => !$("bids").hidden;
const byItem = (values, step = turn[1]) =>
  Object.fromEntries(itemsOf(step).map((item, at) => [item, values[at]]));
const typedText = () => byItem([0, 1, 2].map(line));

function typeIn(text) {
  items().forEach((item, at) => (text[item] || [""]).forEach((value, column) => {
    if (field(at, column) !== document.activeElement) field(at, column).value = value;
  }));
  weigh();
}

function turnOver(settled) {
  told = told.filter(({ stays }) => stays).map((one) => ({ ...one, folded: true }));
  if (settled && isOpen()) missed(turn, byItem(read().bids));
  turn = view.turn;
  doubt = 0;
  unsure = false;
  clear();
  if (turn[1] === "over" || !view.table) return;
  const late = !seat().news; // and so was in no lobby, where the rules are
  $("step")[late ? "prepend" : "append"]($("guide"));
  if (late) $("guide").open = true;
  buildLines();
  // The price last bid here, and by no bot; else the one posted last.
  const asked = (seat().asked || {})[turn[1]] || {};
  latest(view, turn[1]).forEach((price, at) => {
    [, field(at, 1).value] = asked[items()[at]] || [0, price];
  });
  const { draft } = seat();
  unsure = draft && same(draft.turn, turn);
  if (unsure || view.draft) typeIn((unsure ? draft : view.draft).text);
}

function buildLines() {
  put("lines", items().map((item, at) => {
    const input = (name, column) => el("input", {
      id: `f${at}${column}`, "aria-label": t(name, { item: label(item) }), "aria-describedby": `hint${at}`, inputmode: "numeric", maxlength: 12,
      oninput: onTyped,
      onfocus: ({ target }) => target.select(),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault(); // only the button hands in
        (field(at + column, 1 - column) || $("handIn")).focus();
      },
    });
    const step = (by) => button("step", signed(by)[0], () => {
      const n = (parseInt(field(at, 0).value, 10) || 0) + by;
      field(at, 0).value = n > 0 ? n : "";
      onTyped();
    }, { "aria-label": `${label(item)} ${signed(by)}` });
    return el("div.line", el("p", mark(item), label(item), el("span.amount", { id: `amount${at}` })),
      el("span", step(-1), input("units", 0), step(1)), " ",
      el("span", "× $", input("price", 1)), el("p.quiet", { id: `hint${at}` }));
  }));
}

function onTyped() {
  doubt = 0;
  unsure = true;
  clear();
  note({ draft: { turn, text: typedText() } });
  weigh();
  clearTimeout(timer);
  timer = setTimeout(sendDraft, 400);
}

function sendDraft() {
  timer = 0;
  if (!isOpen()) return;
  link.send({ t: "draft", turn, text: typedText() });
  link.send({ t: "ping" }); // its answer tells that the draft has come
}

function read() {
  const wrong = [];
  const bids = items().map((item, at) => {
    const name = { item: label(item) };
    let column = 0;
    try {
      const [n, price] = line(at).map((text, i) => {
        column = i;
        return readNumber(t(i ? "price" : "units", name), text);
      });
      if (n && !price) throw t("noPrice", { ...name, n });
      return [n, price];
    } catch (text) {
      wrong.push({ at, column, text, kind: "bars" });
      return [0, 0];
    }
  });
  return { bids, advice: wrong.length ? wrong : advise(view, bids) };
}

function weigh() {
  if (!isOpen()) return;
  const { bids, advice } = read();
  bids.forEach(([n, price], at) => {
    write(`amount${at}`, usd(n * price));
    write(`hint${at}`, lineHint(view, bids, at));
  });
  const amount = worthOf(bids);
  write("handIn", t(idle(view) && !unitsOf(bids) ? "goOn" : "handIn"));
  const units = view.rules.order - unitsOf(bids);
  const cash = view.cash - amount;
  part("total", [turn, units, cash], () => [el("strong", t("total", { sum: usd(amount) })),
    turn[1] === "buy" && [[units, "many", (n) => t("count", { n })], [cash, "overCash", usd]].map(([left, over, say]) => {
      const n = abs(left);
      const what = say(n);
      return [" · ", left < 0 ? el("b.warn", t(over, { n, what })) : t("left", { n, what })];
    })]);
  const fresh = advice.filter(({ text }) => text !== $("wrong").textContent);
  part("advice", fresh, () => fresh.map(({ text, kind }) => el(kind ? "li.warn" : "li", text)));
}

const clear = () => write("wrong", paused() ? t("pausedNo") : "");

function complain(text) {
  write("wrong", ""); // to be read out again
  write("wrong", text);
  weigh();
  $("advice").scrollIntoView({ block: "nearest" });
}

function handIn(event) {
  event.preventDefault();
  if (mail || !isOpen()) return;
  const { bids, advice } = read();
  const bar = advice.find(({ kind }) => kind === "bars");
  const empty = !unitsOf(bids);
  if (bar) {
    complain(bar.text);
    field(bar.at || 0, bar.column || 0).focus();
  } else if (!doubt && ((empty && !idle(view)) || advice.some(({ kind }) => kind === "grave"))) {
    complain(t(empty ? "pass" : "risk"));
    doubt = Date.now();
  } else if (Date.now() - doubt > AGAIN) {
    clearTimeout(timer);
    note({ draft: null });
    clear();
    post({ t: "bid", bids: byItem(bids.map((bid) => (bid[0] ? bid : undefined))) });
  }
}

function render() {
  if (!view) return;
  const { title, you: { name }, lobby } = view;
  document.title = title;
  if (!seat().name) {
    if ($("mine")) return;
    door(t("youAre", { name }), el("p", { id: "mine" }, title),
      button("main", "mine", () => render(note({ name }))), el("p.quiet", t("other")));
  } else if (view.table) {
    show("play");
    renderTable();
  } else {
    write("hello", t("youAre", { name }));
    write("here", t("here", { n: lobby.here }));
    show("lobby");
  }
}

function renderTable() {
  const {
    you, cash, held, postings, results, final, table: { firms }, months, phase, standings,
  } = view;
  const { month, step } = stepWords(turn);
  write("where", turn[1] === "over" ? t(months ? "over" : "off", { month })
    : `${month} · ${step} ${turn[0]}/${months}`);
  part("purse", [cash, held, final], () => [
    el("span", t(final ? "profit" : "cash"), " ", el("strong", usd(final ? final.profit[you.seat] : cash))),
    held.map((n, at) => el("span", mark(ITEMS[at]), ITEMS[at], " ", el("strong", n)))]);
  told = told.filter(({ until }) => until > Date.now());
  part("news", told, () => told.map((one) => el("div.slip.notice",
    one.folded ? el("details", el("summary", one.text)) : el("p", one.text), button("", "OK", () => {
      told = told.filter((other) => other !== one);
      render();
    }))));

  // A receipt may overtake the view that settles its step.
  const sealed = same((view.sealed || {}).turn, turn) && view.sealed;
  const plays = ["open", "paused"].includes(phase) && !you.bot;
  $("handIn").disabled = paused();
  $("bids").hidden = !plays || !!sealed || !!mail;
  const slow = mail && Date.now() - mail.since > 2500;
  const late = slow && (mail.why ? named(mail) : "unsent");
  part("state", [plays, sealed, mail, late, you, phase, final], () => state(plays, sealed, late));
  weigh();
  part("makes", view.rules, () => [el("ol", rules()), makes(view.rules).map((text) => el("p", text))]);
  part("others", [you, firms, plays], () => whoIsIn(plays));
  part("report", [postings, results], lastReport);
  // What has happened comes before the form, but after a bid that is in.
  const first = $(isOpen() ? "report" : "step");
  if (first.previousElementSibling !== $("news")) $("news").after(first);

  part("standings", standings, () => standings && table("standings",
    ["firm", "#", "table", "profit"], standings.map((one) => [one.you && "mine", one.name, one.rank, one.table.replace("Table", t("table")), change(one.profit)])));
  part("chart", [postings, months, $("play").clientWidth], chart);
  if (part("board", [postings, turn], board)) $("board").lastChild.scrollLeft = 9e3;
  part("firms", [firms, postings, you.seat], openFacts);
  part("tally", [postings, results], tally);
}

const enter = () => button("", "enter", () => go(""));

function state(plays, sealed, late) {
  const { you, phase, final } = view;
  if (phase === "over") return final && end();
  if (phase === "gone") return enter();
  if (you.bot) return [el("p", t("bot", { bot: t(you.bot) })), button("main", "takeBack", () => link.send({ t: "back" }))];
  if (!plays) return el("p", t("wait"));
  if (mail) {
    return el("div.slip", el("h2", t("sending")), late && el("p.warn", again(late)),
      el("p", mail.bids && bidsText(mail.bids)));
  }
  if (!sealed) return null;
  return el("div.slip", el("h2", t("sealed"), " ", el("small", t("receipt", sealed))),
    el("p", bidsText(sealed.bids) || t("passed")),
    paused() ? el("p.warn", t("pausedNo")) : el("p.quiet", t("canChange")),
    button("", "change", () => mail || post({ t: "change" }), paused() && { disabled: "" }));
}

function whoIsIn(plays) {
  const { you: { mates, seat }, table: { firms } } = view;
  const say = (key, names) => names.length > 0 && `${t(key, { names: list(names, "and") })} `;
  const late = firms.filter((firm, at) => plays && !firm.bot && !firm.in && at !== seat);
  return [say("mates", mates),
    say("waitingFor", late.map((firm) => (firm.here ? firm.name : t("away", firm))))];
}

function lastReport() {
  const posting = last(view.postings);
  if (!posting) return [];
  const { title, lines, result } = report(posting, last(view.results));
  return [{ role: "region", "aria-label": title }, el("h2", title), el("ul", lines.map((text, at) =>
    el("li", mark(itemsOf(posting.s)[at]), text))), el("p", el("strong", result))];
}

/** The game has moved: what is true now is seen and read out at once. */
function showReport() {
  const texts = [...$("report").querySelectorAll("h2, li, p"), $("where")];
  announce(...texts.map((one) => one.lastChild.textContent), view.final ? ending(view) : "");
  scrollTo(0, 0);
  $(view.final ? "state" : view.postings.length ? "report" : "where").focus({ preventScroll: true });
}

function end() {
  const { final: { profit, liquidation }, table: { firms }, you: { seat } } = view;
  const order = [...firms.keys()].sort((a, b) => profit[b] - profit[a]);
  return [el("p.slip", ending(view)),
    table("profit", ["firm", "#", "Broker", "profit"], order.map((at) => [at === seat && "mine", firms[at].name,
      1 + profit.filter((more) => more > profit[at]).length, usd(liquidation[at]), change(profit[at])]))];
}

const short = (month) => (month ? monthName(month).slice(0, 3) : t("opening"));

const priceLines = () => ITEMS.map((item) => pricesOf(view, item));

function board() {
  const months = [...Array(turn[0] + 1).keys()];
  const rows = priceLines().map((line, at) => ["", [mark(ITEMS[at]), label(ITEMS[at])], ...months.map((month) => {
    const moved = line[month] - line[month - 1];
    return [line[month], moved === moved && el("small", signed(moved))];
  })]);
  return table("board", ["", ...months.map(short)], rows);
}

function openFacts() {
  const { table: { firms }, postings, you: { seat } } = view;
  const { s, held, announced, cash, bids } = last(postings) || {};
  const of = (name, step) => `${t(name)} ${itemsOf(step).join("\u00a0·\u00a0")}`;
  return table("firms", ["firm", of("holds", "buy"), of("announced", s)], firms.map(({ name, bot }, at) => [
    at === seat && "mine",
    [name, el("small", at === seat && t("you"), bot && `bot (${t(bot)})`, cash && ` ${usd(cash[at])}`)],
    held && held[at].join(" · "),
    s && [announced[at].join(" · "), bids && el("small", bidsText(byItem(bids[at], s)))]]));
}

function tally() {
  const rows = view.results.map(({ m, s, lines, money, cash }) => ["", `${short(m)} ${t(s)}`,
    ...lines.map(([n, price, , filled]) => n > 0 && [el(filled ? "span" : "s", `${n}@${price}`),
      filled > 0 && filled < n && el("small", `${filled}/${n}`)]),
    usd(money), usd(cash)]);
  return rows.length > 0 && table("tally", ["", "X · A", "F · B", "S · C", "$", "cash"], rows.reverse());
}

/** The board says the same in numbers. */
function chart() {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = max(280, $("play").clientWidth);
  const lines = priceLines();
  const months = max(1, min(3, view.months), ...lines.map((line) => line.length - 1));
  const x = (month) => 3 * em + (month / months) * (width - 10 * em);
  return [el("h2", t("chart")), [["goods", [3, 4, 5]], ["materials", [0, 1, 2]]].map(([name, some]) => {
    const all = some.flatMap((at) => lines[at]);
    const step = [5, 10, 20, 50, 100].find((few) => max(...all) - min(...all) < 4 * few) || 500;
    const low = floor(min(...all) / step) * step;
    const high = max(low + step, ceil(max(...all) / step) * step);
    const y = (price) => em * (0.5 + (7 * (high - price)) / (high - low));
    const words = (kind, x, y, ...text) => el(kind, { x, y: y + em / 4 }, text);
    const parts = [];
    for (let price = low; price <= high; price += step) {
      parts.push(el("path.grid", { d: `M${x(0)} ${y(price)}H${width}` }),
        words("text.end", x(0) - 9, y(price), usd(price)));
    }
    for (let month = 0; month <= months; month += ceil(months / 3)) {
      parts.push(words("text.middle", x(month), y(low) + 1.5 * em, short(month)));
    }
    let below = -em; // no name covers another, nor a month
    some.sort((a, b) => last(lines[b]) - last(lines[a])).forEach((at, i) => {
      const item = ITEMS[at];
      below = min(max(below + em, y(last(lines[at]))), y(low) - (2 - i) * em);
      const points = lines[at].map((price, month) => [x(month), y(price)]);
      parts.push(el(`path.${item}`, { "stroke-dasharray": ["none", "7 4", "2 4"][at % 3], d: `M${points.join("L")}` }),
        points.map(([x, y]) => words(`text.middle.${item}`, x, y, GLYPHS[item])),
        words("text", last(points)[0] + 9, below, label(item), " ", usd(last(lines[at]))));
    });
    return [el("p", t(name)), el("svg", { height: 9.5 * em, role: "img", "aria-label": `${t(name)}, $` }, parts)];
  })];
}

function tick() {
  if (!view) return;
  if (!trouble) tell(); // else nobody knows how long is left
  if (mail && Date.now() - sentAt > RESEND) deliver();
  if (mail || told.some(({ until }) => until < Date.now())) render();
}

function tell() {
  const left = max(0, ceil((deadline - Date.now()) / 1e3));
  const time = left < 60 ? `${left} s` : `${floor(left / 60)}:${`0${left % 60}`.slice(-2)}`;
  const said = t(left ? "left" : "timeUp", { n: left, what: time });
  write("clock", paused() ? t("pausedNo") : left < Infinity ? said : "");
  const asked = isOpen() && view.phase === "open" && left > 0;
  const soon = asked && left <= 30;
  $("clock").className = soon ? "warn" : "";
  worry("", soon && items().some((_, at) => field(at, 0).value) ? t("notYet") : "");
  if (asked && [30, 10].some((mark) => left <= mark && reached > mark)) write("said", said);
  reached = left;
}

speak([kept("language"), ...navigator.languages]);
put("language", Object.entries(LANGUAGES).map(([lang, name]) => el("option", { value: lang, lang }, name)));
$("language").value = language();
$("language").onchange = ({ target }) => {
  keep("language", target.value);
  speak([target.value]);
  begin();
};
$("copy").onclick = () => {
  // The Clipboard API is for HTTPS only.
  $("address").select();
  if (document.execCommand("copy")) write("copy", t("copied"));
};
$("bids").onsubmit = handIn;
addEventListener("hashchange", begin);
addEventListener("resize", render);
setInterval(tick, 1e3);
begin();
