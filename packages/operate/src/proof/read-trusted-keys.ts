import { parseJsonText, readText } from "@turnseal/documents";
import { parseKeys } from "@turnseal/protocol/receipts";
import type { StoreFolder } from "@turnseal/runtime/folder";
import { readStoreTrust, type Trust } from "@turnseal/runtime/folder";

/**
 * The keys that a verifier trusts: those of a file that the command line names, or else the
 * store's. The keys in an export are never trusted by themselves, since a forger can add any.
 */
export async function readTrustedKeys(
  file: string | undefined,
  folder: Pick<StoreFolder, "path" | "engine"> | undefined,
): Promise<Trust | { readonly problem: string }> {
  if (file === undefined) return folder === undefined ? { keys: [] } : readStoreTrust(folder);
  const read = await readText(file);
  if (read.kind === "refused") return { problem: `${file}: ${read.message}` };
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") return { problem: `${file} is not JSON` };
  const keys = parseKeys(parsed.value);
  return "problem" in keys ? { problem: `${file}: ${keys.problem}` } : { keys };
}
