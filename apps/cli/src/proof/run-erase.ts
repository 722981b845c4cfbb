import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { type CopyKind, findCopies, type RunCopy } from "@turnseal/host";
import { isUuid } from "@turnseal/protocol";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { line, shortId, type Terminal, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportHeld } from "../runs/drive/drive-run.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";

export interface EraseOptions extends StoreOptions {
  readonly yes?: boolean;
  readonly withCopies?: boolean;
}

/**
 * `turnseal erase`: removes the content of a run and its key, for good. The log and the receipts
 * stay, and verify. Runs with copies are listed, and also erased on request.
 */
export function runErase(
  name: string,
  options: EraseOptions,
  { terminal, stdin }: Surroundings,
): Promise<ExitCode> {
  return withFolder(options, async (folder) => {
    const found = accept(await findErasable(folder, name));
    const { run, isOpen, hasBegun } = found;
    const isWithCopies = options.withCopies === true;
    const copies = await findCopies(folder.stores, run);
    const erased = isWithCopies ? copies : [];
    const held = await findHeld(folder, [run, ...erased.map((copy) => copy.run)]);
    if (held !== undefined) return reportHeld(held.run, held.holder, terminal);
    if (options.yes !== true) {
      const more = isWithCopies ? " --with-copies" : "";
      const command = `turnseal erase ${shortId(run)}${more} --yes`;
      if (!isInteractive(stdin))
        throw new RefusalError("there is no terminal to confirm this in", command);
      if (!(await confirm(run, { isOpen, copies: erased.length }, { stdin, terminal }))) {
        terminal.err.writeLine(line("nothing was erased"));
        return EXIT_CODES.failed;
      }
    }
    // Copies first: if something fails, the run still tells which there are.
    const left = isWithCopies ? await eraseCopies(folder, run, terminal) : undefined;
    if (left !== undefined) return left;
    await folder.stores.blobs.erase(run);
    const kept = hasBegun ? "its log and receipts are kept, and verify" : "it never began";
    terminal.out.writeLine(line(toned("good", "✓ "), `the content of ${run} is erased; ${kept}`));
    if (!isWithCopies) listCopies(run, copies, terminal);
    // Copies that were made meanwhile are erased, too.
    return (isWithCopies ? await eraseCopies(folder, run, terminal) : undefined) ?? EXIT_CODES.done;
  });
}

interface Standing {
  readonly hasBegun: boolean;
  readonly isOpen: boolean;
}

type Erasable =
  | ({ readonly kind: "found"; readonly run: string } & Standing)
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/**
 * Finds the run by its name. A whole id may also name a run that never began: its start, and the
 * files for it, may be stored all the same.
 */
async function findErasable(folder: StoreFolder, name: string): Promise<Erasable> {
  const search = await findRun(folder, name);
  if (search.kind === "found") {
    const { run, projection } = search.known;
    const isOpen = (projection?.stopped ?? null) === null;
    return { kind: "found", run, isOpen, hasBegun: true };
  }
  const run = name.toLowerCase();
  const { blobs, inbox } = folder.stores;
  if (!isUuid(run)) return search;
  const isStored = (await blobs.readKey(run)) !== undefined || (await inbox.has(run));
  return isStored ? { kind: "found", run, isOpen: false, hasBegun: false } : search;
}

/** Finds the first of the runs that another process drives. */
async function findHeld({ stores }: StoreFolder, runs: readonly string[]) {
  for (const run of runs) {
    const holder = await stores.leases.read(run);
    if (holder !== undefined) return { run, holder };
  }
  return undefined;
}

/** Erases every run with copies, also beyond one list; returns a code if that fails. */
async function eraseCopies(
  folder: StoreFolder,
  run: string,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  for (;;) {
    const copies = await findCopies(folder.stores, run);
    if (copies.length === 0) return undefined;
    for (const { run: copy, kind, of } of copies) {
      const held = await findHeld(folder, [copy]);
      if (held !== undefined) return reportHeld(copy, held.holder, terminal);
      await folder.stores.blobs.erase(copy);
      const how = `${KIND_WORDS[kind]} ${shortId(of)}`;
      terminal.out.writeLine(
        line(toned("good", "✓ "), `the content of ${copy}, ${how}, is erased`),
      );
    }
  }
}

const KIND_WORDS: Readonly<Record<CopyKind, string>> = {
  handoff: "started by",
  result: "given the result of",
  fork: "forked from",
  cache: "answered from a cache with content of",
  rollback: "a rollback of what was done by",
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
  // A closed input is no yes; the question alone would never end.
  const ended = new Promise<string>((resume) => reader.once("close", () => resume("")));
  const answer = await Promise.race([reader.question(""), ended]);
  reader.close();
  return answer.trim() === "yes";
}
