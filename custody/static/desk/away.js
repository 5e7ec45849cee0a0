// Says when the server cannot be reached, keeps what was typed until it can, and asks by itself.

const AGAIN_MS = 5_000;
const NO_SERVER = new Set([502, 504]); // of a proxy that reaches none
/** @type {WeakSet<HTMLFormElement>} forms that wait for an answer on whether the server is there */
const asking = new WeakSet();
/** @type {WeakSet<HTMLFormElement>} forms of which it was just answered */
const certain = new WeakSet();
let waiting = 0;

/** @returns {Promise<boolean>} */
async function isThere() {
  try {
    const answer = await fetch("/health", { method: "HEAD", cache: "no-store" });
    return !NO_SERVER.has(answer.status);
  } catch {
    return false; // no network, or nobody listens
  }
}

/** @param {boolean} away */
function show(away) {
  const note = document.getElementById("offline");
  if (note) note.hidden = !away;
  clearTimeout(waiting);
  if (away) waiting = window.setTimeout(async () => show(!(await isThere())), AGAIN_MS);
}

document.addEventListener("htmx:error", () => show(true));
document.addEventListener("htmx:after:request", () => show(false));
window.addEventListener("offline", () => show(true));
window.addEventListener("online", async () => show(!(await isThere())));

// A form that is sent while the server is away would leave the page, and what was typed, for the browser's
// error. So it is asked first whether somebody is there; htmx, whose forms stay, has prevented the event.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (form.getAttribute("method") !== "post" || certain.delete(form)) return;
  event.preventDefault();
  if (asking.has(form)) return;
  asking.add(form);
  const there = await isThere();
  asking.delete(form);
  show(!there);
  if (!there) return;
  certain.add(form);
  form.requestSubmit(event.submitter);
});
