/** The catalogue of sentences, which rules and codes speak by; the core fills them in. */
import { now, warm } from "./rules.js";
import { label, said, spoken, teach } from "./words.js";

/** @type {Record<string, {text: string, cite: string}>} */
let clauses = {};

/** What was written is kept: a card says the same few sentences of each item. */
const MOST = 1000;
/** @type {Map<string, string>} by language, code and values */
const kept = new Map();

/** Read what the build made of the catalogue and of the clauses. */
export async function learn() {
  const read = async (/** @type {string} */ name) => (await fetch(`/static/built/${name}`)).json();
  const [catalogue, known] = await Promise.all([read("sentences.json"), read("clauses.json")]);
  clauses = known;
  teach(catalogue);
  kept.clear();
  await warm();
  now("catalogue", { catalogue });
}

/**
 * @param {{code: string, values?: Record<string, unknown>}} reason
 * @returns {string} what a floorperson understands
 */
export function sentence({ code, values = {} }) {
  const asked = { lang: spoken(), reason: { code, values } };
  const key = JSON.stringify(asked);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = now("render", asked);
  if (kept.size >= MOST) kept.clear();
  kept.set(key, text);
  return text;
}

/**
 * @param {{code: string, values?: Record<string, unknown>}} reason
 * @returns {string} what would make it right, "" where the sentence says it
 */
export function fix(reason) {
  const code = `fix.${reason.code}`;
  return said(code) ? sentence({ code, values: reason.values }) : "";
}

/**
 * @param {{kind: string, values?: Record<string, any>}} exception
 * @returns {string} what an exception says: its kind and, for a broken rule, the reason's sentence
 */
export function raised(exception) {
  return [label("exception", exception.kind), why(exception)].filter(Boolean).join(": ");
}

/**
 * @param {{kind: string, values?: Record<string, any>}} exception
 * @returns {string} the sentence of the reason that a broken rule gave, "" where there was none
 */
export function why({ values = {} }) {
  return said(values.reason) ? sentence({ code: values.reason, values }) : "";
}

/**
 * @param {string} id
 * @returns {{text: string, cite: string} | null} the clause in plain words and where it stands
 */
export function clause(id) {
  return clauses[id] ?? null;
}
