import { line, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { openDatabase } from "../with-book.ts";

export interface MigrateCommandOptions {
  readonly postgres?: string;
}

/** `turnseal migrate`: brings the tables of a database to this version, before any worker. */
export async function runMigrate(
  { postgres }: MigrateCommandOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { peers, url } = await openDatabase({ command: "migrate", postgres });
  const { applied, roles } = await peers.migratePostgres({ url });
  const done = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
  terminal.out.writeLine(line(toned("good", "✓ "), done));
  const { owner, worker, reader } = roles;
  terminal.out.writeLine(line(`  roles: ${owner}, ${worker}, ${reader}`));
  return EXIT_CODES.done;
}
