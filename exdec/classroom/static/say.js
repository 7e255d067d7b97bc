// Arithmetic and sentences from the server's view.

import { usd, list, monthName, signed, t } from "./words.js";

export const MATERIALS = ["X", "F", "S"];
export const GOODS = ["A", "B", "C"];
export const ITEMS = [...MATERIALS, ...GOODS];
const { abs, max, round } = Math;
const NAMES = { X: "X-FINE", F: "FINE", S: "STANDARD" };

export const label = (item) => NAMES[item] || item;
export const itemsOf = (step) => (step === "sell" ? GOODS : MATERIALS);

export const last = (all) => all[all.length - 1];
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const counted = (counts, items) =>
  items.map((item, at) => counts[at] && `${counts[at]} ${label(item)}`).filter(Boolean);

export function pricesOf({ opening, postings }, item) {
  const at = ITEMS.indexOf(item);
  const posted = postings.filter(({ s }) => itemsOf(s).includes(item));
  return [opening[at], ...posted.map(({ prices }) => prices[at % 3])];
}

export const latest = (view, step) => itemsOf(step).map((item) => last(pricesOf(view, item)));

const single = (at) => GOODS.map((_, i) => Number(i === at));

/** The certificates that goods take (R12, R13), with substitutes; null if they fall short. */
function deliver({ recipes, subs }, held, goods) {
  const need = [0, 1, 2].map((grade) => sum(goods.map((n, at) => n * recipes[at][grade])));
  const fForS = max(0, need[2] - held[2]);
  const xForF = max(0, need[1] + fForS - held[1]);
  if (fForS > held[1] || need[0] + xForF > held[0]) return null;
  if ((fForS && !subs.includes("F for S")) || (xForF && !subs.includes("X for F"))) return null;
  return { need, xForF, fForS, used: [need[0] + xForF, need[1] + fForS - xForF, need[2] - fForS] };
}

export const makes = ({ recipes, subs, calc, ...more }) => [
  ...[["buys", "materials"], ["sales", "goods"]].filter(([one]) => more[`partial_${one}`])
    .map(([, what]) => t("partial", { what: t(what) })),
  ...recipes.map((recipe, at) => `${GOODS[at]} = ${counted(recipe, MATERIALS).join(" + ")}`),
  ...subs.map((sub) => t("mayStandIn", { held: label(sub[0]), for: label(sub[6]) })),
  ...calc.map(([none, each, end], at) => `${t("calc", {
    items: t(at ? "goods" : "materials"), none: signed(none), each: signed(each),
  })}${end === null ? "" : `, ${t("upTo", { most: end })}`}.`),
];

function most(rules, held, beside) {
  const each = GOODS.map((_, at) => {
    const mix = (beside || [0, 0, 0]).slice();
    const before = mix[at];
    do mix[at] += 1; while (deliver(rules, held, mix));
    return mix[at] - 1 - before;
  });
  const some = counted(each, GOODS);
  if (some.length) return t("upTo", { most: list(some, "or") });
  return t(beside ? "nothingMore" : "nothing");
}

/** Dollars that each good costs; null if certificates fall short. */
function costs({ rules, held, cost }, goods) {
  const delivery = deliver(rules, held, goods);
  if (!delivery) return null;
  const whole = cost.map((each, at) => round(each * held[at]));
  const [x, f, s] = whole.map((paid, at) => paid / (held[at] || 1));
  const { need, xForF, fForS, used } = delivery;
  const total = sum(used.map((n, at) => n && round((whole[at] * n) / held[at])));
  // All of a grade share what its substitutes cost.
  const place = [x, f + ((x - f) * xForF) / (need[1] || 1), s + ((f - s) * fForS) / (need[2] || 1)];
  const worth = goods.map((n, at) => n * sum(rules.recipes[at].map((many, i) => many * place[i])));
  const edge = (at) => even((total * sum(worth.slice(0, at))) / (sum(worth) || 1));
  return worth.map((_, at) => edge(at + 1) - edge(at));
}

/** Round as Python does: a half goes to the even number. */
const even = (n) => round(n) - (n % 1 && n % 0.5 === 0 && round(n) % 2 ? 1 : 0);

