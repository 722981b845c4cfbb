/**
 * The documents of the loops that runs were started with, beside the runs: what has changed since
 * can then be told in their own words. They are notes: each is held to its digest when it is read,
 * and what a run is bound to is in its log.
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

/** The document of that digest; undefined where it was not kept, or is another. */
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
