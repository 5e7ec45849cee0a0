/**
 * Signed notes and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint).
 *
 * @typedef {import("./merkle.js").Bytes} Bytes
 * @typedef {{name: string, id: string, key: Bytes}} Verifier
 *   `id` are 8 hex digits, `key` the 32 bytes of an Ed25519 key
 * @typedef {{origin: string, size: number, root: Bytes, extensions: string[],
 *   signers: string[], checked: boolean}} Checkpoint
 *   `signers` are the names of the keys that signed; `checked` is false where this browser has no
 *   Ed25519: then nobody is known to have signed, and the screen must say so
 */

import { LogError, hex, sha256, utf8 } from "./merkle.js";

const HASH = 32;
const ED25519 = 1;

/**
 * @param {string} text standard base64, with padding
 * @param {string} what names it in the error
 * @returns {Bytes}
 */
export function base64(text, what) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new LogError("malformed", `${what} is not base64`);
  }
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * @param {string} text
 * @param {string} what names it in the error
 * @returns {number}
 */
export function whole(text, what) {
  const value = Number(text);
  if (!/^(?:0|[1-9][0-9]*)$/.test(text) || !Number.isSafeInteger(value)) {
    throw new LogError("malformed", `${what} is not a whole number`);
  }
  return value;
}

/**
 * Read verifier strings, one a line, as /log/verifier serves them.
 * @param {string} text
 * @returns {Promise<Verifier[]>}
 */
export async function readVerifiers(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (lines.length === 0) throw new LogError("malformed", "there is no verifier");
  return Promise.all(lines.map(readVerifier));
}

/** @param {string} line @returns {Promise<Verifier>} */
async function readVerifier(line) {
  const parts = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(line);
  if (!parts) throw new LogError("malformed", "a verifier is <name>+<key id>+<key>");
  const [, name = "", id = "", packed = ""] = parts;
  const raw = base64(packed, "the verifier's key");
  if (raw.length !== 33 || raw[0] !== ED25519) {
    throw new LogError("malformed", "the verifier holds no Ed25519 key");
  }
  const made = hex((await sha256(utf8(`${name}\n`), raw)).slice(0, 4));
  if (made !== id) throw new LogError("malformed", `the verifier's key makes the id ${made}, not ${id}`);
  return { name, id, key: raw.slice(1) };
}

/**
 * Read a signed checkpoint and check who signed it.
 * @param {string} note
 * @param {Verifier[]} verifiers
 * @returns {Promise<Checkpoint>}
 */
export async function readCheckpoint(note, verifiers) {
  const { text, lines, ...told } = parseCheckpoint(note);
  return { ...told, ...(await signers(text, lines, verifiers)) };
}

/**
 * Read what a checkpoint says, without asking who signed it.
 * @param {string} note
 * @returns {{text: string, lines: string[], origin: string, size: number, root: Bytes,
 *   extensions: string[]}} `lines` are those of the signatures
 */
export function parseCheckpoint(note) {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n")) {
    throw new LogError("malformed", "a checkpoint is a text, an empty line and signatures");
  }
  const text = note.slice(0, cut + 1);
  const told = text.split("\n").slice(0, -1);
  const [origin = "", size = "", packed = "", ...extensions] = told;
  if (told.length < 3 || told.includes("")) {
    throw new LogError("malformed", "a checkpoint names an origin, a size and a root hash");
  }
  const root = base64(packed, "the root hash");
  if (root.length !== HASH) throw new LogError("malformed", "a root hash has 32 bytes");
  const lines = note.slice(cut + 2, -1).split("\n");
  return { text, lines, origin, size: whole(size, "the size"), root, extensions };
}

/**
 * @param {string} text
 * @param {string[]} lines
 * @param {Verifier[]} verifiers
 * @returns {Promise<{signers: string[], checked: boolean}>}
 */
async function signers(text, lines, verifiers) {
  const names = [];
  let checked = true;
  for (const line of lines) {
    const parts = /^\u2014 ([^+\s]+) (\S+)$/.exec(line);
    if (!parts) throw new LogError("malformed", "a signature line is \u2014, a name and a signature");
    const [, name = "", packed = ""] = parts;
    const data = base64(packed, "a signature");
    const known = verifiers.find((each) => each.name === name && each.id === hex(data.slice(0, 4)));
    if (!known) continue;
    const holds = await ed25519(known.key, data.slice(4), utf8(text));
    if (holds === false) throw new LogError("bad-signature", `the signature of ${name} does not hold`);
    checked = checked && holds === true;
    names.push(name);
  }
  if (names.length === 0) throw new LogError("unsigned", "none of the given keys signed this checkpoint");
  return { signers: names, checked };
}

/**
 * @param {Bytes} key
 * @param {Bytes} signature
 * @param {Bytes} data
 * @returns {Promise<boolean | null>} null where the browser has no Ed25519 (Chrome before 137,
 *   Firefox before 129, Safari before 17)
 */
async function ed25519(key, signature, data) {
  let imported;
  try {
    imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return null;
    throw error;
  }
  return crypto.subtle.verify("Ed25519", imported, signature, data);
}
