/** Lists a folder of a root by its directory entries. Only ripgrep opens files, if asked to. */
import type { Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";
import {
  type FileListing,
  type ListedEntry,
  type ListOptions,
  SCAN_ENTRIES_MAX,
} from "@turnseal/ports";
import { findPathFault } from "@turnseal/protocol/artifact";
import { systemCodeOf } from "../if-there.ts";
import { findHolding } from "./find-holding.ts";
import { hasLinkOnTheWay, listDirents, toRefusal } from "./root-place.ts";
import { isLeftOut, type ScannedRoot } from "./scan-root.ts";

/** Folders that are listed before others have their turn. */
const STEP_FOLDERS = 64;

export async function listRoot(
  root: ScannedRoot,
  folder: string,
  { isDeep = false, holding }: ListOptions,
): Promise<FileListing> {
  if (folder !== "" && hasLinkOnTheWay(root.folder, `${folder}/.`))
    return { kind: "refused", reason: "link" };
  const found = isDeep && holding ? await findHolding(root, folder, holding) : undefined;
  if (found !== undefined) return { kind: "listed", entries: found, unnamed: 0 };
  const entries: ListedEntry[] = [];
  const waiting = [folder];
  let [unnamed, listed] = [0, 0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const found = listOne(root, at);
    if (typeof found === "string") {
      if (at === folder) return { kind: "refused", reason: found };
      continue;
    }
    for (const entry of found) {
      if (entry === "unnamed") unnamed += 1;
      else entries.push(entry);
      if (isDeep && entry !== "unnamed" && entry.kind === "folder") waiting.push(entry.path);
    }
    if (entries.length > SCAN_ENTRIES_MAX) return { kind: "refused", reason: "too-many" };
    listed += 1;
    if (listed % STEP_FOLDERS === 0) await setImmediate();
  }
  return { kind: "listed", entries, unnamed };
}

function listOne(
  root: ScannedRoot,
  folder: string,
): readonly (ListedEntry | "unnamed")[] | "absent" | "denied" {
  let dirents: readonly Dirent[];
  try {
    dirents = listDirents(root.folder, folder);
  } catch (error) {
    return toRefusal(systemCodeOf(error)) === "absent" ? "absent" : "denied";
  }
  const before = folder === "" ? "" : `${folder}/`;
  return dirents.flatMap((dirent) => {
    const { name } = dirent;
    if (isLeftOut(root, name)) return [];
    const path = before + name;
    return findPathFault(path) === undefined ? { kind: kindOf(dirent), path } : "unnamed";
  });
}

function kindOf(dirent: Dirent): ListedEntry["kind"] {
  if (dirent.isFile()) return "file";
  if (dirent.isDirectory()) return "folder";
  return dirent.isSymbolicLink() ? "link" : "special";
}
