/** Ranks, as the rulebook in force orders them. */
import { rulebookId } from "./chain.js";
import { record } from "./records.js";

/**
 * @param {string} one a job
 * @param {string} other a job
 * @returns {Promise<boolean>} whether the first is of a higher rank in the same department
 */
export async function outranks(one, other) {
  const rulebook = await record("rulebook", await rulebookId());
  const departments = rulebook?.vocabulary?.departments ?? [];
  return departments.some((/** @type {{ranks: string[][]}} */ { ranks }) => {
    const level = (/** @type {string} */ job) => ranks.findIndex((jobs) => jobs.includes(job));
    return level(other) >= 0 && level(one) > level(other);
  });
}
