// Classifiers whose columns depend on the class and one column more: a tree, or an average over parents.

import { logSum, normalised } from "./numbers.js";

/**
 * @typedef {Object} Pairs
 * @property {(number[] | null)[]} edges   of numbers the first value of every bin but the first; null of levels
 * @property {number[]} gaps               the level that an unknown cell is; -1: none
 * @property {number[]} rates              log P(class)
 * @property {number} weight               how much the evidence counts
 * @property {number[] | null} tree        the parent of each column; null: an average over all
 * @property {number[]} order              parents before children
 * @property {number[]} firsts             where the levels of each column begin among all
 * @property {any[]} arrays                tables of the tree; or pairs, levels alone, and which may be parents
 */

const UNLIKELIEST = -1e200; // below: impossible in every class

/**
 * Log-probabilities of the classes.
 * @param {Pairs} pairs @param {(number | string | null)[]} cells @returns {number[]}
 */
export function pairAnswer(pairs, cells) {
  const codes = cells.map((cell, j) => codeOf(pairs, j, /** @type {number | null} */ (cell)));
  const joint = pairs.tree ? ofTree(pairs, pairs.tree, codes) : averaged(pairs, codes);
  if (Math.max(...joint) < UNLIKELIEST) return pairs.rates;
  return normalised(joint.map((log, g) => (log < UNLIKELIEST ? log : pairs.rates[g] + pairs.weight * (log - pairs.rates[g]))));
}

/** @param {Pairs} pairs @param {number} j @param {number | null} cell @returns {number} */
function codeOf(pairs, j, cell) {
  if (cell === null) return pairs.gaps[j];
  const edges = pairs.edges[j];
  return edges ? edges.filter((edge) => edge <= cell).length : cell;
}

/**
 * Log P(class, what is known): from the leaves of the tree to its roots, what is unknown is summed out.
 * @param {Pairs} pairs @param {number[]} tree @param {number[]} codes @returns {number[]}
 */
function ofTree(pairs, tree, codes) {
  const total = pairs.rates.slice();
  /** @type {number[][][]} */
  const below = pairs.arrays.map((table) => table.map((/** @type {number[][]} */ own) => own[0].map(() => 0)));
  for (const j of pairs.order.slice().reverse()) {
    const code = codes[j];
    pairs.arrays[j].forEach((/** @type {number[][]} */ own, /** @type {number} */ g) => {
      own.forEach((row, above) => {
        const said = code >= 0 ? row[code] + below[j][g][code] : logSum(row.map((log, k) => log + below[j][g][k]));
        if (tree[j] < 0) total[g] += said;
        else below[tree[j]][g][above] += said;
      });
    });
  }
  return total;
}

/**
 * The mean over known columns, of P(class, level) times P(every other given both); what is unknown is neither.
 * @param {Pairs} pairs @param {number[]} codes @returns {number[]}
 */
function averaged(pairs, codes) {
  const [both, alone, often] = pairs.arrays;
  const places = codes.flatMap((code, j) => (code >= 0 ? [pairs.firsts[j] + code] : []));
  const parents = places.filter((place) => often[place]);
  return pairs.rates.map((rate, g) => {
    if (!parents.length) return places.reduce((sum, place) => sum + alone[g][place], rate);
    const each = parents.map((parent) => places.reduce((sum, place) => sum + both[g][parent][place], 0));
    return logSum(each) - Math.log(parents.length);
  });
}
