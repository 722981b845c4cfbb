/** A run to show: one of the store, or one in an export. */

import { existsSync, statSync } from "node:fs";
import type { KnownRun } from "@turnseal/host";
import { type Exported, type ExportOptions, isPack, readExport } from "@turnseal/operate/proof";
import type { Stores } from "@turnseal/ports";
import type { StoreFolder } from "@turnseal/runtime/folder";
import { isFileName } from "@turnseal/runtime/project";
import { line, type Terminal, toned } from "@turnseal/terminal";
import { renderExport } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
import { accept } from "./terminal/refusal.ts";
import { withRun } from "./with-run.ts";

export type SubjectOptions = ExportOptions;

export interface Subject {
  readonly known: KnownRun;
  readonly stores: Pick<Stores, "log" | "blobs" | "runs">;
  /** Where the run lives; undefined for one in an export. */
  readonly folder?: StoreFolder;
  /** Set for an export alone. */
  readonly exported?: Exported;
}

/** Finds what a command is about. An export that does not verify ends it with 3. */
export async function withSubject(
  name: string,
  options: SubjectOptions & { readonly terminal: Terminal },
  body: (subject: Subject) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = options;
  if (!isExport(name))
    return withRun(name, options, ({ known, folder }) =>
      body({ known, folder, stores: folder.stores }),
    );
  const read = accept(await readExport(name, options));
  const { exported, opened } = read;
  if (opened.kind === "refused") {
    renderExport(exported).forEach(terminal.err.writeLine);
    terminal.err.writeLine(line(toned("bad", "error: "), `it cannot be read: ${opened.message}`));
    return EXIT_CODES.unverified;
  }
  const code = await body({ known: opened.known, stores: opened.stores, exported });
  return code === EXIT_CODES.done && !isAccepted(exported) ? EXIT_CODES.unverified : code;
}

/** Anyone may have added an open turn to a file: it is refused, unless it is expected. */
function isAccepted({ verdict, isOpenExpected }: Exported): boolean {
  return verdict.valid || (verdict.verdict === "open" && isOpenExpected);
}

function isExport(name: string): boolean {
  return isFileName(name) || isPack(name) || (existsSync(name) && statSync(name).isFile());
}
