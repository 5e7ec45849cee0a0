/**
 * Open exceptions as the feed carries them, with this device's own resolutions over them: what is
 * wrong, about which items, and, where devices contradict each other, what each of them knew.
 */
import { record, startingWith } from "./records.js";

/**
 * @typedef {{id: string, device: string|null, at: number|null, step: string|null,
 *   place: string|null, by: string[], saw: Record<string, string|null>}} Beside
 *   an event that stands beside others
 * @typedef {{id: string, kind: string, clause: string|null, items: string[], more: number,
 *   values: Record<string, any>, events: Beside[]}} Exception
 */

export const PREFIX = "exception:";
export const DISPUTE = "concurrent-claim";

/** @param {import("./types.js").Row} row @returns {Exception} */
const read = (row) => ({ ...row.value, id: row.id.slice(PREFIX.length) });

/** @returns {Promise<Exception[]>} the newest first */
export async function openOnes() {
  const found = (await startingWith("task", PREFIX)).map(read);
  const at = (/** @type {Exception} */ one) => one.events.at(-1)?.at ?? 0;
  return found.sort((a, b) => at(b) - at(a));
}

/** @param {string} id @returns {Promise<Exception | null>} null once it is closed */
export async function exception(id) {
  const value = await record("task", PREFIX + id);
  return value && read({ of: "task", id: PREFIX + id, value });
}

/** @param {string[]} codes @returns {Promise<Exception[]>} the open ones that name any of the items */
export async function about(codes) {
  const wanted = new Set(codes);
  return (await openOnes()).filter((one) => one.items.some((code) => wanted.has(code)));
}

/**
 * @param {string} code
 * @returns {Promise<[string, string, string][]>} id, kind and event, as the rules ask for them
 */
export async function openFor(code) {
  const found = await about([code]);
  return found.map(({ id, kind, events }) => [id, kind, events.at(-1)?.id ?? ""]);
}

/**
 * What a resolution of this device closes before the server has it.
 * @param {Record<string, any>} event
 * @returns {Promise<string[]>} ids of the tasks that are gone with it
 */
export async function closedBy(event) {
  const named = event.with?.exception;
  if (event.step !== "resolve" || !named) return [];
  const found = await about(event.items);
  return found.filter(({ id, kind }) => id === named || kind === named).map(({ id }) => PREFIX + id);
}
