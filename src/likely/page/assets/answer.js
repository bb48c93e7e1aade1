// The answer: how probable each outcome is, how far that is known, and the evidence that adds up to it.

import { byId, el, named, svg } from "./elements.js";
import { logOdds, logSum, logistic, percent, plus, short, signed } from "./numbers.js";
import { wordOf } from "./page_data.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./oracle.js").Oracle} Oracle */

const MARK = 0.5; // hundredths of a scale on each side
const MOST_LINES = 14; // of a ledger that are drawn one by one
const MOST_OUTCOMES = 12;

/**
 * What the case says: outcome and evidence, and the ledger of the favoured outcome.
 * @typedef {Object} Told
 * @property {number[]} answer   log-probabilities, or the number
 * @property {number} favoured
 * @property {number} against    -1: all others together
 * @property {number} base
 * @property {{column: number, evidence: number}[]} lines
 * @property {number} rest
 * @property {number} total
 */

/**
 * Work the case out.
 * @param {Oracle} oracle
 * @param {Case} current
 * @returns {Told}
 */
export function told(oracle, current) {
  const answer = oracle.answer(current.cells);
  const ledger = oracle.ledger(current.cells, current.order);
  if (oracle.numeric) {
    const lines = ledger.lines.map((line) => ({ column: line.column, evidence: line.terms[0] }));
    return { answer, favoured: 0, against: -1, base: ledger.base[0], lines, rest: ledger.rest[0], total: answer[0] };
  }
  current.settle(oracle.outcomes, answer);
  const favoured = current.shown;
  const against = runnerUp(answer, favoured);
  /** @param {number[]} terms */
  const apart = (terms) => (terms[favoured] === terms[against] ? 0 : terms[favoured] - terms[against]);
  const lines = ledger.lines.map((line) => ({ column: line.column, evidence: apart(line.terms) }));
  const total = answer[favoured] - answer[against];
  return { answer, favoured, against, base: apart(ledger.base), lines, rest: apart(ledger.rest), total };
}

/** @param {number[]} logs @param {number} favoured @returns {number} */
function runnerUp(logs, favoured) {
  let best = favoured === 0 ? 1 : 0;
  logs.forEach((log, i) => {
    if (i !== favoured && log > logs[best]) best = i;
  });
  return best;
}

/**
 * @param {Oracle} oracle
 * @param {Case} current
 * @param {Told} now
 */
export function showAnswer(oracle, current, now) {
  const { target } = current;
  byId("answer-body").replaceChildren(
    ...(oracle.numeric ? numberAnswer(oracle, current, now, target) : classAnswer(oracle, current, now, target)),
  );
  byId("ledger").replaceChildren(ledger(oracle, current, now));
  const bar = byId("answer-bar");
  bar.replaceChildren(...headline(oracle, now, target));
}

/** @param {Oracle} oracle @param {Told} now @param {string} target @returns {(Node | string)[]} */
function headline(oracle, now, target) {
  if (oracle.numeric) return [named(target, 24), " ", el("strong", {}, short(now.answer[0], 4))];
  const name = oracle.outcomes[now.favoured];
  return [named(target, 20), " = ", named(name, 16), " ", el("strong", {}, percent(Math.exp(now.answer[now.favoured])))];
}

/** @param {Oracle} oracle @param {Case} current @param {Told} now @param {string} target @returns {Node[]} */
function classAnswer(oracle, current, now, target) {
  const p = Math.exp(now.answer[now.favoured]);
  const base = Math.exp(oracle.answer(current.cells.map(() => null))[now.favoured]);
  const known = interval(oracle, current, now);
  const line = el(
    "p", { class: "headline" },
    el("span", { class: "big" }, percent(p)),
    el("span", { class: "of" }, "probability that ", named(target), " is ", el("strong", {}, named(oracle.outcomes[now.favoured]))),
  );
  const said = [];
  if (known) said.push(`90% interval ${percent(known.low)} to ${percent(known.high)}${known.cases}. `);
  said.push(current.order.length ? `Without what you told: ${percent(base)}.` : "Nothing is told yet: this is the base rate.");
  return [line, el("p", { class: "note" }, ...said), bars(oracle, current, now)];
}

