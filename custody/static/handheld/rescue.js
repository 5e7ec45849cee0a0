/**
 * Where the storage does not open: what the second copy holds, a way to carry it off, and a storage
 * made anew, into which the next enrolment brings it back.
 */
import { found } from "./secondcopy.js";

const NAME = "custody";

/** @typedef {{n: number, name: string}} Rescue events that were not sent, and the device's name */

/**
 * @param {string} kind of the error
 * @returns {Promise<Rescue | null>} null without a copy, and for every other error: a full storage
 *   must not be thrown away
 */
export async function rescue(kind) {
  if (kind !== "store-cannot-open") return null;
  const { device, lines } = await found().catch(() => ({ device: null, lines: [] }));
  return device && { n: lines.length, name: device.name };
}

/** Give the copy as a file: a line an event, the exact bytes that were signed for. */
export async function save() {
  const { device, lines } = await found();
  const text = [JSON.stringify(device), ...lines, ""].join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  link.download = `custody-${device?.device ?? "handheld"}-${lines.length}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Throw the storage away and begin anew; the second copy stays for the enrolment that follows.
 * @returns {Promise<boolean>} whether the browser did it
 */
export async function begin() {
  const done = await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = () => resolve(true);
    request.onerror = () => resolve(false);
    request.onblocked = () => resolve(false);
  });
  if (done) location.assign("/h/enrol");
  return done;
}

