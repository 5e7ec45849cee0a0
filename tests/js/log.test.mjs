// Run by test_log.py, which makes the vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LogError, readReceipt, readVerifiers } from "../../custody/static/desk/verify.js";
import { readCheckpoint } from "../../custody/static/shared/notes.js";
import { checkGrew, tilePath } from "../../custody/static/shared/tiles.js";
import { headerOf, watch } from "../../custody/static/shared/witness.js";

const vectors = JSON.parse(readFileSync(process.env.VECTORS, "utf8"));
const verifiers = await readVerifiers(vectors.verifier);
const levels = vectors.levels.map((packed) => new Uint8Array(Buffer.from(packed, "base64")));
const at = (size) => readCheckpoint(vectors.checkpoints[size], verifiers);

/** @param {string} code */
const fails = (code) => (error) => {
  assert.ok(error instanceof LogError, String(error));
  assert.equal(error.code, code);
  return true;
};

async function readTile(path) {
  const [, level, digits, width = "256"] = /^(\d+)\/([x\d/]+)(?:\.p\/(\d+))?$/.exec(path);
  const number = Number(digits.replaceAll(/[x/]/g, ""));
  return levels[Number(level)].slice(number * 8192, number * 8192 + Number(width) * 32);
}

test("a receipt proves its event", async () => {
  for (const [n, text] of vectors.receipts.entries()) {
    const proven = await readReceipt(text, verifiers, vectors.events[n]);
    assert.equal(proven.position, n);
    assert.equal(proven.received, vectors.received[n]);
    assert.equal(proven.checkpoint.size, 11);
    assert.deepEqual(proven.checkpoint.signers, ["custody/oak"]);
    assert.equal(proven.checkpoint.checked, true);
  }
});

test("a receipt for another event says so", async () => {
  await assert.rejects(readReceipt(vectors.receipts[4], verifiers, "{}"), fails("other-event"));
});

test("a receipt that was touched proves nothing", async () => {
  const text = vectors.receipts[4];
  const line = text.split("\n")[3];
  const cases = [
    [text.replace("proof@v1", "proof@v2"), "malformed"],
    [text.replace("index 4", "index 5"), "malformed"],
    [text.replace("index 4", "index 04"), "malformed"],
    [text.replace(line, line.replace(/^./, (c) => (c === "A" ? "B" : "A"))), "not-included"],
    [text.replace(`${line}\n`, ""), "not-included"],
    [text.replace(`${line}\n`, `${line}\n${line}\n`), "not-included"],
    [text.replace("\n11\n", "\n12\n"), "bad-signature"],
    [text.replace(/\u2014 custody\/oak/, "\u2014 custody/elm"), "unsigned"],
    [text.slice(0, text.indexOf("\n\n")), "malformed"],
    ["", "malformed"],
  ];
  for (const [touched, code] of cases) {
    assert.notEqual(touched, text);
    await assert.rejects(readReceipt(touched, verifiers), fails(code), code);
  }
});

test("without Ed25519 in the browser a receipt is marked unchecked", async (t) => {
  t.mock.method(crypto.subtle, "importKey", () => {
    throw new DOMException("no such algorithm", "NotSupportedError");
  });
  const proven = await readReceipt(vectors.receipts[4], verifiers);
  assert.equal(proven.checkpoint.checked, false);
});

test("a verifier that does not fit its key id is refused", async () => {
  const wrong = vectors.verifier.replace("oak", "elm");
  await assert.rejects(readVerifiers(wrong), fails("malformed"));
  await assert.rejects(readVerifiers("nonsense"), fails("malformed"));
  await assert.rejects(readVerifiers(" \n"), fails("malformed"));
});

test("a log that grew is found to have grown, between all sizes", async () => {
  const sizes = Object.keys(vectors.checkpoints).map(Number);
  for (const old of sizes) {
    for (const fresh of sizes.filter((size) => size >= old)) {
      await checkGrew(await at(old), await at(fresh), readTile);
    }
  }
});

test("a log that was rewritten is found out", async () => {
  const fork = await readCheckpoint(vectors.fork, verifiers);
  for (const size of [300, 512, 70000]) {
    await assert.rejects(checkGrew(fork, await at(size), readTile), fails("inconsistent"));
  }
  await assert.rejects(checkGrew(await at(512), await at(300), readTile), fails("inconsistent"));
});

