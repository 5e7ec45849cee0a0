/** Makes this browser a device of the site: a key of its own, and a run to number its events in. */
import { recordAgain } from "./again.js";
import { ROOT, holding, kept as keptOf } from "./chain.js";
import { sha256 } from "./bytes.js";
import { hear } from "./clock.js";
import { tellDiary } from "./diary.js";
import { generate, publicJwk, publicKeys } from "./keys.js";
import { post } from "./net.js";
import { everything, lowest } from "./outbox.js";
import { probe } from "./push.js";
import { clear, found, foundPictures, mend } from "./secondcopy.js";
import { meta, pressure, transact } from "./store.js";
import { tell } from "./tabs.js";
import { t, word } from "./words.js";

/** so many keys fit a request */
const MOST_RUNS = 60;

/** @typedef {import("./types.js").Device} Device */
/** @typedef {import("./types.js").Kept} Kept */
/** @typedef {import("./net.js").Outcome} Outcome */
/** @typedef {import("./photos.js").Photo} Photo */
/** @typedef {{device: Device | null, events: Kept[], copied: boolean, photos: Photo[]}} Before
 *   what this browser was; `copied` when IndexedDB was lost and the second copy tells it, `photos` then
 *   the pictures that were not sent */
/** @typedef {{lost: Record<number, number>, strange: Record<number, string>}} Lacks
 *   by run: the seq that the server expects, of a run that lacks its beginning; and why it takes
 *   nothing of the run at all (push.js) */

/** @returns {Promise<Before>} */
async function before() {
  const device = (await meta("device")) ?? null;
  if (device) return { device, events: await everything(), copied: false, photos: [] };
  const { device: copied, lines } = await found();
  const made = lines.map(async (line) =>
    keptOf({ line, id: await sha256(line), event: JSON.parse(line) }),
  );
  const photos = (await foundPictures()).map(unsent);
  return { device: copied, events: await Promise.all(made), copied: Boolean(copied), photos };
}

/** @param {{sha: string, bytes: ArrayBuffer}} found @returns {Photo} */
function unsent({ sha, bytes }) {
  return { sha, bytes, type: "image/jpeg", at: Date.now(), state: "queued", sent: 0 };
}

/**
 * @returns {Promise<{n: number, name: string} | null>} how many events a lost storage left in the
 *   second copy, and what the device was called
 */
export async function leftOver() {
  if (await meta("device")) return null;
  const { device, lines } = await found();
  return device && { n: lines.length, name: device.name };
}

/**
 * The public keys of the runs of which everything is still here. A server that does not know the
 * device or a run takes them, and then what was recorded, as it is: nothing of it is recorded twice.
 * @param {Device} old
 * @returns {Promise<{run: number, key: object}[]>}
 */
async function known(old) {
  const found = [];
  for (const { run, key } of await publicKeys()) {
    const first = await lowest(run);
    if (first === 1 || (first === Infinity && run === old.run)) found.push({ run, key });
  }
  return found.slice(-MOST_RUNS);
}

/**
 * Ask for the next run of this device. A server that knows another next run (it was restored) says
 * which; one that does not know the device at all, nor is told a key of it, takes it as a new one.
 * @param {{code: string, name: string, key: object, runs?: object[]}} asked
 * @param {Device | null} old
 * @returns {Promise<Outcome & {run: number}>}
 */
async function request(asked, old) {
  if (!old) return { ...(await post("/sync/v1/devices", asked)), run: 1 };
  const [next, mine] = [old.run + 1, { ...asked, device: old.device, runs: await known(old) }];
  const first = await post("/sync/v1/devices", { ...mine, run: next });
  if (first.type === "not-enrolled") return request(asked, null);
  const run = first.answer?.expected;
  if (first.type !== "bad-run" || !Number.isInteger(run)) return { ...first, run: next };
  return { ...(await post("/sync/v1/devices", { ...mine, run })), run };
}

/** @returns {Promise<Lacks>} */
async function lacking() {
  return { lost: (await meta("lost")) ?? {}, strange: (await meta("strange")) ?? {} };
}

/**
 * The events that the server cannot take under their old run: of a run that lacks its beginning, of a
 * run whose key it did not take or that it gives out anew, of a device that it does not know, of a run
 * without its key, and from the second copy.
 * @param {Before} was
 * @param {Device} now
 * @param {Lacks} lacks
 * @param {number[]} taken the runs whose keys the server has
 * @returns {Kept[]}
 */
