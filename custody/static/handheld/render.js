/** Renders screens: precompiled templates with the words, times and marks that every one may use. */
import { templates } from "./lib.js";
import { described } from "./described.js";
import { fix, sentence } from "./sentences.js";
import { runs } from "./runs.js";
import { label, spoken, t, word } from "./words.js";

const environment = new nunjucks.Environment(
  new nunjucks.PrecompiledLoader(/** @type {any} */ (templates)),
  { autoescape: true },
);

/**
 * @param {number | null | undefined} at UTC ms
 * @param {Intl.DateTimeFormatOptions} options
 */
function formatted(at, options) {
  if (at === null || at === undefined) return "";
  return new Intl.DateTimeFormat(spoken() === "es" ? "es-US" : "en-US", options).format(
    new Date(at),
  );
}

/** @param {number | null | undefined} at UTC ms @returns {string} hour and minute, with the day when it is not today's */
export function when(at) {
  const today = at && new Date(at).toDateString() === new Date().toDateString();
  const time = { hour: "2-digit", minute: "2-digit" };
  const day = { month: "short", day: "numeric" };
  return formatted(at, /** @type {any} */ (today ? time : { ...day, ...time }));
}

/**
 * @param {number} since milliseconds
 * @returns {string} "now", "5 min", "3 h", "2 d"
 */
export function ago(since) {
  const minutes = Math.max(0, Math.floor(since / 60_000));
  if (minutes < 1) return t("time.now");
  if (minutes < 60) return t("time.minutes", { n: minutes });
  if (minutes < 48 * 60) return t("time.hours", { n: Math.floor(minutes / 60) });
  return t("time.days", { n: Math.floor(minutes / 1440) });
}

/**
 * @param {unknown} value of a field
 * @returns {string} as the list of a ceremony shows it
 */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(", ");
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
