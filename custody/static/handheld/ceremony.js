/**
 * One ceremony signs all the steps of a flow: the list is shown, each signer signs once, then every
 * event is appended in one transaction. Each step is judged upon the state the one before leaves.
 */
import { append, body } from "./chain.js";
import { stamp } from "./clock.js";
import { HandheldError } from "./errors.js";
import { age } from "./memory.js";
import { foldOver } from "./pending.js";
import { ask, Told } from "./rules.js";
import { idOf, said, signature as drawn } from "./outsiders.js";
import { present, signature } from "./signon.js";

/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {import("./signon.js").SignOn} SignOn */
/** @typedef {import("./outsiders.js").Outsider} Outsider */
/** @typedef {string | ReturnType<typeof said>} Signer somebody of the house by id, or who is not */
/** @typedef {{code: string, clause: string | null, values: Record<string, unknown>, who: string[],
 *   items?: string[]}} Reason */

const MOST_TRIED = 5;
const NOT_YOURS = "fact-not-yours";
/** What the rules answered is asked for again after the minute. */
const MINUTE = 60_000;

/**
 * @param {Draft} draft
 * @param {Signer[]} by
 * @param {number} at
 * @returns {Promise<Record<string, any>>} what `judge`, `form` and `fold` take
 */
export async function judgeable(draft, by, at = stamp().at) {
  const day = await ask("gaming_day", { at });
  const here = (await present()).map((one) => one.person);
  return { ...body(draft, []), by, at, offset: stamp().offset, day, present: here };
}

/** @type {{key: string, may: boolean} | null} what was found last */
let stating = null;

/** @returns {Promise<boolean>} whether one of those signed on may state what has happened already */
export async function mayState() {
  const key = JSON.stringify([await present(), age(), Math.floor(stamp().at / MINUTE)]);
  if (stating?.key === key) return stating.may;
  const draft = await judgeable({ step: "notify", items: [], with: {} }, []);
  const may = (await ask("form", { draft })).fact.length > 0;
  stating = { key, may };
  return may;
}

/**
 * What keeps a step from being recorded. A fact is never refused, but only some may state one.
 * @param {Draft} draft
 * @param {Reason[]} reasons
 */
export function hindering(draft, reasons) {
  return draft.with.fact ? reasons.filter(({ code }) => code === NOT_YOURS) : reasons;
}

/**
 * Judge a list of steps, as if each were recorded before the next.
 * @param {Draft[]} drafts
 * @param {Signer[][]} by who signs each
 * @returns {Promise<Reason[][]>} the reasons against each; [] where nothing is against it
 */
export async function judge(drafts, by) {
  const told = new Told();
  const found = [];
  for (const [number, draft] of drafts.entries()) {
    const signers = by[number] ?? [];
    const asked = await judgeable(draft, signers);
    found.push((await ask("judge", { draft: asked }, told)).reasons);
    if (number === drafts.length - 1) break;
    const since = { how: "badge+pin", at: asked.at, mono: 0 };
    const signed = signers.map((one) => (typeof one === "string" ? { person: one, ...since } : one));
    await foldOver({ ...asked, by: signed }, "", told);
  }
  return found;
}

/**
 * @param {Signer[]} people
 * @returns {Signer[][]} every order of all of them, the given one first
 */
function orders(people) {
  if (people.length <= 1) return [people];
  return people.flatMap((one) =>
    orders(people.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}

/** @typedef {{by: Signer[][], reasons: Reason[][]}} Assigned */

/** @type {{key: string, found: Promise<Assigned>} | null} what was found last */
let last = null;

/**
 * The first who signs performs the step. Of the orders in which these people can stand, take for
 * each step the first with the fewest reasons against it. What the list just showed is not found out
 * again when it is recorded, unless the replica has changed since, or the minute.
 * @param {Draft[]} drafts
 * @param {Signer[]} people
 * @returns {Promise<Assigned>}
 */
export async function assign(drafts, people) {
  const minute = Math.floor(stamp().at / MINUTE);
  const key = JSON.stringify([drafts, people, await present(), age(), minute]);
  if (last?.key !== key) last = { key, found: assigned(drafts, people) };
  const mine = last;
  mine.found.catch(() => {
    if (last === mine) last = null; // the next asks again
  });
  return mine.found;
}

/**
 * @param {Draft[]} drafts
 * @param {Signer[]} people
 * @returns {Promise<Assigned>}
 */
async function assigned(drafts, people) {
  const choices = orders(people.slice(0, MOST_TRIED)).map((order) => [
    ...order,
    ...people.slice(MOST_TRIED),
  ]);
  const by = drafts.map(() => people);
  if (choices.length > 1) {
    for (let number = 0; number < drafts.length; number += 1) {
      by[number] = await best(drafts.slice(0, number + 1), by.slice(0, number), choices);
    }
  }
  return { by, reasons: await judge(drafts, by) };
}

/**
 * @param {Draft[]} drafts up to the step that is asked about
 * @param {Signer[][]} before who signs the steps before it
 * @param {Signer[][]} choices
 * @returns {Promise<Signer[]>}
 */
async function best(drafts, before, choices) {
  let chosen = choices[0] ?? [];
  let fewest = Infinity;
  for (const choice of choices) {
    const against = (await judge(drafts, [...before, choice])).at(-1)?.length ?? 0;
    if (against < fewest) [chosen, fewest] = [choice, against];
    if (against === 0) break;
  }
  return chosen;
}

/** @param {Reason} reason @returns {boolean} whether a signature could answer it */
export function aboutSigners({ code }) {
  return code.startsWith("signer-") || code === "nobody-signs" || code === NOT_YOURS;
}

/**
 * Record a ceremony. All of it is durable when this resolves, or none of it.
 * @param {Draft[]} drafts
 * @param {(SignOn | Outsider)[]} signed
 * @param {Signer[][]} by who signs each step, the one who performs it first
 * @param {string} draft id of the kept draft
 */
export function record(drafts, signed, by, draft) {
  const signs = new Map(signed.map((one) => [one.person ?? idOf(one), one]));
  const find = (/** @type {Signer} */ one) => {
    const sign = signs.get(typeof one === "string" ? one : idOf(one));
    if (!sign) throw new HandheldError("not-found", { what: one });
    return sign.person === undefined ? drawn(sign) : signature(sign);
  };
  return append(drafts, by.map((people) => people.map(find)), draft);
}
