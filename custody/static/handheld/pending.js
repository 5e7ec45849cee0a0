/**
 * This device's own events over what the changes feed says: each is folded by the rules core, and
 * the records that it leaves are kept as the overlay until the feed shows them.
 */
import { closedBy } from "./exceptions.js";
import { transact } from "./store.js";
import { ask, Told } from "./rules.js";

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
  const { records, claims } = await ask("fold", { event, event_id: id }, told);
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const code of claims) {
    rows.set(`tip ${code}`, { of: "tip", id: code, value: { last: [id] } });
  }
  for (const [of, name, value] of records) {
    const mark = of === "item" && value !== null && claims.includes(name);
    const history = (await told.get("item", name))?.history;
    const kept = mark ? marked({ history, ...value }, event, id) : value;
    rows.set(`${of} ${name}`, { of, id: name, value: kept });
    told.put(of, name, kept);
  }
  for (const task of await closedBy(event)) {
    rows.set(`task ${task}`, { of: "task", id: task, value: null });
  }
  return [...rows.values()];
}

/**
 * Fold the pending events anew over the base, after the feed has moved it. The caller holds the
 * append lock, so that no event is added meanwhile.
 * @param {Kept[]} pending the events that the feed does not show yet, in order
 */
export async function rebase(pending) {
  await transact("overlay", "readwrite", async (tx, touch) => {
    const store = tx.objectStore("overlay");
    const keys = await store.getAllKeys();
    touch(keys.map((/** @type {[string, string]} */ [of, id]) => ({ of, id })));
    await store.clear();
  });
  for (const kept of pending) {
    const event = JSON.parse(kept.line);
    const rows = await foldOver(event, kept.id, new Told());
    await transact("overlay", "readwrite", (tx, touch) => {
      touch(rows);
      return put(tx, rows);
    });
  }
}

/**
 * @param {any} tx
 * @param {Row[]} rows
 */
export async function put(tx, rows) {
  const overlay = tx.objectStore("overlay");
  await Promise.all(rows.map((row) => overlay.put(row)));
}