/**
 * How far a probability is known: on the scale of log-odds, two ends, and as many cases as would leave one in as much doubt.
 * @param {Oracle} oracle @param {Case} current @param {Told} now
 */
function interval(oracle, current, now) {
  const variance = oracle.variance(current.cells, now.answer, now.favoured);
  if (variance === null || !Number.isFinite(variance)) return null;
  const middle = logOdds(now.answer, now.favoured);
  const half = 1.6448536269514722 * Math.sqrt(variance);
  const p = logistic(middle);
  const cases = 1 / (p * (1 - p) * variance) - 1;
  const words = cases >= 1 && Number.isFinite(cases) ? `, as if counted in about ${short(cases, 2)} cases` : "";
  return { low: logistic(middle - half), high: logistic(middle + half), cases: words };
}

/** @param {Oracle} oracle @param {Case} current @param {Told} now @param {string} target @returns {Node[]} */
function numberAnswer(oracle, current, now, target) {
  const open = oracle.data.columns.some((column, j) => !column.why && current.cells[j] === null);
  const half = open ? null : oracle.halfWidth(current.cells);
  const mean = now.answer[0];
  return [
    el(
      "p", { class: "headline" },
      el("span", { class: "big" }, short(mean, 4)),
      el("span", { class: "of" }, "expected ", el("strong", {}, named(target))),
    ),
    el(
      "p", { class: "note" },
      half === null
        ? `How far off it may be is not known ${open ? "before every column is told" : "here"}.`
        : `90% of such cases lie between ${short(mean - half, 4)} and ${short(mean + half, 4)}.`,
    ),
  ];
}

