/** The catalogue of sentences, which rules and codes speak by; the core fills them in. */
import { now, warm } from "./rules.js";
import { label, said, spoken, teach } from "./words.js";

/** @type {Record<string, {text: string, cite: string}>} */
let clauses = {};

/** Read what the build made of the catalogue and of the clauses. */
export async function learn() {
  const read = async (/** @type {string} */ name) => (await fetch(`/static/built/${name}`)).json();
  const [catalogue, known] = await Promise.all([read("sentences.json"), read("clauses.json")]);
  clauses = known;
  teach(catalogue);
  await warm();
  now("catalogue", { catalogue });
}

/**
 * @param {{code: string, values?: Record<string, unknown>}} reason
 * @returns {string} what a floorperson understands
 */
export function sentence(reason) {
  return now("render", { lang: spoken(), reason });
}

/**
 * @param {{code: string, values?: Record<string, unknown>}} reason
 * @returns {string} what would make it right, "" where the sentence says it
 */
export function fix(reason) {
  const code = `fix.${reason.code}`;
  return said(code) ? sentence({ ...reason, code }) : "";
}

/**
 * @param {{kind: string, values?: Record<string, any>}} exception
 * @returns {string} what an exception says: its kind and, for a broken rule, the reason's sentence
 */
export function raised({ kind, values = {} }) {
  const title = label("exception", kind);
  return said(values.reason) ? `${title}: ${sentence({ code: values.reason, values })}` : title;
}

/**
 * @param {string} id
 * @returns {{text: string, cite: string} | null} the clause in plain words and where it stands
 */
export function clause(id) {
  return clauses[id] ?? null;
}
