/**
 * Forgetting, as the protocol allows it: an event goes only once the server has acknowledged it,
 * 30 days have passed, and its receipt from the log was had. At start, not while people work.
 */
import { request, unheard } from "./net.js";
import { forget, old } from "./outbox.js";

/** At most so many are asked for at one start. */
const AT_ONCE = 200;
const PROOF = "c2sp.org/tlog-proof@v1\n";

/**
 * Forget what is old enough and has its receipt. One without a receipt stays, and is asked for
 * again at the next start.
 * @param {number} [now] UTC ms
 * @returns {Promise<number>} how many were forgotten
 */
export async function forgetOld(now = Date.now()) {
  let forgotten = 0;
  for (const kept of (await old(now)).slice(0, AT_ONCE)) {
    const { ok, type, answer } = await request(`/sync/v1/receipts/${kept.id}`, { plain: true });
    if (unheard(type)) break;
    if (!ok || !String(answer).startsWith(PROOF)) continue;
    await forget(kept);
    forgotten += 1;
  }
  return forgotten;
}
