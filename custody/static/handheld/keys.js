/**
 * The device's key of a run: P-256, not extractable, kept in IndexedDB. It signs batches and
 * tokens; nothing can read it out.
 */
import { base64url, random, utf8 } from "./bytes.js";
import { HandheldError } from "./errors.js";
import { transact } from "./store.js";

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGN = { name: "ECDSA", hash: "SHA-256" };
const TOKEN_SECONDS = 240;

/** @returns {Promise<CryptoKeyPair>} a new pair, kept nowhere yet */
export function generate() {
  return crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
}

/**
 * @param {CryptoKeyPair} pair
 * @returns {Promise<{kty: string, crv: string, x: string, y: string}>} public JWK
 */
export async function publicJwk(pair) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { kty: String(kty), crv: String(crv), x: String(x), y: String(y) };
}

/** @returns {Promise<{run: number, key: object}[]>} the public JWK of each run, by run */
export async function publicKeys() {
  const [runs, pairs] = await transact("keys", "readonly", (tx) =>
    Promise.all([tx.objectStore("keys").getAllKeys(), tx.objectStore("keys").getAll()]),
  );
  const made = runs.map(async (/** @type {number} */ run, /** @type {number} */ at) => ({
    run,
    key: await publicJwk(pairs[at]),
  }));
  return Promise.all(made);
}

/**
 * @param {number} run
 * @param {string} text
 * @returns {Promise<string>} base64url of the 64 bytes r||s
 */
export async function sign(run, text) {
  const pair = await transact("keys", "readonly", (tx) => tx.objectStore("keys").get(run));
  if (!pair) throw new HandheldError("no-device", { run });
  return base64url(await crypto.subtle.sign(SIGN, pair.privateKey, utf8(text)));
}

/**
 * Make the bearer token of a request (ES256).
 * @param {string} device
 * @param {number} run
 * @param {number} now the server's clock as the device reckons it, UTC ms
 * @returns {Promise<string>}
 */
export async function token(device, run, now) {
  const iat = Math.floor(now / 1000);
  const claims = { iss: device, aud: "custody", iat, exp: iat + TOKEN_SECONDS, jti: random(12) };
  const head = base64url(utf8(JSON.stringify({ alg: "ES256", typ: "JWT" })));
  const text = `${head}.${base64url(utf8(JSON.stringify(claims)))}`;
  return `${text}.${await sign(run, text)}`;
}
