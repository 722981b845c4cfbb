/**
 * Writes a file into a root, or removes one, if the current file is the expected one.
 *
 * A new file is written under a name of its own, beside its place, and moved there: a reader gets
 * the old file or the new one. Between the last check and the move others have microseconds; where
 * no file is expected, the file system itself decides, without such a gap.
 */
import { randomUUID } from "node:crypto";
import { promises, type Stats } from "node:fs";
import {
  type Digester,
  type Expected,
  FILE_MODE_BITS,
  FILE_MODE_USUAL,
  type FileChange,
  type NewFile,
} from "@turnseal/ports";
import { ifThere, systemCodeOf } from "../if-there.ts";
import { digestHeld } from "./digest-file.ts";
import { type FileMark, modeOf } from "./file-mark.ts";
import { type HeldFolder, holdFolder, isDeniedCode } from "./root-place.ts";
import { DRAFT_PREFIX, type ScannedRoot } from "./scan-root.ts";

export interface ChangedFile {
  readonly change: FileChange;
  /** The file system's facts about the current file; absent where there is no file. */
  readonly mark?: FileMark;
}

export async function writeFile(
  root: ScannedRoot,
  path: string,
  { file, expected }: { readonly file: NewFile; readonly expected: Expected },
): Promise<ChangedFile> {
  return inFolderOf(root, path, expected === "absent", async (folder, name) => {
    const now = await lookAt(root, folder, name);
    if (now.kind === "refused") return { change: now };
    if (now.digest !== expected) return { change: { kind: "changed" } };
    const draft = `${folder.base}/${DRAFT_PREFIX}${randomUUID()}`;
    try {
      await writeDraft(draft, file, (file.mode ?? now.mode ?? FILE_MODE_USUAL) & FILE_MODE_BITS);
      const target = `${folder.base}/${name}`;
      // A folder that was moved away belongs to its new owner, and must not get the file.
      if (!(await folder.isInPlace())) return { change: { kind: "changed" } };
      if (expected === "absent") await promises.link(draft, target);
      else if ((await lookAt(root, folder, name)).digest === expected)
        await promises.rename(draft, target);
      else return { change: { kind: "changed" } };
      await promises.rm(draft, { force: true });
      await folder.sync();
      const mark = await promises.lstat(target);
      const state = {
        digest: digestOf(root.createDigester(), file.bytes),
        bytes: file.bytes.length,
      };
      return { change: { kind: "done", state: { ...state, ...modeOf(mark) } }, mark };
    } catch (error) {
      // Somebody was first, or took the folder away that is held here.
      if (["EEXIST", "ENOENT"].includes(systemCodeOf(error)))
        return { change: { kind: "changed" } };
      if (isDenied(error)) return { change: { kind: "refused", reason: "denied" } };
      throw error;
    } finally {
      await promises.rm(draft, { force: true });
    }
  });
}

export async function removeFile(
  root: ScannedRoot,
  path: string,
  expected: Expected,
): Promise<ChangedFile> {
  return inFolderOf(root, path, false, async (folder, name) => {
    const now = await lookAt(root, folder, name);
    if (now.kind === "refused") return { change: now };
    if (now.digest !== expected) return { change: { kind: "changed" } };
    try {
      if (!(await folder.isInPlace())) return { change: { kind: "changed" } };
      await promises.unlink(`${folder.base}/${name}`);
      await folder.sync();
      return { change: { kind: "done" } };
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return { change: { kind: "changed" } };
      if (isDenied(error)) return { change: { kind: "refused", reason: "denied" } };
      throw error;
    }
  });
}

async function inFolderOf(
  root: ScannedRoot,
  path: string,
  isMade: boolean,
  work: (folder: HeldFolder, name: string) => Promise<ChangedFile>,
): Promise<ChangedFile> {
  const names = path.split("/");
  const name = names.pop() ?? "";
  const answer = await holdFolder(root.folder, names, { isMade });
  if (answer.kind === "held") {
    try {
      return await work(answer.folder, name);
    } finally {
      await answer.folder.close();
    }
  }
  const { reason } = answer;
  return { change: reason === "absent" ? { kind: "changed" } : { kind: "refused", reason } };
}

type Found =
  | { readonly kind: "found"; readonly digest: Expected | "unknown"; readonly mode?: number }
  | {
      readonly kind: "refused";
      readonly reason: "denied" | "link" | "no-file";
      readonly digest?: never;
    };

/** Reads the file at a name of a held folder. */
async function lookAt(root: ScannedRoot, folder: HeldFolder, name: string): Promise<Found> {
  let there: Stats | undefined;
  try {
    there = await ifThere(() => promises.lstat(`${folder.base}/${name}`));
  } catch (error) {
    if (isDenied(error)) return { kind: "refused", reason: "denied" };
    throw error;
  }
  if (there === undefined) return { kind: "found", digest: "absent" };
  if (there.isSymbolicLink()) return { kind: "refused", reason: "link" };
  if (!there.isFile()) return { kind: "refused", reason: "no-file" };
  const file = await digestHeld(folder, name, root.createDigester);
  if (file.kind === "file") return { kind: "found", ...file.state };
  const { reason } = file;
  if (reason === "absent" || reason === "changing") return { kind: "found", digest: "unknown" };
  return { kind: "refused", reason };
}

async function writeDraft(draft: string, { bytes }: NewFile, mode: number): Promise<void> {
  const handle = await promises.open(draft, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    // Not at its creation: the mask of the process would take bits away.
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function digestOf(digester: Digester, bytes: Uint8Array) {
  digester.update(bytes);
  return digester.digest();
}

function isDenied(error: unknown): boolean {
  return isDeniedCode(systemCodeOf(error));
}
