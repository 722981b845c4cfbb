import { loadPeers } from "@turnseal/runtime/engine";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";

export interface MigrateCommandOptions {
  readonly postgres?: string;
}

/** `turnseal migrate`: brings the tables of a database to this version, before any worker. */
export async function runMigrate(
  { postgres }: MigrateCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (postgres === undefined)
    return reportUsage(
      terminal,
      "no database is given",
      "turnseal migrate --postgres postgres://user@host/database",
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return reportUsage(terminal, peers.message, peers.next);
  const { applied, roles } = await peers.migratePostgres({ url: postgres });
  const done = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
  terminal.out.writeLine(line(toned("good", "✓ "), done));
  const { owner, worker, reader } = roles;
  terminal.out.writeLine(line(`  roles: ${owner}, ${worker}, ${reader}`));
  return EXIT_CODES.done;
}
