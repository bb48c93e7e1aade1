// What can be asked: an answer for any case, whatever the model behind it.

import { answerOf, counted, countedShare, groupsOf, shareTold, worded } from "./form.js";
import { bagOf } from "./words.js";
import { Network, logsOf } from "./network.js";
import { pairAnswer } from "./pairs.js";
import { piecewise } from "./form.js";
import { valuesOf } from "./page_data.js";
import { errorOf, halfWidth, varianceOf } from "./spread.js";

/** @typedef {import("./page_data.js").PageData} PageData */
/** @typedef {import("./page_data.js").Cell} Cell */
/** @typedef {{words: {word: string, evidence: number | null}[], others: string[]}} Spelt */
/** @typedef {{base: number[], lines: {column: number, terms: number[]}[], rest: number[]}} Parts */

/** Answers about one outcome; `answer` is all that a model must know. */
export class Oracle {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.numeric = data.numeric;
    this.outcomes = data.outcomes;
    this.baseName = data.model.base_name ?? "base rate";
    /** @type {string | null} */
    this.restName = null;
    this.values = data.columns.map((column) => ({ values: valuesOf(column) }));
    /** @type {number[] | null} */
    this.nothing = null;
  }

  /** @param {Cell[]} _cells @returns {number[]} log-probabilities, or the number */
  answer(_cells) {
    throw new Error("not asked here");
  }

  /** The answer where nothing is told. @returns {number[]} */
  atRest() {
    this.nothing ??= this.answer(this.data.columns.map(() => null));
    return this.nothing;
  }

  /**
   * What each told column adds, one after another in the order in which they were told.
   * @param {Cell[]} cells @param {number[]} order @returns {Parts}
   */
  ledger(cells, order) {
    /** @type {Cell[]} */
    const some = cells.map(() => null);
    let before = this.answer(some);
    const base = before;
    const lines = order.map((column) => {
      some[column] = cells[column];
      const after = this.answer(some);
      const terms = after.map((log, i) => (log === before[i] ? 0 : log - before[i]));
      before = after;
      return { column, terms };
    });
    return { base, lines, rest: base.map(() => 0) };
  }

  /**
   * How probable each value of a column is now, and the answer if it is that.
   * @param {Cell[]} cells @param {number} column @param {number[]} values
   * @returns {{value: number, weight: number, answer: number[]}[]}
   */
  outlook(cells, column, values) {
    const shares = this.data.columns[column].shares ?? values.map(() => 1);
    const now = this.data.model.generative ? this.answer(cells) : null;
    const rest = this.atRest();
    /** @type {Cell[]} */
    const alone = cells.map(() => null);
    const ways = values.map((value, i) => {
      const told = cells.slice();
      told[column] = value;
      let weight = shares[i];
      if (now) {
        // P(value | told) = P(value) sum of P(class | told) P(class | value) / P(class)
        alone[column] = value;
        const by = this.answer(alone);
        weight *= now.reduce((sum, log, c) => sum + (rest[c] > -Infinity ? Math.exp(log + by[c] - rest[c]) : 0), 0);
      }
      return { value, weight, answer: this.answer(told) };
    });
    const total = ways.reduce((sum, way) => sum + way.weight, 0);
    return ways.filter((way) => way.weight > 0).map((way) => ({ ...way, weight: way.weight / total }));
  }

  /**
   * The answer where each of some values is all that is told.
   * @param {number} column @param {number[]} values @returns {number[][]}
   */
  alone(column, values) {
    return values.map((value) => {
      /** @type {Cell[]} */
      const cells = this.data.columns.map(() => null);
      cells[column] = value;
      return this.answer(cells);
    });
  }

  /** @param {Cell[]} cells @param {number[]} logs @param {number} favoured @returns {number | null} */
  variance(cells, logs, favoured) {
    return varianceOf(this.data.spread, this.values, cells, logs, favoured, () => 1);
  }

  /** @param {Cell[]} cells @returns {number | null} */
  halfWidth(cells) {
    return halfWidth(this.data.spread, cells);
  }

  /** @param {number} column @param {number} value @param {number} favoured @returns {number | null} */
  errorOf(column, value, favoured) {
    return errorOf(this.data.spread, this.values, column, value, this.atRest(), favoured);
  }

  /**
   * What each word of a text adds for one outcome against another, the strongest first; and other words.
   * @param {Cell[]} _cells @param {number} _column @param {number} _favoured @param {number} _against
   * @returns {Spelt | null}
   */
  spelt(_cells, _column, _favoured, _against) {
    return null;
  }

  /** @param {Cell[]} _cells @returns {number[] | null} shares of groups, where these are not the outcomes */
  groupShares(_cells) {
    return null;
  }

  /** @param {Cell[]} _cells @returns {number[][]} what is believed of every node */
  beliefs(_cells) {
    return [];
  }
}

/** A model whose scores are sums of terms. */
export class FormOracle extends Oracle {
  /** @param {PageData} data */
  constructor(data) {
    super(data);
    /** @type {import("./form.js").Form} */
    this.form = data.model;
    const { form } = this;
    const apart = form.terms.every((term) => term.columns.length === 1) && !form.then.length;
    this.additive = apart && (!form.components || form.components.every((count) => count === 1));
  }

  /** @param {Cell[]} cells */
  answer(cells) {
    return answerOf(this.form, cells);
  }

