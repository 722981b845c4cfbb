import type { ArtifactDigest } from "@turnseal/protocol/artifact";
import { type ArtifactChange, jsonSchema } from "@turnseal/protocol/authoring";
import { changedFile, refusedFile } from "./explain-refusal.ts";
import { defineFileTool, type FilePlace, needFile } from "./file-place.ts";
import { PATH, VERSION } from "./read-file.ts";

export interface WriteInput {
  readonly path: string;
  readonly text: string;
  readonly version?: string;
}

export interface WriteOutput {
  readonly path: string;
  readonly version: string;
}

/** Writes a whole file. A second attempt finds the same bytes, and that is done. */
export const writeFile = (place: FilePlace) =>
  defineFileTool(place, {
    id: "write",
    description:
      "Writes a whole text file, and makes the folders on the way. To replace a file that you " +
      "did not write yourself, read it first and pass its `version`. For a change use `edit`.",
    effect: "idempotent",
    input: jsonSchema<WriteInput>({
      type: "object",
      properties: { path: PATH, text: { type: "string" }, version: VERSION },
      required: ["path", "text"],
      additionalProperties: false,
    }),
    output: jsonSchema<WriteOutput>({ type: "object" }),
    needs: ({ path }) => [needFile(place, "write", path)],
    run: async ({ path, text, version }, { artifacts }) => {
      const bytes = new TextEncoder().encode(text);
      const options = version === undefined ? {} : { expected: toDigest(version) };
      checkDone(path, await artifacts.write(path, bytes, options));
      return { path, version: artifacts.digestOf(bytes) };
    },
  });

/** Throws unless the change was made. */
export function checkDone(path: string, change: ArtifactChange): void {
  if (change.kind === "refused") throw refusedFile(path, change.reason);
  if (change.kind === "changed") throw changedFile(path);
}

/** A text that is no digest equals none, so nothing is changed by it. */
export function toDigest(version: string): ArtifactDigest {
  return version as ArtifactDigest;
}
