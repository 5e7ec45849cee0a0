import assert from "node:assert/strict";
import { test } from "node:test";

const { Sightings } = await import("/static/handheld/sightings.js");

test("one read is not enough: a garbled picture is never a scan", () => {
  const seen = new Sightings();
  assert.equal(seen.see("EV-1", 0), null);
  assert.equal(seen.see("EV-7", 110), null);
  assert.equal(seen.see("EV-1", 220), null);
});

test("two equal reads are a scan, once for the five seconds that the label is held", () => {
  const seen = new Sightings();
  const taken = [];
  for (let at = 0; at <= 5000; at += 110) taken.push(seen.see("EV-1", at));
  assert.deepEqual(taken.filter(Boolean), ["EV-1"]);
});

test("a picture without a code between two reads does not spoil them", () => {
  const seen = new Sightings();
  seen.see("EV-1", 0);
  seen.see(null, 110);
  assert.equal(seen.see("EV-1", 220), "EV-1");
});

test("the same label is taken again once it was out of view", () => {
  const seen = new Sightings();
  seen.see("EV-1", 0);
  assert.equal(seen.see("EV-1", 110), "EV-1");
  assert.equal(seen.see("EV-1", 3000), null);
  assert.equal(seen.see("EV-1", 3110), "EV-1");
});
