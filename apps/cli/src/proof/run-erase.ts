import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { type CopyKind, findCopies, type RunCopy } from "@turnseal/host";
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
  readonly withCopies?: boolean;
}

/**
 * `turnseal erase`: removes the content of a run and its key, for good. The log and the receipts
 * stay, and verify. Runs that hold copies are listed, and erased too where that is asked for.
 */
export function runErase(
  name: string,
  options: EraseOptions,
  { terminal, stdin }: Surroundings,
): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async ({ known, folder }) => {
    const { run, projection } = known;
    const copies = await findCopies(folder.stores, run);
    const erased = options.withCopies === true ? copies : [];
    for (const each of [run, ...erased.map((copy) => copy.run)]) {
      const holder = await readLease(folder.path, each);
      if (holder !== undefined) return reportHeld(each, holder, terminal);
    }
    if (options.yes !== true) {
      const more = options.withCopies === true ? " --with-copies" : "";
      const command = `turnseal erase ${shortId(run)}${more} --yes`;
      if (!isInteractive(stdin))
        return reportUsage(terminal, "there is no terminal to confirm this in", command);
      const isOpen = (projection?.stopped ?? null) === null;
      if (!(await confirm(run, { isOpen, copies: erased.length }, { stdin, terminal }))) {
        terminal.err.writeLine(line("nothing was erased"));
        return EXIT_CODES.failed;
      }
    }
    // Copies first: if something fails, the run still tells which there are.
    for (const { run: copy, kind, of } of erased) {
      await folder.stores.blobs.erase(copy);
      const how = `${KIND_WORDS[kind]} ${shortId(of)}`;
      terminal.out.writeLine(
        line(toned("good", "✓ "), `the content of ${copy}, ${how}, is erased`),
      );
    }
    await folder.stores.blobs.erase(run);
    const kept = "its log and receipts are kept, and verify";
    terminal.out.writeLine(line(toned("good", "✓ "), `the content of ${run} is erased; ${kept}`));
    if (options.withCopies !== true) listCopies(run, copies, terminal);
    return EXIT_CODES.done;
  });
}

const KIND_WORDS: Readonly<Record<CopyKind, string>> = {
  handoff: "started by",
  fork: "forked from",
  cache: "answered from a cache with content of",
};

function listCopies(run: string, copies: readonly RunCopy[], { err }: Terminal): void {
  if (copies.length === 0) return;
  const count = copies.length === 1 ? "1 run holds" : `${copies.length} runs hold`;
  err.writeLine(line(`${count} copies of its content:`));
  for (const { run: copy, kind, of } of copies)
    err.writeLine(line(`  ${copy}  ${KIND_WORDS[kind]} ${shortId(of)}`));
  err.writeLine(line(`next: turnseal erase ${shortId(run)} --with-copies`));
}

function isInteractive(stdin: Readable): boolean {
  return "isTTY" in stdin && stdin.isTTY === true;
}

async function confirm(
  run: string,
  { isOpen, copies }: { readonly isOpen: boolean; readonly copies: number },
  { stdin, terminal: { err } }: { stdin: Readable; terminal: Terminal },
): Promise<boolean> {
  const warning = isOpen ? " The run has not stopped, and cannot continue after this." : "";
  const others = copies === 0 ? "" : ` and of ${copies} runs that hold copies`;
  err.writeText(`Erase the content of ${run}${others} for good?${warning} Write yes: `);
  const reader = createInterface({ input: stdin });
  // Whoever ends the input has not written yes; the question alone would never be answered.
  const ended = new Promise<string>((resume) => reader.once("close", () => resume("")));
  const answer = await Promise.race([reader.question(""), ended]);
  reader.close();
  return answer.trim() === "yes";
}
