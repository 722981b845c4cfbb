/**
 * The manifests and the lockfile: one version, exact dependencies as in the table, complete for
 * every platform.
 */
import type { Boundary } from "../boundaries.ts";
import type { Tree } from "./tree.ts";

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

const exactVersion = /^(npm:[^@]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Packages of another version than the first one, and dependencies that are not pinned. */
export function checkVersions(tree: Tree): string[] {
  const manifests = listManifests(tree);
  const packages = manifests.filter(({ path }) => path !== "package.json");
  const version = packages[0]?.manifest.version;
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const problems = packages
    .filter(({ manifest }) => manifest.version !== version)
    .map(({ path }) => `${path} is not of version ${version}`);
  for (const { path, manifest } of manifests) {
    for (const [name, range] of Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    })) {
      if (!exactVersion.test(range)) problems.push(`${path} does not pin ${name}`);
      else if (names.has(name) && range !== version) {
        problems.push(`${path} wants ${name} ${range}`);
      }
    }
  }
  return problems;
}

/** Differences between what a package declares and what the table lets it import. */
export function checkDependencies(tree: Tree, boundaries: readonly Boundary[]): string[] {
  return listManifests(tree)
    .filter(({ path }) => path !== "package.json")
    .flatMap(({ path, manifest }) => {
      const boundary = boundaries.find(({ name }) => name === manifest.name);
      if (boundary === undefined) return [`${path} is not in the table`];
      const allowed = [...boundary.workspace, ...boundary.external];
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      return [
        ...without(declared, allowed).map((name) => `${path} declares ${name}`),
        ...without(allowed, declared).map((name) => `${path} does not declare ${name}`),
      ];
    });
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function listManifests(tree: Tree): { path: string; manifest: Manifest }[] {
  return [...tree]
    .filter(([path]) => /^((packages|apps)\/[^/]+\/)?package\.json$/.test(path))
    .map(([path, text]) => ({ path, manifest: JSON.parse(text) as Manifest }));
}

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly optionalDependencies?: Versions }>
  >;
}

const nativeTools = ["@biomejs/biome", "oxlint", "oxlint-tsgolint", "rolldown", "ts7"];
const platforms = ["darwin-arm64", "win32-x64", "linux-arm64"];

/**
 * Entries that `npm ci` would miss on another platform, and addresses of the machine that wrote the
 * file.
 */
export function checkLockfile(text: string): string[] {
  const { packages } = JSON.parse(text) as Lockfile;
  const problems: string[] = [];
  for (const [path, { resolved = "", optionalDependencies = {} }] of Object.entries(packages)) {
    if (resolved.includes(":")) problems.push(`${path} is resolved to an address`);
    for (const name of Object.keys(optionalDependencies)) {
      const isLocked = [`node_modules/${name}`, `${path}/node_modules/${name}`].some(
        (place) => packages[place] !== undefined,
      );
      if (!isLocked) problems.push(`${name}, an option of ${path}, has no entry`);
    }
  }
  return [...problems, ...nativeTools.flatMap((tool) => checkPlatforms(packages, tool))];
}

function checkPlatforms(packages: Lockfile["packages"], tool: string): string[] {
  const options = Object.keys(packages[`node_modules/${tool}`]?.optionalDependencies ?? {});
  return platforms
    .filter((platform) => !options.some((name) => name.includes(platform)))
    .map((platform) => `${tool} has no entry for ${platform}`);
}
