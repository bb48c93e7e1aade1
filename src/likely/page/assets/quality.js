// How good it is on rows that the model had not seen: ROC with a cost slider, confusion table, calibration.

import { byId, drawn, el, named, shortened, svg } from "./elements.js";
import { percent, short, ticks } from "./numbers.js";

/** @typedef {import("./page_data.js").Case} Case */
/** @typedef {import("./page_data.js").Judged} Judged */

const EDGE = { left: 46, right: 24, top: 10, bottom: 40 };

/**
 * @param {Case} current
 * @returns {() => void}
 */
export function qualityPanel(current) {
  const quality = current.data.quality;
  if (!quality) return () => {};
  const slider = el("input", { type: "range", min: -3, max: 3, step: 0.05, value: 0, id: "cost" });
  const words = el("output", { class: "note", for: "cost" });
  const roc = el("div", { class: "chart square" });
  const calibration = el("div", { class: "chart square" });
  const table = el("div", { class: "confusion" });
  const select = el("select", { "aria-label": "Outcome" });
  quality.outcomes.forEach((one, i) => select.append(el("option", { value: i }, named(one.outcome, 60).textContent)));
  const judged = () => quality.outcomes[Number(select.value) || 0];
  const threshold = () => 1 / (1 + Math.exp(-Number(slider.value)));
  const drawRoc = drawn(roc, (width) => rocPicture(judged(), threshold(), Math.min(width, 420)));
  const drawCalibration = drawn(calibration, (width) => calibrationPicture(judged(), Math.min(width, 420), current.data.numeric));
  const update = () => {
    const t = threshold();
    const ratio = t / (1 - t);
    const said = ratio >= 1 ? `a false alarm costs ${short(ratio, 2)} times a miss` : `a miss costs ${short(1 / ratio, 2)} times a false alarm`;
    words.textContent = `${Math.abs(ratio - 1) < 0.026 ? "both mistakes cost the same" : said}: say ${shortened(judged().outcome, 24)} from ${percent(t)} on.`;
    slider.setAttribute("aria-valuetext", words.textContent);
    drawRoc();
    table.replaceChildren(confusion(judged(), t));
  };
  slider.addEventListener("input", update);
  const all = () => {
    update();
    drawCalibration();
  };
  select.addEventListener("change", all);
  const left = el("div", {}, measures(quality));
  const holder = el("div", { class: "judged" }, left);
  byId("quality-body").replaceChildren(holder);
  if (quality.outcomes.length) {
    const chooser = quality.outcomes.length > 1 ? el("label", { class: "inline" }, "Outcome ", select) : null;
    if (chooser) left.append(chooser);
    if (current.data.numeric) {
      holder.append(el("figure", {}, calibration, el("figcaption", {}, "What was said, and the mean of what came true (bars: 90% intervals)")));
    } else {
      const ends = el("div", { class: "ends" }, el("span", {}, "a miss is worse"), el("span", {}, "a false alarm is worse"));
      const cost = el("div", { class: "cost" }, el("label", { for: "cost" }, "What mistakes cost"), slider, ends, words);
      left.append(cost, table);
      holder.append(
        el("figure", {}, roc, el("figcaption", {}, "ROC: hits by false alarms; the dot is the threshold")),
        el("figure", {}, calibration, el("figcaption", {}, "Calibration: what was said, and what came true (bars: 90% intervals)")),
      );
    }
  }
  return all;
}

/** @param {import("./page_data.js").Quality} quality @returns {HTMLElement} */
function measures(quality) {
  const head = ["", "estimate", "standard error", quality.yardstick];
  return el(
    "table", { class: "measures" },
    el("caption", {}, quality.how),
    el("thead", {}, el("tr", {}, ...head.map((word) => (word ? el("th", { scope: "col" }, word) : el("td"))))),
    el("tbody", {}, ...quality.measures.map((one) => el("tr", {}, el("th", { scope: "row" }, one.name), ...[one.value, one.error, one.yardstick].map((word) => el("td", { class: "number" }, word))))),
  );
}

/**
 * The rows that are called so at a threshold: whole cells of the counts.
 * @param {Judged} one @param {number} t
 */
function called(one, t) {
  let [hits, alarms] = [0, 0];
  one.hits.forEach((rows, i) => {
    if (one.thresholds[i] < t - 1e-12) return;
    hits += rows;
    alarms += one.others[i];
  });
  const positive = one.hits.reduce((sum, n) => sum + n, 0);
  const negative = one.others.reduce((sum, n) => sum + n, 0);
  return { hits, alarms, positive, negative };
}

