/** A step's generated form: made from the rulebook's entry, so that every kind and step has one. */
import { aboutSigners, judge, judgeable, mayState } from "../ceremony.js";
import { stamp } from "../clock.js";
import { keep, work } from "../drafts.js";
import { choices, parts, read as readFields, shown } from "../fields.js";
import { named, pictured } from "../photos.js";
import { read } from "../read.js";
import { rulebookId } from "../chain.js";
import { all, record } from "../records.js";
import { route } from "../router.js";
import { ask } from "../rules.js";
import { outcome } from "../scan.js";
import { present } from "../signon.js";
import { instant } from "../siteclock.js";
import { label, t } from "../words.js";
import { creates, kindChoices, kindOf } from "../kinds.js";
import { attributes, newborn } from "../newborn.js";
import { runs } from "../runs.js";
import { find } from "./scanned.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Draft} Draft */

/** Lines of the checklist that were ticked: what only a person can check, asked and recorded. */
const CHECKED = { name: "checked", type: "words" };

/**
 * The items as they were scanned or typed.
 * @param {URLSearchParams} query
 * @param {URLSearchParams} form
 */
function listed(query, form) {
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
async function drafted(query, form) {
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
 * @param {import("../ceremony.js").Signer[]} [by]
 * @returns {Promise<{fields: any[], places: any[], signers: any[], clauses: any[],
 *   cites: string[]}>} as `core.form` says it
 */
export async function formOf(draft, by = []) {
  return ask("form", { draft: await judgeable(draft, by) });
}

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
async function formScreen(draft, id, form, more = {}) {
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

/** What a supplier's box is labelled with; every other new code on a delivery is a piece in it. */
const BOX = "BX-";

/**
 * Where on a form a scan fits: the field in focus, else the place, else the items or the next empty
 * field that takes a code. Where items come into being, a code that is new names one of them.
 * @param {import("./scanned.js").Found} found
 * @param {string} step
 * @param {string | undefined} empty name of that field
 */
async function fitting({ what, id, read }, step, empty) {
  if (what === "place") return "part.to";
  if (what === "item") return "items";
  if (read.kind !== "code" && read.kind !== "serial") return ""; // misread, or a badge
  const fresh = what === "unknown" && !id.startsWith(BOX);
  if (fresh && ((await creates(step)) || (await isPiece(id)))) return "items";
  return empty ? `with.${empty}` : "";
}

/** Whether a code is reserved for a piece of a case that is known. @param {string} code */
async function isPiece(code) {
  const case_ = code.slice(0, Math.max(0, code.lastIndexOf("/")));
  return case_ !== "" && Boolean((await record("item", case_))?.serials);
}

/** A scan on a form goes where it fits, once. @param {Asked} asked */
async function scanned({ query, form }) {
  const id = `/h/step?${query}`;
  const entered = new URLSearchParams(form.get("form") ?? "");
  const found = await find(await read(form));
  const draft = await drafted(query, entered);
  const { fields } = await formOf(draft);
  const empty = fields.find((field) => field.type === "code" && !entered.get(`with.${field.name}`));
  const target = form.get("field") || (await fitting(found, draft.step, empty?.name));
  const again = target === "items" && draft.items.includes(found.id);
  await outcome(form.get("n"), again ? "again" : target ? "ok" : "refused", {
    result: again ? "again" : target || "unknown",
    code: found.id,
  });
  if (again) return formScreen(draft, id, entered, { said: t("scan.listed", { code: found.id }) });
  if (!target)
    return formScreen(draft, id, entered, {
      said: t("scan.unknown_here", { code: found.read.text }),
    });
  if (target === "items") entered.append("items", found.id);
  else entered.set(target, found.id);
  await keep(id, { form: entered.toString() });
  return formScreen(await drafted(query, entered), id, entered);
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
route("POST", "/h/step/scan", scanned);
route("POST", "/h/step/keep", autosave);
