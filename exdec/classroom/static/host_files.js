// Slips to print, and files to keep.

import { ONLY_HERE, OPEN_ANEW, joinBase, onlyHere, qrCodes } from "./host_links.js";
import { $, count, el, say, show } from "./host_page.js";
import { control, state } from "./host_state.js";
import { Trouble, fetched, fetchedJson } from "./host_wire.js";

export let downloaded = false;

let making = 0; // the timer that counts while files are made

export async function download() {
  if (making) return;
  const pseudonyms = $("c-pseudonyms").checked;
  const said = $("c-downloading");
  const begun = performance.now();
  // Seen to go on, and not read out each second.
  const seconds = el("span", { "aria-hidden": "true" });
  const counting = () => say(seconds, ` ${Math.round((performance.now() - begun) / 1000)} s`);
  say(said, "The files are being made. This takes a few seconds.");
  said.append(seconds);
  making = setInterval(counting, 1000);
  try {
    const answer = await fetched(
      `host/export.zip${pseudonyms ? "?pseudonyms=1" : ""}`,
      {},
      120_000,
    );
    if (!answer.ok)
      throw new Trouble("The server could not collect the files. Its own window says why.");
    const named = /filename="?([\w. -]+)"?/.exec(answer.headers.get("Content-Disposition") ?? "");
    const name = named?.[1] ?? `class${pseudonyms ? "-pseudonyms" : ""}.zip`;
    const address = URL.createObjectURL(await answer.blob());
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    downloaded = true;
    say(said, `${name} is in your browser's folder of downloads.`);
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    say(said, trouble.message);
  } finally {
    clearInterval(making);
    making = 0;
  }
}

const SAME_NETWORK =
  "Slips carry this computer's address in the network it is in now. Make them where you play.";
const noUse = () =>
  `${ONLY_HERE} ${
    control("room") ? `Press “${control("room").label}” (Joining)` : OPEN_ANEW.slice(0, -1)
  }; then make the slips.`;

/** Lay out a slip for each pupil; says how many there are. */
export async function fillSlips() {
  const { slips } = await fetchedJson("host/slips");
  if (!slips.length) throw new Trouble("There are no pupils yet, so there are no slips.");
  const codes = await qrCodes(slips.map((slip) => `${joinBase()}#k=${slip.key}`));
  $("s-cards").replaceChildren(...slips.map((slip, at) => makeSlip(slip, codes[at])));
  say($("s-said"), `${count(slips.length, "slip")}, eight to a page.`);
  const { hostname } = new URL(joinBase());
  const warning = onlyHere() ? noUse() : /^[\d.]+$/.test(hostname) ? SAME_NETWORK : "";
  show($("s-address"), Boolean(warning));
  say($("s-address"), warning);
}

function makeSlip({ name, table }, source) {
  return el(
    "li",
    {},
    el("img", { src: source, alt: `QR code of ${name}'s link` }),
    el(
      "div",
      {},
      el("strong", { text: name }),
      el("span", { text: table ? `${state.title}, ${table}` : state.title }),
      el("span", {}, "Scan the code: it opens your seat. Keep this slip."),
      el("span", {}, "If it does not scan, ask your teacher."),
    ),
  );
}
