/** An item's card: what and where it is, its history, and the steps allowed now. */
import { judge, mayState } from "../ceremony.js";
import { ask, Told } from "../rules.js";
import { rulebookId } from "../chain.js";
import { citing } from "../citing.js";
import { stamp } from "../clock.js";
import { about } from "../exceptions.js";
import { here } from "../here.js";
import { itemOf } from "../items.js";
import { event } from "../outbox.js";
import { ofItem, shown as pictures } from "../photos.js";
import { itemsAt, record } from "../records.js";
import { route } from "../router.js";
import { clause, sentence } from "../sentences.js";
import { person, present } from "../signon.js";
import { spoken, t } from "../words.js";
import { shown } from "./exceptions.js";

/** @typedef {import("../router.js").Asked} Asked */

/** It is reached from the entry that it corrects, and offered nowhere else. */
const CORRECT = "correct";

/** What the rules say against who neither made an entry nor supervises. */
const NOT_THEIRS = "not-supervisor";

/** Steps for when something is wrong; they stand apart from the day's work. */
const OTHER = new Set(["report", "notify", "hold", "resolve", "adjust", "mark_void"]);

/**
 * The steps that may be taken now, and those that may not, with the reasons.
 * @param {string} subject code or place
 * @returns {Promise<{allowed: any[], others: any[], refused: any[], folded: any[], elsewhere: any[],
 *   may_state: boolean, corrects: boolean}>}
 */
export async function steps(subject) {
  const by = (await present()).map((one) => one.person);
  const found = await ask("steps", { code_or_place: subject, by, now: stamp().at }, new Told());
  const now = await here();
  const shown = found.filter((/** @type {any} */ one) => one.step !== CORRECT);
  const marked = await Promise.all(
    shown.map(async (/** @type {any} */ one) => {
      const target = destination(one.to ?? [], now?.id ?? "");
      const kind = one.to?.length ? (await record("place", one.to[0]))?.type : null;
      return { ...one, target, kind, address: address({ ...one, target }) };
    }),
  );
  const ok = marked.filter((/** @type {any} */ one) => one.verdict === "ok");
  const refused = marked.filter((/** @type {any} */ one) => one.verdict !== "ok");
  return {
    allowed: ok.filter((/** @type {any} */ one) => !OTHER.has(one.step)),
    others: ok.filter((/** @type {any} */ one) => OTHER.has(one.step)),
    refused,
    folded: folded(refused.filter((/** @type {any} */ one) => one.near)),
    elsewhere: refused.filter((/** @type {any} */ one) => !one.near),
    may_state: await mayState(),
    corrects: found.some(
      (/** @type {any} */ one) => one.step === CORRECT && one.verdict === "ok",
    ),
  };
}

/**
 * Fold refused steps by what is said against them, so that each text stands once.
 * @param {any[]} refused
 * @returns {{reasons: any[], steps: any[]}[]}
 */
export function folded(refused) {
  /** @type {Map<string, {reasons: any[], steps: any[]}>} */
  const groups = new Map();
  const said = (/** @type {any} */ reason) => [sentence(reason), reason.clause, reason.who];
  for (const one of refused) {
    const text = JSON.stringify(one.reasons.map(said));
    const group = groups.get(text) ?? { reasons: one.reasons, steps: /** @type {any[]} */ ([]) };
    group.steps.push(one);
    groups.set(text, group);
  }
  return [...groups.values()];
}

/**
 * Mark the entries of a history that one of those signed on may correct, as the rulebook says.
 * @param {string} code
 * @param {any[]} history
 * @param {boolean} any whether they may correct any entry; else only their own are asked about
 */
async function correctable(code, history, any) {
  if (any) return history.map((entry) => ({ ...entry, correctable: true }));
  const people = (await present()).map((one) => one.person);
  const own = history.filter((entry) => people.some((id) => entry.by?.includes(id)));
  const may = new Set();
  for (const { id } of own) {
    const draft = { step: CORRECT, items: [code], with: { event: id } };
    const [reasons = []] = await judge([draft], [people]);
    if (!reasons.some((reason) => reason.code === NOT_THEIRS)) may.add(id);
  }
  return history.map((entry) => ({ ...entry, correctable: may.has(entry.id) }));
}

