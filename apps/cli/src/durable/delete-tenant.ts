import { setTimeout as wait } from "node:timers/promises";
import { folderArchive } from "@turnseal/adapters/archive";
import type { TenantBook } from "@turnseal/adapters/postgres";
import { countOf, line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";

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
  const known = await book.read(name);
  if (known?.state === "unreadable")
    throw new RefusalError(
      `this version does not know the limits of tenant ${name}`,
      `turnseal tenant limit ${name} --concurrency 1, then suspend it`,
      EXIT_CODES.failed,
    );
  if (known?.state === "active")
    throw new RefusalError(
      `tenant ${name} is active`,
      `turnseal tenant suspend ${name}`,
      EXIT_CODES.failed,
    );
  if (options.force !== true && (await book.hasUnfinished(name)))
    throw new RefusalError(
      `tenant ${name} has runs that have not ended`,
      `cancel them, or turnseal tenant delete ${name} --force`,
      EXIT_CODES.failed,
    );
  // Held to the end: an archiver would write bundles that are deleted here, or note runs that are
  // gone.
  const hold = await book.holdArchiving();
  try {
    await book.remove(name, readPerson());
    // Rows that a worker still adds, until it has forgotten the tenant, must go, too. This wait
    // also follows an earlier removal, whose process may have been killed a moment ago.
    await wait(UNTIL_FORGOTTEN_MS);
    const deleted = await deleteAll(book, name, { hold, terminal });
    if (known === undefined && deleted.rows === 0 && deleted.places === 0)
      throw new RefusalError(
        `there is no tenant ${name}, and no row of it`,
        "turnseal tenant list",
        EXIT_CODES.failed,
      );
    const { rows } = deleted;
    const all = `tenant ${name} deleted, with ${countOf(rows, "row")}`;
    if (options.json) writeJson(terminal.out, { name, rows }, 2);
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

/** The list of archives goes last: after an interrupted delete, the bundles can still be found. */
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
  // An archiver that started before, and does not know of the removal, may have put one.
  const places = await book.listArchives(name);
  for (const place of places) await deleteArchived(name, place);
  await hold.prove();
  await book.forgetArchives(name);
  return { rows, places: places.length };
}

/** Deletes the bundles of a tenant, also incomplete ones, and returns their number. */
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
