/** Long lists of codes in few words: `D5-001..D5-144` instead of 144 codes. */
import { now } from "./rules.js";

/** @typedef {{runs: string[], count: number}} Runs `count` codes are named by these runs */

/**
 * @param {string[]} codes as an event names them: single codes and runs
 * @returns {Runs}
 */
export function runs(codes) {
  return now("runs", { codes });
}
