// Times: as they are counted (days, or seconds), and as people write them.

/** @typedef {"date" | "datetime" | "time" | "duration"} TimeKind */

const DAY = 86400; // seconds

/** @type {Record<TimeKind, string>} */
const BOXES = { date: "date", datetime: "datetime-local", time: "time", duration: "number" };
/** @type {[number, string][]} */
const UNITS = [[DAY, "days"], [3600, "h"], [60, "min"]];

/**
 * The sort of box that a time is written into.
 * @param {TimeKind | undefined} kind @returns {string}
 */
export function boxOf(kind) {
  return kind ? BOXES[kind] : "number";
}

/**
 * A time as a box holds it, and as an address does.
 * @param {TimeKind | undefined} kind @param {number} x @returns {string}
 */
export function boxed(kind, x) {
  if (!kind || kind === "duration") return String(x);
  const at = new Date(1000 * (kind === "date" ? x * DAY : x));
  if (Number.isNaN(at.getTime())) return "";
  const text = at.toISOString().replace(/(\.000)?Z$/, "");
  return kind === "date" ? text.slice(0, -9) : kind === "time" ? text.slice(11) : text;
}

/**
 * The number behind what a box holds; NaN where it is no time.
 * @param {TimeKind | undefined} kind @param {string} text @returns {number}
 */
export function unboxed(kind, text) {
  if (!kind || kind === "duration") return text.trim() === "" ? NaN : Number(text);
  const seconds = Date.parse(kind === "date" ? `${text}T00:00Z` : kind === "time" ? `1970-01-01T${text}Z` : `${text}Z`) / 1000;
  return kind === "date" ? seconds / DAY : seconds;
}

/**
 * A time as people read it, to the minute.
 * @param {TimeKind} kind @param {number} x @returns {string}
 */
export function timeText(kind, x) {
  if (kind !== "duration") return boxed(kind, Math.round(x)).replace("T", " ").replace(/:00$/, "");
  const [size, unit] = UNITS.find(([seconds]) => Math.abs(x) >= seconds) ?? [1, "s"];
  return `${Number((x / size).toPrecision(3))} ${unit}`;
}
