/**
 * How a handheld watches the log: it keeps the last checkpoint that it saw, checks that each new one
 * continues it, and shows it to the server with every request.
 *
 * @typedef {{note: string | null, verifiers: string}} Kept
 *   the last checkpoint, null before the first; and the verifier strings believed, one a line,
 *   which are the enrolment's `server_key` at first
 * @typedef {Kept & {state: "first" | "same" | "grew" | "resumed", checked: boolean,
 *   previous: string | null}} Seen
 *   what to keep from now on. `resumed`: another log took over, and `previous` is its own word on the
 *   last checkpoint before it; people must see it. `checked` false: this browser has no Ed25519
 */

import { parseCheckpoint, readCheckpoint, readVerifiers } from "./notes.js";
import { checkGrew } from "./tiles.js";
import { LogError, utf8 } from "./merkle.js";

/** The header by which a device shows its checkpoint to the server. */
export const HEADER = "Custody-Checkpoint";

/** @param {string} note @returns {string} what stands in `HEADER`: base64url of the whole note */
export function headerOf(note) {
  const binary = Array.from(utf8(note), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Look at the log's newest checkpoint, and check it against what was kept.
 * @param {Kept} kept
 * @param {(path: string) => Promise<Response>} ask fetches an address below the server's origin
 * @returns {Promise<Seen>}
 * @throws {LogError} `inconsistent`: the log was rewritten. Keep what was kept: it is the proof.
 *   Other codes: what the server sent is no checkpoint of this log
 * @throws {Error} when the server cannot be reached or its log has stopped (503)
 */
export async function watch(kept, ask) {
  const note = await text(ask, "/log/checkpoint");
  const known = await readVerifiers(kept.verifiers);
  const fresh = await readCheckpoint(note, known);
  const state = await judge(kept.note, fresh, ask);
  const more = parseCheckpoint(note).lines.length > fresh.signers.length;
  const verifiers = more ? await believed(note, kept.verifiers, ask) : kept.verifiers;
  const named = fresh.extensions.find((line) => line.startsWith("previous "));
  return { note, verifiers, state, checked: fresh.checked, previous: named?.slice(9) ?? null };
}

/**
 * @param {string | null} note
 * @param {import("./notes.js").Checkpoint} fresh
 * @param {(path: string) => Promise<Response>} ask
 * @returns {Promise<Seen["state"]>}
 */
async function judge(note, fresh, ask) {
  if (note === null) return "first";
  const old = parseCheckpoint(note);
  if (old.origin !== fresh.origin) return takenOver(old, fresh);
  await checkGrew(old, fresh, (path) => bytes(ask, `/log/tile/${path}`));
  return old.size === fresh.size ? "same" : "grew";
}

/**
 * A log may take over only by naming the last checkpoint of the one before, and never an earlier one
 * than this device saw: what lies between is lost and was not admitted.
 * @param {{origin: string, size: number}} old
 * @param {import("./notes.js").Checkpoint} fresh
 * @returns {"resumed"}
 */
function takenOver(old, fresh) {
  const named = fresh.extensions.find((line) => line.startsWith("previous ")) ?? "";
  const [, origin = "", size = "0"] = named.split(" ");
  if (!named || (origin === old.origin && Number(size) < old.size)) {
    throw new LogError("inconsistent", `${fresh.origin} does not name the last checkpoint of ${old.origin}`);
  }
  return "resumed";
}

/**
 * Believe the listed keys that signed this very checkpoint beside a key that was believed before:
 * so a key that is changed is followed, and one that only the list names is not.
 * @param {string} note
 * @param {string} before
 * @param {(path: string) => Promise<Response>} ask
 * @returns {Promise<string>}
 */
async function believed(note, before, ask) {
  const listed = (await text(ask, "/log/verifier")).split("\n").filter(Boolean);
  const tried = listed.map(async (line) => {
    const found = await readCheckpoint(note, await readVerifiers(line)).catch(notSigned);
    return found?.checked ? line : "";
  });
  const signed = (await Promise.all(tried)).filter(Boolean);
  return signed.length > 0 ? `${signed.join("\n")}\n` : before;
}

/** @param {unknown} error @returns {null} */
function notSigned(error) {
  if (error instanceof LogError && error.code === "unsigned") return null;
  throw error;
}

/** @param {(path: string) => Promise<Response>} ask @param {string} path */
async function answer(ask, path) {
  const found = await ask(path);
  if (!found.ok) throw new Error(`${path}: ${found.status}`);
  return found;
}

/** @param {(path: string) => Promise<Response>} ask @param {string} path */
const text = async (ask, path) => (await answer(ask, path)).text();

/** @param {(path: string) => Promise<Response>} ask @param {string} path */
const bytes = async (ask, path) => new Uint8Array(await (await answer(ask, path)).arrayBuffer());
