/**
 * Keeps the queue moving: beside the screens, under a lock of its own, within 5 s of the
 * network's return and again after any stretch without progress. It waits on progress and on
 * nothing else: `navigator.onLine` is a hint, an answer is a fact.
 */
import { holding, rulebookId } from "./chain.js";
import { jump, serverNow } from "./clock.js";
import { noteChange, tellDiary } from "./diary.js";
import { unheard } from "./net.js";
import { waiting } from "./outbox.js";
import { sendPhotos, waitingPhotos, waitingPictures } from "./photos.js";
import { pull } from "./pull.js";
import { forgetOld } from "./receipts.js";
import { STRANGE, probe, push } from "./push.js";
import { clear, mend } from "./secondcopy.js";
import { meta, setMeta, wipe } from "./store.js";
import { tell } from "./tabs.js";
import { keep, seek, version } from "./update.js";
import { look } from "./watchlog.js";

const LOCK = "custody-sync";
const BEAT = 4000;
const IDLE = 30_000;
const HELD = 90_000;
/** A site node that cannot ask its upstream is asked again after so long (its `Retry-After`). */
const AWAY = 15_000;
/** The server is believed for so long to hold what it acknowledged. */
const TRUSTED = 5 * 60_000;
/** A contact after so long without one is noted in the diary. */
const SILENT = 10 * 60_000;

/**
 * @typedef {{link: "online"|"offline"|"captive"|"upstream-away"|"unknown", problem: string, busy: boolean,
 *   pending: boolean}} State
 */

/** @type {State} */
const state = { link: "unknown", problem: "", busy: false, pending: false };
let lastTry = 0;
let lastProbe = -Infinity;

/**
 * @returns {Promise<State & {waiting: number, pictures: number, contact: number | null,
 *   enrolled: boolean}>} what the header shows; `waiting` events and `pictures` are to be sent, `contact` is the last completed contact, UTC ms
 */
export async function status() {
  const device = await meta("device");
  const contact = (await meta("contact")) ?? null;
  const problem = state.problem || ((await meta("problem")) ?? "");
  const [events, pictures] = await Promise.all([waiting(), waitingPictures()]);
  return { ...state, problem, waiting: events, pictures, contact, enrolled: Boolean(device) };
}

/** @param {Partial<State>} change */
async function become(change) {
  const before = JSON.stringify(state);
  Object.assign(state, change);
  if (JSON.stringify(state) === before) return;
  if ("problem" in change) await setMeta("problem", state.problem);
  tell("changed");
}

/**
 * Push until nothing is left. What is in the way of one run holds up no other.
 * @returns {Promise<import("./push.js").Pushed>} the first trouble, if there was any
 */
async function drain() {
  /** @type {Set<number>} */
  const held = new Set();
  /** @type {import("./push.js").Pushed | null} */
  let trouble = null;
  for (;;) {
    const pushed = await push(held);
    if (gone(pushed)) return pushed;
    if (pushed.state === "empty" || (pushed.state === "help" && !pushed.run))
      return trouble ?? pushed;
    if (pushed.run) held.add(pushed.run);
    if (pushed.state === "help") trouble ??= pushed;
    tell("changed");
  }
}

/**
 * @param {{state: string}} outcome
 * @returns {boolean} whether nobody answered, or someone else did, or one who must ask first
 */
function gone({ state }) {
  return unheard(state);
}

/**
 * @returns {Promise<boolean>} whether to ask if the server still holds what it acknowledged: it was
 *   out of reach, and may have been restored meanwhile; something it said looks like it; or it was
 *   not asked for long
 */
async function doubtful() {
  const long = performance.now() - lastProbe >= TRUSTED;
  return long || state.link !== "online" || Boolean(await meta("doubt"));
}

/**
 * Everything out, after asking where there is doubt.
 * @returns {Promise<import("./push.js").Pushed>}
 */
async function out() {
  if (!(await doubtful())) return drain();
  const asked = await probe();
  if (gone(asked)) return asked;
  lastProbe = performance.now();
  const answered = asked.state === "sent" || asked.problem === "lost";
  if (answered && (await meta("doubt"))) await setMeta("doubt", false);
  const pushed = await drain();
  return pushed.state === "empty" && asked.state === "help" ? asked : pushed;
}

/**
 * One contact: everything out, then everything in.
 * @param {boolean} [again] whether to make another at once where what came in raises a doubt
 * @returns {Promise<void>}
 */
