/**
 * The rules core under MicroPython, and its one door. The core asks for facts; what it asks for
 * and was not given, the page fetches from the replica and calls again.
 */
import { HandheldError } from "./errors.js";
import { about, expect, forgetAll, news, trim, written } from "./facts.js";
import { loadMicroPython } from "./lib.js";
import { glance } from "./memory.js";
import { record } from "./records.js";

const WASM = "/static/vendor/micropython/micropython.wasm";
const HEAP = 16 * 1024 * 1024;
const PYSTACK = 64 * 1024;
/** The interpreter tidies its heap after so much was used, not after each call: that took a third of it. */
const TIDIED_AFTER = HEAP / 2;
const ROUNDS = 12;

/** @typedef {import("./facts.js").Question} Question */

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
  python.runPython(`import gc, sys
gc.threshold(${TIDIED_AFTER})
sys.path.insert(0, '/rules')
from custody.rules import portal`);
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
 * @returns {Promise<{result: any, missing?: Question[]}>}
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
 * Ask the rules core, fetching what it misses.
 * @param {string} name judge, fold, form, steps, due, gaming_day, parse
 * @param {Record<string, unknown>} args
 * @param {Told} [told] what holds upon the replica
 * @returns {Promise<any>}
 */
export async function ask(name, args, told = new Told()) {
  await load();
  trim();
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
 * Ask the rules core of another state than the replica's, in which it is told every answer, and of
 * which it holds nothing afterwards.
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @param {import("./anew.js").Anew} state
 * @returns {Promise<any>}
 */
export async function askOf(name, args, state) {
  await load();
  /** @type {{question: Question, answer: any}[]} */
  const answers = [];
  let asked = await about(args);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const question of asked) answers.push({ question, answer: await state.answer(question) });
    await warm();
    forgetAll(); // at the very call, or a screen's question in between would be answered of this state
    const { result, missing } = await knock(name, { ...args, facts: written(answers) });
    if (!missing?.length) return result;
    asked = missing;
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
