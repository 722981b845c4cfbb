import { checkRunId } from "./names.ts";
import type { Database } from "./open-database.ts";
import { ERASE_BATCH_MAX, eraseContent } from "./statements/erase-content.ts";
import { eraseLeftBlobs } from "./statements/erase-left-blobs.ts";
import { markErased } from "./statements/mark-erased.ts";

/**
 * Erases the content of a run, batch by batch. The mark comes first and stays, so that nothing is
 * added between two batches. After an interruption, calling it again continues.
 */
export async function eraseRun(db: Database, run: string): Promise<void> {
  checkRunId(run);
  await markErased(db, run);
  let batch = await eraseContent(db, run);
  // A full batch of either kind may have left rows.
  while (batch.rows >= ERASE_BATCH_MAX) batch = await eraseContent(db, run);
  if (!batch.isArchived) return;
  while ((await eraseLeftBlobs(db, run)) >= ERASE_BATCH_MAX);
}
