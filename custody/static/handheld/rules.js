/**
 * The rules core under MicroPython, and its one door. The core asks for facts; what it asks for
 * and was not given, the page fetches from the replica and calls again.
 */
import { HandheldError } from "./errors.js";
import { openFor } from "./exceptions.js";
import { age, glance, onForgotten } from "./memory.js";
import { bodyOf } from "./outbox.js";
import { loadMicroPython } from "./lib.js";
import { ofType, atPlace, record, withSeal } from "./records.js";

const WASM = "/static/vendor/micropython/micropython.wasm";
const HEAP = 16 * 1024 * 1024;
const PYSTACK = 64 * 1024;
const ROUNDS = 12;

/** @typedef {[what: string, one: string, two?: string]} Missing
 *   a question of the core: get (of, id), at (place), sealed (seal), places (type), open (code) */

/** @type {Promise<(name: string, text: string) => string> | null} */
let door = null;
/** what `load` was given last, so that a new rulebook is loaded once */
let loaded = "";
/** where the feed stood then: while it stands there, nothing can have changed */
let loadedAt = "";

/** @returns {Promise<(name: string, text: string) => string>} */
async function start() {
  const options = { url: WASM, heapsize: HEAP, pystack: PYSTACK };
  const [python, files] = await Promise.all([
    loadMicroPython(options),
    fetch("/static/built/rules.json").then((answer) => answer.json()),
  ]);
  for (const [path, text] of Object.entries(files)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    python.FS.mkdirTree(`/rules/${folder}`);
    python.FS.writeFile(`/rules/${path}`, text);
  }
  python.runPython("import sys\nsys.path.insert(0, '/rules')\nfrom custody.rules import portal");
  const portal = python.globals.get("portal");
  ready = (name, text) => portal.call(name, text);
  return ready;
}

/** @type {((name: string, text: string) => string) | null} */
let ready = null;

/**
 * Call the core without waiting: for what a template says, once the core has answered anything.
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {any}
 */
export function now(name, args) {
  if (!ready) throw new HandheldError("rules-not-ready", { name });
  const { result, error } = JSON.parse(ready(name, JSON.stringify(args)));
  if (error) throw new HandheldError("rules-failed", { name, ...error });
  return result;
}

/** Start the interpreter; called at start, so that the first scan does not wait for it. */
export function warm() {
  door ??= start();
  door.catch(() => {
    door = null; // the next call tries again
  });
  return door;
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {Promise<{result: any, missing?: Missing[]}>}
 */
async function knock(name, args) {
  const call = ready ?? (await warm());
  const answer = JSON.parse(call(name, JSON.stringify(args)));
  if (answer.error) forgetAll(); // who knows how far it came with what it was told
  if (answer.error) throw new HandheldError("rules-failed", { name, ...answer.error });
  return answer;
}

/** Load the rulebook in force into the core, again when the feed has brought another. */
export async function load() {
  const feed = await glance("feed");
  const mark = `${feed?.gen} ${feed?.after}`;
  if (mark !== loadedAt) await loadNow();
  loadedAt = mark;
}

/** Load the rulebook and the setting, unless they are what is loaded. */
async function loadNow() {
  const site = await record("setting", "site");
  if (!site) throw new HandheldError("rules-not-ready");
  const rulebook = await record("rulebook", site.rulebook);
  if (!rulebook) throw new HandheldError("rules-not-ready", { rulebook: site.rulebook });
  const controls = await record("setting", "controls");
  const text = JSON.stringify([site, controls, rulebook]);
  if (text === loaded) return;
  await knock("load", { rulebook, site: { ...site, controls: controls ?? site.controls } });
  forgetAll();
  loaded = text;
}

/** How each question of the core is answered from the replica. */
const ANSWERS = { at: atPlace, sealed: withSeal, places: ofType, open: openFor };

/** Which kind of record an answer is made of. */
const MADE_OF = { at: "item", sealed: "item", places: "place", open: "task" };

/** @typedef {keyof typeof ANSWERS} Listed */
/** @typedef {{records: [string, string, any][]} & Record<Listed, [string, any][]>} Facts */

/** @returns {Facts} */
const nothing = () => ({ records: [], at: [], sealed: [], places: [], open: [] });

const MOST_HELD = 4000;
/** @type {Map<string, Missing>} what the core holds of the replica, by the question it answers */
const held = new Map();
/** what it is told at the next call, and what it is to forget before */
let telling = nothing();
/** @type {Missing[]} */
let forgetting = [];
let anew = true;

/** The core holds nothing of the replica, or is to forget all of it. */
function forgetAll() {
  held.clear();
  [telling, forgetting, anew] = [nothing(), [], true];
}

/**
 * @param {Missing} question
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
    forgetting.push(question);
  }
});

/**
 * Have an answer from the replica told to the core with its next call.
 * @param {Missing} question
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
  if (what === "get") telling.records.push([one, two, answer]);
  else telling[/** @type {Listed} */ (what)].push([one, answer]);
}

