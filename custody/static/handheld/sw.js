/**
 * The service worker: keeps the app's own files, one cache a version, filled whole or not at all,
 * and answers a reload of any /h/ address with the shell. The route puts `MANIFEST` before this.
 */
/// <reference lib="webworker" />

/** @type {{version: string, files: {path: string, load: string}[]}} */
const manifest = /** @type {any} */ (self).MANIFEST;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PREFIX = "custody-";
const NAME = PREFIX + manifest.version;
const SHELL = "/h/";
const OWN = new Set(manifest.files.map((file) => file.path));

/** Fill this version's cache; a file that cannot be had leaves no cache behind. */
async function fill() {
  const cache = await caches.open(NAME);
  const paths = manifest.files.filter((file) => file.load === "install").map((file) => file.path);
  try {
    const fresh = [SHELL, ...paths].map((path) => new Request(path, { cache: "no-cache" }));
    await cache.addAll(fresh);
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** Let go of this app's older versions, and of nothing else. */
async function clean() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * @param {Request | string} asked
 * @returns {Promise<Response>} what is kept, else the network's answer; a file for later use is
 *   kept from its first use on
 */
async function own(asked) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(asked, { ignoreSearch: true });
  if (kept) return kept;
  const answer = await fetch(asked);
  if (answer.ok) await cache.put(asked, answer.clone());
  return answer;
}

/** Fetch what a person may first need where there is no network, such as the camera's reader. */
async function keepAll() {
  for (const { path, load } of manifest.files) if (load === "use") await own(path);
}

worker.addEventListener("install", (event) => event.waitUntil(fill()));
worker.addEventListener("activate", (event) => event.waitUntil(clean()));
worker.addEventListener("message", (event) => {
  if (event.data === "take") event.waitUntil(worker.skipWaiting());
  if (event.data === "keep") event.waitUntil(keepAll().catch(() => undefined)); // at the next start
});
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== location.origin || event.request.method !== "GET") return;
  if (event.request.mode === "navigate") {
    if (pathname.startsWith("/h/") || pathname === "/h") event.respondWith(own(SHELL));
  } else if (OWN.has(pathname)) {
    event.respondWith(own(event.request));
  }
});
