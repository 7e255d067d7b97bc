// The Price Level Board and the chart of its prices.

import { dollars, el, signed, svg } from "./host_page.js";
import { MONTHS, earliest, shownTables, state } from "./host_state.js";

// The colours are in host.css. See exdec/theme.py: each series looks the same everywhere.
export const SERIES = [
  { key: "X", name: "X-FINE", dash: "none", mark: "circle" },
  { key: "F", name: "FINE", dash: "10 6", mark: "square" },
  { key: "S", name: "STANDARD", dash: "2 5", mark: "diamond" },
  { key: "A", name: "A", dash: "none", mark: "triangle" },
  { key: "B", name: "B", dash: "10 6", mark: "cross" },
  { key: "C", name: "C", dash: "2 5", mark: "star" },
];
export const MATERIALS = [0, 1, 2];
export const GOODS = [3, 4, 5];

/** Months that have a column; tables may play different numbers of them, and may end early. */
function allMonths(board) {
  const last = Math.max(1, ...board.months.map(({ m }) => m));
  return state.phase === "over" ? last : Math.max(state.months, last);
}

const [MOST_COLUMNS, LAST_COLUMNS] = [6, 4];

/** Months that have a column: all of a short game, the last ones of a long one. */
function columns(board) {
  const [all, posted] = [allMonths(board), board.months.at(-1)?.m ?? 1];
  const many = all > MOST_COLUMNS ? LAST_COLUMNS : all;
  const last = Math.max(many, posted, Math.min(all, playedMonth() ?? posted));
  return Array.from({ length: many }, (_, at) => last - many + 1 + at);
}

/** The month that is played, as in the notebook's board; none when all is over. */
function playedMonth() {
  const tables = shownTables().filter(({ over }) => !over);
  return tables.length ? earliest(tables).turn[0] : null;
}

export function drawBoard(box, board, whose) {
  const byMonth = new Map(board.months.map((month) => [month.m, month]));
  const now = playedMonth();
  // Averages follow no row of the Market Calculator.
  const moved = board.tables === 1 ? board.months.at(-1)?.m : null;
  const kind = (m) => `${m === now ? "now" : ""} ${m === moved ? "moved" : ""}`;
  const head = el("tr", {}, el("td"), el("th", { scope: "col", text: "Opening" }));
  const months = columns(board);
  for (const m of months) {
    head.append(
      el("th", { scope: "col", text: MONTHS[m - 1].slice(0, 3), class: kind(m) }),
    );
  }
  const rows = SERIES.map((series, at) => {
    const row = el(
      "tr",
      { class: at === 3 && "first-good" },
      el("th", { scope: "row" }, markIcon(series), series.name),
      el("td", { text: board.opening[at] }),
    );
    for (const m of months) {
      const price = byMonth.get(m)?.prices[at];
      const cell = el("td", { class: kind(m), text: price ?? "" });
      if (price != null && m === moved) {
        const move = price - (byMonth.get(m - 1)?.prices ?? board.opening)[at];
        cell.append(
          " ",
          el("small", {
            class: move > 0 ? "up" : move < 0 && "down",
            text: `${move > 0 ? "▲" : move < 0 ? "▼" : ""}${signed(move)}`,
          }),
        );
      }
      row.append(cell);
    }
    return row;
  });
  const caption = `Price Level Board, $ a unit${whose && `, ${whose}`}`;
  const table = el(
    "table",
    {},
    el("caption", { class: "away", text: caption }),
    el("thead", {}, head),
    el("tbody", {}, ...rows),
  );
  // In em of the page: the board's type is smaller.
  box.parentElement.style.setProperty("--board", `${0.78 * (17.4 + 2.8 * (months.length - 1))}em`);
  box.replaceChildren(table);
}

function markPath(kind, x, y, r) {
  const points = (list) => `M${list.map(([dx, dy]) => `${x + dx * r} ${y + dy * r}`).join("L")}Z`;
  switch (kind) {
    case "circle":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case "square":
      return points([
        [-0.9, -0.9],
        [0.9, -0.9],
        [0.9, 0.9],
        [-0.9, 0.9],
      ]);
    case "diamond":
      return points([
        [0, -1.2],
        [1.2, 0],
        [0, 1.2],
        [-1.2, 0],
      ]);
    case "triangle":
      return points([
        [0, -1.15],
        [1.1, 0.85],
        [-1.1, 0.85],
      ]);
    case "cross":
      return points([
        [-0.4, -1.1],
        [0.4, -1.1],
        [0.4, -0.4],
        [1.1, -0.4],
        [1.1, 0.4],
        [0.4, 0.4],
        [0.4, 1.1],
        [-0.4, 1.1],
        [-0.4, 0.4],
        [-1.1, 0.4],
        [-1.1, -0.4],
        [-0.4, -0.4],
      ]);
    default:
      return points(
        Array.from({ length: 10 }, (_, n) => {
          const [far, angle] = [n % 2 ? 0.55 : 1.3, (n * Math.PI) / 5];
          return [far * Math.sin(angle), -far * Math.cos(angle)];
        }),
      );
  }
}

export function markIcon({ key: name, mark }) {
  return svg(
    "svg",
    { class: `mark s-${name}`, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
    svg("path", { d: markPath(mark, 0, 0, 5) }),
  );
}

/** Pixels for labels at given heights so that none covers another (exdec.charts.apart). */
function apart(heights, room) {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a] - heights[b]);
  const up = order.map((at) => heights[at]);
  for (let at = 1; at < up.length; at++) up[at] = Math.max(up[at], up[at - 1] + room);
  const down = order.map((at) => heights[at]);
  for (let at = down.length - 2; at >= 0; at--) down[at] = Math.min(down[at], down[at + 1] - room);
  const placed = [];
  order.forEach((at, rank) => (placed[at] = (up[rank] + down[rank]) / 2));
  return placed;
}

