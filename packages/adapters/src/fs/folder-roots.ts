/** Folders as the roots of files that tools declare, by name. */
import { createHmac } from "node:crypto";
import type { Digester, Roots } from "@turnseal/ports";
import { folderRoot } from "./folder-root.ts";

/**
 * Binds names to folders. A folder must exist when a run needs it.
 *
 * @example
 * const roots = folderRoots({ site: "./site" });
 */
export function folderRoots(folders: Readonly<Record<string, string>>): Roots {
  return Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [
      name,
      (key: Uint8Array) => folderRoot({ folder, createDigester: () => createKeyed(key) }),
    ]),
  );
}

/** The digests of a run's content. */
function createKeyed(key: Uint8Array): Digester {
  const hmac = createHmac("sha256", key);
  return {
    update: (part) => hmac.update(part),
    digest: () => `hmac-sha256:${hmac.digest("hex")}`,
  };
}
