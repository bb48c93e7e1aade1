// What Python wrote into the page, and the case that is asked about.

import { unpacked } from "./packed.js";
import { boxed, timeText, unboxed } from "./times.js";

/** @typedef {number | string | null} Cell  a number, the place of a level, or a text; null: unknown */

/**
 * @typedef {Object} Option
 * @property {string} label
 * @property {number} cell
 * @property {number} [rows]
 */

/**
 * @typedef {Object} Fact  what the table holds of one value, or from one number to another
 * @property {string} label
 * @property {number} rows
 * @property {number} [at]        a number in the middle of it
 * @property {number[]} [share]   of each outcome; of a number its mean
 * @property {number[]} [low]
 * @property {number[]} [high]
 */

/**
 * @typedef {Object} Column
 * @property {string} name
 * @property {string} kind
 * @property {"levels" | "number" | "text" | "none"} control
 * @property {string} [why]         there is no control
 * @property {Option[]} [options]
 * @property {number[]} [points]    along a number, rising
 * @property {number[]} [shares]    of rows nearest to each point, or of each option
 * @property {import("./times.js").TimeKind} [time]  what the numbers count
 * @property {number} [step]
 * @property {Fact[]} [facts]
 * @property {string[]} [words]     of texts: those that count
 * @property {import("./words.js").Reader} [reader]
 */

/**
 * @typedef {Object} Quality
 * @property {string} how
 * @property {{name: string, value: string, error: string, yardstick: string}[]} measures
 * @property {string} yardstick
 * @property {Judged[]} outcomes
 */

/**
 * @typedef {Object} Judged  one outcome against the rest, by predictions of rows not seen
 * @property {string} outcome
 * @property {number[]} thresholds  rising; each cell of the counts lies from one to the next
 * @property {number[]} hits        rows of the outcome in each cell
 * @property {number[]} others      rows of other outcomes
 * @property {{mean: number, share: number, low: number, high: number, rows: number}[]} calibration
 */

/**
 * @typedef {Object} Group
 * @property {string} name
 * @property {{column: string, text: string}[]} traits
 */

/**
 * @typedef {Object} Picture
 * @property {number} width
 * @property {number} height
 * @property {{x: number, y: number, width: number, height: number}[]} boxes
 * @property {number[][]} arcs  x, y, x, y, ... of the points that each goes through
 */

/**
 * @typedef {Object} PageData
 * @property {string} target
 * @property {boolean} numeric
 * @property {string[]} outcomes
 * @property {number | null} about    the node that is asked about, of a network
 * @property {Column[]} columns
 * @property {any} model
 * @property {any} spread
 * @property {string} said            about what the answer leaves out
 * @property {Quality | null} quality
 * @property {Group[] | null} groups
 * @property {Picture | null} picture
 */

/** @returns {PageData} */
export function pageData() {
  const holder = document.getElementById("page-data");
  if (!holder?.textContent) throw new Error("the page has no data");
  /** @type {PageData} */
  const data = unpacked(holder.textContent);
  for (const term of data.model.terms ?? []) {
    const { words, reader } = data.columns[term.columns[0]];
    if (term.kind === "words") term.vocabulary = { words, reader };
  }
  return data;
}

/** The case that is asked about; it is also in the address, so that it can be shared. */
export class Case {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    /** @type {Cell[]} */
    this.cells = data.columns.map(() => null);
    /** @type {number[]} the columns that are told, in the order in which they were */
    this.order = [];
    /** @type {number | null} the outcome that was chosen to look at; null: the one that is looked at first */
    this.favoured = null;
    this.shown = 0;
    this.about = data.about;
    this.focus = Math.max(0, data.columns.findIndex((column) => valuesOf(column).length > 0));
    this.looked = false; // at a column of their own choice
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** The name of what is asked about. */
  get target() {
    return this.about === null ? this.data.target : this.data.columns[this.about].name;
  }

  /** @param {number} column @param {Cell} cell */
  tell(column, cell) {
    this.cells[column] = cell;
    this.order = this.order.filter((j) => j !== column);
    if (cell !== null) this.order.push(column);
    if (valuesOf(this.data.columns[column]).length) [this.focus, this.looked] = [column, true];
    this.changed();
  }

  clear() {
    this.cells.fill(null);
    this.order = [];
    this.changed();
  }

