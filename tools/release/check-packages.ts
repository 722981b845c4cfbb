// What others get: `node tools/release/check-packages.ts <folder with tarballs>` runs publint and
// attw on each.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { PUBLISHED_FOLDERS } from "../packages/package-folders.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { run } from "./run.ts";

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const tarballs = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
if (tarballs.length !== PUBLISHED_FOLDERS.length) {
  throw new Error(`${packed} holds ${tarballs.length} packages, not ${PUBLISHED_FOLDERS.length}`);
}

for (const tarball of tarballs) {
  const path = join(packed, tarball);
  checkContents(path);
  run(["npx", "--no", "--", "publint", "run", path, "--strict"], repositoryRoot);
  // A package with only a program has no types to resolve.
  if (!tarball.startsWith("create-"))
    run(["npx", "--no", "--", "attw", path, "--profile", "esm-only"], repositoryRoot);
}

function checkContents(tarball: string): void {
  const files = run(["tar", "-tf", tarball], packed).trim().split("\n");
  // A template is a project: it has a source and tests of its own.
  const built = files.filter((file) => !file.startsWith("package/templates/"));
  const stray = built.filter((file) => /\.test|\.tsbuildinfo$|\/src\//.test(file));
  if (stray.length > 0) throw new Error(`${tarball} holds ${stray.join(", ")}`);
  for (const needed of ["package/LICENSE", "package/package.json"]) {
    if (!files.includes(needed)) throw new Error(`${tarball} does not hold ${needed}`);
  }
}