/** The ticks of a panel: as few as are enough to read a price by. */
function ticksBetween(low, high, dollar, type) {
  const apart = [1, 2, 5, 10, 20, 25, 50, 100, 200].filter((step) => step * dollar > 1.2 * type);
  const ticks = apart.map((step) => {
    const first = Math.max(0, Math.ceil(low / step));
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, n) => (first + n) * step);
  });
  return ticks.findLast((some) => some.length > 2) ?? ticks[0];
}

/**
 * Goods above and materials below. A dollar is equally high in both, as long as neither then
 * becomes too low to be read from the back.
 */
export function drawChart(box, board) {
  const [width, height] = [box.clientWidth, box.clientHeight];
  if (width < 50 || height < 50) return;
  const type = parseFloat(getComputedStyle(box).fontSize);
  const last = Math.max(0, ...board.months.map(({ m }) => m));
  const span = Math.min(allMonths(board), Math.max(3, last));
  const lines = SERIES.map((_, at) => [
    { m: 0, price: board.opening[at] },
    ...board.months
      .filter(({ prices }) => prices[at] != null)
      .map(({ m, prices }) => ({ m, price: prices[at] })),
  ]);
  const [left, right, bottom, edge] = [2.6 * type, 10 * type, 1.5 * type, 0.6 * type];
  // The names at the lines' ends stand in months to come, as far as there is room.
  const each = Math.min((width - left - right) / Math.max(1, last), (width - left - 2 * type) / span);
  const x = (month) => left + month * each;
  const heading = 1.4 * type;
  const free = height - bottom - 2 * heading;
  const spread = [GOODS, MATERIALS].map((group) => {
    const prices = group.flatMap((at) => lines[at].map(({ price }) => price));
    return { low: Math.min(...prices), high: Math.max(...prices) };
  });
  const size = spread.map(({ low, high }) => Math.max(high - low, 10) + 1);
  const share = Math.min(0.65, Math.max(0.35, size[0] / (size[0] + size[1])));
  const heights = [free * share, free * (1 - share)];
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": chartWords(lines),
  });
  const whose = [box.dataset.goods, box.dataset.materials];
  let top = 0;
  [GOODS, MATERIALS].forEach((group, n) => {
    const dollar = (heights[n] - 2 * edge) / size[n];
    const middle = (spread[n].low + spread[n].high) / 2;
    const base = top + heading + heights[n] / 2;
    const y = (price) => base - (price - middle) * dollar;
    picture.append(
      svg(
        "text",
        { x: 0, y: top + type, class: "heading" },
        `${n ? "Materials" : "Goods"}, $${whose[n] && ` · ${whose[n]}`}`,
      ),
    );
    // Not into the headings of this panel and the one below.
    const reach = (heights[n] / 2 - 0.5 * type) / dollar;
    for (const price of ticksBetween(middle - reach, middle + reach, dollar, type)) {
      picture.append(
        svg("line", { class: "grid", x1: left, x2: width, y1: y(price), y2: y(price) }),
        svg(
          "text",
          { class: "tick", x: left - 0.6 * type, y: y(price) + 0.3 * type, "text-anchor": "end" },
          String(price),
        ),
      );
    }
    const ends = group.map((at) => y(lines[at].at(-1).price));
    const places = apart(ends, 1.15 * type);
    group.forEach((at, rank) => {
      const { key: name, name: word, dash, mark } = SERIES[at];
      const points = lines[at].map(({ m, price }) => [x(m), y(price)]);
      const line = svg("g", { class: `s-${name}` });
      line.append(
        svg("polyline", {
          points: points.map((point) => point.join()).join(" "),
          "stroke-dasharray": dash,
        }),
      );
      for (const [px, py] of points)
        line.append(svg("path", { d: markPath(mark, px, py, 0.26 * type) }));
      const end = points.at(-1)[0] + 0.7 * type;
      // A label that had to move away from its line is tied to the line's end.
      const moved = Math.abs(places[rank] - ends[rank]) > 0.3 * type;
      const text = svg(
        "text",
        { x: end + (moved ? 0.8 * type : 0), y: places[rank] + 0.35 * type },
        `${word} `,
      );
      text.append(svg("tspan", { class: "strong" }, dollars(lines[at].at(-1).price)));
      if (moved)
        line.append(
          svg("line", {
            class: "leader",
            x1: end - 0.3 * type,
            y1: ends[rank],
            x2: end + 0.6 * type,
            y2: places[rank],
          }),
        );
      picture.append(line, text);
    });
    top += heading + heights[n];
  });
  // The first of them is the longest.
  const every = Math.ceil((3.1 * type) / each);
  for (let m = 0; m <= span; m += every) {
    picture.append(
      svg(
        "text",
        { class: "tick", x: x(m), y: height - 0.3 * type, "text-anchor": "middle" },
        m ? MONTHS[m - 1].slice(0, 3) : "Opening",
      ),
    );
  }
  box.replaceChildren(picture);
  for (const text of picture.querySelectorAll(".heading")) {
    const long = text.getComputedTextLength();
    if (long > width) text.style.fontSize = `${width / long}em`;
  }
}

function chartWords(lines) {
  const words = SERIES.map(({ name }, at) => `${name} ${dollars(lines[at].at(-1).price)}`);
  return `Prices from the opening on; now ${words.join(", ")}.`;
}
