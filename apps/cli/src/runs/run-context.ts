import { readSentContext } from "@turnseal/host";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type StoreOptions, withRun } from "../with-run.ts";
import { renderContext, toJsonContext } from "./render-context.ts";

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
  terminal: Terminal,
): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async ({ known, folder }) => {
    const { out, err } = terminal;
    const context = await readSentContext(folder.stores, known.run, options);
    if (context === undefined) {
      err.writeLine(line(toned("bad", "error: "), describeMissing(options)));
      const next = `turnseal show ${shortId(known.run)}`;
      err.writeLine(line("  ", toned("faint", "next: "), next));
      return EXIT_CODES.failed;
    }
    if (options.json) out.writeText(`${renderJson(toJsonContext(context, options), 2)}\n`);
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
