/** With which kinds the rulebook knows a step: asked of the person where no item says it. */
import { rulebookId } from "./chain.js";
import { stamp } from "./clock.js";
import { record } from "./records.js";
import { ask } from "./rules.js";

/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {{kind: string, forms: string[], games: string[]}} Kind as `core.kinds` gives it */

/** @param {string} step @returns {Promise<boolean>} whether items come into being with it */
export async function creates(step) {
  const rulebook = await record("rulebook", await rulebookId());
  return Boolean(rulebook?.vocabulary.steps[step]?.creates);
}

/**
 * @param {string} step
 * @returns {Promise<Kind[]>} the kinds of which the rulebook has an entry for it; none where it asks
 *   for none
 */
export function kindsOf(step) {
  return ask("kinds", { step, now: stamp().at });
}

/**
 * The kind of a step that names no items, which would say it themselves.
 * @param {Draft} draft
 * @returns {Promise<string | undefined>} as chosen, else the first
 */
export async function kindOf({ step, kind }) {
  return kind || (await kindsOf(step))[0]?.kind;
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
  return kinds.map(({ kind }) => ({ kind, to: to(kind), chosen: kind === draft.kind }));
}
