/**
 * What the rules core has been told of the replica: each answer once, until the replica has another.
 */
import { openFor } from "./exceptions.js";
import { age, onForgotten } from "./memory.js";
import { bodyOf } from "./outbox.js";
import { atPlace, ofType, record, withSeal } from "./records.js";

/** @typedef {[what: string, one: string, two?: string]} Question
 *   of the core: get (of, id), at (place), sealed (seal), places (type), open (code) */

/** How each question of the core is answered from the replica. */
const ANSWERS = { at: atPlace, sealed: withSeal, places: ofType, open: openFor };

/** Which kind of record an answer is made of. */
const MADE_OF = { at: "item", sealed: "item", places: "place", open: "task" };

/** @typedef {keyof typeof ANSWERS} Listed */
/** @typedef {Map<string, {question: Question, answer: any}>} Answers */

const MOST_HELD = 4000;
const MOST_NAMED = 50;

/** @type {Map<string, Question>} what the core holds, or is told at the next call */
const held = new Map();
/** @type {Answers} what it is told at the next call */
const telling = new Map();
/** @type {Question[]} what it is to forget before */
let forgetting = [];
let anew = true;

/** The core holds nothing of the replica, or is to forget all of it. */
export function forgetAll() {
  held.clear();
  telling.clear();
  [forgetting, anew] = [[], true];
}

/** Begin anew where the core holds much; called between questions, since one may need any number. */
export function trim() {
  if (held.size > MOST_HELD) forgetAll();
}

/**
 * @param {Question} question
 * @param {Set<string>} kinds kinds of the records that have changed
 * @param {Set<string>} names and those records
 * @returns {boolean} whether the answer may be another one now
 */
function outdated([what, of, id = ""], kinds, names) {
  if (what !== "get") return kinds.has(MADE_OF[/** @type {Listed} */ (what)]);
  return of === "event" || names.has(`${of} ${id}`);
}

onForgotten((keys) => {
  if (keys === null) return forgetAll();
  const kinds = new Set(keys.map(({ of }) => of));
  const names = new Set(keys.map(({ of, id }) => `${of} ${id}`));
  for (const [name, question] of held) {
    if (!outdated(question, kinds, names)) continue;
    held.delete(name);
    if (!telling.delete(name)) forgetting.push(question); // else it was not told yet
  }
});

/**
 * Have an answer from the replica told to the core with its next call.
 * @param {Question} question
 */
async function fetchFact(question) {
  const [what, one, two = ""] = question;
  const name = question.join(" ");
  let [before, answer] = [NaN, /** @type {any} */ (null)];
  while (before !== age()) {
    before = age(); // what changed meanwhile is read again
    answer =
      what === "get"
        ? await (one === "event" ? bodyOf(two) : record(one, two))
        : await ANSWERS[/** @type {Listed} */ (what)](one);
  }
  if (held.has(name)) return;
  held.set(name, question);
  telling.set(name, { question, answer });
}

/** @param {Question[]} questions that are asked, or likely to be */
export async function expect(questions) {
  const open = questions.filter((question) => !held.has(question.join(" ")));
  await Promise.all(open.map(fetchFact));
}

/**
 * @param {Iterable<{question: Question, answer: any}>} answers
 * @returns {Record<string, any[]>} them as `portal.known` reads them
 */
export function written(answers) {
  /** @type {Record<string, any[]>} */
  const facts = { records: [], at: [], sealed: [], places: [], open: [] };
  for (const { question, answer } of answers) {
    const [what, one, two] = question;
    if (what === "get") facts.records?.push([one, two, answer]);
    else facts[what]?.push([one, answer]);
  }
  return facts;
}

/** @returns {Record<string, unknown>} what has changed since the call before */
export function news() {
  const told = { ...written(telling.values()), forget: forgetting, anew };
  telling.clear();
  [forgetting, anew] = [[], false];
  return told;
}

/**
 * What will be asked of the items or the place that a question is about.
 * @param {Record<string, any>} args
 * @returns {Promise<Question[]>}
 */
export async function about({ code_or_place: code, codes, draft, event }) {
  const named = [code, ...(codes ?? []), ...((draft ?? event)?.items ?? [])].slice(0, MOST_NAMED);
  const found = await Promise.all(named.map((one) => (typeof one === "string" ? near(one) : [])));
  return found.flat();
}

/**
 * @param {string} code of an item or place
 * @returns {Promise<Question[]>} it and what the rules look at beside it
 */
async function near(code) {
  const value = await record("item", code);
  const around = [value?.in, ...(value?.contents ?? [])].filter(Boolean).slice(0, MOST_NAMED);
  /** @type {Question[]} */
  const asked = [["get", "item", code], ["get", "place", code], ["open", code]];
  for (const one of around) asked.push(["get", "item", one]);
  if (value?.place) asked.push(["get", "place", value.place]);
  return asked;
}
