/** Makes this browser a device of the site: a key of its own, and a run to number its events in. */
import { ROOT, holding } from "./chain.js";
import { generate, publicJwk } from "./keys.js";
import { post } from "./net.js";
import { meta, pressure, transact } from "./store.js";
import { hear } from "./clock.js";
import { tell } from "./tabs.js";
import { t, word } from "./words.js";

/**
 * Keep the new key, the device and an empty chain: all or nothing. Queued events of an older run
 * stay as they are.
 * @param {CryptoKeyPair} pair
 * @param {import("./types.js").Device} device
 */
function keep(pair, device) {
  return transact(["keys", "meta"], "readwrite", (tx) => {
    const values = tx.objectStore("meta");
    return Promise.all([
      tx.objectStore("keys").put(pair, device.run),
      values.put(device, "device"),
      values.put({ run: device.run, seq: 0, id: ROOT }, "head"),
      values.put(Date.now(), "contact"),
      values.put("", "problem"),
      values.delete("revoked"),
    ]);
  });
}

/**
 * Enrol with a one-time code. A device that is enrolled already starts its next run.
 * @param {string} code
 * @param {string} name what people call this device
 * @returns {Promise<string>} "" or a sentence that says what went wrong
 */
export function enrol(code, name) {
  return holding(async () => {
    const old = await meta("device");
    const run = old ? old.run + 1 : 1;
    const pair = await generate();
    const again = old && { device: old.device, run };
    const { ok, type, answer } = await post("/sync/v1/devices", {
      code,
      name,
      key: await publicJwk(pair),
      ...again,
    });
    if (!ok) return word(`enrol.${type}`, t("enrol.failed", { type }));
    const site = answer.site?.id ?? answer.site?.site;
    await keep(pair, {
      device: answer.device,
      run,
      name,
      site,
      setting: answer.site,
      serverKey: answer.server_key,
      state: answer.state,
    });
    if (Number.isInteger(answer.now)) hear(answer.now);
    await pressure();
    tell("changed");
    return "";
  });
}
