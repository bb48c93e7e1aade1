// Your case: a control for every column, by its kind; unknown, until it is told.

import { byId, el, named, shortened } from "./elements.js";
import { plus, signed } from "./numbers.js";
import { wordOf } from "./page_data.js";
import { boxed, boxOf, unboxed } from "./times.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./page_data.js").Column} Column */
/** @typedef {import("./oracle.js").Spelt} Spelt */

const FEW = 5; // options that are buttons side by side
const LETTERS = 26; // of all of them together
const WORDS = 12; // of a text that are named with what they add
const MANY = 12; // columns, from which on there is a filter

/**
 * Build the controls.
 * @param {Case} current
 * @returns {(evidence: Map<number, number>, spelt: (column: number) => Spelt | null, numeric: boolean) => void}  shows the case,
 *   and what each column adds, or each word of a text
 */
export function controls(current) {
  const { columns } = current.data;
  const parts = columns.map((column, j) => control(current, column, j));
  const list = el("div", { class: columns.length > MANY ? "controls many" : "controls" }, ...parts.map((part) => part.element));
  const clear = el("button", { type: "button", class: "quiet", id: "clear" }, "All unknown");
  clear.addEventListener("click", () => current.clear());
  const share = el("button", { type: "button", class: "quiet" }, "Copy link to this case");
  share.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      share.textContent = "Copied";
    } catch {
      share.textContent = "The link is in the address bar";
    }
    setTimeout(() => (share.textContent = "Copy link to this case"), 2000);
  });
  const linked = window === window.top; // inside a notebook the page has no address of its own
  const tools = el("div", { class: "tools" }, clear, linked ? share : null);
  if (columns.length > MANY) tools.prepend(filter(columns, parts));
  byId("case-controls").replaceChildren(tools, list);
  return (evidence, spelt, numeric) => {
    clear.toggleAttribute("disabled", current.order.length === 0);
    parts.forEach((part, j) => part.show(evidence.get(j), spelt, numeric));
  };
}

/** @param {Column[]} columns @param {{element: HTMLElement}[]} parts @returns {HTMLElement} */
function filter(columns, parts) {
  const box = el("input", { type: "search", placeholder: "Find a column", "aria-label": "Find a column" });
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    columns.forEach((column, j) => {
      parts[j].element.hidden = wanted !== "" && !column.name.toLowerCase().includes(wanted);
    });
  });
  return box;
}

/**
 * @typedef {Object} Control
 * @property {HTMLElement} element
 * @property {(evidence: number | undefined, spelt: (column: number) => Spelt | null, numeric: boolean) => void} show
 */

/** @param {Case} current @param {Column} column @param {number} j @returns {Control} */
function control(current, column, j) {
  const adds = el("span", { class: "adds" });
  const legend = el("legend", {}, named(column.name), " ", adds);
  const element = el("fieldset", { class: "control", "data-column": j }, legend);
  element.addEventListener("focusin", () => current.look(j));
  const options = column.options ?? [];
  const letters = options.reduce((n, option) => n + option.label.length, 0);
  const inner =
    column.control === "none"
      ? none(column)
      : column.control === "number"
        ? number(current, column, j)
        : column.control === "text"
        ? text(current, column, j)
        : options.length <= FEW && letters <= LETTERS
          ? buttons(current, column, j)
          : choice(current, column, j);
  element.append(...inner.elements);
  return {
    element,
    show(evidence, spelt, numeric) {
      const told = current.cells[j] !== null;
      const asked = j === current.about;
      element.classList.toggle("told", told);
      element.classList.toggle("asked", asked);
      element.toggleAttribute("disabled", asked);
      adds.textContent = asked ? "asked about" : told && evidence !== undefined ? (numeric ? plus(evidence) : signed(evidence)) : "";
      adds.className = `adds ${evidence !== undefined && evidence < 0 ? "against" : "for"}`;
      inner.show(current.cells[j], spelt);
    },
  };
}

/** @typedef {import("./page_data.js").Cell} Cell */
/** @typedef {{elements: HTMLElement[], show: (cell: Cell, spelt: (column: number) => Spelt | null) => void}} Inner */

/** @param {Column} column @returns {Inner} */
function none(column) {
  return { elements: [el("p", { class: "note" }, column.why ?? "not live")], show() {} };
}