function stranded(was, now, { lost, strange }, taken) {
  if (was.copied || was.device?.device !== now.device) return was.events;
  return was.events.filter(({ run, state }) => {
    if (run < now.run && taken.includes(run) && !(run in lost)) return false;
    if (run >= now.run || (run in strange && strange[run] !== "no-key")) return true;
    return (run in lost || run in strange) && state === "queued";
  });
}

/**
 * @param {Kept[]} left the events that are recorded again, by run and seq
 * @param {Before} was
 * @param {Lacks} lacks
 * @returns {import("./again.js").Loss[]} what was before them in runs that the server lost, and is
 *   forgotten here
 */
function losses(left, was, { lost, strange }) {
  if (was.copied) return []; // it has only what was not sent
  const firsts = left.filter((kept, at) => kept.run !== left[at - 1]?.run);
  const gone = firsts.filter(({ run }) => strange[run] !== "no-key");
  const found = gone.map(({ run, seq }) => ({ run, from: lost[run] ?? 1, to: seq - 1 }));
  return found.filter(({ from, to }) => from <= to);
}

/**
 * Keep the new key, the device and its chain: all or nothing. Other events of older runs stay as
 * they are; pictures from the second copy are queued again.
 * @param {CryptoKeyPair} pair
 * @param {Device} device
 * @param {Awaited<ReturnType<typeof recordAgain>>} again
 * @param {Photo[]} photos
 */
function keep(pair, device, { events, carried, head }, photos) {
  return transact(["keys", "meta", "events", "carried", "photos"], "readwrite", async (tx) => {
    const [values, kept] = [tx.objectStore("meta"), tx.objectStore("events")];
    const gone = new Set(carried.map((/** @type {Kept} */ one) => one.run));
    const acked = Object.entries((await values.get("acked")) ?? {});
    const still = acked.filter(([run]) => !gone.has(Number(run)) && Number(run) < device.run);
    await Promise.all(
      carried.map((/** @type {Kept} */ one) => [
        kept.delete([one.run, one.seq]),
        tx.objectStore("carried").put(one),
      ]),
    );
    await Promise.all([
      ...events.map((one) => kept.put(one)),
      ...photos.map((one) => tx.objectStore("photos").put(one)),
      tx.objectStore("keys").put(pair, device.run),
      values.put(device, "device"),
      values.put(head, "head"),
      values.put(Object.fromEntries(still), "acked"),
      values.put(Date.now(), "contact"),
      values.put("", "problem"),
      values.put(true, "refold"),
      values.put(true, "doubt"), // what one server acknowledged, another may lack
      ...["revoked", "lost", "strange"].map((name) => values.delete(name)),
    ]);
  });
}

/**
 * @param {Outcome} outcome
 * @param {number} run
 * @param {string} name
 * @returns {Device}
 */
function deviceOf({ answer }, run, name) {
  return {
    device: answer.device,
    run,
    name,
    site: answer.site?.id ?? answer.site?.site,
    setting: answer.site,
    serverKey: answer.server_key,
    state: answer.state,
  };
}

/**
 * Enrol with a one-time code. A device that is enrolled already starts its next run, and records
 * again under it what no server can take under the old one.
 * @param {string} code
 * @param {string} name what people call this device
 * @returns {Promise<string>} "" or a sentence that says what went wrong
 */
export async function enrol(code, name) {
  if (await meta("device")) await probe(); // the new run takes over all that the server lacks by now
  return holding(async () => {
    const was = await before();
    const pair = await generate();
    const { run, ...outcome } = await request(
      { code, name, key: await publicJwk(pair) },
      was.device,
    );
    const { ok, type, answer } = outcome;
    if (!ok) return word(`enrol.${type}`, t("enrol.failed", { type }));
    const device = deviceOf(outcome, run, name);
    const lacks = await lacking();
    const left = stranded(was, device, lacks, answer.runs ?? []);
    const again = left.length
      ? await recordAgain(left, device, losses(left, was, lacks))
      : { events: [], carried: [], head: { run, seq: 0, id: ROOT } };
    await keep(pair, device, again, was.photos);
    if (Number.isInteger(answer.now)) hear(answer.now);
    await written(device, was, again.carried.length);
    return "";
  });
}

/**
 * Note in the diary what the enrolment brought, and make the second copy what the queue is now.
 * @param {Device} device
 * @param {Before} was
 * @param {number} n how many events were recorded again
 */
async function written(device, was, n) {
  await tellDiary("enrolled", { run: device.run, device: device.device });
  if (n) await tellDiary(was.copied ? "recovered" : "again", { n, run: device.run });
  await clear();
  await mend();
  await pressure();
  tell("changed");
}
