/** Files that are given with an input or a payload: stored first, and named in it. */
import { copyJson, isPlainObject, type JsonValue, parsePointer } from "@turnseal/protocol";
import { FILES_MAX, type FileRef } from "@turnseal/protocol/files";
import { HostError } from "../host-error.ts";
import { type FilePorts, keepRunFile } from "../open-run-files.ts";
import type { FilesToAttach } from "./files-to-attach.ts";
import { RUN_INPUT_BYTES_MAX } from "./start-message.ts";

/** The value with every file named in its place. */
export async function attachFiles(
  value: unknown,
  files: FilesToAttach | undefined,
  { run, ...ports }: FilePorts & { readonly run: string },
): Promise<unknown> {
  if (files === undefined) return value;
  const entries = Object.entries(files);
  if (entries.flatMap(([, given]) => given).length > FILES_MAX)
    throw new HostError("FILE_REFUSED", `at most ${FILES_MAX} files are given at once`);
  const copied = copyJson(value, RUN_INPUT_BYTES_MAX);
  if (copied.kind === "refused") throw new HostError("INPUT_REFUSED", `the input ${copied.reason}`);
  const places = entries.map(([pointer, given]) => ({
    ...findPlace(copied.value, pointer),
    given,
  }));
  for (const { holder, name, given } of places) {
    const named: FileRef[] = [];
    for (const file of Array.isArray(given) ? given : [given])
      named.push(await keepRunFile(run, file, ports));
    holder[name] = (Array.isArray(given) ? named : named[0]) as unknown as JsonValue;
  }
  return copied.value;
}

interface Place {
  readonly holder: Record<string, JsonValue>;
  readonly name: string;
}

/** The object that is to name the file; what lies between is not made up. */
function findPlace(value: JsonValue, pointer: string): Place {
  const keys = parsePointer(pointer);
  const name = keys?.at(-1);
  let holder: unknown = value;
  for (const key of keys?.slice(0, -1) ?? [])
    holder = isPlainObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (name === undefined || name === "__proto__" || !isPlainObject(holder))
    throw new HostError("FILE_REFUSED", "the place of a file is a JSON Pointer to a field");
  // A copy of ours: nobody else has it.
  return { holder: holder as Record<string, JsonValue>, name };
}
