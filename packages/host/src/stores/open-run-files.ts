/** The files of a run, for code that is not the writer of its log. */
import { createRunFiles, type RunFiles } from "@turnseal/kernel";
import type { FileToTake, Ids, Stores } from "@turnseal/ports";
import { fromHex, sha256Hex } from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";
import { HostError } from "../host-error.ts";

export interface FilePorts {
  readonly stores: Pick<Stores, "blobs">;
  readonly ids: Ids;
}

/** Undefined once the content of the run was erased. The first who asks gives the run its key. */
export async function openRunFiles(
  run: string,
  { stores: { blobs }, ids }: FilePorts,
): Promise<RunFiles | undefined> {
  const key = await blobs.keepKey(run, createRunKey(run, ids));
  return key === undefined ? undefined : createRunFiles(run, key, blobs);
}

/** 256 bits from two ids: random where ids are, and the same for the same seed. */
export function createRunKey(run: string, ids: Ids): Uint8Array {
  return fromHex(sha256Hex(`${ids.create(`${run}/key/0`)}${ids.create(`${run}/key/1`)}`));
}

/** The files of a run to be written. Throws once the content of the run was erased. */
export async function openWritable(run: string, ports: FilePorts): Promise<RunFiles> {
  const files = await openRunFiles(run, ports);
  if (files === undefined) throw new HostError("FILE_REFUSED", "the content of the run was erased");
  return files;
}

/** Names a file of a run, and stores nothing. Throws for what is none. */
export function sealRunFile(files: RunFiles, file: FileToTake) {
  const sealed = files.seal(file);
  if (sealed.kind === "refused")
    throw new HostError("FILE_REFUSED", `the file is refused: ${sealed.reason}`);
  return sealed;
}

/** Stores a file of a run. Throws for what is none. */
export async function keepRunFile(
  run: string,
  file: FileToTake,
  ports: FilePorts,
): Promise<FileRef> {
  const files = await openWritable(run, ports);
  const sealed = sealRunFile(files, file);
  await files.store(sealed.blob);
  return sealed.file;
}
