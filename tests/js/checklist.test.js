import assert from "node:assert/strict";
import { test } from "node:test";

const { asked, checked, tickedIn, toggled } = await import("/static/handheld/checklist.js");

const LINES = [
  { line: "flat_surface", clause: "MD-1" },
  { line: "tools_at_hand", clause: null },
];
const draft = { step: "inspect", items: ["D5-1"], with: { result: "pass" } };

test("each line is ticked by itself, and a second tap takes the tick back", () => {
  const one = toggled(draft, "flat_surface");
  assert.deepEqual(one.with, { result: "pass", checked: ["flat_surface"] });
  assert.deepEqual(
    asked(one, LINES).map(({ line, ticked }) => [line, ticked]),
    [
      ["flat_surface", true],
      ["tools_at_hand", false],
    ],
  );
  assert.deepEqual(toggled(toggled(one, "tools_at_hand"), "flat_surface").with.checked, [
    "tools_at_hand",
  ]);
});

test("a step of which nothing was looked at says nothing of it", () => {
  assert.deepEqual(toggled(toggled(draft, "flat_surface"), "flat_surface").with, draft.with);
  assert.deepEqual(checked({ ...draft, with: { checked: ["x"] } }, []).with, {});
});

test("a flow keeps its ticks by step", () => {
  const play = { step: "play", items: [], with: {} };
  assert.deepEqual(tickedIn([toggled(draft, "flat_surface"), play]), {
    inspect: ["flat_surface"],
    play: [],
  });
});
