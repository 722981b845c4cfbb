import type { KnownRun } from "@turnseal/host";
import type { RunPlace } from "@turnseal/runtime";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { openRuns } from "@turnseal/runtime/runs";
import type { ExitCode } from "./exit-codes.ts";
import { reportUsage } from "./terminal/report-usage.ts";
import type { Terminal } from "./terminal/screen.ts";

/** Where runs are kept, for every command that needs it: in a folder, or under an engine. */
export type StoreOptions = RunPlace;

export interface NamedRun {
  readonly known: KnownRun;
  readonly folder: StoreFolder;
}

/** Opens the store's folder for a command, and closes it after. */
export async function withFolder(
  options: StoreOptions,
  terminal: Terminal,
  body: (folder: StoreFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  const folder = await openRuns(options);
  if (folder.kind === "unusable") return reportUsage(terminal, folder.message, folder.next);
  try {
    return await body(folder);
  } finally {
    await folder.stores.close();
  }
}

/** The same for a command about one run. */
export function withRun(
  name: string,
  options: StoreOptions & { readonly terminal: Terminal },
  body: (named: NamedRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = options;
  return withFolder(options, terminal, async (folder) => {
    const search = await findRun(folder, name);
    if (search.kind === "unusable") return reportUsage(terminal, search.message, search.next);
    return body({ known: search.known, folder });
  });
}
