/** Holds every import of the packages and the examples against the table in `boundaries.ts`. */
import { posix } from "node:path";
import { type Boundary, EXAMPLES, TEST_EXTERNALS } from "../boundaries.ts";
import { listImports, parseSource } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

/** The imports that the table does not allow, each as one line. */
export function checkBoundaries(tree: Tree, boundaries: readonly Boundary[]): string[] {
  const problems: string[] = [];
  for (const path of listSources(tree)) {
    const check = findCheck(path, boundaries);
    if (check === undefined) continue;
    for (const specifier of listImports(parseSource(tree, path))) {
      const reason = check(specifier);
      if (reason !== undefined) problems.push(`${path} imports ${specifier}: ${reason}`);
    }
  }
  return problems;
}

type ImportCheck = (specifier: string) => string | undefined;

function findCheck(path: string, boundaries: readonly Boundary[]): ImportCheck | undefined {
  const boundary = boundaries.find(({ folder }) => path.startsWith(`${folder}/`));
  if (boundary !== undefined) return (specifier) => checkImport(boundary, path, specifier);
  if (/^(packages|apps)\//.test(path)) return () => "its package is not in the table";
  if (path.startsWith(`${EXAMPLES.folder}/`)) {
    return (specifier) => checkExampleImport(path, specifier);
  }
  return undefined;
}

function checkImport(boundary: Boundary, path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return checkRelative(boundary, path, specifier);
  if (specifier.startsWith("node:")) return checkNode(boundary, path, specifier);
  const name = packageNameOf(specifier);
  const allowed = [
    ...boundary.workspace,
    ...boundary.external,
    ...(isTestFile(path) ? [...TEST_EXTERNALS, ...(boundary.testWorkspace ?? [])] : []),
  ];
  return allowed.includes(name) ? undefined : `${boundary.name} may not import ${name}`;
}

function checkRelative(boundary: Boundary, path: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`${boundary.folder}/`)) return "a relative import leaves the package";
  const { layers } = boundary;
  if (layers === undefined || isTestFile(path)) return undefined;
  const from = layerOf(boundary, path);
  const to = layerOf(boundary, target);
  const isIndex = path === `${boundary.folder}/src/index.ts`;
  if (to === "." || from === to || isIndex) return undefined;
  if (!Object.hasOwn(layers, from)) return `the folder ${from}/ is not in the table`;
  return layers[from]?.includes(to) ? undefined : `${from}/ may not import ${to}/`;
}

/** The folder of `src` that a file stands in, or `.` for a file beside the folders. */
function layerOf(boundary: Boundary, path: string): string {
  const [folder, file] = path.slice(`${boundary.folder}/src/`.length).split("/");
  return folder === undefined || file === undefined ? "." : folder;
}

function checkNode(boundary: Boundary, path: string, specifier: string): string | undefined {
  if (boundary.node === "any" || isTestFile(path)) return undefined;
  const { nodeIn } = boundary;
  const more = nodeIn !== undefined && path.endsWith(nodeIn.suffix) ? nodeIn.modules : [];
  return [...boundary.node, ...more].includes(specifier)
    ? undefined
    : `${boundary.name} may not load it`;
}

function checkExampleImport(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(path), specifier);
    return target.startsWith(`${EXAMPLES.folder}/`) ? undefined : "it leaves the examples";
  }
  const { imports, chat, useChat } = EXAMPLES;
  const allowed: readonly string[] = [
    ...imports,
    ...[chat, useChat].flatMap((own) => (path.startsWith(`${own.folder}/`) ? own.imports : [])),
    ...(isTestFile(path) ? ["vitest"] : []),
  ];
  return allowed.includes(packageNameOf(specifier)) ? undefined : "an example uses the public API";
}

function packageNameOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
