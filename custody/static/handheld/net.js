/**
 * Requests of the protocol: signed, with a time limit, and with every answer named. An answer
 * that is not the server's (a captive portal's page, a proxy's error) is told apart from one.
 */
import { hear } from "./clock.js";
import { tellDiary } from "./diary.js";
import { token } from "./keys.js";
import { record } from "./records.js";
import { meta, setMeta } from "./store.js";
import { version } from "./update.js";
import { contradicted, shown } from "./watchlog.js";

const PATIENCE = 20_000;
const GZIP_FROM = 1024;
/** A clock further than this from the server's is noted in the diary, and said. */
export const WRONG = 120_000;

/**
 * What came of a request. `answer` is the server's JSON; `type` the problem's name.
 * @typedef {{ok: boolean, status: number, type: string, answer: any}} Outcome
 *   `type` is "" when ok, "offline" without an answer, "captive" when someone else answered
 */

/** What a site node says that does not know this device, and cannot ask its upstream now. */
const AWAY = "upstream-away";

/**
 * @param {string} type of an outcome, or the state of what came of it
 * @returns {boolean} whether nobody answered who knows this device: it waits, and nothing is wrong
 */
export function unheard(type) {
  return type === "offline" || type === "captive" || type === AWAY;
}

/**
 * @param {string} text
 * @returns {Promise<{body: BodyInit, headers: Record<string, string>}>}
 */
async function packed(text) {
  if (text.length < GZIP_FROM || !("CompressionStream" in globalThis)) {
    return { body: text, headers: {} };
  }
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const body = await new Response(stream).arrayBuffer();
  return { body, headers: { "Content-Encoding": "gzip" } };
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @param {"json" | "text" | "picture"} [as] what the answer is when all is well
 * @returns {Promise<Outcome>}
 */
async function send(path, init, as = "json") {
  const offline = { ok: false, status: 0, type: "offline", answer: null };
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(path, { ...init, signal, cache: "no-store", redirect: "error" });
    const kind = response.headers.get("Content-Type") ?? "";
    const { ok, status } = response;
    if (as === "text" && ok && kind.startsWith("text/plain")) {
      return { ok, status, type: "", answer: await response.text() };
    }
    if (as === "picture" && ok && kind.startsWith("image/")) {
      return { ok, status, type: "", answer: await response.arrayBuffer() };
    }
    if (!/^application\/(problem\+)?json\b/.test(kind)) {
      const type = response.ok ? "captive" : `http-${response.status}`;
      return { ...offline, status: response.status, type };
    }
    const answer = await response.json();
    await learn(response);
    const type = response.ok
      ? ""
      : (String(answer.type ?? "")
          .split(/[/:]/)
          .at(-1) ?? "");
    return { ok: response.ok, status: response.status, type, answer };
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return offline;
    if (error instanceof SyntaxError) return { ...offline, type: "captive" };
    throw error;
  }
}

/**
 * Learn the server's clock from the Date header of any of its answers.
 * @param {Response} response
 */
async function learn(response) {
  const server = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(server)) return;
  hear(server);
  const skew = server - Date.now();
  const known = (await meta("skew")) ?? 0;
  if (Math.abs(skew - known) <= 2000) return;
  await setMeta("skew", skew);
  if (Math.abs(skew) > WRONG) await tellDiary("clock", { ms: -skew, server });
}

/** @returns {Promise<Record<string, string>>} which version asks, and by what rulebook it judges */
async function running() {
  const [app, site] = [await version(), await record("setting", "site")];
  return app && site ? { "Custody-App": `${app} ${site.rulebook}` } : {};
}

/**
 * Send a signed request; after a refused token, once more by the clock just learned; after a refused
 * checkpoint, once more without it, so that a rewritten log costs nobody an event.
 * @param {string} path
 * @param {{method?: string, text?: string, bytes?: ArrayBuffer, type?: string, run?: number,
 *   plain?: boolean, picture?: boolean, headers?: Record<string, string>}} [what] `bytes` go as they are;
 *   `plain` and `picture` say that the answer is text, or a picture's bytes
 * @returns {Promise<Outcome>}
 */
export async function request(path, what = {}) {
  const { method = "GET", text, bytes, type, run } = what;
  const as = what.picture ? "picture" : what.plain ? "text" : "json";
  const device = await meta("device");
  const { body = bytes, headers = {} } = text === undefined ? {} : await packed(text);
  const attempt = async () => {
    const now = Date.now() + ((await meta("skew")) ?? 0);
    const bearer = await token(device.device, run ?? device.run, now);
    const init = {
      method,
      body,
      headers: {
        ...headers,
        ...what.headers,
        ...(await shown()),
        ...(await running()),
        ...(type && { "Content-Type": type }),
        Authorization: `Bearer ${bearer}`,
      },
    };
    return send(path, init, as);
  };
  let outcome = await attempt();
  if (outcome.status === 401) outcome = await attempt();
  if (await contradicted(outcome.type)) outcome = await attempt();
  return outcome;
}

/**
 * Send a request that needs no token: enrolment.
 * @param {string} path
 * @param {unknown} value
 * @returns {Promise<Outcome>}
 */
export function post(path, value) {
  return send(path, {
    method: "POST",
    body: JSON.stringify(value),
    headers: { "Content-Type": "application/json" },
  });
}
