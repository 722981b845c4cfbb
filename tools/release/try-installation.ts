/**
 * A user's first minute: the tarballs are installed together into an empty folder outside the
 * repository. Then the program of the README runs, the command answers, and the types of every
 * entry resolve under strict settings.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { listEntries } from "../packages/list-entries.ts";
import { PUBLISHED_FOLDERS } from "../packages/package-folders.ts";
import { readManifest } from "../packages/read-manifest.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { listPackages, readProgram } from "./read-program.ts";
import { run } from "./run.ts";

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
/** How many files `import "turnseal"` may load. */
const FILES_MAX = 60;
/** Entries whose types need a library that is installed on demand. */
const WITH_PEERS = new Set([
  ...["turnseal/contracts", "turnseal/host", "turnseal/postgres", "turnseal/redis"],
  ...["turnseal/testing", "turnseal/worker", "@turnseal/client/ai-sdk", "@turnseal/client/react"],
]);
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
  checkLoading();
  checkConformance();
  checkTypes({ entries: listImports().filter(({ hasPeers }) => !hasPeers), skipLibCheck: false });
  // A program that imports an adapter has the adapted package; other programs do not need it. The
  // types of that package do not pass the full check by themselves.
  installOthers(["@ai-sdk/provider"]);
  checkTypes({ entries: listImports(), skipLibCheck: true });
}

function installPackages(): void {
  const tarballs = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
  run(["npm", "install", ...options, ...tarballs.map((name) => join(packed, name))], folder);
}

/** Each file costs a start some time: a program loads few of them, and no driver or server. */
function checkLoading(): void {
  const count = `
    import { registerHooks } from "node:module";
    const files = new Set();
    registerHooks({ load: (url, context, next) => (files.add(url), next(url, context)) });
    await import("turnseal");
    console.log([...files].filter((url) => url.startsWith("file:")).length);
  `;
  writeFileSync(join(folder, "count.mjs"), count);
  const loaded = Number(run(["node", "count.mjs"], folder));
  if (!(loaded <= FILES_MAX)) throw new Error(`turnseal loads ${loaded} files, over ${FILES_MAX}`);
}

/** The installed suite tests the runtime of the repository. */
function checkConformance(): void {
  const program = join(repositoryRoot, "proofs/conformance/program.ts");
  const command = ["node", "--conditions=turnseal-source", program];
  run(["npx", "--no", "--", "turnseal-conformance", "lsem", "--", ...command], folder);
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

function listImports(): Entry[] {
  return PUBLISHED_FOLDERS.map(readManifest).flatMap((manifest) =>
    listEntries(manifest).map(({ subpath }) => ({
      name: `${manifest.name}${subpath.slice(1)}`,
      hasPeers: WITH_PEERS.has(`${manifest.name}${subpath.slice(1)}`),
    })),
  );
}
