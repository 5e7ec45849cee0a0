/**
 * Takes scans from every way in, one after the other, and hands each to the screen that is up:
 * a screen says with `data-scan` where its scans go. Nothing waits for focus or for a reply.
 */
import { feedback } from "./feedback.js";
import { amend, log } from "./scanlog.js";
import { listen } from "./wedge.js";

/** The same code again within this time is the scanner's, not the person's. */
const DOUBLE = 300;
const DEFAULT = "/h/scan";
/** htmx queues requests by their source: scans have one that nothing else uses. */
const QUEUE = "#said";

/** @typedef {"wedge" | "camera" | "typed"} How */
/** @typedef {{raw: string, how: How, at: number, caps: boolean,
 *   field: HTMLInputElement | HTMLTextAreaElement | null}} Offered */

/** @type {Offered[]} */
const queue = [];
let working = false;
let taken = 0;
/** @type {Map<string, Promise<number>>} scans under way, with their numbers in the scan log */
const logs = new Map();
/** @type {{raw: string, at: number}} */
let before = { raw: "", at: -Infinity };

/**
 * @param {string} raw
 * @param {How} how
 * @param {{caps?: boolean, field?: Offered["field"]}} [more]
 */
export function offer(raw, how, { caps = false, field = null } = {}) {
  const at = Date.now();
  const double = raw === before.raw && at - before.at < DOUBLE;
  before = { raw, at };
  if (double) {
    void log({ at, raw, how, result: "double" });
    return;
  }
  queue.push({ raw, how, at, caps, field });
  void work();
}

/** Take what is queued, in order, one at a time. */
async function work() {
  if (working) return;
  working = true;
  try {
    for (let next = queue.shift(); next; next = queue.shift()) await take(next);
  } finally {
    working = false;
  }
}

/**
 * Hand a scan to the screen. A field in focus gets it only if codes belong there (`data-code`).
 * @param {Offered} offered
 */
async function take({ raw, how, at, caps, field }) {
  const n = String((taken += 1));
  const logged = log({ at, raw, how, result: "taken" });
  const written = logged.catch(unwritten);
  logs.set(n, logged);
  const screen = document.getElementById("screen");
  const action = field?.dataset.scan ?? screen?.dataset.scan ?? DEFAULT;
  const values = {
    raw,
    how,
    caps: caps ? "1" : "",
    n,
    field: field && "code" in field.dataset ? field.name : "",
  };
  await htmx.ajax("POST", action, {
    source: QUEUE,
    target: "#screen",
    swap: "outerHTML",
    values: { ...values, ...kept(screen) },
  });
  await written; // on the disk before the next one is taken
  logs.delete(n);
}

/**
 * What the person has entered so far goes along, so that a scan never loses it.
 * @param {HTMLElement | null} screen
 * @returns {Record<string, string>}
 */
function kept(screen) {
  const form = screen?.querySelector("form[data-keep]");
  if (!(form instanceof HTMLFormElement)) return {};
  return { form: new URLSearchParams(/** @type {any} */ (new FormData(form))).toString() };
}

/** @param {unknown} error of what a scan does beside its screen */
function unwritten(error) {
  console.warn("scan:", error);
}

/**
 * Note what came of a scan, and let the person feel it.
 * @param {string | null} n which scan it was
 * @param {"ok" | "again" | "refused"} what
 * @param {{result: string, code?: string}} change
 */
export async function outcome(n, what, change) {
  const logged = logs.get(n ?? "");
  if (logged) void logged.then((number) => amend(number, change)).catch(unwritten);
  void feedback(what).catch(unwritten);
}

/**
 * A code that was typed goes where a scan would go.
 * @param {SubmitEvent} event
 */
function submitted(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-type-code]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const raw = String(new FormData(form).get("raw") ?? "");
  form.reset();
  offer(raw, "typed");
}

/** Listen to the page. */
export function start() {
  document.addEventListener("submit", submitted, true);
  listen(({ raw, caps }, field) => offer(raw, "wedge", { caps, field }));
}
