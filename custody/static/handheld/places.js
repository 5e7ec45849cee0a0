/** What places are called and which code is printed for each, kept while the replica stands still. */
import { all } from "./records.js";

/** @typedef {{id: string, name: string, code: string}} Named */

/** @type {Promise<Named[]> | null} */
let known = null;

document.addEventListener("custody:changed", () => {
  known = null;
});

/** @returns {Promise<Named[]>} every place */
export function places() {
  known ??= all("place").then((rows) =>
    rows.map(({ id, value }) => ({ id, name: value.name ?? id, code: value.code ?? id })),
  );
  known.catch(() => {
    known = null; // the next asks again
  });
  return known;
}
