import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Digester } from "@turnseal/ports";

export const createDigester = (): Digester => {
  const hash = createHash("sha256");
  return {
    update: (part) => hash.update(part),
    digest: () => `sha256:${hash.digest("hex")}`,
  };
};

/** A new folder, and one beside it that nothing of it may reach. */
export function createFolders(): { readonly folder: string; readonly outside: string } {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-root-")));
  const [folder, outside] = [join(place, "root"), join(place, "outside")];
  for (const path of [folder, outside]) mkdirSync(path);
  return { folder, outside };
}

/** Writes a file of this mode, independent of the process's mask. */
export function putFile(path: string, bytes: Uint8Array | string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  chmodSync(path, mode);
}
