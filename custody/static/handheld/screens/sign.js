/** Signing: each signer signs the whole list once, then all of it is recorded at once. */
import { assign, hindering, record as recordAll } from "../ceremony.js";
import { drop, keep } from "../drafts.js";
import { feedback } from "../feedback.js";
import { HandheldError } from "../errors.js";
import { itemOf } from "../items.js";
import { read } from "../read.js";
import { route } from "../router.js";
import { outcome } from "../scan.js";
import * as signon from "../signon.js";
import { tell } from "../tabs.js";
import { t } from "../words.js";
import { begun, ceremony, signers } from "./ceremony.js";
import { askPin } from "./start.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../drafts.js").Work} Work */

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
route("POST", "/h/sign/done", done);
route("POST", "/h/sign/cancel", cancel);
