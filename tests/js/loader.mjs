/** Lets Node find what the browser asks for as /static/...: the app's own static files. */
import { registerHooks } from "node:module";

const root = new URL("../../custody/static/", import.meta.url);

registerHooks({
  resolve(name, context, next) {
    if (!name.startsWith("/static/")) return next(name, context);
    return {
      url: new URL(name.slice("/static/".length), root).href,
      format: "module",
      shortCircuit: true,
    };
  },
});
