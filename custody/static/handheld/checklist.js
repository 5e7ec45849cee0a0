/**
 * What only a person can check, asked where it is signed: each line of a step's checklist is ticked by
 * itself, and what is ticked goes into `with.checked`. There is no tick for all of them: whoever signs
 * has looked at each.
 */

/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {{line: string, clause: string | null}} Line a line that the rulebook asks of a step */

/**
 * @param {Draft} draft
 * @param {Line[]} lines as `core.form` gives them
 * @returns {(Line & {ticked: boolean})[]}
 */
export function asked(draft, lines) {
  const ticked = new Set(draft.with.checked ?? []);
  return lines.map((one) => ({ ...one, ticked: ticked.has(one.line) }));
}

/**
 * @param {Draft} draft
 * @param {string[]} lines
 * @returns {Draft} with these lines ticked, and no others
 */
export function checked(draft, lines) {
  const { checked: _before, ...others } = draft.with;
  return { ...draft, with: lines.length ? { ...others, checked: lines } : others };
}

/**
 * Tick a line, or take the tick back.
 * @param {Draft} draft
 * @param {string} line
 * @returns {Draft}
 */
export function toggled(draft, line) {
  const before = /** @type {string[]} */ (draft.with.checked ?? []);
  const without = before.filter((one) => one !== line);
  return checked(draft, without.length < before.length ? without : [...before, line]);
}

/**
 * @param {Draft[]} steps
 * @returns {Record<string, string[]>} the ticked lines by step, so that a flow keeps them when it is
 *   gone back to
 */
export function tickedIn(steps) {
  return Object.fromEntries(steps.map((one) => [one.step, one.with.checked ?? []]));
}
