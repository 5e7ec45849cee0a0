/** Every scan, taken or not: raw text, time, way in and result. The tool for finding misreads. */
import { transact } from "./store.js";

const KEEP = 2000;

/** @typedef {{n?: number, at: number, raw: string, how: string, result: string, code?: string}} Entry */

/**
 * @param {Entry} entry
 * @returns {Promise<number>} its number
 */
export function log(entry) {
  return transact("scans", "readwrite", async (tx) => {
    const n = await tx.objectStore("scans").add(entry);
    if (n > KEEP) await tx.objectStore("scans").delete(IDBKeyRange.upperBound(n - KEEP));
    return n;
  });
}

/**
 * @param {number} n
 * @param {Partial<Entry>} change
 */
export function amend(n, change) {
  return transact("scans", "readwrite", async (tx) => {
    const store = tx.objectStore("scans");
    const entry = await store.get(n);
    if (entry) await store.put({ ...entry, ...change });
  });
}

/**
 * @param {number} limit
 * @returns {Promise<Entry[]>} the newest first
 */
export function recent(limit) {
  return transact("scans", "readonly", async (tx) => {
    const found = [];
    let cursor = await tx.objectStore("scans").openCursor(null, "prev");
    while (cursor && found.length < limit) {
      found.push(cursor.value);
      cursor = await cursor.continue();
    }
    return found;
  });
}
