/** The ceremony: the list of steps is shown, each signer signs once, then all is recorded at once. */
import { aboutSigners, assign, hindering, record as recordAll } from "../ceremony.js";
import { asked, tickedIn, toggled } from "../checklist.js";
import { drop, keep, work } from "../drafts.js";
import { feedback } from "../feedback.js";
import { HandheldError } from "../errors.js";
import { itemOf } from "../items.js";
import { idOf, said } from "../outsiders.js";
import { MOST, dropPhoto, photosIn, shown } from "../photos.js";
import { read } from "../read.js";
import { record } from "../records.js";
import { route } from "../router.js";
import { outcome } from "../scan.js";
import * as signon from "../signon.js";
import { roomy } from "../store.js";
import { tell } from "../tabs.js";
import { t } from "../words.js";
import { disputes } from "./exceptions.js";
import { formOf } from "./step.js";
import { askPin } from "./start.js";

/** @typedef {import("../router.js").Asked} Asked */
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
function signers(kept) {
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

/**
 * Add a signature, by a PIN just checked or checked not long ago.
 * @param {Work} kept
 * @param {signon.SignOn} sign
 */
function signed(kept, sign) {
  const others = kept.signed.filter((one) => one.person !== sign.person);
  return keep(kept.id, { signed: [...others, sign] });
}

/** @param {Asked} request */
async function open({ query }) {
  const kept = await begun(query);
  const person = query.get("signer");
  if (!person) return ceremony(kept);
  const sign = (await signon.present()).find((one) => one.person === person);
  return ceremony(sign && signon.fresh(sign) ? await signed(kept, sign) : kept);
}

/** One tap signs for whoever is signed on and gave the PIN not long ago. @param {Asked} request */
async function tap({ query, form }) {
  const kept = await begun(query);
  const sign = (await signon.present()).find((one) => one.person === form.get("person"));
  const who = sign && (await signon.person(sign.person));
  if (!sign || !who) throw new HandheldError("not-found", { what: form.get("person") });
  if (!signon.fresh(sign)) return askPin(who, "name+pin", back(kept, who.id));
  return ceremony(await signed(kept, sign));
}

/**
 * @param {Work} kept
 * @param {string} person
 */
function back(kept, person) {
  return `/h/sign?${new URLSearchParams({ work: kept.id, signer: person })}`;
}

/** @param {Asked} request */
async function badge({ query, form }) {
  const kept = await begun(query);
  const who = await signon.byBadge((await read(form)).text);
  await outcome(form.get("n"), who ? "ok" : "refused", { result: who ? "badge" : "badge-unknown" });
  if (!who) return ceremony(kept, { wrong: t("people.unknown_badge") });
  return askPin(who, "badge+pin", back(kept, who.id));
}

/**
 * A line of a step's checklist was looked at. A signature given before is of another text, and ends.
 * @param {Asked} request
 */
async function tick({ query, form }) {
  const kept = await begun(query);
  const [number, line] = [Number(form.get("step")), form.get("line") ?? ""];
  const steps = kept.steps.map((step, at) => (at === number ? toggled(step, line) : step));
  const flow = kept.flow && { ...kept.flow, checked: tickedIn(steps) };
  return ceremony(await keep(kept.id, { steps, signed: [], ...(flow && { flow }) }));
}

/**
 * A picture was taken to a step, or is taken back.
 * @param {Asked} request
 */
async function picture({ query, form }) {
  const kept = await begun(query);
  const [number, sha, drop] = [Number(form.get("step")), form.get("sha"), form.get("drop")];
  const before = kept.steps[number]?.with.photos ?? [];
  if (!sha && !drop) return ceremony(kept, { wrong: t("photo.unreadable") });
  if (sha && before.length >= MOST) return ceremony(kept, { wrong: t("photo.most", { n: MOST }) });
  const others = before.filter((/** @type {string} */ one) => one !== sha && one !== drop);
  const photos = sha ? [...others, sha] : others;
  if (drop) await dropPhoto(drop);
  const { photos: _before, ...fields } = kept.steps[number]?.with ?? {};
  const changed = photos.length ? { ...fields, photos } : fields;
  const steps = kept.steps.map((step, at) => (at === number ? { ...step, with: changed } : step));
  const flow = kept.flow && { ...kept.flow, photos: photosIn(steps) };
  return ceremony(await keep(kept.id, { steps, signed: [], ...(flow && { flow }) }));
}

/** @param {Asked} request */
async function done({ query }) {
  const kept = await begun(query);
  const ids = signers(kept);
  const { by, reasons } = await assign(kept.steps, ids);
  const open = kept.steps.some((step, number) => hindering(step, reasons[number] ?? []).length);
  if (open || !ids.length) return ceremony(kept, { wrong: t("sign.not_yet") });
  const events = await recordAll(kept.steps, kept.signed, by, kept.id);
  await feedback("ok");
  tell("changed");
  tell("kick");
  const last = events.at(-1);
  const known = last?.items[0] && (await itemOf(last.items[0]));
  const next =
    kept.flow?.next ?? (known ? `/h/item/${encodeURIComponent(String(last?.items[0]))}` : "/h/");
  return {
    screen: "recorded",
    url: next,
    context: { events, next, work: kept, lease: await expiredAmong(kept.signed) },
  };
}

/** @param {Work["signed"]} signs @returns {Promise<string[]>} names of those whose lease has run out */
async function expiredAmong(signs) {
  const names = [];
  for (const { person } of signs) {
    const who = person ? await signon.person(person) : null;
    if (who && (await signon.expired(who))) names.push(who.name);
  }
  return names;
}

/** @param {Asked} request */
async function cancel({ query }) {
  const kept = await begun(query);
  await drop(kept.id);
  return { to: "/h/" };
}

route("GET", "/h/sign", open);
route("POST", "/h/sign", tap);
route("POST", "/h/sign/scan", badge);
route("POST", "/h/sign/tick", tick);
route("POST", "/h/sign/photo", picture);
route("POST", "/h/sign/done", done);
route("POST", "/h/sign/cancel", cancel);
