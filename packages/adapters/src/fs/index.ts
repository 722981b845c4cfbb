export { type FolderValuesOptions, folderValues } from "./folder-values.ts";
