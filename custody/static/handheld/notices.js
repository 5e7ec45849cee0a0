/**
 * What whoever works here should know before the next step: what is shown is old, a sign-on ends, the
 * clock is wrong, the storage is nearly full. Nothing of it stops the work.
 */
import { serverNow } from "./clock.js";
import { WRONG } from "./net.js";
import { leased, person, present } from "./signon.js";
import { meta, pressure, roomy } from "./store.js";
import { ago, when } from "./times.js";
import { t } from "./words.js";

/** @typedef {{level: "warn" | "bad", text: string, help: string}} Notice */

/** After so long without a contact it is said of what day the screens are: longer than a shift. */
const OLD = 12 * 3_600_000;
const MB = 1024 * 1024;
/** Below this much free storage the person is warned before the next signature. */
export const TIGHT = 20 * MB;

/** @returns {Promise<Notice[]>} the worst first */
export async function notices() {
  const found = (await Promise.all([old(), leases(), clock(), room()])).flat();
  return found.sort((one, other) => Number(other.level === "bad") - Number(one.level === "bad"));
}

/** @returns {Promise<Notice[]>} */
async function old() {
  const [contact, now] = [await meta("contact"), serverNow() ?? Date.now()];
  if (!contact || now - contact < OLD) return [];
  const told = { at: when(contact), ago: ago(now - contact) };
  return [{ level: "warn", text: t("notice.old", told), help: t("notice.old_help") }];
}

/** @returns {Promise<Notice[]>} one for those whose sign-on has expired, one for those whose ends soon */
async function leases() {
  const people = await Promise.all((await present()).map((one) => person(one.person)));
  const told = await Promise.all(people.flatMap((one) => (one ? [leased(one)] : [])));
  return /** @type {const} */ (["expired", "soon"]).flatMap((lease) => {
    const those = told.filter((one) => one.lease === lease);
    return those.length ? [ends(lease, those)] : [];
  });
}

/**
 * @param {"soon" | "expired"} lease
 * @param {{name: string, left: number}[]} people
 * @returns {Notice}
 */
function ends(lease, people) {
  const names = people.map(({ name }) => name).join(", ");
  const left = ago(Math.min(...people.map((one) => one.left)));
  const text = t(`notice.lease_${lease}`, { names, left });
  const level = lease === "expired" ? "bad" : "warn";
  return { level, text, help: t(`notice.lease_${lease}_help`) };
}

/** @returns {Promise<Notice[]>} */
async function clock() {
  const server = serverNow();
  const skew = server === null ? ((await meta("skew")) ?? 0) : server - Date.now();
  if (Math.abs(skew) <= WRONG) return [];
  const key = skew > 0 ? "notice.clock_slow" : "notice.clock_fast";
  return [{ level: "warn", text: t(key, { by: ago(Math.abs(skew)) }), help: t("notice.clock_help") }];
}

/** @returns {Notice} */
function full() {
  return { level: "bad", text: t("sign.full"), help: t("error.store-full.help") };
}

/** @returns {Promise<Notice[]>} */
async function room() {
  if (!(await roomy())) return [full()];
  const { used, quota } = await pressure();
  if (!quota || quota - used >= TIGHT) return [];
  return [{ level: "bad", text: t("notice.tight"), help: t("error.store-full.help") }];
}
