/** Somebody who is not of the house signs: who they are, and their signature over what is listed. */
import { keep } from "../drafts.js";
import { entered, idOf, isDrawn, signing } from "../outsiders.js";
import { route } from "../router.js";
import { t } from "../words.js";
import { begun, ceremony, listedSteps, outsideJobs } from "./ceremony.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../drafts.js").Work} Work */

/**
 * @param {Work} kept
 * @param {Record<string, unknown>} [more]
 */
async function page(kept, more = {}) {
  const steps = await listedSteps(kept);
  const jobs = outsideJobs(steps);
  const url = `/h/sign/outside?work=${encodeURIComponent(kept.id)}`;
  if (!jobs.length) return { to: `/h/sign?work=${encodeURIComponent(kept.id)}` };
  return { screen: "outside", url, context: { work: kept, steps, jobs, ...more } };
}

/** @param {Asked} asked */
async function open({ query }) {
  return page(await begun(query));
}

/** @param {Asked} asked */
async function done({ query, form }) {
  const kept = await begun(query);
  const who = entered(form);
  const missing = [who.name, who.agency, who.number, who.job].some((text) => !text);
  const wrong = missing ? "outside.missing" : isDrawn(who.signature) ? "" : "outside.not_drawn";
  if (wrong) return { ...(await page(kept, { wrong: t(wrong), who })), status: 422 };
  const others = kept.signed.filter((one) => one.person !== undefined || idOf(one) !== idOf(who));
  return ceremony(await keep(kept.id, { signed: [...others, signing(who)] }));
}

route("GET", "/h/sign/outside", open);
route("POST", "/h/sign/outside", done);
