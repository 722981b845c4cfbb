import { randomUUID } from "node:crypto";
import { checkAwaited, readsSignal, signalMessage } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { parseJsonText } from "@turnseal/runtime/project";
import type { ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
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
    await checkAwaited(known.projection, signal, folder);
    const bounds = known.projection?.spec?.bounds;
    const isLost = bounds?.awaits?.includes(name) === true && !readsSignal(bounds.nextInput, name);
    if (isLost && value !== null)
      terminal.err.writeLine(
        line(
          toned("warning", "note: "),
          `no turn of this run reads the payload of the signal ${name}`,
        ),
      );
    return putMessage(signalMessage(known.run, signal), { known, folder }, options);
  });
}
