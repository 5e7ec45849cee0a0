// Runs the rules core in MicroPython: reads one JSON line per call on standard input, answers one per line.
// Arguments: the folder with micropython.mjs, and the folder `custody/rules`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [vendor, rules] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(join(vendor, "micropython.mjs")).href);
const mp = await loadMicroPython({ url: join(vendor, "micropython.wasm"), heapsize: 64 * 1024 * 1024, stdout: (line) => process.stderr.write(line + "\n"), linebuffer: true });

mp.FS.mkdir("/lib/custody");
mp.FS.mkdir("/lib/custody/rules");
mp.FS.writeFile("/lib/custody/__init__.py", "");
for (const name of readdirSync(rules)) {
  if (name.endsWith(".py")) mp.FS.writeFile(`/lib/custody/rules/${name}`, readFileSync(join(rules, name)));
}
mp.runPython("import sys\nsys.path.insert(0, '/lib')\nfrom custody.rules import portal\n");
const call = mp.globals.get("portal").call;

for await (const line of createInterface({ input: process.stdin })) {
  const { name, text } = JSON.parse(line);
  process.stdout.write(JSON.stringify(call(name, text)) + "\n");
}
