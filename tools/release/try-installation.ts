/**
 * A user's first minute: the tarballs are installed together into an empty folder outside the
 * repository, then the program of the README runs, the command answers, and the types of every
 * entry resolve under strict settings.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { repositoryRoot } from "../tidy/tree.ts";
import { PACKAGE_FOLDERS } from "./package-folders.ts";
import { listPackages, readProgram } from "./read-program.ts";
import { run } from "./run.ts";

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
const folder = mkdtempSync(join(tmpdir(), "turnseal-installation-"));
try {
  tryInstallation(readProgram(readFileSync(join(repositoryRoot, "README.md"), "utf8")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tryInstallation(program: string): void {
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }\n`);
  installPackages();
  installOthers([...listPackages(program), "@types/node"]);
  writeFileSync(join(folder, "program.ts"), program);
  const printed = run(["node", "program.ts"], folder);
  if (printed.trim() === "") throw new Error("the program of the README prints nothing");
  const help = run(["npx", "--no", "--", "turnseal", "--help"], folder);
  if (!help.includes("Usage")) throw new Error(`the command gives no help:\n${help}`);
  run(["npx", "--no", "--", "turnseal", "conformance", "lsem"], folder);
  checkTypes({ entries: listEntries().filter(({ hasPeers }) => !hasPeers), skipLibCheck: false });
  // Whoever imports an adapter has the package that it adapts; nobody else needs it. The types of
  // that package do not pass the full check by themselves.
  installOthers(["@ai-sdk/provider"]);
  checkTypes({ entries: listEntries(), skipLibCheck: true });
}

function installPackages(): void {
  const tarballs = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
  run(["npm", "install", ...options, ...tarballs.map((name) => join(packed, name))], folder);
}

/** Installs what is not ours, in the version that the repository uses. */
function installOthers(names: readonly string[]): void {
  const { devDependencies } = readManifest(".");
  const pinned = names
    .filter((name) => devDependencies?.[name] !== undefined)
    .map((name) => `${name}@${devDependencies?.[name]}`);
  run(["npm", "install", ...options, ...pinned], folder);
}

function checkTypes(input: { entries: readonly Entry[]; skipLibCheck: boolean }): void {
  const { entries, skipLibCheck } = input;
  const lines = entries.map(({ name }, index) => `export * as entry${index} from "${name}";`);
  writeFileSync(join(folder, "entries.ts"), `${lines.join("\n")}\n`);
  const compilerOptions = {
    ...{ target: "es2024", module: "nodenext", strict: true, noEmit: true, types: ["node"] },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck },
  };
  const files = ["entries.ts", "program.ts"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  run(["node", join(repositoryRoot, "node_modules/ts7/bin/tsc"), "-p", folder], folder);
}

interface Entry {
  /** What a user writes behind `from`. */
  readonly name: string;
  readonly hasPeers: boolean;
}

function listEntries(): Entry[] {
  return PACKAGE_FOLDERS.map(readManifest).flatMap(({ name, exports = {}, peerDependencies }) =>
    Object.keys(exports).map((subpath) => ({
      name: `${name}${subpath.slice(1)}`,
      hasPeers: peerDependencies !== undefined,
    })),
  );
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(packageFolder: string): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, packageFolder, "package.json"), "utf8"));
}
