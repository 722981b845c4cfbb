import { writeFile } from "node:fs/promises";
import { bundleRun } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface ExportOptions extends StoreOptions {
  readonly out?: string;
  /** Commander's way to spell `--without-content`. */
  readonly withoutContent?: boolean;
}

/** `turnseal export`: a run as one file, which a stranger verifies with a public key alone. */
export function runExport(
  name: string,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async ({ known: { run }, folder }) => {
    const withContent = options.withoutContent !== true;
    const { text, hasContent } = await bundleRun(run, folder, { withContent });
    if (options.out === "-") {
      terminal.out.writeText(text);
      return EXIT_CODES.done;
    }
    const file = options.out ?? `run-${shortId(run)}.json`;
    try {
      // It may hold content, and the key to it.
      await writeFile(file, text, { flag: "wx", mode: 0o600 });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
      const next = `turnseal export ${shortId(run)} --out <another file>`;
      return reportUsage(terminal, `${file} ${reason}`, next);
    }
    const missing = withContent ? "without content, which was erased" : "without content";
    const content = hasContent ? "with its content" : missing;
    terminal.out.writeLine(line(toned("good", "✓ "), `${run} is in ${file}, ${content}`));
    terminal.out.writeLine(line("  ", toned("faint", "next: "), `turnseal verify ${file}`));
    return EXIT_CODES.done;
  });
}
