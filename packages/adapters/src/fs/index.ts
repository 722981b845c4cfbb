export { type FolderRootOptions, folderRoot } from "./folder-root.ts";
export { type FolderValuesOptions, folderValues } from "./folder-values.ts";
