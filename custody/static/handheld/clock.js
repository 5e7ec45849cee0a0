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

/** A wall clock that lost more than this against `mono` was set back; ahead it may have slept. */
const GENTLE = 2000;
const AHEAD = 120_000;

let before = { wall: Date.now(), mono: mono() };

/**
 * @returns {number} by how many milliseconds the wall clock was set since this was asked last; 0 when
 *   it went on as it should. A device that sleeps stands still by `mono`: only the server's clock says
 *   whether it was set ahead
 */
export function jump() {
  const now = { wall: Date.now(), mono: mono() };
  const moved = now.wall - before.wall - (now.mono - before.mono);
  before = now;
  const server = serverNow();
  const ahead = moved > AHEAD && server !== null && now.wall - server > AHEAD;
  return moved < -GENTLE || ahead ? moved : 0;
}
