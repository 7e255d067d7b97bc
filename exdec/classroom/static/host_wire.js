// The line to the server: the key, the state as it comes, and commands.
//
// A WebSocket brings the state; while there is none, the page asks for it. Commands are requests
// of their own, so that each gets an answer.

import { stored } from "./host_page.js";
import { holdClocks, setClosed, setState, state } from "./host_state.js";

export const here = new URL(".", location.href); // …/exdec/

export let key = null;

export const wire = {
  socket: null,
  session: 0, // another whenever the line is given up
  tries: 0,
  heard: 0,
  retry: 0,
  poll: 0,
  wanted: null, // the table whose board is asked for
  down: false,
  away: false, // the server is there, and has not opened the class again
};

export const NOT_YET =
  "The class has not been opened again yet. This page goes on by itself when it is.";

export class Trouble extends Error {}

export async function fetched(path, options = {}, patience = 15_000) {
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
    throw new Trouble(
      "The server does not answer. The class may still run; try again in a moment.",
    );
  }
  if (answer.status === 401 || answer.status === 403) {
    part("key");
    throw new Trouble("The server does not accept this page's key.");
  }
  if (answer.status === 404) {
    missing();
    throw new Trouble(wire.away ? NOT_YET : "No class is open on this server.");
  }
  return answer;
}

export async function fetchedJson(path, body) {
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
    if (wire.wanted !== null) socket.send(JSON.stringify({ t: "show", table: wire.wanted }));
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
  wire.session += 1;
  const { socket } = wire;
  wire.socket = null;
  socket?.close();
}

const fetchedState = () =>
  fetchedJson(wire.wanted == null ? "host/state" : `host/state?show=${wire.wanted}`);

/** Ask for the state, again and again until the WebSocket brings it. */
async function poll() {
  clearTimeout(wire.poll);
  const { session } = wire;
  try {
    const message = await fetchedState();
    if (session === wire.session) heard(message, false);
  } catch {
    if (session === wire.session) {
      wire.away = false;
      setDown(true);
    }
  }
  if (session === wire.session && wire.socket?.readyState !== WebSocket.OPEN) {
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
  if (message.t === "no") part("key");
  else if (message.t === "gone") part("closed");
  else if (message.t === "none") missing();
  else if (message.t === "state") {
    wire.away = false;
    setDown(false);
    farewell = "";
    const before = state;
    setState(message);
    page.show(before);
  }
}

/** What the page does when there is news; the page itself says how. */
export const page = {
  /** There is a new state. */
  show() {},
  /** There is none: "none" for no key, "key" for a wrong one, "closed" for no class. */
  part() {},
  /** The server is out of reach, or within it again. */
  down() {},
};

/** What the server said when this page closed the class. */
export let farewell = "";

export function leave(text, gone) {
  farewell = text;
  part("closed", gone);
}

/** The server has no class. One that nobody has closed is opened again some time. */
function missing() {
  if (!state || state.closed) return part("closed");
  disconnect();
  wire.away = true;
  holdClocks();
  setDown(true);
  wire.retry = setTimeout(begin, 2000);
}

/** There is no class, or none that this page may see; what was played stays unless it is gone. */
export function part(why, gone = false) {
  disconnect();
  const played = why === "closed" && state && state.phase !== "lobby";
  if (!gone && (played || state?.closed)) setClosed();
  else setState(null);
  setDown(false);
  page.part(why);
  if (why === "closed") wire.retry = setTimeout(begin, 5000);
}

export function begin() {
  disconnect();
  if (!key) return part("none");
  wire.tries = 0;
  return connect();
}

/** A line that is dead without having been closed is found by asking another way. */
export function checkLine(patience = 25_000) {
  if (wire.socket?.readyState !== WebSocket.OPEN || performance.now() - wire.heard < patience)
    return;
  wire.heard = performance.now();
  fetchedState().then(
    (message) => heard(message, false),
    () => wire.socket && lost(),
  );
}

function setDown(down) {
  wire.down = down;
  if (down && state) holdClocks();
  page.down(down && !state?.closed);
}

/** Show one table's board, or the average of all for null. */
export function pick(table) {
  wire.wanted = table;
  if (wire.socket?.readyState === WebSocket.OPEN) {
    wire.socket.send(JSON.stringify({ t: "show", table }));
  }
}

/** Send a command; its answer as a line, with a way back if there is one. */
export async function act(command) {
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

/** Read what stands after # in the address, and take it out of there. */
export function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("k")) {
    key = given.get("k");
    stored(sessionStorage, "exdec-host-key", key);
  }
  if (given.has("view")) stored(sessionStorage, "exdec-host-view", given.get("view"));
  if (location.hash) history.replaceState(null, "", location.pathname);
  key ??= stored(sessionStorage, "exdec-host-key");
}
