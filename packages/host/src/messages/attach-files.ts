/**
 * Files that come with an input or a payload, which names them. They are stored only once it is
 * clear that it will be accepted.
 */
import type { Blob, FileToTake } from "@turnseal/ports";
import { copyJson, isPlainObject, type JsonValue, parsePointer } from "@turnseal/protocol";
import { FILES_MAX } from "@turnseal/protocol/files";
import { HostError } from "../host-error.ts";
import { type FilePorts, openWritable, sealRunFile } from "../stores/open-run-files.ts";
import type { FilesToAttach } from "./files-to-attach.ts";
import { RUN_INPUT_BYTES_MAX } from "./start-message.ts";

export interface Attached {
  /** With every file named in its place. */
  readonly value: unknown;
  /** Makes the files durable, before any message names them. */
  store(): Promise<void>;
}

/** Names the files in a copy of the value. It stores nothing yet. */
export async function attachFiles(
  value: unknown,
  files: FilesToAttach | undefined,
  { run, ...ports }: FilePorts & { readonly run: string },
): Promise<Attached> {
  if (files === undefined) return { value, store: async () => {} };
  const entries = Object.entries(files);
  if (entries.flatMap(([, given]) => given).length > FILES_MAX)
    throw new HostError("FILE_REFUSED", `at most ${FILES_MAX} files are given at once`);
  const copied = copyJson(value, RUN_INPUT_BYTES_MAX);
  if (copied.kind === "refused") throw new HostError("INPUT_REFUSED", `the input ${copied.reason}`);
  const places = entries.map(([pointer, given]) => ({
    ...findPlace(copied.value, pointer),
    given,
  }));
  const ofRun = await openWritable(run, ports);
  const blobs: Blob[] = [];
  const name = (given: FileToTake): JsonValue => {
    const { file, blob } = sealRunFile(ofRun, given);
    blobs.push(blob);
    return file as unknown as JsonValue;
  };
  for (const { holder, name: field, given } of places)
    holder[field] = Array.isArray(given) ? given.map(name) : name(given as FileToTake);
  const store = async (): Promise<void> => {
    for (const blob of blobs) await ofRun.store(blob);
  };
  return { value: copied.value, store };
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
  // A copy of this function's own.
  return { holder: holder as Record<string, JsonValue>, name };
}
