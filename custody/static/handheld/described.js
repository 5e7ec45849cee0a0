/** What an item is, in the words of whoever holds it: "5 dice, craps", "52 cards, blackjack". */
import { spoken, label, t } from "./words.js";

const named = (/** @type {unknown} */ word) => label("word", String(word));
const list = (/** @type {unknown[]} */ words) => words.map(named).join(", ");

/** @param {number} cents @returns {string} */
function money(cents) {
  const options = /** @type {Intl.NumberFormatOptions} */ ({ style: "currency", currency: "USD" });
  return new Intl.NumberFormat(spoken() === "es" ? "es-US" : "en-US", options).format(cents / 100);
}

/**
 * What is counted of each kind; other kinds are told by what they hold or by their serial.
 * @type {Record<string, (item: any, of: any) => string[]>}
 */
const COUNTED = {
  dice: (item) => [t("item.dice", { n: item.pieces })],
  cards: (item, { decks }) => [
    ...(decks > 1 ? [t("item.decks", { n: decks })] : []),
    t("item.cards", { n: item.pieces }),
  ],
  tiles: (item, { missing = [] }) => [
    t("item.tiles", { n: item.pieces }),
    ...(missing.length ? [t("item.missing", { names: list(missing) })] : []),
  ],
  coupons: (_item, { type, denomination }) => [
    ...(type ? [named(type)] : []),
    ...(denomination ? [money(denomination)] : []),
  ],
  envelope: (item) => [
    [
      item.pieces ? t("item.holds", { n: item.pieces }) : t("item.holds_none"),
      ...(item.purpose ? [named(item.purpose)] : []),
    ].join(" · "),
  ],
};

/**
 * @param {any} item value of an item's record; a seal's number is not said, it is read blind
 * @returns {string} what is counted of it, its games and its look, "" when nothing is known
 */
export function described(item) {
  const of = item.attributes ?? {};
  const counted = COUNTED[item.kind]?.(item, of) ?? [];
  const games = list(of.games ?? (of.game ? [of.game] : []));
  const look = [of.back && t("item.back", { back: of.back }), of.colour && named(of.colour)];
  const numbers = of.first && of.last ? `${of.first}–${of.last}` : "";
  return [...counted, games, ...look, numbers].filter(Boolean).join(", ");
}
