/** The draft that a step's form and its address make together. */
import { judgeable } from "./ceremony.js";
import { stamp } from "./clock.js";
import { parts, read as readFields } from "./fields.js";
import { creates, kindOf } from "./kinds.js";
import { attributes } from "./newborn.js";
import { ask } from "./rules.js";
import { instant } from "./siteclock.js";

/** @typedef {import("./types.js").Draft} Draft */

/** Lines of the checklist that were ticked: what only a person can check, asked and recorded. */
const CHECKED = { name: "checked", type: "words" };

/**
 * The items as they were scanned or typed.
 * @param {URLSearchParams} query
 * @param {URLSearchParams} form
 */
export function listed(query, form) {
  if (!form.has("items")) return query.getAll("item");
  const texts = form.getAll("items").flatMap((text) => text.split(/\s+/));
  return texts.filter(Boolean);
}

/**
 * Of a case, as many pieces as the form says: `CASE-7*12`; of new cases, as many as each has.
 * @param {string[]} items
 * @param {URLSearchParams} form
 */
function numbered(items, form) {
  return items.map((item) => {
    const count = (form.get(`count.${item}`) ?? form.get("count.") ?? "").trim();
    return count && !item.includes("*") ? `${item}*${count}` : item;
  });
}

/**
 * The draft that an address and a form make together.
 * @param {URLSearchParams} query
 * @param {URLSearchParams} form
 * @returns {Promise<Draft>}
 */
export async function drafted(query, form) {
  const items = numbered(listed(query, form), form);
  const named = {
    ...Object.fromEntries(
      ["to", "where", "into", "kind", "form"].map((key) => [key, query.get(key)]),
    ),
    ...parts(form),
  };
  const draft = /** @type {Draft} */ ({ step: query.get("step") ?? "", items, with: {}, ...named });
  const born = await creates(draft.step);
  const kind = born || !items.length ? await kindOf(draft) : undefined;
  Object.assign(draft, { kind, ...(born && { attributes: attributes(form) }) });
  const { fields } = await formOf(draft);
  draft.with = readFields(form, [...fields, CHECKED], instant);
  if (form.get("fact.why")) draft.with.fact = fact(form);
  return draft;
}

/**
 * What a fact that has already happened says of itself.
 * @param {URLSearchParams} form
 */
function fact(form) {
  const number = (form.get("fact.form") ?? "").trim();
  return {
    why: form.get("fact.why"),
    at: instant(form.get("fact.at") ?? "") ?? stamp().at,
    ...(number && { form: number }),
  };
}

/**
 * @param {Draft} draft
 * @param {import("./ceremony.js").Signer[]} [by]
 * @returns {Promise<{fields: any[], places: any[], signers: any[], clauses: any[],
 *   cites: string[]}>} as `core.form` says it
 */
export async function formOf(draft, by = []) {
  return ask("form", { draft: await judgeable(draft, by) });
}
