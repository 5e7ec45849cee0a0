/** What the hand-made flows share: kept state, steps that fit, and the way to the signatures. */
import { aboutSigners, judge } from "../ceremony.js";
import { checked } from "../checklist.js";
import { keep, work } from "../drafts.js";
import { pictured } from "../photos.js";
import { read } from "../read.js";
import { find } from "../screens/scanned.js";
import { outcome } from "../scan.js";

/** @typedef {import("../types.js").Draft} Draft */
/** @typedef {import("../ceremony.js").Reason} Reason */
/** @typedef {import("../router.js").Asked} Asked */

/**
 * @param {string} id address of the flow
 * @returns {Promise<Record<string, any>>} what was gathered so far
 */
export async function gathered(id) {
  const { flow = {}, form } = await work(id);
  return { ...flow, ...entered(new URLSearchParams(form)) };
}

/** Names that a form may give more than once. */
const LISTS = new Set(["instruments"]);

/**
 * @param {URLSearchParams} form
 * @returns {Record<string, any>} what stands in the form, as it was typed
 */
export function entered(form) {
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => [name, LISTS.has(name) ? form.getAll(name) : form.get(name)]),
  );
}

/**
 * Keep what was gathered; any signature given to an earlier state of it counts no more.
 * @param {string} id
 * @param {string} title
 * @param {Record<string, any>} flow
 */
export function gather(id, title, flow) {
  return keep(id, { title, flow, back: id, form: "", signed: [], steps: [] });
}

/**
 * Take these steps to the signatures.
 * @param {string} id
 * @param {string} title
 * @param {Draft[]} steps
 * @param {string} next where to go once they are recorded
 * @param {string} [then] what is to be done then, said once they are
 */
export async function toSign(id, title, steps, next, then = "") {
  const before = await gathered(id);
  const flow = { ...before, next, then };
  const looked = steps.map((step) =>
    pictured(checked(step, before.checked?.[step.step] ?? []), before.photos?.[step.step] ?? []),
  );
  await keep(id, { title, flow, back: id, form: "", signed: [], steps: looked });
  return { to: `/h/sign?work=${encodeURIComponent(id)}` };
}

/**
 * Of several ways to do it, take the first that nothing but a missing signature is against.
 * @param {Draft[][]} ways
 * @returns {Promise<{steps: Draft[], against: Reason[]}>} the way with the least against it
 */
export async function fitting(ways) {
  let best = { steps: ways[0] ?? [], against: /** @type {Reason[]} */ ([]) };
  let least = Infinity;
  for (const steps of ways) {
    const reasons = await judge(
      steps,
      steps.map(() => []),
    );
    const against = reasons.flat().filter((reason) => !aboutSigners(reason));
    if (against.length < least) [best, least] = [{ steps, against }, against.length];
    if (least === 0) break;
  }
  return best;
}

/**
 * Read a flow's scan and find what it names.
 * @param {Asked} asked
 */
export async function taken({ form }) {
  return find(await read(form));
}

/**
 * Let the person feel what came of a scan.
 * @param {Asked} asked
 * @param {"ok" | "again" | "refused"} what
 * @param {string} code
 */
export function felt({ form }, what, code) {
  return outcome(form.get("n"), what, { result: what === "ok" ? "taken" : what, code });
}
