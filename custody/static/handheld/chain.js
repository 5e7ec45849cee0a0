/**
 * The device's chain of events. An event's line is written once, here; its bytes are hashed,
 * stored, sent and never built again (protocol.md, "Event").
 */
import { sha256, utf8 } from "./bytes.js";
import { stamp } from "./clock.js";
import { HandheldError } from "./errors.js";
import { glance, refresh } from "./memory.js";
import { claimsOf, foldOver, put } from "./pending.js";
import { named, queue } from "./photos.js";
import { all, lastEvent, record } from "./records.js";
import { ask, now, Told } from "./rules.js";
import { copy } from "./secondcopy.js";
import { transact } from "./store.js";

/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {import("./types.js").Signature} Signature */
/** @typedef {import("./types.js").Kept} Kept */
/** @typedef {import("./types.js").Head} Head */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {{line: string, id: string, event: Record<string, any>}} Written */

export const ROOT = "0".repeat(64);
const LOCK = "custody-append";
const LINE_LIMIT = 60_000;
const TRIES = 5;

/**
 * Hold the append lock. One tab at a time adds to the chain or folds it anew.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function holding(work) {
  const current = async () => {
    await refresh(); // another tab may have appended while this one waited
    return work();
  };
  return /** @type {Promise<T>} */ (navigator.locks.request(LOCK, current));
}

/** @returns {Promise<Head>} the end of this run's chain; `commit` sees whether it has moved since */
async function head() {
  return (await glance("head")) ?? { run: (await glance("device"))?.run ?? 1, seq: 0, id: ROOT };
}

/** @returns {Promise<string>} id of the rulebook that this device judges by */
export async function rulebookId() {
  const site = await record("setting", "site");
  return site?.rulebook ?? (await all("rulebook")).at(-1)?.id ?? "";
}

/**
 * The middle of an event: what the rules judge, without its place in the chain.
 * @param {Draft} draft
 * @param {Signature[]} by
 */
export function body(draft, by) {
  const { kind, form, attributes } = draft;
  return {
    step: draft.step,
    items: draft.items,
    from: draft.from ?? null,
    to: draft.to ?? null,
    into: draft.into ?? null,
    where: draft.where ?? null,
    with: draft.with,
    ...(kind && { kind }),
    ...(form && { form }),
    ...(attributes && { attributes }),
    by,
    note: draft.note ?? "",
  };
}

/**
 * @param {Draft} draft
 * @param {Signature[]} by
 * @returns {Promise<Record<string, any>>} what `judge` and `form` take
 */
export async function judged(draft, by) {
  const { at, offset } = stamp();
  return { ...body(draft, by), at, offset, day: await ask("gaming_day", { at }) };
}

/**
 * @param {string[]} claims
 * @param {Map<string, string>} recent tips made by earlier events of the same ceremony
 * @param {Record<string, string>} ranges tips of ranges of serials, which the event itself cuts
 * @returns {Promise<Record<string, string>>} `saw`: the last event of each, many of them in runs
 */
async function seen(claims, recent, ranges) {
  /** @type {Record<string, string>} */
  const saw = {};
  for (const code of claims) {
    const last = ranges[code] ?? recent.get(code) ?? (await lastEvent(code));
    if (last) saw[code] = last;
  }
  return now("told_seen", { saw, ranges: Object.keys(ranges) });
}

/**
 * Write one event's line.
 * @param {{device: string, site: string, run: number, seq: number, prev: string,
 *   rulebook: string}} place where it stands
 * @param {Record<string, any>} middle as `judged` makes it
 * @param {Record<string, string>} saw
 * @returns {Promise<Written>}
 */
async function write(place, middle, saw) {
  const { device, site, run, seq, prev, rulebook } = place;
  const { step, by, note, day, at, offset, ...rest } = middle;
  const { mono, boot, server } = stamp();
  const event = {
    v: 1,
    device,
    run,
    seq,
    prev,
    at,
    offset,
    mono,
    boot,
    server,
    site,
    rulebook,
    day,
    step,
    ...rest,
    by,
    saw,
    note,
  };
  return written(event);
}

