// Controls as buttons: what is asked before something is done, and what came of it.

import { downloaded } from "./host_files.js";
import { joinBase, qrCodes } from "./host_links.js";
import { $, el, say } from "./host_page.js";
import {
  control,
  placeWords,
  pupilOf,
  running,
  settledSteps,
  state,
  tableName,
  takenBack,
  view,
} from "./host_state.js";
import { Trouble, act, fetchedJson, leave } from "./host_wire.js";

/** Of two that undo each other only one is shown. */
const PAIRS = [
  ["go", "pause"],
  ["unlock", "lock"],
];
/** What is rarely possible is shown only then. */
export const RARE = ["start", "redo", "unend"];

/** No event of a class, so it is not among its controls; the server takes it all the same. */
export const DELETE = {
  do: "delete",
  label: "Delete the class",
  ask:
    "Delete the class with all names, bids and results? Every phone stops, and nothing can be " +
    "exported any more. What was exported or downloaded stays, with the names in it.",
  needs: [],
  on: true,
};

export function shownControls(names) {
  const found = names.map(control).filter(Boolean);
  const hidden = new Set();
  for (const [less, more] of PAIRS) hidden.add(control(less)?.on ? more : less);
  return found.filter(
    (one) => !hidden.has(one.do) && (one.on || (running() && !RARE.includes(one.do))),
  );
}

/** What undoing it takes back is named, if that is the same at all these tables. */
const BACK = {
  undo: (month) => `Undo ${month}`,
  reopen: (step) => `Open ${step} again`,
};

function label(one, tables = state.tables) {
  const taken = BACK[one.do] ? takenBack(one.do, tables) : [];
  if (taken.length === 1) return BACK[one.do](taken[0]);
  if (one.do === "extend") return `${one.label}: 30 s`;
  if (one.do === "standings" && state.reveal) return "Hide the standings";
  return one.label;
}

export function actionButton(name, given = () => ({})) {
  return el("button", {
    type: "button",
    onclick: (event) => {
      // The second click of a double click asks for nothing new; more time may be asked for twice.
      if (event.detail > 1 && name !== "extend") return;
      if (usable(event.currentTarget)) run(name, given());
    },
  });
}

/** A button that cannot be used keeps the focus, so it is not disabled but says why. */
export function setUsable(node, on, why) {
  node.setAttribute("aria-disabled", String(!on));
  if (on) node.removeAttribute("title");
  else node.title = why;
}

/** Whether a button can be used; if not, the page says why. */
export function usable(node) {
  const on = node.getAttribute("aria-disabled") !== "true";
  if (!on && $("dialog").open) say($("d-trouble"), node.title);
  else if (!on) tell({ ok: false, text: node.title });
  return on;
}

/** What cannot be done while the clocks stand still. */
const NOT_PAUSED = ["close", "take_back"];

/** What holds a control back, at one table or in the class; "" if the page knows of nothing. */
function obstacle(name, table) {
  const tables = table ? [table] : state.tables;
  if (state.closed) return "The class is closed.";
  if (state.phase === "paused" && NOT_PAUSED.includes(name))
    return "The class is paused. Let it go on first.";
  const playing = tables.filter((one) => !one.over);
  switch (name) {
    case "reopen":
    case "undo":
      return tables.some(settledSteps) ? "" : "No step is settled yet.";
    case "close":
    case "paper":
      if (!playing.length) return "The game is over.";
      return playing.some((one) => one.open) ? "" : "No step is open: it waits for other tables.";
    case "extend":
      if (!playing.length) return "The game is over.";
      return playing.some((one) => one.open && one.left != null) ? "" : "No clock is running.";
    case "end":
      return playing.length ? "" : "The game is over.";
    case "redo":
      return tables.some((one) => one.undone) ? "" : "Nothing was undone.";
    case "unend":
      return tables.some((one) => one.ended) ? "" : "No game was ended early.";
    default:
      return "";
  }
}

const WHY_OFF = {
  lobby: "The game has not begun.",
  running: "It is not possible at this moment.",
  paused: "The class is paused. Let it go on first.",
  over: "The game is over.",
};

/** Whether a control can be used, for one table if there is one, and else why not. */
export function canDo(one, table = null) {
  const why = obstacle(one.do, table);
  return { on: one.on && !why, why: why || WHY_OFF[state.phase] };
}

export function updateButton(node, one, { about = "", table = null } = {}) {
  const text = label(one, table ? [table] : state.tables);
  say(node, text);
  if (about) node.setAttribute("aria-label", `${text}: ${about}`);
  const { on, why } = canDo(one, table);
  setUsable(node, on, why);
  node.classList.toggle("main", on && ["start", "go"].includes(one.do));
  node.classList.toggle("danger", ["end", "finish", "delete"].includes(one.do));
}

