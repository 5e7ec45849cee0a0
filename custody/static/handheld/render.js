/** Renders screens: precompiled templates with the words, times and marks that every one may use. */
import { templates } from "./lib.js";
import { described } from "./described.js";
import { fix, sentence } from "./sentences.js";
import { now } from "./rules.js";
import { runs } from "./runs.js";
import { shown, timed } from "./shown.js";
import { ago, when } from "./times.js";
import { label, t, trouble, word } from "./words.js";

const environment = new nunjucks.Environment(
  new nunjucks.PrecompiledLoader(/** @type {any} */ (templates)),
  { autoescape: true },
);

/**
 * @param {unknown} value of a field
 * @param {string} name the field's
 * @param {string} step
 * @returns {string} with what is an instant, by the type of the field, as a time of the site
 */
function entered(value, name, step) {
  if (typeof value !== "number" && typeof value !== "object") return shown(value);
  return shown(timed(value, now("instants", { step })[name]));
}

environment.addFilter("described", described);
environment.addFilter("runs", runs);
environment.addFilter("when", when);
environment.addFilter("shown", shown);
environment.addFilter("entered", entered);
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
