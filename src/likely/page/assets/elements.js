// Elements of the page: all words go in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * @template {Element} T
 * @param {T} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {T}
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined) made.append(child instanceof Node ? child : String(child));
  }
  return made;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * A name as it was written, whatever direction its letters have; a long one is cut.
 * @param {string} name
 * @param {number} [longest]
 * @returns {HTMLElement}
 */
export function named(name, longest = 48) {
  const cut = shortened(name, longest);
  const parts = cut.split(/(?<=[_./-])(?=.)/u).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));
  return el("bdi", cut === name ? {} : { title: shortened(name, 400) }, ...parts);
}

/**
 * @param {string} name
 * @param {number} longest
 * @returns {string}
 */
export function shortened(name, longest) {
  const letters = Array.from(name.slice(0, 2 * longest + 2));
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : name;
}

/**
 * The element with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * Draw into an element now, and anew when its width changes.
 * @param {HTMLElement} holder
 * @param {(width: number) => Element} draw
 * @returns {() => void} draws again
 */
export function drawn(holder, draw) {
  let width = 0;
  const again = () => {
    width = holder.clientWidth;
    if (width > 0) holder.replaceChildren(draw(width));
  };
  new ResizeObserver(() => {
    if (Math.abs(holder.clientWidth - width) > 1) again();
  }).observe(holder);
  return again;
}
