import type { ExitCode } from "../exit-codes.ts";
import { findRun } from "../local/find-run.ts";
import type { KnownRun } from "../local/list-runs.ts";
import { openStoreFolder, type StoreFolder } from "../local/store-folder.ts";
import type { Terminal } from "../render/screen.ts";
import { reportUsage } from "./report-usage.ts";

/** The folder in which runs are kept, for every command that needs it. */
export interface StoreOptions {
  readonly store?: string;
}

export interface NamedRun {
  readonly known: KnownRun;
  readonly folder: StoreFolder;
}

/** Opens the store's folder for a command, and closes it after. */
export async function withFolder(
  { store }: StoreOptions,
  terminal: Terminal,
  body: (folder: StoreFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  const folder = openStoreFolder(store);
  if (folder.kind === "unusable") return reportUsage(terminal, folder.message, folder.next);
  try {
    return await body(folder);
  } finally {
    folder.stores.close();
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
