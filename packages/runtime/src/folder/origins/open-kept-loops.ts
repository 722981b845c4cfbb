import type { KnownRun } from "@turnseal/host";
import { createRegistry, type Registry } from "@turnseal/kernel";
import type { StoreFolder } from "../store-folder.ts";
import { readKeptLoop } from "./kept-loops.ts";

/**
 * The loops of a run from the documents that were kept when it started, each held to the digest in
 * its log, and those of the runtime itself. None of it is code. A loop that was not kept is left
 * out.
 */
export async function openKeptLoops(
  { projection }: Pick<KnownRun, "projection">,
  folder: StoreFolder,
): Promise<Registry> {
  const registry = createRegistry();
  for (const { digest } of Object.values(projection?.spec?.pinned ?? {})) {
    const document = await readKeptLoop(folder.path, digest);
    if (document !== undefined) registry.register(document);
  }
  return registry;
}
