/**
 * Lays a package out as it is published: one bundle for each entry, the declarations, and what
 * belongs in (licence, vectors, templates).
 */
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repositoryRoot } from "../tidy/tree.ts";
import { bundlePackage } from "./bundle-package.ts";
import { copyTypes } from "./copy-types.ts";
import { publishedManifest } from "./published-manifest.ts";
import { readManifest } from "./read-manifest.ts";

/** Declarations are copied from the last build; the code is bundled from its source. */
export async function stagePackage(packageFolder: string, stage: string): Promise<void> {
  const folder = join(repositoryRoot, packageFolder);
  const manifest = readManifest(packageFolder);
  mkdirSync(stage, { recursive: true });
  for (const part of ["bin", "README.md"]) copyIfThere(join(folder, part), stage, part);
  copyIfThere(join(repositoryRoot, "LICENSE"), stage, "LICENSE");
  if (manifest.files?.includes("vectors"))
    copyIfThere(join(repositoryRoot, "spec/vectors"), stage, "vectors");
  // The public page on a registry is the README of the repository.
  if (manifest.name === "turnseal") {
    copyIfThere(join(repositoryRoot, "README.md"), stage, "README.md");
    await copyProjects(stage);
  }
  const libraries = await bundlePackage(manifest, { folder, dist: join(stage, "dist") });
  const types = copyTypes(manifest, { folder, stage });
  const published = publishedManifest(manifest, { libraries, types });
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}

/** The projects that `turnseal init` copies. */
async function copyProjects(stage: string): Promise<void> {
  copyIfThere(join(repositoryRoot, "templates"), stage, "templates");
  // By its address: the command is a project of its own, which this one is not built with.
  const names = pathToFileURL(join(repositoryRoot, "apps/cli/src/init/example-names.ts")).href;
  const exampleNames: readonly string[] = (await import(names)).EXAMPLE_NAMES;
  for (const name of exampleNames)
    cpSync(join(repositoryRoot, "examples", name), join(stage, "examples", name), {
      recursive: true,
      filter: (path) => !path.includes(".test."),
    });
}

function copyIfThere(from: string, stage: string, name: string): void {
  if (existsSync(from)) cpSync(from, join(stage, name), { recursive: true });
}