/** The last line of what came of a command. */
export function tell(done) {
  const line = el("p", { class: done.ok ? "done" : "warn" }, el("span", { text: done.text }));
  const onclick = async () => tell(await act(done.back));
  const button = done.back && el("button", { type: "button", text: "Take it back", onclick });
  if (button) line.append(button);
  if (done.pupil) {
    line.append(
      el("button", { type: "button", text: "Show the link", onclick: () => showLink(done.pupil) }),
    );
  }
  line.append(
    el("button", { type: "button", class: "plain", text: "Close", onclick: () => line.remove() }),
  );
  $("said").replaceChildren(line);
  said = { line, button, back: done.back, since: done.v, stage: stage() };
  forgetSaid();
  leaveLater(line, view === "projector" ? 6000 : 12_000);
}

/** The line that is shown, and what its way back would change. */
let said = null;

/** What makes old lines untrue: how far the class is, and whether anybody is in it. */
const stage = () => `${state?.phase} ${Boolean(state?.pupils.length)}`;

/** Let the last line go once it is untrue, or there is nothing left to take back. */
export function forgetSaid() {
  if (!said || !state) return;
  const { line, button, back, since } = said;
  if (!line.isConnected) said = null;
  else if (line.matches(".warn") && said.stage !== stage()) line.remove();
  else if (button?.isConnected && state.v >= since) {
    // The first state that has it in it says what there is to take back, if anything.
    const stake = atStake(back);
    const first = !("stake" in said);
    if (first) said.stake = stake;
    if (first && !stake) button.remove();
    else if (stake !== said.stake) line.remove();
  }
}

/** What can be set for the whole class, and set back. */
const OF_CLASS = ["phase", "joining", "reveal", "seconds", "months", "size", "level", "join"];

/**
 * What a way back would change, as it is now; "" if it cannot be gone now. Once this is not what
 * it was, the way back does nothing any more, or something else.
 */
function atStake({ do: name, pupil, table, firm }) {
  if (!control(name)?.on) return "";
  const told = (...parts) => JSON.stringify(parts);
  if (pupil != null) {
    const one = pupilOf({ pupil });
    return told(one.name, one.table, one.firm, one.out);
  }
  if (firm != null) {
    const { turn, firms } = state.tables[table];
    if (name === "take_back") return firms[firm].in ? told(turn) : "";
    return told(firms[firm].bot);
  }
  if (["reopen", "redo", "unend"].includes(name)) {
    return told(...[table].flat().map((at) => state.tables[at]).map(({ turn, undone, ended }) => [turn, undone, ended]));
  }
  return told(...OF_CLASS.map((one) => state[one]));
}

/** A line goes by itself, though not from under the mouse or the keyboard. */
function leaveLater(line, wait) {
  setTimeout(() => {
    if (line.matches(":focus-within, :hover")) leaveLater(line, 3000);
    else line.remove();
  }, wait);
}

/** Errors that have a sentence for people are told; others are ours. */
export function tellTrouble(trouble) {
  if (!(trouble instanceof Trouble)) throw trouble;
  tell({ ok: false, text: trouble.message });
}

/** Ask what there is to ask, then do it. */
async function run(name, given = {}) {
  const one = control(name);
  if (!one?.on) return;
  if (name === "extend") given = { seconds: 30, ...given };
  if (name === "standings") given = { show: !state.reveal, ...given };
  if (name === "room") given = { on: !state.join, ...given };
  const missing = one.needs.filter(
    (need) => FIELDS[need] && !((need === "place" ? "firm" : need) in given),
  );
  if (one.ask || missing.length) await dialog.ask(one, given, missing);
  else tell(await act({ do: name, ...given }));
}

/** Fields of a form, by what a control needs. Each reads its part of a command, or throws. */
const FIELDS = {
  name: (given) => textField("Name", "name", pupilOf(given)?.name ?? "", 24),
  text: () => textField("Text", "text", "", 200),
  seconds: () => {
    const [box, input] = labelled(
      "Seconds",
      el("input", { inputmode: "numeric", value: state.seconds, autocomplete: "off" }),
    );
    return { box, read: () => ({ seconds: whole(input.value, "Seconds") }) };
  },
  pupil: () => {
    const [box, input] = labelled(
      "Pupil",
      el(
        "select",
        {},
        ...state.pupils.map(({ id, name }) => el("option", { value: id, text: name })),
      ),
    );
    return {
      box,
      read: () => ({ pupil: state.pupils.find(({ id }) => String(id) === input.value)?.id }),
    };
  },
  place: (given) => {
    const pupil = pupilOf(given);
    const options = state.tables.flatMap((table, at) =>
      table.firms.map((firm, seat) =>
        el("option", {
          value: `${at} ${seat}`,
          selected: pupil?.table === at && pupil?.firm === seat,
          text: `${table.name}, seat ${seat + 1}: ${firm.name}`,
        }),
      ),
    );
    const [box, input] = labelled("Place", el("select", {}, ...options));
    return {
      box,
      read: () => {
        const [table, firm] = input.value.split(" ").map(Number);
        return { table, firm };
      },
    };
  },
};

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

