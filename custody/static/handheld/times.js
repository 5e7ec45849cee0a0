/**
 * Times as people read them, in the zone of the site: a handheld that is set to another zone shows
 * and takes the same hours as the desk does.
 */
import { spoken, t } from "./words.js";

/** @type {string | undefined} the site's zone by its IANA name; undefined is the device's own */
let zone;
/** @type {Map<string, Intl.DateTimeFormat>} by language and options: making one costs more than its use */
let made = new Map();

/** @param {string | undefined} name IANA name of the site's zone; an unknown one is passed over */
export function useZone(name) {
  if (!name || name === zone || !known(name)) return;
  zone = name;
  made = new Map();
}

/** @param {string} name @returns {boolean} whether this browser knows the zone */
function known(name) {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: name }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const TIME = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
const DAY = /** @type {const} */ ({ month: "short", day: "numeric" });
const YEAR = /** @type {const} */ ({ year: "numeric" });

/**
 * @param {number | Date} at
 * @param {Intl.DateTimeFormatOptions} options
 */
function formatted(at, options) {
  const key = `${spoken()} ${Object.keys(options).join()}`;
  const locale = spoken() === "es" ? "es-US" : "en-US";
  const found = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  made.set(key, found);
  return found.format(at);
}

/**
 * @param {number | null | undefined} at UTC ms
 * @param {number} [now] UTC ms
 * @returns {string} hour and minute; with the day when it is not today's, with the year when it is
 *   not this year's; "" for no time
 */
export function when(at, now = Date.now()) {
  if (at === null || at === undefined) return "";
  const day = (/** @type {number} */ one) => formatted(one, { ...YEAR, ...DAY });
  if (day(at) === day(now)) return formatted(at, TIME);
  const same = formatted(at, YEAR) === formatted(now, YEAR);
  return formatted(at, same ? { ...DAY, ...TIME } : { ...YEAR, ...DAY, ...TIME });
}

/**
 * @param {number} since milliseconds
 * @returns {string} "under a minute", "5 min", "3 h", "2 d"
 */
export function ago(since) {
  const minutes = Math.max(0, Math.floor(since / 60_000));
  if (minutes < 1) return t("time.now");
  if (minutes < 60) return t("time.minutes", { n: minutes });
  if (minutes < 48 * 60) return t("time.hours", { n: Math.floor(minutes / 60) });
  return t("time.days", { n: Math.floor(minutes / 1440) });
}
