/** The files that an input names for a model (spec/context.md §7). */
import { type JsonValue, type PromptSpec, parsePointer, readPointer } from "@turnseal/protocol";
import { FILES_MAX, type FileRef, isFileRef } from "@turnseal/protocol/files";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { World } from "../world.ts";

/** In the order of the pointers. A reference that names no file of this run is refused. */
export async function findInputFiles(
  { files: pointers = [] }: PromptSpec,
  input: JsonValue,
  { memory }: Pick<World, "memory">,
): Promise<Outcome<readonly FileRef[]>> {
  const found: FileRef[] = [];
  for (const pointer of pointers) {
    const named = readPointer(input, parsePointer(pointer) ?? []);
    if (named === undefined || named === null) continue;
    for (const value of Array.isArray(named) ? named : [named]) {
      if (!isFileRef(value)) return refuse(pointer, "is no file");
      if (found.length === FILES_MAX) return refuse(pointer, `is more than ${FILES_MAX} files`);
      if ((await memory?.files.read(value)) === undefined)
        return refuse(pointer, "is no file of this run");
      found.push(value);
    }
  }
  return succeed(found);
}

function refuse(pointer: string, why: string): Outcome<never> {
  return fail("INPUT_VALIDATION_FAILED", "the input names a file that cannot be shown", {
    problems: [`${pointer}: ${why}`],
  });
}
