/** Home: where one is, what is due here, what was begun; and the pages about the device itself. */
import { HandheldError } from "../errors.js";
import { entries } from "../diary.js";
import { drop, unfinished } from "../drafts.js";
import { openOnes } from "../exceptions.js";
import { notices, TIGHT } from "../notices.js";
import { here } from "../here.js";
import { newest } from "../outbox.js";
import { atPlace, record } from "../records.js";
import { stamp } from "../clock.js";
import { ask } from "../rules.js";
import { route } from "../router.js";
import { meta, pressure, setMeta } from "../store.js";
import { standing } from "../secondcopy.js";
import { kick, status } from "../sync.js";
import { when } from "../times.js";
import { speak, t, trouble, word } from "../words.js";
import { applied, version } from "../update.js";
import { told } from "./item.js";

/** @typedef {import("../router.js").Asked} Asked */

async function home() {
  if (!(await record("setting", "site"))) {
    return { screen: "waiting", context: { link: await status() } };
  }
  const begun = (await unfinished()).filter((one) => one.title);
  const place = await here();
  const due = place ? await dueAt(place.id) : [];
  const [wrong, told] = await Promise.all([openOnes(), notices()]);
  return { screen: "home", context: { place, begun, due, wrong: wrong.length, notices: told } };
}

/** As many items as are looked through for what is due. */
const LOOKED_AT = 300;

/**
 * @param {string} place
 * @returns {Promise<any[]>} what is due or soon due of the items there, the earliest first
 */
async function dueAt(place) {
  const codes = (await atPlace(place)).slice(0, LOOKED_AT);
  const found = codes.length ? await ask("due", { codes, now: stamp().at }) : [];
  const pressing = found.filter(
    (/** @type {any} */ one) => one.status === "due" || one.status === "soon",
  );
  return pressing.sort((/** @type {any} */ a, /** @type {any} */ b) => a.at - b.at);
}

async function outbox() {
  const events = await told((await newest(200)).reverse());
  return { screen: "outbox", context: { events, link: await status() } };
}

async function sendNow() {
  await kick();
  return { to: "/h/outbox" };
}

async function statusPart() {
  const link = await status().catch(unreadable);
  const since = link.contact && Date.now() - link.contact;
  return { screen: "status", context: { link: { ...link, since }, update: applied() } };
}

/** @param {unknown} error @returns {any} what the header shows while the storage does not answer */
function unreadable(error) {
  if (!(error instanceof HandheldError)) throw error;
  return { problem: "store", link: "unknown", contact: null, enrolled: false };
}

const MB = 1024 * 1024;

async function settings() {
  const kept = (await meta("settings")) ?? {};
  const { persisted, used, quota } = await pressure();
  const store = {
    persisted,
    used_mb: Math.ceil(used / MB),
    quota_mb: Math.floor(quota / MB),
    tight: quota - used < TIGHT,
    copy: standing(),
  };
  const [device, running] = await Promise.all([meta("device"), version()]);
  return { screen: "settings", context: { settings: kept, device, store, version: running } };
}

/**
 * What a line of the diary says.
 * @param {import("../diary.js").Entry} entry
 */
function line({ at, what, values }) {
  const { since, until, ms, problem } = /** @type {any} */ (values);
  const told = {
    ...values,
    since: since && when(since),
    until: until && when(until),
    by: ms && `${Math.round(ms / 1000)} s`,
    why: problem && reasonOf(what, problem),
  };
  return { at, text: t(`diary.${what}`, told) };
}

/** @param {string} what @param {string} problem @returns {string} why the server did not take it */
function reasonOf(what, problem) {
  if (what === "photo") return word(`photo.why.${problem}`, problem);
  return trouble(problem);
}

async function diary() {
  return { screen: "diary", context: { entries: (await entries(200)).map(line) } };
}

/** @param {Asked} asked */
async function change({ form }) {
  const before = (await meta("settings")) ?? {};
  const chosen = {
    language: form.get("language") === "es" ? "es" : "en",
    sound: form.get("sound") === "on",
    prefix: form.get("prefix") ?? "",
    suffix: form.get("suffix") ?? "",
    gs: form.get("gs") ?? "",
  };
  await setMeta("settings", { ...before, ...chosen });
  speak(chosen.language);
  return { to: "/h/settings" };
}

/** @param {Asked} asked */
async function discard({ form }) {
  await drop(form.get("id") ?? "");
  return { to: "/h/" };
}

route("GET", "/h", home);
route("GET", "/h/outbox", outbox);
route("POST", "/h/outbox", sendNow);
route("GET", "/h/part/status", statusPart);
route("GET", "/h/settings", settings);
route("POST", "/h/settings", change);
route("GET", "/h/diary", diary);
route("POST", "/h/discard", discard);
