// PouchDB's server over a folder and a port, for bench/ingest.py to push the same events to.
// `durable`: every batch waits for the disk, which PouchDB's LevelDB is not asked to do otherwise.
const [, , folder, port, how] = process.argv;
const express = require("express");
const fs = require("fs");
const leveldown = require("leveldown");
const pouch = require("express-pouchdb");

function durable(location) {
  const level = leveldown(location);
  const batch = level._batch.bind(level);
  level._batch = (writes, options, done) => batch(writes, { ...options, sync: true }, done);
  return level;
}

fs.mkdirSync(folder, { recursive: true });
process.chdir(folder);
const options = { prefix: `${folder}/`, ...(how === "durable" ? { db: durable } : {}) };
const PouchDB = require("pouchdb").defaults(options);
const app = express();
app.use(pouch(PouchDB, { mode: "minimumForPouchDB", inMemoryConfig: true, logPath: `${folder}/log.txt` }));
app.listen(Number(port), "127.0.0.1", () => console.log("ready"));
