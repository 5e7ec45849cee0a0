/**
 * Pictures to a step: made smaller and drawn anew, so that nothing of the camera's own data is left,
 * before they are hashed; kept here, named by their SHA-256 in `with.photos`, and sent after the
 * events, in pieces that go on where a broken one ended (protocol.md, "Pictures").
 */
import { hex } from "./bytes.js";
import { tellDiary } from "./diary.js";
import { HandheldError } from "./errors.js";
import { request, unheard } from "./net.js";
import { transact } from "./store.js";

export const MOST = 5;
const LONGEST = 1600; // pixels of the longer side
const QUALITY = 0.8;
const PIECE = 256 * 1024;

/**
 * @typedef {{sha: string, type: string, bytes: ArrayBuffer, at: number,
 *   state: "draft"|"queued"|"sent"|"refused", sent: number, problem?: string}} Photo
 *   `draft` until its event is recorded; `sent` bytes are with the server
 */

/**
 * Draw a picture anew, no larger than needed: pixels alone, the right way up.
 * @param {Blob} file
 * @returns {Promise<Blob>} JPEG
 */
async function redrawn(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) throw new HandheldError("bad-input", { type: "no-picture" });
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (made) => (made ? resolve(made) : reject(new HandheldError("bad-input", {}))),
      "image/jpeg",
      QUALITY,
    ),
  );
}

/**
 * Keep a picture for a step that is being filled in.
 * @param {Blob} file as the camera or the gallery gives it
 * @returns {Promise<string>} its SHA-256
 */
export async function take(file) {
  const made = await redrawn(file);
  const bytes = await made.arrayBuffer();
  const sha = hex(await crypto.subtle.digest("SHA-256", bytes));
  const photo = { sha, type: made.type, bytes, at: Date.now(), state: "draft", sent: 0 };
  await transact("photos", "readwrite", async (tx) => {
    const store = tx.objectStore("photos");
    if (!(await store.get(sha))) await store.put(photo);
  });
  return sha;
}

/** @param {string} sha @returns {Promise<Photo | undefined>} */
export function photo(sha) {
  return transact("photos", "readonly", (tx) => tx.objectStore("photos").get(sha));
}

/** @type {Map<string, string>} addresses of pictures that were shown in this start */
const addresses = new Map();

/**
 * @param {string} sha
 * @param {ArrayBuffer} bytes
 * @param {string} type
 */
function address(sha, bytes, type) {
  const known = addresses.get(sha) ?? URL.createObjectURL(new Blob([bytes], { type }));
  addresses.set(sha, known);
  return known;
}

/**
 * @typedef {{sha256: string, state: "here"|"awaited"|"refused", event: string, at: number,
 *   step: string}} Elsewhere a picture as the server knows it
 */

/**
 * The pictures of an item, of whatever device: from here where they are kept, else small copies of
 * the server's.
 * @param {string} code
 * @returns {Promise<{link: "online"|"offline"|"refused", pictures: (Elsewhere & {src: string})[]}>}
 */
export async function ofItem(code) {
  const told = await request(`/sync/v1/pictures?item=${encodeURIComponent(code)}`);
  if (!told.ok) return { link: unheard(told.type) ? "offline" : "refused", pictures: [] };
  const known = /** @type {Elsewhere[]} */ (told.answer.pictures ?? []);
  const pictures = await Promise.all(known.map(async (one) => ({ ...one, src: await source(one) })));
  return { link: "online", pictures };
}

/** @param {Elsewhere} one @returns {Promise<string>} its address; "" while it cannot be had */
async function source({ sha256: sha, state }) {
  const known = addresses.get(sha);
  if (known) return known;
  const kept = await photo(sha);
  if (kept) return address(sha, kept.bytes, kept.type);
  if (state !== "here") return "";
  const had = await request(`/sync/v1/blobs/${sha}?size=small`, { picture: true });
  return had.ok ? address(sha, had.answer, "image/jpeg") : "";
}

/**
 * @param {string[]} shas
 * @returns {Promise<{sha: string, src: string, state: string, problem: string}[]>} `problem` says why
 *   the server refused it
 */
export async function shown(shas) {
  const found = await Promise.all(shas.map(photo));
  return found.map((one, at) => {
    const sha = String(shas[at]);
    if (one) address(sha, one.bytes, one.type);
    const [src, state] = [addresses.get(sha) ?? "", one?.state ?? "elsewhere"];
    return { sha, src, state, problem: one?.problem ?? "" };
  });
}

