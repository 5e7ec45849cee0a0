// PouchDB's server over a folder and a port, for bench/ingest.py to push the same events to.
const [, , folder, port] = process.argv;
const express = require("express");
const fs = require("fs");
const pouch = require("express-pouchdb");

fs.mkdirSync(folder, { recursive: true });
process.chdir(folder);
const PouchDB = require("pouchdb").defaults({ prefix: `${folder}/` });
const app = express();
app.use(pouch(PouchDB, { mode: "minimumForPouchDB", inMemoryConfig: true, logPath: `${folder}/log.txt` }));
app.listen(Number(port), "127.0.0.1", () => console.log("ready"));
