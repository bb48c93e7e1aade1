// The words of a text, as Python reads them: the same letters, capitals, runs of words and stop words.

/** @typedef {{pattern: string, lowercase: boolean, ngrams: number, stop: string[]}} Reader */
/** @typedef {{words: string[], reader: Reader}} Vocabulary */

/**
 * The words of a text in order, then its runs of two words, and so on.
 * @param {Reader} reader @param {string} text @returns {string[]}
 */
export function tokensOf(reader, text) {
  const stop = new Set(reader.stop);
  const found = (reader.lowercase ? text.toLowerCase() : text).match(new RegExp(reader.pattern, "gu")) ?? [];
  const words = found.filter((word) => !stop.has(word));
  const all = words.slice();
  for (let n = 2; n <= reader.ngrams; n++) {
    for (let i = 0; i + n <= words.length; i++) all.push(words.slice(i, i + n).join(" "));
  }
  return all;
}

/** @typedef {{counts: Map<number, number>, others: Set<string>}} Bag  places of words and how often they come */

/** @type {WeakMap<Vocabulary, {places: Map<string, number>, text: string | null, bag: Bag}>} */
const read = new WeakMap();

/**
 * How often each word of a vocabulary comes; a number is a text of that word alone.
 * @param {Vocabulary} vocabulary @param {string | number} text @returns {Bag}
 */
export function bagOf(vocabulary, text) {
  if (typeof text === "number") return { counts: new Map([[text, 1]]), others: new Set() };
  let kept = read.get(vocabulary);
  if (!kept) {
    const places = new Map(vocabulary.words.map((word, place) => [word, place]));
    kept = { places, text: null, bag: { counts: new Map(), others: new Set() } };
    read.set(vocabulary, kept);
  }
  if (kept.text === text) return kept.bag; // one case is asked about in hundreds of ways
  /** @type {Bag} */
  const bag = { counts: new Map(), others: new Set() };
  for (const word of tokensOf(vocabulary.reader, text)) {
    const place = kept.places.get(word);
    if (place === undefined) bag.others.add(word);
    else bag.counts.set(place, (bag.counts.get(place) ?? 0) + 1);
  }
  Object.assign(kept, { text, bag });
  return bag;
}
