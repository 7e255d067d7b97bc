// Addresses that pupils type and QR codes that they scan.

import { el } from "./host_page.js";
import { state } from "./host_state.js";
import { fetchedJson, here } from "./host_wire.js";

export const joinBase = () => state.join ?? here.href;

/** As it is typed: without scheme and without the last slash. */
export const typed = (url) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

/** Phones cannot reach an address that means "this computer". */
export function onlyHere() {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(joinBase()).hostname);
}

export const ONLY_HERE = "This address works on this computer only, so phones cannot open it.";

/** What `exdec host` needs then; it opens no second address. */
export const OPEN_ANEW =
  "Start exdec host without --address, or with this computer's address in the room.";

const drawn = new Map();

/** QR codes as data addresses, in the order of the texts. */
export async function qrCodes(texts) {
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
    found.setAttribute(
      "viewBox",
      `0 0 ${found.getAttribute("width")} ${found.getAttribute("height")}`,
    );
  }
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(found))}`;
}

export function putQr(box, text, alt) {
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
export function putAddress(node, text) {
  if (node.textContent === text) return;
  node.replaceChildren();
  for (const part of text.split(/(?<=[/.])/)) node.append(part, el("wbr"));
}
