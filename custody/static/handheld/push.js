/** Sends the queue: a batch is a header line, signed, and the exact bytes of each event. */
import { utf8 } from "./bytes.js";
import { tellDiary } from "./diary.js";
import { HandheldError } from "./errors.js";
import { sign } from "./keys.js";
import { request, unheard } from "./net.js";
import {
  acknowledge,
  acknowledged,
  fork,
  inState,
  lastGiven,
  lowest,
  requeue,
} from "./outbox.js";
import { sendAgain } from "./photos.js";
import { mend } from "./secondcopy.js";
import { meta, setMeta } from "./store.js";

/** @typedef {import("./types.js").Kept} Kept */

const MOST = 500;
const BYTES = 1024 * 1024 - 4096;

/**
 * Take the first stretch of the queue that fits one request: one run, no gap.
 * @param {Kept[]} queue by run and seq
 * @param {number} most
 * @returns {Kept[]}
 */
export function stretch(queue, most = MOST) {
  /** @type {Kept[]} */
  const taken = [];
  let room = BYTES;
  for (const kept of queue.slice(0, most)) {
    const before = taken.at(-1);
    if (before && (kept.run !== before.run || kept.seq !== before.seq + 1)) break;
    room -= utf8(kept.line).length + 1;
    if (room < 0 && before) break;
    taken.push(kept);
  }
  return taken;
}

/**
 * @param {string} device
 * @param {Kept[]} batch
 * @returns {Promise<string>} the request's body
 */
export async function encode(device, batch) {
  const first = /** @type {Kept} */ (batch[0]);
  const { run, seq: last, id: head } = /** @type {Kept} */ (batch.at(-1));
  const sig = await sign(run, `custody-events-v1\n${device}\n${run}\n${last}\n${head}\n`);
  const header = { device, run, first: first.seq, last, head, sig };
  return [JSON.stringify(header), ...batch.map((kept) => kept.line), ""].join("\n");
}

/**
 * What one push came to; `run` is the one that it was about.
 * @typedef {{state: "sent"|"empty"|"offline"|"captive"|"upstream-away"|"help", problem?: string, run?: number}} Pushed
 */

/**
 * @param {Kept[]} batch
 * @param {import("./net.js").Outcome} outcome
 * @returns {Promise<Pushed>}
 */
async function settle(batch, { ok, status, type, answer }) {
  const { run, seq: first } = /** @type {Kept} */ (batch[0]);
  const { seq: last } = /** @type {Kept} */ (batch.at(-1));
  if (ok) return taken(run, first, last, answer);
  if (unheard(type)) return { state: /** @type {Pushed["state"]} */ (type) };
  if (type === "gap") return gap(run, first, answer.expected);
  if (type === "fork") return forked(run, first, last, answer);
  if (type === "bad-chain" && answer.field === "prev") return stepBack(run, first, last);
  return { state: "help", problem: type || `http-${status}`, run };
}

/**
 * Note what the server holds. It may hold more under this run than was sent: another device's, that
 * has the same key. What was recorded here meanwhile is not among it.
 * @param {number} run
 * @param {number} first
 * @param {number} last
 * @param {any} answer
 * @returns {Promise<Pushed>}
 */
async function taken(run, first, last, answer) {
  const acked = Math.min(Number(answer?.acked), last);
  if (!(acked >= first)) return { state: "help", problem: "not-acked", run };
  await acknowledge(run, first, acked, answer.exceptions ?? []);
  void mend();
  return { state: "sent" };
}

/**
 * The server has set them apart, from the event on of which it holds another (`seq`).
 * @param {number} run
 * @param {number} first
 * @param {number} last
 * @param {any} answer
 * @returns {Promise<Pushed>}
 */
async function forked(run, first, last, answer) {
  const from = Math.max(first, Math.min(Number(answer.seq) || first, last));
  if (from > first) await acknowledge(run, first, from - 1, []);
  await fork(run, from, last);
  return { state: "sent" };
}

/**
 * Send from where the server expects; a server that expects what is forgotten has lost events. One
 * that expects what it was sent just now would be asked without end.
 * @param {number} run
 * @param {number} first
 * @param {number} expected
 * @returns {Promise<Pushed>}
 */
