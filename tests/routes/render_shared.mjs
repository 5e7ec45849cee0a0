// Renders what it reads from standard input ([[template, context], ...]) with Nunjucks; prints the texts as JSON.
import { readFileSync } from "node:fs";
import nunjucks from "nunjucks";

const environment = new nunjucks.Environment(new nunjucks.FileSystemLoader(process.argv[2]), { autoescape: true });
const wanted = JSON.parse(readFileSync(process.argv[3], "utf8"));
process.stdout.write(JSON.stringify(wanted.map(([name, context]) => environment.render(name, context))));
