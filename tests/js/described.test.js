import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: {} };
const { described } = await import("/static/handheld/described.js");
const { speak } = await import("/static/handheld/words.js");
speak("en");

test("a stick is told by its dice and its games", () => {
  const attributes = { size: 5, games: ["craps", "mini_craps"], colour: "red" };
  assert.equal(described({ kind: "dice", pieces: 5, attributes }), "5 dice, craps, mini craps, red");
  assert.equal(described({ kind: "dice", pieces: 1, attributes: {} }), "1 die");
});

test("a batch of cards is told by its decks, its cards, its games and its back", () => {
  const attributes = { decks: 8, games: ["blackjack"], back: "bee red" };
  const said = described({ kind: "cards", pieces: 416, attributes });
  assert.equal(said, "8 decks, 416 cards, blackjack, back: bee red");
});

test("an envelope is told by how many it holds and what for, never by its seal", () => {
  const packed = { kind: "envelope", pieces: 3, purpose: "used", seal: "S-0001", attributes: {} };
  assert.equal(described(packed), "3 inside · used");
  assert.equal(described({ kind: "envelope", pieces: 0, purpose: null }), "nothing inside");
});

test("a lot of coupons is told by its kind, its value and its serials", () => {
  const attributes = { type: "match_play", denomination: 2500, first: "0001", last: "0500" };
  assert.equal(described({ kind: "coupons", attributes }), "match play, $25.00, 0001–0500");
});
