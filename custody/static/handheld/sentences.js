/** The catalogue of sentences, which rules and codes speak by; one for both sides, two languages. */
import { filled, spoken, t, word } from "./words.js";

/** @type {Record<string, Record<string, string>>} */
let catalogue = {};
/** @type {Record<string, {text: string, cite: string}>} */
let clauses = {};

/** Read what the build made of the catalogue and of the clauses. */
export async function learn() {
  const read = async (/** @type {string} */ name) => (await fetch(`/static/built/${name}`)).json();
  [catalogue, clauses] = await Promise.all([read("sentences.json"), read("clauses.json")]);
}

/**
 * @param {unknown} value
 * @returns {string} as a sentence shows it: a list with commas, a known word in this language
 */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  const text = String(value ?? "");
  return word(`job.${text}`, word(`state.${text}`, word(`step.${text}`, text)));
}

/**
 * @param {{code: string, values?: Record<string, unknown>}} reason
 * @returns {string} what a floorperson understands
 */
export function sentence({ code, values = {} }) {
  const texts = catalogue[code];
  if (!texts) return t("reason.unworded", { code });
  const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)]));
  return filled(texts[spoken()] ?? texts.en ?? "", said);
}

/**
 * @param {string} id
 * @returns {{text: string, cite: string} | null} the clause in plain words and where it stands
 */
export function clause(id) {
  return clauses[id] ?? null;
}
