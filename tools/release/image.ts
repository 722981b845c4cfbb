/**
 * Makes the folder that the Dockerfile builds from: our packages as they were packed, and a cache
 * of npm with all of their dependencies. So an image is built without a network.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BOUNDARIES } from "../boundaries.ts";
import { operand, words } from "../command/options.ts";
import { readOptions, refuseUse } from "../command/read-options.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { createImageManifest } from "./image-manifest.ts";
import { run } from "./run.ts";

const command = {
  name: "npm run image",
  about: [
    "Makes .turnseal/image of packages that were packed: docker build . takes it from there.",
  ],
  needs: "packages of npm run pack, and the package registry",
  lasts: "half a minute",
  options: {
    folder: operand(
      words({
        takes: "folder",
        says: "where the packed packages are",
        default: ".turnseal/packed",
      }),
      "optional",
    ),
  },
};
const packed = resolve(readOptions(command).folder);
const image = join(repositoryRoot, ".turnseal/image");

const readJson = (path: string) => JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"));
const manifest = createImageManifest({
  boundaries: BOUNDARIES,
  version: readJson("apps/cli/package.json").version,
  pinned: readJson("package.json").devDependencies,
  lockfile: readJson("package-lock.json"),
});
const tarballs = Object.values(manifest.dependencies)
  .filter((place) => place.startsWith("file:"))
  .map((place) => basename(place));
const missing = tarballs.find((name) => !existsSync(join(packed, name)));
if (missing !== undefined) refuseUse(command, `${packed} does not hold ${missing}: npm run pack`);

rmSync(image, { recursive: true, force: true });
mkdirSync(join(image, "packages"), { recursive: true });
for (const name of tarballs) copyFileSync(join(packed, name), join(image, "packages", name));
writeFileSync(join(image, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--logs-max=0"] as const;
// With the address of each, npm looks into the cache by digest, and asks no registry for names.
const addressed = "--omit-lockfile-registry-resolved=false";
run(["npm", "install", "--cache=cache", addressed, ...quiet], image);
// The image installs them itself, from the cache.
rmSync(join(image, "node_modules"), { recursive: true });
process.stdout.write(`${image} is ready: docker build -t turnseal .\n`);
