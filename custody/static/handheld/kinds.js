/** With which kinds the rulebook knows a step: asked of the person where no item says it. */
import { rulebookId } from "./chain.js";
import { creates } from "./newborn.js";
import { record } from "./records.js";

/** @typedef {import("./types.js").Draft} Draft */

/**
 * @param {string} step
 * @returns {Promise<string[]>} the kinds of which the rulebook has an entry for it, dice first; none
 *   where it asks for none
 */
async function kindsOf(step) {
  const entries = (await record("rulebook", await rulebookId()))?.step ?? [];
  const own = entries.filter((/** @type {any} */ one) => one.step === step);
  const kinds = new Set(own.flatMap((/** @type {any} */ one) => one.when?.kind ?? []));
  return [...kinds].sort((a, b) => Number(b === "dice") - Number(a === "dice") || (a < b ? -1 : 1));
}

/**
 * The kind of a step that names no items, which would say it themselves.
 * @param {Draft} draft
 * @returns {Promise<string | undefined>} as chosen, else the first
 */
export async function kindOf({ step, kind }) {
  return kind || (await kindsOf(step))[0];
}

/**
 * The kinds between which the person chooses, where nothing is listed that says it.
 * @param {Draft} draft
 * @param {string} id address of the form
 * @returns {Promise<{kind: string, to: string, chosen: boolean}[]>}
 */
export async function kindChoices(draft, id) {
  if (draft.items.length || (await creates(draft.step))) return [];
  const query = new URL(id, location.origin).searchParams;
  const to = (/** @type {string} */ kind) => {
    query.set("kind", kind);
    return `/h/step?${query}`;
  };
  const kinds = await kindsOf(draft.step);
  return kinds.map((kind) => ({ kind, to: to(kind), chosen: kind === draft.kind }));
}
