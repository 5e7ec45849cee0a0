/**
 * Makes this handheld a witness of the server's log: it keeps the last checkpoint that it saw,
 * checks that each new one continues it, and shows it along with its requests.
 */
import { LogError } from "/static/shared/merkle.js";
import { HEADER, headerOf, watch } from "/static/shared/witness.js";
import { meta, setMeta } from "./store.js";

const PATIENCE = 15_000;
/** The log is looked at no more often than this. */
const EVERY = 5 * 60_000;

let lastLook = -Infinity;

/** @returns {Promise<Record<string, string>>} the header that shows the kept checkpoint, or none */
export async function shown() {
  const kept = await meta("log");
  return kept?.note ? { [HEADER]: headerOf(kept.note) } : {};
}

/**
 * Look at the log's newest checkpoint.
 * @returns {Promise<"" | "log-rewritten" | "log-resumed">} what people must see, if anything
 */
export async function look() {
  if (performance.now() - lastLook < EVERY) return (await meta("logProblem")) ?? "";
  lastLook = performance.now();
  const { serverKey } = await meta("device");
  const kept = (await meta("log")) ?? { note: null, verifiers: serverKey };
  const found = await seen(kept);
  if ((await meta("logProblem")) === "log-rewritten") return "log-rewritten"; // it stays so
  await setMeta("logProblem", found);
  return found;
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
