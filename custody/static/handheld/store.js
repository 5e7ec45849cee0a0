/**
 * The only owner of IndexedDB: opens it, upgrades it, and runs transactions with a time limit.
 *
 * Stores: `meta` (one value a name), `keys` (a key pair a run), `events` (run, seq), `base` and
 * `overlay` (of, id), `tries` (person), `drafts` (id), `scans` and `diary` (counted), `carried` (the
 * id of an event that was recorded again under a new run), `photos` (SHA-256). An upgrade adds
 * stores and indexes; it never drops one, for a queue may be in it.
 */
import { openDB } from "./lib.js";
import { HandheldError, storeError } from "./errors.js";

const VERSION = 2;
const NAME = "custody";
const PATIENCE = 8000;
const STORES = [
  ...["meta", "keys", "events", "base", "overlay", "tries", "drafts", "scans"],
  ...["carried", "photos", "diary"],
];

/** @typedef {import("idb").IDBPDatabase} Database */
/** @typedef {import("idb").IDBPTransaction<unknown, string[], IDBTransactionMode>} Transaction */

/** @type {Promise<Database> | null} */
let opened = null;
/** @type {Set<(what: "blocking" | "terminated") => void>} */
const watchers = new Set();
/**
 * @typedef {{of: string, id: string}} Key
 * @typedef {{meta: boolean, marks: {before: string | undefined, after: string} | null,
 *   keys: Key[] | null}} Written
 *   what a write has done: whether it wrote `meta`; the replica's mark before and after it, null where
 *   it left the replica alone; the records that it touched, null where it did not say
 */
/** @type {Set<(written: Written) => void>} */
const readers = new Set();

/** @param {(written: Written) => void} reader told of every write of this tab, before its caller is */
export function onWritten(reader) {
  readers.add(reader);
}

/** @param {(what: "blocking" | "terminated") => void} watcher called when the store closes on us */
export function onClosed(watcher) {
  watchers.add(watcher);
}

/** @param {"blocking" | "terminated"} what */
function closed(what) {
  opened = null;
  for (const watcher of watchers) watcher(what);
}

/**
 * Bring an older store to this version; each step adds, none removes.
 * @param {Database} db
 * @param {number} from
 * @param {number | null} _to
 * @param {any} tx the upgrade's transaction, by which an existing store gets an index
 */
function upgrade(db, from, _to, tx) {
  if (from < 1) begin(db);
  if (from < 2) extend(db, tx);
}

/** @param {Database} db */
function begin(db) {
  db.createObjectStore("meta");
  db.createObjectStore("keys");
  const events = db.createObjectStore("events", { keyPath: ["run", "seq"] });
  events.createIndex("id", "id", { unique: true });
  events.createIndex("state", "state");
  for (const name of ["base", "overlay"]) {
    const rows = db.createObjectStore(name, { keyPath: ["of", "id"] });
    rows.createIndex("of", "of");
    rows.createIndex("place", ["of", "value.place"]);
    rows.createIndex("seal", "value.seal");
  }
  db.createObjectStore("tries");
  db.createObjectStore("drafts", { keyPath: "id" });
  db.createObjectStore("scans", { keyPath: "n", autoIncrement: true });
}

/**
 * Version 2: what was recorded again, pictures, the diary, and items by kind and by bearer.
 * @param {Database} db
 * @param {any} tx
 */
function extend(db, tx) {
  db.createObjectStore("carried", { keyPath: "id" });
  db.createObjectStore("photos", { keyPath: "sha" }).createIndex("state", "state");
  db.createObjectStore("diary", { keyPath: "n", autoIncrement: true });
  const base = tx.objectStore("base");
  base.createIndex("kind", ["of", "value.kind"]);
  base.createIndex("holder", ["of", "value.holder"]);
}

/** @returns {Promise<Database>} */
function open() {
  return new Promise((resolve, reject) => {
    openDB(NAME, VERSION, {
      upgrade,
      blocked: () => reject(new HandheldError("store-blocked")),
      blocking: (_current, _next, event) => {
        /** @type {IDBDatabase} */ (event.target).close();
        closed("blocking");
      },
      terminated: () => closed("terminated"),
    }).then(resolve, (error) => reject(storeError(error)));
  });
}

