/** The second verifier, as a process with one request a line (spec/verify_receipt.py). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./verdict.ts";

export const program = fileURLToPath(new URL("../../spec/verify_receipt.py", import.meta.url));
// The system's Python is named by its path: another one may come first in the search path.
export const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

/** Requests that may be written before the first answer is awaited. */
export const AT_ONCE_MAX = 32;

export interface SecondVerifier {
  /** Rejects when the process does not answer. At most AT_ONCE_MAX requests run at once. */
  judge(given: object): Promise<Verdict>;
  close(): Promise<void>;
}

export function openPython(): SecondVerifier {
  const child = spawn(python, [program, "--lines"], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: PromiseWithResolvers<Verdict>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) =>
    waiting.shift()?.resolve(JSON.parse(line)),
  );
  // The end of the process tells the waiting callers, after any failure of the pipe.
  child.stdin.on("error", () => {});
  const closed = once(child, "close").finally(() => {
    for (const waiter of waiting.splice(0))
      waiter.reject(new Error(`${python} did not answer: is python3-cryptography there?`));
  });
  return {
    judge: (given) => {
      const waiter = Promise.withResolvers<Verdict>();
      waiting.push(waiter);
      child.stdin.write(`${JSON.stringify(given)}\n`);
      return waiter.promise;
    },
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Lets the second verifier judge everything, in one process. */
export async function verifyWithPython(given: readonly object[]): Promise<Verdict[]> {
  const verifier = openPython();
  const verdicts: Verdict[] = [];
  try {
    for (let first = 0; first < given.length; first += AT_ONCE_MAX) {
      const some = given.slice(first, first + AT_ONCE_MAX);
      verdicts.push(...(await Promise.all(some.map((each) => verifier.judge(each)))));
    }
    return verdicts;
  } finally {
    await verifier.close();
  }
}
