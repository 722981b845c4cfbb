/** Runs the command inside the test; a serving command runs until the process gets a signal. */
import { PassThrough, Readable } from "node:stream";
import { createScreen } from "@turnseal/terminal";
import { runProgram } from "./program.ts";
import { readWritten } from "./read-written.test.data.ts";

export interface Started {
  /** The exit code. */
  readonly ended: Promise<number>;
  /** Where `serve` serves, once it does. */
  readonly ready: Promise<string>;
  out(): string;
  err(): string;
}

export function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Started {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = runProgram(args, {
    ...{ environment, stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  let out = "";
  const ready = new Promise<string>((resolve) => {
    stdout.on("data", (chunk) => {
      out += String(chunk);
      const url = /serving (\S+)/.exec(out)?.[1];
      if (url !== undefined && out.includes("Ctrl-C")) resolve(url);
    });
  });
  return { ended, ready, out: () => out, err: () => readWritten(stderr) };
}
