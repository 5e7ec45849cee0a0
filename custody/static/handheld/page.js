/** What happens in the page around a swap: focus, what is said aloud, drafts as they are typed. */
import { say } from "./aloud.js";
import { answer } from "./router.js";
import { clear as clearDrawing } from "./drawing.js";
import { HandheldError } from "./errors.js";
import { take as takePhoto } from "./photos.js";
import { begin, save as saveCopy } from "./rescue.js";
import { take } from "./update.js";
import { t } from "./words.js";

const WAIT = 250;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

let heading = "";

/**
 * A screen has taken the place of another: put the focus on its heading, and say what there is to
 * say. The bar above, a part of a screen, and a screen that renews itself leave people where they are.
 * @param {Event} event
 */
function settled(event) {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const screen = document.getElementById("screen");
  if (!screen || ctx.target?.id !== "screen") return;
  const title = screen.querySelector("h1")?.textContent ?? "";
  const renewed = ctx.sourceElement?.hasAttribute("hx-trigger") && title === heading;
  heading = title;
  if (renewed) return;
  dress(screen.lang);
  say(spokenOf(screen));
  if (screen.contains(document.activeElement) && document.activeElement !== screen) return;
  const first = screen.querySelector("[autofocus], h1");
  if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  scrollTo(0, 0);
}

let dressed = "";

/**
 * Give what stands around the screens its words: `data-words` names them, by attribute.
 * @param {string} lang
 */
function dress(lang) {
  if (lang === dressed) return;
  dressed = lang;
  for (const one of document.querySelectorAll("[data-words]")) {
    const pairs = (one.getAttribute("data-words") ?? "").split(" ").map((pair) => pair.split(":"));
    for (const [name = "", key = ""] of pairs) one.setAttribute(name, t(key));
  }
}

/** @param {HTMLElement} screen @returns {string} what it has to say; an alert says itself */
function spokenOf(screen) {
  const said = screen.querySelector("[data-say]");
  return said?.getAttribute("role") === "alert" ? "" : (said?.textContent?.trim() ?? "");
}

/**
 * Keep the form as it is typed.
 * @param {Event} event
 */
function typed(event) {
  const form = event.target instanceof Element ? event.target.closest("form[data-keep]") : null;
  if (!(form instanceof HTMLFormElement)) return;
  clearTimeout(timer);
  timer = setTimeout(() => void save(form), WAIT);
}

/**
 * @param {HTMLFormElement} form
 * @returns {Promise<unknown>} resolves when what is entered is kept
 */
async function save(form) {
  clearTimeout(timer);
  if (!form.isConnected || !form.dataset.keep) return;
  const entries = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  entries.set("id", form.dataset.keep);
  await answer("/h/step/keep", { method: "POST", body: entries });
}

/**
 * What was chosen may call for other fields: show the form anew, in place.
 * @param {Event} event
 */
async function chosen(event) {
  const field = event.target;
  const radio = field instanceof HTMLInputElement && field.type === "radio";
  const form = radio || field instanceof HTMLSelectElement ? field.form : null;
  if (!form?.dataset.keep) return;
  await save(form);
  await htmx.ajax("GET", form.dataset.keep, { target: "#screen", swap: "outerMorph" });
}

/**
 * A picture was taken: it is made smaller and kept before the screen is told its name.
 * @param {Event} event
 */
async function pictured({ target: input }) {
  if (!(input instanceof HTMLInputElement) || !input.dataset.photo) return;
  const [file] = input.files ?? [];
  if (!file) return;
  const sha = await takePhoto(file).catch(unreadable);
  const values = { step: input.dataset.step ?? "0", sha };
  await htmx.ajax("POST", input.dataset.photo, { target: "#screen", swap: "outerHTML", values });
}

/** @param {unknown} error @returns {string} "" for a file that is no picture */
function unreadable(error) {
  if (!(error instanceof HandheldError)) throw error;
  return "";
}

/** @param {Event} event */
function clicked(event) {
  const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!(button instanceof HTMLElement)) return;
  DO[button.dataset.do ?? ""]?.(button);
}

/** @type {Record<string, (button: HTMLElement) => void>} what a button does without a request */
const DO = {
  update: () => void take(),
  digit: (button) => press(button.dataset.digit ?? ""),
  "clear-drawing": clearDrawing,
  "save-copy": () => void saveCopy(),
  "new-store": (button) => void startAnew(button),
};

/** @param {HTMLElement} button says what to do where the browser will not */
async function startAnew(button) {
  const note = button.closest("#screen")?.querySelector("[data-not-done]");
  if (!(await begin()) && note instanceof HTMLElement) note.hidden = false;
}

/** @param {string} digit of the PIN pad; empty takes the last one back */
function press(digit) {
  const field = document.querySelector("input[name=pin]");
  if (!(field instanceof HTMLInputElement)) return;
  field.value = digit ? field.value + digit : field.value.slice(0, -1);
}

/** Listen. */
export function start() {
  document.addEventListener("htmx:after:swap", settled);
  document.addEventListener("input", typed);
  document.addEventListener("change", (event) => void chosen(event));
  document.addEventListener("change", (event) => void pictured(event));
  document.addEventListener("click", clicked);
}
