import { relative } from "node:path";
import { findRootRun, type KnownRun, readRollbackHead, registerPlanOf } from "@turnseal/host";
import { readOrigin } from "../folder/origins/origin.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import { isModule, listFiles } from "../project/files/list-files.ts";
import type { Target } from "../project/loops/find-target.ts";
import { type LoadedLoops, loadLoops } from "../project/loops/load-loops.ts";
import { isMcpFile } from "../project/mcp/mcp-files.ts";

export type RunTargetSearch =
  | Target
  | { readonly kind: "refused"; readonly loaded: LoadedLoops }
  | UnusableTarget;

export interface UnusableTarget {
  readonly kind: "unusable";
  readonly message: string;
  readonly next: string;
  /** True if only a note names the modules. */
  readonly isNotedCode?: true;
}

const next = "the same command with --from <files or folders>";

/**
 * Loads the loops of a run from where the command line says, or from where they were when it
 * started. That is a note, which any writer of the store can change. So documents are read from
 * there, and modules are not, since loading one runs it.
 */
export async function findRunTarget(
  known: KnownRun,
  folder: StoreFolder,
  from: readonly string[] | undefined,
): Promise<RunTargetSearch> {
  const { projection } = known;
  const { origin, paths: noted, workspace } = await readNote(known, folder);
  const elsewhere = refuseElsewhere(workspace);
  if (elsewhere !== undefined) return elsewhere;
  const paths = from ?? noted;
  const id = projection?.spec?.loop ?? origin?.loop;
  const version = projection?.spec?.version ?? origin?.version;
  if (paths === undefined || id === undefined)
    return {
      kind: "unusable",
      message: "a program started the run, such as a server, and has its loops",
      next: `start that program, which continues it; or ${next}`,
    };
  const code = from === undefined ? await listCode(paths) : [];
  if (code.length > 0)
    return {
      ...{ kind: "unusable", next, isNotedCode: true },
      message: `the loops of the run are code, which only a note names: ${nameAll(code)}`,
    };
  const loaded = await loadLoops(paths, "strict");
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", loaded };
  if (projection !== undefined)
    await registerPlanOf(projection, { registry: loaded.registry, stores: folder.stores });
  return { kind: "found", id, version, loaded, paths };
}

/** Where the note of a run says that its loops are, and which modules would be run there. */
export interface NotedLoops {
  readonly paths: readonly string[];
  readonly code: readonly string[];
}

/** Undefined if no note says where they are. */
export async function readNotedLoops(
  known: KnownRun,
  folder: StoreFolder,
): Promise<NotedLoops | undefined> {
  const { paths } = await readNote(known, folder);
  return paths === undefined ? undefined : { paths, code: await listCode(paths) };
}

async function readNote({ run, projection }: KnownRun, { path, stores }: StoreFolder) {
  const origin = await readOrigin(path, run);
  // A run that was handed to takes its loops from the first run above it, and an automatic rollback
  // from the run that it takes back.
  const taken =
    origin === undefined ? (await readRollbackHead(stores, projection))?.run : undefined;
  const above = origin ?? (await readOrigin(path, await findRootRun(stores, taken ?? run)));
  return { origin, paths: above?.from, workspace: above?.workspace };
}

/**
 * A run of this machine that works in the folder of its command goes on in no other. A note that
 * lies can only refuse.
 */
function refuseElsewhere(workspace: string | undefined): UnusableTarget | undefined {
  if (workspace === undefined || workspace === process.cwd()) return undefined;
  return {
    kind: "unusable",
    message: `the run works in the folder ${workspace}, and this command in another`,
    next: `cd ${workspace}, and the same command with --store`,
  };
}

/** The same for a command that only looks at the files of a run, or changes them. */
export async function findElsewhere(
  known: KnownRun,
  folder: StoreFolder,
): Promise<UnusableTarget | undefined> {
  return refuseElsewhere((await readNote(known, folder)).workspace);
}

async function listCode(paths: readonly string[]): Promise<readonly string[]> {
  const listed = await listFiles(paths);
  // A file of MCP servers names programs to start and secrets to give them.
  return listed.kind === "listed"
    ? listed.files.filter((file) => isModule(file) || isMcpFile(file))
    : [];
}

/** Paths that a message names. */
const NAMED_MAX = 3;

function nameAll(paths: readonly string[]): string {
  const rest = paths.length - NAMED_MAX;
  const named = paths.slice(0, NAMED_MAX).map((path) => relative(process.cwd(), path) || path);
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
