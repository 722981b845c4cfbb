import { isPlainObject } from "@turnseal/protocol";
import type { Finding, Position } from "./finding.ts";
import { parseJsonText } from "./parse-json-text.ts";
import { parseTomlText } from "./parse-toml-text.ts";
import { readText } from "./read-text.ts";

export type ReadTables =
  | {
      readonly kind: "read";
      readonly value: unknown;
      readonly locate: (pointer: string) => Position;
    }
  /** The file is not there, or may not be read: the command line is wrong. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * Reads a file of tables, such as a policy, its cases or a plan: TOML where its name says so, JSON
 * otherwise.
 */
export async function readTables(file: string): Promise<ReadTables> {
  if (/\.[cm]?[jt]sx?$/.test(file))
    return { kind: "unusable", message: `${file} is a module: give a .toml or .json file` };
  const read = await readText(file);
  if (read.kind === "refused") return { kind: "unusable", message: `${file}: ${read.message}` };
  const parsed = file.endsWith(".toml") ? parseTomlText(read.text) : parseJsonText(read.text);
  if (parsed.kind === "parsed") return { kind: "read", value: parsed.value, locate: parsed.locate };
  const { problem, position } = parsed;
  return { kind: "refused", findings: [{ ...problem, file, position }] };
}

/** The items of a list of tables in a document, or nothing where there is no such list. */
export function listItems(value: unknown, name: string): readonly unknown[] {
  const list = isPlainObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
