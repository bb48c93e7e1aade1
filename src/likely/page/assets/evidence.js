// Evidence by column: what each value, told alone, adds; beside it what the table holds.

import { byId, el, named, shortened, svg } from "./elements.js";
import { logOdds, percent, short, signed } from "./numbers.js";
import { valuesOf, wordOf } from "./page_data.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./page_data.js").Column} Column */
/** @typedef {import("./oracle.js").Oracle} Oracle */
/** @typedef {{column: number, values: number[], evidence: number[], errors: (number | null)[], range: number}} Axis */

const SHOWN = 12; // columns at first
const WORDS = 24; // of a column of texts
const FARTHEST = 12; // nats that a scale shows at most
const ROOM = 10; // hundredths of a scale that its numbers need between them
const TELLS = 0.005; // nats, or share of the widest range, from which on a column is shown at first
const NARROWEST = 330; // pixels of a scale: words that fit it fit all
const LETTER = 6.4; // pixels
const LETTERS = 16; // of a word under a scale

/**
 * The scale of each column, widest range first.
 * @param {Oracle} oracle @param {Case} current @param {number} favoured @returns {Axis[]}
 */
function axes(oracle, current, favoured) {
  const nothing = current.cells.map(() => null);
  /** @param {number[]} answer */
  const worth = (answer) => (oracle.numeric ? answer[0] : logOdds(answer, favoured));
  const base = worth(oracle.answer(nothing));
  /** @type {Axis[]} */
  const all = [];
  current.data.columns.forEach((column, j) => {
    if (column.control === "none" || j === current.about) return;
    const values = column.words ? telling(oracle, j, column.words.length, favoured) : valuesOf(column);
    /** @type {(number | null)[]} */
    const errors = [];
    const evidence = oracle.alone(j, values).map((answer, i) => {
      errors.push(oracle.errorOf(j, values[i], favoured));
      return worth(answer) - base;
    });
    const finite = evidence.filter(Number.isFinite);
    all.push({ column: j, values, evidence, errors, range: finite.length ? Math.max(...finite) - Math.min(...finite) : 0 });
  });
  return all.sort((a, b) => b.range - a.range);
}

/**
 * The words of a vocabulary that tell most, against first.
 * @param {Oracle} oracle @param {number} column @param {number} n @param {number} favoured @returns {number[]}
 */
function telling(oracle, column, n, favoured) {
  const places = Array.from({ length: n }, (_, place) => place);
  const answers = oracle.alone(column, places);
  const worth = answers.map((answer) => (oracle.numeric ? answer[0] : logOdds(answer, favoured)));
  places.sort((a, b) => worth[a] - worth[b]);
  return n <= WORDS ? places : [...places.slice(0, WORDS / 2), ...places.slice(-WORDS / 2)];
}

/**
 * @param {() => Oracle} oracle
 * @param {Case} current
 * @returns {() => void}
 */
export function evidencePanel(oracle, current) {
  const body = byId("evidence-body");
  let shown = SHOWN;
  let drawnFor = "";
  /** @type {Map<number, {mark: SVGElement | null, place: (x: number) => number, axis: Axis}>} */
  let marks = new Map();
  const build = () => {
    const now = oracle();
    const all = axes(now, current, current.shown);
    const first = all.find((axis) => valuesOf(current.data.columns[axis.column]).length);
    if (first && !current.looked) current.focus = first.column; // what if: along what tells most
    body.classList.toggle("of-numbers", now.numeric);
    const finite = all.flatMap((axis) => axis.evidence).filter(Number.isFinite);
    const far = now.numeric ? Infinity : FARTHEST;
    const low = Math.max(-far, Math.min(0, ...finite));
    const high = Math.min(far, Math.max(0, ...finite));
    const place = (/** @type {number} */ x) => 2 + (96 * (Math.max(low, Math.min(high, x)) - low)) / (high - low || 1);
    marks = new Map();
    const least = now.numeric ? TELLS * all[0]?.range : TELLS;
    const telling = all.filter((axis) => axis.range >= least).length;
    const some = all.slice(0, Math.max(1, shown === Infinity ? all.length : Math.min(shown, telling)));
    const rows = some.map((axis) => row(now, current, axis, place, marks));
    body.replaceChildren(leadOf(now, current), scaleLine(low, high, place), el("div", { class: "axes" }, ...rows));
    if (all.length > some.length) {
      const rest = all.length - some.length;
      const columns = rest === 1 ? "Show the other column" : `Show the other ${rest} columns`;
      const words = telling > some.length ? columns : `${columns}, which alone ${rest === 1 ? "tells" : "tell"} nothing`;
      const more = el("button", { type: "button", class: "quiet" }, words);
      more.addEventListener("click", () => {
        shown = Infinity;
        build();
      });
      body.append(more);
    }
  };
  return () => {
    const wanted = `${current.about} ${current.shown}`;
    if (wanted !== drawnFor) build();
    drawnFor = wanted;
    for (const [j, { mark, place, axis }] of marks) {
      const cell = current.cells[j];
      if (!mark) continue;
      mark.setAttribute("visibility", typeof cell === "number" ? "visible" : "hidden");
      if (typeof cell === "number") mark.setAttribute("x", `${place(nearest(axis, cell))}%`);
    }
  };
}

