// The scoring form of a model, worked out: what each column adds to the score of every group, and Bayes' rule.

import { logGamma, logSum, normalised } from "./numbers.js";
import { bagOf } from "./words.js";

/** @typedef {number | string | null} Cell */

/**
 * @typedef {Object} Pieces  constant + slope u + square u^2 + k log(1 + a u + b u^2), u = x - centre
 * @property {number[]} edges
 * @property {number[][] | null} centre  (pieces, groups); null: each piece is measured from the edge before it
 * @property {number[][][]} powers   (pieces, groups, 3 or fewer: the others are 0)
 * @property {number[][][] | null} logs
 */

/**
 * @typedef {Object} Term
 * @property {"levels" | "number" | "joint" | "shares" | "words"} kind
 * @property {number[]} columns
 * @property {number} weight
 * @property {boolean} steady
 * @property {number[][]} [table]
 * @property {number[] | null} [missing]
 * @property {Pieces} [pieces]
 * @property {number[][]} [centre]     (groups, columns)
 * @property {number[][]} [rest]
 * @property {number[][]} [matrix]     (groups, lower triangle row by row)
 * @property {number[] | null} [df]
 * @property {number[][]} [shares]     (columns, groups)
 * @property {number[]} [start]        of words: of a text that has none of them
 * @property {boolean} [once]          of words: one that comes again adds nothing more
 * @property {Pieces[]} [curves]       of words: functions of the sums, if these are not what is added
 * @property {import("./words.js").Vocabulary} [vocabulary]
 */

/**
 * @typedef {Object} Form
 * @property {number} classes      how many; 0: a number
 * @property {number} inputs       how many columns
 * @property {number[]} start
 * @property {Term[]} terms
 * @property {number[] | null} components
 * @property {boolean} weighed
 * @property {number[] | null} rates
 * @property {Then[]} then
 */

/** @typedef {{kind: string, [name: string]: any}} Then */

const UNLIKELIEST = -1e200; // a row all of whose scores are below is impossible in every group

/**
 * The score of every group.
 * @param {Form} form @param {Cell[]} cells @returns {number[]}
 */
export function scoresOf(form, cells) {
  const scores = form.start.slice();
  const share = shareTold(form, cells);
  for (const term of form.terms) {
    const counts = countedShare(form, term, share);
    if (counts === 0) continue;
    added(term, cells).forEach((nats, g) => (scores[g] += counts * nats));
  }
  return scores;
}

/**
 * What each of some columns adds, as far as it counts; of columns that are described together, none.
 * @param {Form} form @param {Cell[]} cells @param {Term} term @returns {number[]}
 */
export function counted(form, cells, term) {
  const counts = countedShare(form, term, shareTold(form, cells));
  return added(term, cells).map((nats) => (counts === 0 ? 0 : counts * nats));
}

/** @param {Form} form @param {Cell[]} cells @returns {number} */
export function shareTold(form, cells) {
  if (!form.weighed || form.inputs < 2) return form.weighed ? 0 : 1;
  const told = cells.reduce((/** @type {number} */ n, cell) => n + (cell === null ? 0 : 1), 0);
  return Math.max(0, (told - 1) / (form.inputs - 1));
}

/** @param {Form} form @param {Term} term @param {number} share @returns {number} */
export function countedShare(form, term, share) {
  const { weight } = term;
  if (!form.weighed || term.steady) return weight;
  return weight === 0 && share === 0 ? 1 : weight / (weight + share * (1 - weight));
}

/** @param {Term} term @param {Cell[]} cells @returns {number[]} */
function added(term, cells) {
  const cell = cells[term.columns[0]];
  if (term.kind === "words") return cell === null ? /** @type {number[]} */ (term.missing) : worded(term, cell, null);
  const own = /** @type {(number | null)[]} */ (term.columns.map((j) => cells[j]));
  if (term.kind === "joint") return joint(term, own);
  if (term.kind === "shares") return shared(term, own);
  if (own[0] === null) return /** @type {number[]} */ (term.missing);
  return term.kind === "levels" ? /** @type {number[][]} */ (term.table)[own[0]] : piecewise(/** @type {Pieces} */ (term.pieces), own[0]);
}

/**
 * What the words of a text add, but for one of them if that is named.
 * @param {Term} term @param {string | number} text @param {number | null} without @returns {number[]}
 */
export function worded(term, text, without) {
  const { counts } = bagOf(/** @type {import("./words.js").Vocabulary} */ (term.vocabulary), text);
  const sums = /** @type {number[]} */ (term.start).slice();
  for (const [place, times] of counts) {
    if (place === without) continue;
    /** @type {number[][]} */ (term.table)[place].forEach((nats, s) => (sums[s] += (term.once ? 1 : times) * nats));
  }
  if (!term.curves?.length) return sums;
  const parts = term.curves.map((curve, s) => piecewise(curve, sums[s]));
  return parts[0].map((_, g) => parts.reduce((sum, part) => sum + part[g], 0));
}

/** @param {Pieces} pieces @param {number} x @returns {number[]} */
export function piecewise(pieces, x) {
  let [low, high] = [0, pieces.edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces.edges[middle] < x) low = middle + 1;
    else high = middle;
  }
  const logs = pieces.logs?.[low];
  const before = low > 0 ? pieces.edges[low - 1] : 0;
  return pieces.powers[low].map(([constant = 0, slope = 0, square = 0], g) => {
    const u = x - (pieces.centre ? pieces.centre[low][g] : before);
    const power = constant + u * (slope + u * square);
    if (!logs) return power;
    const [k, a, b] = logs[g];
    return k === 0 ? power : power + k * Math.log1p(u * (a + u * b));
  });
}

