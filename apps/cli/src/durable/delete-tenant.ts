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
  options: DeleteOptions,
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
  if (options.force !== true && (await book.hasUnfinished(name)))
    return refuse(
      `tenant ${name} has runs that have not ended`,
      `cancel them, or turnseal tenant delete ${name} --force`,
    );
  // Held to the end: whoever archives would put what is deleted here, or note what is gone.
  const hold = await book.holdArchiving();
  try {
    await book.remove(name, readPerson());
    // What a worker takes in until it has forgotten the tenant is to go, too. Whoever took it out
    // of the book before may have been killed a moment ago.
    await wait(UNTIL_FORGOTTEN_MS);
    const deleted = await deleteAll(book, name, { hold, terminal });
    if (known === undefined && deleted.rows === 0 && deleted.places === 0)
      return refuse(`there is no tenant ${name}, and no row of it`, "turnseal tenant list");
    const { rows } = deleted;
    const all = `tenant ${name} deleted, with ${countOf(rows, "row")}`;
    if (options.json) terminal.out.writeText(`${renderJson({ name, rows }, 2)}\n`);
    else terminal.out.writeLine(line(toned("good", "✓ "), all));
    return EXIT_CODES.done;
  } finally {
    await hold.release();
  }
}

interface Deleted {
  readonly rows: number;
  /** Archives that may have had runs of it. */
  readonly places: number;
}

interface Held {
  readonly hold: Awaited<ReturnType<TenantBook["holdArchiving"]>>;
  readonly terminal: Terminal;
}

/** What says where its bundles are goes last: whoever is interrupted finds them again. */
async function deleteAll(
  book: TenantBook,
  name: string,
  { hold, terminal: { err } }: Held,
): Promise<Deleted> {
  for (const place of await book.listArchives(name)) {
    const gone = await deleteArchived(name, place);
    const found =
      gone === 0 ? "nothing found: delete it where it is" : `${countOf(gone, "run")} deleted`;
    err.writeLine(line(toned("faint", `archive ${place}/${name}: ${found}`)));
  }
  const rows = await book.deleteRows(name, ({ table, rows: gone }) =>
    err.writeLine(line(toned("faint", `${table}: ${countOf(gone, "row")} deleted`))),
  );
  // Somebody who archived before, and does not know that it must not any more, may have put one.
  const places = await book.listArchives(name);
  for (const place of places) await deleteArchived(name, place);
  await hold.prove();
  await book.forgetArchives(name);
  return { rows, places: places.length };
}

/** Deletes the bundles of a tenant, also those that are not whole, and answers how many. */
async function deleteArchived(name: string, place: string): Promise<number> {
  const archive = folderArchive(place);
  let gone = 0;
  for (let page = await archive.list(`${name}/`); page.length > 0; ) {
    for (const bundle of page) await archive.remove(bundle);
    gone += page.length;
    page = await archive.list(`${name}/`);
  }
  await archive.removeUnfinished(`${name}/`);
  return gone;
}
