import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type FileRule,
  pickWords,
  type ReadFile,
  type Source,
  type ToolWords,
} from "@turnseal/documents";
import type { Model, Tool } from "@turnseal/ports";
import { formatErrorChain, isPlainObject, type Refinements } from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";
import type { ImportModule } from "./module-reader.ts";

/**
 * Imports a module and collects every loop that it exports, and the models in its export `models`.
 * The code of the module runs.
 */
export async function readModule(
  file: string,
  importModule: ImportModule = (url) => import(url),
): Promise<ReadFile> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await importModule(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const message = `the module does not load: ${formatErrorChain(error)}`;
    return refuse(file, "module-failed", message, `run it by itself: node ${file}`);
  }
  return readExports(file, exported);
}

/** Collects the loops and the models of what a module exports. */
export function readExports(file: string, exported: Readonly<Record<string, unknown>>): ReadFile {
  const sources = Object.entries(exported).flatMap(([name, value]) => toSource(file, value, name));
  const models = collectModels(exported["models"]);
  if (sources.length + models.size > 0) {
    const brought = listBrought(Object.values(exported)).flatMap((loop) => toSource(file, loop));
    return { sources: dropAliases(sources), brought, models, findings: [] };
  }
  const mend = "export what defineTool, definePrompt or defineComposite returned";
  return refuse(file, "module-empty", "the module exports no loop", mend);
}

/** The loops that the exported loops use and that the module does not export itself. */
function listBrought(exported: readonly unknown[]): Loop<never, unknown>[] {
  // A module is the operator's own code: what define* gave it is taken as it is.
  const loops = exported.filter((value) => isAuthored(value)) as Loop<never, unknown>[];
  return withUsed(loops).slice(loops.length);
}

function isAuthored(value: unknown): value is { readonly definition: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "definition" in value &&
    isPlainObject(value.definition)
  );
}

function toSource(file: string, value: unknown, exportName?: string): Source[] {
  if (typeof value !== "object" || value === null || !("definition" in value)) return [];
  const document = value.definition;
  const run = "run" in value ? value.run : undefined;
  const name = implementationOf(document);
  const refinements = "refinements" in value ? (value.refinements as Refinements) : undefined;
  const source: Source = {
    ...{ file, document },
    ...(exportName === undefined ? {} : { exportName }),
    ...(refinements && { refinements }),
  };
  if (typeof run !== "function" || name === undefined) return [source];
  const tool = { name, run: run as Tool, ...pickWords(value as ToolWords) };
  return [{ ...source, tool }];
}

function collectModels(exported: unknown): Map<string, Model> {
  const entries = isPlainObject(exported) ? Object.entries(exported) : [];
  return new Map(entries.filter((entry): entry is [string, Model] => isModel(entry[1])));
}

function isModel(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "generate" in value &&
    typeof value.generate === "function"
  );
}

function implementationOf(document: unknown): string | undefined {
  const tool = isPlainObject(document) ? document["tool"] : undefined;
  const name = isPlainObject(tool) ? tool["implementation"] : undefined;
  return typeof name === "string" ? name : undefined;
}

// `export default greet` beside `export const greet` is one loop under two names.
function dropAliases(sources: readonly Source[]): Source[] {
  return sources.filter(
    (source, index) => sources.findIndex(({ document }) => document === source.document) === index,
  );
}

function refuse(file: string, rule: FileRule, message: string, mend: string): ReadFile {
  return { sources: [], findings: [{ file, rule, path: "", message, mend }] };
}
