/** Runs the command inside the test, without a terminal and without input. */
import { PassThrough, Readable } from "node:stream";
import { createScreen } from "@turnseal/terminal";
import { runProgram } from "./program.ts";
import { readWritten } from "./read-written.test.data.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function sayCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<Said> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(args, {
    ...{ environment, stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}
