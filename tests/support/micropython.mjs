// Runs the test_ functions of one module under MicroPython and prints {"ran", "failed"} as JSON.
// Arguments: the folder with micropython.mjs, the folder `custody/rules`, the test module.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [vendor, rules, module] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(join(vendor, "micropython.mjs")).href);
// The handheld's heap and stack, so that what fits here fits there.
const options = { url: join(vendor, "micropython.wasm"), heapsize: 16 * 1024 * 1024, pystack: 64 * 1024 };
const mp = await loadMicroPython({ ...options, stdout: (line) => console.log(line), linebuffer: true });

mp.FS.mkdirTree("/rules/custody/rules");
mp.FS.writeFile("/rules/custody/__init__.py", "");
for (const name of readdirSync(rules)) {
  if (name.endsWith(".py")) mp.FS.writeFile(`/rules/custody/rules/${name}`, readFileSync(join(rules, name)));
}
mp.FS.writeFile("/rules/module_under_test.py", readFileSync(module));
mp.runPython(`
import io, json, sys
sys.path.insert(0, "/rules")
import module_under_test as tests

failed = []
names = sorted(name for name in dir(tests) if name.startswith("test_"))
for name in names:
    try:
        getattr(tests, name)()
    except Exception as error:
        text = io.StringIO()
        sys.print_exception(error, text)
        failed.append(name + ": " + text.getvalue())
print(json.dumps({"ran": len(names), "failed": failed}))
`);
