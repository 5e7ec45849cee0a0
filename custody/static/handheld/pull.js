/** Takes the changes feed: each page with its cursor in one transaction, then the digest. */
import { sha256 } from "./bytes.js";
import { holding } from "./chain.js";
import { HandheldError } from "./errors.js";
import { request, unheard } from "./net.js";
import { acknowledged, beyond } from "./outbox.js";
import { rebase } from "./pending.js";
import { meta, setMeta, transact } from "./store.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {{state: "done"|"offline"|"captive"|"upstream-away"|"pending"|"revoked"|"help", problem?: string,
 *   changed?: boolean}} Pulled `done` with a problem: all is here, and cannot all be shown */
/** @typedef {{after: string, gen: number, whole: boolean}} Feed
 *   where the feed stands; `whole` while it is read from its start: rows of an older `gen` go at
 *   its end, so that the replica can be used meanwhile */

const LIMIT = 500;
const START = { after: "", gen: 1, whole: true };

/**
 * Apply one page of the feed and its cursor: both or neither.
 * @param {Row[]} changes
 * @param {Feed} feed
 */
function apply(changes, feed) {
  return transact(["base", "meta"], "readwrite", (tx, touch) => {
    touch(changes);
    const base = tx.objectStore("base");
    const one = (/** @type {Row} */ row) =>
      row.value === null ? base.delete([row.of, row.id]) : base.put({ ...row, gen: feed.gen });
    return Promise.all([...changes.map(one), tx.objectStore("meta").put(feed, "feed")]);
  });
}

/**
 * Start the feed again; what is there stays until the whole feed is here. A server that does not know
 * how far it told may have been restored, and lack what this device sent (`doubt`).
 */
async function restart() {
  const { gen } = (await meta("feed")) ?? START;
  await setMeta("feed", { after: "", gen: gen + 1, whole: true });
  await setMeta("doubt", true);
}

/**
 * Let go of the rows that the whole feed did not name.
 * @param {Feed} feed
 */
function sweep(feed) {
  return transact(["base", "meta"], "readwrite", async (tx) => {
    let cursor = await tx.objectStore("base").openCursor();
    while (cursor) {
      if (cursor.value.gen !== feed.gen) await cursor.delete();
      cursor = await cursor.continue();
    }
    await tx.objectStore("meta").put({ ...feed, whole: false }, "feed");
  });
}

/** @returns {Promise<string>} SHA-256 over the sorted lines `<of> <id> <etag>` of the base */
export async function digest() {
  const rows = await transact("base", "readonly", (tx) => tx.objectStore("base").getAll());
  const lines = rows.map((/** @type {Row} */ row) => `${row.of} ${row.id} ${row.etag}\n`);
  return sha256(lines.sort().join(""));
}

/**
 * Fold what the feed does not show yet over the new base.
 * @param {Record<number, number>} shown run to the highest seq that the feed shows
 * @returns {Promise<boolean>} false where this version's rules cannot, for what came is of a newer one
 */
async function refold(shown) {
  try {
    await setMeta("refold", true);
    await holding(async () => rebase(await beyond(shown), { shown, refold: false }));
    return true;
  } catch (error) {
    if (error instanceof HandheldError && error.kind === "rules-failed") return false;
    throw error;
  }
}

/**
 * @param {import("./net.js").Outcome} outcome
 * @returns {Pulled}
 */
function refusal({ status, type, answer }) {
  if (unheard(type)) return { state: /** @type {Pulled["state"]} */ (type) };
  if (status === 403 && type === "pending") return { state: "pending" };
  if (status === 403 && type === "revoked" && answer.wipe) return { state: "revoked" };
  return { state: "help", problem: type || `http-${status}` };
}

/**
 * Read the feed to its end.
 * @returns {Promise<Pulled & {digest?: string}>}
 */
async function read() {
  let changed = false;
  for (;;) {
    const feed = (await meta("feed")) ?? START;
    const query = new URLSearchParams({ after: feed.after, limit: String(LIMIT) });
    const outcome = await request(`/sync/v1/changes?${query}`);
    if (outcome.status === 410) {
      await restart();
      continue;
    }
    if (!outcome.ok) return refusal(outcome);
    const { changes, cursor, more, digest: theirs } = outcome.answer;
    changed ||= changes.length > 0;
    const next = { ...feed, after: cursor };
    if (changes.length || cursor !== feed.after) await apply(changes, next);
    if (more) continue;
    if (feed.whole) await sweep(next);
    return { state: "done", changed, digest: theirs };
  }
}

/** whether the base was seen to match the server's digest in this start */
let matched = false;

/**
 * @param {Pulled & {digest?: string}} outcome
 * @returns {Promise<boolean>} whether the base is not what the server says it is; looked at when
 *   something changed, and once a start
 */
async function differs({ state, changed, digest: theirs }) {
  if (state !== "done" || !theirs || (matched && !changed)) return false;
  matched = theirs === (await digest());
  return !matched;
}

/**
 * Pull until the feed has no more, check the digest, and fold the pending events anew.
 * @returns {Promise<Pulled>}
 */
export async function pull() {
  const shown = await acknowledged();
  let outcome = await read();
  if (await differs(outcome)) {
    await restart();
    outcome = await read();
    if (await differs(outcome)) return { state: "help", problem: "digest" };
  }
  if (outcome.state !== "done") return outcome;
  const stale = JSON.stringify(shown) !== JSON.stringify((await meta("shown")) ?? {});
  const due = outcome.changed || stale || (await meta("refold"));
  return due && !(await refold(shown)) ? { ...outcome, problem: "rules-failed" } : outcome;
}
