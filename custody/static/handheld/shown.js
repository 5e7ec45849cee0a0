/** Values of a step's fields as a ceremony shows them. */
import { when } from "./times.js";
import { label, t } from "./words.js";

/**
 * @param {unknown} value of a field or an attribute
 * @returns {string}
 */
export function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (value && typeof value === "object") return Object.values(value).map(shown).join(" ");
  return label("word", String(value ?? ""));
}

/**
 * @param {any} value
 * @param {string | undefined} part "" where the value is an instant, the name of its part that is,
 *   undefined where it has none
 * @returns {unknown} the value, its instant written
 */
export function timed(value, part) {
  if (part === "" && typeof value === "number") return when(value);
  if (part && value && typeof value[part] === "number") {
    return { ...value, [part]: when(value[part]) };
  }
  return value;
}
