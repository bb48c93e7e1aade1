// Numbers: logs that do not overflow, and numbers as people read them.

/**
 * The log of a sum of exponentials; -Infinity of none.
 * @param {ArrayLike<number>} logs
 * @returns {number}
 */
export function logSum(logs) {
  let most = -Infinity;
  for (let i = 0; i < logs.length; i++) if (logs[i] > most) most = logs[i];
  if (most === -Infinity || most === Infinity) return most;
  let sum = 0;
  for (let i = 0; i < logs.length; i++) sum += Math.exp(logs[i] - most);
  return most + Math.log(sum);
}

/**
 * Bayes' rule: log joints to log posteriors; what nothing allows stays as it is.
 * @param {number[]} joint
 * @returns {number[]}
 */
export function normalised(joint) {
  const total = logSum(joint);
  return total === -Infinity ? joint : joint.map((log) => log - total);
}

/**
 * The log-odds of one outcome against all others.
 * @param {number[]} logs
 * @param {number} one
 * @returns {number}
 */
export function logOdds(logs, one) {
  return logs[one] - logSum(logs.filter((_, i) => i !== one));
}

/**
 * The entropy of probabilities that are given by their logs, in bits.
 * @param {number[]} logs
 * @returns {number}
 */
export function bits(logs) {
  let sum = 0;
  for (const log of logs) if (log > -Infinity) sum -= Math.exp(log) * log;
  return sum / Math.LN2;
}

/** @param {number} x @returns {number} */
export function logistic(x) {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

// Coefficients of Stirling's series for the log of the gamma function.
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/**
 * The log of the gamma function of a positive number, to about 15 digits.
 * @param {number} x
 * @returns {number}
 */
export function logGamma(x) {
  let shift = 0;
  while (x < 15) {
    shift += Math.log(x);
    x += 1;
  }
  let series = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) series = series / (x * x) + STIRLING[k];
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series / x - shift;
}

/**
 * A probability as people read it: never 0% or 100% of what may still be otherwise.
 * @param {number} p
 * @returns {string}
 */
export function percent(p) {
  if (Number.isNaN(p)) return "?";
  if (p <= 0) return "0%";
  if (p >= 1) return "100%";
  if (p < 0.0005) return "<0.1%";
  if (p > 0.9995) return ">99.9%";
  if (p < 0.0995 || p > 0.9005) return `${(100 * p).toFixed(1)}%`;
  return `${Math.round(100 * p)}%`;
}

/**
 * A number with about so many figures, thousands apart.
 * @param {number} x
 * @param {number} [figures]
 * @returns {string}
 */
export function short(x, figures = 3) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "?" : x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e9 || size < 1e-4) return x.toExponential(figures - 1).replace("-", "−");
  const decimals = Math.max(0, figures - 1 - Math.floor(Math.log10(size)));
  const text = size >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toFixed(decimals)));
  return text.replace("-", "−");
}

/**
 * An amount that is added to a number, with its sign.
 * @param {number} x
 * @returns {string}
 */
export function plus(x) {
  return `${x > 0 ? "+" : ""}${short(x, 4)}`;
}

/**
 * Evidence with its sign.
 * @param {number} nats
 * @returns {string}
 */
export function signed(nats) {
  if (!Number.isFinite(nats)) return Number.isNaN(nats) ? "?" : nats > 0 ? "+∞" : "−∞";
  const text = Math.abs(nats).toFixed(2);
  return text === "0.00" ? "0.00" : `${nats > 0 ? "+" : "−"}${text}`;
}

/**
 * Round numbers between two ends, about so many.
 * @param {number} low
 * @param {number} high
 * @param {number} about
 * @returns {number[]}
 */
export function ticks(low, high, about) {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const raw = (high - low) / Math.max(1, about);
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= raw * 0.999) ?? 10 * size;
  const marks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    marks.push(Number((i * step).toPrecision(12)));
  }
  return marks.length ? marks : [low];
}
