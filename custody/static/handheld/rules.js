/**
 * The rules core under MicroPython, and its one door. The core asks for facts; what it asks for
 * and was not given, the page fetches from the replica and calls again.
 */
import { HandheldError } from "./errors.js";
import { openFor } from "./exceptions.js";
import { meta } from "./store.js";
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
  const call = await warm();
  const answer = JSON.parse(call(name, JSON.stringify(args)));
  if (answer.error) throw new HandheldError("rules-failed", { name, ...answer.error });
  return answer;
}

/** Load the rulebook in force into the core, again when the feed has brought another. */
export async function load() {
  const feed = await meta("feed");
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
  loaded = text;
}

/** How each question of the core is answered from the replica. */
const ANSWERS = { at: atPlace, sealed: withSeal, places: ofType, open: openFor };

/** What the core was told about one question; later answers of the same question add to it. */
export class Told {
  constructor() {
    /** @type {Map<string, [string, string, any]>} */
    this.records = new Map();
    /** @type {Record<keyof typeof ANSWERS, Map<string, any[]>>} */
    this.lists = { at: new Map(), sealed: new Map(), places: new Map(), open: new Map() };
  }

  /** @returns {Record<string, unknown[]>} */
  facts() {
    const lists = Object.entries(this.lists).map(([name, known]) => [name, [...known]]);
    return { records: [...this.records.values()], ...Object.fromEntries(lists) };
  }

  /** Ask again what lies where: an event has moved something. */
  forgetLists() {
    for (const known of Object.values(this.lists)) known.clear();
  }

  /** @param {Missing[]} questions that are likely to come; what is told already stays */
  async expect(questions) {
    const open = questions.filter(([what, one, two = ""]) =>
      what === "get"
        ? !this.records.has(`${one} ${two}`)
        : !this.lists[/** @type {keyof typeof ANSWERS} */ (what)].has(one),
    );
    await Promise.all(open.map((entry) => this.fetch(entry)));
  }

  /** @param {Missing} missing */
  async fetch([what, one, two = ""]) {
    if (what === "get")
      return this.put(one, two, await (one === "event" ? bodyOf(two) : record(one, two)));
    const name = /** @type {keyof typeof ANSWERS} */ (what);
    this.lists[name].set(one, await ANSWERS[name](one));
  }

  /**
   * @param {string} of
   * @param {string} id
   * @param {any} value
   */
  put(of, id, value) {
    this.records.set(`${of} ${id}`, [of, id, value ?? null]);
  }
}

/** @type {Map<string, Missing[]>} questions that the core asks every time, of places and people */
const habits = new Map();
const MOST_HABITS = 120;
const LASTING = new Set(["place", "person", "task"]);

/**
 * Note what the core asked for, so that the next question of this name is answered in fewer rounds.
 * @param {string} name
 * @param {Missing[]} missing
 */
function note(name, missing) {
  const known = habits.get(name) ?? [];
  const lasting = missing.filter(
    ([what, of, id]) => what === "places" || (what === "get" && (LASTING.has(of) || id === "")),
  );
  habits.set(name, [...known, ...lasting].slice(-MOST_HABITS));
}

/**
 * @param {Record<string, unknown>} args
 * @returns {Missing[]} what will be asked of the item or place that the question is about
 */
function about({ code_or_place: code }) {
  if (typeof code !== "string") return [];
  return [
    ["get", "item", code],
    ["get", "place", code],
    ["open", code],
  ];
}

/**
 * Ask the rules core, fetching what it misses.
 * @param {string} name judge, fold, form, steps, due, gaming_day, parse
 * @param {Record<string, unknown>} args
 * @param {Told} [told] what is known beforehand; kept and added to
 * @returns {Promise<any>}
 */
export async function ask(name, args, told = new Told()) {
  await load();
  await told.expect([...(habits.get(name) ?? []), ...about(args)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { result, missing } = await knock(name, { ...args, facts: told.facts() });
    if (!missing?.length) return result;
    note(name, missing);
    await Promise.all(missing.map((entry) => told.fetch(entry)));
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
