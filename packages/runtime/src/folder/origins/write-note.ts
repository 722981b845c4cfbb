import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a note whole, or not at all. An existing note stays. */
export async function writeNote(file: string, text: string, mode = 0o666): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: "wx", mode });
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      // Not every file system has links.
      if (error.code !== "EEXIST") await rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
}
