/** What a person has entered and not signed yet. It survives a reload and a restart. */
import { transact } from "./store.js";

/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {import("./signon.js").SignOn} SignOn */
/** @typedef {import("./outsiders.js").Outsider} Outsider */
/**
 * @typedef {{id: string, title: string, steps: Draft[], signed: (SignOn | Outsider)[], form: string,
 *   back: string, changed: number, flow?: Record<string, any>}} Work
 *   `form` is the form as it stands, urlencoded; `steps` is what will be signed
 */

/**
 * @param {string} id
 * @returns {Work}
 */
function empty(id) {
  return { id, title: "", steps: [], signed: [], form: "", back: "/h/", changed: Date.now() };
}

/**
 * @param {string} id
 * @returns {Promise<Work>} the kept work, or an empty one
 */
export async function work(id) {
  const kept = await transact("drafts", "readonly", (tx) => tx.objectStore("drafts").get(id));
  return kept ?? empty(id);
}

/**
 * Change a draft in one transaction: what is typed is kept beside what is being signed.
 * @param {string} id
 * @param {Partial<Work>} change
 * @returns {Promise<Work>}
 */
export function keep(id, change) {
  return transact("drafts", "readwrite", async (tx) => {
    const store = tx.objectStore("drafts");
    const before = (await store.get(id)) ?? empty(id);
    const after = { ...before, ...change, id, changed: Date.now() };
    await store.put(after);
    return after;
  });
}

/** @param {string} id */
export function drop(id) {
  return transact("drafts", "readwrite", (tx) => tx.objectStore("drafts").delete(id));
}

/** @returns {Promise<Work[]>} all of it, the newest first */
export async function unfinished() {
  const all = await transact("drafts", "readonly", (tx) => tx.objectStore("drafts").getAll());
  return all.sort((/** @type {Work} */ a, /** @type {Work} */ b) => b.changed - a.changed);
}