// -- advice (R7, R11, R13, R14)

/** Nothing typed is 0; throws a sentence. */
export function readNumber(what, typed) {
  // To some a comma or a point parts thousands, to others it starts the cents.
  const digits = typed.replace(/[\s$]/g, "");
  if (!/^\d{0,9}$/.test(digits)) throw t(/^[-−]\d/.test(digits) ? "minus" : "noNumber", { what, text: typed });
  return Number(digits);
}

/** The lowest and the highest that a line's item can post at. */
function posts({ rules: { calc, floors, others }, turn: [, step], ...view }, units, at) {
  const half = Number(step === "sell");
  const [none, each, end] = calc[half];
  const price = (n) => max(floors[half],
    latest(view, step)[at] + none + each * (end === null ? n : Math.min(n, end)));
  // Of a good the others may offer more than they can make, and it counts (R14).
  return half ? [0, price(units)] : [price(units), price(units + others)];
}

export function lineHint(view, bids, at) {
  const step = view.turn[1];
  const [units, price] = bids[at];
  if (step === "buy" && units > view.rules.grade) return "";
  const [low, high] = posts(view, units, at);
  const own = usd(high);
  const range = step === "sell" ? t("utmost", { own }) : low === high ? own : `${usd(low)} ${t("to")} ${own}`;
  const last = t("last", { price: usd(latest(view, step)[at]), range });
  if (step === "buy") return last;
  const cost = costs(view, units ? bids.map(([n]) => n) : single(at));
  if (!cost) return last;
  const mine = cost[at] / (units || 1);
  const amount = usd(even(mine));
  const one = t("costs", { cost: mine % 1 ? t("about", { cost: amount }) : amount });
  if (!units || price > high) return `${last} ${one}.`;
  return `${last} ${t("makes", { one, price: usd(price), gain: usd(even(price - mine)) })}`;
}

/** Weigh bids, each [units, price]: { text }, and perhaps a kind: "warns", "grave", or "bars" them. */
export function advise(view, bids) {
  const step = view.turn[1];
  const sells = step === "sell";
  const outside = ([units, price], at) => {
    const [low, high] = posts(view, units, at);
    const under = price < low;
    const part = view.rules[sells ? "partial_sales" : "partial_buys"];
    const text = t(under ? "tooLow" : "tooHigh", {
      price: usd(price),
      item: label(itemsOf(step)[at]),
      bound: usd(under ? low : high),
      then: t(sells ? "saleNone" : "overpay"),
    });
    return units > 0 && !part && (under || price > high) && { text, kind: "grave" };
  };
  const all = [...(sells ? onOffer : onOrder)(view, bids), ...bids.map(outside)].filter((one) => one && one.text);
  const bars = all.filter(({ kind }) => kind === "bars");
  return bars.length ? bars : all;
}

export const idle = ({ rules, held, turn }) =>
  turn[1] === "sell" && !GOODS.some((_, at) => deliver(rules, held, single(at)));

export const unitsOf = (bids) => sum(bids.map(([n]) => n));
export const worthOf = (bids) => sum(bids.map(([n, price]) => n * price));

function onOrder({ rules, cash, held }, bids) {
  const n = unitsOf(bids);
  const limit = (key, values, at) => {
    const over = values.n - values.limit;
    return over > 0 && { at, text: `${t(key, values)} ${t("takeOff", { over })}`, kind: "bars" };
  };
  const grade = ([units], at) => units <= rules.order
    && limit("ofGrade", { n: units, limit: rules.grade, item: label(MATERIALS[at]) }, at);
  const text = t("tooMuch", { sum: usd(worthOf(bids)), cash: usd(cash) });
  const all = held.map((units, at) => units + bids[at][0]);
  return [
    limit("ofAll", { n, limit: rules.order }),
    ...bids.map(grade),
    worthOf(bids) > cash && { text, kind: "grave" },
    n > 0 && n <= rules.order && { text: t("wouldMake", { most: most(rules, all) }) },
  ];
}

