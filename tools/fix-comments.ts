// Wraps the wide comments of every source; part of `npm run fix`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { wrapComments } from "./comments/wrap-comments.ts";
import { listSources, readTree, repositoryRoot } from "./tidy/tree.ts";

const tree = readTree(repositoryRoot);
for (const path of listSources(tree)) {
  const text = tree.get(path) ?? "";
  const wrapped = wrapComments(text);
  if (wrapped === text) continue;
  writeFileSync(join(repositoryRoot, path), wrapped);
  console.log(`wrapped comments of ${path}`);
}
