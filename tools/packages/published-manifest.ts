/**
 * A manifest for publication: without the condition that leads to the source, and with the
 * libraries of the packages inside instead of those packages.
 */
import { PACKAGE_FOLDERS } from "./package-folders.ts";
import { type Manifest, readManifest } from "./read-manifest.ts";

interface Contents {
  /** What the bundles import. */
  readonly libraries: readonly string[];
  /** The declarations of each entry, by subpath. */
  readonly types: ReadonlyMap<string, string>;
}

export function publishedManifest(
  manifest: Manifest,
  { libraries, types }: Contents,
  read: (name: string) => Manifest | undefined = findManifest,
): Manifest {
  const inside = listInside(manifest, read);
  const dependencies = pick(merge(inside, "dependencies"), (name) => !isInside(name));
  const peerDependencies = merge(inside, "peerDependencies");
  const declared = { ...dependencies, ...peerDependencies };
  const missing = libraries.map(packageOf).filter((name) => declared[name] === undefined);
  if (missing.length > 0)
    throw new Error(`${manifest.name} imports ${missing.join(", ")} and does not declare it`);
  const exports = Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) => {
    const published = pick(conditions, (condition) => condition !== "turnseal-source");
    const path = types.get(subpath);
    if (path !== undefined) published["types"] = path;
    return Object.keys(published).length === 0 ? [] : [[subpath, published] as const];
  });
  return {
    ...manifest,
    ...section("exports", Object.fromEntries(exports)),
    ...section("dependencies", dependencies),
    ...section("peerDependencies", peerDependencies),
    ...section("peerDependenciesMeta", merge(inside, "peerDependenciesMeta")),
  };
}

/** The package and the packages that it contains. */
function listInside(
  manifest: Manifest,
  read: (name: string) => Manifest | undefined,
): readonly Manifest[] {
  const found = new Map([[manifest.name, manifest]]);
  for (const { dependencies = {} } of found.values())
    for (const name of Object.keys(dependencies)) {
      const other = isInside(name) && !found.has(name) ? read(name) : undefined;
      if (other !== undefined) found.set(name, other);
    }
  return [...found.values()];
}

function findManifest(name: string): Manifest | undefined {
  return PACKAGE_FOLDERS.map(readManifest).find((manifest) => manifest.name === name);
}

function isInside(name: string): boolean {
  return name.startsWith("@turnseal/");
}

type Section = "dependencies" | "peerDependencies" | "peerDependenciesMeta";

function merge<Name extends Section>(
  manifests: readonly Manifest[],
  name: Name,
): Record<string, NonNullable<Manifest[Name]>[string]> {
  const entries = manifests.flatMap((manifest) => Object.entries(manifest[name] ?? {}));
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))) as Record<
    string,
    NonNullable<Manifest[Name]>[string]
  >;
}

function section<Name extends string, Content extends object>(name: Name, content: Content) {
  return Object.keys(content).length === 0 ? { [name]: undefined } : { [name]: content };
}

function pick(
  all: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
}

/** `@scope/name/part` belongs to `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
