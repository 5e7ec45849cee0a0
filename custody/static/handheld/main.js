/**
 * Starts the handheld: hooks htmx to the router, opens the store, warms the rules up, and puts the
 * screen of the present address up.
 */
import { start as startCamera } from "./camera.js";
import { meta, onClosed } from "./store.js";
import { rulebookId } from "./chain.js";
import { here } from "./here.js";
import { all } from "./records.js";
import { gate } from "./gate.js";
import { hook, protect, share } from "./router.js";
import { warm } from "./rules.js";
import { start as startScan } from "./scan.js";
import { learn } from "./sentences.js";
import { person, present } from "./signon.js";
import { start as startSync } from "./sync.js";
import { start as startUpdate } from "./update.js";
import { start as startPage } from "./page.js";
import { spoken, speak } from "./words.js";
import "./screens/home.js";
import "./screens/start.js";
import "./screens/scanned.js";
import "./screens/item.js";
import "./screens/step.js";
import "./screens/sign.js";
import "./screens/exceptions.js";
import "./flows/opening.js";
import "./flows/closing.js";
import "./flows/round.js";
import "./flows/destruction.js";

/** What every screen knows besides its own. */
async function common() {
  const people = await Promise.all((await present()).map((one) => person(one.person)));
  const places = await all("place");
  const names = Object.fromEntries(places.map((row) => [row.id, row.value.name ?? row.id]));
  return {
    lang: spoken(),
    here: await here(),
    people: people.filter(Boolean),
    names,
    rulebook: await rulebookId(),
  };
}

/** @param {string} url */
function show(url) {
  return htmx.ajax("GET", url, { target: "#screen", swap: "outerHTML" });
}

async function start() {
  const settings = (await meta("settings").catch(() => null)) ?? {};
  speak(settings.language ?? navigator.language.slice(0, 2));
  await learn();
  await show(location.pathname + location.search);
  document.documentElement.dataset.ready = "true";
  warm().catch(() => undefined); // a screen that needs the rules says so itself
  await startUpdate();
  startSync();
}

hook();
share(common);
protect(gate);
startPage();
startScan();
startCamera();
onClosed(() => location.reload());
document.addEventListener("custody:wiped", () => location.assign("/h/enrol"));
document.addEventListener("DOMContentLoaded", () => void start());
