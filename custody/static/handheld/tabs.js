/**
 * Tells this page and the other tabs that the replica, the queue or the people have changed. What
 * another tab told is `custody:elsewhere` as well.
 */

const channel = new BroadcastChannel("custody");

/** @typedef {"changed" | "wiped" | "kick"} News */

/** @param {News} news */
function announce(news) {
  document.dispatchEvent(new CustomEvent(`custody:${news}`));
}

channel.addEventListener("message", (event) => {
  document.dispatchEvent(new CustomEvent("custody:elsewhere"));
  announce(event.data);
});

/** @param {News} news told to every tab, this one included */
export function tell(news) {
  announce(news);
  channel.postMessage(news);
}
