// Runs the rules core in MicroPython: reads one JSON line per call on standard input, answers one per line.
// Arguments: the folder with micropython.mjs, and the folder `custody/rules`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// Node would print the line at fault, and MicroPython's loader is one line of 100 kB.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

const [vendor, rules] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(join(vendor, "micropython.mjs")).href);
// The handheld's heap and stack, so that what fits here fits there.
const options = { url: join(vendor, "micropython.wasm"), heapsize: 16 * 1024 * 1024, pystack: 64 * 1024 };
const mp = await loadMicroPython({ ...options, stdout: (line) => process.stderr.write(line + "\n"), linebuffer: true });

mp.FS.mkdirTree("/rules/custody/rules");
mp.FS.writeFile("/rules/custody/__init__.py", "");
for (const name of readdirSync(rules)) {
  if (name.endsWith(".py")) mp.FS.writeFile(`/rules/custody/rules/${name}`, readFileSync(join(rules, name)));
}
mp.runPython("import sys\nsys.path.insert(0, '/rules')\nfrom custody.rules import portal");
const call = mp.globals.get("portal").call;

for await (const line of createInterface({ input: process.stdin })) {
  const { name, text } = JSON.parse(line);
  process.stdout.write(JSON.stringify(call(name, text)) + "\n");
}