/**
 * Reject when `work` takes longer than `ms`: a browser's store may neither resolve nor reject.
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @param {() => void} [giveUp]
 * @returns {Promise<T>}
 */
function within(work, ms, giveUp) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => {
      giveUp?.();
      reject(new HandheldError("store-stuck", { ms }));
    }, ms);
  });
  return /** @type {Promise<T>} */ (Promise.race([work, late])).finally(() => clearTimeout(timer));
}

/** @returns {Promise<Database>} */
async function database() {
  opened ??= within(open(), PATIENCE);
  try {
    return await opened;
  } catch (error) {
    opened = null;
    throw storeError(error);
  }
}

/** The layers of the replica: a write of either leaves a new mark. */
const REPLICA = new Set(["base", "overlay"]);

/**
 * Leave a new mark, by which every tab sees that the replica has changed.
 * @param {any} tx
 */
async function leaveMark(tx) {
  const [store, after] = [tx.objectStore("meta"), crypto.randomUUID()];
  const before = await store.get("replica");
  await store.put(after, "replica");
  return { before, after };
}

/**
 * Run `work` in one transaction: all of it or none. A write is strict: it is on the disk before
 * this resolves.
 * @template T
 * @param {string | string[]} names
 * @param {"readonly" | "readwrite"} mode
 * @param {(tx: any, touch: (keys: Key[]) => void) => Promise<T> | T} work must await nothing but the
 *   transaction's own requests; it says by `touch` which records of the replica it writes
 * @returns {Promise<T>}
 */
export async function transact(names, mode, work) {
  const db = await database();
  const writes = mode === "readwrite";
  const stores = new Set([names].flat());
  const marks = writes && [...stores].some((name) => REPLICA.has(name));
  if (marks) stores.add("meta");
  const durability = writes ? "strict" : "default";
  const tx = db.transaction([...stores], mode, { durability });
  /** @type {Key[] | null} */
  let keys = null;
  const touch = (/** @type {Key[]} */ more) => {
    keys = [...(keys ?? []), ...more];
  };
  const abort = () => {
    try {
      tx.abort();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error; // it had ended already
    }
  };
  tx.done.catch(() => undefined); // the failure is reported by `run`
  const run = async () => {
    try {
      const result = await work(tx, touch);
      const marked = marks ? await leaveMark(tx) : null;
      await tx.done;
      const written = { meta: stores.has("meta"), marks: marked, keys };
      if (writes) for (const reader of readers) reader(written);
      return result;
    } catch (error) {
      abort();
      throw storeError(tx.error ?? error);
    }
  };
  return within(run(), PATIENCE, abort);
}

/**
 * @param {string} name
 * @returns {Promise<any>} the value kept under the name, or undefined
 */
export function meta(name) {
  return transact("meta", "readonly", (tx) => tx.objectStore("meta").get(name));
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function setMeta(name, value) {
  return transact("meta", "readwrite", (tx) => tx.objectStore("meta").put(value, name));
}

/**
 * Ask the browser to keep the store, and say how full it is.
 * @returns {Promise<{persisted: boolean, used: number, quota: number}>} bytes
 */
export async function pressure() {
  const kept = (await navigator.storage?.persisted?.()) || (await navigator.storage?.persist?.());
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return { persisted: Boolean(kept), used: usage, quota };
}

/** A ceremony is not begun with less room than this, in bytes. */
const ROOM = 256 * 1024;
/** Room that was found is believed for so long. */
const BELIEVED = 60_000;

let foundRoom = -Infinity;

/**
 * Try whether an event would still find room. A browser's estimate does not tell: some name a quota
 * that they do not give.
 * @returns {Promise<boolean>}
 */
export async function roomy() {
  if (performance.now() - foundRoom < BELIEVED) return true;
  try {
    await setMeta("room", new Uint8Array(ROOM));
    await transact("meta", "readwrite", (tx) => tx.objectStore("meta").delete("room"));
    foundRoom = performance.now();
    return true;
  } catch (error) {
    if (error instanceof HandheldError && error.kind === "store-full") return false;
    throw error;
  }
}

/** Empty every store in one transaction; the device is as it was before enrolment. */
export function wipe() {
  return transact(STORES, "readwrite", (tx) =>
    Promise.all(STORES.map((name) => tx.objectStore(name).clear())),
  );
}