async function contact(again = true) {
  const pushed = await out();
  if (gone(pushed)) return lose(pushed);
  const pulled = await pull();
  if (gone(pulled)) return lose(pulled);
  if (pulled.state === "revoked") return obey();
  if (!(await waiting()) && (await sendPhotos())) {
    tell("changed");
    await mend();
  }
  const log = pulled.state === "done" ? await done() : "";
  const trouble = pushed.problem ?? pulled.problem ?? "";
  await settle(trouble, log, pulled.state === "pending");
  if (pulled.changed) tell("changed");
  if (again && pulled.state === "done" && (await meta("doubt"))) await contact(false);
}

/**
 * Nobody answered who knows this device. Who must ask another server first does not know it to be a
 * stranger, whatever was said before.
 * @param {{state: string}} outcome
 */
async function lose({ state: link }) {
  const { problem } = await status();
  const solved = link === "upstream-away" && STRANGE.includes(problem);
  await become({
    link: /** @type {State["link"]} */ (link),
    ...(solved && { problem: "" }),
  });
}

/** The feed is read to its end. @returns {Promise<string>} what is wrong with the log */
async function done() {
  const [now, before] = [serverNow() ?? Date.now(), await meta("contact")];
  if (before && now - before > SILENT) await tellDiary("silent", { since: before, until: now });
  await setMeta("contact", now);
  await noteChange("rulebook", await rulebookId());
  await noteChange("version", await version());
  await tidy();
  return look();
}

/**
 * @param {string} trouble what kept the server from taking or giving something
 * @param {string} log what is wrong with the log
 * @param {boolean} pending
 */
async function settle(trouble, log, pending) {
  const known = (await meta("problem")) ?? "";
  if (trouble && trouble !== known) {
    await tellDiary("refused", { problem: trouble });
    void seek(); // a newer server may say what a newer version understands
  }
  await become({ link: "online", problem: trouble || log, pending });
}

let tidied = false;

/** Once a start, after the first contact. */
async function tidy() {
  if (tidied) return;
  tidied = true;
  void keep();
  await mend();
  await forgetOld();
}

/**
 * The device is revoked: forget everything, but only once the server was asked whether it still holds
 * all. It may have been restored, and nobody else has what it lost.
 */
async function obey() {
  const asked = await probe();
  const pushed = gone(asked) ? asked : await drain();
  if (gone(pushed)) return lose(pushed);
  await sendPhotos();
  const trouble = [asked, pushed].find(({ problem }) => problem && problem !== "fork");
  const wiped = !trouble && (await holding(wipeIfSent));
  if (wiped) tell("wiped");
  else await settle(trouble?.problem ?? "revoked", "", false);
}

/** @returns {Promise<boolean>} false when something waits that the server does not have */
async function wipeIfSent() {
  if ((await waiting()) || (await waitingPhotos()).length) return false;
  await clear();
  await wipe();
  await setMeta("revoked", true);
  return true;
}

/**
 * Make contact now, unless another tab is at it.
 * @returns {Promise<void>}
 */
export async function kick() {
  if (!(await meta("device"))) return;
  lastTry = Date.now();
  const signal = AbortSignal.timeout(HELD);
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await become({ busy: true });
    try {
      await Promise.race([contact(), given(signal)]);
    } finally {
      await become({ busy: false });
    }
  });
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<void>} resolves when the signal fires: the lock is let go, and the next beat
 *   tries anew
 */
function given(signal) {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** Beat for as long as the page lives. */
export function start() {
  const beat = async () => {
    const ms = jump();
    if (ms) await tellDiary("clock", { ms });
    const due = state.link !== "online" || ((await waiting()) > 0 && !state.problem);
    const pause = state.link === "upstream-away" ? AWAY : due ? 0 : IDLE;
    if (Date.now() - lastTry >= pause) await kick();
  };
  const soon = () => void beat().catch(report);
  setInterval(soon, BEAT);
  addEventListener("online", soon);
  addEventListener("offline", () => void kick().catch(report)); // a hint: what comes of it is the fact
  addEventListener("focus", soon);
  document.addEventListener("custody:kick", soon);
  soon();
}

/** @param {unknown} error */
function report(error) {
  state.problem = "store";
  console.error("sync:", error);
  document.dispatchEvent(new CustomEvent("custody:changed"));
}
