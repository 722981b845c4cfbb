import { randomUUID } from "node:crypto";
import {
  checkAwaited,
  describeQueued,
  type KnownRun,
  readsSignal,
  SignalError,
  signalMessage,
} from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { openKeptLoops, type StoreFolder } from "@turnseal/runtime/folder";
import { parseJsonText } from "@turnseal/runtime/project";
import type { ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportFailure } from "../terminal/report-failure.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";
import { signalCommand } from "./signal-command.ts";

export interface SignalOptions extends PutOptions {
  readonly payload?: string;
  readonly key?: string;
}

/**
 * `turnseal signal`: tells a run something. It is recorded, and reaches a prompt only if the run's
 * bounds map it.
 */
export async function runSignal(
  run: string,
  name: string,
  options: SignalOptions & { readonly terminal: Terminal },
): Promise<ExitCode> {
  const { terminal, payload = "null", key = randomUUID() } = options;
  const parsed = parseJsonText(payload);
  if (parsed.kind === "refused") {
    const message = `--payload is not JSON: ${parsed.problem.message}`;
    return reportUsage(terminal, message, `turnseal signal ${run} ${name} --payload '"text"'`);
  }
  return withRun(run, options, async ({ known, folder }) => {
    const value = parsed.value as JsonValue;
    const signal = { name, payload: value, key, by: readPerson() };
    const misfit = await findMisfit(known, signal, folder);
    if (misfit !== undefined)
      return reportFailure(terminal, misfit.message, signalCommand(known.run, name, misfit.sample));
    const bounds = known.projection?.spec?.bounds;
    const isLost = bounds?.awaits?.includes(name) === true && !readsSignal(bounds.nextInput, name);
    if (isLost && value !== null)
      terminal.err.writeLine(
        line(
          toned("warning", "note: "),
          `no turn of this run reads the payload of the signal ${name}`,
        ),
      );
    const queued = describeQueued(known.projection, name);
    const done = "signal is saved for the run";
    const words = queued && { words: { done, after: queued, facts: { queued } } };
    return putMessage(
      signalMessage(known.run, signal),
      { known, folder },
      { ...options, ...words },
    );
  });
}

/** Why the run cannot take the signal, by the documents that were kept when it was started. */
async function findMisfit(
  known: KnownRun,
  signal: { readonly name: string; readonly payload: JsonValue },
  folder: StoreFolder,
): Promise<SignalError | undefined> {
  const registry = await openKeptLoops(known, folder);
  try {
    await checkAwaited(known, signal, { stores: folder.stores, registry });
    return undefined;
  } catch (error) {
    if (error instanceof SignalError) return error;
    throw error;
  }
}
