/**
 * Builds every package from nothing and packs it.
 *
 * Each package is laid out in a folder of its own first, so that what only the repository needs
 * (the condition that leads to the source) stays out, what belongs in (licence, vectors) comes in,
 * and no file of the repository changes.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { operand, words } from "../command/options.ts";
import { readOptions, refuseUse } from "../command/read-options.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { PACKAGE_FOLDERS } from "./package-folders.ts";
import { run } from "./run.ts";
import { withoutSourceCondition } from "./without-source-condition.ts";

const command = {
  name: "npm run pack",
  about: ["Builds every package from nothing and packs it, as it would be published."],
  lasts: "a minute or so",
  options: {
    folder: operand(
      words({
        takes: "folder",
        says: "where the packages go; those of an earlier time are deleted",
        default: ".turnseal/packed",
      }),
      "optional",
    ),
  },
};
const destination = resolve(readOptions(command).folder);
const stranger = existsSync(destination)
  ? readdirSync(destination).find((name) => name !== "stage" && !name.endsWith(".tgz"))
  : undefined;
// Whoever names a folder of something else would lose it.
if (stranger !== undefined)
  refuseUse(command, `<folder> must be empty or of an earlier pack: it has ${stranger} in it`);

// By its address: the command is a project of its own, which this one is not built with.
const names = pathToFileURL(join(repositoryRoot, "apps/cli/src/init/example-names.ts")).href;
const exampleNames: readonly string[] = (await import(names)).EXAMPLE_NAMES;

buildAll();
rmSync(destination, { recursive: true, force: true });
mkdirSync(destination, { recursive: true });
for (const folder of PACKAGE_FOLDERS) packPackage(folder);

function buildAll(): void {
  // The build leaves files of deleted sources behind, and they would be published.
  for (const folder of PACKAGE_FOLDERS) {
    rmSync(join(repositoryRoot, folder, "dist"), { recursive: true, force: true });
    rmSync(join(repositoryRoot, folder, "tsconfig.tsbuildinfo"), { force: true });
  }
  const built = PACKAGE_FOLDERS.filter((folder) =>
    existsSync(join(repositoryRoot, folder, "tsconfig.json")),
  );
  run(["node", "node_modules/ts7/bin/tsc", "-b", ...built], repositoryRoot);
}

function packPackage(folder: string): void {
  const source = join(repositoryRoot, folder);
  const stage = join(destination, "stage", folder);
  mkdirSync(stage, { recursive: true });
  for (const part of ["bin", "dist", "README.md"]) copyIfThere(join(source, part), stage, part);
  copyIfThere(join(repositoryRoot, "LICENSE"), stage, "LICENSE");
  const manifest: { name: string; files: string[] } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  );
  if (manifest.files.includes("vectors")) {
    copyIfThere(join(repositoryRoot, "spec/vectors"), stage, "vectors");
  }
  // Whoever finds the public package on a registry reads what the repository says.
  if (manifest.name === "turnseal") {
    copyIfThere(join(repositoryRoot, "README.md"), stage, "README.md");
    copyProjects(stage);
  }
  const published = JSON.stringify(withoutSourceCondition(manifest), null, 2);
  writeFileSync(join(stage, "package.json"), `${published}\n`);
  run(["npm", "pack", "--silent", "--pack-destination", destination], stage);
}

/** What `turnseal init` makes projects of. */
function copyProjects(stage: string): void {
  copyIfThere(join(repositoryRoot, "templates"), stage, "templates");
  for (const name of exampleNames)
    cpSync(join(repositoryRoot, "examples", name), join(stage, "examples", name), {
      recursive: true,
      filter: (path) => !path.includes(".test."),
    });
}

function copyIfThere(from: string, stage: string, name: string): void {
  if (existsSync(from)) cpSync(from, join(stage, name), { recursive: true });
}
