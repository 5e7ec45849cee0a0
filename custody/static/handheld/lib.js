/** The modules that the build installs, each named in one place. */

export { openDB } from "/static/vendor/idb/index.js";
export { loadMicroPython } from "/static/vendor/micropython/micropython.mjs";
export { templates } from "/static/built/templates.js";