  /**
   * Which outcome to look at: the one chosen; of two the one that says yes, or the last; else the likeliest.
   * @param {string[]} outcomes @param {number[]} answer
   */
  settle(outcomes, answer) {
    const yes = outcomes.findIndex((name) => YES.has(name.toLowerCase()));
    const likeliest = answer.reduce((best, log, i) => (log > answer[best] ? i : best), 0);
    const first = outcomes.length === 2 ? (yes < 0 ? 1 : yes) : likeliest;
    this.shown = Math.min(this.favoured ?? first, Math.max(0, outcomes.length - 1));
  }

  /** @param {number} column */
  look(column) {
    this.looked = true;
    if (this.focus === column || !valuesOf(this.data.columns[column]).length) return;
    this.focus = column;
    this.changed(false);
  }

  /** @param {boolean} [address] whether the address changes too */
  changed(address = true) {
    if (address) this.write();
    for (const listener of this.listeners) listener();
  }

  write() {
    try {
      history.replaceState(null, "", this.address() || location.pathname + location.search);
    } catch {
      // A page inside another one may have no address of its own.
    }
  }

  /** @returns {string} */
  address() {
    const said = this.order.map((j) => {
      const column = this.data.columns[j];
      return `${written(column.name, j)}=${writtenCell(column, /** @type {number | string} */ (this.cells[j]))}`;
    });
    if (this.about !== this.data.about && this.about !== null) said.push(`~about=${this.about}`);
    if (this.favoured !== null) said.push(`~for=${this.favoured}`);
    return said.length ? `#${said.join("&")}` : "";
  }

  /** Take the case from the address; what does not fit is left out. */
  read() {
    this.cells.fill(null);
    this.order = [];
    this.about = this.data.about;
    this.favoured = null;
    for (const part of location.hash.slice(1).split("&")) {
      const cut = part.indexOf("=");
      if (cut < 0) continue;
      const [key, value] = [part.slice(0, cut), part.slice(cut + 1)];
      const number = Number(value);
      if (key === "~about" && this.about !== null && Number.isInteger(number)) {
        if (this.data.columns[number]?.options) this.about = number;
        continue;
      }
      if (key === "~for" && Number.isInteger(number) && number >= 0) {
        this.favoured = number;
        continue;
      }
      const j = this.data.columns.findIndex((column, i) => written(column.name, i) === key);
      const cell = j < 0 ? null : readCell(this.data.columns[j], value);
      if (cell !== null) {
        this.cells[j] = cell;
        this.order.push(j);
        if (valuesOf(this.data.columns[j]).length) [this.focus, this.looked] = [j, true];
      }
    }
    for (const listener of this.listeners) listener();
  }
}

const YES = new Set(["yes", "true", "1", "y", "t", "positive", "+"]);
const LONGEST = 40; // letters of names in the address

/** @param {string} name @param {number} place @returns {string} */
function written(name, place) {
  return name.length && name.length <= LONGEST && !name.startsWith("~") ? encoded(name) : `~${place}`;
}

/** @param {string} text @returns {string} */
function encoded(text) {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "?"));
  }
}

/** @param {string} text @returns {string} */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** @param {Column} column @param {number | string} cell @returns {string} */
function writtenCell(column, cell) {
  if (!column.options) return encoded(typeof cell === "string" ? cell : boxed(column.time, cell));
  const at = column.options.findIndex((option) => option.cell === cell);
  const label = column.options[at]?.label ?? "";
  const clear = column.options.filter((option) => option.label === label).length === 1;
  return clear ? written(label, at) : `~${at}`;
}

/** @param {Column} column @param {string} value @returns {Cell} */
function readCell(column, value) {
  if (column.control === "none") return null;
  if (column.control === "text") return decoded(value) || null;
  if (!column.options) {
    const number = unboxed(column.time, decoded(value));
    return Number.isFinite(number) ? number : null;
  }
  const at = column.options.findIndex((option, i) => written(option.label, i) === value || `~${i}` === value);
  return at < 0 ? null : column.options[at].cell;
}

/**
 * The values of a column that are looked at in turn.
 * @param {Column} column
 * @returns {number[]}
 */
export function valuesOf(column) {
  return column.options ? column.options.map((option) => option.cell) : column.points ?? [];
}

/**
 * A value as people read it; of texts, a number is the place of a word.
 * @param {Column} column
 * @param {number | string} value
 * @returns {string}
 */
export function wordOf(column, value) {
  if (typeof value === "string") return value;
  if (column.words) return column.words[value];
  if (column.options) return column.options.find((option) => option.cell === value)?.label ?? "";
  if (column.time) return timeText(column.time, value);
  return String(Number(value.toPrecision(6)));
}
