/** What a screen reader says beside what it finds on the screen. */

/** @param {string} text said once; "" takes back what was to be said */
export function say(text) {
  const live = document.getElementById("said");
  if (live) live.textContent = text;
}
