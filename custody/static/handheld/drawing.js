/** A signature drawn with a finger or a pen: strokes as the path of an SVG, in whole units. */
import { BOX, LONGEST } from "./outsiders.js";

/** A point closer than this to the one before adds nothing, in units of the box. */
const APART = 3;

/** @type {{pad: SVGSVGElement, x: number, y: number} | null} the stroke under way */
let stroke = null;

/** @param {Element | null} pad @returns {HTMLInputElement | null} where what is drawn is kept */
function field(pad) {
  const found = pad?.closest("form")?.querySelector("input[name=signature]");
  return found instanceof HTMLInputElement ? found : null;
}

/** @param {Element} pad @param {string} path */
function put(pad, path) {
  const input = field(pad);
  if (!input) return;
  input.value = path;
  pad.querySelector("path")?.setAttribute("d", path);
}

/**
 * @param {SVGSVGElement} pad
 * @param {PointerEvent} event
 */
function place(pad, { clientX, clientY }) {
  const { left, top, width, height } = pad.getBoundingClientRect();
  const within = (/** @type {number} */ part, /** @type {number} */ most) =>
    Math.min(most, Math.max(0, Math.round(part * most)));
  return {
    x: within((clientX - left) / width, BOX.width),
    y: within((clientY - top) / height, BOX.height),
  };
}

/** @param {PointerEvent} event */
function begin(event) {
  const pad = event.target instanceof Element ? event.target.closest("[data-draw]") : null;
  if (!(pad instanceof SVGSVGElement)) return;
  event.preventDefault();
  pad.setPointerCapture(event.pointerId);
  const { x, y } = place(pad, event);
  stroke = { pad, x, y };
  put(pad, `${field(pad)?.value ?? ""}M${x} ${y}`);
}

/** @param {PointerEvent} event */
function move(event) {
  if (!stroke) return;
  const { pad, x: before, y: above } = stroke;
  const { x, y } = place(pad, event);
  const path = field(pad)?.value ?? "";
  if (Math.hypot(x - before, y - above) < APART || path.length + 8 > LONGEST) return;
  stroke = { pad, x, y };
  put(pad, `${path}L${x} ${y}`);
}

/** @param {Element} button takes the whole signature back */
export function clear(button) {
  const pad = button.closest("form")?.querySelector("[data-draw]");
  if (pad) put(pad, "");
}

/** Listen. */
export function start() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      stroke = null;
    });
  }
}
