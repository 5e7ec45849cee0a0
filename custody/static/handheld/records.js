/**
 * The replica's records: base (what the changes feed says) with pending (this device's own events
 * that the feed does not show yet) folded over it. A screen reads through here and nowhere else.
 */
import { many, one } from "./memory.js";
import { transact } from "./store.js";

/** @typedef {import("./types.js").Row} Row */

const BOTH = ["base", "overlay"];

/**
 * @param {string} of
 * @param {string} id
 * @returns {Promise<any>} the value, or null when it is not known
 */
export function record(of, id) {
  return one(of, id, () =>
    transact(BOTH, "readonly", async (tx) => {
      const both = await Promise.all(BOTH.map((name) => tx.objectStore(name).get([of, id])));
      const [base, over] = both;
      return (over ?? base)?.value ?? null;
    }),
  );
}

/**
 * Merge rows of both layers: pending hides base.
 * @param {Row[]} base
 * @param {Row[]} over
 * @param {(row: Row) => boolean} keep
 */
export function merged(base, over, keep) {
  const rows = new Map(base.map((row) => [row.id, row]));
  for (const row of over) rows.set(row.id, row);
  return [...rows.values()].filter((row) => row.value !== null && keep(row));
}

/**
 * @param {string} of
 * @returns {Promise<Row[]>} every record of that kind, sorted by id
 */
export function all(of) {
  return listed(of, "all", async (tx) => {
    const [base, over] = await Promise.all(
      BOTH.map((name) => tx.objectStore(name).index("of").getAll(of)),
    );
    return merged(base, over, () => true).sort((a, b) => (a.id < b.id ? -1 : 1));
  });
}

/**
 * @param {string} of
 * @param {string} key
 * @param {(tx: any) => Promise<Row[]>} read
 * @returns {Promise<Row[]>} the caller's own list, which it may sort; the values are nobody's to change
 */
async function listed(of, key, read) {
  return [...(await many(of, key, () => transact(BOTH, "readonly", read)))];
}

/**
 * @param {string} of
 * @param {string} prefix
 * @returns {Promise<Row[]>} the records whose id begins so, by id
 */
export function startingWith(of, prefix) {
  const range = IDBKeyRange.bound([of, prefix], [of, `${prefix}\uffff`]);
  return listed(of, `from ${prefix}`, async (tx) => {
    const [base, over] = await Promise.all(BOTH.map((name) => tx.objectStore(name).getAll(range)));
    return merged(base, over, () => true).sort((a, b) => (a.id < b.id ? -1 : 1));
  });
}

/**
 * Rows of both layers that an index finds, with every pending row of an item, which may have left.
 * @param {any} tx
 * @param {string} index
 * @param {IDBValidKey} key
 * @param {(value: any) => boolean} keep
 * @returns {Promise<Row[]>}
 */
async function found(tx, index, key, keep) {
  const base = await tx.objectStore("base").index(index).getAll(key);
  const over = await tx.objectStore("overlay").index("of").getAll("item");
  return merged(base, over, (row) => keep(row.value));
}

/**
 * @param {string} place
 * @returns {Promise<string[]>} codes of the items now at that place, sorted
 */
export async function atPlace(place) {
  return (await itemsAt(place)).map((row) => row.id);
}

/**
 * @param {string} place
 * @returns {Promise<Row[]>} the items now at that place, sorted by code
 */
export function itemsAt(place) {
  return listed("item", `at ${place}`, async (tx) => {
    const rows = await found(tx, "place", ["item", place], (value) => value.place === place);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  });
}

/**
 * @param {"kind" | "holder"} by
 * @param {string} key a kind, or a person
 * @returns {Promise<Row[]>} the items of a kind, or that a person carries, in no order
 */
export function itemsBy(by, key) {
  return listed("item", `${by} ${key}`, (tx) =>
    found(tx, by, ["item", key], (value) => value[by] === key),
  );
}

/**
 * @param {string} seal
 * @returns {Promise<string[]>} codes of the envelopes that carry or carried this seal, sorted
 */
export async function withSeal(seal) {
  const rows = await listed("item", `seal ${seal}`, (tx) =>
    found(tx, "seal", seal, (value) => value.seal === seal),
  );
  return rows.map((row) => row.id).sort();
}

/**
 * @param {string} code
 * @returns {Promise<string | null>} the last event known for the code
 */
export function lastEvent(code) {
  return many("item", `last ${code}`, () =>
    transact(BOTH, "readonly", async (tx) => {
      const over = tx.objectStore("overlay");
      const tip = (await over.get(["tip", code])) ?? (await over.get(["item", code]));
      const tips = (tip ?? (await tx.objectStore("base").get(["item", code])))?.value?.last;
      return tips?.[0] ?? null;
    }),
  );
}

/**
 * @param {string} type
 * @returns {Promise<string[]>} ids of the places of a type, sorted
 */
export async function ofType(type) {
  return (await all("place")).filter((row) => row.value.type === type).map((row) => row.id);
}
