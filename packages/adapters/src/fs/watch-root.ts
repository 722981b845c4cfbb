/**
 * Reports possible changes in a root, by the events of the file system.
 *
 * 1. An event is a hint and no fact: the listener reads the files itself.
 * 2. Many events soon after each other become one hint; more than fit, a folder that comes or goes,
 *    and every error become `unsure`, which means a scan.
 * 3. Where the file system cannot watch enough, `unsure` is repeated, and scans replace events.
 */
import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type FileHint, HINT_PATHS_MAX } from "@turnseal/ports";
import { findPathFault, foldPath } from "@turnseal/protocol/artifact";
import { DRAFT_PREFIX } from "./scan-root.ts";

/** After so long without an event the gathered hints are sent, and in any case after the second. */
const QUIET_MS = 50;
const GATHER_MS_MAX = 1_000;
/** How often `unsure` is repeated where not everything can be watched. */
export const UNSURE_EVERY_MS = 5_000;
/** Folders that are watched, each by itself; with more, the hint is `unsure`. */
export const WATCHED_FOLDERS_MAX = 8_000;
/** Where one watch covers all that is below. Elsewhere each folder has its own. */
const IS_RECURSIVE = process.platform === "darwin" || process.platform === "win32";

export interface WatchedRoot {
  readonly folder: string;
  readonly passed: ReadonlySet<string>;
  /** True where a path is as this program left it. */
  readonly isOwn: (path: string) => boolean;
  readonly foldersMax?: number;
}

export async function watchRoot(
  root: WatchedRoot,
  listener: (hint: FileHint) => void,
): Promise<() => void> {
  const gathered = gatherHints(root, listener);
  let unsureTimer: NodeJS.Timeout | undefined;
  const sayAgain = (): void => {
    gathered.add(undefined);
    unsureTimer ??= setInterval(() => gathered.add(undefined), UNSURE_EVERY_MS);
  };
  const watchers = openWatchers(root, {
    onLost: () => gathered.add(undefined),
    onChange: (path) => {
      const isFolder = isFolderAt(root, path);
      const wasFolder = watchers.has(path);
      // Files that were put into a folder before its watch began raised no event.
      gathered.add(isFolder || wasFolder ? undefined : path);
      if (wasFolder && !isFolder) watchers.forget(path);
      if (isFolder) void watchBelow(path);
    },
  });
  const watchBelow = async (from: string): Promise<void> => {
    const waiting = [from];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (!watchers.add(folder)) return sayAgain();
      for (const name of IS_RECURSIVE ? [] : listFolders(root, folder))
        waiting.push(folder === "" ? name : `${folder}/${name}`);
      await setImmediate();
    }
  };
  await watchBelow("");
  return () => {
    clearInterval(unsureTimer);
    watchers.close();
    gathered.stop();
  };
}

interface WatchEvents {
  readonly onChange: (path: string) => void;
  readonly onLost: () => void;
}

/** One watcher for each folder, or one for all. */
function openWatchers(root: WatchedRoot, { onChange, onLost }: WatchEvents) {
  const watchers = new Map<string, FSWatcher>();
  const tell = (folder: string, name: string): void => {
    const path = `${folder === "" ? "" : `${folder}/`}${name.replaceAll("\\", "/")}`;
    const isPassed = (part: string) =>
      part.startsWith(DRAFT_PREFIX) || root.passed.has(foldPath(part));
    if (!path.split("/").some(isPassed)) onChange(path);
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    has: (folder: string) => watchers.has(folder),
    /** False where it cannot be watched although it is there. */
    add: (folder: string): boolean => {
      if (watchers.has(folder)) return true;
      if (watchers.size >= (root.foldersMax ?? WATCHED_FOLDERS_MAX)) return false;
      const full = folder === "" ? root.folder : `${root.folder}/${folder}`;
      try {
        const watcher = watch(full, { recursive: IS_RECURSIVE });
        watcher.on("change", (_, name) => {
          if (name === null) onLost();
          else tell(folder, String(name));
        });
        watcher.on("error", () => {
          drop(folder);
          onLost();
        });
        watchers.set(folder, watcher);
        return true;
      } catch {
        // It went away, or the system lets no more be watched.
        return lstatSync(full, { throwIfNoEntry: false }) === undefined;
      }
    },
    forget: (path: string): void => {
      for (const folder of [...watchers.keys()])
        if (folder === path || folder.startsWith(`${path}/`)) drop(folder);
    },
    close: (): void => {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}

function listFolders({ folder: root, passed }: WatchedRoot, folder: string): readonly string[] {
  try {
    return readdirSync(`${root}/${folder}`, { withFileTypes: true })
      .filter((item) => item.isDirectory() && !passed.has(foldPath(item.name)))
      .map(({ name }) => name);
  } catch {
    // It was removed. The watch of its parent reports that.
    return [];
  }
}

function isFolderAt({ folder }: WatchedRoot, path: string): boolean {
  try {
    return lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Gathers paths until it is quiet; undefined stands for anything. */
function gatherHints({ isOwn }: WatchedRoot, listener: (hint: FileHint) => void) {
  let paths = new Set<string>();
  let isUnsure = false;
  let quietTimer: NodeJS.Timeout | undefined;
  let lastTimer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(quietTimer);
    clearTimeout(lastTimer);
    lastTimer = undefined;
    const touched = [...paths].filter((path) => !isOwn(path));
    const hint: FileHint | undefined = isUnsure
      ? { kind: "unsure" }
      : { kind: "touched", paths: touched };
    const isEmpty = !isUnsure && touched.length === 0;
    paths = new Set();
    isUnsure = false;
    if (!isEmpty) listener(hint);
  };
  return {
    add: (path: string | undefined): void => {
      // A name that no artifact can have is counted by a scan.
      if (path === undefined || findPathFault(path) !== undefined) isUnsure = true;
      else if (!isUnsure) paths.add(path);
      if (paths.size > HINT_PATHS_MAX) isUnsure = true;
      clearTimeout(quietTimer);
      quietTimer = setTimeout(tell, QUIET_MS);
      lastTimer ??= setTimeout(tell, GATHER_MS_MAX);
    },
    stop: (): void => {
      clearTimeout(quietTimer);
      clearTimeout(lastTimer);
    },
  };
}