test("tiles that do not lead to the signed root prove nothing", async () => {
  const lying = async (path) => (await readTile(path)).map((byte, n) => (n === 5 ? byte ^ 1 : byte));
  await assert.rejects(checkGrew(await at(257), await at(70000), lying), fails("inconsistent"));
  const short = async (path) => (await readTile(path)).slice(1);
  await assert.rejects(checkGrew(await at(257), await at(70000), short), fails("malformed"));
});

test("a checkpoint of the log that took over is no growth of the old one", async () => {
  const known = await readVerifiers(`${vectors.verifier}\n${vectors.second}`);
  const fresh = await readCheckpoint(vectors.other, known);
  await assert.rejects(checkGrew(await at(256), fresh, readTile), fails("other-log"));
});

test("a tile's path is that of the specification", () => {
  assert.equal(tilePath(0, 1234067, 256), "0/x001/x234/067");
  assert.equal(tilePath(2, 0, 17), "2/000.p/17");
  assert.equal(tilePath(1, 999, 256), "1/999");
  assert.equal(tilePath(1, 1000, 256), "1/x001/000");
});

/** A server that answers with these texts, and with the vectors' tiles. */
const server = (answers) => async (path) => {
  if (path.startsWith("/log/tile/")) return new Response(await readTile(path.slice(10)));
  return path in answers ? new Response(answers[path]) : new Response("", { status: 503 });
};
const first = { note: null, verifiers: vectors.verifier };

test("a device keeps the first checkpoint that it sees and checks each later one", async () => {
  let kept = await watch(first, server({ "/log/checkpoint": vectors.checkpoints[257] }));
  assert.deepEqual([kept.state, kept.checked, kept.previous], ["first", true, null]);
  kept = await watch(kept, server({ "/log/checkpoint": vectors.checkpoints[257] }));
  assert.equal(kept.state, "same");
  kept = await watch(kept, server({ "/log/checkpoint": vectors.checkpoints[66000] }));
  assert.equal(kept.state, "grew");
  assert.equal(kept.note, vectors.checkpoints[66000]);
  const back = watch(kept, server({ "/log/checkpoint": vectors.checkpoints[512] }));
  await assert.rejects(back, fails("inconsistent"));
  const other = watch({ ...kept, note: vectors.fork }, server({ "/log/checkpoint": kept.note }));
  await assert.rejects(other, fails("inconsistent"));
});

test("a log that took over is followed and told, unless it hides what the device saw", async () => {
  const kept = { ...first, note: vectors.checkpoints[300] };
  const seen = await watch(kept, server({ "/log/checkpoint": vectors.resumed, "/log/verifier": vectors.listed }));
  assert.equal(seen.state, "resumed");
  assert.match(seen.previous, /^custody\/oak 300 /);
  assert.equal(seen.verifiers, vectors.listed);
  const ahead = { ...first, note: vectors.checkpoints[512] };
  await assert.rejects(watch(ahead, server({ "/log/checkpoint": vectors.resumed })), fails("inconsistent"));
});

test("a new key is believed once it signs beside a believed one, and a listed one alone is not", async () => {
  const answers = { "/log/checkpoint": vectors.rotated, "/log/verifier": vectors.bothKeys };
  const seen = await watch({ ...first, note: vectors.checkpoints[256] }, server(answers));
  assert.equal(seen.verifiers, vectors.bothKeys);
  const stranger = { ...answers, "/log/checkpoint": vectors.checkpoints[300] };
  const same = await watch({ ...first, note: vectors.checkpoints[256] }, server(stranger));
  assert.equal(same.verifiers, vectors.verifier);
  const alone = { "/log/checkpoint": vectors.newKeyOnly, "/log/verifier": vectors.bothKeys };
  await assert.rejects(watch(first, server(alone)), fails("unsigned"));
});

test("a server whose log has stopped is no alarm by itself", async () => {
  await assert.rejects(watch(first, server({})), /log\/checkpoint: 503/);
});

test("the header is the base64url of the whole note", () => {
  const note = vectors.checkpoints[300];
  assert.equal(Buffer.from(headerOf(note), "base64url").toString(), note);
  assert.match(headerOf(note), /^[A-Za-z0-9_-]+$/);
});
