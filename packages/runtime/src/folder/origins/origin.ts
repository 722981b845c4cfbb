/**
 * Where the loops of a run came from, so that it can be resumed without naming them again.
 *
 * It is a note and nothing more: what a run is bound to are the digests in its log.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isUuid } from "@turnseal/protocol";
import { hasFields, type Is, isListOf, isText } from "@turnseal/protocol/shape";
import { WORKSPACE_VERBS } from "../../workspace.ts";
import { keepLoops, type LoopToKeep } from "./kept-loops.ts";
import { writeNote } from "./write-note.ts";

export interface Origin {
  readonly run: string;
  readonly loop: string;
  readonly version: string;
  readonly startedAt: string;
  /** Files and folders, relative to the store's folder. */
  readonly from: readonly string[];
  /** For a run that works in the folder of its command: this folder. */
  readonly workspace?: string;
  /** The file with its rules, and the one with rules on trial. */
  readonly policy?: string;
  readonly shadow?: string;
  /** The file with prices, where its budget is in money. */
  readonly prices?: string;
}

export interface OriginToWrite extends Omit<Origin, "startedAt" | "workspace"> {
  /** The loops that it was started with. */
  readonly loops?: readonly LoopToKeep[];
}

/**
 * Notes where a run's loops are. A run that was started before keeps its first note. The run is
 * durable by then, even if the note fails: the result says why.
 */
export async function writeOrigin(
  folder: string,
  { from, policy, shadow, prices, loops = [], ...origin }: OriginToWrite,
): Promise<string | undefined> {
  const note: Origin = {
    ...origin,
    startedAt: new Date().toISOString(),
    from: from.map((path) => (path === WORKSPACE_VERBS ? path : relative(folder, resolve(path)))),
    ...(from.includes(WORKSPACE_VERBS) ? { workspace: relative(folder, resolve()) } : {}),
    ...(policy === undefined ? {} : { policy: relative(folder, resolve(policy)) }),
    ...(shadow === undefined ? {} : { shadow: relative(folder, resolve(shadow)) }),
    ...(prices === undefined ? {} : { prices: relative(folder, resolve(prices)) }),
  };
  const text = `${JSON.stringify(note)}\n`;
  const written = await Promise.allSettled([
    writeNote(originFile(folder, origin.run), text),
    keepLoops(folder, loops),
  ]);
  const failed = written.find((each) => each.status === "rejected");
  return failed === undefined ? undefined : String(failed.reason?.message ?? failed.reason);
}

/** Where a run's loops were, as paths that can be opened from here. */
export async function readOrigin(folder: string, run: string): Promise<Origin | undefined> {
  const text = await readFile(originFile(folder, run), "utf8").catch(passOver);
  const note = text === undefined ? undefined : parseOrigin(text);
  if (note === undefined) return undefined;
  const { policy, shadow, prices, workspace } = note;
  return {
    ...note,
    from: note.from.map((path) => (path === WORKSPACE_VERBS ? path : resolve(folder, path))),
    ...(workspace === undefined ? {} : { workspace: resolve(folder, workspace) }),
    ...(policy === undefined ? {} : { policy: resolve(folder, policy) }),
    ...(shadow === undefined ? {} : { shadow: resolve(folder, shadow) }),
    ...(prices === undefined ? {} : { prices: resolve(folder, prices) }),
  };
}

/** How many notes are read at the same time. */
const NOTES_AT_ONCE_MAX = 32;

/** Every note in the folder. */
export async function listOrigins(folder: string): Promise<Origin[]> {
  const names = await listNames(folder);
  const notes: Origin[] = [];
  for (let first = 0; first < names.length; first += NOTES_AT_ONCE_MAX) {
    const group = names.slice(first, first + NOTES_AT_ONCE_MAX);
    const read = await Promise.all(group.map((run) => readOrigin(folder, run)));
    notes.push(...read.filter((note) => note !== undefined));
  }
  return notes;
}

/** The number of notes, without reading them. */
export async function countOrigins(folder: string): Promise<number> {
  return (await listNames(folder)).length;
}

async function listNames(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, "origins")).catch(passOver)) ?? [];
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""))
    .filter(isUuid);
}

const isOrigin: Is<Origin> = hasFields(
  { run: isText, loop: isText, version: isText, startedAt: isText, from: isListOf(isText) },
  { policy: isText, shadow: isText, prices: isText, workspace: isText },
);

function parseOrigin(text: string): Origin | undefined {
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isOrigin(note) ? note : undefined;
}

function originFile(folder: string, run: string): string {
  return join(folder, "origins", `${run}.json`);
}

/** A note that cannot be read is none, unless it is the process that has too many files open. */
function passOver(error: NodeJS.ErrnoException): undefined {
  if (error.code === "EMFILE" || error.code === "ENFILE") throw error;
}
