import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { readLease } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportHeld } from "../runs/drive-run.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface EraseOptions extends StoreOptions {
  readonly yes?: boolean;
}

/**
 * `turnseal erase`: removes the content of a run and its key, for good. The log and the receipts
 * stay, and verify.
 */
export function runErase(
  name: string,
  options: EraseOptions,
  { terminal, stdin }: Surroundings,
): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async ({ known, folder }) => {
    const { run, projection } = known;
    const holder = await readLease(folder.path, run);
    if (holder !== undefined) return reportHeld(run, holder, terminal);
    if (options.yes !== true) {
      const command = `turnseal erase ${shortId(run)} --yes`;
      if (!isInteractive(stdin))
        return reportUsage(terminal, "there is no terminal to confirm this in", command);
      const isOpen = (projection?.stopped ?? null) === null;
      if (!(await confirm(run, isOpen, { stdin, terminal }))) {
        terminal.err.writeLine(line("nothing was erased"));
        return EXIT_CODES.failed;
      }
    }
    await folder.stores.blobs.erase(run);
    const kept = "its log and receipts are kept, and verify";
    terminal.out.writeLine(line(toned("good", "✓ "), `the content of ${run} is erased; ${kept}`));
    return EXIT_CODES.done;
  });
}

function isInteractive(stdin: Readable): boolean {
  return "isTTY" in stdin && stdin.isTTY === true;
}

async function confirm(
  run: string,
  isOpen: boolean,
  { stdin, terminal: { err } }: { stdin: Readable; terminal: Terminal },
): Promise<boolean> {
  const warning = isOpen ? " The run has not stopped, and cannot continue after this." : "";
  err.writeText(`Erase the content of ${run} for good?${warning} Write yes: `);
  const reader = createInterface({ input: stdin });
  // Whoever ends the input has not written yes; the question alone would never be answered.
  const ended = new Promise<string>((resume) => reader.once("close", () => resume("")));
  const answer = await Promise.race([reader.question(""), ended]);
  reader.close();
  return answer.trim() === "yes";
}
