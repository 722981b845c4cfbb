/** The process: arguments in, exit code out. Everything between begins in `program.ts`. */

import { createScreen, renderFailure, renderStray, renderStuck } from "@turnseal/terminal";
import { EXIT_CODES } from "./exit-codes.ts";
import { runProgram } from "./program.ts";

const { argv, stdin, stdout, stderr } = process;
const env = { ...process.env };
// Child processes, also of tools, must not inherit the keys that sign receipts.
if (Object.keys(env).some((name) => /^turnseal_sign/i.test(name))) {
  const { takeSigningSecrets } = await import("@turnseal/runtime/folder");
  for (const name of Object.keys(takeSigningSecrets(env).secrets)) delete process.env[name];
}
const terminal = { out: createScreen(stdout, env), err: createScreen(stderr, env) };

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours. A
// command that drives a run goes on, and its exit code is that of the run.
const isCarrying = ["run", "resume"].includes(argv[2] ?? "");
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" && isCarrying) return;
    process.exit(error.code === "EPIPE" ? EXIT_CODES.done : EXIT_CODES.failed);
  });
}

// Modules and tools are the user's: what they leave to itself ends the process all the same, but
// in words, and with a code of ours.
process.once("uncaughtException", (error) => {
  renderStray(error).forEach(terminal.err.writeLine);
  process.exit(EXIT_CODES.failed);
});
process.once("beforeExit", () => {
  renderStuck().forEach(terminal.err.writeLine);
  process.exit(EXIT_CODES.failed);
});

let exitCode: number;
try {
  exitCode = await runProgram(argv.slice(2), {
    environment: env,
    stdin,
    stdout,
    stderr,
    terminal,
  });
} catch (error) {
  renderFailure(error).forEach(terminal.err.writeLine);
  exitCode = EXIT_CODES.failed;
}

// A tool that ignores its signal may still hold the process: its later output is lost, so the
// command does not wait for it.
await Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.write("", done))));
process.exit(exitCode);
