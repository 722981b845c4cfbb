import { randomUUID } from "node:crypto";
import { parseJsonText } from "@turnseal/documents";
import {
  checkAwaited,
  type KnownRun,
  readsSignal,
  SignalError,
  signalMessage,
} from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { openKeptLoops, type StoreFolder } from "@turnseal/runtime/folder";
import { renderNote } from "@turnseal/terminal";
import { signalCommand } from "@turnseal/terminal/inbox";
import { describeQueued } from "@turnseal/views";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";

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
  options: SignalOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { payload = "null", key = randomUUID() } = options;
  const parsed = parseJsonText(payload);
  if (parsed.kind === "refused") {
    const message = `--payload is not JSON: ${parsed.problem.message}`;
    throw new RefusalError(message, `turnseal signal ${run} ${name} --payload '"text"'`);
  }
  return withRun(run, options, async ({ known, folder }) => {
    const value = parsed.value as JsonValue;
    const signal = { name, payload: value, key, by: readPerson() };
    const misfit = await findMisfit(known, signal, folder);
    if (misfit !== undefined)
      throw new RefusalError(
        misfit.message,
        signalCommand(known.run, name, misfit.sample),
        EXIT_CODES.failed,
      );
    const bounds = known.projection?.spec?.bounds;
    const isLost = bounds?.awaits?.includes(name) === true && !readsSignal(bounds.nextInput, name);
    if (isLost && value !== null)
      terminal.err.writeLine(
        renderNote(`no turn of this run reads the payload of the signal ${name}`),
      );
    const queued = describeQueued(known.projection, name);
    const done = "signal is saved for the run";
    const words = queued && { words: { done, after: queued, facts: { queued } } };
    return putMessage(
      signalMessage(known.run, signal),
      { known, folder },
      { ...options, ...words, terminal },
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
