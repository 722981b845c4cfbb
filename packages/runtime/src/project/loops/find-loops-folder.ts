import { stat } from "node:fs/promises";

/** The folder that is looked into when a command line names none. */
export const LOOPS_FOLDER = "loops";

/** The named paths, or the default folder if it exists. */
export async function findLoopsFolder(
  from: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (from !== undefined) return from;
  const found = await stat(LOOPS_FOLDER).catch(() => undefined);
  return found?.isDirectory() ? [LOOPS_FOLDER] : [];
}
