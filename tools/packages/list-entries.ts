import type { Manifest } from "./read-manifest.ts";

export interface PublicEntry {
  /** As in the manifest: `.` or `./worker`. */
  readonly subpath: string;
  /** Its source, from the folder of the package: `src/index.ts`. */
  readonly source: string;
}

/**
 * The entries that users import. An entry with only a source is for the repository alone, and is
 * not published.
 */
export function listEntries({ exports = {} }: Manifest): PublicEntry[] {
  return Object.entries(exports).flatMap(([subpath, conditions]) => {
    const source = conditions["turnseal-source"];
    return source === undefined || conditions["types"] === undefined
      ? []
      : [{ subpath, source: source.replace(/^\.\//, "") }];
  });
}
