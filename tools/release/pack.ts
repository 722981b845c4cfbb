/**
 * Builds every package from nothing and packs it.
 *
 * Each package is first laid out in a folder of its own. Parts that only the repository needs (the
 * condition that leads to the source) stay out, licence and vectors come in, and no file of the
 * repository changes.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { operand, words } from "../command/options.ts";
import { readOptions, refuseUse } from "../command/read-options.ts";
import { PACKAGE_FOLDERS, PUBLISHED_FOLDERS } from "../packages/package-folders.ts";
import { stagePackage } from "../packages/stage-package.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { run } from "./run.ts";

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
// Otherwise a folder with other contents would be deleted.
if (stranger !== undefined)
  refuseUse(command, `<folder> must be empty or of an earlier pack: it has ${stranger} in it`);

buildAll();
rmSync(destination, { recursive: true, force: true });
mkdirSync(destination, { recursive: true });
for (const folder of PUBLISHED_FOLDERS) await packPackage(folder);

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

async function packPackage(folder: string): Promise<void> {
  const stage = join(destination, "stage", folder);
  await stagePackage(folder, stage);
  run(["npm", "pack", "--silent", "--pack-destination", destination], stage);
}
