/** Reads a scan that a screen was given, by the one function of the rules core. */
import { glance } from "./memory.js";
import { parse } from "./rules.js";

/**
 * @typedef {{kind: string, code: string, text: string, caps: string, gtin: string, serial: string,
 *   lot: string, parts: string[], warnings: {code: string, values: Record<string, unknown>}[],
 *   raw: string, locked: boolean}} Read
 *   as `codes.parse` says it; `locked` when the keyboard says that caps lock is on
 */

/**
 * @param {URLSearchParams} form with `raw`, `how` (wedge, camera, typed) and `caps`
 * @returns {Promise<Read>}
 */
export async function read(form) {
  const { prefix = "", suffix = "", gs = "" } = (await glance("settings")) ?? {};
  const how = form.get("how") ?? "typed";
  const layout = {
    prefix: prefix ? [prefix] : [],
    suffix: suffix ? [suffix] : [],
    gs,
    typed: how === "typed",
    sends_gs: how === "camera",
  };
  return { ...(await parse(form.get("raw") ?? "", layout)), locked: form.get("caps") === "1" };
}
