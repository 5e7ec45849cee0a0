/** What may be seen before a device is enrolled, and before anyone has signed on. */
import { glance } from "./memory.js";
import { record } from "./records.js";
import { present } from "./signon.js";

/** @typedef {import("./router.js").Asked} Asked */

const BEFORE_ENROLMENT = /^\/h\/(enrol|part|settings)\b/;
const BEFORE_SIGN_ON = /^\/h\/(enrol|part|settings|people|pin|outbox|event|scans|clause|diary)\b/;

/**
 * @param {Asked} asked
 * @returns {Promise<string | null>} where to go first; null when nothing stands before the screen
 */
export async function gate({ path, method, url }) {
  if (BEFORE_ENROLMENT.test(path)) return null;
  if (!(await glance("device")) || (await glance("revoked"))) return "/h/enrol";
  if (BEFORE_SIGN_ON.test(path) || (await present()).length) return null;
  if (!(await record("setting", "site"))) return path === "/h/" || path === "/h" ? null : "/h/";
  const back = method === "GET" && path.length > 3 ? url : "/h/";
  return `/h/people?next=${encodeURIComponent(back)}`;
}
