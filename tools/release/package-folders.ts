import { BOUNDARIES } from "../boundaries.ts";

/** The folders that are published, in the order of their imports. */
export const PACKAGE_FOLDERS: readonly string[] = BOUNDARIES.map(({ folder }) => folder);
