import type { Finding } from "@turnseal/documents";
import type { Policy } from "@turnseal/protocol";
import { DefinitionError } from "../runtime.ts";

/**
 * Reads a policy from a `.toml` or `.json` file. Throws a `DefinitionError` that names the line of
 * each mistake.
 *
 * @example
 * const host = await turnseal({ loops: [pay], policy: await loadPolicy("payments.toml") });
 */
export async function loadPolicy(file: string): Promise<Policy> {
  // The parsers of files are loaded by those who read one.
  const { readPolicyFile } = await import("./files/read-policy.ts");
  const read = await readPolicyFile(file);
  if (read.kind === "read") return read.policy;
  const findings = read.kind === "refused" ? read.findings.map(placeFinding) : [missing(read)];
  throw new DefinitionError(`policy ${file}`, findings);
}

function placeFinding(finding: Finding): Finding {
  const { position, path } = finding;
  return position === undefined ? finding : { ...finding, path: `line ${position.line} ${path}` };
}

function missing({ message }: { readonly message: string }): Finding {
  const mend = "name a .toml or .json file with rules";
  return { file: "", path: "", rule: "file-unreadable", message, mend };
}
