import { loadPeers, type Peers } from "@turnseal/runtime/engine";
import type { ExitCode } from "./exit-codes.ts";
import { accept, RefusalError } from "./terminal/refusal.ts";

export type LoadedPeers = Extract<Peers, { kind: "loaded" }>;

interface Place {
  /** The command, as it is typed. */
  readonly command: string;
  readonly postgres: string | undefined;
}

/** Loads what is needed to work on a database, for a command that has to be told which. */
export async function openDatabase({ command, postgres }: Place) {
  if (postgres === undefined)
    throw new RefusalError(
      "no database is given",
      `turnseal ${command} --postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL`,
    );
  return { peers: accept(await loadPeers()), url: postgres };
}

/** Opens a book of a database for a command, and closes it after. */
export async function withBook<Book extends { close(): Promise<void> }>(
  place: Place,
  open: (peers: LoadedPeers, url: string) => Promise<Book>,
  body: (book: Book) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { peers, url } = await openDatabase(place);
  const book = await open(peers, url);
  try {
    return await body(book);
  } finally {
    await book.close();
  }
}
