import type { Boundary } from "../boundaries.ts";

type Versions = Readonly<Record<string, string>>;

export interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly link?: boolean } | undefined>
  >;
}

export interface ImageParts {
  readonly boundaries: readonly Boundary[];
  /** The version of our packages. */
  readonly version: string;
  /** What the repository itself uses, in exact versions. */
  readonly pinned: Versions;
  readonly lockfile: Lockfile;
}

export interface ImageManifest {
  readonly private: true;
  readonly type: "module";
  readonly dependencies: Versions;
  readonly overrides: Versions;
}

const COMMAND = "turnseal";
/** The engine is a server of its own, and in no image of ours. */
const ELSEWHERE: ReadonlySet<string> = new Set(["@restatedev/restate-server"]);

/** The name that a package has when it is packed. */
export function tarballOf(name: string, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/**
 * The packages of an image: the command as it was packed, and all others in the versions that
 * the repository is tested with.
 */
export function createImageManifest(parts: ImageParts): ImageManifest {
  const { boundaries, version, pinned, lockfile } = parts;
  const own = listOwn(boundaries);
  const dependencies: Record<string, string> = {};
  dependencies[COMMAND] = `file:packages/${tarballOf(COMMAND, version)}`;
  // Some are optional for users: an image has them all.
  for (const name of new Set(own.flatMap(({ external }) => external))) {
    const exact = pinned[name];
    if (exact !== undefined && !ELSEWHERE.has(name)) dependencies[name] = exact;
  }
  return { private: true, type: "module", dependencies, overrides: listTested(lockfile, own) };
}

/** The command and every package that it contains. */
function listOwn(boundaries: readonly Boundary[]): Boundary[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    boundaries.find((boundary) => boundary.name === name)?.workspace.forEach(visit);
  };
  visit(COMMAND);
  return boundaries.filter(({ name }) => found.has(name));
}

/** The version of each package that the lockfile has in one version only. */
function listTested({ packages }: Lockfile, own: readonly Boundary[]): Record<string, string> {
  const versions = new Map<string, Set<string>>();
  for (const [path, entry] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    const isOther = path.includes("node_modules/") && entry?.link !== true;
    if (!isOther || entry?.version === undefined) continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(entry.version));
  }
  const names = new Set(own.map(({ name }) => name));
  const tested = [...versions].filter(([name, each]) => each.size === 1 && !names.has(name));
  return Object.fromEntries(tested.map(([name, [version = ""]]) => [name, version]));
}
