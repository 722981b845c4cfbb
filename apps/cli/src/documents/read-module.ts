import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "@turnseal/ports";
import { formatErrorChain, isPlainObject } from "@turnseal/protocol";
import type { FileRule } from "./finding.ts";
import type { ReadFile, Source } from "./source.ts";

/** Imports a module and collects every loop that it exports. The code of the module runs. */
export async function readModule(file: string): Promise<ReadFile> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const message = `the module does not load: ${formatErrorChain(error)}`;
    return refuse(file, "module-failed", message, `run it by itself: node ${file}`);
  }
  const sources = Object.keys(exported).flatMap((name) => toSource(file, name, exported[name]));
  if (sources.length > 0) return { sources: dropAliases(sources), findings: [] };
  const mend = "export what defineTool, definePrompt or defineComposite returned";
  return refuse(file, "module-empty", "the module exports no loop", mend);
}

function toSource(file: string, exportName: string, value: unknown): Source[] {
  if (typeof value !== "object" || value === null || !("definition" in value)) return [];
  const document = value.definition;
  const run = "run" in value ? value.run : undefined;
  const name = implementationOf(document);
  if (typeof run !== "function" || name === undefined) return [{ file, exportName, document }];
  return [{ file, exportName, document, tool: { name, run: run as Tool } }];
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
