/** What a step says of items that come into being: kind, form and attributes. */
import { choices } from "./fields.js";
import { creates, kindsOf } from "./kinds.js";
import { label } from "./words.js";

/** @typedef {import("./types.js").Draft} Draft */

const named = (/** @type {string} */ name) => label("word", name);
const WHOLE = /^\d+$/;

/**
 * @param {Draft} draft
 * @param {URLSearchParams} form
 * @returns {Promise<null | Record<string, unknown>>} null for a step that makes nothing new
 */
export async function newborn(draft, form) {
  if (!(await creates(draft.step))) return null;
  const known = await kindsOf(draft.step);
  const kind = draft.kind ?? "";
  const mine = known.find((one) => one.kind === kind);
  return {
    kind,
    kinds: choices(known.map((one) => one.kind), [kind], named),
    forms: choices(mine?.forms ?? [], [draft.form ?? ""], named),
    games: choices(mine?.games ?? [], form.getAll("attr.games"), named),
    size: form.get("attr.size") ?? "",
    more: form.get("attr.more") ?? "",
  };
}

/**
 * @param {URLSearchParams} form
 * @returns {Record<string, any>} the attributes that the form gives
 */
export function attributes(form) {
  const size = (form.get("attr.size") ?? "").trim();
  const games = form.getAll("attr.games").filter(Boolean);
  const pairs = (form.get("attr.more") ?? "").split("\n").map((line) => line.split("="));
  const more = pairs
    .filter(([name, value]) => name?.trim() && value?.trim())
    .map(([name, value]) => {
      const text = String(value).trim();
      return [String(name).trim(), WHOLE.test(text) ? Number(text) : text];
    });
  return {
    ...(size && { size: Number(size) }),
    ...(games.length && { games }),
    ...Object.fromEntries(more),
  };
}
