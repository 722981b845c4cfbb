import type { Connection } from "./connection.ts";
import type { Statements } from "./statements/prepare-statements.ts";

/** Erases the content of a run, also from the log of the file, which holds pages as they were. */
export async function eraseRun(
  connection: Connection,
  { heads, blobs, inbox, calls }: Statements,
  run: string,
): Promise<void> {
  await connection.write(() => {
    const number = heads.openNumber(run);
    blobs.erase(number);
    inbox.erase(number);
    calls.erase(number);
  });
  await connection.emptyLog();
}
