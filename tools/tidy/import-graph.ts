/**
 * The graph of imports between the files of the repository, and its cycles.
 *
 * A package of the workspace is followed through its exports map to the source, so that a cycle
 * across packages is found like one inside a folder. Types count: a cycle of types is a cycle of
 * ideas.
 */
import { posix } from "node:path";
import { listImports, parseSource } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Which file imports which. */
export function createImportGraph(tree: Tree): ImportGraph {
  const entries = listEntries(tree);
  const graph = new Map<string, string[]>();
  for (const path of listSources(tree)) {
    const targets = listImports(parseSource(tree, path))
      .map((specifier) => resolveImport(path, specifier, entries))
      .filter((target) => target !== undefined && tree.has(target));
    graph.set(path, [...new Set(targets)] as string[]);
  }
  return graph;
}

function resolveImport(
  from: string,
  specifier: string,
  entries: ReadonlyMap<string, string>,
): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  return entries.get(specifier);
}

interface Manifest {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, { readonly "turnseal-source"?: string }>>;
}

/** Import specifiers of the workspace's packages, each with the source file behind it. */
function listEntries(tree: Tree): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [path, text] of tree) {
    if (!/^(packages|apps)\/[^/]+\/package\.json$/.test(path)) continue;
    const { name = "", exports = {} } = JSON.parse(text) as Manifest;
    for (const [subpath, target] of Object.entries(exports)) {
      const source = target["turnseal-source"];
      if (source === undefined) continue;
      entries.set(posix.join(name, subpath), posix.join(posix.dirname(path), source));
    }
  }
  return entries;
}

/**
 * The groups of files that reach each other, each as one line; a file that imports itself is one.
 */
export function findCycles(graph: ImportGraph): string[] {
  const search = { graph, order: new Map<string, number>(), low: new Map(), stack: [], cycles: [] };
  for (const path of graph.keys()) if (!search.order.has(path)) visitComponent(search, path);
  return search.cycles;
}

/**
 * The folders of a package that reach each other, each group as one line. Files beside the folders
 * belong to none; tests may look wherever they like.
 */
export function findKnots(graph: ImportGraph): string[] {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = roomOf(path);
    if (from === undefined || isTestFile(path)) continue;
    const reached = folders.get(from) ?? new Set();
    folders.set(from, reached);
    for (const target of targets) {
      const to = roomOf(target);
      if (to !== undefined && to !== from) reached.add(to);
    }
  }
  return findCycles(new Map([...folders].map(([folder, reached]) => [folder, [...reached]])));
}

/** The folder that a file stands in, below the sources of its package, tools or proofs. */
function roomOf(path: string): string | undefined {
  return /^((?:(?:packages|apps)\/[^/]+\/src|tools|proofs)\/[^/]+)\//.exec(path)?.[1];
}

interface ComponentSearch {
  readonly graph: ImportGraph;
  readonly order: Map<string, number>;
  readonly low: Map<string, number>;
  readonly stack: string[];
  readonly cycles: string[];
}

// Tarjan's strongly connected components: a component of more than one file is a cycle.
function visitComponent(search: ComponentSearch, path: string): void {
  const { graph, order, low, stack, cycles } = search;
  const number = order.size;
  order.set(path, number);
  low.set(path, number);
  stack.push(path);
  const targets = graph.get(path) ?? [];
  for (const target of targets) {
    if (!order.has(target)) visitComponent(search, target);
    if (stack.includes(target)) {
      low.set(path, Math.min(low.get(path) ?? number, low.get(target) ?? number));
    }
  }
  if (low.get(path) !== number) return;
  const component = stack.splice(stack.indexOf(path));
  if (component.length > 1 || targets.includes(path)) cycles.push(component.sort().join(" <-> "));
}
