// Compiles the handheld's templates into one ES module, so that the page needs no eval.
// Called with the templates folder, the folders below it to take, and nothing else; prints the module.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import nunjucks from "nunjucks";

const [base, ...folders] = process.argv.slice(2);

/** @param {string} folder @returns {string[]} names below `base`, sorted */
const names = (folder) =>
  readdirSync(join(base, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => `${folder}/${name}`.replaceAll("\\", "/"))
    .sort();

/** @param {{name: string, template: string}[]} compiled */
const entry = (compiled) =>
  compiled
    .map(({ name, template }) => `templates[${JSON.stringify(name)}] = (() => {\n${template}\n})();\n`)
    .join("");

const modules = folders
  .flatMap(names)
  .map((name) => nunjucks.precompileString(readFileSync(join(base, name), "utf8"), { name, wrapper: entry }));
process.stdout.write(`export const templates = {};\n${modules.join("")}`);
