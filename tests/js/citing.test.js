import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: {} };
const { speak, teach } = await import("/static/handheld/words.js");
const { citing } = await import("/static/handheld/citing.js");

speak("en");
teach({
  "step.issue": { en: "Issue" },
  "job.floorperson": { en: "floorperson" },
  "field.seal": { en: "Seal" },
  "line.locked": { en: "The compartment is locked" },
  "word.dice": { en: "dice" },
});
const book = {
  step: [
    {
      step: "issue",
      when: { kind: "dice" },
      house: "Who issues signs.",
      clause: ["MD-1"],
      signers: [{ need: ["floorperson"] }, { need: ["anyone"], clause: "MD-3" }],
      fields: [{ name: "seal", clause: "MD-2" }],
    },
    { step: "issue", checklist: [{ line: "locked", clause: "MD-2" }] },
  ],
  clock: [{ clause: ["MD-4"], period: { hours: 24 }, in_force: "2026-07-01" }],
};

test("an entry that names a clause is shown with what it asks for because of it", () => {
  const { entries, more } = citing(book, "MD-1");
  assert.equal(more, 0);
  assert.deepEqual(entries, [
    {
      heading: "Issue",
      when: "kind: dice",
      house: "Who issues signs.",
      in_force: "",
      lines: ["Signs: floorperson"],
    },
  ]);
});

test("what only a part of an entry names is shown alone, wherever it stands", () => {
  assert.deepEqual(
    citing(book, "MD-2").entries.map((one) => one.lines),
    [["Asks for: Seal"], ["To be looked at: The compartment is locked"]],
  );
});

test("a time limit says its own values, and from when it holds", () => {
  const [clock] = citing(book, "MD-4").entries;
  assert.equal(clock.heading, "Time limit");
  assert.deepEqual(clock.lines, ["period: hours: 24"]);
  assert.equal(clock.in_force, "2026-07-01");
});

test("a clause that no entry names has none, and so has a device without a rulebook", () => {
  assert.deepEqual(citing(book, "MD-9"), { entries: [], more: 0 });
  assert.deepEqual(citing(null, "MD-1"), { entries: [], more: 0 });
});
