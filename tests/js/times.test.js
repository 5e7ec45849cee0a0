import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: {} };
const { useZone, when } = await import("/static/handheld/times.js");
const { speak } = await import("/static/handheld/words.js");
speak("en");

/** @param {string} text */
const at = (text) => Date.parse(text);

test("a time is shown in the site's zone, whatever zone the device is set to", () => {
  const now = at("2026-12-01T05:30:00Z");
  useZone("Asia/Tokyo");
  assert.equal(when(at("2026-12-01T04:30:00Z"), now), "01:30 PM");
  useZone("America/New_York");
  assert.equal(when(at("2026-12-01T04:30:00Z"), now), "Nov 30, 11:30 PM", "its day was another there");
  assert.equal(when(at("2026-12-01T05:10:00Z"), now), "12:10 AM");
});

test("a time of another year says which", () => {
  assert.equal(when(at("2025-12-01T17:00:00Z"), at("2026-12-01T17:00:00Z")), "Dec 1, 2025, 12:00 PM");
});

test("a zone that the browser does not know is passed over, and no time is no text", () => {
  useZone("Nowhere/At_All");
  assert.equal(when(at("2026-12-01T17:00:00Z"), at("2026-12-01T17:00:01Z")), "12:00 PM");
  assert.equal(when(null), "");
});
