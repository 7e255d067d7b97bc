// The instructor's page: what the class sees on the projector, and the controls.
//
// The server decides everything; the page shows its state, and sends what a button asks for.
// All text from people reaches the page by textContent alone.

import { DELETE, dialog, forgetSaid, submitDialog, tellTrouble, usable } from "./host_ask.js";
import { listenControls, renderControls, tickControls } from "./host_controls.js";
import { download, fillSlips } from "./host_files.js";
import { $, say, show, stored } from "./host_page.js";
import { noteNews, renderProjector, tickProjector, wake } from "./host_projector.js";
import { control, setView, settings, state, view } from "./host_state.js";
import {
  NOT_YET,
  begin,
  checkLine,
  farewell,
  key,
  page,
  pick,
  readFragment,
  wire,
} from "./host_wire.js";

const NOTICES = {
  none: [
    "This page needs the instructor's link",
    "Open it with the button in the host notebook's panel, or with the instructor link " +
      "that “exdec host” printed. The link ends in #k= and a long key. Pupils use another " +
      "address, the one on the projector.",
  ],
  key: [
    "This link does not open the class",
    "Its key belongs to another class, or it was not copied whole. Open the page again from the " +
      "host notebook's panel, or with the link that “exdec host” printed.",
  ],
  closed: [
    "No class is open here",
    "It was finished, or nobody has opened one yet. Open a class in the host notebook or with " +
      "“exdec host”; this page then finds it by itself.",
  ],
};

function showNotice(why) {
  dialog.close();
  if (state) return render();
  const [title, text] = NOTICES[why];
  say($("notice-title"), title);
  say($("notice-text"), why === "closed" && farewell ? farewell : text);
  show($("notice-again"), why !== "none");
  for (const id of ["projector", "controls", "slips"]) show($(id), false);
  $("said").replaceChildren();
  show($("notice"), true);
  document.title = title;
}

function go(to) {
  setView(to);
  stored(sessionStorage, "exdec-host-view", view);
  dialog.close();
  $("s-cards").replaceChildren();
  render();
  document.querySelector(".desk").scrollTo(0, 0);
  keepAwake();
  const first =
    view === "projector" ? $("projector") : document.querySelector("#controls [data-view]");
  first.focus({ preventScroll: true });
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

function readSettings() {
  try {
    Object.assign(settings, JSON.parse(stored(localStorage, "exdec-host") ?? "{}"));
  } catch {
    // Somebody else's value; the page's own settings stay.
  }
  document.documentElement.dataset.theme = settings.theme;
  for (const choice of document.querySelectorAll("[data-theme-choice]"))
    choice.value = settings.theme;
  $("p-who").checked = settings.names;
  render();
}

function setSetting(name, value) {
  settings[name] = value;
  stored(localStorage, "exdec-host", JSON.stringify(settings));
  readSettings();
}

async function showSlips() {
  try {
    await fillSlips();
  } catch (trouble) {
    return tellTrouble(trouble);
  }
  render();
  window.scrollTo(0, 0);
  return $("s-print").focus();
}

function hideSlips() {
  $("s-cards").replaceChildren();
  render();
  $("c-slips").focus();
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

function tick() {
  if (!state) return;
  if (view === "projector") tickProjector();
  else tickControls();
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
    pick(at < 0 ? null : at);
    event.target.blur();
  });
  $("c-window").addEventListener("click", () => {
    const url = new URL(location.href);
    url.hash = new URLSearchParams({ k: key, view: "projector" });
    window.open(url, "_blank", "noopener");
  });
  for (const [id, work] of [
    ["c-download", download],
    ["c-slips", showSlips],
  ]) {
    $(id).addEventListener("click", ({ currentTarget }) => usable(currentTarget) && work());
  }
  $("s-print").addEventListener("click", () => window.print());
  $("s-back").addEventListener("click", hideSlips);
  $("d-form").addEventListener("submit", submitDialog);
  $("notice-again").addEventListener("click", begin);
  document.addEventListener("keydown", hotKey);
  for (const kind of ["pointermove", "pointerdown", "focusin"]) {
    document.addEventListener(kind, wake);
  }
  document.addEventListener("visibilitychange", () => {
    keepAwake();
    if (!document.hidden) checkLine();
  });
  document.addEventListener("fullscreenchange", () => {
    say($("p-full"), document.fullscreenElement ? "Leave full screen" : "Full screen");
  });
  window.addEventListener("hashchange", () => {
    readFragment();
    begin();
  });
  window.addEventListener("storage", readSettings);
  window.addEventListener("online", () => wire.down && begin());
  window.addEventListener("offline", () => checkLine(0));
  // The room there is also changes with a line above or below it.
  new ResizeObserver(render).observe($("projector"));
  setInterval(tick, 250);
  setInterval(() => checkLine(), 5000);
}

page.part = showNotice;
page.down = (down) => {
  const again = state?.again ? ` Has the program stopped? ${state.again}` : "";
  const text = wire.away
    ? NOT_YET
    : `Not connected. This page tries again by itself.${again}`;
  say($("lost"), down ? text : "");
};
page.show = (before) => {
  if (!control("delete")) state.controls.push(DELETE);
  forgetSaid();
  noteNews(before);
  render();
};

readFragment();
setView(stored(sessionStorage, "exdec-host-view"));
readSettings();
listenControls();
listen();
begin();
