import { jsonSchema, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { refusedFile } from "./explain-refusal.ts";
import { defineFileTool, type FilePlace, needEntries, needFolder } from "./file-place.ts";
import { LISTED_MAX } from "./limits.ts";
import { parsePathPattern } from "./path-pattern.ts";

export interface ListInput {
  readonly folder?: string;
}

export interface ListOutput {
  readonly entries: readonly { readonly name: string; readonly kind: string }[];
  readonly total: number;
}

export const FOLDER = { type: "string", description: "From the root; the root itself if absent" };

/** Lists the entries of one folder. */
export const listFiles = (place: FilePlace) =>
  defineFileTool(place, {
    id: "list",
    description: `Lists the entries of a folder, at most ${LISTED_MAX} of them by name.`,
    effect: "read",
    input: jsonSchema<ListInput>({
      type: "object",
      properties: { folder: FOLDER },
      additionalProperties: false,
    }),
    output: jsonSchema<ListOutput>({ type: "object" }),
    needs: ({ folder = "" }) => [needEntries(place, folder)],
    run: async ({ folder = "" }, { artifacts }) => {
      const listing = await artifacts.list(folder);
      if (listing.kind === "refused") throw refusedFile(folder, listing.reason);
      const { entries } = listing;
      const named = entries.map(({ kind, path }) => ({
        name: path.slice(path.lastIndexOf("/") + 1),
        kind,
      }));
      return { entries: named.toSorted(byName).slice(0, LISTED_MAX), total: entries.length };
    },
  });

export interface GlobInput extends ListInput {
  readonly pattern: string;
}

export interface GlobOutput {
  readonly paths: readonly string[];
  readonly total: number;
}

export const GLOB_PATTERN = {
  type: "string",
  description: "`*.ts` for names at any depth, `src/**/*.{ts,tsx}` for paths from the folder",
};

/** Finds files by a pattern of their paths. */
export const globFiles = (place: FilePlace) =>
  defineFileTool(place, {
    id: "glob",
    description: `Finds files by a pattern of paths, at most ${LISTED_MAX} of them.`,
    effect: "read",
    input: jsonSchema<GlobInput>({
      type: "object",
      properties: { pattern: GLOB_PATTERN, folder: FOLDER },
      required: ["pattern"],
      additionalProperties: false,
    }),
    output: jsonSchema<GlobOutput>({ type: "object" }),
    needs: ({ folder = "" }) => [needFolder(place, folder)],
    run: async ({ pattern, folder = "" }, { artifacts }) => {
      const paths = await findFiles(artifacts, folder, { pattern });
      return { paths: paths.slice(0, LISTED_MAX), total: paths.length };
    },
  });

export type SearchedTexts = NonNullable<Parameters<ToolArtifacts["list"]>[1]>["holding"];

/** The files below a folder whose paths from there match, in their order. Links are left out. */
export async function findFiles(
  artifacts: ToolArtifacts,
  folder: string,
  { pattern, holding }: { readonly pattern: string; readonly holding?: SearchedTexts },
): Promise<readonly string[]> {
  const parsed = parsePathPattern(pattern);
  if (parsed.kind === "refused") throw notDone(`the pattern is refused: ${parsed.reason}`);
  const listing = await artifacts.list(folder, { isDeep: true, ...(holding && { holding }) });
  if (listing.kind === "refused") throw refusedFile(folder, listing.reason);
  const start = folder === "" ? 0 : folder.length + 1;
  return listing.entries
    .filter(({ kind, path }) => kind === "file" && parsed.matches(path.slice(start)))
    .map(({ path }) => path)
    .toSorted();
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
