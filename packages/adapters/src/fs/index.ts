export { readProcessStart } from "../read-process-start.ts";
export { type FolderRootOptions, folderRoot } from "./folder-root.ts";
export { folderRoots } from "./folder-roots.ts";
export { type FolderValuesOptions, folderValues } from "./folder-values.ts";
