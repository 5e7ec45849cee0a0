/**
 * Tries at a PIN, counted per person on this device, durably and before the PIN is checked: a
 * reload, a second tab or a clock set back gives none of them back. After five, a supervisor's
 * sign-on clears them, or the network, by bringing a PIN that was set anew.
 */
import { HandheldError } from "./errors.js";
import { transact } from "./store.js";

export const MOST = 5;

/** @typedef {{count: number, salt: string}} Tries */

/**
 * @param {Tries | undefined} known
 * @param {string} salt
 * @returns {number}
 */
function counted(known, salt) {
  return known && known.salt === salt ? known.count : 0;
}

/**
 * Count a try. Refuses the sixth.
 * @param {string} person
 * @param {string} salt of the verifier that will be tried
 * @returns {Promise<number>} how many are left after this one
 */
export function spend(person, salt) {
  return transact("tries", "readwrite", async (tx) => {
    const store = tx.objectStore("tries");
    const count = counted(await store.get(person), salt);
    if (count >= MOST) throw new HandheldError("locked", { person });
    await store.put({ count: count + 1, salt }, person);
    return MOST - count - 1;
  });
}

/**
 * @param {string} person
 * @param {string} salt
 * @returns {Promise<boolean>} whether no try is left
 */
export function locked(person, salt) {
  return transact("tries", "readonly", async (tx) => {
    return counted(await tx.objectStore("tries").get(person), salt) >= MOST;
  });
}

/** @param {string} person given a right PIN, or cleared by a supervisor */
export function clear(person) {
  return transact("tries", "readwrite", (tx) => tx.objectStore("tries").delete(person));
}
