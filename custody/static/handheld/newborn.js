/** What a step says of items that come into being: kind, form and attributes. */
import { rulebookId } from "./chain.js";
import { choices } from "./fields.js";
import { record } from "./records.js";
import { label } from "./words.js";

/** @typedef {import("./types.js").Draft} Draft */

const named = (/** @type {string} */ name) => label("word", name);
const WHOLE = /^\d+$/;

/** @returns {Promise<any>} the rulebook in force */
async function rulebook() {
  const nothing = { vocabulary: { steps: {}, kinds: {}, games: { words: [] } } };
  return (await record("rulebook", await rulebookId())) ?? nothing;
}

/**
 * The games that a kind serves: those for which the rulebook has limits, else all.
 * @param {any} book
 * @param {string} kind
 * @returns {string[]}
 */
function gamesOf(book, kind) {
  const limits = book.limits?.[kind] ?? [];
  const named = limits.flatMap((/** @type {{games: string[]}} */ limit) => limit.games);
  return named.length ? [...new Set(named)] : book.vocabulary.games.words;
}

/** @param {string} step @returns {Promise<boolean>} whether items come into being with it */
export async function creates(step) {
  return Boolean((await rulebook()).vocabulary.steps[step]?.creates);
}

/**
 * @param {Draft} draft
 * @param {URLSearchParams} form
 * @returns {Promise<null | Record<string, unknown>>} null for a step that makes nothing new
 */
export async function newborn(draft, form) {
  const book = await rulebook();
  const words = book.vocabulary;
  if (!words.steps[draft.step]?.creates) return null;
  const kind = draft.kind ?? "dice";
  const kinds = choices(Object.keys(words.kinds).sort(), [kind], named);
  const forms = choices(words.kinds[kind]?.forms ?? [], [draft.form ?? ""], named);
  const games = choices(gamesOf(book, kind), form.getAll("attr.games"), named);
  return {
    kind,
    kinds,
    forms,
    games,
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
