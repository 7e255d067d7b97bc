// The instructor's own screen. Buttons are made of the controls that the server names.

import {
  RARE,
  actionButton,
  canDo,
  changePupil,
  dialog,
  setUsable,
  shownControls,
  tell,
  tellTrouble,
  updateButton,
  usable,
  whole,
} from "./host_ask.js";
import { ONLY_HERE, OPEN_ANEW, joinBase, onlyHere, putAddress, typed } from "./host_links.js";
import { $, clockText, count, el, gain, keep, keepTexts, say, show } from "./host_page.js";
import { keyIn } from "./host_paper.js";
import { asideOf, rankHeading } from "./host_ranks.js";
import {
  botsWords,
  clockNow,
  control,
  earliest,
  fileName,
  now,
  placeWords,
  running,
  shownTables,
  state,
  tableWords,
  turnWords,
} from "./host_state.js";
import { act } from "./host_wire.js";

const SECONDS = "5 to 3600, or 0 for no deadline";

const GROUPS = {
  "c-clock": ["start", "pause", "go", "extend", "close", "reopen", "undo", "redo", "end", "unend"],
  "c-join": ["lock", "unlock", "room", "add"],
  "c-class": ["standings", "bots_absent"],
  "c-end": ["finish", "delete"],
};
const ELSEWHERE = [
  "settings",
  "say",
  "seconds",
  "kick",
  "readmit",
  "rename",
  "reseat",
  "newlink",
  "bot",
  "return",
  "paper",
  "take_back",
];
/** What can be chosen until the game begins. */
const CHOSEN = ["months", "size", "level"];
const TABLE_ACTIONS = ["extend", "close", "reopen", "undo", "redo", "end", "unend"];

