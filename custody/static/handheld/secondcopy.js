/**
 * A second copy of what was not sent yet, in the origin's private files: where IndexedDB is lost or
 * does not open, the events' exact lines and their pictures are still there. The device's key is not,
 * since nothing can read it out: what is found here is recorded again under a new run (again.js).
 */
import { hex } from "./bytes.js";
import { inState } from "./outbox.js";
import { photo, waitingPhotos } from "./photos.js";
import { meta } from "./store.js";

/** @typedef {import("./types.js").Kept} Kept */
/** @typedef {import("./types.js").Device} Device */
/** @typedef {{device: Device | null, lines: string[]}} Found lines by run and seq */

const FOLDER = "custody";
const DEVICE = "device.json";
const PICTURE = /^([0-9a-f]{64})\.jpg$/;
const NAME = /^(\d+)-(\d+)-(\d+)\.ndjson$/; // run, first seq, last seq

/** @type {"unknown" | "kept" | "none" | "failed"} */
let state = "unknown";
/** every change of the files, one after the other */
let queue = Promise.resolve();

/** @returns {typeof state} `none` in a browser without private files, `failed` after an error */
export function standing() {
  return state;
}

/** @returns {Promise<any>} the folder, or null in a browser that has none */
async function folder() {
  if (!navigator.storage?.getDirectory) return null;
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

/**
 * Change the files after what is under way. A failure is shown, and holds up nothing: the first
 * copy is the one that counts.
 * @param {(files: any) => Promise<void>} work
 * @returns {Promise<void>}
 */
function change(work) {
  queue = queue.then(async () => {
    try {
      const files = await folder();
      if (files) await work(files);
      state = files ? "kept" : "none";
    } catch (error) {
      state = "failed";
      console.warn("second copy:", error);
    }
  });
  return queue;
}

/**
 * @param {any} files
 * @param {string} name
 * @param {string | ArrayBuffer} content
 */
async function write(files, name, content) {
  const file = await files.getFileHandle(name, { create: true });
  const stream = await file.createWritable();
  await stream.write(content);
  await stream.close();
}

/** @param {Kept[]} events of one run, without a gap @param {any} files */
async function writeEvents(events, files) {
  const [first, last] = [/** @type {Kept} */ (events[0]), /** @type {Kept} */ (events.at(-1))];
  const text = events.map((kept) => `${kept.line}\n`).join("");
  await write(files, `${first.run}-${first.seq}-${last.seq}.ndjson`, text);
}

/** @param {import("./photos.js").Photo} picture @param {any} files */
function writePicture({ sha, bytes }, files) {
  return write(files, `${sha}.jpg`, bytes);
}

/**
 * Copy the events of one ceremony, and its pictures after them.
 * @param {Kept[]} events of one run, without a gap
 * @param {string[]} photos
 */
export function copy(events, photos) {
  void change(async (files) => {
    await writeEvents(events, files);
    for (const sha of photos) {
      const found = await photo(sha);
      if (found) await writePicture(found, files);
    }
  });
}

/**
 * @param {any} files
 * @returns {Promise<{name: string, run: number, first: number, last: number}[]>} by run and seq
 */
async function listed(files) {
  const found = [];
  for await (const name of files.keys()) {
    const [, run, first, last] = NAME.exec(name) ?? [];
    if (run) found.push({ name, run: Number(run), first: Number(first), last: Number(last) });
  }
  return found.sort((a, b) => a.run - b.run || a.first - b.first);
}

/**
 * Make the copy what the queue is: at start, and whenever the server has taken or lost something.
 * @returns {Promise<void>}
 */
export function mend() {
  return change(async (files) => {
    const [device, queued] = [await meta("device"), await inState("queued")];
    if (!device) return; // nothing is known here, which is what the copy is for
    await write(files, DEVICE, JSON.stringify(device));
    const wanted = new Map(queued.map((kept) => [`${kept.run} ${kept.seq}`, kept]));
    for (const { name, run, first, last } of await listed(files)) {
      const held = Array.from({ length: last - first + 1 }, (_, at) => `${run} ${first + at}`);
      if (!held.some((key) => wanted.has(key))) await files.removeEntry(name);
      else for (const key of held) wanted.delete(key);
    }
    for (const events of stretches([...wanted.values()])) await writeEvents(events, files);
    await mendPictures(files);
  });
}

/** @param {any} files */
async function mendPictures(files) {
  const wanted = new Map((await waitingPhotos()).map((one) => [one.sha, one]));
  for (const sha of await pictured(files)) {
    if (!wanted.delete(sha)) await files.removeEntry(`${sha}.jpg`);
  }
  for (const one of wanted.values()) await writePicture(one, files);
}

/** @param {any} files @returns {Promise<string[]>} the SHA-256 of each picture that is copied */
async function pictured(files) {
  const found = [];
  for await (const name of files.keys()) found.push(PICTURE.exec(name)?.[1] ?? "");
  return found.filter(Boolean);
}

/**
 * @param {Kept[]} events by run and seq
 * @returns {Kept[][]} in pieces of one run without a gap
 */
export function stretches(events) {
  /** @type {Kept[][]} */
  const found = [];
  for (const kept of events) {
    const before = found.at(-1)?.at(-1);
    const goesOn = before && before.run === kept.run && before.seq + 1 === kept.seq;
    if (goesOn) found.at(-1)?.push(kept);
    else found.push([kept]);
  }
  return found;
}

/** @param {any} files @param {string} name @returns {Promise<string>} "" where there is none */
async function text(files, name) {
  try {
    return await (await (await files.getFileHandle(name)).getFile()).text();
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return "";
    throw error;
  }
}

/** @returns {Promise<Found>} what the copy holds, whether or not IndexedDB opens */
export async function found() {
  const files = await folder();
  if (!files) return { device: null, lines: [] };
  const device = await text(files, DEVICE);
  const texts = [];
  for (const { name } of await listed(files)) texts.push(await text(files, name));
  const lines = texts.flatMap((one) => one.split("\n").filter(Boolean));
  return { device: device ? JSON.parse(device) : null, lines };
}

/**
 * @returns {Promise<{sha: string, bytes: ArrayBuffer}[]>} the pictures that the copy holds whole; one
 *   that was being written when the browser ended is none
 */
export async function foundPictures() {
  const files = await folder();
  const found = [];
  for (const sha of files ? await pictured(files) : []) {
    const bytes = await (await (await files.getFileHandle(`${sha}.jpg`)).getFile()).arrayBuffer();
    if (hex(await crypto.subtle.digest("SHA-256", bytes)) === sha) found.push({ sha, bytes });
  }
  return found;
}

/** Empty it: the device is wiped, or what it held is recorded again. @returns {Promise<void>} */
export function clear() {
  return change(async (files) => {
    for await (const name of files.keys()) await files.removeEntry(name);
  });
}
