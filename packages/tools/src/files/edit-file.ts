/**
 * Replaces pieces of a file, exactly once.
 *
 * 1. An edit names the version that it was made for. For another version nothing is written.
 * 2. A file that already is what the edit would have made of that version counts as done: an
 *    earlier attempt came so far.
 */
import { jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { changedFile } from "./explain-refusal.ts";
import { defineFileTool, type FilePlace, needFile } from "./file-place.ts";
import { EDITS_MAX } from "./limits.ts";
import { PATH, readText, VERSION } from "./read-file.ts";
import { type Edit, wasMade } from "./was-made.ts";
import { checkDone, toDigest, type WriteOutput } from "./write-file.ts";

export interface EditInput {
  readonly path: string;
  readonly version: string;
  readonly edits: readonly Edit[];
}

/** Replaces pieces of a text file. */
export const editFile = (place: FilePlace) =>
  defineFileTool(place, {
    id: "edit",
    description:
      "Replaces pieces of a text file, one after the other. Each `from` must stand exactly once " +
      "in the file, so give enough of its surroundings. `version` is what `read`, or your last " +
      "change of the file, answered.",
    effect: "idempotent",
    input: jsonSchema<EditInput>({
      type: "object",
      properties: {
        path: PATH,
        version: VERSION,
        edits: {
          type: "array",
          minItems: 1,
          maxItems: EDITS_MAX,
          items: {
            type: "object",
            properties: { from: { type: "string", minLength: 1 }, to: { type: "string" } },
            required: ["from", "to"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "version", "edits"],
      additionalProperties: false,
    }),
    output: jsonSchema<WriteOutput>({ type: "object" }),
    needs: ({ path }) => [needFile(place, "write", path)],
    run: async ({ path, version, edits }, { artifacts }) => {
      const { text, digest, bytes } = await readText(artifacts, path);
      const isVersion = (before: string) =>
        artifacts.digestOf(new TextEncoder().encode(before)) === version;
      const isBefore = digest === version;
      if (!isBefore && !wasMade(text, edits, isVersion)) throw changedFile(path);
      const after = isBefore ? new TextEncoder().encode(makeEdits(path, text, edits)) : bytes;
      checkDone(path, await artifacts.write(path, after, { expected: toDigest(version) }));
      return { path, version: artifacts.digestOf(after) };
    },
  });

function makeEdits(path: string, text: string, edits: readonly Edit[]): string {
  return edits.reduce((now, { from, to }, index) => {
    const count = countPieces(now, from);
    if (count !== 1)
      throw notDone(`edit ${index + 1} of ${path}: \`from\` stands ${count} times in it, not once`);
    const at = now.indexOf(from);
    return now.slice(0, at) + to + now.slice(at + from.length);
  }, text);
}

/** Counts to two: more makes no difference. */
function countPieces(text: string, piece: string): number {
  const first = text.indexOf(piece);
  if (first < 0) return 0;
  return text.indexOf(piece, first + 1) < 0 ? 1 : 2;
}
