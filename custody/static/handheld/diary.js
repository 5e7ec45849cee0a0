/**
 * The device's own diary: silence is a record too. Periods without contact, clock jumps, queues that
 * were refused or lost, versions: each with its time, on the device's own page.
 */
import { transact } from "./store.js";

const KEEP = 500;

/**
 * @typedef {"silent"|"clock"|"refused"|"restored"|"again"|"recovered"|"log"|"version"|"rulebook"
 *   |"enrolled"|"photo"} What
 *   `silent`: no contact from `since`; `clock`: the wall clock moved by `ms` against `mono`;
 *   `refused`: the server did not take the queue (`problem`); `restored`: the server lacked what it
 *   had acknowledged (`run`, `from`, `to`); `again`: `n` events were recorded again under a new run;
 *   `recovered`: `n` events came from the second copy; `log`: the log was rewritten or resumed
 *   (`problem`); `version` and `rulebook`: another one is used from now on (`id`)
 * @typedef {{n?: number, at: number, what: What, values: Record<string, unknown>}} Entry
 */

/**
 * @param {What} what
 * @param {Record<string, unknown>} [values]
 * @returns {Promise<void>}
 */
export function tellDiary(what, values = {}) {
  return transact("diary", "readwrite", async (tx) => {
    const store = tx.objectStore("diary");
    const n = await store.add({ at: Date.now(), what, values });
    if (n > KEEP) await store.delete(IDBKeyRange.upperBound(n - KEEP));
  });
}

/**
 * Write an entry when a value is another than the one that was written last.
 * @param {"version" | "rulebook"} what
 * @param {string} id
 */
export function noteChange(what, id) {
  return transact(["diary", "meta"], "readwrite", async (tx) => {
    const name = `diary.${what}`;
    if (!id || (await tx.objectStore("meta").get(name)) === id) return;
    await tx.objectStore("meta").put(id, name);
    await tx.objectStore("diary").add({ at: Date.now(), what, values: { id } });
  });
}

/**
 * @param {number} limit
 * @returns {Promise<Entry[]>} the newest first
 */
export function entries(limit) {
  return transact("diary", "readonly", async (tx) => {
    const found = [];
    let cursor = await tx.objectStore("diary").openCursor(null, "prev");
    while (cursor && found.length < limit) {
      found.push(cursor.value);
      cursor = await cursor.continue();
    }
    return found;
  });
}
