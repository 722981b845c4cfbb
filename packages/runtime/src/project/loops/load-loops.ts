/**
 * From paths to a registry: lists the files, reads them, registers what they hold, and checks the
 * references between them.
 *
 * Every problem of every file is reported, so that one round of mending is enough. Warnings never
 * stop a command.
 */
import { extname, normalize } from "node:path";
import {
  type Finding,
  pickWords,
  placeOf,
  type ReadFile,
  readDocument,
  type Source,
} from "@turnseal/documents";
import {
  type BoundTools,
  bindLoops,
  bindTools,
  type CheckedLoop,
  checkCacheEffects,
  checkGroupMembers,
  checkReversible,
  createRegistry,
  type Registry,
} from "@turnseal/kernel";
import type { Model } from "@turnseal/ports";
import { isPlainObject, type ParseMode, type Problem } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { WORKSPACE_ROOT, WORKSPACE_VERBS } from "../../workspace.ts";
import { isWorkflowFile, listFiles } from "../files/list-files.ts";
import type { ImportModule } from "../files/module-reader.ts";
import { readExports, readModule } from "../files/read-module.ts";
import { isMcpFile } from "../mcp/mcp-files.ts";
import { readMcpTools } from "../mcp/read-mcp-tools.ts";

/** The loops of some files, with everything that is wrong about them. */
export interface LoadedLoops {
  readonly kind: "loaded";
  readonly files: readonly string[];
  readonly registry: Registry;
  /** The functions that modules brought along. */
  readonly tools: BoundTools;
  /** The models that modules brought along, by backend. */
  readonly models: ReadonlyMap<string, Model>;
  readonly entries: readonly LoadedLoop[];
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface LoadedLoop {
  readonly loop: CheckedLoop;
  readonly source: Source;
}

export type LoopLoading = LoadedLoops | { readonly kind: "unusable"; readonly message: string };

/** Loads every loop behind `paths`; `importModule` replaces the usual import of modules. */
export async function loadLoops(
  paths: readonly string[],
  mode: ParseMode,
  importModule?: ImportModule,
): Promise<LoopLoading> {
  const listed = await listFiles(paths);
  if (listed.kind === "unusable") return listed;
  const read: ReadFile[] = [];
  for (const file of listed.files.filter((name) => !isWorkflowFile(name)))
    read.push(await readLoopFile(file, importModule));
  const registered = registerSources(listSources(read), mode);
  const workflows = await readWorkflowFiles(listed.files, paths, registered.registry);
  read.push(...workflows);
  registerSources(listSources(workflows), mode, registered);
  const bound = bindFunctions(registered.entries);
  return {
    kind: "loaded",
    files: listed.files,
    registry: registered.registry,
    tools: bound.tools,
    // A file that is named later speaks last.
    models: new Map(read.flatMap(({ models = new Map() }) => [...models])),
    entries: registered.entries,
    problems: [
      ...read.flatMap((file) => file.findings),
      ...registered.problems,
      ...bound.problems,
      ...checkReferences(registered, bound.tools),
    ],
    warnings: registered.warnings,
  };
}

/** The loops of the files, and then the loops that they use from elsewhere. */
function listSources(read: readonly ReadFile[]): Source[] {
  const sources = read.flatMap((file) => file.sources);
  const known = new Set(sources.map(({ document }) => nameOfDocument(document)));
  for (const source of read.flatMap(({ brought = [] }) => brought)) {
    const name = nameOfDocument(source.document);
    if (known.has(name)) continue;
    known.add(name);
    sources.push(source);
  }
  return sources;
}

// A document of a file may be anything: it is checked when it is registered.
function nameOfDocument(document: unknown): string {
  const { id, version } = isPlainObject(document) ? document : {};
  return JSON.stringify([id ?? null, version ?? null]);
}

/** Where a loop was found. */
export function findSource({ entries }: LoadedLoops, loop: CheckedLoop): Source | undefined {
  return entries.find((entry) => entry.loop === loop)?.source;
}

/** Actions of workflows can only name loops that were registered before. */
async function readWorkflowFiles(
  files: readonly string[],
  paths: readonly string[],
  registry: Registry,
): Promise<ReadFile[]> {
  const named = new Set(paths.map((path) => normalize(path)));
  const listed = files.filter(isWorkflowFile).map((file) => ({ file, isNamed: named.has(file) }));
  if (listed.length === 0) return [];
  // Loaded when a file needs it.
  const { readWorkflows } = await import("@turnseal/workflow/read-workflows");
  return readWorkflows(listed, {
    findLoop: (id) => registry.resolve(id)?.definition,
    loopIds: registry.list().map(({ definition }) => definition.id),
  });
}

async function readLoopFile(file: string, importModule?: ImportModule): Promise<ReadFile> {
  if (file === WORKSPACE_VERBS) {
    const { openWorkspace } = await import("@turnseal/tools/workspace");
    return readExports(file, { ...openWorkspace(WORKSPACE_ROOT) });
  }
  if (isMcpFile(file)) return readMcpTools(file);
  return extname(file) === ".json" ? readDocument(file) : readModule(file, importModule);
}

interface Registered {
  readonly registry: Registry;
  readonly entries: LoadedLoop[];
  readonly problems: Finding[];
  readonly warnings: Finding[];
}

function registerSources(
  sources: readonly Source[],
  mode: ParseMode,
  result: Registered = { registry: createRegistry(), entries: [], problems: [], warnings: [] },
): Registered {
  for (const source of sources) {
    const answer = result.registry.register(source.document, {
      mode,
      refinements: source.refinements,
    });
    if (answer.kind === "refused") {
      result.problems.push(...answer.problems.map((problem) => toFinding(source, problem)));
      continue;
    }
    result.entries.push({ loop: answer.loop, source });
    result.warnings.push(...answer.warnings.map((problem) => toFinding(source, problem)));
  }
  return result;
}

function checkReferences({ registry, entries }: Registered, tools: BoundTools): Finding[] {
  const sources = new Map(entries.map(({ loop, source }) => [nameOf(loop), source]));
  const effectOf = (name: string, version: string) => tools.find(name, version)?.effect;
  const unfit = registry.list().flatMap((loop) => {
    const problems = [
      ...checkCacheEffects(loop, registry.resolve, effectOf),
      ...checkReversible(loop, registry.resolve, tools.find),
      ...checkGroupMembers(loop, registry.resolve, tools.find),
    ];
    return problems.map((problem) => ({ loop, problem }));
  });
  return [...registry.checkReferences(), ...unfit].flatMap(({ loop, problem }) => {
    const source = sources.get(nameOf(loop));
    return source === undefined ? [] : [toFinding(source, problem)];
  });
}

function nameOf({ definition }: CheckedLoop): string {
  return `${definition.id} ${definition.version}`;
}

/** Binds the functions, or reports functions that clash, each at its place. */
function bindFunctions(entries: readonly LoadedLoop[]) {
  const loops = entries.map(toLoop);
  const binding = bindLoops(loops);
  if (binding.kind === "bound") return { tools: binding.tools, problems: [] };
  const problems = binding.clashes.flatMap(({ loop, problem }) => {
    const source = entries[loops.indexOf(loop)]?.source;
    return source === undefined ? [] : [toFinding(source, problem)];
  });
  return { tools: bindTools({}), problems };
}

/** A loop that was loaded, with what it brought along. */
export function toLoop({ loop, source: { tool, refinements } }: LoadedLoop): Loop {
  return {
    definition: loop.definition,
    ...(refinements === undefined ? {} : { refinements }),
    ...(tool === undefined ? {} : { run: tool.run, ...pickWords(tool) }),
  };
}

function toFinding(source: Source, problem: Problem): Finding {
  return { ...placeOf(source, problem.path), ...problem };
}
