import { setTimeout as wait } from "node:timers/promises";
import { folderArchive } from "@turnseal/adapters/archive";
import type { TenantBook } from "@turnseal/adapters/postgres";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { countOf } from "../terminal/count-of.ts";
import { line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";

export interface DeleteOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Longer than a worker relies on what it knows of a tenant. */
const UNTIL_FORGOTTEN_MS = 5_000;

/** Deletes a suspended tenant with everything it has. Interrupted, it goes on when asked again. */
export async function deleteTenant(
  book: TenantBook,
  name: string,
  { force = false, json }: DeleteOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const refuse = (message: string, next: string): ExitCode => {
    reportUsage(terminal, message, next);
    return EXIT_CODES.failed;
  };
  const known = await book.read(name);
  if (known?.state === "unreadable")
    return refuse(
      `this version does not know the limits of tenant ${name}`,
      `turnseal tenant limit ${name} --concurrency 1, then suspend it`,
    );
  if (known?.state === "active")
    return refuse(`tenant ${name} is active`, `turnseal tenant suspend ${name}`);
  if (!force && (await book.hasUnfinished(name)))
    return refuse(
      `tenant ${name} has runs that have not ended`,
      `cancel them, or turnseal tenant delete ${name} --force`,
    );
  await book.remove(name, readPerson());
  // What a worker takes in until it has forgotten the tenant is to go, too.
  if (known !== undefined) await wait(UNTIL_FORGOTTEN_MS);
  // Before the rows that say where it is: whoever is interrupted finds it again.
  for (const place of await book.listArchives(name)) await deleteArchived(name, place, terminal);
  const rows = await book.deleteRows(name, ({ table, rows: gone }) =>
    terminal.err.writeLine(line(toned("faint", `${table}: ${countOf(gone, "row")} deleted`))),
  );
  if (known === undefined && rows === 0)
    return refuse(`there is no tenant ${name}, and no row of it`, "turnseal tenant list");
  if (json) terminal.out.writeText(`${renderJson({ name, rows }, 2)}\n`);
  else
    terminal.out.writeLine(
      line(toned("good", "✓ "), `tenant ${name} deleted, with ${countOf(rows, "row")}`),
    );
  return EXIT_CODES.done;
}

/** Deletes the bundles of a tenant. Where its archive is not reached from here, that is said. */
async function deleteArchived(name: string, place: string, { err }: Terminal): Promise<void> {
  const archive = folderArchive(place);
  let gone = 0;
  for (let page = await archive.list(`${name}/`); page.length > 0; ) {
    for (const bundle of page) await archive.remove(bundle);
    gone += page.length;
    page = await archive.list(`${name}/`);
  }
  const found =
    gone === 0 ? "nothing found: delete it where it is" : `${countOf(gone, "run")} deleted`;
  err.writeLine(line(toned("faint", `archive ${place}/${name}: ${found}`)));
}
