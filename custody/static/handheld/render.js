/** Renders screens: precompiled templates with the words, times and marks that every one may use. */
import { templates } from "./lib.js";
import { described } from "./described.js";
import { fix, sentence } from "./sentences.js";
import { runs } from "./runs.js";
import { ago, when } from "./times.js";
import { label, t, trouble, word } from "./words.js";

const environment = new nunjucks.Environment(
  new nunjucks.PrecompiledLoader(/** @type {any} */ (templates)),
  { autoescape: true },
);

/** A number beyond this counts no pieces: it is an instant, in UTC ms. */
const INSTANT = 1e11;

/**
 * @param {unknown} value of a field
 * @returns {string} as the list of a ceremony shows it
 */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "number" && value > INSTANT) return when(value);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (value && typeof value === "object") return Object.values(value).map(shown).join(" ");
  return label("word", String(value ?? ""));
}

environment.addFilter("described", described);
environment.addFilter("runs", runs);
environment.addFilter("when", when);
environment.addFilter("shown", shown);
environment.addFilter("ago", ago);
environment.addFilter("url", encodeURIComponent);
environment.addFilter("sentence", sentence);
environment.addFilter("trouble", trouble);
environment.addFilter("fix", fix);
environment.addGlobal("t", (/** @type {string} */ key, /** @type {any} */ values) =>
  t(key, values),
);
environment.addGlobal("label", (/** @type {any} */ group, /** @type {unknown} */ name) =>
  label(group, String(name ?? "")),
);
environment.addGlobal("word", word);

/**
 * @param {string} name below templates/handheld/, without .html
 * @param {Record<string, unknown>} context
 * @returns {string} HTML
 */
export function render(name, context) {
  return environment.render(`handheld/${name}.html`, context);
}
