// Writes into documents what is printed there: the tree and the table of boundaries of
// docs/map.md, the fields of spec/events.md. With --check it only says whether they are up to date.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { PRINTED } from "./printed-documents.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

const tree = readTree(repositoryRoot);
for (const { path, render } of PRINTED) {
  const document = tree.get(path) ?? "";
  const rendered = render(document, tree);
  if (rendered === document) {
    console.log(`${path} is up to date`);
  } else if (process.argv.includes("--check")) {
    console.error(`${path} is out of date: run \`npm run fix\``);
    process.exitCode = 1;
  } else {
    writeFileSync(resolve(repositoryRoot, path), rendered);
    console.log(`${path} is updated`);
  }
}
