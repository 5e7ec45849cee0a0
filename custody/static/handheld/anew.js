/**
 * The replica as the pending events leave it when they are folded anew: the base, and over it what
 * those events have left so far. Nothing of it is on the disk, and no screen sees it, before all of
 * them are folded.
 */
import { openFor, PREFIX } from "./exceptions.js";
import { bodyOf } from "./outbox.js";
import { merged } from "./records.js";
import { transact } from "./store.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./facts.js").Question} Question */

const TASKS = IDBKeyRange.bound(["task", PREFIX], ["task", `${PREFIX}\uffff`]);

/**
 * @param {(base: any) => Promise<any>} read
 * @returns {Promise<any>} what it finds in the base
 */
function ofBase(read) {
  return transact("base", "readonly", (tx) => read(tx.objectStore("base")));
}

/** The state that one folding anew stands at. */
export class Anew {
  constructor() {
    /** @type {Map<string, Row>} */
    this.rows = new Map();
  }

  /**
   * @param {string} of
   * @param {string} id
   * @returns {Promise<any>} the value, or null when it is not known
   */
  async get(of, id) {
    const own = this.rows.get(`${of} ${id}`) ?? (await ofBase((base) => base.get([of, id])));
    return own?.value ?? null;
  }

  /**
   * @param {string} of
   * @param {string} id
   * @param {any} value
   */
  put(of, id, value) {
    this.rows.set(`${of} ${id}`, { of, id, value });
  }

  /**
   * @param {string} of
   * @param {(base: any) => Promise<Row[]>} read
   * @param {(value: any) => boolean} [keep]
   * @returns {Promise<Row[]>} what the base has, with what was left over it
   */
  async list(of, read, keep = () => true) {
    const own = [...this.rows.values()].filter((row) => row.of === of);
    return merged(await ofBase(read), own, (row) => keep(row.value));
  }

  /** @returns {Promise<Row[]>} the records of open exceptions */
  async tasks() {
    const found = await this.list("task", (base) => base.getAll(TASKS));
    return found.filter((row) => row.id.startsWith(PREFIX));
  }

  /**
   * @param {Question} question of the core
   * @returns {Promise<any>} its answer in this state
   */
  async answer([what, one, two = ""]) {
    if (what === "get") return one === "event" ? bodyOf(two) : this.get(one, two);
    if (what === "open") return openFor(one, await this.tasks());
    return (await this.found(what, one)).map((row) => row.id).sort();
  }

  /**
   * @param {string} what at, sealed or places
   * @param {string} key a place, a seal or a type of places
   * @returns {Promise<Row[]>}
   */
  found(what, key) {
    if (what === "places") {
      const read = (/** @type {any} */ base) => base.index("of").getAll("place");
      return this.list("place", read, (value) => value.type === key);
    }
    const [index, asked] = what === "at" ? ["place", ["item", key]] : ["seal", key];
    const read = (/** @type {any} */ base) => base.index(index).getAll(asked);
    return this.list("item", read, (value) => value[String(index)] === key);
  }
}
