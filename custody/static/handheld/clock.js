/**
 * The device's clocks. `mono` counts milliseconds since this start of the app, `boot` names the
 * start, `server` is the server's clock as last heard in this start plus `mono` since.
 */
import { random } from "./bytes.js";

export const boot = random(9);

/** @type {{server: number, mono: number} | null} */
let heard = null;

/** @returns {number} whole milliseconds since this start */
export function mono() {
  return Math.floor(performance.now());
}

/** @param {number} server the server's clock, UTC ms, as it answered just now */
export function hear(server) {
  heard = { server, mono: mono() };
}

/** @returns {number | null} the server's clock now, or null when it was not heard in this start */
export function serverNow() {
  return heard && heard.server + (mono() - heard.mono);
}

/**
 * @returns {{at: number, offset: number, mono: number, boot: string, server: number | null}}
 *   what an event carries; `offset` in minutes east of UTC
 */
export function stamp() {
  const now = new Date();
  const offset = -now.getTimezoneOffset();
  return { at: now.getTime(), offset, mono: mono(), boot, server: serverNow() };
}
