/** Scans on a step's form: each goes where it fits. */
import { keep } from "../drafts.js";
import { drafted, formOf } from "../drafting.js";
import { creates } from "../kinds.js";
import { read } from "../read.js";
import { record } from "../records.js";
import { route } from "../router.js";
import { outcome } from "../scan.js";
import { t } from "../words.js";
import { find } from "./scanned.js";
import { formScreen } from "./step.js";

/** @typedef {import("../router.js").Asked} Asked */

/** What a supplier's box is labelled with; every other new code on a delivery is a piece in it. */
const BOX = "BX-";

/**
 * Where on a form a scan fits: the field in focus, else the place, else the items or the next empty
 * field that takes a code. Where items come into being, a code that is new names one of them.
 * @param {import("./scanned.js").Found} found
 * @param {string} step
 * @param {string | undefined} empty name of that field
 */
async function fitting({ what, id, read }, step, empty) {
  if (what === "place") return "part.to";
  if (what === "item") return "items";
  if (read.kind !== "code" && read.kind !== "serial") return ""; // misread, or a badge
  const fresh = what === "unknown" && !id.startsWith(BOX);
  if (fresh && ((await creates(step)) || (await isPiece(id)))) return "items";
  return empty ? `with.${empty}` : "";
}

/** Whether a code is reserved for a piece of a case that is known. @param {string} code */
async function isPiece(code) {
  const case_ = code.slice(0, Math.max(0, code.lastIndexOf("/")));
  return case_ !== "" && Boolean((await record("item", case_))?.serials);
}

/** A scan on a form goes where it fits, once. @param {Asked} asked */
async function scanned({ query, form }) {
  const id = `/h/step?${query}`;
  const entered = new URLSearchParams(form.get("form") ?? "");
  const found = await find(await read(form));
  const draft = await drafted(query, entered);
  const { fields } = await formOf(draft);
  const empty = fields.find((field) => field.type === "code" && !entered.get(`with.${field.name}`));
  const target = form.get("field") || (await fitting(found, draft.step, empty?.name));
  const again = target === "items" && draft.items.includes(found.id);
  await outcome(form.get("n"), again ? "again" : target ? "ok" : "refused", {
    result: again ? "again" : target || "unknown",
    code: found.id,
  });
  if (again) return formScreen(draft, id, entered, { said: t("scan.listed", { code: found.id }) });
  if (!target)
    return formScreen(draft, id, entered, {
      said: t("scan.unknown_here", { code: found.read.text }),
    });
  if (target === "items") entered.append("items", found.id);
  else entered.set(target, found.id);
  await keep(id, { form: entered.toString() });
  return formScreen(await drafted(query, entered), id, entered);
}

route("POST", "/h/step/scan", scanned);
