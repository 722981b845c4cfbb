/**
 * Keeps the documents of a run's loops beside the runs, so that later changes can be shown in
 * detail. They are notes: each is checked against its digest when it is read, and the log alone
 * binds the run.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalize, type Digest, digestOf, type LoopDef } from "@turnseal/protocol";
import { writeNote } from "./write-note.ts";

export interface LoopToKeep {
  readonly definition: LoopDef;
  readonly digest: Digest;
}

/** Keeps the documents that are not there yet. */
export async function keepLoops(folder: string, loops: readonly LoopToKeep[]): Promise<void> {
  for (const { definition, digest } of loops)
    await writeNote(fileOf(folder, digest), canonicalize(definition), 0o600);
}

/** The document of that digest; undefined if it was not kept, or is another. */
export async function readKeptLoop(folder: string, digest: Digest): Promise<LoopDef | undefined> {
  try {
    const document = JSON.parse(await readFile(fileOf(folder, digest), "utf8")) as LoopDef;
    return digestOf(document) === digest ? document : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(folder: string, digest: Digest): string {
  return join(folder, "loops", `${digest.replace("sha256:", "")}.json`);
}
