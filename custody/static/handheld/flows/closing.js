/** End of the day at a table: the set is removed, looked at, packed and sealed, in one ceremony. */
import { be } from "../here.js";
import { itemsAt, record } from "../records.js";
import { route } from "../router.js";
import { tell } from "../tabs.js";
import { t } from "../words.js";
import { entered as read, felt, fitting, gather, gathered, taken, toSign } from "./common.js";
import { tableFlow } from "./table.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Draft} Draft */

const ID = "/h/flow/closing";
const { tableOf, title, tables } = tableFlow(ID, "flow.closing");

/** @param {Asked} asked @param {Record<string, unknown>} [more] */
async function show({ query }, more = {}) {
  const id = await tableOf(query);
  const table = id ? await record("place", id) : null;
  if (!table || table.type !== "table") {
    return tables(more);
  }
  const sets = (await itemsAt(id)).filter((row) =>
    ["in_play", "removed"].includes(row.value.state),
  );
  const flow = await gathered(ID);
  const mine = flow.table === id ? flow : { table: id };
  return {
    screen: "flow_closing",
    url: `${ID}?table=${encodeURIComponent(id)}`,
    context: { id: ID, table: { id, ...table }, sets, flow: mine, ...more },
  };
}

/** A table, then the envelope, then its seal. @param {Asked} asked */
async function scanned(asked) {
  const found = await taken(asked);
  const entered = read(new URLSearchParams(asked.form.get("form") ?? ""));
  const kept = await gathered(ID);
  if (found.what === "place") {
    await be(found.id);
    tell("changed");
    await gather(ID, await title(found.id), { table: found.id });
    await felt(asked, "ok", found.id);
    return show({ ...asked, query: new URLSearchParams({ table: found.id }) });
  }
  const table = await tableOf(asked.query);
  /** @type {Record<string, any>} */
  const before = { ...kept, ...entered, table };
  const focus = asked.form.get("field");
  const field = focus || (before.into ? "seal" : "into");
  if (
    !found.id ||
    (found.what === "item" && found.value.state !== "sealed" && found.value.kind !== "envelope")
  ) {
    await felt(asked, "refused", found.id);
    return show(asked, { wrong: t("closing.not_envelope", { code: found.id || found.read.raw }) });
  }
  await gather(ID, await title(table), { ...before, [field]: found.id });
  await felt(asked, "ok", found.id);
  return show(asked);
}

/**
 * @param {any[]} sets
 * @param {any} table
 * @param {string} id
 * @param {Record<string, string>} fields
 * @returns {Draft[][]}
 */
function ways(sets, table, id, fields) {
  const items = sets.map((row) => row.id);
  const pieces = /^\d+$/.test(fields.pieces ?? "") ? { pieces: Number(fields.pieces) } : {};
  const remove = { step: "remove", items, where: id, with: { reason: "end_of_day", ...pieces } };
  const look = {
    step: "inspect",
    items,
    where: id,
    with: {
      when: "end_of_day",
      result: fields.result ?? "",
      ...(fields.findings && { findings: fields.findings }),
    },
  };
  const purpose = fields.result === "fail" ? "tampering" : "used";
  const pack = {
    step: "pack",
    items,
    to: table.pit ?? null,
    into: fields.into ?? null,
    with: { purpose, table: id, seal: fields.seal ?? "", label: fields.label === "yes" },
  };
  return [[remove, look, pack], [look, pack], [pack]];
}

/** @param {Asked} asked */
async function done(asked) {
  const id = await tableOf(asked.query);
  const table = await record("place", id);
  const sets = (await itemsAt(id)).filter((row) =>
    ["in_play", "removed"].includes(row.value.state),
  );
  const fields = Object.fromEntries(asked.form);
  await gather(ID, await title(id), { ...(await gathered(ID)), ...fields, table: id });
  const { steps, against } = await fitting(ways(sets, table, id, fields));
  if (against.length) return { ...(await show(asked, { against })), status: 422 };
  return toSign(ID, await title(id), steps, `/h/place/${encodeURIComponent(id)}`);
}

route("GET", "/h/flow/closing", show);
route("POST", "/h/flow/closing", done);
route("POST", "/h/flow/closing/scan", scanned);
