/** Enrolment, and signing on: the screens before work. */
import { HandheldError } from "../errors.js";
import { enrol, leftOver } from "../enrol.js";
import { outcome } from "../scan.js";
import * as signon from "../signon.js";
import { meta } from "../store.js";
import { kick } from "../sync.js";
import { read } from "../read.js";
import { t } from "../words.js";
import { tell } from "../tabs.js";
import { clear } from "../tries.js";
import { route } from "../router.js";
import { ask } from "../rules.js";

/** @typedef {import("../router.js").Asked} Asked */

/** @returns {string} the one-time code of the link that opened the page: what follows its # */
function linked() {
  return location.pathname.startsWith("/h/enrol") ? decodeURIComponent(location.hash.slice(1)) : "";
}

/** @param {Record<string, unknown>} [context] */
async function enrolment(context = {}) {
  const device = await meta("device");
  const problem = await meta("problem");
  const revoked = await meta("revoked");
  const left = await leftOver();
  return {
    screen: "enrol",
    context: {
      name: device?.name ?? left?.name ?? "",
      code: linked(),
      problem,
      revoked,
      device,
      left,
      ...context,
    },
  };
}

/** @param {Asked} asked */
async function enrolNow({ form }) {
  const [code, name] = [(form.get("code") ?? "").trim(), (form.get("name") ?? "").trim()];
  if (!code || !name)
    return enrolment({ code, name, wrong: t(code ? "enrol.no_name" : "enrol.no_code") });
  const wrong = await enrol(code, name);
  if (wrong) return enrolment({ code, name, wrong });
  void kick();
  return { to: "/h/" };
}

/** A scan while enrolling: the desk's QR, or the code as a barcode. @param {Asked} asked */
async function enrolScan({ form }) {
  const found = await read(form);
  const code = found.kind === "enrol" ? found.code : found.text;
  await outcome(form.get("n"), code ? "ok" : "refused", { result: "enrol" });
  return enrolment({ code, name: new URLSearchParams(form.get("form") ?? "").get("name") ?? "" });
}

/** @param {Record<string, unknown>} [context] */
async function people(context = {}) {
  const roster = await signon.roster();
  const present = await signon.present();
  const on = new Set(present.map((one) => one.person));
  return {
    screen: "people",
    context: {
      roster: roster.filter((one) => !on.has(one.id)),
      on: await Promise.all(roster.filter((one) => on.has(one.id)).map(signon.leased)),
      next: "/h/",
      ...context,
    },
  };
}

/**
 * @param {signon.Person} one
 * @param {signon.Person} other
 * @returns {Promise<boolean>} whether the first is of a higher rank in the same department
 */
function outranks({ job: one }, { job: other }) {
  return ask("outranks", { one, other });
}

/**
 * The badge was scanned or the name picked: ask for the PIN.
 * @param {signon.Person} who
 * @param {string} how
 * @param {string} next where to go once the PIN was right
 * @param {Record<string, unknown>} [more]
 */
export async function askPin(who, how, next, more = {}) {
  const locked = await signon.isLocked(who);
  const present = await Promise.all(
    (await signon.present()).map((one) => signon.person(one.person)),
  );
  const helpers = [];
  for (const one of present) if (one && (await outranks(one, who))) helpers.push(one);
  return {
    screen: "pin",
    url: `/h/pin?person=${encodeURIComponent(who.id)}&how=${how}&next=${encodeURIComponent(next)}`,
    context: { who, how, next, locked, helpers, ...more },
  };
}

/** @param {Asked} asked */
async function badge({ form, query }) {
  const next = form.get("next") ?? query.get("next") ?? "/h/";
  const who = await signon.byBadge((await read(form)).text);
  await outcome(form.get("n"), who ? "ok" : "refused", { result: who ? "badge" : "badge-unknown" });
  if (!who) return people({ wrong: t("people.unknown_badge"), next });
  return askPin(who, "badge+pin", next);
}

/** @param {Asked} asked */
async function pinScreen({ query }) {
  const who = await signon.person(query.get("person") ?? "");
  if (!who) throw new HandheldError("not-found", { what: query.get("person") });
  return askPin(who, query.get("how") ?? "name+pin", query.get("next") ?? "/h/");
}

/** @param {Asked} asked */
async function pinNow({ form }) {
  const who = await signon.person(form.get("person") ?? "");
  if (!who) throw new HandheldError("not-found", { what: form.get("person") });
  const how = form.get("how") === "badge+pin" ? "badge+pin" : "name+pin";
  const next = form.get("next") ?? "/h/";
  try {
    const checked = await signon.check(who, form.get("pin") ?? "", how);
    if (!checked.ok) return askPin(who, how, next, { wrong: t("pin.wrong", { n: checked.left }) });
    await signon.arrive(checked.sign);
  } catch (error) {
    if (error instanceof HandheldError && error.kind === "locked") return askPin(who, how, next);
    throw error;
  }
  tell("changed");
  return { to: next };
}

/** A supervisor who is signed on gives somebody tries back. @param {Asked} asked */
async function unlock({ form }) {
  const who = await signon.person(form.get("person") ?? "");
  const helper = await signon.person(form.get("helper") ?? "");
  if (!who || !helper || !(await outranks(helper, who)))
    throw new HandheldError("not-found", {});
  const next = form.get("next") ?? "/h/";
  const how = form.get("how") ?? "name+pin";
  const checked = await signon.check(helper, form.get("pin") ?? "", "name+pin");
  if (!checked.ok) return askPin(who, how, next, { wrong: t("pin.wrong", { n: checked.left }) });
  await clear(who.id);
  return askPin(who, how, next, { said: t("pin.unlocked", { name: who.name }) });
}

/** @param {Asked} asked */
async function off({ form }) {
  await signon.leave(form.get("person") ?? "");
  tell("changed");
  return { to: "/h/people" };
}

route("GET", "/h/enrol", () => enrolment());
route("POST", "/h/enrol", enrolNow);
route("POST", "/h/enrol/scan", enrolScan);
route("GET", "/h/people", ({ query }) => people({ next: query.get("next") ?? "/h/" }));
route("POST", "/h/people/scan", badge);
route("GET", "/h/pin", pinScreen);
route("POST", "/h/pin", pinNow);
route("POST", "/h/pin/unlock", unlock);
route("POST", "/h/people/off", off);
