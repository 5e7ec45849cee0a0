/**
 * Makes this handheld a witness of the server's log: it keeps the last checkpoint that it saw,
 * checks that each new one continues it, and shows it along with its requests.
 */
import { LogError } from "/static/shared/merkle.js";
import { HEADER, headerOf, watch } from "/static/shared/witness.js";
import { tellDiary } from "./diary.js";
import { meta, setMeta } from "./store.js";

const PATIENCE = 15_000;
/** The log is looked at no more often than this. */
const EVERY = 5 * 60_000;

let lastLook = -Infinity;

/**
 * @returns {Promise<Record<string, string>>} the header that shows the kept checkpoint; none while the
 *   server is known to contradict it
 */
export async function shown() {
  const kept = await meta("log");
  if (!kept?.note || (await meta("logProblem")) === "log-rewritten") return {};
  return { [HEADER]: headerOf(kept.note) };
}

/**
 * Take note of an answer that refuses the checkpoint that went along.
 * @param {string} type of the problem
 * @returns {Promise<boolean>} whether the request is to be sent again, without the checkpoint
 */
export async function contradicted(type) {
  if (type === "bad-checkpoint") {
    await setMeta("log", { ...(await meta("log")), note: null }); // it proves nothing
    return true;
  }
  if (type !== "log-rewritten") return false;
  await found("log-rewritten");
  return true;
}

/**
 * Keep what the log is known to be, and note the change. A log that loses events is of a server that
 * lost them: whether it still holds this device's is asked at once (`doubt`).
 * @param {"" | "log-rewritten" | "log-resumed"} problem
 */
async function found(problem) {
  if (((await meta("logProblem")) ?? "") === problem) return;
  await setMeta("logProblem", problem);
  if (!problem) return;
  await setMeta("doubt", true);
  await tellDiary("log", { problem });
}

/**
 * Look at the log's newest checkpoint.
 * @returns {Promise<"" | "log-rewritten" | "log-resumed">} what people must see, if anything
 */
export async function look() {
  const known = (await meta("logProblem")) ?? "";
  if (performance.now() - lastLook < EVERY) return known;
  lastLook = performance.now();
  const { serverKey } = await meta("device");
  const kept = (await meta("log")) ?? { note: null, verifiers: serverKey };
  const state = await seen(kept);
  const stays = known === "log-rewritten" && state !== "log-resumed"; // until it admits its loss
  if (!stays) await found(state);
  return stays ? known : state;
}

/**
 * @param {import("/static/shared/witness.js").Kept} kept
 * @returns {Promise<"" | "log-rewritten" | "log-resumed">}
 */
async function seen(kept) {
  const ask = (/** @type {string} */ path) =>
    fetch(path, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
  try {
    const { note, verifiers, state } = await watch(kept, ask);
    await setMeta("log", { note, verifiers });
    return state === "resumed" ? "log-resumed" : "";
  } catch (error) {
    if (error instanceof LogError && error.code === "inconsistent") return "log-rewritten";
    lastLook = -Infinity; // out of reach, or no checkpoint yet: look again at the next contact
    return "";
  }
}
