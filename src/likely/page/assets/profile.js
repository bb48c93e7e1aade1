// The profile of a table: columns are drawn some at a time, when they come into view.

import { byId, el, named, svg } from "./elements.js";

/** @typedef {[string, number, number]} Bar words, share of the width, rows */
/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} kind
 * @property {string} why
 * @property {number} [rows]
 * @property {number} missing
 * @property {number} distinct
 * @property {boolean} [target]
 * @property {[string, string][]} [facts]
 * @property {Bar[]} [bars]
 * @property {[string, number][]} [levels]
 * @property {{what: string, message: string}[]} [warnings]
 * @property {number} [tells]
 * @property {string} [told]
 */

const STEP = 48; // columns that are drawn at a time
const ACROSS = 300;
const DOWN = 76;

/** @type {{tells: boolean, kinds: string[], columns: Column[]}} */
let data;
/** @type {Column[]} */
let chosen = [];
let drawn = 0;

/** @type {Record<string, (a: Column, b: Column) => number>} */
const ORDERS = {
  "as in the table": () => 0,
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  "most missing": (a, b) => b.missing - a.missing,
  "most different values": (a, b) => b.distinct - a.distinct,
  "most warnings": (a, b) => (b.warnings || []).length - (a.warnings || []).length,
  "tells most": (a, b) => (b.tells ?? -1) - (a.tells ?? -1),
};

/**
 * A share in percent that never rounds to nothing or to all.
 * @param {number} part
 * @param {number} whole
 * @returns {string}
 */
function percent(part, whole) {
  const share = whole ? (100 * part) / whole : 0;
  if (share > 0 && share < 1) return "<1%";
  if (share > 99 && share < 100) return ">99%";
  return `${share.toFixed(0)}%`;
}

/**
 * @param {number} share
 * @param {string} kind
 * @returns {SVGElement}
 */
function shareBar(share, kind) {
  return svg(
    "svg",
    { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 10 }),
    svg("rect", { class: kind, width: 100 * share, height: 10 }),
  );
}

/**
 * Rows a unit of width, so that a wide bar is not taken for a full one.
 * @param {Bar[]} bars
 * @param {string} name
 * @returns {SVGElement}
 */
function histogram(bars, name) {
  const highest = Math.max(...bars.map(([, width, rows]) => (width > 0 ? rows / width : 0))) || 1;
  const said = bars.map(([words, , rows]) => `${words}: ${rows} rows`).join("; ");
  const picture = svg("svg", {
    class: "histogram",
    viewBox: `0 0 ${ACROSS} ${DOWN}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `histogram of ${name.slice(0, 80)}: ${said}`,
  });
  let left = 0;
  for (const [words, width, rows] of bars) {
    const high = rows ? Math.max(1.5, ((DOWN - 2) * (width > 0 ? rows / width : highest)) / highest) : 0;
    const gap = Math.min(1, (width * ACROSS) / 4);
    picture.append(
      svg(
        "rect",
        { class: "fill strong", x: left, y: DOWN - high, width: Math.max(width * ACROSS - gap, 0.5), height: high },
        svg("title", {}, `${words}: ${rows} rows`),
      ),
    );
    left += width * ACROSS;
  }
  return picture;
}

/**
 * @param {Column} column
 * @returns {HTMLElement}
 */
function card(column) {
  const rows = column.rows || 0;
  const kind = el("span", { class: "badge", title: column.why }, column.kind);
  const head = el("h3", {}, named(column.name, 60), " ", kind);
  if (column.target) head.append(" ", el("span", { class: "badge" }, "target"));
  const gaps = column.missing ? `${percent(column.missing, rows)} missing` : "none missing";
  const different = `${column.distinct} different value${column.distinct === 1 ? "" : "s"}`;
  const made = el("article", { class: "column" }, head, el("p", { class: "note" }, `${gaps}; ${different}`));
  if (column.missing) made.append(shareBar(column.missing / rows, "missing"));
  if (column.tells !== undefined) {
    const told = el("p", { class: "note", title: column.told }, `tells ${percent(column.tells, 1)} of the target`);
    made.append(told, shareBar(column.tells, "fill strong"));
  }
  if (column.bars) {
    const [first] = column.bars[0];
    const [last] = column.bars[column.bars.length - 1];
    const ends = el("div", { class: "ends", "aria-hidden": "true" }, el("span", {}, first));
    if (column.bars.length > 1) ends.append(el("span", {}, last));
    made.append(histogram(column.bars, column.name), ends);
  }
  if (column.levels) {
    const known = rows - column.missing;
    const list = el("ul", { class: "levels" });
    for (const [level, count] of column.levels) {
      const bar = shareBar(known ? count / known : 0, "fill strong");
      list.append(el("li", {}, named(level, 40), bar, el("span", { class: "number" }, percent(count, known))));
    }
    made.append(list);
  }
  if (column.facts) {
    const facts = el("dl", { class: "facts" });
    for (const [name, value] of column.facts) facts.append(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    made.append(facts);
  }
  for (const warning of column.warnings || []) {
    made.append(el("p", { class: "warned" }, el("strong", {}, `${warning.what}. `), warning.message));
  }
  return made;
}

/** @param {number} many */
function more(many) {
  const holder = byId("columns");
  const part = document.createDocumentFragment();
  for (const column of chosen.slice(drawn, drawn + many)) part.append(card(column));
  drawn = Math.min(drawn + many, chosen.length);
  holder.append(part);
  const left = chosen.length - drawn;
  byId("more").hidden = left === 0;
  byId("more-button").textContent = `Show more (${left} left)`;
}

/** Take the columns that are looked for, in the order that is wanted, and draw the first of them. */
function choose() {
  const word = /** @type {HTMLInputElement} */ (byId("search")).value.trim().toLocaleLowerCase();
  const kind = /** @type {HTMLSelectElement} */ (byId("kind")).value;
  const order = /** @type {HTMLSelectElement} */ (byId("order")).value;
  const warned = /** @type {HTMLInputElement} */ (byId("warned")).checked;
  chosen = data.columns.filter(
    (column) =>
      (!word || column.name.toLocaleLowerCase().includes(word)) &&
      (!kind || column.kind === kind) &&
      (!warned || (column.warnings || []).length > 0),
  );
  if (ORDERS[order]) chosen.sort(ORDERS[order]);
  byId("columns").replaceChildren();
  drawn = 0;
  more(STEP);
  byId("count").textContent = `${chosen.length} of ${data.columns.length} columns`;
}

/** Begin. */
export function start() {
  data = JSON.parse(byId("data").textContent || "{}");
  for (const kind of data.kinds) byId("kind").append(el("option", { value: kind }, kind));
  const orders = Object.keys(ORDERS).filter((name) => name !== "tells most" || data.tells);
  for (const name of orders) byId("order").append(el("option", { value: name }, name));
  for (const id of ["search", "kind", "order", "warned"]) byId(id).addEventListener("input", choose);
  byId("more-button").addEventListener("click", () => more(STEP));
  new IntersectionObserver(
    (seen) => {
      if (seen.some((entry) => entry.isIntersecting) && drawn < chosen.length) more(STEP);
    },
    { rootMargin: "600px" },
  ).observe(byId("more"));
  window.addEventListener("beforeprint", () => more(chosen.length));
  choose();
}
