// What hangs together: the network with what is believed of every node, or the groups and their shares.

import { byId, el, named, shortened, svg } from "./elements.js";
import { percent } from "./numbers.js";
import { share } from "./answer.js";
import { goTo } from "./question.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./oracle.js").Oracle} Oracle */

const LINE = 16; // pixels of a level; as Python laid the boxes out
const MOST = 6; // levels of a box
const LEAST = 0.72; // of its size, at which a picture can be read

/**
 * @param {Case} current
 * @returns {(oracle: Oracle, answer: number[]) => void}
 */
export function structurePanel(current) {
  if (current.data.groups) return groupsPanel(current);
  if (current.data.picture) return networkPanel(current);
  return () => {};
}

/** @param {Case} current @returns {(oracle: Oracle, answer: number[]) => void} */
function groupsPanel(current) {
  const groups = current.data.groups ?? [];
  const cards = groups.map((group) => {
    const bar = el("div", { class: "bar" });
    const value = el("span", { class: "value" });
    const traits = group.traits.map((trait) => el("li", {}, el("span", { class: "name" }, named(trait.column, 24)), " ", el("span", { class: "cell" }, named(trait.text, 60))));
    const element = el("article", { class: "group" }, el("h3", {}, named(group.name), " ", value), bar, el("ul", {}, ...traits));
    return { element, bar, value };
  });
  byId("structure-body").replaceChildren(el("div", { class: "groups" }, ...cards.map((card) => card.element)));
  return (oracle, answer) => {
    const shares = oracle.groupShares(current.cells) ?? answer.map(Math.exp);
    const most = Math.max(...shares);
    cards.forEach((card, i) => {
      card.value.textContent = percent(shares[i]);
      card.bar.replaceChildren(share(shares[i], shares[i] === most));
      card.element.classList.toggle("likeliest", shares[i] === most);
    });
  };
}

/** @param {Case} current @returns {(oracle: Oracle) => void} */
function networkPanel(current) {
  const picture = /** @type {import("./page_data.js").Picture} */ (current.data.picture);
  const canvas = svg("svg", { class: "network", width: picture.width, height: picture.height, viewBox: `0 0 ${picture.width} ${picture.height}`, role: "group", "aria-label": "network" });
  canvas.append(svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8Z" }))));
  for (const points of picture.arcs) canvas.append(svg("path", { class: "arc", d: route(points), "marker-end": "url(#head)" }));
  const boxes = picture.boxes.map((box, j) => node(current, j, box));
  canvas.append(...boxes.map((box) => box.element));
  const { element, look } = windowOn(canvas, picture);
  byId("structure-body").replaceChildren(
    el("p", { class: "note" }, "Each node shows what is believed of it now. Choose a level to tell it, or its name to ask about it."), element,
  );
  return (oracle) => {
    const believed = oracle.beliefs(current.cells);
    boxes.forEach((box, j) => box.show(believed[j]));
    look(picture.boxes[current.about ?? 0]);
  };
}

/**
 * A window on a picture: the whole if it can be read so, else as large as it is, to be moved about.
 * @param {SVGElement} canvas @param {{width: number, height: number}} picture
 */
function windowOn(canvas, picture) {
  const frame = el("div", { class: "scroll window", tabindex: 0, role: "region", "aria-label": "picture of the network" }, canvas);
  const button = el("button", { type: "button", class: "quiet" });
  /** @type {boolean | null} */
  let chosen = null;
  /** @type {{x: number, y: number} | null} */
  let middle = null;
  const show = () => {
    const scale = frame.clientWidth / picture.width;
    const whole = chosen ?? scale >= LEAST;
    frame.classList.toggle("whole", whole);
    button.hidden = scale >= 1;
    button.textContent = whole ? "Show it large" : "Show it whole";
    if (middle) frame.scrollTo(middle.x - frame.clientWidth / 2, middle.y - frame.clientHeight / 2);
  };
  button.addEventListener("click", () => {
    chosen = !frame.classList.contains("whole");
    show();
  });
  new ResizeObserver(show).observe(frame);
  return {
    element: el("div", {}, el("div", { class: "tools" }, button), frame),
    /** @param {{x: number, y: number}} box  to look at */
    look(box) {
      if (box === middle) return;
      middle = box;
      show();
    },
  };
}

/** @param {number[]} points @returns {string} */
function route(points) {
  let path = `M${points[0]} ${points[1]}`;
  for (let i = 2; i < points.length; i += 2) {
    const [ax, ay, bx, by] = [points[i - 2], points[i - 1], points[i], points[i + 1]];
    const bend = (by - ay) / 2;
    path += `C${ax} ${ay + bend} ${bx} ${by - bend} ${bx} ${by}`;
  }
  return path;
}

/** @param {Case} current @param {number} j @param {{x: number, y: number, width: number, height: number}} box */
function node(current, j, box) {
  const column = current.data.columns[j];
  const options = (column.options ?? []).slice(0, MOST);
  const element = svg("g", { class: "node", transform: `translate(${box.x - box.width / 2} ${box.y - box.height / 2})` });
  element.append(svg("rect", { class: "frame", width: box.width, height: box.height, rx: 6 }));
  const title = svg("text", { class: "title", x: box.width / 2, y: 16, "text-anchor": "middle" }, shortened(column.name, 24));
  title.addEventListener("click", () => {
    if (!column.options || current.about === null) return goTo(current, j);
    current.cells[j] = null;
    current.order = current.order.filter((i) => i !== j);
    current.about = j;
    current.favoured = null;
    current.changed();
  });
  element.append(svg("title", {}, column.name), title);
  const [left, room] = [box.width - 96, 54];
  const rows = options.map((option, i) => {
    const y = 24 + LINE * i;
    const bar = svg("rect", { class: "fill", x: left, y: y + 3, width: 0, height: 9 });
    const value = svg("text", { class: "tick", x: box.width - 5, y: y + 12, "text-anchor": "end" });
    const hit = svg("rect", { class: "hit", x: 1, y, width: box.width - 2, height: LINE });
    hit.addEventListener("click", () => {
      if (j !== current.about) current.tell(j, current.cells[j] === option.cell ? null : option.cell);
    });
    element.append(
      svg("text", { class: "tick", x: left - 5, y: y + 12, "text-anchor": "end" }, shortened(option.label, 11)),
      svg("rect", { class: "track", x: left, y: y + 3, width: room, height: 9 }), bar, value, hit,
    );
    return { bar, value, option };
  });
  return {
    element,
    /** @param {number[] | undefined} believed */
    show(believed) {
      element.classList.toggle("told", current.cells[j] !== null);
      element.classList.toggle("asked", current.about === j);
      rows.forEach(({ bar, value, option }) => {
        const p = believed?.[option.cell] ?? NaN;
        bar.setAttribute("width", String(Number.isFinite(p) ? room * p : 0));
        value.textContent = Number.isNaN(p) ? "?" : `${Math.round(100 * p)}%`;
      });
    },
  };
}
