import assert from "node:assert/strict";
import { test } from "node:test";

const fields = await import("/static/handheld/fields.js");
const { measures, parts } = fields;

/** The site's clock is five hours behind. @param {string} typed */
const instant = (typed) => Date.parse(`${typed}-05:00`) || null;
const read = (form, of) => fields.read(form, of, instant);

test("an empty field is left out of the event", () => {
  assert.deepEqual(
    read(new URLSearchParams({ "with.seal": " " }), [{ name: "seal", type: "code" }]),
    {},
  );
});

test("each type of the vocabulary becomes what an event holds", () => {
  const form = new URLSearchParams(
    "with.label=yes&with.invoiced=12&with.instruments=magnet&with.instruments=micrometer&with.evidence=D5-1+D5-2",
  );
  const named = [
    { name: "label", type: "bool" },
    { name: "invoiced", type: "int" },
    { name: "instruments", type: "words" },
    { name: "evidence", type: "codes" },
  ];
  assert.deepEqual(read(form, named), {
    label: true,
    invoiced: 12,
    instruments: ["magnet", "micrometer"],
    evidence: ["D5-1", "D5-2"],
  });
});

test("a time is read by the site's clock, and what is none is left for the rules", () => {
  const of = [{ name: "at", type: "time" }];
  const typed = new URLSearchParams({ "with.at": "2026-12-01T08:00" });
  assert.deepEqual(read(typed, of), { at: Date.parse("2026-12-01T13:00:00Z") });
  assert.deepEqual(read(new URLSearchParams({ "with.at": "noon" }), of), { at: "noon" });
});

test("measures are strings in inches, never floats", () => {
  assert.deepEqual(measures("0.7501 0.7502 0.7501\n0.7500, 0.7501, 0.7503\n"), [
    ["0.7501", "0.7502", "0.7501"],
    ["0.7500", "0.7501", "0.7503"],
  ]);
});

test("a number that is none stays as it was typed, for the rules to say what is wrong", () => {
  assert.deepEqual(
    read(new URLSearchParams({ "with.invoiced": "1.5" }), [{ name: "invoiced", type: "int" }]),
    { invoiced: "1.5" },
  );
});

test("pieces are a count or names", () => {
  const field = [{ name: "pieces", type: "pieces" }];
  assert.deepEqual(read(new URLSearchParams({ "with.pieces": "4" }), field), { pieces: 4 });
  assert.deepEqual(read(new URLSearchParams({ "with.pieces": "red-1 red-2" }), field), {
    pieces: ["red-1", "red-2"],
  });
});

test("a form names parts of the draft, and leaves out those it does not fill", () => {
  assert.deepEqual(
    parts(new URLSearchParams({ "part.to": "CR1", "part.into": "", "part.note": "late" })),
    { to: "CR1", note: "late" },
  );
});