/** @param {Oracle} oracle @param {Case} current @returns {HTMLElement} */
function leadOf(oracle, current) {
  const target = named(current.target, 40);
  const open = el("span", { class: "screen" }, " Open a column for all its values.");
  if (oracle.numeric) return el("p", { class: "note" }, "What each value adds to ", target, " if it is all that is told.", open);
  return el(
    "p", { class: "note" }, "What each value adds to the log-odds of ", target, " = ", el("strong", {}, named(oracle.outcomes[current.shown], 30)),
    " if it is all that is told: right speaks for it, left against it.", open,
  );
}

/** @param {Axis} axis @param {number} cell @returns {number} */
function nearest(axis, cell) {
  const { values, evidence } = axis;
  const after = values.findIndex((value) => value >= cell);
  if (after <= 0 || values[after] === cell) return evidence[after < 0 ? evidence.length - 1 : after];
  const part = (cell - values[after - 1]) / (values[after] - values[after - 1]);
  return evidence[after - 1] + part * (evidence[after] - evidence[after - 1]);
}

/** @param {number} low @param {number} high @param {(x: number) => number} place @returns {HTMLElement} */
function scaleLine(low, high, place) {
  const ends = [low, high].map((end) => svg("text", { class: "tick", x: `${place(end)}%`, y: 11, "text-anchor": end === low ? "start" : "end" }, signedShort(end)));
  const apart = Math.min(place(0) - place(low), place(high) - place(0)) > ROOM;
  const middle = apart ? svg("text", { class: "tick", x: `${place(0)}%`, y: 11, "text-anchor": "middle" }, "0") : null;
  return el("div", { class: "axis-ends", "aria-hidden": "true" }, el("span"), svg("svg", { width: "100%", height: 14 }, ...ends, middle), el("span", {}, "range"));
}

/** @param {number} x @returns {string} */
function signedShort(x) {
  return x > 0 ? `+${short(x, 2)}` : short(x, 2);
}

/**
 * @param {Oracle} oracle @param {Case} current @param {Axis} axis @param {(x: number) => number} place
 * @param {Map<number, {mark: SVGElement | null, place: (x: number) => number, axis: Axis}>} marks
 */
function row(oracle, current, axis, place, marks) {
  const column = current.data.columns[axis.column];
  const strip = svg("svg", { class: "strip", width: "100%", height: 34, "aria-hidden": "true" });
  strip.append(svg("line", { class: "zero", x1: `${place(0)}%`, x2: `${place(0)}%`, y1: 0, y2: 20 }));
  const finite = axis.evidence.filter((e) => !Number.isNaN(e));
  if (finite.length) {
    const [a, b] = [place(Math.min(...finite)), place(Math.max(...finite))];
    strip.append(svg("rect", { class: "range", x: `${a}%`, y: 9, width: `${b - a}%`, height: 2 }));
  }
  for (const e of finite) strip.append(svg("rect", { class: e < 0 ? "dot against" : "dot for", x: `${place(e)}%`, y: 5, width: 6, height: 10, rx: 1 }));
  const mark = svg("rect", { class: "mark", x: 0, y: 1, width: 8, height: 18, rx: 2, visibility: "hidden" });
  strip.append(mark, ...wordsUnder(column, axis, place));
  marks.set(axis.column, { mark, place, axis });
  const summary = el(
    "summary", {},
    el("span", { class: "name" }, named(column.name, 32)),
    strip,
    el("span", { class: "value" }, oracle.numeric ? short(axis.range, 3) : axis.range.toFixed(2)),
  );
  const details = el("details", { class: "axis" }, summary);
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...inside(oracle, current, axis, place));
  });
  return details;
}

/**
 * The values by their marks, the ends first, as far as there is room for them.
 * @param {Column} column @param {Axis} axis @param {(x: number) => number} place @returns {SVGElement[]}
 */