async function gap(run, first, expected) {
  if (!(expected < first)) return { state: "help", problem: "gap", run };
  const acked = (await acknowledged())[run] ?? 0;
  if (expected <= acked) await tellDiary("restored", { run, from: expected, to: acked });
  await requeue(run, expected);
  if (expected <= acked) await sendAgain();
  await mend();
  return expected >= (await lowest(run)) ? { state: "sent" } : lose(run, expected);
}

/**
 * The server holds another event before the first of these: it was restored, and then a clone of this
 * device told it another history. Send from further back, until the histories join; from where they
 * part on, it takes them as a fork.
 * @param {number} run
 * @param {number} first
 * @param {number} last
 * @returns {Promise<Pushed>}
 */
async function stepBack(run, first, last) {
  const low = await lowest(run);
  await requeue(run, Math.max(low, first - 2 * (last - first + 1)));
  return first > low ? { state: "sent" } : lose(run, Math.max(1, first - 1));
}

/**
 * What follows the events that nobody holds any more waits in sight until a new run takes it.
 * @param {number} run
 * @param {number} expected the first of those events
 * @returns {Promise<Pushed>}
 */
async function lose(run, expected) {
  await setMeta("lost", { ...((await meta("lost")) ?? {}), [run]: expected });
  return { state: "help", problem: "lost", run };
}

/**
 * Ask, by sending the last event of each run that was given to it, whether the server still holds
 * them: a server that was restored from a copy does not, and says from where on to send again. A run
 * that was set apart is asked for too.
 * @returns {Promise<Pushed>} `sent` when all is held, or what is not is in the queue again
 */
export async function probe() {
  const lost = (await meta("lost")) ?? {};
  const { run: newest } = await meta("device");
  /** @type {Pushed | null} */
  let trouble = null;
  for (let run = 1; run <= newest; run += 1) {
    const last = run in lost ? undefined : await lastGiven(run);
    const outcome = last && (await post([last]));
    if (!last || !outcome || outcome.ok || outcome.type === "fork") continue;
    const pushed = await settle([last], outcome);
    if (pushed.state === "help") trouble ??= pushed;
    else if (pushed.state !== "sent") return pushed;
  }
  return trouble ?? { state: "sent" };
}

/**
 * @param {Kept[]} batch
 * @returns {Promise<import("./net.js").Outcome>} of type `no-key` when the run's key is lost
 */
async function post(batch) {
  const { run } = /** @type {Kept} */ (batch[0]);
  try {
    const { device } = await meta("device");
    const text = await encode(device, batch);
    const what = { method: "POST", type: "application/x-ndjson", text, run };
    const outcome = await request("/sync/v1/events", what);
    await noteStrange(run, outcome);
    return outcome;
  } catch (error) {
    if (!(error instanceof HandheldError) || error.kind !== "no-device") throw error;
    const outcome = { ok: false, status: 0, type: "no-key", answer: null };
    await noteStrange(run, outcome);
    return outcome;
  }
}

/** What stands between a run and the server for good: it does not know the run, or the key is lost. */
export const STRANGE = ["not-enrolled", "token-invalid", "no-key"];

/**
 * Keep of which runs the server lacks everything, for when a new run is begun.
 * @param {number} run
 * @param {import("./net.js").Outcome} outcome
 */
async function noteStrange(run, { ok, status, type }) {
  const known = (await meta("strange")) ?? {};
  const { [run]: before, ...others } = known;
  if (STRANGE.includes(type)) await setMeta("strange", { ...known, [run]: type });
  else if (before && (ok || status === 409)) await setMeta("strange", others);
}

/**
 * Send one batch of the queue. A batch that is too large for the server is halved, down to one.
 * @param {Set<number>} [held] the runs that something is in the way of: they hold up no other
 * @returns {Promise<Pushed>}
 */
export async function push(held = new Set()) {
  const lost = (await meta("lost")) ?? {};
  const all = await inState("queued");
  const queue = all.filter(({ run }) => !(run in lost) && !held.has(run));
  for (let most = MOST; queue.length; most = Math.floor(most / 2)) {
    const batch = stretch(queue, most);
    const outcome = await post(batch);
    if (outcome.status !== 413 || batch.length === 1) return settle(batch, outcome);
  }
  return Object.keys(lost).length ? { state: "help", problem: "lost" } : standing();
}

/** @returns {Promise<Pushed>} of an empty queue: whether the run was set apart, and another is needed */
async function standing() {
  const { run } = await meta("device");
  const last = await lastGiven(run);
  return last?.state === "forked" ? { state: "help", problem: "fork" } : { state: "empty" };
}