/** @param {Case} current @param {Column} column @param {number} j @returns {Inner} */
function buttons(current, column, j) {
  /** @type {{input: HTMLInputElement, cell: number | null}[]} */
  const inputs = [];
  /** @param {string} label @param {number | null} cell @param {number} i */
  const one = (label, cell, i) => {
    const input = el("input", { type: "radio", name: `c${j}`, id: `c${j}-${i}`, value: i });
    input.addEventListener("change", () => current.tell(j, cell));
    inputs.push({ input, cell });
    return [input, el("label", { for: `c${j}-${i}` }, cell === null ? "unknown" : named(label))];
  };
  const all = [one("unknown", null, 0)];
  (column.options ?? []).forEach((option, i) => all.push(one(option.label, option.cell, i + 1)));
  return {
    elements: [el("div", { class: "segments" }, ...all.flat())],
    show(cell) {
      for (const { input, cell: own } of inputs) input.checked = own === cell;
    },
  };
}

/** @param {Case} current @param {Column} column @param {number} j @returns {Inner} */
function choice(current, column, j) {
  const options = column.options ?? [];
  const select = el(
    "select",
    { "aria-label": shortened(column.name, 60) },
    el("option", { value: "" }, "unknown"),
    ...options.map((option, i) => el("option", { value: i }, shortened(option.label, 60))),
  );
  select.addEventListener("change", () => {
    current.tell(j, select.value === "" ? null : options[Number(select.value)].cell);
  });
  return {
    elements: [select],
    show(cell) {
      select.value = cell === null ? "" : String(options.findIndex((option) => option.cell === cell));
    },
  };
}

/** @param {Case} current @param {Column} column @param {number} j @returns {Inner} */
function number(current, column, j) {
  const points = column.points ?? [];
  const [low, high] = [points[0] ?? 0, points[points.length - 1] ?? 1];
  const name = shortened(column.name, 60);
  const step = column.step ?? 0;
  const box = el("input", {
    type: boxOf(column.time), step: "any", placeholder: column.time ? "seconds" : "unknown", "aria-label": name, inputmode: column.time ? null : "decimal",
  });
  const slider = el("input", {
    type: "range", min: low, max: high, step: step > 0 ? step : (high - low) / 200 || 1,
    "aria-label": `${name}, along a line`,
  });
  const forget = el("button", { type: "button", class: "forget", "aria-label": `${name} unknown` }, "×");
  box.addEventListener("input", () => {
    if (box.value === "" && box.validity.badInput) return;
    const told = unboxed(column.time, box.value);
    current.tell(j, Number.isNaN(told) ? null : told);
  });
  slider.addEventListener("input", () => current.tell(j, Number(slider.value)));
  forget.addEventListener("click", () => {
    current.tell(j, null);
    box.focus();
  });
  return {
    elements: [el("div", { class: "number" }, slider, box, forget)],
    show(cell) {
      if (cell === null) box.value = "";
      else if (unboxed(column.time, box.value) !== cell) box.value = boxed(column.time, /** @type {number} */ (cell));
      slider.value = String(cell ?? (low + high) / 2);
      slider.classList.toggle("unknown", cell === null);
      slider.setAttribute("aria-valuetext", cell === null ? "unknown" : wordOf(column, cell));
      forget.hidden = cell === null;
    },
  };
}

/** @param {number} evidence @returns {HTMLElement} */
function adding(evidence) {
  return el("span", { class: `adds ${evidence < 0 ? "against" : "for"}` }, signed(evidence));
}

/** @param {Case} current @param {Column} column @param {number} j @returns {Inner} */
function text(current, column, j) {
  const box = el("textarea", { rows: 3, placeholder: "unknown", "aria-label": shortened(column.name, 60) });
  box.addEventListener("input", () => current.tell(j, box.value === "" ? null : box.value));
  const said = el("p", { class: "note words" });
  return {
    elements: [box, said],
    show(cell, spelt) {
      if (box.value !== (cell ?? "")) box.value = String(cell ?? "");
      const found = spelt(j);
      said.hidden = found === null;
      if (!found) return;
      const shown = found.words.slice(0, WORDS).flatMap(({ word, evidence }) => [
        el("span", { class: "word" }, named(word, 24), " ", evidence === null ? null : adding(evidence)),
        " ",
      ]);
      const more = found.words.length - WORDS;
      const others = found.others.length;
      said.replaceChildren(
        ...shown,
        more > 0 ? `and ${more} more that count. ` : "",
        others ? `${others} ${found.words.length ? "others are" : others === 1 ? "word is" : "words are"} not among those that the page knows.` : "",
      );
    },
  };
}
