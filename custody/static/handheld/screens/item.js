/** An item's card: what and where it is, its history, and the steps allowed now. */
import { ask, Told } from "../rules.js";
import { stamp } from "../clock.js";
import { here } from "../here.js";
import { event } from "../outbox.js";
import { itemsAt, record } from "../records.js";
import { route } from "../router.js";
import { clause } from "../sentences.js";
import { person, present } from "../signon.js";
import { spoken, t } from "../words.js";

/** @typedef {import("../router.js").Asked} Asked */

/** Steps for when something is wrong; they stand apart from the day's work. */
const OTHER = new Set(["report", "notify", "hold", "correct", "resolve", "adjust", "mark_void"]);

/**
 * The steps that may be taken now, and those that may not, with the reasons.
 * @param {string} subject code or place
 * @returns {Promise<{allowed: any[], others: any[], refused: any[]}>}
 */
export async function steps(subject) {
  const by = (await present()).map((one) => one.person);
  const found = await ask("steps", { code_or_place: subject, by, now: stamp().at }, new Told());
  const now = await here();
  const marked = await Promise.all(
    found.map(async (/** @type {any} */ one) => {
      const target = destination(one.to ?? [], now?.id ?? "");
      const kind = one.to?.length ? (await record("place", one.to[0]))?.type : null;
      return { ...one, target, kind, address: address({ ...one, target }) };
    }),
  );
  const ok = marked.filter((/** @type {any} */ one) => one.verdict === "ok");
  return {
    allowed: ok.filter((/** @type {any} */ one) => !OTHER.has(one.step)),
    others: ok.filter((/** @type {any} */ one) => OTHER.has(one.step)),
    refused: marked.filter((/** @type {any} */ one) => one.verdict !== "ok"),
  };
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
  const value = await record("item", code);
  if (!value)
    return {
      screen: "unknown",
      status: 404,
      context: { scan: { raw: code, text: code, warnings: [], kind: "code", parts: [] } },
    };
  const offered = await steps(code);
  const place = value.place && (await record("place", value.place));
  const holder = value.holder && (await person(value.holder));
  const history = await told(value.history ?? []);
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
      ...offered,
      caps: query.get("caps"),
    },
  };
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
  return {
    screen: "clause",
    context: { id, clause: clause(id), english: spoken() !== "en" && t("clause.english") },
  };
}

/** @param {Asked} asked */
async function showEvent({ params }) {
  const kept = await event(params.id ?? "");
  if (!kept) return { screen: "missing", status: 404, context: { url: params.id } };
  const full = JSON.parse(kept.line);
  const who = (await told([{ ...kept, by: kept.by }])).at(0);
  return { screen: "event", context: { kept, event: full, who: who?.who } };
}

route("GET", "/h/item/:code", item);
route("GET", "/h/place/:id", place);
route("GET", "/h/clause/:id", showClause);
route("GET", "/h/event/:id", showEvent);
