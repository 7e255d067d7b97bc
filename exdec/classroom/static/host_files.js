// Slips to print, and files to keep.

import { joinBase, putAddress, qrCodes, typed } from "./host_links.js";
import { $, count, el, say } from "./host_page.js";
import { state } from "./host_state.js";
import { Trouble, fetched, fetchedJson } from "./host_wire.js";

export let downloaded = false;

export async function download() {
  const said = $("c-downloading");
  say(said, "The server collects the files.");
  try {
    const answer = await fetched(
      `host/export.zip${$("c-pseudonyms").checked ? "?pseudonyms=1" : ""}`,
      {},
      120_000,
    );
    if (!answer.ok)
      throw new Trouble("The server could not collect the files. Its own window says why.");
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

/** Lay out a slip for each pupil; says how many there are. */
export async function fillSlips() {
  const { slips } = await fetchedJson("host/slips");
  if (!slips.length) throw new Trouble("There are no pupils yet, so there are no slips.");
  const codes = await qrCodes(slips.map((slip) => `${joinBase()}#k=${slip.key}`));
  $("s-cards").replaceChildren(...slips.map((slip, at) => makeSlip(slip, codes[at])));
  say($("s-said"), `${count(slips.length, "slip")}, eight to a page.`);
}

function makeSlip({ name, table }, source) {
  const address = el("span", { class: "address" });
  putAddress(address, typed(joinBase()));
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
      address,
      el("span", {}, "Code ", el("b", { class: "code", text: state.code })),
    ),
  );
}