/** @param {Judged} one @param {number} t @returns {HTMLElement} */
function confusion(one, t) {
  const { hits, alarms, positive, negative } = called(one, t);
  const name = () => named(one.outcome, 24);
  /** @param {number} n @param {number} of @param {string} kind */
  const cell = (n, of, kind) => el("td", { class: `number ${kind}` }, short(n, 7), el("span", { class: "cell" }, ` ${percent(of ? n / of : NaN)}`));
  return el(
    "table", { class: "measures" },
    el("caption", {}, "Rows not seen, at this threshold"),
    el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col" }, "said ", name()), el("th", { scope: "col" }, "said otherwise"))),
    el(
      "tbody", {},
      el("tr", {}, el("th", { scope: "row" }, "was ", name()), cell(hits, positive, "right"), cell(positive - hits, positive, "wrong")),
      el("tr", {}, el("th", { scope: "row" }, "was not"), cell(alarms, negative, "wrong"), cell(negative - alarms, negative, "right")),
    ),
  );
}

/** @param {number} size */
function square(size) {
  const side = size - EDGE.left - EDGE.right;
  const height = side + EDGE.top + EDGE.bottom;
  return {
    height,
    x: (/** @type {number} */ v) => EDGE.left + v * side,
    y: (/** @type {number} */ v) => EDGE.top + (1 - v) * side,
  };
}

/** @param {number} size @param {string} label @param {string} across @param {string} up */
function frame(size, label, across, up) {
  const { x, y, height } = square(size);
  const picture = svg("svg", { width: size, height, viewBox: `0 0 ${size} ${height}`, role: "img", "aria-label": label });
  for (const v of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(
      svg("line", { class: "grid", x1: x(0), x2: x(1), y1: y(v), y2: y(v) }),
      svg("line", { class: "grid", x1: x(v), x2: x(v), y1: y(0), y2: y(1) }),
      svg("text", { class: "tick", x: x(0) - 6, y: y(v) + 4, "text-anchor": "end" }, `${100 * v}%`),
      svg("text", { class: "tick", x: x(v), y: y(0) + 16, "text-anchor": "middle" }, `${100 * v}%`),
    );
  }
  picture.append(
    svg("line", { class: "chance", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    svg("text", { class: "axis-name", x: x(0.5), y: y(0) + 34, "text-anchor": "middle" }, across),
  );
  picture.append(svg("text", { class: "axis-name", x: x(0) + 4, y: y(1) + 14 }, up));
  return picture;
}

/** @param {Judged} one @param {number} t @param {number} size */
function rocPicture(one, t, size) {
  const { x, y } = square(size);
  const { hits, alarms, positive, negative } = called(one, t);
  const picture = frame(size, `ROC curve; at this threshold ${percent(hits / positive)} hits, ${percent(alarms / negative)} false alarms`, "false alarms", "hits");
  let [up, across] = [positive, negative];
  let path = `M${x(1)} ${y(1)}`;
  one.hits.forEach((rows, i) => {
    up -= rows;
    across -= one.others[i];
    path += `L${x(across / negative).toFixed(1)} ${y(up / positive).toFixed(1)}`;
  });
  picture.append(svg("path", { class: "curve", d: path }), svg("circle", { class: "now", cx: x(alarms / negative), cy: y(hits / positive), r: 6 }));
  return picture;
}

/** @param {Judged} one @param {number} size @param {boolean} numeric */
function calibrationPicture(one, size, numeric) {
  const all = one.calibration.flatMap((bin) => [bin.mean, bin.low, bin.high]);
  const [low, high] = numeric ? [Math.min(...all), Math.max(...all)] : [0, 1];
  const part = (/** @type {number} */ v) => (v - low) / (high - low || 1);
  const { x, y } = square(size);
  const said = numeric ? (/** @type {number} */ v) => short(v, 3) : percent;
  const words = one.calibration.map((bin) => `${said(bin.mean)}: ${said(bin.share)}`).join(", ");
  const picture = numeric ? axesOf(size, low, high) : frame(size, `calibration: said and came true, ${words}`, "said", "came true");
  for (const bin of one.calibration) {
    picture.append(
      svg("line", { class: "whisker", x1: x(part(bin.mean)), x2: x(part(bin.mean)), y1: y(part(bin.low)), y2: y(part(bin.high)) }),
      svg("circle", { class: "point", cx: x(part(bin.mean)), cy: y(part(bin.share)), r: 4 }, svg("title", {}, `said ${said(bin.mean)}, came true ${said(bin.share)}, ${bin.rows} rows`)),
    );
  }
  return picture;
}

/** @param {number} size @param {number} low @param {number} high */
function axesOf(size, low, high) {
  const { x, y, height } = square(size);
  const picture = svg("svg", { width: size, height, viewBox: `0 0 ${size} ${height}`, role: "img", "aria-label": "predicted and actual means" });
  for (const mark of ticks(low, high, 4)) {
    const v = (mark - low) / (high - low || 1);
    picture.append(
      svg("line", { class: "grid", x1: x(0), x2: x(1), y1: y(v), y2: y(v) }),
      svg("text", { class: "tick", x: x(0) - 6, y: y(v) + 4, "text-anchor": "end" }, short(mark)),
      svg("text", { class: "tick", x: x(v), y: y(0) + 16, "text-anchor": "middle" }, short(mark)),
    );
  }
  picture.append(svg("line", { class: "chance", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }), svg("text", { class: "axis-name", x: x(0.5), y: y(0) + 34, "text-anchor": "middle" }, "predicted"));
  return picture;
}
