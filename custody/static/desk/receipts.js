/**
 * The page that checks a receipt: takes what is pasted, dropped or chosen, and says what is proven
 * and what is not. The words come with the form, in the language of the page.
 *
 * @typedef {import("./verify.js").Proven} Proven
 */

import { LogError, readReceipt, readVerifiers } from "./verify.js";

const HEAD = "c2sp.org/tlog-proof@v1";
const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-receipt]"));
const verdict = /** @type {HTMLElement} */ (document.getElementById("verdict"));
/** @type {Record<string, string>} */
const said = JSON.parse(form.dataset.said ?? "{}");

/** @param {string} name @returns {HTMLTextAreaElement} */
const area = (name) => /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(name));

/** @param {string} key @param {Record<string, string | number>} [values] */
const say = (key, values = {}) =>
  (said[key] ?? key).replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));

/** Put a file where it belongs: a receipt is known by its first line. @param {string} text */
function take(text) {
  area(text.startsWith(HEAD) ? "receipt" : "line").value = text.replace(/\n+$/, "");
}

/** @param {Iterable<File>} files */
async function takeFiles(files) {
  for (const file of files) take(await file.text());
  await check();
}

async function check() {
  const receipt = area("receipt").value.replace(/\r\n/g, "\n").trim();
  const line = area("line").value.replace(/\r?\n$/, "");
  if (!receipt) return show("warn", say("empty"), "", []);
  if (!globalThis.crypto?.subtle) return show("bad", say("bad"), say("insecure"), []);
  try {
    const keys = await readVerifiers(area("keys").value);
    tell(await readReceipt(`${receipt}\n`, keys, line || undefined), Boolean(line));
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    show("bad", say("bad"), say(error.code), []);
  }
}

/** @param {Proven} found @param {boolean} withLine */
function tell(found, withLine) {
  const { checkpoint: point } = found;
  const time = new Date(found.received).toISOString().replace("T", " ").replace("Z", " UTC");
  const place = { position: found.position, size: point.size, origin: point.origin };
  const proven = [say("place", place), say("received", { time })];
  if (point.checked) proven.push(say("signed", { names: point.signers.join(", ") }));
  if (withLine) proven.push(say("line"));
  const open = [say("truth"), say("device"), say("one_log")];
  if (!withLine) open.unshift(say("no_line"));
  if (!point.checked) open.unshift(say("unsigned_here"));
  const lists = /** @type {[string, string[]][]} */ ([
    [say("proven"), proven],
    [say("unproven"), open],
  ]);
  show(point.checked ? "good" : "warn", say(point.checked ? "good" : "half"), "", lists);
}

/**
 * @param {string} tone
 * @param {string} heading
 * @param {string} text
 * @param {[string, string[]][]} lists
 */
function show(tone, heading, text, lists) {
  const parts = /** @type {HTMLTemplateElement} */ (document.getElementById("verdict-part"));
  const [note, card] = /** @type {HTMLElement[]} */ ([...parts.content.children]);
  const told = /** @type {HTMLElement} */ (note?.cloneNode(true));
  told.classList.add(tone);
  fill(told, "b", heading);
  fill(told, "p", text);
  verdict.replaceChildren(told, ...lists.map(([title, lines]) => listed(card, title, lines)));
  verdict.focus();
}

/** @param {HTMLElement | undefined} card @param {string} title @param {string[]} lines */
function listed(card, title, lines) {
  const made = /** @type {HTMLElement} */ (card?.cloneNode(true));
  fill(made, "h2", title);
  made.querySelector("ul")?.append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  return made;
}

/** @param {HTMLElement} where @param {string} selector @param {string} text */
function fill(where, selector, text) {
  const found = where.querySelector(selector);
  if (found) found.textContent = text;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void check();
});
document.getElementById("f-files")?.addEventListener("change", (event) => {
  void takeFiles(/** @type {HTMLInputElement} */ (event.target).files ?? []);
});
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  event.preventDefault();
  const given = event.dataTransfer;
  if (given?.files.length) void takeFiles(given.files);
  else if (given) take(given.getData("text"));
});
