// A belief network: an elimination plan that Python made, run forwards and backwards at every click.

import { normalised } from "./numbers.js";

/**
 * @typedef {Object} NetworkForm
 * @property {number[]} sizes       levels of each node
 * @property {number[][]} scopes    nodes of each table that goes in, the last changing fastest
 * @property {(number[] | null)[]} tables  their cells; null where what is known of a node goes in
 * @property {[number, number, number[]][]} steps  two operands (the second -1: none), and what is left
 * @property {number[]} results     operands that are left in the end, single numbers
 */

/** @typedef {{left: number, right: number, size: number, l: Int32Array, r: Int32Array, o: Int32Array}} Step */

/** Sums a product of tables over all nodes, and gives what every node is by it. */
export class Network {
  /** @param {NetworkForm} form */
  constructor(form) {
    this.form = form;
    const scopes = form.scopes.slice();
    /** @type {Step[]} */
    this.steps = form.steps.map(([left, right, scope]) => {
      const step = indexed(form.sizes, scopes[left], right < 0 ? [] : scopes[right], scope);
      scopes.push(scope);
      return { left, right, ...step };
    });
    this.first = form.scopes.length;
    this.given = form.tables.map((table) => (table ? Float64Array.from(table) : null));
  }

  /**
   * P(level given what is known) of every node, and whether that can be at all.
   * @param {(number[] | Float64Array | null)[]} known  by place among the tables that are not given
   * @returns {{marginals: number[][], possible: boolean}}
   */
  marginals(known) {
    let place = 0;
    /** @type {(Float64Array | number[])[]} */
    const values = this.given.map((table, i) => table ?? known[place++] ?? ones(this.form, i));
    for (const step of this.steps) values.push(forward(step, values));
    const possible = this.form.results.every((at) => values[at][0] > 0);
    /** @type {(Float64Array | undefined)[]} */
    const slopes = new Array(values.length);
    for (const at of this.form.results) slopes[at] = Float64Array.of(1);
    for (let s = this.steps.length - 1; s >= 0; s--) backward(this.steps[s], s + this.first, values, slopes);
    /** @type {number[][]} */
    const marginals = [];
    this.given.forEach((table, i) => {
      const [node, ...others] = this.form.scopes[i];
      if (table || others.length || marginals[node]) return;
      marginals[node] = share(values[i], slopes[i]);
    });
    return { marginals, possible };
  }
}

/** @param {NetworkForm} form @param {number} table @returns {Float64Array} */
function ones(form, table) {
  return new Float64Array(form.scopes[table].reduce((n, node) => n * form.sizes[node], 1)).fill(1);
}

/**
 * A table times its slope, brought to a sum of 1.
 * @param {ArrayLike<number>} table
 * @param {ArrayLike<number> | undefined} slope
 * @returns {number[]}
 */
function share(table, slope) {
  const product = Array.from(table, (cell, i) => cell * (slope ? slope[i] : 1));
  const total = product.reduce((sum, cell) => sum + cell, 0);
  return product.map((cell) => (total > 0 ? cell / total : NaN));
}

/**
 * Where each cell of a product comes from and goes to.
 * @param {number[]} sizes
 * @param {number[]} left
 * @param {number[]} right
 * @param {number[]} out
 */
function indexed(sizes, left, right, out) {
  const all = [...new Set([...out, ...left, ...right])];
  const strides = [left, right, out].map((scope) => {
    const by = new Map();
    let stride = 1;
    for (let i = scope.length - 1; i >= 0; i--) {
      by.set(scope[i], stride);
      stride *= sizes[scope[i]];
    }
    return { steps: all.map((node) => by.get(node) ?? 0), size: stride };
  });
  const cells = all.reduce((n, node) => n * sizes[node], 1);
  const [l, r, o] = strides.map(() => new Int32Array(cells));
  const at = [0, 0, 0];
  const count = new Int32Array(all.length);
  for (let cell = 0; cell < cells; cell++) {
    l[cell] = at[0];
    r[cell] = at[1];
    o[cell] = at[2];
    for (let k = all.length - 1; k >= 0; k--) {
      count[k]++;
      for (let s = 0; s < 3; s++) at[s] += strides[s].steps[k];
      if (count[k] < sizes[all[k]]) break;
      for (let s = 0; s < 3; s++) at[s] -= strides[s].steps[k] * count[k];
      count[k] = 0;
    }
  }
  return { l, r, o, size: strides[2].size };
}

/**
 * The result of a step, brought to a size of 1: only shares are asked for.
 * @param {Step} step
 * @param {ArrayLike<number>[]} values
 * @returns {Float64Array}
 */
function forward(step, values) {
  const { l, r, o } = step;
  const left = values[step.left];
  const out = new Float64Array(step.size);
  if (step.right < 0) for (let i = 0; i < o.length; i++) out[o[i]] += left[l[i]];
  else {
    const right = values[step.right];
    for (let i = 0; i < o.length; i++) out[o[i]] += left[l[i]] * right[r[i]];
  }
  return scaled(out);
}

/**
 * @param {Step} step
 * @param {number} place
 * @param {ArrayLike<number>[]} values
 * @param {(Float64Array | undefined)[]} slopes
 */
function backward(step, place, values, slopes) {
  const slope = slopes[place];
  if (!slope) return;
  const { l, r, o } = step;
  const left = values[step.left];
  const ofLeft = new Float64Array(left.length);
  if (step.right < 0) for (let i = 0; i < o.length; i++) ofLeft[l[i]] += slope[o[i]];
  else {
    const right = values[step.right];
    const ofRight = new Float64Array(right.length);
    for (let i = 0; i < o.length; i++) {
      ofLeft[l[i]] += slope[o[i]] * right[r[i]];
      ofRight[r[i]] += slope[o[i]] * left[l[i]];
    }
    slopes[step.right] = scaled(ofRight);
  }
  slopes[step.left] = scaled(ofLeft);
  slopes[place] = undefined;
}

/** @param {Float64Array} cells @returns {Float64Array} */
function scaled(cells) {
  let most = 0;
  for (const cell of cells) if (cell > most) most = cell;
  if (most > 0) for (let i = 0; i < cells.length; i++) cells[i] /= most;
  return cells;
}

/**
 * Logs of a marginal.
 * @param {number[]} marginal
 * @returns {number[]}
 */
export function logsOf(marginal) {
  return normalised(marginal.map(Math.log));
}