function onOffer(view, bids) {
  const { rules, held } = view;
  const units = bids.map(([n]) => n);
  const delivery = deliver(rules, held, units);
  if (!delivery) {
    const kind = rules.undeliverable === "refuse" ? "bars" : "grave";
    const text = t("cannotMake", {
      goods: counted(units, GOODS).join(", "),
      held: counted(held, MATERIALS).join(", ") || t("nothing"),
      then: t(kind === "bars" ? "notTaken" : "penalty"),
    });
    return [{ text, kind }];
  }
  const some = units.some(Boolean);
  const cost = costs(view, units);
  const below = ([n, price], at) => {
    const loss = cost[at] - n * price;
    const text = t("belowCost", { price: usd(price), item: GOODS[at], loss: usd(loss) });
    return loss > 0 && { text, kind: "warns" };
  };
  return [
    { text: t(some ? "besides" : "canMake", { most: most(rules, held, some && units) }) },
    { text: swaps(delivery.xForF, delivery.fForS) },
    some && { text: t("ifSold", { sum: usd(worthOf(bids)), cost: usd(sum(cost)) }) },
    ...bids.map(below),
  ];
}

function swaps(xForF, fForS) {
  const parts = [[fForS, "FINE", "STANDARD"], [xForF, "X-FINE", "FINE"]]
    .filter(([n]) => n).map(([n, held, wanted]) => t("standsIn", { n, held, for: wanted }));
  return parts.length ? `${parts.join(", ")}.` : "";
}

export function report(posting, result) {
  const reasons = [];
  return {
    title: `${monthName(posting.m)}, ${t(posting.s === "buy" ? "materials" : "goods")}`,
    lines: itemsOf(posting.s).map((item, at) =>
      `${posted(posting, item, at)} ${outcome(posting, result, item, at, reasons)}`.trim()),
    result: came(result),
  };
}

function posted({ s, units, before, move, prices }, item, at) {
  const what = t(s + (units[at] ? "Units" : "None"), { n: units[at], item: label(item) });
  const values = { what, move: signed(move[at]), price: usd(prices[at]) };
  return t(before[at] + move[at] === prices[at] ? "posts" : "floor", values);
}

/** Why nothing came of all is said with the first line. */
function outcome({ s, prices }, { lines, due, cash }, item, at, reasons) {
  const [units, price, won, filled, how] = lines[at];
  const bid = t("bid", { price: usd(price) });
  const gap = abs(price - prices[at]);
  const goods = t(`${s}Done`, { n: filled, item: label(item), sum: usd(filled * price) });
  const would = t(`${s}Would`, { bid, n: won });
  if (how === "no bid") return "";
  if (how === "filled") return `${t(gap ? `${s}More` : "meets", { bid })}: ${goods}.`;
  if (how === "partly filled") {
    return t("part", { bid, side: t(`${s}Side`), gap: usd(gap), lost: units - filled, units, goods });
  }
  if (reasons.includes(how)) return t("too", { would });
  if (won) reasons.push(how);
  return t(how, { bid, would, due: usd(due), cash: usd(cash) });
}

function came({ s, missed, money, cash, subs }) {
  const done = t(s + (money ? "Money" : "Nothing"), { sum: usd(money) });
  return [missed && t("nothingIn"), t("have", { done, cash: usd(cash) }), swaps(...subs)]
    .filter(Boolean).join(" ");
}

export function ending({ final: { liquidation, profit, winners }, you: { seat }, table }) {
  const made = profit[seat];
  const names = list(winners.map((firm) => table.firms[firm].name), "and");
  const best = max(...profit);
  const kind = (amount) => t(amount < 0 ? "loss" : "profit");
  return [
    liquidation[seat] > 0 && t("broker", { sum: usd(liquidation[seat]) }),
    t("yours", { kind: kind(made), sum: usd(abs(made)) }),
    winners.includes(seat) ? t(winners.length > 1 ? "share" : "win")
      : t("beaten", { n: winners.length, names, kind: kind(best), best: usd(abs(best)) }),
  ].filter(Boolean).join(" ");
}

export const bidsText = (bids) =>
  ITEMS.filter((item) => bids[item] && bids[item][0])
    .map((item) => `${bids[item][0]} ${label(item)} ${usd(bids[item][1])}`).join(", ");