/**
 * A normal or Student's t density of the known ones of some numbers, up to what all groups share.
 * @param {Term} term @param {(number | null)[]} cells @returns {number[]}
 */
function joint(term, cells) {
  const known = cells.flatMap((cell, i) => (cell === null ? [] : [i]));
  const p = known.length;
  const centre = /** @type {number[][]} */ (term.centre);
  return centre.map((middle, g) => {
    if (!p) return 0;
    const packed = /** @type {number[][]} */ (term.matrix)[g];
    const rest = /** @type {number[][]} */ (term.rest)[g];
    const at = (/** @type {number} */ i, /** @type {number} */ j) => packed[(i * (i + 1)) / 2 + j];
    // Cholesky's lower triangle of the known ones, and the residual divided by it, row by row.
    /** @type {number[][]} */
    const lower = [];
    /** @type {number[]} */
    const white = [];
    let [logDet, square] = [0, 0];
    for (let i = 0; i < p; i++) {
      lower.push([]);
      for (let j = 0; j <= i; j++) {
        let sum = at(known[i], known[j]);
        for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
        lower[i].push(i === j ? Math.sqrt(sum) : sum / lower[j][j]);
      }
      let left = /** @type {number} */ (cells[known[i]]) - middle[known[i]] - rest[known[i]];
      for (let k = 0; k < i; k++) left -= lower[i][k] * white[k];
      white.push(left / lower[i][i]);
      logDet += 2 * Math.log(lower[i][i]);
      square += white[i] * white[i];
    }
    const df = term.df?.[g];
    if (df === undefined) return -0.5 * (logDet + square);
    const height = logGamma((df + p) / 2) - logGamma(df / 2) - (p / 2) * Math.log(df);
    return height - 0.5 * logDet - ((df + p) / 2) * Math.log1p(square / df);
  });
}

/** @param {Term} term @param {(number | null)[]} cells @returns {number[]} */
function shared(term, cells) {
  const shares = /** @type {number[][]} */ (term.shares);
  const groups = shares[0]?.length ?? 0;
  return Array.from({ length: groups }, (_, g) => {
    let [sum, total, mass] = [0, 0, 0];
    cells.forEach((cell, j) => {
      if (cell === null) return;
      total += cell;
      mass += shares[j][g];
      if (cell > 0) sum += shares[j][g] > 0 ? cell * Math.log(shares[j][g]) : -1e250;
    });
    return mass > 0 ? sum - total * Math.log(mass) : sum;
  });
}

/**
 * Log-probabilities of the classes, or the number.
 * @param {Form} form @param {Cell[]} cells @returns {number[]}
 */
export function answerOf(form, cells) {
  const scores = scoresOf(form, cells);
  return form.classes ? finished(form, classScores(form, scores)) : scores;
}

/**
 * The shares of the groups, where classes have several of them.
 * @param {Form} form @param {Cell[]} cells @returns {number[]}
 */
export function groupsOf(form, cells) {
  return normalised(scoresOf(form, cells)).map(Math.exp);
}

/** @param {Form} form @param {number[]} scores @returns {number[]} */
function classScores(form, scores) {
  if (!form.components) return scores;
  let start = 0;
  return form.components.map((count) => {
    start += count;
    return logSum(scores.slice(start - count, start));
  });
}

/** @param {Form} form @param {number[]} scores @returns {number[]} */
function finished(form, scores) {
  const gone = Math.max(...scores) < UNLIKELIEST;
  let logs = gone && form.rates ? form.rates.map(Math.log) : normalised(scores);
  for (const step of form.then) logs = recalibrated(logs, step);
  return logs;
}

/** @param {number[]} logs @param {Then} step @returns {number[]} */
function recalibrated(logs, step) {
  if (step.kind === "sharpened") {
    const best = Math.max(...logs);
    return normalised(logs.map((log) => step.sharpening * Math.max(log - best, -step.limit)));
  }
  if (step.kind === "reweighed") {
    const moved = logs.map((log, i) => log + step.log_factors[i]);
    return Math.max(...moved) < UNLIKELIEST ? step.rates.map(Math.log) : normalised(moved);
  }
  const places = logs.length === 2 ? [1] : logs.map((_, i) => i);
  const odds = places.map((place, i) => {
    const others = logSum(logs.filter((_, j) => j !== place));
    const own = logs[place] - others;
    return mapped(step.maps[i], Math.max(-step.limit, Math.min(step.limit, own)));
  });
  if (odds.length === 1) return normalised([-odds[0] / 2, odds[0] / 2]);
  return normalised(odds.map((one) => -softplus(-one)));
}

/** @param {number} x @returns {number} */
function softplus(x) {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** @param {{kind: string, [name: string]: any}} map @param {number} score @returns {number} */
function mapped(map, score) {
  if (map.kind === "line") {
    return map.intercept + map.slope * (Math.max(map.low, Math.min(map.high, score)) - map.centre);
  }
  if (map.kind === "beta") {
    const odds = Math.max(-map.limit, Math.min(map.limit, score));
    const small = Math.log1p(Math.exp(-Math.abs(odds)));
    return map.a * (Math.min(odds, 0) - small) + map.b * (Math.max(odds, 0) + small) + map.c;
  }
  const p = piecewise(map.pieces, score)[0];
  return Math.log(p) - Math.log(1 - p);
}
