/** Destruction: each envelope is opened and its seal compared, then what was in them is destroyed. */
import { be, here } from "../here.js";
import { all, record } from "../records.js";
import { route } from "../router.js";
import { t } from "../words.js";
import { felt, fitting, gather, gathered, taken, toSign } from "./common.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {{code: string, seal: string, state: string}} Opened */

const ID = "/h/flow/destruction";
const LOOSE = new Set(["at_security", "to_destroy"]);

/** @returns {Promise<string>} the place of destruction */
async function placeOf() {
  const now = await here();
  if (now?.type === "destruction") return now.id;
  const places = (await all("place")).filter((row) => row.value.type === "destruction");
  return (await gathered(ID)).where ?? (places.length === 1 ? places[0]?.id : "") ?? "";
}

/** @param {Asked} _asked @param {Record<string, unknown>} [more] */
async function show(_asked, more = {}) {
  const flow = await gathered(ID);
  const rows = await Promise.all(
    (flow.opened ?? []).map(async (/** @type {Opened} */ one) => ({
      ...one,
      item: await record("item", one.code),
    })),
  );
  const where = await placeOf();
  const places = (await all("place")).filter((row) => row.value.type === "destruction");
  return {
    screen: "flow_destruction",
    url: ID,
    context: { id: ID, rows, where, places, flow, asked: flow.asked ?? "", ...more },
  };
}

/**
 * The seal as found against the seal on record. The record is not shown before.
 * @param {string} code
 * @param {string} seal
 */
async function compared(code, seal) {
  const value = await record("item", code);
  return value?.seal === seal ? "intact" : "different";
}

/** @param {Record<string, any>} flow */
function put(flow) {
  return gather(ID, t("flow.destruction"), flow);
}

/** An envelope, then its seal as it is found; or an item that lies open. @param {Asked} asked */
async function scanned(asked) {
  const found = await taken(asked);
  const flow = await gathered(ID);
  const opened = /** @type {Opened[]} */ (flow.opened ?? []);
  if (found.what === "place") await be(found.id);
  else if (flow.asked) return sealed(asked, found.id || found.read.text);
  else if (opened.some((one) => one.code === found.id)) {
    await felt(asked, "again", found.id);
    return show(asked, { said: t("round.again", { code: found.id, at: "" }) });
  } else if (found.what === "item" && found.value.contents?.length)
    await put({ ...flow, asked: found.id });
  else if (found.what === "item" && LOOSE.has(found.value.state))
    await put({ ...flow, opened: [...opened, { code: found.id, seal: "", state: "open" }] });
  else {
    await felt(asked, "refused", found.id);
    return show(asked, {
      wrong:
        found.what === "item"
          ? t("destruction.not", { code: found.id })
          : t("flow.unknown", { code: found.read.text }),
    });
  }
  await felt(asked, "ok", found.id);
  return show(asked);
}

/**
 * @param {Asked} asked
 * @param {string} seal
 */
async function sealed(asked, seal) {
  const flow = await gathered(ID);
  const state = asked.form.get("broken") ? "broken" : await compared(flow.asked, seal);
  const opened = [...(flow.opened ?? []), { code: flow.asked, seal, state }];
  await put({ ...flow, opened, asked: "" });
  if (asked.form.get("n")) await felt(asked, state === "intact" ? "ok" : "refused", seal);
  return show(asked, state === "intact" ? {} : { wrong: t("destruction.seal", { seal }) });
}

/** @param {Asked} asked the seal was typed, or found broken */
async function typed(asked) {
  const seal = (asked.form.get("seal") ?? "").trim();
  if (!seal && !asked.form.get("broken")) return show(asked, { wrong: t("destruction.no_seal") });
  return sealed(asked, seal);
}

/** @param {Asked} asked */
async function drop(asked) {
  const flow = await gathered(ID);
  const code = asked.form.get("code");
  await put({
    ...flow,
    asked: "",
    opened: (flow.opened ?? []).filter((/** @type {Opened} */ one) => one.code !== code),
  });
  return show(asked);
}

/** @param {Asked} asked */
async function done(asked) {
  const flow = await gathered(ID);
  const opened = /** @type {Opened[]} */ (flow.opened ?? []);
  if (!opened.length)
    return { ...(await show(asked, { wrong: t("destruction.nothing") })), status: 422 };
  const where = asked.form.get("where") || (await placeOf());
  const method = asked.form.get("destroyed_by") ?? "";
  const opens = opened
    .filter((one) => one.state !== "open")
    .map((one) => ({
      step: "open",
      items: [one.code],
      with: { seal: one.seal, seal_state: one.state },
    }));
  const items = (
    await Promise.all(
      opened.map(async ({ code }) =>
        (await record("item", code))?.contents?.length
          ? (await record("item", code)).contents
          : [code],
      ),
    )
  ).flat();
  const drilled = method === "drilled";
  const end = {
    step: drilled ? "cancel" : "destroy",
    items,
    where,
    with: { method, ...(drilled && { hole: asked.form.get("hole") ?? "" }) },
  };
  await put({ ...flow, destroyed_by: method, hole: asked.form.get("hole") ?? "", where });
  const { steps, against } = await fitting([[...opens, end]]);
  if (against.length) return { ...(await show(asked, { against })), status: 422 };
  return toSign(ID, t("flow.destruction"), steps, "/h/");
}

route("GET", "/h/flow/destruction", show);
route("POST", "/h/flow/destruction", done);
route("POST", "/h/flow/destruction/scan", scanned);
route("POST", "/h/flow/destruction/seal", typed);
route("POST", "/h/flow/destruction/drop", drop);
