/**
 * Who is signed on at this handheld. People, PIN verifiers and leases come through the changes
 * feed; a PIN is checked here, offline. A PIN gives accountability, not secrecy.
 */
import { base64url, fromBase64url, sha256, utf8 } from "./bytes.js";
import { boot, mono, serverNow } from "./clock.js";
import { HandheldError } from "./errors.js";
import { glance } from "./memory.js";
import { all, record } from "./records.js";
import { setMeta, transact } from "./store.js";
import { clear, locked, spend } from "./tries.js";

const HOUR = 3_600_000;
const LONGEST_LEASE = 168;
/** For how long a checked PIN signs without being asked again. */
export const FRESH = 10 * 60_000;

/** @typedef {import("./types.js").Signature} Signature */
/** @typedef {{id: string, name: string, job: string, department: string, badge: string | null,
 *   pin: {salt: string, hash: string, rounds: number} | null, lease_hours: number,
 *   active?: boolean}} Person */
/** @typedef {{person: string, how: string, at: number, mono: number, boot: string}} SignOn */

/** @returns {Promise<Person[]>} everyone who may sign here, by name */
export async function roster() {
  const rows = await all("person");
  return rows
    .map((row) => ({ id: row.id, ...row.value }))
    .filter((person) => person.pin && person.active !== false)
    .sort((a, b) => (a.name ?? a.id).localeCompare(b.name ?? b.id));
}

/**
 * @param {string} id
 * @returns {Promise<Person | null>}
 */
export async function person(id) {
  const value = await record("person", id);
  return value && { id, name: id, ...value };
}

/**
 * @param {string} badge as scanned or typed
 * @returns {Promise<Person | null>} whose badge it is
 */
export async function byBadge(badge) {
  const { site } = await glance("device");
  const hash = await sha256(`${site}:${badge.trim()}`);
  return (await roster()).find((one) => one.badge === hash) ?? null;
}

/**
 * @param {string} pin
 * @param {{salt: string, rounds: number}} verifier
 * @returns {Promise<string>} base64url
 */
async function derive(pin, { salt, rounds }) {
  const key = await crypto.subtle.importKey("raw", utf8(pin), "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt: fromBase64url(salt), iterations: rounds };
  return base64url(await crypto.subtle.deriveBits(how, key, 256));
}

/**
 * @param {string} one
 * @param {string} other
 */
function same(one, other) {
  let differs = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
}

/**
 * Check a PIN. The try is on the disk before the check begins.
 * @param {Person} who
 * @param {string} pin
 * @param {"badge+pin" | "name+pin"} how
 * @returns {Promise<{ok: true, sign: SignOn} | {ok: false, left: number}>}
 *   `left` is how many tries remain; `locked` is thrown when none was left
 */
export async function check(who, pin, how) {
  if (!who.pin) throw new HandheldError("not-found", { person: who.id });
  const left = await spend(who.id, who.pin.salt);
  if (!same(await derive(pin, who.pin), who.pin.hash)) return { ok: false, left };
  await clear(who.id);
  return { ok: true, sign: { person: who.id, how, at: Date.now(), mono: mono(), boot } };
}

/** @returns {Promise<SignOn[]>} who is signed on, the first first */
export async function present() {
  return (await glance("signons")) ?? [];
}

/** @param {(known: SignOn[]) => SignOn[]} change */
function alter(change) {
  return transact("meta", "readwrite", async (tx) => {
    const store = tx.objectStore("meta");
    await store.put(change((await store.get("signons")) ?? []), "signons");
  });
}

/** @param {SignOn} sign stands beside those signed on; nobody is signed off by it */
export function arrive(sign) {
  return alter((known) => [...known.filter((one) => one.person !== sign.person), sign]);
}

/** @param {string} id */
export function leave(id) {
  return alter((known) => known.filter((one) => one.person !== id));
}

/**
 * @param {{at: number, mono: number, boot: string}} sign
 * @returns {boolean} whether it may sign without its PIN being asked again
 */
export function fresh(sign) {
  const age = sign.boot === boot ? mono() - sign.mono : Date.now() - sign.at;
  return age >= 0 && age < FRESH;
}

/**
 * @param {Person} who
 * @returns {Promise<number>} when the lease ends, UTC ms
 */
async function leaseEnd(who) {
  const contact = (await glance("contact")) ?? 0;
  return contact + Math.min(who.lease_hours ?? LONGEST_LEASE, LONGEST_LEASE) * HOUR;
}

/** A lease is reckoned by whole minutes: no later moment than that is written down. */
const MINUTE = 60_000;

/** From so long before its end on, a lease is said to run out. */
const LEASE_WARNING = 48 * HOUR;

/**
 * @template {Person} P
 * @param {P} who
 * @returns {Promise<P & {lease: "" | "soon" | "expired", left: number}>} with how their lease stands
 */
export async function leased(who) {
  const left = (await leaseEnd(who)) - Date.now();
  const lease = (await expired(who)) ? "expired" : left < LEASE_WARNING ? "soon" : "";
  return { ...who, lease, left };
}

/** @returns {Promise<number>} now, by the latest clock that this device has seen */
async function latest() {
  const before = (await glance("latest")) ?? 0;
  const now = Math.max(serverNow() ?? 0, Date.now(), before);
  if (now - before >= MINUTE) await setMeta("latest", now);
  return now;
}

/**
 * @param {Person} who
 * @returns {Promise<boolean>} whether the lease has run out; what is recorded is flagged then
 */
export async function expired(who) {
  return (await latest()) > (await leaseEnd(who));
}

/**
 * @param {Person} who
 * @returns {Promise<boolean>}
 */
export async function isLocked(who) {
  return who.pin ? locked(who.id, who.pin.salt) : false;
}

/**
 * @param {SignOn} sign
 * @returns {Signature}
 */
export function signature({ person: id, how, at, mono: since }) {
  return { person: id, how, at, mono: since };
}
