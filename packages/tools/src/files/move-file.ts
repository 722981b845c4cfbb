import { jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { changedFile, refusedFile } from "./explain-refusal.ts";
import { defineFileTool, type FilePlace, needFile } from "./file-place.ts";
import { PATH, VERSION } from "./read-file.ts";
import { checkDone, toDigest } from "./write-file.ts";

export interface MoveInput {
  readonly path: string;
  readonly to: string;
  readonly version: string;
}

export interface MoveOutput {
  readonly path: string;
  readonly version: string;
}

/** Moves a file to a new path. A second attempt goes on where the first broke off. */
export const moveFile = (place: FilePlace) =>
  defineFileTool(place, {
    id: "move",
    description: "Moves or renames a file. Nothing may be at the new path.",
    effect: "idempotent",
    input: jsonSchema<MoveInput>({
      type: "object",
      properties: { path: PATH, to: PATH, version: VERSION },
      required: ["path", "to", "version"],
      additionalProperties: false,
    }),
    output: jsonSchema<MoveOutput>({ type: "object" }),
    needs: ({ path, to }) => [needFile(place, "delete", path), needFile(place, "write", to)],
    run: async ({ path, to, version }, { artifacts }) => {
      if (path === to) return { path, version };
      const old = await artifacts.read(path);
      // An earlier attempt may have removed it already.
      const found =
        old.kind === "refused" && old.reason === "absent" ? await artifacts.read(to) : old;
      if (found.kind === "refused") throw refusedFile(path, found.reason);
      if (found.digest !== version) throw changedFile(path);
      const { bytes, mode } = found;
      const options = mode === undefined ? {} : { mode };
      const made = await artifacts.write(to, bytes, { expected: "absent", ...options });
      if (made.kind === "changed") throw notDone(`${to} is there already, and nothing was moved`);
      checkDone(to, made);
      checkDone(path, await artifacts.remove(path, { expected: toDigest(version) }));
      return { path: to, version };
    },
  });

export interface DeleteInput {
  readonly path: string;
  readonly version: string;
}

/** Deletes a file, if it is as the model saw it. */
export const deleteFile = (place: FilePlace) =>
  defineFileTool(place, {
    id: "delete",
    description: "Deletes a file. `version` is what `read` answered.",
    effect: "idempotent",
    input: jsonSchema<DeleteInput>({
      type: "object",
      properties: { path: PATH, version: VERSION },
      required: ["path", "version"],
      additionalProperties: false,
    }),
    output: jsonSchema<{ readonly path: string }>({ type: "object" }),
    needs: ({ path }) => [needFile(place, "delete", path)],
    run: async ({ path, version }, { artifacts }) => {
      checkDone(path, await artifacts.remove(path, { expected: toDigest(version) }));
      return { path };
    },
  });
