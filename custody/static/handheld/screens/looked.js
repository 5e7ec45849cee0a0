/** What is looked at where it is signed: lines of a checklist are ticked, pictures are taken. */
import { tickedIn, toggled } from "../checklist.js";
import { keep } from "../drafts.js";
import { MOST, dropPhoto, photosIn } from "../photos.js";
import { route } from "../router.js";
import { t } from "../words.js";
import { begun, ceremony } from "./ceremony.js";

/** @typedef {import("../router.js").Asked} Asked */

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

route("POST", "/h/sign/tick", tick);
route("POST", "/h/sign/photo", picture);
