import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

globalThis.document = { documentElement: {} };
const { en } = await import("/static/handheld/words/en.js");
const { es } = await import("/static/handheld/words/es.js");
const { speak, t, trouble } = await import("/static/handheld/words.js");
const ROOT = new URL("../../custody/", import.meta.url);

/** @param {string} folder @returns {string} every file below it, joined */
function text(folder) {
  const base = new URL(folder, ROOT);
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(html|js)$/.test(name),
  );
  return files.map((name) => readFileSync(new URL(name, base), "utf8")).join("\n");
}

test("both languages have the same keys, and each text names the same values", () => {
  assert.deepEqual(Object.keys(es).sort(), Object.keys(en).sort());
  const values = (words) =>
    Object.fromEntries(
      Object.entries(words).map(([key, said]) => [
        key,
        [...said.matchAll(/\{\w+\}/g)].map(String).sort(),
      ]),
    );
  assert.deepEqual(values(es), values(en));
});

test("every key that a screen asks for has words", () => {
  const asked = [
    ...`${text("templates/handheld/")}\n${text("static/handheld/")}`.matchAll(
      /\bt\(\s*"([\w.-]+)"/g,
    ),
  ].map((found) => found[1]);
  assert.ok(asked.length > 100);
  assert.deepEqual(
    asked.filter((key) => !(key in en) && !/\.$/.test(key)),
    [],
  );
});

test("a count of one takes its own words", () => {
  speak("en");
  assert.equal(t("sign.record", { n: 1 }), "Record");
  assert.equal(t("sign.record", { n: 3 }), "Record 3 steps");
});

test("a key without words is an error, not a blank", () => {
  assert.throws(() => t("no.such.key"), RangeError);
});

test("a fault of the server's own is told as one that passes, another as one to be told", () => {
  speak("en");
  for (const passing of ["http-502", "not-stored"]) assert.match(trouble(passing), /sent again by itself/);
  assert.match(trouble("gap"), /call the administrator/);
  assert.match(trouble("fork"), /another history/);
});