/**
 * Make an event's line; from here on its bytes stand.
 * @param {Record<string, any>} event
 * @returns {Promise<Written>}
 */
export async function written(event) {
  const line = JSON.stringify(event);
  if (utf8(line).length > LINE_LIMIT) throw new HandheldError("bad-input", { type: "too-long" });
  return { line, id: await sha256(line), event };
}

/**
 * @param {Written} written
 * @returns {Kept}
 */
export function kept({ line, id, event }) {
  const { run, seq, at, step, items, to, where, by } = event;
  const people = by.flatMap((/** @type {Signature} */ { person }) => person ?? []);
  const place = to ?? where ?? null;
  return { run, seq, id, line, at, step, items, place, by: people, state: "queued" };
}

/**
 * Make the events of one ceremony, each upon the state that the one before leaves.
 * @param {Head} from
 * @param {Draft[]} drafts
 * @param {Signature[][]} by who signed each
 * @returns {Promise<{events: Kept[], rows: Row[]}>}
 */
async function make(from, drafts, by) {
  const { device, site } = await glance("device");
  const rulebook = await rulebookId();
  const told = new Told();
  const recent = new Map();
  const rows = new Map();
  const events = [];
  let { run, seq, id: prev } = from;
  for (const [number, draft] of drafts.entries()) {
    seq += 1;
    const middle = await judged(draft, by[number] ?? []);
    const { claims, saw } = await claimsOf(middle, told);
    const place = { device, site, run, seq, prev, rulebook };
    const made = await write(place, middle, await seen(claims, recent, saw));
    for (const row of await foldOver(made.event, made.id, told)) {
      rows.set(`${row.of} ${row.id}`, row);
    }
    for (const code of claims) recent.set(code, made.id);
    events.push(kept(made));
    prev = made.id;
  }
  return { events, rows: [...rows.values()] };
}

/** @param {Kept[]} events @returns {string[]} the pictures that they name */
function photosOf(events) {
  return events.flatMap((event) => named(JSON.parse(event.line)));
}

/**
 * Store events, head and pending records in one strict transaction, or nothing when the head moved.
 * @param {Head} from
 * @param {Kept[]} events
 * @param {Row[]} rows
 * @param {string | null} draft id of the draft that they end
 */
function commit(from, events, rows, draft) {
  const names = ["meta", "events", "overlay", "drafts", "photos"];
  return transact(names, "readwrite", async (tx, touch) => {
    touch(rows);
    const now = (await tx.objectStore("meta").get("head")) ?? { ...from, seq: 0, id: ROOT };
    if (now.id !== from.id || now.run !== from.run) throw new HandheldError("head-moved");
    const begun = !draft || (await tx.objectStore("drafts").get(draft));
    if (!begun) throw new HandheldError("not-found", { draft }); // another tab has recorded it
    const last = /** @type {Kept} */ (events.at(-1));
    await Promise.all([
      ...events.map((event) => tx.objectStore("events").add(event)),
      tx.objectStore("meta").put({ run: last.run, seq: last.seq, id: last.id }, "head"),
      draft && tx.objectStore("drafts").delete(draft),
      put(tx, rows),
      queue(tx, photosOf(events)),
    ]);
  });
}

/**
 * Append the events of one ceremony: all of them or none. Durable when this resolves.
 * @param {Draft[]} drafts in the order in which the steps were done
 * @param {Signature[][]} by who signed each, the one who did it first
 * @param {string | null} [draft] id of the kept draft that is done with these
 * @returns {Promise<Kept[]>}
 */
export function append(drafts, by, draft = null) {
  return holding(async () => {
    for (let left = TRIES; ; left -= 1) {
      const from = await head();
      const { events, rows } = await make(from, drafts, by);
      try {
        await commit(from, events, rows, draft);
        copy(events, photosOf(events));
        return events;
      } catch (error) {
        const moved = error instanceof HandheldError && error.kind === "head-moved";
        if (!moved || left <= 1) throw error;
        await refresh();
      }
    }
  });
}