export function renderControls() {
  say($("c-title"), state.title);
  $("controls").toggleAttribute("data-closed", Boolean(state.closed));
  show($("c-closed"), state.closed);
  for (const node of document.querySelectorAll("[data-file]")) say(node, fileName());
  const closed = "The class is closed. The command above makes its files.";
  for (const id of ["c-download", "c-slips"]) setUsable($(id), !state.closed, closed);
  for (const [id, names] of Object.entries(GROUPS)) {
    keep(
      $(id),
      shownControls(names),
      (one) => one.do,
      (one) => actionButton(one.do),
      (node, one) => updateButton(node, one),
    );
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
  say(
    $("c-here-only"),
    `${ONLY_HERE} ${
      control("room") ? "Open a second address for the room below." : OPEN_ANEW
    }`,
  );
  show($("c-wrong"), state.wrong >= 5);
  say($("c-wrong"), `${count(state.wrong, "wrong code was", "wrong codes were")} tried lately.`);
  show($("c-before"), state.phase === "lobby" && !state.closed);
  for (const name of CHOSEN) {
    const choice = $(`c-${name}`);
    if (!choice.dataset.edited) choice.value = state[name];
  }
  for (const [form, name] of [
    ["c-before", "settings"],
    ["c-say", "say"],
    ["c-pace", "seconds"],
  ]) {
    const { on, why } = canDo(control(name));
    setUsable($(form).querySelector("button"), on, why);
  }
  if (document.activeElement !== $("c-seconds") && !$("c-seconds").dataset.edited)
    $("c-seconds").value = state.seconds;
  keepTexts(
    $("c-audit"),
    state.audit
      .slice(-8)
      .reverse()
      .map(({ at, text }) => `${timeOf(at)} ${text}`),
  );
  const notes = [state.unreached, state.note].filter(Boolean).join(" ");
  show($("c-note"), Boolean(notes));
  say($("c-note"), notes);
  if (!tabChosen) pickTab(state.tables.length ? $("tab-tables") : $("tab-people"));
  renderTables();
  renderPeople();
  renderStandings();
  tickControls();
}

export function tickControls() {
  const { here: present, in: done, of } = state.counts;
  const parts = [];
  if (state.phase === "lobby") parts.push("Not started");
  if (state.phase === "over") parts.push("The game is over");
  if (state.closed) parts.push("The class is closed");
  if (running()) {
    const tables = shownTables();
    if (state.phase === "paused") parts.push("Paused");
    const { left, first } = clockNow();
    if (first) parts.push(first.name);
    if (tables.length) parts.push(turnWords((first ?? earliest(tables)).turn));
    if (left != null) parts.push(`${clockText(left)} left`);
    if (first) parts.push("others later");
    parts.push(of ? `${done} of ${of} handed in` : botsWords());
  }
  if (!state.closed) parts.push(`${present} here`);
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
  const done = people.filter((firm) => firm.in).length;
  parts.push(people.length ? `${done} of ${people.length} in` : "bots alone");
  return parts.join(" · ");
}

const timeOf = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** What can be done at one table, which may differ from what can be done at some table. */
const tableControls = (table) =>
  shownControls(TABLE_ACTIONS).filter((one) => !RARE.includes(one.do) || canDo(one, table).on);

function renderTables() {
  show($("c-no-tables"), !state.tables.length);
  keep(
    $("c-cards"),
    state.tables,
    (_, at) => at,
    makeCard,
    (card, table, at) => {
      say(card.querySelector("h3"), tableWords(table));
      keep(
        card.querySelector("ul"),
        table.firms,
        (_, firm) => firm,
        (_, firm) => makePlace(at, firm),
        (node, firm) => updatePlace(node, firm, table),
      );
      keep(
        card.querySelector("details > .buttons"),
        tableControls(table),
        (one) => one.do,
        (one) => actionButton(one.do, () => ({ table: at })),
        (node, one) => updateButton(node, one, { about: table.name, table }),
      );
    },
  );
}

function makeCard() {
  return el(
    "article",
    {},
    el("h3"),
    el("p", { class: "turn" }),
    el("ul", { class: "places plain" }),
    el("details", {}, el("summary", { text: "This table only" }), el("div", { class: "buttons" })),
  );
}

function makePlace(table, firm) {
  const given = () => ({ table, firm });
  return el(
    "li",
    {},
    el("span", { class: "tick", "aria-hidden": "true" }),
    el("span", { class: "who" }, el("b"), el("small")),
    el(
      "span",
      { class: "buttons" },
      actionButton("bot", given),
      actionButton("return", given),
      actionButton("take_back", given),
      el("button", {
        type: "button",
        onclick: ({ currentTarget }) => usable(currentTarget) && keyIn(table, firm),
      }),
    ),
  );
}

function updatePlace(node, firm, table) {
  const [tickMark, who, buttons] = node.children;
  const [bot, back, again, paper] = buttons.children;
  const plays = !table.over && !state.closed;
  say(tickMark, firm.bot ? "–" : firm.in ? "✓" : "");
  node.classList.toggle("in", Boolean(firm.in && !firm.bot));
  say(who.firstChild, firm.name);
  const facts = [];
  if (firm.bot) facts.push(firm.pupils.length ? "a bot plays for them" : "bot");
  else if (plays) facts.push(firm.in ? "handed in" : "still thinking");
  if (plays && firm.pupils.length && !firm.here) facts.push("away");
  if (firm.missed && !firm.bot) facts.push(`missed ${firm.missed}`);
  // Whoever is away is replaced as the class was set up; nobody else is.
  if (plays && firm.missed >= 2 && firm.here && !firm.bot)
    facts.push("page open: no bot comes by itself");
  say(who.lastChild, facts.join(" · "));
  for (const [button, name, wanted] of [
    [bot, "bot", !firm.bot],
    [back, "return", firm.bot && firm.pupils.length],
    [again, "take_back", firm.in && !firm.bot],
    [paper, "paper", !firm.in && !firm.bot],
  ]) {
    const one = control(name);
    show(button, Boolean(one && wanted && plays));
    if (one) updateButton(button, one, { about: firm.name, table });
  }
}

function renderPeople() {
  const words = $("c-filter").value.trim().toLowerCase();
  const found = state.pupils.filter((pupil) => pupil.name.toLowerCase().includes(words));
  const present = state.pupils.filter((pupil) => pupil.here).length;
  say(
    $("c-found"),
    words
      ? `${found.length} of ${state.pupils.length}`
      : `${present} of ${state.pupils.length} here`,
  );
  keep(
    $("c-pupils"),
    found,
    (pupil) => pupil.id,
    makePupil,
    (row, pupil) => {
      const [name, place, there] = row.children;
      say(name, pupil.name);
      say(place, placeWords(pupil));
      say(there, pupil.out ? "sent out" : pupil.here ? "here" : "away");
      row.classList.toggle("absent", !pupil.here);
      row.querySelector("button").setAttribute("aria-label", `Change: ${pupil.name}`);
    },
  );
}

function makePupil({ id }) {
  const onclick = () => changePupil(id);
  const change = el("button", { type: "button", text: "Change…", onclick });
  return el("tr", {}, el("th", { scope: "row" }), el("td"), el("td"), el("td", {}, change));
}

function renderStandings() {
  const all = state.standings ?? [];
  show($("c-standings"), all.length > 0);
  show($("c-no-ranks"), all.length === 0);
  say(
    $("c-no-ranks"),
    state.phase === "lobby"
      ? "Standings come with the game."
      : "Press “Show the standings”, and they are here, on the projector and on all phones.",
  );
  keep(
    $("c-rows"),
    all,
    ({ table, name }) => `${table} ${name}`,
    () =>
      el("tr", {}, el("td"), el("th", { scope: "row" }), el("td"), el("td", { class: "number" })),
    (row, one) => {
      const texts = [String(one.rank), one.name, one.table, gain(one.profit)];
      texts.forEach((text, at) => say(row.children[at], text));
      const aside = asideOf(one);
      if (aside) row.children[1].append(" ", el("small", { class: "quiet", text: aside }));
    },
  );
  say($("c-ranks-note"), all.length ? `${rankHeading()}.` : "");
}

/** Fewer seconds than anyone needs to read and type are asked about first. */
const HASTY = 20;

async function setSeconds(seconds) {
  delete $("c-seconds").dataset.edited;
  if (seconds >= 5 && seconds < HASTY) {
    $("c-seconds").value = state.seconds;
    const ask = `Only ${seconds} seconds a step? Pupils type up to six numbers in that time.`;
    await dialog.ask({ ...control("seconds"), ask }, { seconds }, []);
  } else tell(await act({ do: "seconds", seconds }));
}

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

/** A form of its own: what comes while it is being sent, such as a second click, is nothing new. */
function listenForm(id, send) {
  let sending = false;
  $(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    try {
      await send(event);
    } finally {
      sending = false;
    }
  });
}

