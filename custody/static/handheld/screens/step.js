/** A step's generated form: made from the rulebook's entry, so that every kind and step has one. */
import { aboutSigners, judge, judgeable } from "../ceremony.js";
import { stamp } from "../clock.js";
import { keep, work } from "../drafts.js";
import { choices, parts, read as readFields, shown } from "../fields.js";
import { read } from "../read.js";
import { all } from "../records.js";
import { route } from "../router.js";
import { ask } from "../rules.js";
import { outcome } from "../scan.js";
import { present } from "../signon.js";
import { t, word } from "../words.js";
import { find } from "./scanned.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Draft} Draft */

/**
 * The draft that an address and a form make together.
 * @param {URLSearchParams} query
 * @param {URLSearchParams} form
 * @returns {Promise<Draft>}
 */
async function drafted(query, form) {
  const items = form.has("items") ? form.getAll("items").flatMap((text) => text.split(/\s+/)).filter(Boolean) : query.getAll("item");
  const named = { ...Object.fromEntries(["to", "where", "into", "kind", "form"].map((key) => [key, query.get(key)])), ...parts(form) };
  const draft = /** @type {Draft} */ ({ step: query.get("step") ?? "", items, with: {}, ...named });
  const { fields } = await formOf(draft);
  draft.with = readFields(form, fields);
  if (form.get("fact.why")) draft.with.fact = fact(form);
  return draft;
}

/**
 * What a fact that has already happened says of itself.
 * @param {URLSearchParams} form
 */
function fact(form) {
  const at = Date.parse(form.get("fact.at") ?? "");
  const number = (form.get("fact.form") ?? "").trim();
  return { why: form.get("fact.why"), at: Number.isNaN(at) ? stamp().at : at, ...(number && { form: number }) };
}

/**
 * @param {Draft} draft
 * @returns {Promise<{fields: any[], signers: any[], clauses: string[]}>}
 */
export async function formOf(draft) {
  const by = (await present()).map((one) => one.person);
  return ask("form", { draft: await judgeable(draft, by) });
}

/** Parts of the draft that each step asks for, besides its items and fields. */
const TO = ["receive", "store", "issue", "deliver", "return", "hand_over", "release", "pack"];
const WHERE = ["access", "count", "table", "destroy", "cancel", "play", "remove", "inspect", "preshuffle"];
const NEW = ["receive", "rebuild"];

/**
 * @param {Draft} draft
 * @param {[string, string][]} places ids and names
 */
function partsOf(draft, places) {
  const label = new Map(places);
  const named = (/** @type {string} */ name) => {
    const text = String(/** @type {any} */ (draft)[name] ?? "");
    return { name, text, choices: choices([...label.keys()], [text], (id) => label.get(id) ?? id) };
  };
  const plain = (/** @type {string} */ name) => ({ ...named(name), choices: [] });
  return [
    ...(TO.includes(draft.step) ? [named("to")] : []),
    ...(WHERE.includes(draft.step) ? [named("where")] : []),
    ...(draft.step === "pack" ? [plain("into")] : []),
    ...(NEW.includes(draft.step) || ["access", "count", "requisition"].includes(draft.step) ? [plain("kind")] : []),
    ...(NEW.includes(draft.step) ? [plain("form")] : []),
  ];
}

/** @param {string} of @returns {Promise<[string, string][]>} ids and names */
async function named(of) {
  return (await all(of)).map((row) => [row.id, row.value.name ?? row.id]);
}

/**
 * @param {Draft} draft
 * @param {string} id address of the work
 * @param {URLSearchParams} form
 * @param {Record<string, unknown>} more
 */
async function formScreen(draft, id, form, more = {}) {
  const [made, places, people] = await Promise.all([formOf(draft), named("place"), named("person")]);
  const first = draft.items[0];
  const context = {
    ...made, draft, id, fields: shown(made.fields, form, { places, people }), parts: partsOf(draft, places),
    entered: Object.fromEntries(form), asks_fact: new URL(id, location.origin).searchParams.has("fact"),
    back: first ? `/h/item/${encodeURIComponent(first)}` : "/h/", ...more,
  };
  return { screen: "step", url: id, context };
}

/** @param {Asked} asked */
async function open({ query, url }) {
  const kept = await work(url);
  const form = new URLSearchParams(kept.form);
  return formScreen(await drafted(query, form), url, form);
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
  const title = word(`step.${draft.step}`, draft.step);
  await keep(id, { form: form.toString(), title: `${title} ${draft.items.join(" ")}`, steps: [draft], signed: [], back: id });
  if (against.length && !draft.with.fact) {
    return { ...(await formScreen(draft, id, form, { against, refused: true })), status: 422 };
  }
  return { to: `/h/sign?work=${encodeURIComponent(id)}` };
}

/**
 * A scan on a form goes where it fits: into the field in focus, else as the place, else as an item
 * or the next empty field that takes a code.
 * @param {Asked} asked
 */
async function scanned({ query, form }) {
  const id = `/h/step?${query}`;
  const entered = new URLSearchParams(form.get("form") ?? "");
  const found = await find(await read(form));
  const focus = form.get("field");
  const draft = await drafted(query, entered);
  const { fields } = await formOf(draft);
  const empty = fields.find((field) => field.type === "code" && !entered.get(`with.${field.name}`));
  const target = focus || (found.what === "place" ? "to" : found.what === "item" ? "items" : empty && `with.${empty.name}`);
  await outcome(form.get("n"), target ? "ok" : "refused", { result: target || "unknown", code: found.id });
  if (!target) return formScreen(draft, id, entered, { said: t("scan.unknown_here", { code: found.read.text }) });
  if (target === "items") entered.append("items", found.id);
  else entered.set(target, found.id);
  await keep(id, { form: entered.toString() });
  return formScreen(await drafted(query, entered), id, entered);
}

route("GET", "/h/step", open);
route("POST", "/h/step", done);
route("POST", "/h/step/scan", scanned);
route("POST", "/h/step/keep", autosave);
