/** The foreign packages that are installed with ours, from the lockfile. */
import { code, codes, renderTable } from "./render-table.ts";

/** What is read of a package in the lockfile. */
interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
type Lock = Readonly<Record<string, Locked>>;

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Packages that name it, ours first of all. */
  readonly broughtBy: readonly string[];
  /** True for a package that users install themselves, or that comes only with such a package. */
  readonly isChosen: boolean;
  readonly hasInstallScript: boolean;
}

const ownFolder = /^(packages|apps)\/[^/]+$/;
const MODULES = "node_modules/";

/** Each version once, in the order of names. */
export function listDependencies(lockfile: string): readonly Dependency[] {
  const { packages: lock } = JSON.parse(lockfile) as { readonly packages: Lock };
  const own = Object.entries(lock).filter(([place]) => ownFolder.test(place));
  const found = new Map<string, Dependency>();
  const visit = (place: string, broughtBy: string, isChosen: boolean): void => {
    const locked = lock[place];
    if (locked === undefined || locked.link === true) return;
    const known = found.get(place);
    const name = place.slice(place.lastIndexOf(MODULES) + MODULES.length);
    const { version = "", license = "", hasInstallScript = false } = locked;
    const names = [...new Set([...(known?.broughtBy ?? []), broughtBy])];
    const facts = { name, version, license, hasInstallScript, broughtBy: names };
    // A package that always comes is not chosen, even if an optional one needs it, too.
    found.set(place, { ...facts, isChosen: isChosen && known?.isChosen !== false });
    if (known !== undefined) return;
    for (const next of listNeeded(locked)) visit(findPlace(lock, place, next), name, isChosen);
  };
  const visitAll = (field: "dependencies" | "peerDependencies", isChosen: boolean): void => {
    for (const [folder, locked] of own)
      for (const next of Object.keys(locked[field] ?? {}))
        visit(findPlace(lock, folder, next), locked.name ?? folder, isChosen);
  };
  visitAll("dependencies", false);
  visitAll("peerDependencies", true);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function listNeeded(locked: Locked): readonly string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked;
  const isNeeded = (name: string): boolean =>
    locked.peerDependenciesMeta?.[name]?.optional !== true;
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...Object.keys(peerDependencies).filter(isNeeded),
  ];
}

/** Where Node finds a package: in the nearest folder above that has it. */
function findPlace(lock: Lock, from: string, name: string): string {
  for (let at = from; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0)))
    if (lock[`${at}/${MODULES}${name}`] !== undefined) return `${at}/${MODULES}${name}`;
  return `${MODULES}${name}`;
}

/** Both tables: what is always installed, and what users choose. */
export function renderDependencies(lockfile: string): string {
  const all = listDependencies(lockfile);
  const render = (isChosen: boolean): string =>
    renderTable(
      ["package", "version", "license", "brought by"],
      all
        .filter((each) => each.isChosen === isChosen)
        .map(({ name, version, license, broughtBy }) => [
          code(name),
          ...[version, license],
          codes(broughtBy),
        ]),
    );
  return [
    "Always installed with our packages:",
    render(false),
    "Installed where you choose a backend, a store, an engine or a client:",
    render(true),
  ].join("\n\n");
}
