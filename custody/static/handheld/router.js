/**
 * Answers htmx from the replica: matches a path to a handler and returns its page as a Response.
 * A screen is asked for, answered and swapped in the same way on line and off.
 */
import { HandheldError } from "./errors.js";
import { refresh } from "./memory.js";
import { render } from "./render.js";
import { rescue } from "./rescue.js";

/**
 * @typedef {{method: string, path: string, params: Record<string, string>,
 *   query: URLSearchParams, form: URLSearchParams, url: string}} Asked
 * @typedef {{screen: string, context?: Record<string, unknown>, status?: number, url?: string}} Screen
 *   `url` is the address the screen stands at, when it is not the one asked for
 * @typedef {{to: string}} Redirect
 * @typedef {(asked: Asked) => Promise<Screen | Redirect>} Handler
 */

/** @type {{method: string, match: RegExp, names: string[], handler: Handler}[]} */
const routes = [];
const HOPS = 5;

/**
 * @param {"GET" | "POST"} method
 * @param {string} pattern such as /h/item/:code
 * @param {Handler} handler
 */
export function route(method, pattern, handler) {
  const names = [...pattern.matchAll(/:(\w+)/g)].map((found) => String(found[1]));
  const match = new RegExp(`^${pattern.replace(/:\w+/g, "([^/]+)")}/?$`);
  routes.push({ method, match, names, handler });
}

/**
 * @param {string} method
 * @param {string} url
 * @param {URLSearchParams} form
 * @returns {{handler: Handler, asked: Asked} | null}
 */
function find(method, url, form) {
  const { pathname, searchParams, search } = new URL(url, location.origin);
  for (const { method: verb, match, names, handler } of routes) {
    const found = verb === method ? match.exec(pathname) : null;
    if (!found) continue;
    const params = Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? "")]),
    );
    const asked = {
      method,
      path: pathname,
      params,
      query: searchParams,
      form,
      url: pathname + search,
    };
    return { handler, asked };
  }
  return null;
}

/**
 * Follow redirects until there is a screen.
 * @param {string} method
 * @param {string} url
 * @param {URLSearchParams} form
 * @returns {Promise<{page: Screen, url: string}>}
 */
async function resolve(method, url, form) {
  for (let hop = 0; hop < HOPS; hop += 1) {
    const found = find(method, url, form);
    if (!found) return { page: { screen: "missing", context: { url }, status: 404 }, url };
    const barred = await guard(found.asked);
    const page = barred ? { to: barred } : await found.handler(found.asked);
    if ("screen" in page) return { page, url: page.url ?? found.asked.url };
    [method, url, form] = ["GET", page.to, new URLSearchParams()];
  }
  throw new HandheldError("not-found", { url });
}

/**
 * @param {unknown} error
 * @returns {Promise<Screen>}
 */
async function failed(error) {
  const kind = error instanceof HandheldError ? error.kind : "unexpected";
  const values = error instanceof HandheldError ? error.values : {};
  console.error("screen:", kind, JSON.stringify(values), error);
  const context = { kind, values, rescue: await rescue(kind) };
  return { screen: "error", context, status: 500 };
}

/** @type {(asked: Asked) => Promise<string | null>} */
let guard = async () => null;

/** @param {typeof guard} decide says where someone goes who may not see what was asked for yet */
export function protect(decide) {
  guard = decide;
}

/** @type {(page: Screen) => Promise<Record<string, unknown>>} */
let common = async () => ({});

/** @param {typeof common} give what every screen's context has besides its own */
export function share(give) {
  common = give;
}

/**
 * Answer one request.
 * @param {string} url
 * @param {{method: string, body?: any}} request
 * @returns {Promise<Response>}
 */
export async function answer(url, { method, body }) {
  const form = new URLSearchParams(body ?? "");
  let page = /** @type {Screen} */ ({ screen: "error" });
  let at = url;
  await refresh().catch(() => undefined); // whoever needs the store asks again, and says so
  try {
    ({ page, url: at } = await resolve(method, url, form));
  } catch (error) {
    page = await failed(error);
  }
  const shared = await common(page).catch(async (error) => (await failed(error)).context ?? {});
  const html = render(page.screen, { ...shared, ...page.context, path: at });
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8" });
  if (method === "POST") headers.set(at === here() ? "HX-Replace-Url" : "HX-Push-Url", at);
  return new Response(html, { status: page.status ?? 200, headers });
}

/** @returns {string} */
function here() {
  return location.pathname + location.search;
}

/** @type {unknown} what somebody asked for last: no older answer takes the screen from it */
let latest = null;

/**
 * Let htmx ask the router for every address of the handheld, and let what was tapped last be shown
 * also where a screen that renews itself has meanwhile taken the place of the one it was tapped on.
 */
export function hook() {
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    const { pathname, origin } = new URL(ctx.request.action, location.href);
    if (origin === location.origin && pathname.startsWith("/h/")) ctx.fetch = answer;
    if (ctx.target?.id === "screen" && !ctx.sourceElement.hasAttribute("hx-trigger")) latest = ctx;
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    if (ctx === latest && !ctx.target.isConnected) ctx.target = document.querySelector("#screen");
  });
}
