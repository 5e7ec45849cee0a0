/** The words of the handheld in the language of this device. Sentences of rules are the catalogue's. */
import { en } from "./words/en.js";
import { es } from "./words/es.js";

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { en, es };
let language = "en";

/** @returns {Record<string, string>} the words of this device's language */
function mine() {
  return LANGUAGES[language] ?? en;
}

/** @param {string} chosen en or es; another falls back to English */
export function speak(chosen) {
  language = chosen in LANGUAGES ? chosen : "en";
  document.documentElement.lang = language;
}

/** @returns {string} */
export function spoken() {
  return language;
}

/**
 * @param {string} text with `{name}` where a value goes
 * @param {Record<string, unknown>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_all, name) => String(values[name] ?? ""));
}

/**
 * @param {string} key
 * @param {Record<string, unknown>} [values] a count of one takes `<key>_one` where there is one
 * @returns {string}
 */
export function t(key, values = {}) {
  const words = mine();
  const one = values.n === 1 && `${key}_one` in words ? `${key}_one` : key;
  const text = words[one] ?? en[/** @type {keyof typeof en} */ (one)];
  if (text === undefined) throw new RangeError(`no words for ${key}`);
  return filled(text, values);
}

/** @type {Record<string, Record<string, string>>} the catalogue of the rulebooks */
let catalogue = {};

/** @param {typeof catalogue} texts */
export function teach(texts) {
  catalogue = texts;
}

/** @param {string} code @returns {boolean} whether the catalogue has a sentence for it */
export function said(code) {
  return code in catalogue;
}

/**
 * Say a word of the vocabulary in this device's language.
 * @param {"step"|"state"|"job"|"place"|"field"|"word"|"line"|"exception"|"wayout"} group
 * @param {string} name
 * @returns {string}
 */
export function label(group, name) {
  const texts = catalogue[`${group}.${name}`];
  return texts?.[language] ?? texts?.en ?? name.replaceAll("_", " ");
}

/**
 * @param {string} key
 * @param {string} other said when there are no words for the key
 */
export function word(key, other) {
  return mine()[key] ?? other;
}

/** Faults of the server's own, or of what stands before it: they pass, and the queue is sent then. */
const PASSING = /^(server-error|not-stored|log-stopped|too-many|http-5\d\d)$/;

/**
 * @param {string} problem
 * @returns {string} what keeps the server from taking the queue, and what to do
 */
export function trouble(problem) {
  const other = t(PASSING.test(problem) ? "problem.passing" : "problem.other", { problem });
  return word(`problem.${problem}`, other);
}
