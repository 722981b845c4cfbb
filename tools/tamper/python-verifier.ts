import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Attempt } from "./attack.ts";

/** What both verifiers answer, as far as they are compared. */
export interface Verdict {
  readonly valid: boolean;
  readonly findings: readonly {
    readonly code: string;
    readonly sequence?: number;
    readonly turn?: number;
  }[];
}

const program = fileURLToPath(new URL("../../spec/verify_receipt.py", import.meta.url));
// The package of the system is asked for by its place: another Python may stand before it in the
// path.
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

/**
 * Lets the second verifier judge every attempt, in one process. It throws when that does not answer
 * each.
 */
export async function verifyWithPython(
  attempts: readonly (Attempt & { readonly production?: boolean })[],
): Promise<Verdict[]> {
  const child = spawn(python, [program, "--lines"], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  const verdicts: Verdict[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout }))
      verdicts.push(JSON.parse(line));
  })();
  child.stdin.on("error", () => {});
  for (const attempt of attempts) {
    if (!child.stdin.write(`${JSON.stringify(attempt)}\n`))
      await Promise.race([once(child.stdin, "drain"), closed]);
  }
  child.stdin.end();
  await Promise.all([reading, closed]);
  if (verdicts.length !== attempts.length)
    throw new Error(
      `${python} answered ${verdicts.length} of ${attempts.length}: is python3-cryptography there?`,
    );
  return verdicts;
}
