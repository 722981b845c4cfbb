import { type OriginToWrite, writeOrigin } from "@turnseal/runtime/folder";
import { renderNote, type Terminal } from "@turnseal/terminal";

/** Notes where the loops of a started run are, or says that it could not be noted. */
export async function noteOrigin(
  folder: string,
  origin: OriginToWrite,
  { err }: Pick<Terminal, "err">,
): Promise<void> {
  const problem = await writeOrigin(folder, origin);
  if (problem === undefined) return;
  const message = `run ${origin.run} is started, but not where its loops are noted: ${problem}`;
  err.writeLine(renderNote(message));
}
