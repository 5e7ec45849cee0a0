/** Between a generated form and a draft: what a field's text becomes, and how a field is shown. */
import { label as sayable, spoken } from "./words.js";

/**
 * @typedef {{name: string, type?: string, options?: string[], required?: boolean,
 *   clause?: string | null, unit?: string | null, must?: unknown,
 *   label?: Record<string, string> | null}} Field
 *   as `core.form` gives it; `type` is one of vocabulary.toml
 * @typedef {{value: string, label: string, chosen: boolean}} Choice
 */

/**
 * Parts of a draft that are not fields of `with`. In a form they are named `part.<name>`: an input
 * called `form` would hide the form element's own.
 */
export const PARTS = ["to", "into", "where", "from", "kind", "form", "note"];
const LISTS = new Set(["words", "codes", "serials"]);
const WHOLE = /^-?\d+$/;

/**
 * Three measures a line, in inches, a line a die.
 * @param {string} text
 * @returns {string[][]}
 */
export function measures(text) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.map((line) => line.split(/[\s,;]+/));
}

/**
 * What was counted: a number, or the names of the pieces.
 * @param {string} text
 */
function pieces(text) {
  return WHOLE.test(text) ? Number(text) : text.split(/[\s,;]+/);
}

/**
 * Codes with quantities, one a line: `D5-001` or `CASE-7 12`.
 * @param {string} text
 */
function counted(text) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (!lines.some((line) => /\s\d+$/.test(line))) return lines;
  return Object.fromEntries(
    lines.map((line) => [line.replace(/\s+\d+$/, ""), Number(/\s(\d+)$/.exec(line)?.[1] ?? 1)]),
  );
}

/** @type {Record<string, (text: string) => unknown>} what each type makes of a text */
const READ = {
  bool: (text) => text === "yes",
  int: (text) => (WHOLE.test(text) ? Number(text) : text),
  measures,
  pieces,
  found: counted,
};

/**
 * Read a filled form.
 * @param {URLSearchParams} form
 * @param {Field[]} fields
 * @param {(typed: string) => number | null} instant reads a wall-clock time of the site
 * @returns {Record<string, any>} what goes into `with`; a field left empty is left out
 */
export function read(form, fields, instant) {
  /** @type {Record<string, any>} */
  const out = {};
  for (const { name, type = "text" } of fields) {
    const texts = form
      .getAll(`with.${name}`)
      .map((text) => text.trim())
      .filter(Boolean);
    const [text] = texts;
    if (text === undefined) continue;
    const split = type === "words" ? texts : texts.flatMap((one) => one.split(/[\s,;]+/));
    const reader = type === "time" ? instant : READ[type];
    out[name] = LISTS.has(type) ? split : (reader?.(text) ?? text);
  }
  return out;
}

/**
 * @param {URLSearchParams} form
 * @returns {Record<string, any>} the parts of the draft that the form names
 */
export function parts(form) {
  const named = PARTS.map((part) => [part, (form.get(`part.${part}`) ?? "").trim()]);
  return Object.fromEntries(named.filter(([, text]) => text));
}

/**
 * @param {string[]} values
 * @param {string[]} chosen
 * @param {(value: string) => string} label
 * @returns {Choice[]}
 */
export function choices(values, chosen, label) {
  return values.map((value) => ({ value, label: label(value), chosen: chosen.includes(value) }));
}

/**
 * Say how the fields of a form are shown, with what was entered so far.
 * @param {Field[]} fields
 * @param {URLSearchParams} form
 * @param {{places: [string, string][], people: [string, string][]}} known ids and names
 */
export function shown(fields, form, known) {
  const names = { place: known.places, person: known.people };
  return fields.map((field) => {
    const { name, type = "text", options = [] } = field;
    const texts = form.getAll(`with.${name}`);
    const named = new Map(names[/** @type {keyof typeof names} */ (type)] ?? []);
    const values = options.length ? options : type === "bool" ? ["yes", "no"] : [...named.keys()];
    const label = (/** @type {string} */ value) => named.get(value) ?? sayable("word", value);
    const list = choices(values, texts, label);
    return {
      ...field,
      type,
      label: field.label?.[spoken()] ?? sayable("field", name),
      choices: list,
      picks: named.size > 0,
      list: type === "words",
      text: texts[0] ?? "",
    };
  });
}
