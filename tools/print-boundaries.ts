// Writes the tree and the table of boundaries into ARCHITECTURE.md; with --check it only says
// whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { BOUNDARIES } from "./boundaries.ts";
import { renderDocument } from "./render-boundaries.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

const path = resolve(import.meta.dirname, "../ARCHITECTURE.md");
const document = readFileSync(path, "utf8");
const rendered = renderDocument(document, BOUNDARIES, readTree(repositoryRoot).keys());

if (rendered === document) {
  console.log("ARCHITECTURE.md is up to date");
} else if (process.argv.includes("--check")) {
  console.error("ARCHITECTURE.md is out of date: run `npm run fix`");
  process.exitCode = 1;
} else {
  writeFileSync(path, rendered);
  console.log("ARCHITECTURE.md is updated");
}
