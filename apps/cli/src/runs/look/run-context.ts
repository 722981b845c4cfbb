import { readSentContext } from "@turnseal/host";
import { shortId, writeJson } from "@turnseal/terminal";
import { renderContext, toJsonContext } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../../with-run.ts";

export interface ContextOptions extends StoreOptions {
  readonly turn?: number;
  readonly round?: number;
  readonly content?: boolean;
  readonly json?: boolean;
}

/** `turnseal context`: what the model was sent in one request, and what was left out of it. */
export function runContext(
  name: string,
  options: ContextOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  return withRun(name, options, async ({ known, folder }) => {
    const { out } = terminal;
    const context = await readSentContext(folder.stores, known.run, options);
    if (context === undefined) {
      const next = `turnseal show ${shortId(known.run)}`;
      throw new RefusalError(describeMissing(options), next, EXIT_CODES.failed);
    }
    if (options.json) writeJson(out, toJsonContext(context, options), 2);
    else renderContext(context, options).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

function describeMissing({ turn, round }: ContextOptions): string {
  const where = turn === undefined ? "the run" : `turn ${turn} of the run`;
  return round === undefined
    ? `${where} has made no model request`
    : `${where} has no model request in round ${round}`;
}