/**
 * Where a step would go: here, if that is one of the places; else the only one; else it is asked.
 * @param {string[]} places
 * @param {string} now
 * @returns {string | null}
 */
function destination(places, now) {
  if (places.includes(now)) return now;
  return places.length === 1 ? String(places[0]) : null;
}

/**
 * @param {any} step as the rules give it, with the `target` chosen
 * @returns {string} the address of its form
 */
export function address({ step, draft = {}, target = null }) {
  const query = new URLSearchParams({ step });
  for (const item of draft.items ?? []) query.append("item", item);
  if (target) query.set("to", target);
  if (draft.where) query.set("where", draft.where);
  for (const [name, value] of Object.entries(draft.with ?? {}))
    query.set(`with.${name}`, String(value));
  return `/h/step?${query}`;
}

/**
 * A history with names instead of ids, the newest first.
 * @param {any[]} history
 */
export async function told(history) {
  const names = new Map();
  for (const id of new Set(history.flatMap((entry) => entry.by ?? []))) {
    names.set(id, (await person(id))?.name ?? id);
  }
  const line = (/** @type {any} */ entry) => ({
    ...entry,
    who: (entry.by ?? []).map((/** @type {string} */ id) => names.get(id)),
  });
  return history.map(line).reverse();
}

/** @param {Asked} asked */
async function item({ params, query }) {
  const code = params.code ?? "";
  const value = await itemOf(code);
  if (!value)
    return {
      screen: "unknown",
      status: 404,
      context: { scan: { raw: code, text: code, warnings: [], kind: "code", parts: [] } },
    };
  const offered = await steps(code);
  const place = value.place && (await record("place", value.place));
  const holder = value.holder && (await person(value.holder));
  const entries = await told(value.history ?? []);
  const history = await correctable(code, entries, offered.corrects);
  const due = await ask("due", { codes: [code], now: stamp().at });
  return {
    screen: "item",
    context: {
      code,
      item: value,
      place,
      holder,
      history,
      due,
      raised: await Promise.all((await about([code])).map(shown)),
      ...offered,
      caps: query.get("caps"),
    },
  };
}

/** The pictures of an item, fetched when they are asked for. @param {Asked} asked */
async function itemPictures({ params }) {
  return { screen: "pictures", context: await ofItem(params.code ?? "") };
}

/** @param {Asked} asked */
async function place({ params, query }) {
  const id = params.id ?? "";
  const value = await record("place", id);
  if (!value) return { screen: "missing", status: 404, context: { url: id } };
  const items = (await itemsAt(id)).filter((row) => !row.value.in);
  const play = items.filter((row) => row.value.state === "in_play");
  const now = await here();
  return {
    screen: "place",
    context: {
      id,
      place: value,
      items,
      play,
      here: now,
      caps: query.get("caps"),
      ...(await steps(id)),
    },
  };
}

/** @param {Asked} asked */
async function showClause({ params }) {
  const id = params.id ?? "";
  const book = await record("rulebook", await rulebookId());
  return {
    screen: "clause",
    context: {
      id,
      clause: clause(id),
      english: spoken() !== "en" && t("clause.english"),
      book,
      ...citing(book, id),
    },
  };
}

/** @param {Asked} asked */
async function showEvent({ params }) {
  const kept = await event(params.id ?? "");
  if (!kept) return { screen: "missing", status: 404, context: { url: params.id } };
  const full = JSON.parse(kept.line);
  const who = (await told([{ ...kept, by: kept.by }])).at(0);
  const photos = await pictures(full.with.photos ?? []);
  const refused = photos.some(({ state }) => state === "refused");
  return { screen: "event", context: { kept, event: full, who: who?.who, photos, refused } };
}

route("GET", "/h/item/:code", item);
route("GET", "/h/pictures/:code", itemPictures);
route("GET", "/h/place/:id", place);
route("GET", "/h/clause/:id", showClause);
route("GET", "/h/event/:id", showEvent);
