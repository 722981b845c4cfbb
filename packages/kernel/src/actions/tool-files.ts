/** The files that a tool makes and reads, while it runs. */
import { LoopError } from "@turnseal/protocol";
import type { ToolContext } from "@turnseal/protocol/authoring";
import { FILES_MAX, type FileRef, isFileRef } from "@turnseal/protocol/files";
import type { RunFiles } from "../log/run-files.ts";
import type { Redactor } from "./redact.ts";

export const FILE_ERROR_CODES = ["FILE_REFUSED", "FILE_NOT_FOUND"] as const;
export type FileErrorCode = (typeof FILE_ERROR_CODES)[number];

/** A file that a tool may not make, or that is not there. */
export class FileError extends LoopError<FileErrorCode> {
  constructor(code: FileErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}

export interface ToolFiles extends Pick<ToolContext, "file" | "readFile"> {
  /** The files that were made, by digest. */
  readonly made: ReadonlyMap<string, FileRef>;
}

/** Files are durable before the tool answers, so its answer names only known files. */
export function openToolFiles(ofRun: RunFiles | undefined, redactor: Redactor): ToolFiles {
  const made = new Map<string, FileRef>();
  return {
    made,
    file: async (bytes, mediaType, name) => {
      if (ofRun === undefined) throw new FileError("FILE_REFUSED", "a file needs a run");
      if (made.size === FILES_MAX)
        throw new FileError("FILE_REFUSED", `a tool makes at most ${FILES_MAX} files`);
      if (!(bytes instanceof Uint8Array))
        throw new FileError("FILE_REFUSED", "the bytes of a file are a Uint8Array");
      if (redactor.isIn(bytes) || (name !== undefined && redactor.text(name) !== name))
        throw new FileError("FILE_REFUSED", "the file has a secret in it");
      const sealed = ofRun.seal({ bytes, mediaType, ...(name === undefined ? {} : { name }) });
      if (sealed.kind === "refused")
        throw new FileError("FILE_REFUSED", `the file is refused: ${sealed.reason}`);
      await ofRun.store(sealed.blob);
      made.set(sealed.file.file, sealed.file);
      return sealed.file;
    },
    readFile: async (file) => {
      const bytes = isFileRef(file) ? await ofRun?.read(file) : undefined;
      if (bytes === undefined) throw new FileError("FILE_NOT_FOUND", "the run has no such file");
      return bytes;
    },
  };
}
