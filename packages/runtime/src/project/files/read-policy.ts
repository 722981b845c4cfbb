/** A policy from a file, with the place of each rule in it. */

import { type Finding, listItems, type ReadTables, readTables } from "@turnseal/documents";
import { type CompiledPolicy, compilePolicy } from "@turnseal/kernel";
import { isPlainObject, type Policy, type PolicyProblem } from "@turnseal/protocol";

export type ReadPolicy =
  | { readonly kind: "read"; readonly policy: Policy; readonly compiled: CompiledPolicy }
  | Exclude<ReadTables, { kind: "read" }>;

/** Reads and compiles a policy. */
export async function readPolicyFile(file: string): Promise<ReadPolicy> {
  const read = await readTables(file);
  if (read.kind !== "read") return read;
  const { value, locate } = read;
  const placed = placeRules(value, file, (index) => locate(`/rules/${index}`).line);
  const compiled = compilePolicy(placed);
  const problems = [
    ...findPlaces(value),
    ...(compiled.kind === "refused" ? compiled.problems : []),
  ];
  if (compiled.kind === "compiled" && problems.length === 0) {
    return { kind: "read", policy: placed as Policy, compiled: compiled.policy };
  }
  const findings = problems.map(
    (problem): Finding => ({ ...problem, file, position: locate(problem.path) }),
  );
  return { kind: "refused", findings };
}

function placeRules(value: unknown, file: string, lineOf: (index: number) => number): unknown {
  if (!isPlainObject(value) || !Array.isArray(value["rules"])) return value;
  const rules = value["rules"].map((rule: unknown, index) =>
    isPlainObject(rule) ? { ...rule, file, line: lineOf(index) } : rule,
  );
  return { ...value, rules };
}

// The reader of the file sets the place of a rule, never the file itself.
function findPlaces(value: unknown): PolicyProblem[] {
  return listItems(value, "rules").flatMap((rule, index) =>
    ["file", "line"]
      .filter((name) => isPlainObject(rule) && Object.hasOwn(rule, name))
      .map((name) => ({
        rule: "field-unknown" as const,
        path: `/rules/${index}/${name}`,
        message: `\`${name}\` is not for a document to say`,
        mend: "remove it: it is filled in when the file is read",
      })),
  );
}
