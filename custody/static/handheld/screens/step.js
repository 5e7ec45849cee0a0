/** A step's generated form: made from the rulebook's entry, so that every kind and step has one. */
import { aboutSigners, judge, mayState } from "../ceremony.js";
import { drafted, formOf, listed } from "../drafting.js";
import { keep, work } from "../drafts.js";
import { choices, shown } from "../fields.js";
import { named, pictured } from "../photos.js";
import { rulebookId } from "../chain.js";
import { all, record } from "../records.js";
import { route } from "../router.js";
import { present } from "../signon.js";
import { label } from "../words.js";
import { kindChoices } from "../kinds.js";
import { newborn } from "../newborn.js";
import { runs } from "../runs.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Draft} Draft */

/**
 * @param {{name: string, required: boolean}[]} parts what the rules say the step needs besides
 * @param {Draft} draft
 * @param {[string, string][]} places ids and names
 */
function shownParts(parts, draft, places) {
  const label = new Map(places);
  return parts.map((part) => {
    const text = String(/** @type {any} */ (draft)[part.name] ?? "");
    const ids = part.name === "into" ? [] : [...label.keys()];
    return { ...part, text, choices: choices(ids, [text], (id) => label.get(id) ?? id) };
  });
}

/** @param {string} of @returns {Promise<[string, string][]>} ids and names */
async function namesOf(of) {
  return (await all(of)).map((row) => [row.id, row.value.name ?? row.id]);
}

/**
 * @param {Draft} draft
 * @param {string} id address of the work
 * @param {URLSearchParams} form
 * @param {Record<string, unknown>} more
 */
export async function formScreen(draft, id, form, more = {}) {
  const [made, places, people, states] = await Promise.all([
    formOf(draft),
    namesOf("place"),
    namesOf("person"),
    mayState(),
  ]);
  const first = draft.items[0];
  const context = {
    ...made,
    draft,
    listed: listed(new URL(id, location.origin).searchParams, form),
    id,
    fields: shown(made.fields, form, { places, people }),
    parts: shownParts(made.places, draft, places),
    made: await newborn(draft, form),
    kinds: await kindChoices(draft, id),
    entered: Object.fromEntries(form),
    ticked: form.getAll("with.checked"),
    asks_fact: new URL(id, location.origin).searchParams.has("fact"),
    may_state: states,
    back: first ? `/h/item/${encodeURIComponent(first)}` : "/h/",
    ...more,
  };
  return { screen: "step", url: id, context };
}

/** @param {Asked} asked */
async function open({ query, url }) {
  const form = new URLSearchParams((await formKept(url)) || preset(query));
  return formScreen(await drafted(query, form), url, form);
}

/**
 * What was entered at this address; for a fact, else what was entered before it was one.
 * @param {string} url
 */
async function formKept(url) {
  const { form } = await work(url);
  return form || (await work(url.replace("&fact=1", ""))).form;
}

/**
 * What the address itself fills in: the fields that `core.steps` or a history line set.
 * @param {URLSearchParams} query
 */
function preset(query) {
  return new URLSearchParams([...query].filter(([name]) => name.startsWith("with."))).toString();
}

/** Keep the form as it stands; nothing is shown. @param {Asked} asked */
async function autosave({ form }) {
  const id = form.get("id") ?? "";
  form.delete("id");
  await keep(id, { form: form.toString() });
  return { screen: "kept" };
}

/** The form is filled: judge it, then sign it. @param {Asked} asked */
async function done({ query, form }) {
  const id = `/h/step?${query}`;
  const draft = await drafted(query, form);
  const [reasons = []] = await judge([draft], [(await present()).map((one) => one.person)]);
  const against = reasons.filter((reason) => !aboutSigners(reason));
  const title = label("step", draft.step);
  const [before] = (await work(id)).steps;
  await keep(id, {
    form: form.toString(),
    title: `${title} ${runs(draft.items).runs.join(" ")}`,
    steps: [pictured(draft, before ? named(before) : [])],
    signed: [],
    back: id,
  });
  if (against.length && !draft.with.fact) {
    return { ...(await formScreen(draft, id, form, { against, refused: true })), status: 422 };
  }
  return { to: `/h/sign?work=${encodeURIComponent(id)}` };
}

/** Steps of which each is reached from what it is about: an entry, an exception. */
const ELSEWHERE = new Set(["administer", "correct", "resolve"]);

async function allSteps() {
  const rulebook = await record("rulebook", await rulebookId());
  const steps = (rulebook?.vocabulary.step_order ?? []).filter(
    (/** @type {string} */ step) => !ELSEWHERE.has(step),
  );
  return { screen: "steps", context: { steps } };
}

route("GET", "/h/steps", allSteps);
route("GET", "/h/step", open);
route("POST", "/h/step", done);
route("POST", "/h/step/keep", autosave);
