/** The clock on the wall of the site, as the rules reckon it: what people type is told in its hours. */
import { now } from "./rules.js";

/**
 * @param {string} typed a wall-clock time as a browser's field gives it: 2026-12-01T08:00
 * @returns {number | null} UTC ms, of the first where an hour comes twice; null for what is no time
 */
export function instant(typed) {
  const clock = Date.parse(`${typed}Z`);
  return Number.isNaN(clock) ? null : now("instant", { clock });
}
