// Prints docs/reference: the public names of each published package, from its declarations.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderReference } from "./reference/render-reference.ts";
import { run } from "./release/run.ts";
import { repositoryRoot } from "./tidy/tree.ts";

run(
  [
    "node",
    "node_modules/ts7/bin/tsc",
    "-b",
    "packages/conformance",
    "packages/verify",
    "packages/client",
    "apps/cli",
  ],
  repositoryRoot,
);
mkdirSync(join(repositoryRoot, "docs/reference"), { recursive: true });
for (const { path, text, entries } of renderReference()) {
  writeFileSync(join(repositoryRoot, path), text);
  console.log(
    `${path}: ${entries.map(({ specifier, names }) => `${specifier} ${names.length}`).join(", ")}`,
  );
}
