// Numbers as Python packed them into few letters: `packed.py` says how.

/** @typedef {number | Nested[]} Nested */

/**
 * What a text of JSON holds, with its packed numbers as lists and its functions as formulas.
 * @param {string} text
 * @returns {any}
 */
export function unpacked(text) {
  return JSON.parse(text, (_, value) => {
    if (value === null || typeof value !== "object") return value;
    if (typeof value.f64 === "string") return nested(doubles(value.f64), value.shape);
    if (value.kind === "steps") return stepped(value);
    return value.kind === "lines" ? lined(value) : value;
  });
}

/** @param {string} text @returns {Float64Array} */
function doubles(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

/** @param {Float64Array} flat @param {number[]} shape @returns {Nested[]} */
function nested(flat, shape) {
  /** @type {Nested[]} */
  let list = Array.from(flat);
  for (const width of shape.slice(1).reverse()) {
    list = Array.from({ length: list.length / width }, (_, i) => list.slice(i * width, (i + 1) * width));
  }
  return list;
}

/** @param {{edges: number[], values: number[][]}} steps */
function stepped({ edges, values }) {
  return { edges, centre: null, powers: values.map((row) => row.map((value) => [value])), logs: null };
}

/**
 * Lines that change at edges: their slope ("/"), their height ("|") or both ("+").
 * Slopes may be mixed of a few shapes that all groups share.
 * @param {{edges: number[], marks: string, groups: number[], of: number, first: number[], jumps: number[][],
 *   slopes: number[][], shapes: number[][] | null}} lines
 */
function lined({ edges, marks, groups, of, first, jumps, slopes, shapes }) {
  let [height, slope, jumped, bent] = [first, first.map(() => 0), 0, 0];
  const mixed = (/** @type {number[]} */ own) =>
    shapes ? first.map((_, g) => own.reduce((sum, part, r) => sum + part * shapes[r][g], 0)) : own;
  const piece = () => {
    /** @type {number[][]} */
    const powers = Array.from({ length: of }, () => []);
    groups.forEach((g, i) => (powers[g] = [height[i], slope[i]]));
    return powers;
  };
  const powers = [piece()];
  edges.forEach((edge, i) => {
    const width = edge - edges[Math.max(i - 1, 0)];
    height = height.map((value, g) => value + slope[g] * width);
    if (marks[i] === "|" || marks[i] === "+") {
      const jump = jumps[jumped++];
      height = height.map((value, g) => value + jump[g]);
    }
    if (marks[i] === "/" || marks[i] === "+") slope = mixed(slopes[bent++]);
    powers.push(piece());
  });
  return { edges, centre: null, powers, logs: null };
}
