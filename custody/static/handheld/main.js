/**
 * Starts the handheld: hooks htmx to the router, opens the store, warms the rules up, and puts the
 * screen of the present address up.
 */
import { start as startCamera } from "./camera.js";
import { meta, onClosed } from "./store.js";
import { rulebookId } from "./chain.js";
import { here } from "./here.js";
import { places } from "./places.js";
import { gate } from "./gate.js";
import { record } from "./records.js";
import { render } from "./render.js";
import { hook, protect, share } from "./router.js";
import { warm } from "./rules.js";
import { start as startDrawing } from "./drawing.js";
import { start as startScan } from "./scan.js";
import { learn } from "./sentences.js";
import * as signon from "./signon.js";
import { start as startSync } from "./sync.js";
import { start as startUpdate } from "./update.js";
import { start as startPage } from "./page.js";
import { useZone } from "./times.js";
import { label, spoken, speak } from "./words.js";
import "./screens/home.js";
import "./screens/start.js";
import "./screens/scanned.js";
import "./screens/item.js";
import "./screens/step.js";
import "./screens/step_scan.js";
import "./screens/sign.js";
import "./screens/looked.js";
import "./screens/outside.js";
import "./screens/exceptions.js";
import "./flows/opening.js";
import "./flows/closing.js";
import "./flows/round.js";
import "./flows/destruction.js";

/** @returns {Promise<signon.Person[]>} who is signed on */
async function signedOn() {
  const people = await Promise.all((await signon.present()).map((one) => signon.person(one.person)));
  return people.flatMap((one) => (one ? [one] : []));
}

/**
 * What every screen knows besides its own. A place that nobody can stand at, such as the drop, has no
 * name but its type's word.
 */
async function common() {
  const found = await Promise.all([here(), signedOn(), places(), rulebookId()]);
  const [place, people, known, rulebook] = found;
  const types = (await record("rulebook", rulebook))?.vocabulary?.places?.types ?? [];
  const ends = types.map((/** @type {string} */ type) => [type, label("place", type)]);
  const names = Object.fromEntries([...ends, ...known.map(({ id, name }) => [id, name])]);
  return { lang: spoken(), here: place, people, names, rulebook };
}

/**
 * Times are the site's from the first contact on; a store that cannot be read is the screen's to say.
 * @param {import("./router.js").Asked} asked
 */
async function zoned(asked) {
  useZone((await record("setting", "site").catch(() => null))?.zone_name);
  return gate(asked);
}

/** @param {string} url */
function show(url) {
  return htmx.ajax("GET", url, { target: "#screen", swap: "outerHTML" });
}

async function start() {
  const settings = (await meta("settings").catch(() => null)) ?? {};
  speak(settings.language ?? navigator.language.slice(0, 2));
  await learn().then(begin, unstarted);
}

async function begin() {
  await show(location.pathname + location.search);
  document.documentElement.dataset.ready = "true";
  warm().catch(() => undefined); // a screen that needs the rules says so itself
  await startUpdate();
  startSync();
}

/**
 * Without the rules or their words no screen can be made: say so in the place of the first. Its links
 * are none of htmx's, so that trying again loads the app anew.
 * @param {unknown} error
 */
function unstarted(error) {
  console.error("start:", error);
  const path = location.pathname + location.search;
  const html = render("error", { kind: "app", lang: spoken(), path });
  const made = new DOMParser().parseFromString(html, "text/html").getElementById("screen");
  if (made) document.getElementById("screen")?.replaceWith(made);
}

hook();
share(common);
protect(zoned);
startPage();
startScan();
startCamera();
startDrawing();
onClosed(() => location.reload());
document.addEventListener("custody:wiped", () => location.assign("/h/enrol"));
document.addEventListener("DOMContentLoaded", () => void start());
