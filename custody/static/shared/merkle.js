/**
 * Hashes and proofs of RFC 6962 trees, and the error of everything that checks the log.
 *
 * Sizes and positions are whole numbers up to 2^53: no bit operators, which end at 2^31.
 *
 * @typedef {Uint8Array<ArrayBuffer>} Bytes
 */

/** What does not hold. `code` is stable, the message says why. */
export class LogError extends Error {
  /**
   * @param {"malformed"|"unsigned"|"bad-signature"|"not-included"|"other-event"|"inconsistent"|"other-log"} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "LogError";
    this.code = code;
  }
}

/**
 * @param {Bytes[]} parts
 * @returns {Promise<Bytes>} SHA-256 of the parts joined
 */
export async function sha256(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
}

/** @param {Bytes} data */
export const leafHash = (data) => sha256(Uint8Array.of(0), data);

/** @param {Bytes} left @param {Bytes} right */
export const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right);

/** @param {Bytes} one @param {Bytes} other */
export const same = (one, other) => one.length === other.length && one.every((byte, n) => byte === other[n]);

/** @param {string} text @returns {Bytes} */
export const utf8 = (text) => new TextEncoder().encode(text);

/** @param {Bytes} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Walk from a leaf up to the root (RFC 9162 section 2.1.3.2).
 * @param {Bytes} leaf
 * @param {number} index
 * @param {number} size
 * @param {Bytes[]} path the leaf's sibling first
 * @returns {Promise<Bytes>} the root that the path leads to
 */
export async function rootFromPath(leaf, index, size, path) {
  if (index >= size) throw new LogError("not-included", `a tree of ${size} has no leaf ${index}`);
  let [first, last, node] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) throw new LogError("not-included", "the path is too long for the tree");
    if (first % 2 === 1 || first === last) {
      node = await nodeHash(beside, node);
      while (first % 2 === 0 && first > 0) [first, last] = [half(first), half(last)];
    } else {
      node = await nodeHash(node, beside);
    }
    [first, last] = [half(first), half(last)];
  }
  if (last > 0) throw new LogError("not-included", "the path is too short for the tree");
  return node;
}

/** @param {number} n */
const half = (n) => Math.floor(n / 2);

/**
 * Check that a tree continues an older one (RFC 9162 section 2.1.4.2).
 * @param {{size: number, root: Bytes}} old of at least one leaf
 * @param {{size: number, root: Bytes}} fresh larger than `old`
 * @param {Bytes[]} proof
 */
export async function checkConsistency(old, fresh, proof) {
  let [first, last] = [old.size - 1, fresh.size - 1];
  while (first % 2 === 1) [first, last] = [half(first), half(last)];
  const [start, ...path] = isPowerOfTwo(old.size) ? [old.root, ...proof] : proof;
  if (!start) throw new LogError("inconsistent", "the proof is empty");
  let [before, after] = [start, start];
  for (const beside of path) {
    if (last === 0) throw new LogError("inconsistent", "the proof is too long");
    if (first % 2 === 1 || first === last) {
      [before, after] = [await nodeHash(beside, before), await nodeHash(beside, after)];
      while (first % 2 === 0 && first > 0) [first, last] = [half(first), half(last)];
    } else {
      after = await nodeHash(after, beside);
    }
    [first, last] = [half(first), half(last)];
  }
  if (last > 0 || !same(before, old.root) || !same(after, fresh.root)) {
    throw new LogError("inconsistent", "the newer tree does not continue the older one");
  }
}

/** @param {number} n */
const isPowerOfTwo = (n) => Number.isInteger(Math.log2(n));
