// How far an answer is known: variances of log-odds, from those of the parameters.

/**
 * @typedef {Object} ClassSpread   variances of what each class's own numbers say
 * @property {"classes"} kind
 * @property {number[]} base
 * @property {(number[][] | null)[]} columns   by column and value, (values, classes)
 */
/**
 * @typedef {Object} DesignSpread  the covariance of coefficients
 * @property {"design"} kind
 * @property {[string, number, number, number, number][]} design   what each coefficient multiplies: kind, column,
 *   which option or what a gap counts as, centre, height
 * @property {number[]} covariance   lower triangle, row by row
 * @property {number[]} vectors      the classes that have coefficients
 * @property {number} [scale]        of a number: the variance of the noise
 * @property {number} [factor]       of a number: half an interval in deviations
 */
/**
 * @typedef {Object} TypicalSpread  what Python found for rows with such answers
 * @property {"typical"} kind
 * @property {number[]} at           log-odds, rising
 * @property {number[]} deviation
 * @property {number[]} [base]       the variance of the log-odds of each class while nothing is told
 */
/** @typedef {ClassSpread | DesignSpread | TypicalSpread} Spread */
/** @typedef {number | string | null} Cell */

/**
 * How the log-odds of one class move with the score of each.
 * @param {number[]} logs @param {number} favoured @returns {number[]}
 */
function contrast(logs, favoured) {
  const rest = logs.reduce((sum, log, i) => (i === favoured ? sum : sum + Math.exp(log)), 0);
  return logs.map((log, i) => (i === favoured ? 1 : rest > 0 ? -Math.exp(log) / rest : -1 / (logs.length - 1)));
}

/**
 * The variance of the log-odds of a class.
 * @param {Spread | null} spread
 * @param {{values: number[]}[]} columns
 * @param {Cell[]} cells @param {number[]} logs @param {number} favoured
 * @param {(column: number) => number} weight
 * @returns {number | null}
 */
export function varianceOf(spread, columns, cells, logs, favoured, weight) {
  if (!spread) return null;
  const turn = contrast(logs, favoured);
  if (spread.kind === "typical") {
    if (spread.base && cells.every((cell) => cell === null)) return spread.base[favoured];
    const rest = logs.reduce((sum, log, i) => (i === favoured ? sum : sum + Math.exp(log)), 0);
    return interpolated(spread.at, spread.deviation, logs[favoured] - Math.log(rest)) ** 2;
  }
  if (spread.kind === "design") return quadratic(spread, cells, turn, null);
  let total = turn.reduce((sum, a, i) => sum + a * a * spread.base[i], 0);
  cells.forEach((cell, j) => {
    const own = typeof cell !== "number" ? null : rowAt(spread.columns[j], columns[j].values, cell);
    if (own) total += weight(j) ** 2 * turn.reduce((sum, a, i) => sum + a * a * own[i], 0);
  });
  return total;
}

/**
 * The standard deviation of what one value adds to the log-odds of a class, or to a number.
 * @param {Spread | null} spread @param {{values: number[]}[]} columns
 * @param {number} column @param {number} value @param {number[]} logs @param {number} favoured
 * @returns {number | null}
 */
export function errorOf(spread, columns, column, value, logs, favoured) {
  if (!spread || spread.kind === "typical") return null;
  const turn = spread.kind === "design" && spread.scale !== undefined ? [1] : contrast(logs, favoured);
  if (spread.kind === "design") {
    /** @type {Cell[]} */
    const cells = columns.map(() => null);
    const nothing = cells.slice();
    cells[column] = value;
    return Math.sqrt(Math.max(0, quadratic(spread, cells, turn, nothing) * (spread.scale ?? 1)));
  }
  const own = rowAt(spread.columns[column], columns[column].values, value);
  return own ? Math.sqrt(turn.reduce((sum, a, i) => sum + a * a * own[i], 0)) : null;
}

/**
 * Half an interval of a number.
 * @param {Spread | null} spread @param {Cell[]} cells @returns {number | null}
 */
export function halfWidth(spread, cells) {
  if (spread?.kind === "typical") return interpolated(spread.at, spread.deviation, 0) * 1.6448536269514722;
  if (spread?.kind !== "design" || spread.scale === undefined) return null;
  return (spread.factor ?? 0) * Math.sqrt(spread.scale * (1 + quadratic(spread, cells, [1], null)));
}

/**
 * x' C x of the columns of the design, less those of another case if there is one.
 * @param {DesignSpread} spread @param {Cell[]} cells @param {number[]} turn @param {Cell[] | null} less
 * @returns {number}
 */
function quadratic(spread, cells, turn, less) {
  const x = designed(spread, cells);
  if (less) designed(spread, less).forEach((value, i) => (x[i] -= value));
  const all = spread.vectors.flatMap((c) => x.map((value) => value * turn[c]));
  let [total, at] = [0, 0];
  for (let i = 0; i < all.length; i++) {
    for (let j = 0; j < i; j++) total += 2 * all[i] * all[j] * spread.covariance[at++];
    total += all[i] * all[i] * spread.covariance[at++];
  }
  return total;
}

/** @param {DesignSpread} spread @param {Cell[]} cells @returns {number[]} */
function designed(spread, cells) {
  return spread.design.map(([kind, column, which, centre, height]) => {
    const cell = cells[column];
    if (kind === "one") return 1;
    if (kind === "number") return (typeof cell === "number" ? cell : which) - centre;
    const there = kind === "level" ? cell === which : cell === null;
    return (there ? height : 0) - centre;
  });
}

/** @param {number[][] | null} table @param {number[]} values @param {number} cell @returns {number[] | null} */
function rowAt(table, values, cell) {
  if (!table?.length) return null;
  const after = values.findIndex((value) => value >= cell);
  if (after < 0) return table[table.length - 1];
  if (after === 0 || values[after] === cell) return table[after];
  const part = (cell - values[after - 1]) / (values[after] - values[after - 1]);
  return table[after].map((b, i) => table[after - 1][i] + part * (b - table[after - 1][i]));
}

/** @param {number[]} at @param {number[]} value @param {number} x @returns {number} */
function interpolated(at, value, x) {
  const table = value.map((one) => [one]);
  return /** @type {number[]} */ (rowAt(table, at, x))[0];
}
