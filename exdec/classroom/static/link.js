// The line to the class: a WebSocket while there is one, else asking every few seconds.

const BEAT = 15e3;
const DEAD = 10e3;
const ASK = 3e3;
const FIRST = 500;
const LONGEST = 10e3;
const SOCKET_AGAIN = 45e3;

/**
 * Ask the class one thing over plain HTTP; gives the messages that it answers.
 *
 * Throws if nothing comes, or what comes is not from the class: a proxy's page, a login.
 */
export async function ask(message) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), DEAD);
  try {
    const answer = await fetch("say", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
      redirect: "manual",
      signal: stop.signal,
    });
    const { messages } = await answer.json();
    if (!answer.ok) throw new Error("no class");
    return messages.slice();
  } finally {
    clearTimeout(late);
  }
}

/**
 * Keeps in touch with the class for one seat, until `stop`.
 *
 * `hello(asking)` gives the message to begin with, `hear` gets every message that comes, and
 * `changed` is told whether the class answers.
 */
export class Link {
  constructor(key, { hello, hear, changed }) {
    Object.assign(this, { key, hello, hear, changed, socket: null, up: false, done: false });
    this.hang = this.beat = this.wake = () => {};
    // The phone wakes up, or the network is back: see at once whether the line still holds.
    this.nudge = () => {
      if (document.hidden) return;
      this.beat();
      this.wake();
    };
    addEventListener("online", this.nudge);
    document.addEventListener("visibilitychange", this.nudge);
    this.run();
  }

  stop() {
    this.done = true;
    removeEventListener("online", this.nudge);
    document.removeEventListener("visibilitychange", this.nudge);
    this.hang();
    this.wake();
  }

  /** Send a message, if the class can be reached now. */
  send(message) {
    if (this.socket) this.socket.send(JSON.stringify(message));
    else if (this.up) this.post(message);
  }

  async run() {
    // A browser or a proxy may let no WebSocket through. Then asking has to do, and the socket is
    // tried again now and then. Where one has opened before, it is worth more patience.
    let failed = 0;
    let opened = false;
    let wait = FIRST;
    let socketAt = 0;
    while (!this.done) {
      const asking = failed >= (opened ? 4 : 2) && Date.now() < socketAt;
      if (!asking) {
        const lived = await this.talk().catch(() => false); // forbidden, by an old browser's CSP
        opened = opened || lived;
        failed = lived ? 0 : failed + 1;
        socketAt = Date.now() + SOCKET_AGAIN;
        if (lived) wait = FIRST;
      }
      // Asking also tells why there is no socket.
      if (!this.done && (await this.post(this.hello(true))) && asking) wait = ASK;
      await this.sleep(wait * (0.5 + Math.random()));
      wait = Math.min(LONGEST, wait * 2);
    }
  }

  sleep(time) {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.wake = () => {
        clearTimeout(timer);
        // Not all phones at the very moment at which a classroom's network is back.
        setTimeout(done, Math.random() * FIRST);
      };
    });
  }

  take(messages) {
    if (this.done) return;
    this.changed((this.up = true));
    messages.forEach((message) => this.done || this.hear(message));
  }

  async post(message) {
    let messages;
    try {
      messages = await ask({ ...message, key: this.key });
    } catch (_) {
      if (!this.done) this.changed((this.up = false));
      return false;
    }
    this.take(messages);
    return true;
  }

  /** Use a WebSocket as long as it lives; gives whether it ever did. */
  talk() {
    return new Promise((ended) => {
      const url = new URL("live", location.href.split("#")[0]);
      url.protocol = url.protocol.replace("http", "ws");
      const socket = new WebSocket(url.href);
      let lived = false;
      let pulse = 0;
      let death = setTimeout(() => this.hang(), DEAD);
      this.hang = socket.onclose = () => {
        clearInterval(pulse);
        clearTimeout(death);
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
        this.socket = null;
        this.beat = this.hang = () => {};
        ended(lived);
      };
      socket.onopen = () => {
        this.socket = socket;
        this.beat = () => {
          this.send({ t: "ping" });
          clearTimeout(death);
          death = setTimeout(() => this.hang(), DEAD);
        };
        pulse = setInterval(() => this.beat(), BEAT);
        this.send({ ...this.hello(false), key: this.key });
      };
      socket.onmessage = ({ data }) => {
        clearTimeout(death);
        lived = true;
        this.take([JSON.parse(data)]);
      };
    });
  }
}