export function listenControls() {
  listenForm("c-say", async (event) => {
    const text = $("c-say-text").value.trim();
    if (!text || !usable(event.submitter)) return;
    const done = await act({ do: "say", text });
    if (done.ok) $("c-say-text").value = "";
    tell(done);
  });
  for (const name of CHOSEN)
    $(`c-${name}`).addEventListener("change", ({ target }) => (target.dataset.edited = "yes"));
  listenForm("c-before", async (event) => {
    if (!usable(event.submitter)) return;
    const [months, size, level] = CHOSEN.map((name) => $(`c-${name}`).value);
    for (const name of CHOSEN) delete $(`c-${name}`).dataset.edited;
    tell(await act({ do: "settings", months: Number(months), size: Number(size), level }));
  });
  $("c-seconds").addEventListener("input", () => ($("c-seconds").dataset.edited = "yes"));
  listenForm("c-pace", async (event) => {
    if (!usable(event.submitter)) return;
    try {
      await setSeconds(whole($("c-seconds").value, "Seconds for each step", SECONDS));
    } catch (trouble) {
      tellTrouble(trouble);
    }
  });
  for (const tab of $("c-tabs").children) tab.addEventListener("click", () => chooseTab(tab));
  $("c-tabs").addEventListener("keydown", tabKey);
  $("c-find").addEventListener("submit", (event) => event.preventDefault());
  $("c-filter").addEventListener("input", renderPeople);
}
