/** What the flows at a table share: which table it is, how the draft is called, the list to pick from. */
import { here } from "../here.js";
import { all, record } from "../records.js";
import { t } from "../words.js";
import { gathered } from "./common.js";

/** @typedef {import("../router.js").Screen} Screen */

/**
 * @param {string} id address of the flow
 * @param {string} word key of what the flow is called
 */
export function tableFlow(id, word) {
  return {
    /** @param {URLSearchParams} query @returns {Promise<string>} the table, or "" */
    async tableOf(query) {
      const kept = query.get("table") ?? (await gathered(id)).table;
      if (kept) return kept;
      const place = await here();
      return place?.type === "table" ? place.id : "";
    },

    /** @param {string} table @returns {Promise<string>} what the draft is called */
    async title(table) {
      const place = table ? await record("place", table) : null;
      return `${t(word)} ${place?.name ?? table}`;
    },

    /** @param {Record<string, unknown>} more @returns {Promise<Screen>} the list of tables */
    async tables(more) {
      const tables = (await all("place")).filter((row) => row.value.type === "table");
      return { screen: "flow_tables", context: { tables, id, title: t(word), ...more } };
    },
  };
}
