/** What a scan means where the screen expects nothing in particular: a place, a badge or an item. */
import { be } from "../here.js";
import { itemOf } from "../items.js";
import { read } from "../read.js";
import { places } from "../places.js";
import { record } from "../records.js";
import { route } from "../router.js";
import { outcome } from "../scan.js";
import { recent } from "../scanlog.js";
import * as signon from "../signon.js";
import { tell } from "../tabs.js";
import { askPin } from "./start.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../read.js").Read} Read */
/** @typedef {{what: "place"|"item"|"person"|"unknown", id: string, value?: any, read: Read}} Found */

/**
 * The place that a code names: its id, or the code that is printed for it.
 * @param {string[]} codes
 * @returns {Promise<string | null>}
 */
async function placeOf(codes) {
  const known = await places();
  const found = known.find(({ id }) => codes.includes(id));
  return (found ?? known.find(({ code }) => codes.includes(code)))?.id ?? null;
}

/** Readings that may name one serial or piece of a lot. */
const PARTS = new Set(["code", "serial"]);

/**
 * Find what was scanned: no substring, no guess.
 * @param {Read} scan
 * @returns {Promise<Found>}
 */
export async function find(scan) {
  const codes = [scan.code, scan.text, scan.caps].filter(Boolean);
  const place = await placeOf(codes);
  if (place) return { what: "place", id: place, read: scan };
  for (const code of codes) {
    const value = await record("item", code);
    if (value) return { what: "item", id: code, value, read: scan };
  }
  const who = await signon.byBadge(scan.text);
  if (who) return { what: "person", id: who.id, value: who, read: scan };
  const part = PARTS.has(scan.kind) && (await itemOf(codes[0] ?? ""));
  if (part) return { what: "item", id: codes[0] ?? "", value: part, read: scan };
  return { what: "unknown", id: scan.code || scan.text, read: scan };
}

/**
 * Where a found thing is shown, with what the person should be told of the scan.
 * @param {Found} found
 * @returns {Promise<import("../router.js").Screen | import("../router.js").Redirect>}
 */
async function show({ what, id, value, read: scan }) {
  const warned = scan.warnings.some((one) => one.code === "scan.caps_lock");
  const caps = scan.locked || warned || id === scan.caps;
  const mark = caps ? "?caps=1" : "";
  if (what === "place") {
    await be(id);
    tell("changed");
    return { to: `/h/place/${encodeURIComponent(id)}${mark}` };
  }
  if (what === "item") return { to: `/h/item/${encodeURIComponent(id)}${mark}` };
  if (what === "person") return askPin(value, "badge+pin", "/h/");
  return unknown(scan);
}

/**
 * @param {Read} scan
 * @returns {import("../router.js").Screen}
 */
export function unknown(scan) {
  return {
    screen: "unknown",
    status: 404,
    url: `/h/unknown?raw=${encodeURIComponent(scan.raw)}`,
    context: { scan },
  };
}

/** @param {Asked} asked */
export async function scanned({ form }) {
  const found = await find(await read(form));
  const known = found.what !== "unknown";
  await outcome(form.get("n"), known ? "ok" : "refused", { result: found.what, code: found.id });
  return show(found);
}

/** @param {Asked} asked */
async function unknownAgain({ query }) {
  const form = new URLSearchParams({ raw: query.get("raw") ?? "", how: "wedge" });
  const found = await find(await read(form));
  return found.what === "unknown" ? unknown(found.read) : show(found);
}

route("POST", "/h/scan", scanned);
route("GET", "/h/scan", async () => ({ to: "/h/" }));
route("GET", "/h/unknown", unknownAgain);
route("GET", "/h/type", async () => ({ screen: "type" }));
route("GET", "/h/scans", async () => ({ screen: "scans", context: { scans: await recent(100) } }));
