/**
 * That one checkpoint continues another, computed from the log's tiles (c2sp.org/tlog-tiles).
 *
 * The tiles need not be trusted: what is made from them is a proof, and the proof is checked
 * against both signed roots.
 *
 * @typedef {import("./merkle.js").Bytes} Bytes
 * @typedef {{origin: string, size: number, root: Bytes}} Tree
 * @typedef {(path: string) => Promise<Bytes>} ReadTile
 *   takes a path such as `0/x001/234` or `1/000.p/17` below /log/tile/, gives the tile's bytes
 */

import { LogError, checkConsistency, nodeHash, same } from "./merkle.js";

const HASH = 32;
const WIDTH = 256;
const HEIGHT = 8;

/**
 * Check that the log only grew between two checkpoints of it.
 * @param {Tree} old
 * @param {Tree} fresh
 * @param {ReadTile} readTile
 * @throws {LogError} `other-log` when they are of two logs, `inconsistent` when it was rewritten
 */
export async function checkGrew(old, fresh, readTile) {
  if (old.origin !== fresh.origin) {
    throw new LogError("other-log", `${fresh.origin} is another log than ${old.origin}`);
  }
  if (old.size > fresh.size || (old.size === fresh.size && !same(old.root, fresh.root))) {
    throw new LogError("inconsistent", "the newer tree does not continue the older one");
  }
  if (old.size === 0 || old.size === fresh.size) return;
  const proof = await prove(old.size, fresh.size, reader(fresh.size, readTile));
  await checkConsistency(old, fresh, proof);
}

/**
 * @param {number} level
 * @param {number} number
 * @param {number} width
 */
export function tilePath(level, number, width) {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  const path = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join("/");
  return `${level}/${path}${width < WIDTH ? `.p/${width}` : ""}`;
}

/**
 * Make the proof of RFC 6962 section 2.1.2.
 * @param {number} old
 * @param {number} size
 * @param {(start: number, stop: number) => Promise<Bytes>} subtree
 * @returns {Promise<Bytes[]>}
 */
async function prove(old, size, subtree) {
  const path = [];
  let [start, stop] = [0, size];
  while (stop !== old) {
    const middle = start + split(stop - start);
    if (old <= middle) {
      path.unshift(await subtree(middle, stop));
      stop = middle;
    } else {
      path.unshift(await subtree(start, middle));
      start = middle;
    }
  }
  if (start > 0) path.unshift(await subtree(start, stop));
  return path;
}

/** @param {number} width @returns {number} the largest power of two below it */
function split(width) {
  let power = 1;
  while (power * 2 < width) power *= 2;
  return power;
}

/**
 * @param {number} size of the tree whose tiles are read
 * @param {ReadTile} readTile
 * @returns {(start: number, stop: number) => Promise<Bytes>} the hash over a range of leaves
 */
function reader(size, readTile) {
  /** @type {Map<string, Promise<Bytes>>} */
  const kept = new Map();

  /** @param {number} level @param {number} number */
  const tile = async (level, number) => {
    const width = Math.min(WIDTH, Math.floor(size / WIDTH ** level) - number * WIDTH);
    const path = tilePath(level, number, width);
    const found = kept.get(path) ?? readTile(path);
    kept.set(path, found);
    const data = await found;
    if (data.length !== width * HASH) throw new LogError("malformed", `the tile ${path} is cut short`);
    return data;
  };

  /** @param {number} start @param {number} stop @returns {Promise<Bytes>} */
  const subtree = async (start, stop) => {
    const level = Math.log2(stop - start);
    if (Number.isInteger(level)) return perfect(level, start / (stop - start));
    const middle = start + split(stop - start);
    return nodeHash(await subtree(start, middle), await subtree(middle, stop));
  };

  /** @param {number} level @param {number} index */
  const perfect = async (level, index) => {
    const height = level % HEIGHT;
    const first = index * 2 ** height;
    const data = await tile((level - height) / HEIGHT, Math.floor(first / WIDTH));
    const from = (first % WIDTH) * HASH;
    return fold(data.slice(from, from + HASH * 2 ** height));
  };
  return subtree;
}

/** @param {Bytes} hashes 1, 2, 4, 8, ... of them @returns {Promise<Bytes>} their root */
async function fold(hashes) {
  if (hashes.length === HASH) return hashes;
  const half = hashes.length / 2;
  return nodeHash(await fold(hashes.slice(0, half)), await fold(hashes.slice(half)));
}
