/** Sends the queue: a batch is a header line, signed, and the exact bytes of each event. */
import { utf8 } from "./bytes.js";
import { sign } from "./keys.js";
import { tellDiary } from "./diary.js";
import { request } from "./net.js";
import {
  acknowledge,
  acknowledged,
  fork,
  inState,
  lastUpTo,
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
 * What one push came to.
 * @typedef {{state: "sent"|"empty"|"offline"|"captive"|"help", problem?: string, detail?: any}} Pushed
 */

/**
 * @param {Kept[]} batch
 * @param {import("./net.js").Outcome} outcome
 * @returns {Promise<Pushed>}
 */
async function settle(batch, { ok, status, type, answer }) {
  const older = (await meta("device")).run > /** @type {Kept} */ (batch[0]).run;
  const first = /** @type {Kept} */ (batch[0]);
  const last = /** @type {Kept} */ (batch.at(-1));
  if (ok) {
    await acknowledge(first.run, first.seq, answer.acked, answer.exceptions ?? []);
    void mend();
    return { state: answer.acked >= first.seq ? "sent" : "help", problem: "not-acked" };
  }
  if (type === "offline" || type === "captive") return { state: type };
  if (status === 409 && type === "gap") return gap(first.run, answer.expected);
  if (status === 409 && type === "fork") {
    await fork(first.run, first.seq, last.seq);
    if (older) return { state: "sent" }; // a new run goes on; the old branch is with the server
    return { state: "help", problem: "fork", detail: answer };
  }
  return { state: "help", problem: type || `http-${status}`, detail: answer };
}

/**
 * Send from where the server expects; a server that expects what is forgotten has lost events, and
 * what follows them waits in sight until a new run takes it.
 * @param {number} run
 * @param {number} expected
 * @returns {Promise<Pushed>}
 */
async function gap(run, expected) {
  const acked = (await acknowledged())[run] ?? 0;
  if (expected <= acked) await tellDiary("restored", { run, from: expected, to: acked });
  await requeue(run, expected);
  if (expected <= acked) await sendAgain();
  await mend();
  if (expected >= (await lowest(run))) return { state: "sent" };
  await setMeta("lost", { ...((await meta("lost")) ?? {}), [run]: expected });
  return { state: "help", problem: "lost", detail: { expected } };
}

/**
 * Ask, by sending what it has acknowledged last, whether the server still holds it: a server that
 * was restored from a copy does not, and says from where on to send again.
 * @returns {Promise<Pushed>} `sent` when all is held, or what is not is in the queue again
 */
export async function probe() {
  const lost = (await meta("lost")) ?? {};
  for (const [run, seq] of Object.entries(await acknowledged())) {
    const last = run in lost ? undefined : await lastUpTo(Number(run), seq);
    if (!last || last.state !== "acked") continue;
    const outcome = await post([last]);
    if (outcome.ok || outcome.type === "fork") continue;
    const pushed = await settle([last], outcome);
    if (pushed.state !== "sent") return pushed;
  }
  return { state: "sent" };
}

/**
 * @param {Kept[]} batch
 * @returns {Promise<import("./net.js").Outcome>}
 */
async function post(batch) {
  const { device } = await meta("device");
  const text = await encode(device, batch);
  const { run } = /** @type {Kept} */ (batch[0]);
  const what = { method: "POST", type: "application/x-ndjson", text, run };
  return request("/sync/v1/events", what);
}

/**
 * Send one batch of the queue. A batch that is too large for the server is halved, down to one.
 * @returns {Promise<Pushed>}
 */
export async function push() {
  const lost = (await meta("lost")) ?? {};
  const queue = (await inState("queued")).filter((kept) => !(kept.run in lost));
  for (let most = MOST; queue.length; most = Math.floor(most / 2)) {
    const batch = stretch(queue, most);
    const outcome = await post(batch);
    if (outcome.status !== 413 || batch.length === 1) return settle(batch, outcome);
  }
  return Object.keys(lost).length ? { state: "help", problem: "lost" } : { state: "empty" };
}
