/** What a person feels and hears at a scan: one short for taken, two low for refused. */
import { glance } from "./memory.js";

/** @type {AudioContext | null} */
let audio = null;

const TONES = {
  ok: [[880, 0.06]],
  again: [[660, 0.04]],
  refused: [
    [220, 0.12],
    [180, 0.16],
  ],
};
const BUZZ = { ok: [30], again: [15, 30, 15], refused: [90, 60, 90] };

/**
 * @param {number} hertz
 * @param {number} from seconds
 * @param {number} length seconds
 */
function tone(hertz, from, length) {
  audio ??= new AudioContext();
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = hertz;
  volume.gain.value = 0.12;
  source.connect(volume).connect(audio.destination);
  source.start(audio.currentTime + from);
  source.stop(audio.currentTime + from + length);
}

/** @param {"ok" | "again" | "refused"} what */
export async function feedback(what) {
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (touched) navigator.vibrate?.(BUZZ[what]);
  const { sound = true } = (await glance("settings")) ?? {};
  if (!sound || !touched) return;
  let from = 0;
  for (const [hertz = 0, length = 0] of TONES[what]) {
    tone(hertz, from, length);
    from += length + 0.05;
  }
}