/** @param {string} sha of a picture that is taken back before it was recorded */
export function dropPhoto(sha) {
  return transact("photos", "readwrite", async (tx) => {
    const store = tx.objectStore("photos");
    if ((await store.get(sha))?.state === "draft") await store.delete(sha);
  });
}

/**
 * Queue the pictures of recorded events.
 * @param {any} tx a transaction over `photos`
 * @param {string[]} shas
 */
export async function queue(tx, shas) {
  const store = tx.objectStore("photos");
  for (const sha of shas) {
    const one = await store.get(sha);
    if (one && one.state !== "sent") await store.put({ ...one, state: "queued" });
  }
}

/** @param {Record<string, any>} event @returns {string[]} */
export function named(event) {
  return (event.with?.photos ?? []).map(String);
}

/**
 * @param {import("./types.js").Draft[]} steps
 * @returns {Record<string, string[]>} the pictures by step, so that a flow keeps them when it is gone
 *   back to
 */
export function photosIn(steps) {
  return Object.fromEntries(steps.map((one) => [one.step, named(one)]));
}

/**
 * @param {import("./types.js").Draft} draft
 * @param {string[]} photos
 * @returns {import("./types.js").Draft}
 */
export function pictured(draft, photos) {
  return photos.length ? { ...draft, with: { ...draft.with, photos } } : draft;
}

/** @param {string} sha @param {Partial<Photo>} change */
function amend(sha, change) {
  return transact("photos", "readwrite", async (tx) => {
    const store = tx.objectStore("photos");
    const one = await store.get(sha);
    if (one) await store.put({ ...one, ...change });
  });
}

/** @returns {Promise<Photo[]>} the pictures of recorded events that the server does not have yet */
export function waitingPhotos() {
  return transact("photos", "readonly", (tx) =>
    tx.objectStore("photos").index("state").getAll("queued"),
  );
}

/** @returns {Promise<number>} how many those are; their bytes are not read */
export function waitingPictures() {
  return transact("photos", "readonly", (tx) =>
    tx.objectStore("photos").index("state").count("queued"),
  );
}

/** A server that was restored lacks pictures as well. @returns {Promise<void>} */
export async function sendAgain() {
  const all = await transact("photos", "readonly", (tx) => tx.objectStore("photos").getAll());
  for (const one of all) if (one.state === "sent") await amend(one.sha, { state: "queued", sent: 0 });
}

/**
 * Send the pictures that wait; one that cannot be sent holds up no other.
 * @returns {Promise<boolean>} whether anything was sent
 */
export async function sendPhotos() {
  let any = false;
  for (const one of await waitingPhotos()) {
    const done = await sendPhoto(one);
    if (done === "offline") break;
    any ||= done === "sent";
  }
  return any;
}

/**
 * Send one picture from where the server has it.
 * @param {Photo} one
 * @returns {Promise<"sent" | "refused" | "later" | "offline">}
 */
async function sendPhoto(one) {
  let from = one.sent < one.bytes.byteLength ? one.sent : 0;
  for (let tries = 0; tries <= one.bytes.byteLength / PIECE + 3; tries += 1) {
    const outcome = await piece(one, from);
    const { ok, status, type, answer } = outcome;
    if (unheard(type)) return "offline";
    if (ok && status !== 202) {
      await amend(one.sha, { state: "sent", sent: one.bytes.byteLength });
      return "sent";
    }
    if (ok || type === "wrong-offset" || type === "cut-short") {
      from = answer.offset ?? 0;
      await amend(one.sha, { sent: from });
    } else if (status === 422 || status === 413 || status === 400) {
      await amend(one.sha, { state: "refused", problem: type });
      await tellDiary("photo", { problem: type });
      return "refused";
    } else return "later";
  }
  return "later";
}

/** @param {Photo} one @param {number} from */
function piece({ sha, bytes }, from) {
  const to = Math.min(bytes.byteLength, from + PIECE);
  return request(`/sync/v1/blobs/${sha}`, {
    method: "PUT",
    type: "application/octet-stream",
    bytes: bytes.slice(from, to),
    headers: { "Content-Range": `bytes ${from}-${to - 1}/${bytes.byteLength}` },
  });
}