  /** @param {Cell[]} cells @param {number[]} order @returns {Parts} */
  ledger(cells, order) {
    if (!this.additive) return super.ledger(cells, order);
    const { form } = this;
    /** @type {Cell[]} */
    const nothing = cells.map(() => null);
    const base = form.start.slice();
    const terms = new Map(order.map((column) => [column, base.map(() => 0)]));
    for (const term of form.terms) {
      const resting = counted(form, nothing, term);
      resting.forEach((nats, g) => (base[g] += nats));
      const own = terms.get(term.columns[0]);
      if (own) counted(form, cells, term).forEach((nats, g) => (own[g] += nats - resting[g]));
    }
    const lines = order.map((column) => ({ column, terms: /** @type {number[]} */ (terms.get(column)) }));
    return { base, lines, rest: base.map(() => 0) };
  }

  /** @param {Cell[]} cells @param {number[]} logs @param {number} favoured */
  variance(cells, logs, favoured) {
    const told = cells.filter((cell) => cell !== null).length;
    const share = this.form.weighed && this.form.inputs > 1 ? Math.max(0, (told - 1) / (this.form.inputs - 1)) : 1;
    const weights = new Map(this.form.terms.map((term) => [term.columns[0], term]));
    return varianceOf(this.data.spread, this.values, cells, logs, favoured, (column) => {
      const weight = weights.get(column)?.weight ?? 1;
      return this.form.weighed && weight > 0 ? weight / (weight + share * (1 - weight)) : weight;
    });
  }

  /** @param {Cell[]} cells @param {number} column @param {number} favoured @param {number} against @returns {Spelt | null} */
  spelt(cells, column, favoured, against) {
    const term = this.form.terms.find((one) => one.kind === "words" && one.columns[0] === column);
    const text = cells[column];
    if (!term?.vocabulary || typeof text !== "string") return null;
    const { vocabulary } = term;
    const { counts, others } = bagOf(vocabulary, text);
    const whole = worded(term, text, null);
    const counted = countedShare(this.form, term, shareTold(this.form, cells));
    const words = Array.from(counts.keys(), (place) => {
      const rest = worded(term, text, place);
      const adds = (/** @type {number} */ g) => (g < 0 ? 0 : whole[g] - rest[g]);
      const evidence = counted * (adds(favoured) - adds(this.numeric ? -1 : against));
      return { word: vocabulary.words[place], evidence: this.additive ? evidence : null };
    });
    words.sort((a, b) => Math.abs(b.evidence ?? 0) - Math.abs(a.evidence ?? 0));
    return { words, others: Array.from(others) };
  }

  /** @param {Cell[]} cells */
  groupShares(cells) {
    return this.form.components ? groupsOf(this.form, cells) : null;
  }
}

/** A classifier whose columns depend on one column more. */
export class PairOracle extends Oracle {
  /** @param {Cell[]} cells */
  answer(cells) {
    return pairAnswer(this.data.model, cells);
  }
}

/**
 * What answers for the model of a page.
 * @param {PageData} data @returns {Oracle}
 */
export function oracleOf(data) {
  if (data.about !== null) return new NetworkOracle(data, data.about);
  return data.model.kind === "pairs" ? new PairOracle(data) : new FormOracle(data);
}

/** A belief network, asked about any of its nodes. */
export class NetworkOracle extends Oracle {
  /** @param {PageData} data @param {number} about */
  constructor(data, about) {
    super(data);
    this.network = new Network(data.model);
    this.about = about;
    this.outcomes = (data.columns[about].options ?? []).map((option) => option.label);
    /** @type {Map<string, {marginals: number[][], possible: boolean}>} */
    this.kept = new Map();
  }

  /** @param {Cell[]} cells @returns {{marginals: number[][], possible: boolean}} */
  run(cells) {
    const key = cells.join();
    const before = this.kept.get(key);
    if (before) return before;
    const known = this.data.model.known.map((/** @type {any} */ one) => {
      const cell = cells[one.column];
      if (cell === null) return null;
      if (one.pieces) {
        const logs = piecewise(one.pieces, Number(cell));
        const most = Math.max(...logs);
        return logs.map((log) => Math.exp(log - most));
      }
      return Float64Array.from({ length: one.size }, (_, level) => (level === cell ? 1 : 0));
    });
    const after = this.network.marginals(known);
    if (this.kept.size > 4000) this.kept.clear();
    this.kept.set(key, after);
    return after;
  }

  /** @param {Cell[]} cells */
  answer(cells) {
    const { marginals, possible } = this.run(cells);
    return possible ? logsOf(marginals[this.about]) : this.outcomes.map(() => NaN);
  }

  /** @param {Cell[]} cells */
  beliefs(cells) {
    return this.run(cells).marginals;
  }

  /** @param {number} column @param {number[]} values */
  alone(column, values) {
    if (this.data.columns[column].control !== "levels") return super.alone(column, values);
    const ways = new Map(this.outlook(this.data.columns.map(() => null), column, values).map((way) => [way.value, way.answer]));
    return values.map((value) => ways.get(value) ?? this.outcomes.map(() => NaN));
  }

  /**
   * All columns at once: the network is asked once for each outcome.
   * @param {Cell[]} cells @param {number} column @param {number[]} values
   */
  outlook(cells, column, values) {
    const now = this.run(cells);
    if (!now.possible || this.data.columns[column].control !== "levels") return super.outlook(cells, column, values);
    const by = this.outcomes.map((_, outcome) => {
      const told = cells.slice();
      told[this.about] = outcome;
      const run = this.run(told);
      return run.possible ? run.marginals[column] : null;
    });
    return values.flatMap((value) => {
      const joint = by.map((own, outcome) => (own ? own[value] * now.marginals[this.about][outcome] : 0));
      const weight = joint.reduce((sum, p) => sum + p, 0);
      return weight > 0 ? [{ value, weight, answer: joint.map((p) => Math.log(p / weight)) }] : [];
    });
  }
}
