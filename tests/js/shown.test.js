import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: {} };
const { shown, timed } = await import("/static/handheld/shown.js");
const { useZone } = await import("/static/handheld/times.js");
const { speak, teach } = await import("/static/handheld/words.js");
speak("en");
teach({});
useZone("America/New_York");
const AT = Date.parse("2025-12-01T17:00:00Z");

test("a field whose type is a time is written as one, however small its number is", () => {
  assert.equal(timed(AT, ""), "Dec 1, 2025, 12:00 PM");
  assert.equal(timed(0, ""), "Dec 31, 1969, 07:00 PM");
});

test("a number of another type stays a number, however large it is", () => {
  assert.equal(shown(timed(AT, undefined)), String(AT));
});

test("of a field with a part that is a time, that part alone is written as one", () => {
  const told = timed({ at: AT, spoke_with: "gil" }, "at");
  assert.deepEqual(told, { at: "Dec 1, 2025, 12:00 PM", spoke_with: "gil" });
  assert.equal(timed(true, "at"), true);
  assert.deepEqual(timed(["a"], "at"), ["a"]);
});
