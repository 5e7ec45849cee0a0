/**
 * Events that no server can take under their old run are recorded again under a new one: the server
 * was restored from a copy older than what is left here, it does not know the device any more, or the
 * device lost its key (protocol.md, "Push"). Who did what, when and by which clock stays as it was.
 */
import { ROOT, judged, kept as keep, rulebookId, written } from "./chain.js";
import { stamp } from "./clock.js";
import { HandheldError } from "./errors.js";
import { t } from "./words.js";

/** @typedef {import("./types.js").Kept} Kept */
/** @typedef {import("./types.js").Device} Device */
/** @typedef {import("./chain.js").Written} Written */
/** @typedef {{run: number, from: number, to: number}} Loss events that nobody holds any more */

/**
 * Put new ids in the place of old ones, wherever an event names another.
 * @param {any} value
 * @param {Map<string, string>} ids
 * @returns {any}
 */
function renamed(value, ids) {
  if (typeof value === "string") return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, ids)]));
}

/**
 * @param {Record<string, any>} event with its old place in the chain
 * @param {string} id its old id
 * @returns {string} its note, with where it stood before
 */
function note(event, id) {
  const { run, seq } = event;
  return [event.note, t("again.note", { run, seq, id })].filter(Boolean).join("\n");
}

/**
 * Write an event once more; where its note would make it too long, without the note.
 * @param {Record<string, any>} event
 * @param {string} noted
 * @returns {Promise<Written>}
 */
async function again(event, noted) {
  try {
    return await written({ ...event, note: noted });
  } catch (error) {
    if (!(error instanceof HandheldError)) throw error;
    return written(event);
  }
}

/**
 * What says that events are gone: an event of the device itself, which nobody signed. So it raises
 * an exception, and stays in sight until a person has resolved it.
 * @param {Loss} loss
 */
async function lossOf({ run, from, to }) {
  const told = { whom: "supervisor", about: t("again.lost", { run, from, to }) };
  const middle = await judged({ step: "notify", items: [], with: told }, []);
  return { v: 1, ...stamp(), rulebook: await rulebookId(), ...middle, saw: {} };
}

/**
 * Record events again as the first of a new run.
 * @param {Kept[]} old by run and seq
 * @param {Device} device whose run is the new one
 * @param {Loss[]} losses
 * @returns {Promise<{events: Kept[], carried: any[], head: import("./types.js").Head}>} `carried` are
 *   the old ones with the id, `as`, of what stands for them now
 */
export async function recordAgain(old, device, losses) {
  const ids = new Map();
  const [events, carried] = [/** @type {Kept[]} */ ([]), /** @type {any[]} */ ([])];
  let [seq, prev] = [0, ROOT];
  const place = () => ({ device: device.device, run: device.run, seq, prev, site: device.site });
  const add = (/** @type {Written} */ made) => {
    events.push(keep(made));
    prev = made.id;
  };
  for (const loss of losses) {
    seq += 1;
    add(await written({ ...(await lossOf(loss)), ...place() }));
  }
  for (const kept of old) {
    seq += 1;
    const event = JSON.parse(kept.line);
    const { saw, with: fields } = event;
    const named = { saw: renamed(saw, ids), with: renamed(fields, ids) };
    const made = await again({ ...event, ...place(), ...named }, note(event, kept.id));
    add(made);
    ids.set(kept.id, made.id);
    carried.push({ ...kept, as: made.id, carriedAt: Date.now() });
  }
  return { events, carried, head: { run: device.run, seq, id: prev } };
}
