/** Where the fields of a step's input come from. */
import { isPlainObject } from "../canonical-json.ts";
import type { PlanStep } from "./plan-document.ts";

export type ReadSource =
  | { readonly kind: "constant" }
  /** `rest` is the path behind the step's result, `output` first. */
  | { readonly kind: "step"; readonly step: string; readonly rest: string }
  | { readonly kind: "unreadable" };

// Names that need quotes in a path are no ids that a path can name.
const pattern = /^\$\.([A-Za-z_][A-Za-z0-9_]*)(\.output(?:[.[].*)?)$/;

/** Only an object with nothing but `from` is a source: all else is what it is. */
export function readSource(value: unknown): ReadSource {
  if (!isPlainObject(value) || Object.keys(value).join() !== "from") return { kind: "constant" };
  const { from } = value;
  const [, step, rest] = (typeof from === "string" ? pattern.exec(from) : null) ?? [];
  return step === undefined || rest === undefined
    ? { kind: "unreadable" }
    : { kind: "step", step, rest };
}

/** The steps that it depends on, each once: the named ones, then the ones that it reads. */
export function listDependencies({ after = [], input = {} }: PlanStep): string[] {
  const read = Object.values(input).flatMap((value) => {
    const source = readSource(value);
    return source.kind === "step" ? [source.step] : [];
  });
  return [...new Set([...after, ...read])];
}
