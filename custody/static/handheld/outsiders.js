/**
 * Who signs and is not of the house, such as the regulator's representative: what they say of
 * themselves, and their signature drawn over the exact text (vocabulary.md, "outside signer").
 */
import { boot, mono } from "./clock.js";

/**
 * @typedef {{name: string, agency: string, number: string, job: string}} Said
 * @typedef {Said & {person?: undefined, how: "drawn", signature: string, at: number, mono: number,
 *   boot: string}} Outsider
 */

/** The box in which a signature is drawn, in its own units. */
export const BOX = { width: 400, height: 160 };
export const LONGEST = 6000; // characters: an event has room for several
const DRAWN = /^(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})*)+$/;
const LEAST = 8; // points: a dot or a slip of the finger is no signature
const PARTS = /** @type {const} */ (["name", "agency", "number", "job"]);

/** @param {string} path @returns {boolean} whether somebody has drawn something */
export function isDrawn(path) {
  return path.length <= LONGEST && DRAWN.test(path) && path.split(/[ML]/).length > LEAST;
}

/** @param {Said} who @returns {string} as whom records know them */
export function idOf({ agency, number }) {
  return `${agency} ${number}`;
}

/** @param {Said} who @returns {Said & {how: string}} what the rules judge by */
export function said({ name, agency, number, job }) {
  return { name, agency, number, job, how: "drawn" };
}

/**
 * @param {URLSearchParams} form
 * @returns {Said & {signature: string}} what was entered, without blanks around it
 */
export function entered(form) {
  const text = (/** @type {string} */ part) => (form.get(part) ?? "").trim();
  const [name = "", agency = "", number = "", job = ""] = PARTS.map(text);
  return { name, agency, number, job, signature: text("signature") };
}

/** @param {Said & {signature: string}} who @returns {Outsider} who signs now */
export function signing(who) {
  return { ...who, how: "drawn", at: Date.now(), mono: mono(), boot };
}

/** @param {Outsider} who @returns {import("./types.js").Signature} as it stands in an event */
export function signature({ name, agency, number, job, how, signature: drawn, at, mono: since }) {
  return { name, agency, number, job, how, signature: drawn, at, mono: since };
}
