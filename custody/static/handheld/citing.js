/**
 * Where the rulebook on this device names a clause: its entries, in words. So that from a refusal, an
 * alert or a line of a form one tap shows what the law says and what the house has made of it.
 */
import { label, t } from "./words.js";

/** @typedef {{heading: string, when: string, house: string, in_force: string, lines: string[]}} Entry */

/** Parts of a rulebook that are lists of entries, and what each is called. */
const PARTS = ["step", "clock", "count", "rule", "record", "paper", "approval", "limits", "control"];
/** What stands inside an entry and may name a clause of its own. */
const INNER = ["signers", "fields", "needs", "checklist"];
const MOST = 12;

/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** @param {any} entry @param {string} id @returns {boolean} */
const names = (entry, id) => list(entry?.clause).includes(id);

/** @param {unknown} word @returns {string} in the first group that has it */
function said(word) {
  const text = String(word);
  for (const group of /** @type {const} */ (["job", "word", "place", "state", "step", "field"])) {
    const found = label(group, text);
    if (found !== text.replaceAll("_", " ")) return found;
  }
  return text.replaceAll("_", " ");
}

/** @param {any} value @returns {string} */
function told(value) {
  if (Array.isArray(value)) return value.map(told).join(", ");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (value && typeof value === "object") {
    return Object.entries(value)
      .map(([name, one]) => `${said(name)}: ${told(one)}`)
      .join("; ");
  }
  return said(value);
}

/** @type {Record<string, (one: any) => string>} */
const SAY = {
  signers: (one) => t("entry.signs", { who: told(list(one.need)) }),
  fields: (one) => t("entry.asks", { field: label("field", one.name) }),
  checklist: (one) => t("entry.looks", { line: label("line", one.line) }),
  needs: (one) => {
    const { is, clause: _clause, ...rest } = one;
    return `${t("entry.needs")} ${told({ [is]: rest })}`;
  },
};

/**
 * @param {any} entry
 * @param {string} id
 * @param {boolean} whole whether the entry itself names the clause, and so all that is in it
 * @returns {string[]} what the entry asks for because of the clause
 */
function lines(entry, id, whole) {
  return INNER.flatMap((part) =>
    list(entry[part])
      .filter((one) => names(one, id) || (whole && one && !one.clause))
      .map((one) => String(SAY[part]?.(one))),
  );
}

/** @param {any} entry @returns {string[]} the entry's own values: periods, starts, limits */
function values(entry) {
  const skip = new Set(["step", "when", "clause", "house", "name", "in_force", "until", ...INNER]);
  return Object.entries(entry)
    .filter(([name]) => !skip.has(name))
    .map(([name, value]) => `${said(name)}: ${told(value)}`);
}

/**
 * @param {string} part
 * @param {any} entry
 * @returns {string}
 */
function heading(part, entry) {
  const steps = list(entry.step).map((step) => label("step", String(step)));
  return steps.length ? steps.join(", ") : `${t(`entry.${part}`)} ${told(entry.name ?? "")}`.trim();
}

/** @param {any} rulebook @returns {[string, any][]} every entry with the part that it is in */
function entries(rulebook) {
  return PARTS.flatMap((part) => {
    const found = rulebook[part] ?? [];
    const some = Array.isArray(found)
      ? found
      : Object.entries(found).flatMap(([name, one]) => list(one).map((e) => named(e, name)));
    return some.map((one) => /** @type {[string, any]} */ ([part, one]));
  });
}

/** @param {any} entry @param {string} name */
const named = (entry, name) => (entry && typeof entry === "object" ? { name, ...entry } : { name });

/**
 * @param {any} rulebook the record of the rulebook in force
 * @param {string} id of a clause
 * @returns {{entries: Entry[], more: number}}
 */
export function citing(rulebook, id) {
  const found = entries(rulebook ?? {}).flatMap(([part, entry]) => {
    const whole = names(entry, id);
    const inner = lines(entry, id, whole);
    if (!whole && !inner.length) return [];
    const { when, house = "", in_force: since = "" } = entry;
    const own = whole ? values(entry) : [];
    return [{ heading: heading(part, entry), when: when ? told(when) : "", house, in_force: since, lines: [...own, ...inner] }];
  });
  return { entries: found.slice(0, MOST), more: Math.max(0, found.length - MOST) };
}
