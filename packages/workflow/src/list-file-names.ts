/** The files that a workflow names: other workflows, and texts for models. */
import { isPlainObject } from "@turnseal/protocol";

export interface NamedFile {
  readonly name: string;
  /** Where it is named. */
  readonly path: string;
}

export interface NamedFiles {
  readonly workflows: readonly NamedFile[];
  readonly texts: readonly NamedFile[];
}

/** The prefix of a file's name in a text. */
export const FILE_PREFIX = "file:";

/** Looks through the tables of a file, whose keys were checked. */
export function listFileNames(document: unknown): NamedFiles {
  const workflows: NamedFile[] = [];
  const texts: NamedFile[] = [];
  const waiting: { readonly value: unknown; readonly path: string }[] = [
    { value: document, path: "" },
  ];
  // The loop also visits values that it pushes.
  for (const { value, path } of waiting) {
    if (Array.isArray(value))
      for (const [index, item] of value.entries())
        waiting.push({ value: item, path: `${path}/${index}` });
    if (!isPlainObject(value)) continue;
    const { workflow, system_prompt } = value;
    if (typeof workflow === "string") workflows.push({ name: workflow, path: `${path}/workflow` });
    if (typeof system_prompt === "string" && system_prompt.startsWith(FILE_PREFIX))
      texts.push({
        name: system_prompt.slice(FILE_PREFIX.length),
        path: `${path}/system_prompt`,
      });
    for (const [key, item] of Object.entries(value))
      if (TABLES_INSIDE.has(key)) waiting.push({ value: item, path: `${path}/${key}` });
  }
  return { workflows, texts };
}

const TABLES_INSIDE: ReadonlySet<string> = new Set(["workflow", "steps", "states", "scope", "llm"]);