/** @param {Oracle} oracle @param {Case} current @param {Told} now @returns {HTMLElement} */
function bars(oracle, current, now) {
  const ranked = now.answer.map((log, i) => ({ log, i }));
  if (ranked.length > MOST_OUTCOMES) ranked.sort((a, b) => b.log - a.log);
  const shown = ranked.slice(0, MOST_OUTCOMES);
  const rest = ranked.slice(MOST_OUTCOMES);
  const list = el("ul", { class: "outcomes" });
  for (const { log, i } of shown) {
    const chosen = i === now.favoured;
    const button = el(
      "button",
      { type: "button", class: "outcome", "aria-pressed": String(chosen), "data-outcome": i },
      el("span", { class: "name" }, named(oracle.outcomes[i])),
      share(Math.exp(log), chosen),
      el("span", { class: "value" }, percent(Math.exp(log))),
    );
    button.addEventListener("click", () => {
      current.favoured = i;
      current.changed();
      document.querySelector(`[data-outcome="${i}"]`)?.dispatchEvent(new Event("refocus"));
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-outcome="${i}"]`))?.focus();
    });
    list.append(el("li", {}, button));
  }
  if (rest.length) {
    const left = Math.exp(logSum(rest.map((one) => one.log)));
    list.append(el("li", { class: "note" }, `and ${rest.length} others, ${percent(left)} together`));
  }
  return list;
}

/**
 * A bar for a share of 1.
 * @param {number} p
 * @param {boolean} strong
 * @returns {SVGElement}
 */
export function share(p, strong) {
  return svg(
    "svg", { class: "share", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 8 }),
    svg("rect", { class: strong ? "fill strong" : "fill", width: Math.max(0, Math.min(100, 100 * p)) || 0, height: 8 }),
  );
}

/**
 * The waterfall: where the log-odds begin, what each told column adds, where they end.
 * @param {Oracle} oracle @param {Case} current @param {Told} now @returns {HTMLElement}
 */
function ledger(oracle, current, now) {
  const unit = oracle.numeric;
  const lines = now.lines.slice();
  const whole = MOST_LINES < lines.length ? lines.slice().sort((a, b) => Math.abs(b.evidence) - Math.abs(a.evidence)) : lines;
  const shown = whole.slice(0, MOST_LINES);
  const others = whole.slice(MOST_LINES).reduce((sum, line) => sum + line.evidence, 0);
  /** @type {{name: Child, value: string, evidence: number, from: number, kind: string}[]} */
  const rows = [];
  let at = now.base;
  rows.push({ name: oracle.baseName, value: "", evidence: now.base, from: 0, kind: "base" });
  /** @param {Child} name @param {string} value @param {number} evidence */
  const add = (name, value, evidence) => {
    rows.push({ name, value, evidence, from: at, kind: evidence < 0 ? "against" : "for" });
    at += evidence;
  };
  for (const line of shown) {
    const column = current.data.columns[line.column];
    add(named(column.name, 28), wordOf(column, /** @type {number | string} */ (current.cells[line.column])), line.evidence);
  }
  if (whole.length > MOST_LINES) add(`${whole.length - MOST_LINES} others`, "", others);
  if (oracle.restName && Math.abs(now.rest) > 1e-9) add(oracle.restName, "", now.rest);
  rows.push({ name: "total", value: "", evidence: now.total, from: 0, kind: "total" });
  const ends = rows.flatMap((row) => (row.kind === "base" || row.kind === "total" ? [row.evidence] : [row.from, row.from + row.evidence]));
  const finite = ends.filter(Number.isFinite);
  let [low, high] = [Math.min(...finite, unit ? Infinity : 0), Math.max(...finite, unit ? -Infinity : 0)];
  if (!unit) [low, high] = [Math.min(low, -1), Math.max(high, 1)];
  const room = (high - low) * 0.06 || 1;
  const place = scaleOf(low - room, high + room);
  const show = unit ? (/** @type {number} */ x) => short(x, 4) : signed;
  const body = rows.map((row) =>
    el(
      "tr", { class: row.kind },
      el("th", { scope: "row" }, row.name, row.value ? el("span", { class: "cell" }, " ", named(row.value, 24)) : null),
      el("td", { class: "bar" }, waterfall(row, place, unit)),
      el("td", { class: "number" }, unit && row.kind !== "base" && row.kind !== "total" ? plus(row.evidence) : show(row.evidence)),
    ),
  );
  const title = unit
    ? `Where the number comes from`
    : now.answer.length > 2
      ? ["Evidence for ", named(oracle.outcomes[now.favoured], 30), " against ", named(oracle.outcomes[now.against], 30)]
      : ["Evidence for ", named(oracle.outcomes[now.favoured], 30)];
  return el(
    "table", { class: "ledger" },
    el("caption", {}, ...(Array.isArray(title) ? title : [title]), unit ? "" : el("span", { class: "unit" }, " log-odds, in nats; the lines add up")),
    el("tbody", {}, ...body),
  );
}

/** @typedef {import("./elements.js").Child} Child */

/** @param {number} low @param {number} high @returns {(x: number) => number} */
function scaleOf(low, high) {
  return (x) => Math.max(0, Math.min(100, (100 * (x - low)) / (high - low)));
}

/** @param {{from: number, evidence: number, kind: string}} row @param {(x: number) => number} place @param {boolean} unit */
function waterfall(row, place, unit) {
  const whole = row.kind === "base" || row.kind === "total";
  // Of numbers the scale has no 0 to start from: where they begin and end is a mark.
  const from = whole ? (unit ? row.evidence : 0) : row.from;
  const [a, b] = whole && unit ? [place(from) - MARK, place(from) + MARK] : [place(from), place(from + row.evidence)];
  const [left, width] = [Math.min(a, b), Math.max(Math.abs(b - a), 0.6)];
  return svg(
    "svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    unit ? null : svg("line", { class: "zero", x1: place(0), x2: place(0), y1: 0, y2: 12 }),
    svg("rect", { class: `step ${row.kind}`, x: left, y: 1.5, width, height: 9 }),
  );
}

/**
 * The answer in one sentence, for those who hear the page.
 * @param {Oracle} oracle @param {Case} current @param {Told} now @returns {string}
 */
export function spoken(oracle, current, now) {
  const { target } = current;
  if (oracle.numeric) return `${target}: ${short(now.answer[0], 4)}`;
  const last = now.lines[now.lines.length - 1];
  const why = last ? `; ${current.data.columns[last.column].name} adds ${signed(last.evidence)}` : "";
  return `${target} is ${oracle.outcomes[now.favoured]}: ${percent(Math.exp(now.answer[now.favoured]))}${why}`;
}
