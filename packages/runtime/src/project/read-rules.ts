/** The rules that runs are judged by, from the files that hold them. */

import type { Finding } from "@turnseal/documents";
import type { Policy } from "@turnseal/protocol";
import { readPolicyFile } from "./files/read-policy.ts";

export interface RuleFiles {
  readonly policy?: string;
  /** Rules on trial: what they would decide is recorded, and has no effect. */
  readonly shadow?: string;
}

export interface Rules {
  readonly policy?: Policy;
  readonly shadow?: Policy;
}

export type ReadRules =
  | { readonly kind: "read"; readonly rules: Rules; readonly gone: readonly string[] }
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/** Reads the files that were named. */
export async function readRules(files: RuleFiles): Promise<ReadRules> {
  const rules: { policy?: Policy; shadow?: Policy } = {};
  for (const name of ["policy", "shadow"] as const) {
    const file = files[name];
    if (file === undefined) continue;
    const read = await readPolicyFile(file);
    if (read.kind !== "read") return read;
    rules[name] = read.policy;
  }
  return { kind: "read", rules, gone: [] };
}
