/**
 * This device's own events over what the changes feed says: each is folded by the rules core, and
 * the records that it leaves are kept as the overlay until the feed shows them.
 */
import { Anew } from "./anew.js";
import { closedBy } from "./exceptions.js";
import { transact } from "./store.js";
import { ask, askOf, Told } from "./rules.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Kept} Kept */

const HISTORY = 20;

/**
 * @param {Record<string, any>} event a draft with its times, or a whole event
 * @param {Told} told
 * @returns {Promise<{claims: string[], saw: Record<string, string>}>} the codes that the event
 *   claims, and the last events of those that are ranges of serials
 */
export async function claimsOf(event, told) {
  const { claims, saw } = await ask("fold", { event, event_id: "" }, told);
  return { claims, saw };
}

/**
 * Add the event to an item's tips and history, as the ledger does.
 * @param {any} value
 * @param {Record<string, any>} event
 * @param {string} id
 */
function marked(value, event, id) {
  const by = event.by.flatMap((/** @type {{person?: string}} */ { person }) => person ?? []);
  const place = value.place ?? event.to ?? event.where ?? null;
  const entry = { id, at: event.at, step: event.step, place, by, pending: true };
  return { ...value, last: [id], history: [...(value.history ?? []), entry].slice(-HISTORY) };
}

/**
 * Fold one event over what is told, and say which rows it leaves.
 * @param {Record<string, any>} event
 * @param {string} id
 * @param {Told} told takes the new values, for the next event
 * @returns {Promise<Row[]>}
 */
export async function foldOver(event, id, told) {
  const folded = await ask("fold", { event, event_id: id }, told);
  return left(event, id, folded, told, await closedBy(event));
}

/**
 * @param {Record<string, any>} event
 * @param {string} id
 * @param {{records: [string, string, any][], claims: string[]}} folded
 * @param {Told | Anew} state takes the new values
 * @param {string[]} closed the tasks that are gone with it
 * @returns {Promise<Row[]>} the rows that it leaves
 */
async function left(event, id, { records, claims }, state, closed) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const code of claims) {
    rows.set(`tip ${code}`, { of: "tip", id: code, value: { last: [id] } });
  }
  for (const [of, name, value] of records) {
    const mark = of === "item" && value !== null && claims.includes(name);
    const history = (await state.get("item", name))?.history;
    const kept = mark ? marked({ history, ...value }, event, id) : value;
    rows.set(`${of} ${name}`, { of, id: name, value: kept });
    state.put(of, name, kept);
  }
  for (const task of closed) rows.set(`task ${task}`, { of: "task", id: task, value: null });
  return [...rows.values()];
}

/**
 * Fold the pending events anew over the base, after the feed has moved it: what they leave takes the
 * place of what they left before in one transaction, so that a scan in between, another tab and a
 * browser that is killed find either. The caller holds the append lock, so that no event is added
 * meanwhile.
 * @param {Kept[]} pending the events that the feed does not show yet, in order
 * @param {Record<string, unknown>} done what `meta` says from then on
 */
export async function rebase(pending, done) {
  const state = new Anew();
  for (const { line, id } of pending) {
    const event = JSON.parse(line);
    const folded = await askOf("fold", { event, event_id: id }, state);
    const closed = await closedBy(event, await state.tasks());
    const rows = await left(event, id, folded, state, closed);
    for (const { of, id: name, value } of rows) state.put(of, name, value);
  }
  await replace([...state.rows.values()], done);
}

/**
 * @param {Row[]} rows the whole overlay
 * @param {Record<string, unknown>} done
 */
function replace(rows, done) {
  return transact(["overlay", "meta"], "readwrite", async (tx, touch) => {
    const [overlay, meta] = [tx.objectStore("overlay"), tx.objectStore("meta")];
    const keys = await overlay.getAllKeys();
    touch([...keys.map((/** @type {[string, string]} */ [of, id]) => ({ of, id })), ...rows]);
    await overlay.clear();
    await put(tx, rows);
    for (const [name, value] of Object.entries(done)) await meta.put(value, name);
  });
}

/**
 * @param {any} tx
 * @param {Row[]} rows
 */
export async function put(tx, rows) {
  const overlay = tx.objectStore("overlay");
  await Promise.all(rows.map((row) => overlay.put(row)));
}
