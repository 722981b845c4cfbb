export { folderArchive } from "./folder-archive.ts";
