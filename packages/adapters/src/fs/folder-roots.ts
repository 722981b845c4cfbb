/** Folders as the roots of files that tools declare, by name. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
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
      (bytes: Uint8Array) => {
        // Made once: from bytes it would be made again for each digest, at several times its price.
        const key = createSecretKey(bytes);
        return folderRoot({ folder, createDigester: () => createKeyed(key) });
      },
    ]),
  );
}

/** The digests of a run's content. */
function createKeyed(key: KeyObject): Digester {
  const hmac = createHmac("sha256", key);
  return {
    update: (part) => hmac.update(part),
    digest: () => `hmac-sha256:${hmac.digest("hex")}`,
  };
}
