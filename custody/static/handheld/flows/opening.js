/** Opening a table: a set is issued, inspected and put in play, signed in one ceremony. */
import { be } from "../here.js";
import { itemsAt, record } from "../records.js";
import { route } from "../router.js";
import { ask } from "../rules.js";
import { tell } from "../tabs.js";
import { t } from "../words.js";
import { felt, fitting, gather, gathered, taken, toSign } from "./common.js";
import { tableFlow } from "./table.js";
import { formOf } from "../drafting.js";
import { scanned as scannedAnywhere } from "../screens/scanned.js";
import { measures } from "../fields.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Draft} Draft */

const ID = "/h/flow/opening";
const { tableOf, title, tables } = tableFlow(ID, "flow.opening");
/** States in which a set may be brought to a table. */
const READY = new Set(["reserve", "issued"]);

/**
 * The sets that could go to the table: at it, or in the reserve of its pit.
 * @param {any} table
 * @param {string} id
 */
async function candidates(table, id) {
  const places = [id, table.pit].filter(Boolean);
  const rows = (await Promise.all(places.map(itemsAt))).flat();
  const ready = rows.filter((row) => READY.has(row.value.state) && !row.value.in);
  const codes = ready.map((row) => row.id);
  const fitting = new Set(await ask("fitting", { codes, table: id }));
  return ready.filter((row) => fitting.has(row.id) && isSet(row.value));
}

/** @param {any} item @returns {boolean} whether it is a set to play with, or an envelope with one */
function isSet(item) {
  return item.kind !== "envelope" || item.purpose === "reserve_inspected";
}

/**
 * The form of the look at a set before it is played with.
 * @param {string} item
 * @param {string} table
 */
async function looked(item, table) {
  const fields = { when: "before_play" };
  return (await formOf({ step: "inspect", items: [item], where: table, with: fields })).fields;
}

/**
 * @param {any[]} fields
 * @returns {{options: string[], required: boolean} | undefined} the instruments of the look, all of
 *   which are used where it asks for them; none for what is not measured
 */
function instrumentsOf(fields) {
  return fields.find((field) => field.name === "instruments");
}

/** @param {Asked} asked @param {Record<string, unknown>} [more] */
async function show({ query }, more = {}) {
  const id = await tableOf(query);
  const table = id ? await record("place", id) : null;
  if (!table || table.type !== "table") {
    return tables(more);
  }
  /** @type {Record<string, any>} */
  const flow = { ...(await gathered(ID)), table: id };
  const item = flow.item ? await record("item", flow.item) : null;
  const fields = item ? await looked(flow.item, id) : [];
  const open = table.table?.state ?? (table.open === false ? "closed" : "open");
  return {
    screen: "flow_opening",
    url: `${ID}?table=${encodeURIComponent(id)}`,
    context: {
      id: ID,
      table: { id, ...table },
      flow,
      item,
      open,
      choices: await candidates(table, id),
      instruments: instrumentsOf(fields),
      asks_measures: fields.some((field) => field.name === "measures" && field.required),
      ...more,
    },
  };
}

/** @param {Asked} asked */
async function scanned(asked) {
  const found = await taken(asked);
  const flow = await gathered(ID);
  if (found.what === "place") {
    await Promise.all([
      be(found.id),
      gather(ID, await title(found.id), {
        ...flow,
        table: found.id,
        item: flow.table === found.id ? flow.item : "",
      }),
    ]);
    tell("changed");
    await felt(asked, "ok", found.id);
    return show({ ...asked, query: new URLSearchParams({ table: found.id }) });
  }
  const usable =
    found.what === "item" && (READY.has(found.value.state) || found.value.state === "stored");
  await felt(asked, usable ? "ok" : "refused", found.id);
  if (!usable) {
    const wrong =
      found.what === "item"
        ? t("flow.not_ready", { code: found.id })
        : t("flow.unknown", { code: found.read.text });
    return show(asked, { wrong, item_wrong: found.what === "item" ? found.id : "" });
  }
  await gather(ID, await title(flow.table), {
    ...flow,
    table: await tableOf(asked.query),
    item: found.id,
  });
  return show(asked);
}

/**
 * On the page of a table without a set in play, a set that fits opens it; any other scan is what it is
 * everywhere.
 * @param {Asked} asked
 */
async function atTable(asked) {
  const id = asked.params.id ?? "";
  const [table, found] = [await record("place", id), await taken(asked)];
  const ready = found.what === "item" && (await candidates(table, id)).map((row) => row.id);
  const playing = (await itemsAt(id)).some((row) => row.value.state === "in_play");
  if (!ready || !ready.includes(found.id) || playing) return scannedAnywhere(asked);
  await felt(asked, "ok", found.id);
  await gather(ID, await title(id), { table: id, item: found.id });
  return show({ ...asked, query: new URLSearchParams({ table: id }) });
}

/** @param {Asked} asked a set or a table was picked from the list */
async function pick(asked) {
  const flow = await gathered(ID);
  const table = asked.form.get("table") ?? flow.table ?? (await tableOf(asked.query));
  const item = asked.form.get("item") ?? flow.item;
  await gather(ID, await title(table), { ...flow, table, item });
  return show({ ...asked, query: new URLSearchParams({ table }) });
}

/**
 * The ways in which a set comes into play, by where it is and what the rulebook asks.
 * @param {string} item
 * @param {string} table
 * @param {Record<string, any>} inspection
 * @param {string} vessel
 * @returns {Promise<Draft[][]>}
 */
async function ways(item, table, inspection, vessel) {
  const value = await record("item", item);
  const inside = value.contents?.length ? value.contents : [item];
  const issue = { step: "issue", items: [item], to: table, with: {} };
  const inspect = { step: "inspect", items: [item], with: { when: "before_play", ...inspection } };
  const play = { step: "play", items: inside, where: table, with: { vessel } };
  const open = {
    step: "open",
    items: [item],
    with: { seal: inspection.seal, seal_state: "intact" },
  };
  const opens = { step: "table", items: [], where: table, with: { state: "open" } };
  const at = value.place === table;
  const found = value.contents?.length
    ? [
        [issue, open, play],
        [open, play],
      ]
    : at
      ? [[inspect, play], [play]]
      : [
          [issue, inspect, play],
          [inspect, issue, play],
          [issue, play],
        ];
  return [...found, ...found.map((steps) => [opens, ...steps])];
}

/** @param {Asked} asked */
async function done(asked) {
  const { form } = asked;
  const flow = await gathered(ID);
  const table = flow.table ?? (await tableOf(asked.query));
  const sizes = measures(form.get("measures") ?? "");
  const all = Boolean(form.get("all"));
  const inspection = {
    instruments: all
      ? instrumentsOf(await looked(flow.item, table))?.options
      : form.getAll("instruments"),
    result: all ? "pass" : (form.get("result") ?? ""),
    ...(sizes.length && { measures: sizes }),
    ...(form.get("seal") && { seal: form.get("seal") }),
  };
  await gather(ID, await title(table), { ...flow, table, ...inspection });
  const { steps, against } = await fitting(
    await ways(flow.item, table, inspection, form.get("vessel") ?? "cup"),
  );
  if (against.length) return { ...(await show(asked, { against })), status: 422 };
  return toSign(ID, await title(table), steps, `/h/place/${encodeURIComponent(table)}`);
}

route("GET", "/h/flow/opening", show);
route("POST", "/h/flow/opening", done);
route("POST", "/h/flow/opening/pick", pick);
route("POST", "/h/flow/opening/scan", scanned);
route("POST", "/h/place/:id/scan", atTable);
