// The next best question: which unknown column is expected to tell most, and what that is worth in words.

import { byId, el, named } from "./elements.js";
import { bits, logSum, percent, short } from "./numbers.js";
import { valuesOf, wordOf } from "./page_data.js";
import { share } from "./answer.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./oracle.js").Oracle} Oracle */

/**
 * @typedef {Object} Worth
 * @property {number} column
 * @property {number} gain     bits, or of a number the standard deviation that goes
 * @property {number} changes  how often the most probable outcome would be another
 * @property {{value: number, weight: number, answer: number[]}[]} ways
 */

const SHOWN = 5;
const SEEN = 0.001; // bits, from which on a question is worth anything

/**
 * What every unknown column is expected to tell, the best first.
 * @param {Oracle} oracle @param {Case} current @param {number[]} now @returns {Worth[]}
 */
export function worths(oracle, current, now) {
  /** @type {Worth[]} */
  const all = [];
  current.data.columns.forEach((column, j) => {
    if (!valuesOf(column).length || current.cells[j] !== null || j === current.about) return;
    const ways = oracle.outlook(current.cells, j, valuesOf(column));
    if (ways.length) all.push({ column: j, ways, ...expected(oracle, now, ways) });
  });
  return all.sort((a, b) => b.gain - a.gain);
}

/** @param {Oracle} oracle @param {number[]} now @param {Worth["ways"]} ways */
function expected(oracle, now, ways) {
  if (oracle.numeric) {
    const mean = ways.reduce((sum, way) => sum + way.weight * way.answer[0], 0);
    const spread = ways.reduce((sum, way) => sum + way.weight * (way.answer[0] - mean) ** 2, 0);
    return { gain: Math.sqrt(spread), changes: 0 };
  }
  const mean = now.map((_, i) => logSum(ways.map((way) => Math.log(way.weight) + way.answer[i])));
  const after = ways.reduce((sum, way) => sum + way.weight * bits(way.answer), 0);
  const best = top(now);
  const changes = ways.reduce((sum, way) => sum + (top(way.answer) === best ? 0 : way.weight), 0);
  return { gain: Math.max(0, bits(mean) - after), changes };
}

/** @param {number[]} logs @returns {number} */
function top(logs) {
  return logs.reduce((best, log, i) => (log > logs[best] ? i : best), 0);
}

/** @param {Oracle} oracle @param {Case} current @param {import("./answer.js").Told} now */
export function showQuestion(oracle, current, now) {
  const all = worths(oracle, current, now.answer);
  const holder = byId("question-body");
  if (!all.length) {
    const texts = current.data.columns.some((column, j) => column.control === "text" && current.cells[j] === null);
    const why = texts ? "only texts are unknown, and what their words say is not known before." : "every column is told.";
    holder.replaceChildren(el("p", {}, `Nothing is left to ask: ${why}`));
    return;
  }
  const [best] = all;
  const least = oracle.numeric ? 0 : SEEN;
  if (best.gain <= least) {
    holder.replaceChildren(el("p", {}, "No column that is still unknown would tell more: the answer stays as it is."));
    return;
  }
  const list = el("ol", { class: "worths" });
  for (const one of all.filter((way) => way.gain > least).slice(0, SHOWN)) {
    const column = current.data.columns[one.column];
    const button = el(
      "button", { type: "button", class: "outcome", "data-ask": one.column },
      el("span", { class: "name" }, named(column.name)),
      share(one.gain / best.gain, one === best),
      el("span", { class: "value" }, oracle.numeric ? `± ${short(one.gain, 2)}` : `${one.gain.toPrecision(2)} bits`),
    );
    button.addEventListener("click", () => goTo(current, one.column));
    list.append(el("li", {}, button));
  }
  holder.replaceChildren(sentence(oracle, current, now, best), list);
}

/** @param {Oracle} oracle @param {Case} current @param {import("./answer.js").Told} now @param {Worth} best */
function sentence(oracle, current, now, best) {
  const column = current.data.columns[best.column];
  const ask = el("p", { class: "ask" }, "Ask for ", el("strong", {}, named(column.name)), ".");
  const ways = best.ways.slice().sort((a, b) => value(oracle, now, b) - value(oracle, now, a));
  const [up, down] = [ways[0], ways[ways.length - 1]];
  const said = oracle.numeric
    ? ` It is expected to move the answer by about ${short(best.gain, 2)}: `
    : ` It is expected to settle ${percent(best.gain / Math.max(bits(now.answer), 1e-12))} of what is still uncertain` +
      (best.changes >= 0.005 ? `, and to change the most probable outcome in ${percent(best.changes)} of such cases: ` : ": ");
  ask.append(
    said,
    el("strong", {}, named(wordOf(column, up.value), 24)), ` would make it ${shown(oracle, now, up)}, and `,
    el("strong", {}, named(wordOf(column, down.value), 24)), ` would make it ${shown(oracle, now, down)}.`,
  );
  return ask;
}

/** @param {Oracle} oracle @param {import("./answer.js").Told} now @param {{answer: number[]}} way */
function value(oracle, now, way) {
  return oracle.numeric ? way.answer[0] : way.answer[now.favoured];
}

/** @param {Oracle} oracle @param {import("./answer.js").Told} now @param {{answer: number[]}} way */
function shown(oracle, now, way) {
  return oracle.numeric ? short(way.answer[0], 4) : percent(Math.exp(way.answer[now.favoured]));
}

/**
 * Bring the control of a column into view, with the focus on it.
 * @param {Case} current @param {number} column
 */
export function goTo(current, column) {
  current.look(column);
  const control = document.querySelector(`fieldset[data-column="${column}"]`);
  if (!(control instanceof HTMLElement)) return;
  control.hidden = false;
  control.scrollIntoView({ block: "nearest" });
  const first = control.querySelector("input:checked, select, textarea, input[type=number], input");
  if (first instanceof HTMLElement) first.focus();
}
