/**
 * What was read of the store, kept for as long as the store stands: a screen reads dozens of records,
 * and each would be a way to the disk. Every write of the replica leaves a new mark in `meta`
 * (store.js). The mark is read once a request, so that what another tab wrote is seen as well; what
 * this tab writes lets go of the rows that it touched.
 */
import { onWritten, transact } from "./store.js";

/** @typedef {{of: string, id: string}} Key */
/** @typedef {Map<string, any>} Values */

/** What is kept at most; beyond it everything is read anew. */
const MOST = 20_000;

/** @type {Promise<Values> | null} all of `meta`, as it was read last */
let known = null;
/** @type {string | undefined} the mark that what is kept is of */
let mark;
/** counts what was let go of, so that what was read before is not kept after */
let generation = 0;
/** @type {Values} */
const single = new Map();
/** @type {Map<string, Values>} lists by the kind of record that is in them */
const lists = new Map();
/** @type {Set<(keys: Key[] | null) => void>} */
const watchers = new Set();

/** @param {(keys: Key[] | null) => void} watcher told what is let go of; null is all of it */
export function onForgotten(watcher) {
  watchers.add(watcher);
}

/** @returns {number} another one whenever something was let go of */
export function age() {
  return generation;
}

/** @param {Key[] | null} keys null for all */
function forget(keys) {
  generation += 1;
  if (keys === null || single.size > MOST) {
    single.clear();
    lists.clear();
  }
  for (const { of, id } of keys ?? []) {
    single.delete(`${of} ${id}`);
    lists.delete(of === "tip" ? "item" : of);
  }
  for (const watcher of watchers) watcher(keys);
}

onWritten(({ meta, marks, keys }) => {
  if (meta) known = null;
  if (!marks) return;
  forget(marks.before === mark ? keys : null);
  mark = marks.after;
});

// A tab that still runs an older version leaves no mark.
document.addEventListener("custody:elsewhere", () => {
  known = null;
  forget(null);
});

/** @returns {Promise<Values>} every value of `meta` by its name */
async function readMeta() {
  const [names, values] = await transact("meta", "readonly", (tx) => {
    const store = tx.objectStore("meta");
    return Promise.all([store.getAllKeys(), store.getAll()]);
  });
  /** @type {Values} */
  const read = new Map();
  for (const [at, name] of names.entries()) read.set(name, values[at]);
  if (read.get("replica") !== mark) forget(null);
  mark = read.get("replica");
  return read;
}

/** Look at the store again: at the start of each request, and once the append lock is held. */
export function refresh() {
  const reading = readMeta();
  known = reading;
  reading.catch(() => {
    if (known === reading) known = null;
  });
  return reading;
}

/**
 * @param {string} name
 * @returns {Promise<any>} the value kept under the name as this request began, or as this tab has
 *   changed it since
 */
export async function glance(name) {
  return (await (known ?? refresh())).get(name);
}

/**
 * @template T
 * @param {Values} kept
 * @param {string} key
 * @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
async function remembered(kept, key, read) {
  const before = generation;
  const value = await read();
  if (before === generation) kept.set(key, value);
  return value;
}

/**
 * @template T
 * @param {string} of
 * @param {string} id
 * @param {() => Promise<T>} read
 * @returns {Promise<T>} the record, read once
 */
export async function one(of, id, read) {
  const key = `${of} ${id}`;
  return single.has(key) ? single.get(key) : remembered(single, key, read);
}

/**
 * @template T
 * @param {string} of the kind of record that is in the list
 * @param {string} key
 * @param {() => Promise<T>} read
 * @returns {Promise<T>} the list, read once; nobody changes it
 */
export async function many(of, key, read) {
  if (!lists.has(of)) lists.set(of, new Map());
  const kept = /** @type {Values} */ (lists.get(of));
  return kept.has(key) ? kept.get(key) : remembered(kept, key, read);
}
