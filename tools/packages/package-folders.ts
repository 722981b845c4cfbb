import { BOUNDARIES } from "../boundaries.ts";
import { readManifest } from "./read-manifest.ts";

/** The folders of all packages, in the order of their imports. */
export const PACKAGE_FOLDERS: readonly string[] = BOUNDARIES.map(({ folder }) => folder);

/** The folders of the packages that are published. They contain the others. */
export const PUBLISHED_FOLDERS: readonly string[] = PACKAGE_FOLDERS.filter(
  (folder) => readManifest(folder).private !== true,
);
