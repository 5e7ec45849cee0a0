// What the desk's pages need beside htmx: print, ask before what cannot be undone, tick several boxes at
// once, and say when the server is away (`away.js`) or a clock is wrong. Behaviour hangs on data
// attributes, so that swapped content needs no new start.
import "./away.js";

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("[data-print]")) window.print();
  const asked = target?.closest("[data-sure]")?.getAttribute("data-sure");
  if (asked && !window.confirm(asked)) event.preventDefault();
});

/** @param {HTMLFormElement} form @param {string} name */
const boxes = (form, name) =>
  /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`input[type=checkbox][name="${name}"]`)]);

// "All on this page" ticks the boxes of its form, and the button says how many are ticked.
document.addEventListener("change", (event) => {
  const box = event.target instanceof HTMLInputElement ? event.target : null;
  const form = box?.form;
  if (!box || !form || box.type !== "checkbox") return;
  const all = box.dataset.all;
  if (all) for (const one of boxes(form, all)) one.checked = box.checked;
  const name = all ?? box.name;
  const known = boxes(form, name);
  const ticked = known.filter((one) => one.checked).length;
  const whole = form.querySelector(`input[data-all="${name}"]`);
  if (whole instanceof HTMLInputElement) whole.checked = ticked === known.length;
  for (const one of form.querySelectorAll(`[data-chosen="${name}"]`)) one.textContent = `(${ticked})`;
});

/** A picture that does not come is told in words. @param {EventTarget | null} image */
function missed(image) {
  if (!(image instanceof HTMLImageElement)) return;
  const told = image.closest(".pictures li")?.querySelector(".failed");
  if (!(told instanceof HTMLElement)) return;
  (image.closest("a") ?? image).hidden = true;
  told.hidden = false;
}

document.addEventListener("error", ({ target }) => missed(target), true); // which does not rise
for (const one of document.querySelectorAll(".pictures img"))
  if (one instanceof HTMLImageElement && one.complete && one.currentSrc && !one.naturalWidth) missed(one);

// A page says it when the clock of its computer is far from the server's at the moment of the answer.
const CLOCK_MS = 120_000;
const clock = document.getElementById("clock");
const [came] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
const answered = Date.now() - (performance.now() - (came?.responseStart ?? performance.now()));
if (clock) clock.hidden = Math.abs(answered - Number(clock.dataset.now)) <= CLOCK_MS;
