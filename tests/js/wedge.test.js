import assert from "node:assert/strict";
import { test } from "node:test";
const { Burst } = await import("/static/handheld/wedge.js");

/** A burst over a hand-turned clock. */
function bench() {
  const scans = [];
  const released = [];
  let pending = null;
  const timers = { set: (work) => (pending = work), clear: () => (pending = null) };
  const burst = new Burst(
    {
      emit: (scan) => scans.push(scan.raw),
      begin: () => undefined,
      release: (text) => released.push(text),
    },
    timers,
  );
  let now = 1000;
  const type = (text, gap = 4, caps = false) =>
    [...text].map((key) => burst.key(key, (now += gap), caps));
  const press = (key, gap = 4) => burst.key(key, (now += gap));
  const wait = (ms) => {
    now += ms;
    pending?.();
    pending = null;
  };
  return { scans, released, type, press, wait, burst };
}

for (const [name, end] of [
  ["Enter", ["Enter"]],
  ["Tab", ["Tab"]],
  ["CR and LF", ["Enter", "Enter"]],
]) {
  test(`a scan that ends with ${name} is taken once and its end kept from the page`, () => {
    const { scans, type, press } = bench();
    type("EV-004217K");
    assert.deepEqual(
      end.map((key) => press(key)),
      end.map(() => true),
    );
    assert.deepEqual(scans, ["EV-004217K"]);
  });
}

test("a scan without a suffix is taken after a silence", () => {
  const { scans, type, wait } = bench();
  type("EV-004217K");
  assert.deepEqual(scans, []);
  wait(140);
  assert.deepEqual(scans, ["EV-004217K"]);
});

test("a person's typing is no scan, and no key of it is kept from the field", () => {
  const { scans, type, press, wait } = bench();
  const kept = type("envelope 12", 140);
  assert.ok(kept.every((one) => one === false));
  assert.equal(press("Enter", 200), false);
  wait(500);
  assert.deepEqual(scans, []);
});

test("three quick keys of a person are given back to the field", () => {
  const { scans, released, type, wait } = bench();
  type("abc", 20);
  wait(140);
  assert.deepEqual(scans, []);
  assert.deepEqual(released, ["c"]);
});

test("twenty scans, 60 ms apart, are all taken in their order", () => {
  const { scans, type, press, burst } = bench();
  const codes = Array.from({ length: 20 }, (_none, n) => `D5-${String(n).padStart(6, "0")}A`);
  for (const code of codes) {
    type(code, 3);
    press("Enter", 3);
    burst.key("Shift", 0);
    type("", 0);
    burst.last = -Infinity;
  }
  assert.deepEqual(scans, codes);
});

test("control characters of a prefix stay in the raw text", () => {
  const { scans, type, press } = bench();
  type("\x02EV-004217K\x03");
  press("Enter");
  assert.deepEqual(scans, ["\x02EV-004217K\x03"]);
});

test("caps lock goes along with the scan", () => {
  const seen = [];
  const burst = new Burst(
    { emit: (scan) => seen.push(scan), begin: () => undefined, release: () => undefined },
    { set: () => 1, clear: () => undefined },
  );
  [..."ev-004217k"].forEach((key, at) => burst.key(key, 1000 + at, true));
  burst.key("Enter", 1011, true);
  assert.deepEqual(seen, [{ raw: "ev-004217k", caps: true }]);
});

test("an arrow key ends what was typed before it", () => {
  const { scans, type, press, wait } = bench();
  type("ab", 5);
  press("ArrowLeft");
  type("cd", 5);
  wait(140);
  assert.deepEqual(scans, []);
});
