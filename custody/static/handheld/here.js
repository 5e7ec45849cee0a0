/** Where this handheld is: the last place that was scanned. */
import { glance } from "./memory.js";
import { record } from "./records.js";
import { setMeta } from "./store.js";

/** @returns {Promise<{id: string, type: string, [more: string]: any} | null>} */
export async function here() {
  const id = await glance("here");
  const value = id ? await record("place", id) : null;
  return value && { id, ...value };
}

/** @param {string} id */
export function be(id) {
  return setMeta("here", id);
}
