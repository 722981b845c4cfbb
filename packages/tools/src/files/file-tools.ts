import type { Loop } from "@turnseal/protocol/authoring";
import { checkRoot } from "../check-root.ts";
import { editFile } from "./edit-file.ts";
import type { FilePlace } from "./file-place.ts";
import { grepFiles } from "./grep-files.ts";
import { globFiles, listFiles } from "./list-files.ts";
import { deleteFile, moveFile } from "./move-file.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

export interface FileToolsOptions {
  /** The first part of their names, by default `fs`. Give two roots two names. */
  readonly name?: string;
}

/**
 * The tools for the files of one root, which each worker binds to a folder of its own. Their names
 * in a grant are `fs.read`, `fs.list`, `fs.glob`, `fs.grep`, `fs.write`, `fs.edit`, `fs.move` and
 * `fs.delete`. Each needs a term, such as `grantTerms.files(root)`.
 *
 * @example
 * const files = fileTools("site");
 * const agent = definePrompt({ ...header, tools: [files.read, files.grep, files.edit] });
 */
export function fileTools(root: string, { name = "fs" }: FileToolsOptions = {}) {
  checkRoot(root);
  const place: FilePlace = { root, name };
  const reading = {
    ...{ read: readFile(place), list: listFiles(place) },
    ...{ glob: globFiles(place), grep: grepFiles(place) },
  };
  const changing = {
    ...{ write: writeFile(place), edit: editFile(place) },
    ...{ move: moveFile(place), delete: deleteFile(place) },
  };
  const listLoops = (loops: Readonly<Record<string, Loop<never, unknown>>>) => Object.values(loops);
  return {
    ...{ ...reading, ...changing },
    /** Those that only read. */
    reading: listLoops(reading),
    all: listLoops({ ...reading, ...changing }),
  };
}
