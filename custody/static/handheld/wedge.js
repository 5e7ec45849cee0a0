/**
 * Tells a keyboard-wedge scanner's burst of keys from a person's typing. Needs no focus, and
 * leaves a field that happens to have it as it was before the burst.
 */

/** Keys of a scanner follow one another within this many milliseconds. */
const GAP = 60;
/** Once it is clear that it is a scanner, a busy device may stall it for so long. */
const STALL = 110;
/** A burst of fewer characters is typing. */
const LEAST = 4;
/** After this silence a burst without a suffix is over. */
const SILENCE = 130;
/** From this character of a burst on, keys are kept away from the field in focus. */
const HELD_FROM = 3;
/** A second Enter or line feed within this time belongs to the suffix of the scan before. */
const TAIL = 100;

const ENDS = new Set(["Enter", "Tab"]);
const SILENT = new Set(["Shift", "Control", "Alt", "AltGraph", "CapsLock", "Meta", "Dead"]);

/**
 * @typedef {{raw: string, caps: boolean}} Scan
 * @typedef {{emit: (scan: Scan) => void, begin: () => void, release: (text: string) => void}} Hooks
 *   `emit` takes a scan, `begin` is told that a burst may begin, `release` gets what was kept
 *   away from the field when it was typing after all
 */

/** The state of one stream of keys. Times are milliseconds of any one clock. */
export class Burst {
  /**
   * @param {Hooks} hooks
   * @param {{set: (work: () => void, ms: number) => any, clear: (timer: any) => void}} [timers]
   */
  constructor(
    hooks,
    timers = { set: (work, ms) => setTimeout(work, ms), clear: (timer) => clearTimeout(timer) },
  ) {
    this.hooks = hooks;
    this.timers = timers;
    this.text = "";
    this.held = "";
    this.caps = false;
    this.last = -Infinity;
    this.ended = -Infinity;
    /** @type {any} */
    this.timer = null;
  }

  /**
   * Take one key.
   * @param {string} key as KeyboardEvent.key names it, or the text that arrived at once
   * @param {number} at
   * @param {boolean} [caps] whether caps lock is on
   * @returns {boolean} true when the key must not reach the page
   */
  key(key, at, caps = false) {
    if (ENDS.has(key)) return this.end(at);
    if (SILENT.has(key)) return false;
    if (key.length > 1 && !isText(key)) {
      this.stop();
      return false;
    }
    if (at - this.last > this.patience()) this.restart();
    this.last = at;
    this.caps ||= caps;
    this.text += key;
    this.timers.clear(this.timer);
    this.timer = this.timers.set(() => this.stop(), SILENCE);
    if (this.text.length < HELD_FROM) return false;
    this.held += key;
    return true;
  }

  /** @returns {number} how long the next key may take and still belong to the burst */
  patience() {
    return this.text.length >= LEAST ? STALL : GAP;
  }

  /** @param {number} at @returns {boolean} */
  end(at) {
    if (at - this.ended <= TAIL && this.text === "") return true;
    if (at - this.last > this.patience() || this.text.length < LEAST) {
      this.stop();
      return false;
    }
    this.ended = at;
    this.finish();
    return true;
  }

  restart() {
    this.stop();
    this.hooks.begin();
  }

  /** The burst is over: a scan without a suffix, or a person's typing. */
  stop() {
    if (this.text.length >= LEAST) this.finish();
    else if (this.held) this.hooks.release(this.held);
    this.clear();
  }

  finish() {
    const scan = { raw: this.text, caps: this.caps };
    this.clear();
    this.hooks.emit(scan);
  }

  clear() {
    this.timers.clear(this.timer);
    this.text = "";
    this.held = "";
    this.caps = false;
    this.last = -Infinity;
  }
}

/**
 * @param {string} key
 * @returns {boolean} whether it is text that arrived at once, not the name of a key
 */
function isText(key) {
  return !/^(F\d+|[A-Z][a-z]+[A-Za-z]*\d*)$/.test(key);
}

/**
 * The character that a control chord stands for: scanners send GS as Ctrl+], STX as Ctrl+B.
 * @param {KeyboardEvent} event
 */
function character(event) {
  if (!event.ctrlKey || event.altKey || event.key.length !== 1) return event.key;
  const code = event.key.toUpperCase().charCodeAt(0) & 0x1f;
  return String.fromCharCode(code);
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {EventTarget | null} target @returns {Field | null} */
function fieldOf(target) {
  const typed = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return typed && !["checkbox", "radio", "file", "range"].includes(target.type) ? target : null;
}

/**
 * Listen on the whole page.
 * @param {(scan: Scan, field: Field | null) => void} take gets each scan, and the field that had
 *   the focus
 */
export function listen(take) {
  /** @type {{field: Field, value: string} | null} */
  let before = null;
  const focused = () => fieldOf(document.activeElement);
  const burst = new Burst({
    begin: () => {
      const field = focused();
      before = field && { field, value: field.value };
    },
    emit: (scan) => {
      if (before) before.field.value = before.value;
      take(scan, before?.field ?? null);
    },
    release: (text) => focused()?.setRangeText(text, ...caret(), "end"),
  });
  const caret = () => {
    const field = focused();
    const end = field?.value.length ?? 0;
    return /** @type {[number, number]} */ ([
      field?.selectionStart ?? end,
      field?.selectionEnd ?? end,
    ]);
  };
  const stop = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  let named = true; // an input method names no key (229); its text arrives with beforeinput
  document.addEventListener(
    "keydown",
    (event) => {
      named = event.key !== "Unidentified" && event.key !== "Process" && !event.isComposing;
      if (!named || event.repeat || event.metaKey) return;
      const caps = event.getModifierState("CapsLock");
      if (burst.key(character(event), event.timeStamp, caps)) stop(event);
    },
    true,
  );
  document.addEventListener(
    "beforeinput",
    (event) => {
      if (named || event.inputType !== "insertText" || !event.data) return;
      if (event.data.length > 1 && !/^\S*\d\S*$/.test(event.data)) return; // words, not a code
      const taken = [...event.data].map((letter) => burst.key(letter, event.timeStamp));
      if (taken.at(-1)) stop(event);
    },
    true,
  );
}