export function whole(text, what, range = "a whole number from 0 up") {
  const found = text.trim().replace(/^\$/, "");
  if (!/^\d{1,6}$/.test(found))
    throw new Trouble(`${what}: give ${range}, not “${text.trim()}”.`);
  return Number(found);
}

/** After these there is no class that could be shown. */
const CLOSING = ["finish", "delete"];

/** The one dialog of the page. */
export const dialog = {
  open(title, body, buttons, submit = null) {
    say($("d-title"), title);
    $("d-body").replaceChildren(...body);
    say($("d-trouble"), "");
    $("d-buttons").replaceChildren(...buttons);
    dialog.submit = submit;
    if (!$("dialog").open) $("dialog").showModal();
    (
      $("d-body").querySelector("input:not([readonly]), select") ?? $("d-buttons").firstElementChild
    ).focus();
  },
  close() {
    if ($("dialog").open) $("dialog").close();
  },
  cancel: (text = "Cancel") =>
    el("button", { type: "button", text, onclick: () => dialog.close() }),
  /** Ask before something is done, and for what it needs. */
  ask(one, given, missing) {
    const pupil = pupilOf(given);
    const table = given.table == null ? null : tableName(given.table);
    const about =
      pupil?.name ??
      (given.firm == null ? table : state.tables[given.table].firms[given.firm].name);
    const fields = missing.map((need) => FIELDS[need](given));
    const tables = given.table == null ? state.tables : [state.tables[given.table]];
    const name = label(one, tables);
    const body = one.ask ? [el("p", { text: one.ask })] : [];
    if (BACK[one.do] && takenBack(one.do, tables).length > 1) {
      const each = tables.filter(({ last }) => last);
      const lines = each.map((table) => `${table.name}: ${takenBack(one.do, [table])}`);
      body.push(el("p", { text: `${lines.join("; ")}.` }));
    }
    if (CLOSING.includes(one.do) && !downloaded) {
      body.push(el("p", { class: "warn", text: "Nothing was downloaded from this page yet." }));
    }
    body.push(...fields.map(({ box }) => box));
    const yes = el("button", { class: `main${one.ask ? " danger" : ""}`, text: name });
    dialog.open(
      about ? `${name}: ${about}` : name,
      body,
      [dialog.cancel(), yes],
      async () => {
        const command = { do: one.do, ...given };
        for (const field of fields) Object.assign(command, field.read());
        const done = await act(command);
        if (!done.ok) throw new Trouble(done.text);
        $("said").replaceChildren();
        if (CLOSING.includes(one.do)) return leave(done.text, one.do === "delete");
        dialog.close();
        tell(done);
        if (done.key) await showLink(given.pupil);
      },
    );
  },
};

export async function submitDialog(event) {
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

export function changePupil(id) {
  const pupil = pupilOf({ pupil: id });
  const choices = shownControls(["rename", "reseat", "newlink"]);
  const last = control(pupil.out ? "readmit" : "kick");
  const buttons = [...choices, ...(last ? [last] : [])].map((one) => {
    const button = el("button", {
      type: "button",
      onclick: ({ currentTarget }) => usable(currentTarget) && run(one.do, { pupil: id }),
    });
    updateButton(button, one);
    return button;
  });
  const link = el("button", {
    type: "button",
    text: "Show this pupil's link",
    onclick: () => showLink(id),
  });
  dialog.open(
    pupil.name,
    [
      el("p", { text: `${placeWords(pupil)} · ${pupil.here ? "here" : "away"}` }),
      el("div", { class: "choices" }, link, ...buttons),
    ],
    [dialog.cancel("Close")],
  );
}

async function showLink(id) {
  const pupil = pupilOf({ pupil: id });
  const box = el("div", { class: "qr" });
  const trouble = el("p", { class: "warn", role: "alert" });
  const input = el("input", {
    readonly: true,
    "aria-label": "Link",
    onfocus: () => input.select(),
  });
  dialog.open(
    pupil.name,
    [
      el("p", {
        text: "Whoever scans this sits on this pupil's seat. “A new link” makes it useless.",
      }),
      box,
      input,
      trouble,
    ],
    [dialog.cancel("Close")],
  );
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
