import type { KnownRun } from "@turnseal/host";
import type { RunPlace } from "@turnseal/runtime";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { openRuns } from "@turnseal/runtime/runs";
import type { ExitCode } from "./exit-codes.ts";
import { accept } from "./terminal/refusal.ts";

/** Where runs are kept, for every command that needs it: in a folder, or under an engine. */
export type StoreOptions = RunPlace;

export interface NamedRun {
  readonly known: KnownRun;
  readonly folder: StoreFolder;
}

/** Opens the store's folder for a command, and closes it after. */
export async function withFolder(
  options: StoreOptions,
  body: (folder: StoreFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  const folder = accept(await openRuns(options));
  try {
    return await body(folder);
  } finally {
    await folder.stores.close();
  }
}

/** The same for a command about one run. */
export function withRun(
  name: string,
  options: StoreOptions,
  body: (named: NamedRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withFolder(options, async (folder) => {
    const search = accept(await findRun(folder, name));
    return body({ known: search.known, folder });
  });
}
