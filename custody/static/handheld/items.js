/** What a code names: an item, or one serial or piece in a range of them (docs/architecture.md). */
import { record } from "./records.js";
import { ask } from "./rules.js";

/**
 * @param {string} code
 * @returns {Promise<any>} its value, or null when it is not known
 */
export async function itemOf(code) {
  return (await record("item", code)) ?? (await ask("item", { code }));
}
