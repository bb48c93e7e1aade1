// The page: every click works the case out anew, and shows it everywhere.

import { showAnswer, spoken, told } from "./answer.js";
import { controls } from "./controls.js";
import { byId, el, shortened } from "./elements.js";
import { evidencePanel } from "./evidence.js";
import { NetworkOracle, oracleOf } from "./oracle.js";
import { Case, pageData } from "./page_data.js";
import { qualityPanel } from "./quality.js";
import { showQuestion } from "./question.js";
import { structurePanel } from "./structure.js";
import { whatIf } from "./whatif.js";
import { tokensOf } from "./words.js";

/** @typedef {import("./oracle.js").Oracle} Oracle */

/** Begin. */
export function start() {
  const data = pageData();
  const current = new Case(data);
  /** @type {Oracle} */
  let oracle = oracleOf(data);
  const now = () => oracle;
  const showCase = controls(current);
  const chooser = data.about === null ? null : aboutChooser(current);
  const showWhatIf = whatIf(now, current);
  const showEvidence = evidencePanel(now, current);
  const showQuality = qualityPanel(current);
  const showStructure = structurePanel(current);
  const live = byId("answer-live");
  let saying = 0;
  const update = () => {
    if (oracle instanceof NetworkOracle && current.about !== null && current.about !== oracle.about) {
      oracle = new NetworkOracle(data, current.about);
    }
    if (chooser) chooser.value = String(current.about);
    const case_ = told(oracle, current);
    const spelt = (/** @type {number} */ column) => oracle.spelt(current.cells, column, case_.favoured, case_.against);
    showCase(new Map(case_.lines.map((line) => [line.column, line.evidence])), spelt, oracle.numeric);
    showAnswer(oracle, current, case_);
    showQuestion(oracle, current, case_);
    showEvidence();
    showWhatIf();
    showStructure(oracle, case_.answer);
    clearTimeout(saying); // what changes fast is said once
    saying = setTimeout(() => (live.textContent = spoken(oracle, current, case_)), 250);
  };
  current.listeners.push(update);
  const bar = byId("answer-bar");
  new IntersectionObserver(([seen]) => bar.classList.toggle("away", seen.isIntersecting)).observe(byId("answer-body"));
  current.read();
  showQuality();
  addEventListener("hashchange", () => current.read());
  // For those who look behind the page: the same answers, by plain values.
  Object.assign(window, {
    likely: { data, answer: (/** @type {(number | string | null)[]} */ cells) => oracle.answer(cells), oracle: now, words: tokensOf },
  });
}

/** @param {Case} current @returns {HTMLSelectElement} */
function aboutChooser(current) {
  const select = el("select", { id: "about" });
  current.data.columns.forEach((column, j) => {
    if (column.options) select.append(el("option", { value: j }, shortened(column.name, 60)));
  });
  select.addEventListener("change", () => {
    const j = Number(select.value);
    current.cells[j] = null;
    current.order = current.order.filter((i) => i !== j);
    current.about = j;
    current.favoured = null;
    current.changed();
  });
  byId("answer-about").replaceChildren(el("label", { class: "inline" }, "About ", select));
  return select;
}
