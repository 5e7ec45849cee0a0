/** Where this handheld is: the last place that was scanned. */
import { record } from "./records.js";
import { meta, setMeta } from "./store.js";

/** @returns {Promise<{id: string, type: string, [more: string]: any} | null>} */
export async function here() {
  const id = await meta("here");
  const value = id ? await record("place", id) : null;
  return value && { id, ...value };
}

/** @param {string} id */
export function be(id) {
  return setMeta("here", id);
}