function wordsUnder(column, axis, place) {
  const finite = axis.values.flatMap((value, i) => (Number.isFinite(axis.evidence[i]) ? [{ value, at: place(axis.evidence[i]) }] : []));
  finite.sort((a, b) => a.at - b.at);
  const last = finite.pop();
  /** @type {{from: number, to: number}[]} */
  const taken = [];
  return (last ? [last, ...finite] : []).flatMap(({ value, at }) => {
    const word = shortened(wordOf(column, value), LETTERS);
    const half = (50 * (word.length * LETTER + 8)) / NARROWEST; // hundredths
    const middle = Math.max(half, Math.min(100 - half, at));
    const [from, to] = [middle - half, middle + half];
    if (taken.some((other) => from < other.to && other.from < to)) return [];
    taken.push({ from, to });
    const anchor = at < half ? "start" : at > 100 - half ? "end" : "middle";
    return [svg("text", { class: "tick", x: `${anchor === "start" ? 0 : anchor === "end" ? 100 : at}%`, y: 31, "text-anchor": anchor }, word)];
  });
}

/** @param {Oracle} oracle @param {Case} current @param {Axis} axis @param {(x: number) => number} place @returns {HTMLElement[]} */
function inside(oracle, current, axis, place) {
  const column = current.data.columns[axis.column];
  const every = column.options || column.words ? 1 : Math.max(1, Math.floor(axis.values.length / 8));
  const rows = [];
  for (let i = 0; i < axis.values.length; i += every) rows.push(valueRow(oracle, column, axis, i, place));
  /** @type {HTMLElement[]} */
  const tables = [
    el(
      "table", { class: "values" },
      el("caption", {}, "In the model", axis.errors.some((e) => e !== null) ? ", with 90% intervals" : ""),
      el("tbody", {}, ...rows),
    ),
  ];
  if (column.facts?.length) tables.push(factTable(oracle, current, column));
  return [el("div", { class: "inside" }, ...tables)];
}

/** @param {Oracle} oracle @param {Column} column @param {Axis} axis @param {number} i @param {(x: number) => number} place */
function valueRow(oracle, column, axis, i, place) {
  const e = axis.evidence[i];
  const error = axis.errors[i];
  const [a, b] = [place(0), place(e)];
  const bar = svg(
    "svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "zero", x1: a, x2: a, y1: 0, y2: 12 }),
    svg("rect", { class: `step ${e < 0 ? "against" : "for"}`, x: Math.min(a, b), y: 2, width: Math.max(Math.abs(b - a), 0.3), height: 8 }),
  );
  if (error !== null && Number.isFinite(e)) {
    const [from, to] = [place(e - 1.645 * error), place(e + 1.645 * error)];
    bar.append(svg("rect", { class: "whisker", x: from, y: 5.4, width: Math.max(to - from, 0.3), height: 1.2 }));
  }
  return el(
    "tr", {},
    el("th", { scope: "row" }, named(wordOf(column, axis.values[i]), 28)),
    el("td", { class: "bar" }, bar),
    el("td", { class: "number" }, oracle.numeric ? short(e, 3) : signed(e)),
  );
}

/** @param {Oracle} oracle @param {Case} current @param {Column} column @returns {HTMLElement} */
function factTable(oracle, current, column) {
  const favoured = oracle.numeric ? 0 : current.shown;
  const told = current.about === current.data.about;
  const means = (column.facts ?? []).flatMap((fact) => (told ? [fact.low?.[favoured], fact.high?.[favoured]] : [])).filter((x) => typeof x === "number");
  const [low, high] = oracle.numeric && means.length ? [Math.min(...means), Math.max(...means)] : [0, 1];
  const place = (/** @type {number} */ x) => (100 * (x - low)) / (high - low || 1);
  const rows = (column.facts ?? []).map((fact) => {
    const share = told ? fact.share?.[favoured] : undefined;
    const bar = svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(svg("rect", { class: "track", y: 2, width: 100, height: 8 }));
    if (share !== undefined && fact.low && fact.high) {
      bar.append(
        svg("rect", { class: "fill", y: 2, width: Math.max(0, place(share)), height: 8 }),
        svg("rect", { class: "whisker", x: place(fact.low[favoured]), y: 5.4, width: Math.max(place(fact.high[favoured]) - place(fact.low[favoured]), 0.3), height: 1.2 }),
      );
    }
    return el(
      "tr", {},
      el("th", { scope: "row" }, named(fact.label, 28)),
      el("td", { class: "number" }, short(fact.rows, 6)),
      el("td", { class: "bar" }, bar),
      el("td", { class: "number" }, share === undefined ? "" : oracle.numeric ? short(share, 3) : percent(share)),
    );
  });
  const head = ["", "rows", "", told ? (oracle.numeric ? "mean" : "share") : ""].map((word) => (word ? el("th", { scope: "col" }, word) : el("td")));
  const what = oracle.numeric ? "In the table: mean, with 90% intervals" : "In the table: share of the outcome, with 90% intervals";
  return el("table", { class: "values" }, el("caption", {}, told ? what : "In the table"), el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}
