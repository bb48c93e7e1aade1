// What if: the answer along one column, all else as it is told.

import { byId, drawn, el, named, svg } from "./elements.js";
import { percent, short, ticks } from "./numbers.js";
import { valuesOf, wordOf } from "./page_data.js";
import { share } from "./answer.js";
import { timeText } from "./times.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./oracle.js").Oracle} Oracle */

const HEIGHT = 220;
const POINTS = 80;
const EDGE = { left: 52, right: 14, top: 12, bottom: 34 };
const LETTER = 7; // pixels, of the numbers beside the curve

/**
 * @param {() => Oracle} oracle
 * @param {Case} current
 * @returns {() => void}
 */
export function whatIf(oracle, current) {
  const select = el("select", { "aria-label": "Column", id: "whatif-column" });
  current.data.columns.forEach((column, j) => {
    if (valuesOf(column).length) select.append(el("option", { value: j }, named(column.name, 60).textContent));
  });
  select.addEventListener("change", () => current.look(Number(select.value)));
  if (!select.options.length) {
    byId("whatif-body").replaceChildren(el("p", { class: "note" }, "No column here has values to go along."));
    return () => {};
  }
  const said = el("span", {});
  const body = el("div", { class: "chart" });
  byId("whatif-body").replaceChildren(
    el("label", { class: "inline" }, said, "along", select, "with all else as you told it"), body,
  );
  const again = drawn(body, (width) => {
    const column = current.data.columns[current.focus];
    return column.options ? levels(oracle(), current) : curve(oracle(), current, width);
  });
  return () => {
    select.value = String(current.focus);
    said.replaceChildren(...whatIsAsked(oracle(), current));
    again();
  };
}

/** @param {Oracle} oracle @param {Case} current @returns {(Node | string)[]} */
function whatIsAsked(oracle, current) {
  const target = named(current.target, 40);
  return oracle.numeric ? [target] : ["Probability that ", target, " is ", el("strong", {}, named(oracle.outcomes[current.shown], 30))];
}

/** @param {Oracle} oracle @param {Case} current @param {number} value @returns {number} */
function answerAt(oracle, current, value) {
  const cells = current.cells.slice();
  cells[current.focus] = value;
  const answer = oracle.answer(cells);
  return oracle.numeric ? answer[0] : Math.exp(answer[current.shown]);
}

/** @param {Oracle} oracle @param {Case} current @returns {Element} */
function levels(oracle, current) {
  const column = current.data.columns[current.focus];
  if (current.focus === current.about) return el("p", { class: "note" }, "This is what is asked about.");
  const values = valuesOf(column);
  const answers = values.map((value) => answerAt(oracle, current, value));
  const most = Math.max(...answers.map(Math.abs), 1e-300);
  const list = el("ul", { class: "outcomes" });
  values.forEach((value, i) => {
    const chosen = current.cells[current.focus] === value;
    const button = el(
      "button", { type: "button", class: "outcome", "aria-pressed": String(chosen), "data-whatif": i },
      el("span", { class: "name" }, named(wordOf(column, value), 40)),
      share(oracle.numeric ? Math.abs(answers[i]) / most : answers[i], chosen),
      el("span", { class: "value" }, oracle.numeric ? short(answers[i], 4) : percent(answers[i])),
    );
    button.addEventListener("click", () => {
      current.tell(current.focus, chosen ? null : value);
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-whatif="${i}"]`))?.focus();
    });
    list.append(el("li", {}, button));
  });
  return list;
}

/** @param {Oracle} oracle @param {Case} current @param {number} width @returns {Element} */
function curve(oracle, current, width) {
  const column = current.data.columns[current.focus];
  const points = column.points ?? [];
  const cell = /** @type {number | null} */ (current.cells[current.focus]);
  let [low, high] = [points[0] ?? 0, points[points.length - 1] ?? 1];
  if (cell !== null) [low, high] = [Math.min(low, cell), Math.max(high, cell)];
  if (!(high > low)) high = low + 1;
  const at = Array.from({ length: POINTS + 1 }, (_, i) => low + ((high - low) * i) / POINTS);
  const whole = column.step === 1 && high - low <= POINTS;
  const x = whole ? Array.from({ length: Math.round(high - low) + 1 }, (_, i) => low + i) : at;
  const y = x.map((value) => answerAt(oracle, current, value));
  const marked = cell === null ? null : answerAt(oracle, current, cell);
  const [bottom, top] = oracle.numeric ? padded([...y, ...(marked === null ? [] : [marked])]) : [0, 1];
  const said = oracle.numeric ? (/** @type {number} */ v) => short(v, 3) : percent;
  const marks = oracle.numeric ? ticks(bottom, top, 4) : [0, 0.25, 0.5, 0.75, 1];
  const left = Math.max(EDGE.left, 10 + LETTER * Math.max(...marks.map((mark) => said(mark).length)));
  const across = (/** @type {number} */ v) => left + ((v - low) / (high - low)) * (width - left - EDGE.right);
  const up = (/** @type {number} */ v) => HEIGHT - EDGE.bottom - ((v - bottom) / (top - bottom)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const label = (/** @type {number} */ v) => (column.time ? timeText(column.time, v) : short(v, 4));
  const picture = svg(
    "svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
      "aria-label": `the answer along ${column.name}: ${said(y[0])} at ${label(low)}, ${said(y[y.length - 1])} at ${label(high)}` },
  );
  for (const mark of marks) {
    picture.append(
      svg("line", { class: "grid", x1: left, x2: width - EDGE.right, y1: up(mark), y2: up(mark) }),
      svg("text", { class: "tick", x: left - 6, y: up(mark) + 4, "text-anchor": "end" }, said(mark)),
    );
  }
  const room = column.time === "datetime" ? 140 : 90; // pixels of a mark
  for (const mark of ticks(low, high, Math.max(2, Math.floor(width / room)))) {
    const text = label(mark);
    const most = width - 3.6 * text.length; // so that the last one is not cut
    picture.append(svg("text", { class: "tick", x: Math.min(across(mark), most), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, text));
  }
  const path = x.map((v, i) => `${i ? "L" : "M"}${across(v).toFixed(1)} ${up(y[i]).toFixed(1)}`).join("");
  picture.append(svg("path", { class: "curve", d: path }));
  if (cell !== null && marked !== null) {
    picture.append(
      svg("line", { class: "now", x1: across(cell), x2: across(cell), y1: EDGE.top, y2: HEIGHT - EDGE.bottom }),
      svg("circle", { class: "now", cx: across(cell), cy: up(marked), r: 5 }),
    );
  }
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const v = low + ((/** @type {MouseEvent} */ (event).clientX - box.left - left) / (width - left - EDGE.right)) * (high - low);
    const step = column.step || (high - low) / 200;
    current.tell(current.focus, Number((Math.round(Math.min(high, Math.max(low, v)) / step) * step).toPrecision(10)));
  });
  return picture;
}

/** @param {number[]} y @returns {[number, number]} */
function padded(y) {
  const [low, high] = [Math.min(...y), Math.max(...y)];
  const room = (high - low) * 0.12 || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}
