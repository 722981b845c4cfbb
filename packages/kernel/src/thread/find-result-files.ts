/** The files that a model is shown of the result of a tool (spec/context.md §7). */
import type { JsonValue, ModelMessage } from "@turnseal/protocol";
import { type FileRef, listFiles, toBlobRef, toFileRef } from "@turnseal/protocol/files";
import type { RunFiles } from "../log/run-files.ts";

type Shown = Pick<Extract<ModelMessage, { readonly role: "tool" }>, "files">;

/** Finds the files of this run: any other reference is only text. */
export async function findResultFiles(
  result: JsonValue,
  ofRun: RunFiles | undefined,
): Promise<Shown> {
  if (ofRun === undefined) return {};
  const files: FileRef[] = [];
  // Their names stand in the result; the log names files without.
  for (const file of listFiles(result))
    if ((await ofRun.read(file)) !== undefined) files.push(toFileRef(toBlobRef(file)));
  return files.length === 0 ? {} : { files };
}
