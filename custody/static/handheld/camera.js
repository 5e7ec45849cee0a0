/**
 * Reads codes with the camera, in a panel over the screen, which goes on working beneath it. The
 * browser's own reader where it works, else zxing from the app's own files, loaded at first use.
 */
import { offer } from "./scan.js";
import { Sightings } from "./sightings.js";
import { t } from "./words.js";

const EVERY = 110;
const FORMATS = [
  "code_128",
  "qr_code",
  "data_matrix",
  "ean_13",
  "ean_8",
  "upc_a",
  "upc_e",
  "code_39",
  "itf",
];
const PONYFILL = "/static/vendor/barcode-detector/ponyfill.js";
const WASM = "/static/vendor/zxing-wasm/zxing_reader.wasm";

/** @typedef {{detect: (source: HTMLVideoElement) => Promise<{rawValue: string, format: string}[]>}} Reader */

/** @returns {Promise<Reader>} */
async function native() {
  const Detector = /** @type {any} */ (globalThis).BarcodeDetector;
  const known = await Detector.getSupportedFormats();
  if (!known.includes("code_128")) throw new TypeError("the browser's reader knows no Code 128");
  const reader = new Detector({ formats: FORMATS.filter((format) => known.includes(format)) });
  await reader.detect(new ImageData(8, 8)); // some browsers have it and throw
  return reader;
}

/** @returns {Promise<Reader>} */
async function own() {
  const { BarcodeDetector, prepareZXingModule } = await import(PONYFILL);
  prepareZXingModule({ overrides: { locateFile: () => WASM } });
  return new BarcodeDetector({ formats: FORMATS });
}

/** @type {Promise<Reader> | null} */
let reader = null;
/** @type {MediaStream | null} */
let stream = null;
/** how often it was opened and closed: what comes of an older opening is of no use */
let opened = 0;

/** @returns {Promise<Reader>} */
function readerOnce() {
  reader ??= native().catch(own);
  reader.catch(() => {
    reader = null;
  });
  return reader;
}

const panel = () => /** @type {HTMLElement} */ (document.getElementById("camera"));
const video = () => /** @type {HTMLVideoElement} */ (panel().querySelector("video"));

/** @param {string} text */
function say(text) {
  const note = panel().querySelector("[data-note]");
  if (note) note.textContent = text;
}

/** @param {unknown} error @returns {string} the plain instruction for it */
function reason(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return t("camera.refused");
  if (name === "NotFoundError" || name === "OverconstrainedError") return t("camera.none");
  if (name === "NotReadableError") return t("camera.busy");
  return t("camera.failed");
}

/** @param {MediaStream | null} given */
function stop(given) {
  given?.getTracks().forEach((track) => track.stop());
}

/** @param {string} text why there is no picture; the code can be typed instead */
function fail(text) {
  stop(stream);
  stream = null;
  say(text);
  panel().classList.add("failed");
  panel().querySelector("input")?.focus();
}

async function open() {
  const turn = (opened += 1);
  panel().hidden = false;
  document.body.classList.add("with-camera");
  say(t("camera.opening"));
  try {
    const wanted = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } };
    const given = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
    if (turn !== opened) return stop(given); // closed while the browser asked
    stream = given;
    video().srcObject = given;
    await video().play();
    const found = await readerOnce();
    if (stream !== given) return;
    say(t("camera.aim"));
    await look(found, given);
    if (stream === given) fail(t("camera.busy")); // taken away, or pulled out
  } catch (error) {
    if (turn === opened) fail(reason(error));
  }
}

/**
 * Look at one picture after the other until the panel is closed.
 * @param {Reader} found
 * @param {MediaStream} mine
 */
async function look(found, mine) {
  const sightings = new Sightings();
  while (stream === mine && mine.active) {
    const reads = await found.detect(video()).catch(() => []); // a picture that is not there yet
    const code = sightings.see(reads[0]?.rawValue ?? null, performance.now());
    if (code) offer(code, "camera");
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

function close() {
  opened += 1;
  stop(stream);
  stream = null;
  const within = panel().contains(document.activeElement);
  panel().hidden = true;
  panel().classList.remove("failed");
  document.body.classList.remove("with-camera");
  const button = within && document.querySelector("#screen [data-camera]");
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

/** Open and close with any button that says so; never leave the camera on in the background. */
export function start() {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-camera]") : null;
    if (!button) return;
    if (panel().hidden) void open();
    else close();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
  });
}
