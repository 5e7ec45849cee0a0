/**
 * The events that this device keeps: queued until the server holds them, then kept until the
 * protocol lets them be forgotten. Nothing here deletes an event for an error.
 */
import { meta, transact } from "./store.js";

/** @typedef {import("./types.js").Kept} Kept */

const DAY = 86_400_000;
const KEEP = 30 * DAY;

/**
 * @param {"queued" | "acked" | "forked"} state
 * @returns {Promise<Kept[]>} by run and seq
 */
export function inState(state) {
  return transact("events", "readonly", (tx) =>
    tx.objectStore("events").index("state").getAll(state),
  );
}

/** @returns {Promise<Kept[]>} every event that is kept, by run and seq */
export function everything() {
  return transact("events", "readonly", (tx) => tx.objectStore("events").getAll());
}

/** @returns {Promise<number>} how many events wait to be sent */
export function waiting() {
  return transact("events", "readonly", (tx) =>
    tx.objectStore("events").index("state").count("queued"),
  );
}

/**
 * @param {number} limit
 * @returns {Promise<Kept[]>} the newest first
 */
export function newest(limit) {
  return transact("events", "readonly", async (tx) => {
    const found = [];
    let cursor = await tx.objectStore("events").openCursor(null, "prev");
    while (cursor && found.length < limit) {
      found.push(cursor.value);
      cursor = await cursor.continue();
    }
    return found;
  });
}

/**
 * @param {string} id
 * @returns {Promise<Kept | undefined>}
 */
export function event(id) {
  return transact("events", "readonly", (tx) => tx.objectStore("events").index("id").get(id));
}

/**
 * @param {string} id
 * @returns {Promise<Record<string, any> | null>} the event itself, if this device wrote it
 */
export async function bodyOf(id) {
  const kept = await event(id);
  return kept ? JSON.parse(kept.line) : null;
}

/**
 * @param {number} run
 * @param {number} from
 * @param {number} to
 */
function between(run, from, to) {
  return IDBKeyRange.bound([run, from], [run, to]);
}

/**
 * Change every kept event of a stretch, and what else belongs to it, in one transaction.
 * @param {number} run
 * @param {number} from first seq
 * @param {number} to last seq
 * @param {(kept: Kept) => Kept} change
 * @param {(tx: any) => Promise<unknown>} [also]
 */
function alter(run, from, to, change, also = async () => undefined) {
  return transact(["events", "meta"], "readwrite", async (tx) => {
    let cursor = await tx.objectStore("events").openCursor(between(run, from, to));
    while (cursor) {
      await cursor.update(change(cursor.value));
      cursor = await cursor.continue();
    }
    await also(tx);
  });
}

/** @returns {Promise<Record<number, number>>} run to the highest seq that the server holds */
export async function acknowledged() {
  return (await meta("acked")) ?? {};
}

/**
 * @param {Record<number, number>} shown run to the highest seq that the feed shows
 * @returns {Promise<Kept[]>} the later events, by run and seq, without forked ones
 */
export function beyond(shown) {
  return transact(["events", "meta"], "readonly", async (tx) => {
    const { run: last = 0 } = (await tx.objectStore("meta").get("head")) ?? {};
    const found = [];
    for (let run = 1; run <= last; run += 1) {
      const range = between(run, (shown[run] ?? 0) + 1, Infinity);
      found.push(...(await tx.objectStore("events").getAll(range)));
    }
    return found.filter((/** @type {Kept} */ kept) => kept.state !== "forked");
  });
}

/**
 * Note what the server holds, and what it raised.
 * @param {number} run
 * @param {number} from the first seq that was sent
 * @param {number} acked the highest seq that the server holds without a gap
 * @param {{id: string, seq: number, kind: string, clause: string|null, text: string}[]} exceptions
 */
export function acknowledge(run, from, acked, exceptions) {
  const now = Date.now();
  const change = (/** @type {Kept} */ kept) => ({
    ...kept,
    state: /** @type {const} */ ("acked"),
    ackedAt: kept.ackedAt ?? now,
    exceptions: merge(kept, exceptions),
  });
  return alter(run, from, acked, change, async (tx) => {
    const store = tx.objectStore("meta");
    await store.put({ ...(await store.get("acked")), [run]: acked }, "acked");
  });
}

/**
 * @param {Kept} kept
 * @param {{id: string, seq: number, kind: string, clause: string|null, text: string}[]} raised
 */
function merge(kept, raised) {
  const known = new Map((kept.exceptions ?? []).map((one) => [one.id, one]));
  for (const one of raised) if (one.seq === kept.seq) known.set(one.id, one);
  return [...known.values()];
}

/**
 * Note that the server keeps these under another branch: the chain has forked.
 * @param {number} run
 * @param {number} from
 * @param {number} to
 */
export function fork(run, from, to) {
  return alter(run, from, to, (kept) => ({ ...kept, state: "forked", ackedAt: Date.now() }));
}

/**
 * Send again from a seq on: the server does not hold what it once acknowledged.
 * @param {number} run
 * @param {number} from
 */
export function requeue(run, from) {
  const change = (/** @type {Kept} */ kept) => ({ ...kept, state: /** @type {const} */ ("queued") });
  return alter(run, from, Number.MAX_SAFE_INTEGER, change, async (tx) => {
    const store = tx.objectStore("meta");
    const acked = (await store.get("acked")) ?? {};
    await store.put({ ...acked, [run]: Math.min(acked[run] ?? 0, from - 1) }, "acked");
  });
}

/**
 * @param {number} run
 * @returns {Promise<Kept | undefined>} the last event of the run that a server was given, and that is
 *   still kept
 */
export function lastGiven(run) {
  return transact("events", "readonly", async (tx) => {
    const range = between(run, 0, Infinity);
    let cursor = await tx.objectStore("events").openCursor(range, "prev");
    while (cursor?.value.state === "queued") cursor = await cursor.continue();
    return cursor?.value;
  });
}

/**
 * @param {number} run
 * @returns {Promise<number>} the lowest seq of the run that is still kept, or Infinity
 */
export function lowest(run) {
  return transact("events", "readonly", async (tx) => {
    const cursor = await tx.objectStore("events").openCursor(between(run, 0, Infinity));
    return cursor?.value.seq ?? Infinity;
  });
}

/**
 * @param {number} now
 * @returns {Promise<Kept[]>} acknowledged events that are old enough to be forgotten
 */
export async function old(now) {
  const acked = await inState("acked");
  return acked.filter((kept) => (kept.ackedAt ?? now) + KEEP < now);
}

/** @param {Kept} kept an event whose receipt was had; its pictures go with it once they are sent */
export function forget({ run, seq, line = "{}" }) {
  const photos = /** @type {string[]} */ (JSON.parse(line).with?.photos ?? []);
  return transact(["events", "photos"], "readwrite", async (tx) => {
    const store = tx.objectStore("photos");
    for (const sha of photos) {
      if ((await store.get(sha))?.state === "sent") await store.delete(sha);
    }
    await tx.objectStore("events").delete([run, seq]);
  });
}
