/** The ceremony's screen: the list of steps, who signs what, and what is still missing. */
import { aboutSigners, assign, hindering } from "../ceremony.js";
import { asked } from "../checklist.js";
import { formOf } from "../drafting.js";
import { work } from "../drafts.js";
import { HandheldError } from "../errors.js";
import { idOf, said } from "../outsiders.js";
import { shown } from "../photos.js";
import { record } from "../records.js";
import * as signon from "../signon.js";
import { roomy } from "../store.js";
import { disputes } from "./exceptions.js";

/** @typedef {import("../drafts.js").Work} Work */

/** How many signers get a button under the thumb. */
const FIRST = 2;

/**
 * @param {Work} kept
 * @param {Record<string, unknown>} [more]
 */
export async function ceremony(kept, more = {}) {
  const ids = signers(kept);
  const present = await signon.present();
  const people = await Promise.all(
    present.map(async (one) => ({
      ...one,
      who: await signon.person(one.person),
      fresh: signon.fresh(one),
    })),
  );
  const steps = await listedSteps(kept);
  const others = people.filter((one) => !ids.includes(one.person));
  const alone = ids.length > 0 && !ids.some((one) => typeof one === "string");
  const first = others.filter((one) => alone || wanted(steps, one.person)).slice(0, FIRST);
  const left = steps.flatMap((step) => hindering(step.draft, step.reasons));
  return {
    screen: "sign",
    url: `/h/sign?work=${encodeURIComponent(kept.id)}`,
    context: {
      full: !(await roomy()),
      first,
      work: kept,
      steps,
      left,
      outside: outsideJobs(steps).length > 0,
      alone,
      ready: ids.length > 0 && left.length === 0,
      disputes: kept.steps.every((step) => step.step === "resolve")
        ? []
        : await disputes(kept.steps.flatMap((step) => step.items)),
      signed: await Promise.all(
        kept.signed.map(async (one) => ({
          ...one,
          who: one.person === undefined ? one : await signon.person(one.person),
        })),
      ),
      able: others.filter((one) => !first.includes(one)),
      ...more,
    },
  };
}

/** @param {Work} kept @returns {import("../ceremony.js").Signer[]} who has signed, as rules know them */
export function signers(kept) {
  return kept.signed.map((one) => one.person === undefined ? said(one) : one.person);
}

/** @param {Work} kept @returns {Promise<any[]>} its steps as the list shows them */
export async function listedSteps(kept) {
  const { by, reasons } = await assign(kept.steps, signers(kept));
  return Promise.all(
    kept.steps.map((draft, number) => told(draft, by[number] ?? [], reasons[number] ?? [])),
  );
}

/**
 * @param {{slots: any[]}[]} steps
 * @returns {string[]} the jobs in which somebody who is not of the house could sign an empty line
 */
export function outsideJobs(steps) {
  const open = steps.flatMap(({ slots }) => slots.filter((slot) => !slot.filled_by));
  return [...new Set(open.flatMap((slot) => slot.outside))];
}

/**
 * @param {{slots: any[]}[]} steps
 * @param {string} person
 * @returns {boolean} whether a line that is still empty could be this person's
 */
function wanted(steps, person) {
  return steps.some(({ slots }) =>
    slots.some((slot) => !slot.filled_by && slot.who.includes(person)),
  );
}

/**
 * A step as the list shows it: names instead of ids, who signs what, and what else is against it.
 * @param {import("../types.js").Draft} draft
 * @param {import("../ceremony.js").Signer[]} by
 * @param {import("../ceremony.js").Reason[]} reasons
 */
async function told(draft, by, reasons) {
  const { signers, clauses } = await formOf(draft, by);
  const names = await Promise.all(
    [draft.to, draft.where].map(async (id) => id && ((await record("place", id))?.name ?? id)),
  );
  const said = by.flatMap((one) => (typeof one === "string" ? [] : [one]));
  const outside = new Map(said.map((one) => [idOf(one), one.name]));
  const slots = await Promise.all(
    signers.map(async (slot) => ({
      ...slot,
      name: slot.filled_by && (outside.get(slot.filled_by) ?? (await signon.person(slot.filled_by))?.name),
    })),
  );
  return {
    draft,
    slots,
    lines: asked(draft, clauses),
    photos: await shown(draft.with.photos ?? []),
    to: names[0],
    where: names[1],
    reasons,
    against: reasons.filter((reason) => !aboutSigners(reason)),
    hints: reasons.filter(
      (reason) => aboutSigners(reason) && !["signer-missing", "nobody-signs"].includes(reason.code),
    ),
  };
}

/** @param {URLSearchParams} query @returns {Promise<Work>} */
export async function begun(query) {
  const kept = await work(query.get("work") ?? "");
  if (!kept.steps.length) throw new HandheldError("not-found", { what: query.get("work") });
  return { ...kept, signed: kept.signed.filter(signon.fresh) }; // a signature of yesterday is none
}
