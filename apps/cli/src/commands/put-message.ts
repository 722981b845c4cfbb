/** Puts what a person says into the inbox of a run, and says when it will be read. */
import type { InboxMessage, PutRefusal } from "@turnseal/ports";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readLease } from "../local/lease.ts";
import { line, toned } from "../render/line.ts";
import { renderJson } from "../render/sanitize-text.ts";
import type { Terminal } from "../render/screen.ts";
import { shortId } from "../render/short-id.ts";
import type { NamedRun, StoreOptions } from "./with-run.ts";

export interface PutOptions extends StoreOptions {
  readonly json?: boolean;
}

const refusals: Readonly<Record<PutRefusal, string>> = {
  "other-message": "something else was said under the same key",
  "too-large": "it is too large",
  erased: "the content of the run was erased",
};

/** Puts a message for a run that has not stopped. */
export async function putMessage(
  message: InboxMessage,
  { known: { run, projection }, folder }: NamedRun,
  { json, terminal }: PutOptions & { readonly terminal: Terminal },
): Promise<ExitCode> {
  const { kind } = message;
  const stopped = projection?.stopped ?? null;
  if (stopped !== null)
    return refuse(`the run has stopped: ${stopped}`, `turnseal explain ${shortId(run)}`, terminal);
  const answer = await folder.stores.inbox.put(message);
  if (answer.kind === "refused")
    return refuse(refusals[answer.reason], `turnseal show ${shortId(run)}`, terminal);
  const holder = await readLease(folder.path, run);
  if (json) {
    const report = { type: kind, run, status: answer.kind, isCarried: holder !== undefined };
    terminal.out.writeText(`${renderJson(report)}\n`);
    return EXIT_CODES.done;
  }
  const words = answer.kind === "known" ? "is known already" : "is kept for the run";
  terminal.out.writeLine(line(toned("good", "✓ "), `${kind} ${words}  ${shortId(run)}`));
  if (holder === undefined) {
    const next = `turnseal resume ${shortId(run)}  (nobody carries the run: it is read then)`;
    terminal.out.writeLine(line("  ", toned("faint", "next: "), next));
  }
  return EXIT_CODES.done;
}

function refuse(message: string, next: string, { err }: Terminal): ExitCode {
  err.writeLine(line(toned("bad", "error: "), `not taken: ${message}`));
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}
