import { writeFile } from "node:fs/promises";
import { RefusalError } from "./refusal.ts";

/** Writes a file that only its owner can read, since it may hold content. It must be new. */
export async function writeNewFile(file: string, text: string, next: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new RefusalError(`${file} ${describeFault(error)}`, next);
  }
}

/** Why something could not be written. */
export function describeFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
}
