/** What an exception's values tell besides its kind: the seal, the day, the place, the person. */
import { record } from "./records.js";
import { ago } from "./times.js";
import { t } from "./words.js";

const MINUTE = 60_000;

/** @param {string} of @returns {(id: string) => Promise<string>} the name of a place or a person */
const name = (of) => async (id) => (await record(of, id))?.name ?? id;
const same = async (/** @type {string} */ text) => text;

/** In the order in which they are told. @type {Record<string, (value: string) => Promise<string>>} */
const TOLD = { day: same, seal: same, found: same, place: name("place"), person: name("person") };

/**
 * @param {Record<string, any>} values
 * @returns {string} by how much a clock was ahead of the server's, or behind; "" for no clock
 */
function clock({ at, server, behind }) {
  const off = server === undefined ? -Number(behind ?? 0) : Number(at) - Number(server);
  if (Math.abs(off) < MINUTE) return "";
  return t(off > 0 ? "exception.ahead" : "exception.behind", { by: ago(Math.abs(off)) });
}

/**
 * @param {Record<string, any>} values of an exception
 * @returns {Promise<{name: string, text: string}[]>}
 */
export async function factsOf(values) {
  const known = Object.entries(TOLD).filter(([key]) => typeof values[key] === "string");
  const found = known.map(async ([key, tell]) => ({
    name: t(`exception.${key}`),
    text: await tell(values[key]),
  }));
  const off = clock(values);
  return [...(await Promise.all(found)), ...(off ? [{ name: t("exception.clock"), text: off }] : [])];
}
