/**
 * The app's own files: registers the service worker and takes a new version when the person is
 * ready for it. A waiting version never takes over by itself; what was begun is kept as a draft.
 */
import { say } from "./aloud.js";
import { tell } from "./tabs.js";
import { t } from "./words.js";

/** @type {"none" | "ready" | "taken"} */
let state = "none";
const PREFIX = "custody-"; // of the caches' names (sw.js)
const HOUR = 3_600_000;
/** @type {ServiceWorkerRegistration | null} */
let registration = null;

/** @returns {typeof state} */
export function applied() {
  return state;
}

/** @returns {Promise<string>} the version whose files are kept here, "" before any is */
export async function version() {
  const kept = (await globalThis.caches?.keys()) ?? [];
  const own = kept.find((name) => name.startsWith(PREFIX));
  return own?.slice(PREFIX.length, PREFIX.length + 12) ?? "";
}

/** @param {typeof state} next */
function become(next) {
  if (state === next) return;
  state = next;
  say(t("update.ready"));
  tell("changed");
}

/** @param {ServiceWorker | null} worker */
function watch(worker) {
  worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && navigator.serviceWorker.controller) become("ready");
  });
}

/** Register the worker, and look for a new version when the page comes to the front. */
export async function start() {
  if (!("serviceWorker" in navigator)) return;
  const controlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (controlled) become("taken"); // another tab took the new version: reload when idle
  });
  registration = await navigator.serviceWorker.register("/h/sw.js", {
    scope: "/h/",
    updateViaCache: "none",
  });
  if (registration.waiting && controlled) become("ready");
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration?.installing ?? null));
  addEventListener("focus", () => void seek());
  setInterval(() => void seek(), HOUR); // a handheld may stay in front for days
}

/** Look whether the server has a new version; off line it is looked for another time. */
export async function seek() {
  await registration?.update().catch(() => undefined);
}

/** Let the worker keep the files for later use too, now that there is a network. */
export async function keep() {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("keep");
}

/** Take the waiting version, if there is one, and start the page anew. */
export async function take() {
  const waiting = registration?.waiting;
  if (!waiting) return location.reload();
  const changed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  });
  waiting.postMessage("take");
  await changed;
  location.reload();
}
