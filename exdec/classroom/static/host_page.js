// Making the page and its words; nothing here knows of the class.

export const $ = (id) => document.getElementById(id);

/** Make an element; `on…` options are listeners, `text` is its text, the others attributes. */
export function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Change text only where it differs, so that screen readers repeat nothing. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function show(node, on) {
  node.hidden = !on;
}

/** Bring a parent's children in line with a list; those that stay keep focus and selection. */
export function keep(parent, items, keyOf, make, update = () => {}) {
  const keys = items.map((item, at) => String(keyOf(item, at)));
  const wanted = new Set(keys);
  const old = new Map();
  for (const node of [...parent.children]) {
    if (wanted.has(node.dataset.key)) old.set(node.dataset.key, node);
    else node.remove();
  }
  items.forEach((item, at) => {
    let node = old.get(keys[at]);
    if (!node) {
      node = make(item, at);
      node.dataset.key = keys[at];
    }
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
    update(node, item, at);
  });
}

/** Words in a row, each in an element of its own. */
export function keepTexts(parent, texts, tag = "li") {
  keep(
    parent,
    texts,
    (text, at) => `${at} ${text}`,
    (text) => el(tag, { text }),
  );
}

/** Make the type smaller until what is inside fits; sizes in em. */
export function fit(node, largest, smallest) {
  for (let size = largest; ; size *= 0.93) {
    node.style.fontSize = `${Math.max(size, smallest)}em`;
    const fits =
      node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1;
    if (fits || size <= smallest) return fits;
  }
}

export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
export const dollars = (n) =>
  `${n < 0 ? "−" : ""}$${Math.abs(n).toLocaleString("en-US")}`;
export const signed = (n) => (n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${Math.abs(n)}`);
export const gain = (n) => (n > 0 ? `+${dollars(n)}` : dollars(n));
export const listed = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export function clockText(left) {
  const all = Math.ceil(left);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

export function clockWords(left) {
  const all = Math.ceil(left);
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  if (all === 0) return "time is up";
  const parts = [];
  if (minutes) parts.push(count(minutes, "minute"));
  if (seconds) parts.push(count(seconds, "second"));
  return `${parts.join(" ")} left`;
}

/** What a browser may refuse to keep is then forgotten with the page. */
export function stored(where, name, value) {
  try {
    if (value !== undefined) where.setItem(name, value);
    return where.getItem(name);
  } catch {
    return null;
  }
}
