/** What is wrong: the open exceptions, one of them with both sides and its way out, and closing it. */
import { keep, work } from "../drafts.js";
import { about, exception, openOnes, DISPUTE } from "../exceptions.js";
import { all, record } from "../records.js";
import { route } from "../router.js";
import { outcome } from "../scan.js";
import { read } from "../read.js";
import { factsOf } from "../exception_facts.js";
import { fix, raised, why } from "../sentences.js";
import { person } from "../signon.js";
import { label, t } from "../words.js";
import { find } from "./scanned.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../exceptions.js").Exception} Exception */
/** @typedef {import("../exceptions.js").Beside} Beside */

const SHOWN = 200;

/** @returns {Promise<Map<string, string>>} devices by id, as people call them */
async function devices() {
  const rows = await all("device");
  const names = new Map(rows.map((row) => [row.id, String(row.value.name ?? row.id)]));
  return names.set("desk", t("exception.desk"));
}

/**
 * An event with names instead of ids, and what its device knew of the item then.
 * @param {Beside} event
 * @param {string} code
 * @param {any[]} history of the item
 * @param {Map<string, string>} names of devices
 */
async function side(event, code, history, names) {
  const people = await Promise.all(event.by.map(person));
  const knew = history.find((entry) => entry.id === event.saw[code]) ?? null;
  const place = event.place && ((await record("place", event.place))?.name ?? event.place);
  return {
    ...event,
    who: people.map((one, at) => one?.name ?? event.by[at]),
    device: names.get(String(event.device)) ?? event.device,
    place,
    knew,
    knew_nothing: !event.saw[code],
  };
}

/**
 * @param {Exception} one
 * @returns {Promise<any>} as a screen shows it: its sentence, and the events beside one another
 */
export async function shown(one) {
  const code = one.items[0] ?? "";
  const item = code ? await record("item", code) : null;
  const names = await devices();
  const sides = one.events.map((event) => side(event, code, item?.history ?? [], names));
  const told = { text: raised(one), why: why(one), state: item?.state };
  return { ...one, ...told, sides: await Promise.all(sides) };
}

/** The disputes about any of the items, to be seen before they go on. @param {string[]} codes */
export async function disputes(codes) {
  const wanted = new Set(codes);
  const found = (await openOnes()).filter(
    ({ kind, items }) => kind === DISPUTE && items.some((code) => wanted.has(code)),
  );
  return Promise.all(found.map(shown));
}

async function list() {
  const found = await openOnes();
  const rows = found.slice(0, SHOWN).map((one) => ({
    ...one,
    text: raised(one),
    at: one.events.at(-1)?.at,
  }));
  return { screen: "exceptions", context: { rows, more: found.length - rows.length } };
}

/** @param {string} id @param {Record<string, unknown>} [more] */
async function page(id, more = {}) {
  const found = await exception(id);
  const url = `/h/exception/${encodeURIComponent(id)}`;
  if (!found) return { screen: "exception_closed", status: 404, url, context: {} };
  const beside = (await about(found.items)).filter((one) => one.id !== id);
  const { reason: code = "", ...values } = found.values;
  const told = {
    one: await shown(found),
    beside,
    settled: await isSettled(found),
    facts: code ? [] : await factsOf(values),
    fix: fix({ code, values }),
  };
  const context = { ...told, ...(await entered(url)), ...more };
  return { screen: "exception", url, context };
}

/**
 * @param {Exception} one
 * @returns {Promise<boolean>} whether it is a dispute about items of which somebody has said which
 *   record stands, by closing another one about them
 */
async function isSettled({ kind, items }) {
  if (kind !== DISPUTE) return false;
  const values = await Promise.all(items.map((code) => record("item", code)));
  return values.every((value) => value && !value.disputed);
}

/**
 * What was entered before, signed for or not.
 * @param {string} url
 */
async function entered(url) {
  const { form, steps } = await work(url);
  const [typed, said] = [new URLSearchParams(form), steps[0]?.with ?? {}];
  const of = (/** @type {string} */ name) => typed.get(name) ?? said[name] ?? "";
  return { outcome: of("outcome"), stands: of("stands") };
}

/** @param {Asked} asked */
function open({ params }) {
  return page(params.id ?? "");
}

/** The item is in the hand: say so, or that it is another. @param {Asked} asked */
async function scanned({ params, form }) {
  const id = params.id ?? "";
  const found = await find(await read(form));
  const ours = (await exception(id))?.items.includes(found.id);
  await outcome(form.get("n"), ours ? "ok" : "refused", { result: found.what, code: found.id });
  const typed = new URLSearchParams(form.get("form") ?? "");
  const kept = { outcome: typed.get("outcome") ?? "", stands: typed.get("stands") ?? "" };
  if (ours) return page(id, { ...kept, in_hand: found.id });
  return page(id, { ...kept, wrong: t("exception.other", { code: found.id || found.read.text }) });
}

/** Close it: what came out and, of two records, which one stands. @param {Asked} asked */
async function resolve({ params, form }) {
  const id = params.id ?? "";
  const found = await exception(id);
  if (!found) return page(id);
  const told = (form.get("outcome") ?? "").trim();
  const stands = form.get("stands") ?? "";
  const asked = found.kind === DISPUTE && found.events.length > 1 && !(await isSettled(found));
  const chosen = !asked || stands;
  if (!told || !chosen) {
    const wrong = t(told ? "exception.no_stands" : "exception.no_outcome");
    return { ...(await page(id, { wrong, outcome: told, stands })), status: 422 };
  }
  const fields = { exception: id, outcome: told, ...(stands && { stands }) };
  const address = `/h/exception/${encodeURIComponent(id)}`;
  const step = { step: "resolve", items: found.items, with: fields };
  const title = `${label("step", "resolve")} ${found.items[0] ?? ""}`;
  const next = found.items[0] ? `/h/item/${encodeURIComponent(found.items[0])}` : "/h/exceptions";
  await keep(address, { title, back: address, form: "", signed: [], steps: [step], flow: { next } });
  return { to: `/h/sign?work=${encodeURIComponent(address)}` };
}

route("GET", "/h/exceptions", list);
route("GET", "/h/exception/:id", open);
route("POST", "/h/exception/:id", resolve);
route("POST", "/h/exception/:id/scan", scanned);
