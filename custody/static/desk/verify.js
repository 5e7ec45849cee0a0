/**
 * Check a receipt in the browser: that an event is in the log, at its place, as the log's key
 * vouches (c2sp.org/tlog-proof). Nothing leaves the page: it works on a pasted or chosen file.
 *
 * @typedef {import("../shared/merkle.js").Bytes} Bytes
 * @typedef {import("../shared/notes.js").Verifier} Verifier
 * @typedef {{position: number, received: number, event: string,
 *   checkpoint: import("../shared/notes.js").Checkpoint}} Proven
 *   `received` in UTC milliseconds, `event` the event's id in hex
 */

import { LogError, hex, leafHash, rootFromPath, same, sha256, utf8 } from "../shared/merkle.js";
import { base64, readCheckpoint, whole } from "../shared/notes.js";

export { LogError } from "../shared/merkle.js";
export { readVerifiers } from "../shared/notes.js";

/**
 * Check a receipt: that an event is in the log, at its place, as the log's key vouches.
 * @param {string} text the c2sp.org/tlog-proof
 * @param {Verifier[]} verifiers
 * @param {string} [event] the event's exact line, to check that the receipt is for it
 * @returns {Promise<Proven>}
 */
export async function readReceipt(text, verifiers, event) {
  const cut = text.indexOf("\n\n");
  const [head, extra = "", index = "", ...path] = text.slice(0, Math.max(cut, 0)).split("\n");
  if (head !== "c2sp.org/tlog-proof@v1" || !extra.startsWith("extra ") || !index.startsWith("index ")) {
    throw new LogError("malformed", "a receipt starts with c2sp.org/tlog-proof@v1, extra and index");
  }
  const leaf = base64(extra.slice(6), "the receipt's extra data");
  const named = readLeaf(leaf);
  if (named.position !== whole(index.slice(6), "the index")) {
    throw new LogError("malformed", "the receipt's index is not that of its leaf");
  }
  if (event !== undefined && hex(await sha256(utf8(event))) !== named.event) {
    throw new LogError("other-event", "the receipt is for another event");
  }
  const checkpoint = await readCheckpoint(text.slice(cut + 2), verifiers);
  const hashes = path.map((line) => base64(line, "a hash of the path"));
  const root = await rootFromPath(await leafHash(leaf), named.position, checkpoint.size, hashes);
  if (!same(root, checkpoint.root)) {
    throw new LogError("not-included", "the path does not lead to the checkpoint's root");
  }
  return { ...named, checkpoint };
}

/**
 * @param {Bytes} leaf
 * @returns {{position: number, received: number, event: string}}
 */
function readLeaf(leaf) {
  const [position = "", received = "", event = "", end, ...more] = new TextDecoder().decode(leaf).split("\n");
  if (end !== "" || more.length > 0 || !/^[0-9a-f]{64}$/.test(event)) {
    throw new LogError("malformed", "the receipt's extra data is no leaf: position, time and event");
  }
  return { position: whole(position, "the position"), received: whole(received, "the time"), event };
}
