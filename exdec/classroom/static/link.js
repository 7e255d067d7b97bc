// The line to the class: a WebSocket while there is one, else asking now and then.

const [FIRST, ASK, DEAD, BEAT, AGAIN] = [500, 3e3, 10e3, 15e3, 30e3]; // milliseconds

export async function ask(message) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), DEAD);
  const answer = await fetch("say", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    redirect: "manual",
    signal: stop.signal,
  });
  const { messages } = await answer.json();
  if (!answer.ok) throw messages;
  return messages.slice();
}

/** In touch for one seat until `stop`; `changed` is told whether the class answers. */
export class Link {
  constructor(key, { hello, hear, changed }) {
    Object.assign(this, { key, hello, hear, changed });
    this.hang = this.beat = this.wake = () => {};
    // The phone wakes up: does the line still hold?
    const nudge = () => {
      if (document.hidden) return;
      this.beat();
      this.wake();
    };
    addEventListener("online", nudge);
    document.addEventListener("visibilitychange", nudge);
    this.run();
  }

  stop() {
    this.done = true;
    this.hang();
    this.wake();
  }

  send(message) {
    if (this.socket) this.socket.send(JSON.stringify(message));
    else this.post(message);
  }

  async run() {
    // A proxy may let no WebSocket through: it is tried now and then.
    let [failed, wait, again] = [0, FIRST, 0];
    while (!this.done) {
      const asking = failed > 1 && Date.now() < again;
      if (!asking) {
        const lived = await this.talk().catch(() => false);
        failed = lived ? 0 : failed + 1;
        if (lived) wait = FIRST;
        again = Date.now() + AGAIN;
      }
      if (!this.done && (await this.post(this.hello(true))) && asking) wait = ASK;
      await new Promise((done) => {
        const timer = setTimeout(done, wait * (0.5 + Math.random()));
        // Not all phones at one moment.
        this.wake = () => {
          clearTimeout(timer);
          setTimeout(done, Math.random() * FIRST);
        };
      });
      wait = Math.min(DEAD, wait * 2);
    }
  }

  take(messages) {
    if (!this.done) this.changed(true);
    messages.forEach((message) => this.done || this.hear(message));
  }

  async post(message) {
    const messages = await ask({ ...message, key: this.key }).catch(() => null);
    if (messages) this.take(messages);
    else if (!this.done) this.changed(false);
    return messages;
  }

  async talk() {
    const url = new URL("live", location);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    let [lived, pulse, death] = [false, 0, setTimeout(() => this.hang(), DEAD)];
    return new Promise((ended) => {
      this.hang = socket.onclose = () => {
        clearInterval(pulse);
        clearTimeout(death);
        socket.onopen = socket.onmessage = socket.onclose = this.socket = null;
        this.beat = this.hang = () => {};
        socket.close();
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
        const message = JSON.parse(data);
        lived = message.t !== "no";
        this.take([message]);
      };
    });
  }
}