/** @param {Missing[]} questions that are asked, or likely to be */
function expect(questions) {
  return Promise.all(
    questions.filter((question) => !held.has(question.join(" "))).map(fetchFact),
  );
}

/** @returns {Record<string, unknown>} what has changed since the call before */
function news() {
  const facts = { ...telling, forget: forgetting, anew };
  [telling, forgetting, anew] = [nothing(), [], false];
  return facts;
}

/** What holds upon the replica: records that steps not yet recorded would leave. */
export class Told {
  constructor() {
    /** @type {Map<string, [string, string, any]>} */
    this.over = new Map();
  }

  /**
   * @param {string} of
   * @param {string} id
   * @returns {Promise<any>} the value as it would be
   */
  async get(of, id) {
    const over = this.over.get(`${of} ${id}`);
    return over ? over[2] : record(of, id);
  }

  /**
   * @param {string} of
   * @param {string} id
   * @param {any} value
   */
  put(of, id, value) {
    this.over.set(`${of} ${id}`, [of, id, value ?? null]);
  }
}

/**
 * What will be asked of the item or place that a question is about.
 * @param {Record<string, any>} args
 * @returns {Promise<Missing[]>}
 */
async function about({ code_or_place: code, codes, draft, event }) {
  const named = [code, ...(codes ?? []), ...((draft ?? event)?.items ?? [])].slice(0, MOST_NAMED);
  const found = await Promise.all(named.map((one) => (typeof one === "string" ? near(one) : [])));
  return found.flat();
}
const MOST_NAMED = 50;

/**
 * @param {string} code of an item or place
 * @returns {Promise<Missing[]>} it and what the rules look at beside it
 */
async function near(code) {
  const value = await record("item", code);
  const around = [value?.in, ...(value?.contents ?? [])].filter(Boolean).slice(0, MOST_NAMED);
  /** @type {Missing[]} */
  const asked = [["get", "item", code], ["get", "place", code], ["open", code]];
  for (const one of around) asked.push(["get", "item", one]);
  if (value?.place) asked.push(["get", "place", value.place]);
  return asked;
}

/**
 * Ask the rules core, fetching what it misses.
 * @param {string} name judge, fold, form, steps, due, gaming_day, parse
 * @param {Record<string, unknown>} args
 * @param {Told} [told] what holds upon the replica
 * @returns {Promise<any>}
 */
export async function ask(name, args, told = new Told()) {
  await load();
  if (held.size > MOST_HELD) forgetAll();
  await expect(await about(args));
  for (let round = 0; round < ROUNDS; round += 1) {
    const over = [...told.over.values()];
    const { result, missing } = await knock(name, { ...args, facts: { ...news(), over } });
    if (!missing?.length) return result;
    await expect(missing);
  }
  throw new HandheldError("rules-not-ready", { name });
}

/**
 * Read what was scanned or typed. Needs no rulebook: a handheld reads codes before its first sync.
 * @param {string} raw
 * @param {Record<string, unknown>} layout prefixes and suffixes of this device's scanner
 */
export async function parse(raw, layout) {
  return (await knock("parse", { raw, layout })).result;
}
