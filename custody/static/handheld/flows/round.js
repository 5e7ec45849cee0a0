/** A collection round: what waits, by pit; each envelope scanned once; handed in at security. */
import { be } from "../here.js";
import { all, itemsBy, record } from "../records.js";
import { route } from "../router.js";
import { ask } from "../rules.js";
import { when } from "../times.js";
import { present } from "../signon.js";
import { label, t } from "../words.js";
import { felt, fitting, gather, gathered, taken, toSign } from "./common.js";

/** @typedef {import("../router.js").Asked} Asked */
/** @typedef {import("../types.js").Row} Row */

const ID = "/h/flow/round";
const HAND_IN = "/h/flow/round?deliver=1";

/** The kinds of which some may wait; the rules say which do. */
const KINDS = ["envelope", "form"];

/** @returns {Promise<Row[]>} what waits to be collected, by code */
async function waiting() {
  const rows = (await Promise.all(KINDS.map((kind) => itemsBy("kind", kind)))).flat();
  const waits = new Set(await ask("waiting", { codes: rows.map((row) => row.id) }));
  return inOrder(rows.filter((row) => waits.has(row.id)));
}

/** @param {Row[]} rows @returns {Row[]} by code */
const inOrder = (rows) => rows.sort((a, b) => (a.id < b.id ? -1 : 1));

/** @returns {Promise<Row[]>} what those signed on carry */
async function carried() {
  const people = (await present()).map((one) => one.person);
  const borne = await Promise.all(people.map((person) => itemsBy("holder", person)));
  return inOrder(borne.flat()).filter(({ value }) => !value.in && value.state === "collected");
}

/**
 * @param {Row[]} rows
 * @param {Record<string, number>} scanned
 * @returns {Promise<{place: string, name: string, rows: any[]}[]>} by place
 */
async function byPlace(rows, scanned) {
  const places = [...new Set(rows.map((row) => row.value.place))].sort();
  return Promise.all(
    places.map(async (place) => ({
      place,
      name: (await record("place", place))?.name ?? place,
      rows: rows
        .filter((row) => row.value.place === place)
        .map((row) => ({ ...row, at: scanned[row.id] })),
    })),
  );
}

const values = (/** @type {Row[]} */ rows) => rows.map((row) => row.value);

/**
 * What comes next for those who carry something.
 * @param {any[]} values of the items that are carried
 * @param {Row[]} securities
 * @returns {string} "" when nothing is carried
 */
function next(values, securities) {
  if (!values.length || !securities.length) return "";
  const names = securities.map((row) => row.value.name ?? row.id).join(` ${t("round.or")} `);
  const plain = values.every((value) => value.kind === "envelope");
  return t(plain ? "round.take" : "round.take_mixed", { n: values.length, place: names });
}

/** @returns {Promise<Row[]>} where a round ends */
async function offices() {
  return (await all("place")).filter((row) => row.value.type === "security");
}

/** @param {Asked} _asked @param {Record<string, unknown>} [more] */
async function show(_asked, more = {}) {
  const flow = await gathered(ID);
  const scanned = flow.scanned ?? {};
  const pits = await byPlace(await waiting(), scanned);
  const [bearing, securities] = await Promise.all([carried(), offices()]);
  return {
    screen: "flow_round",
    url: ID,
    context: {
      id: ID,
      pits,
      codes: Object.keys(scanned),
      carried: bearing,
      then: next(values(bearing), securities),
      securities,
      ...more,
    },
  };
}

/** @param {Asked} asked */
async function scanned(asked) {
  const found = await taken(asked);
  const flow = await gathered(ID);
  const known = flow.scanned ?? {};
  if (found.what === "place") return arrive(asked, found.id);
  if (known[found.id]) {
    await felt(asked, "again", found.id);
    return show(asked, { said: t("round.again", { code: found.id, at: when(known[found.id]) }) });
  }
  const waits = (await waiting()).some((row) => row.id === found.id);
  await felt(asked, waits ? "ok" : "refused", found.id);
  if (!waits) return show(asked, { wrong: why(found) });
  await gather(ID, t("flow.round"), { ...flow, scanned: { ...known, [found.id]: Date.now() } });
  return show(asked, { taken: found.id, count: Object.keys(known).length + 1 });
}

/** @param {import("../screens/scanned.js").Found} found @returns {string} why it is not collected */
function why(found) {
  if (found.what !== "item") return t("flow.unknown", { code: found.read.text || found.read.raw });
  return t("round.not_waiting", { code: found.id, state: label("state", found.value.state) });
}

/**
 * A place was scanned: at security, what is carried is handed in.
 * @param {Asked} asked
 * @param {string} id
 */
async function arrive(asked, id) {
  await be(id);
  await felt(asked, "ok", id);
  const place = await record("place", id);
  const open = Object.keys((await gathered(ID)).scanned ?? {}).length;
  if (place?.type !== "security" || open) return show(asked);
  return deliver({ ...asked, form: new URLSearchParams({ to: id }) });
}

/** @param {Asked} asked */
async function collect(asked) {
  const items = Object.keys((await gathered(ID)).scanned ?? {});
  if (!items.length) return { ...(await show(asked, { wrong: t("round.nothing") })), status: 422 };
  const { steps, against } = await fitting([[{ step: "collect", items, with: {} }]]);
  if (against.length) return { ...(await show(asked, { against })), status: 422 };
  const hand = await Promise.all(items.map((code) => record("item", code)));
  const then = next([...values(await carried()), ...hand], await offices());
  return toSign(ID, t("flow.round"), steps, ID, then);
}

/** @param {Asked} asked */
async function deliver(asked) {
  const items = (await carried()).map((row) => row.id);
  const to = asked.form.get("to") ?? "";
  if (!items.length)
    return { ...(await show(asked, { wrong: t("round.carry_nothing") })), status: 422 };
  const { steps, against } = await fitting([[{ step: "deliver", items, to, with: {} }]]);
  if (against.length) return { ...(await show(asked, { against })), status: 422 };
  await gather(HAND_IN, t("round.deliver"), {});
  return toSign(HAND_IN, t("round.deliver"), steps, ID);
}

/** @param {Asked} asked take a scan back, or all of them */
async function drop(asked) {
  const flow = await gathered(ID);
  const { [asked.form.get("code") ?? ""]: _gone, ...rest } = flow.scanned ?? {};
  await gather(ID, t("flow.round"), { ...flow, scanned: rest });
  return show(asked);
}

route("GET", "/h/flow/round", show);
route("POST", "/h/flow/round", collect);
route("POST", "/h/flow/round/scan", scanned);
route("POST", "/h/flow/round/deliver", deliver);
route("POST", "/h/flow/round/drop", drop);
