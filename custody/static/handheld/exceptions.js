/**
 * Open exceptions as the feed carries them, with this device's own resolutions over them: what is
 * wrong, about which items, and, where devices contradict each other, what each of them knew.
 */
import { record, startingWith } from "./records.js";

/** @typedef {import("./types.js").Row} Row */

/**
 * @typedef {{id: string, device: string|null, at: number|null, step: string|null,
 *   place: string|null, by: string[], saw: Record<string, string|null>}} Beside
 *   an event that stands beside others
 * @typedef {{id: string, kind: string, clause: string|null, items: string[], more: number,
 *   values: Record<string, any>, events: Beside[]}} Exception
 */

export const PREFIX = "exception:";
export const DISPUTE = "concurrent-claim";

/** @param {Row} row @returns {Exception} */
const read = (row) => ({ ...row.value, id: row.id.slice(PREFIX.length) });

/** @returns {Promise<Row[]>} their records */
const kept = () => startingWith("task", PREFIX);

/**
 * @param {Row[]} [rows] their records, where they are not those of the replica
 * @returns {Promise<Exception[]>} the newest first
 */
export async function openOnes(rows) {
  const found = (rows ?? (await kept())).map(read);
  const at = (/** @type {Exception} */ one) => one.events.at(-1)?.at ?? 0;
  return found.sort((a, b) => at(b) - at(a));
}

/** @param {string} id @returns {Promise<Exception | null>} null once it is closed */
export async function exception(id) {
  const value = await record("task", PREFIX + id);
  return value && read({ of: "task", id: PREFIX + id, value });
}

/**
 * @param {string[]} codes
 * @param {Row[]} [rows]
 * @returns {Promise<Exception[]>} the open ones that name any of the items
 */
export async function about(codes, rows) {
  const wanted = new Set(codes);
  return (await openOnes(rows)).filter((one) => one.items.some((code) => wanted.has(code)));
}

/**
 * @param {string} code
 * @param {Row[]} [rows]
 * @returns {Promise<[string, string, string][]>} id, kind and event, as the rules ask for them
 */
export async function openFor(code, rows) {
  const found = await about([code], rows);
  return found.map(({ id, kind, events }) => [id, kind, events.at(-1)?.id ?? ""]);
}

/**
 * What a resolution of this device closes before the server has it.
 * @param {Record<string, any>} event
 * @param {Row[]} [rows]
 * @returns {Promise<string[]>} ids of the tasks that are gone with it
 */
export async function closedBy(event, rows) {
  const named = event.with?.exception;
  if (event.step !== "resolve" || !named) return [];
  const found = await about(event.items, rows);
  return found.filter(({ id, kind }) => id === named || kind === named).map(({ id }) => PREFIX + id);
}
