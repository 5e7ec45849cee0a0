/** Hashes and encodings of the protocol: lowercase hex SHA-256, base64url without padding. */

const UTF8 = new TextEncoder();

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function utf8(text) {
  return UTF8.encode(text);
}

/**
 * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} data
 * @returns {string} base64url without padding
 */
export function base64url(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * @param {string} text base64url without padding
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function fromBase64url(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/**
 * Hash text as the protocol does.
 * @param {string} text hashed as UTF-8
 * @returns {Promise<string>} lowercase hex SHA-256
 */
export async function sha256(text) {
  return hex(await crypto.subtle.digest("SHA-256", utf8(text)));
}

/**
 * @param {ArrayBuffer} digest
 * @returns {string} lowercase hex
 */
export function hex(digest) {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {number} bytes how many random bytes
 * @returns {string} base64url
 */
export function random(bytes) {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}
