/**
 * Copies the declarations that the entries of a package reach, also those of packages that are not
 * published.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { repositoryRoot } from "../tidy/tree.ts";
import { listEntries } from "./list-entries.ts";
import { PACKAGE_FOLDERS } from "./package-folders.ts";
import { type Manifest, readManifest } from "./read-manifest.ts";

const SPECIFIER = /(\bfrom |\bimport\(|\bimport )"([^"]+)"/g;

/** Returns the path of the declarations of each entry, by subpath. */
export function copyTypes(
  manifest: Manifest,
  { folder, stage }: { readonly folder: string; readonly stage: string },
): ReadonlyMap<string, string> {
  const entries = listEntries(manifest).map(
    ({ subpath, source }) => [subpath, toDeclaration(join(folder, source))] as const,
  );
  const waiting = entries.map(([, path]) => path);
  const copied = new Set(waiting);
  // Grows while it is walked.
  for (const path of waiting) {
    const text = readFileSync(path, "utf8").replace(SPECIFIER, (whole, before, specifier) => {
      const target = locate(specifier, path);
      if (target === undefined) return whole;
      if (!copied.has(target)) waiting.push(target);
      copied.add(target);
      return `${before}"${toSpecifier(path, target)}"`;
    });
    const place = join(stage, placeOf(path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return new Map(entries.map(([subpath, path]) => [subpath, `./${placeOf(path)}`]));
}

/** The declarations that a specifier leads to; undefined for a library. */
function locate(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) {
    const path = resolve(dirname(from), specifier);
    return path.endsWith(".d.ts") ? path : path.replace(/\.(ts|js)$/, ".d.ts");
  }
  const found = folders.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (found === undefined) return undefined;
  const subpath = `.${specifier.slice(found.name.length)}`;
  const source = found.exports?.[subpath]?.["turnseal-source"];
  if (source === undefined) throw new Error(`${specifier} has no source`);
  return toDeclaration(join(repositoryRoot, found.folder, source));
}

const folders = PACKAGE_FOLDERS.map((folder) => ({ folder, ...readManifest(folder) }));

/** `packages/kernel/src/index.ts` was built as `packages/kernel/dist/index.d.ts`. */
function toDeclaration(source: string): string {
  return source.replace("/src/", "/dist/").replace(/\.ts$/, ".d.ts");
}

/** `packages/kernel/dist/index.d.ts` is published as `dist/types/kernel/index.d.ts`. */
function placeOf(declaration: string): string {
  const path = relative(repositoryRoot, declaration).replace(/^(packages|apps)\//, "");
  return join("dist/types", path.replace("/dist/", "/"));
}

function toSpecifier(from: string, to: string): string {
  const path = relative(dirname(placeOf(from)), placeOf(to)).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
