/**
 * The errors of the handheld: a short closed list of kinds. Each kind has a sentence (words/*.js,
 * `error.<kind>`), and the router shows it; the detail is for the log.
 */

/** @typedef {"store-cannot-open"|"store-blocked"|"store-full"|"store-stuck"|"store-closed"
 *   |"head-moved"|"no-device"|"rules-not-ready"|"rules-failed"|"bad-input"|"not-found"|"locked"} Kind */

/** What went wrong, by kind, with the values its sentence needs. */
export class HandheldError extends Error {
  /**
   * @param {Kind} kind
   * @param {Record<string, unknown>} [values]
   * @param {unknown} [cause]
   */
  constructor(kind, values = {}, cause = undefined) {
    super(kind, { cause });
    this.name = "HandheldError";
    this.kind = kind;
    this.values = values;
  }
}

/**
 * Say which kind of store error a browser's error is.
 * @param {unknown} error
 * @returns {HandheldError}
 */
export function storeError(error) {
  if (error instanceof HandheldError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return new HandheldError("store-full", {}, error);
  if (name === "InvalidStateError") return new HandheldError("store-closed", {}, error);
  return new HandheldError("store-cannot-open", { name }, error);
}
