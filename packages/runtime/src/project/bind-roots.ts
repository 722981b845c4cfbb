/**
 * The folders of this machine that tools change files in, from the environment:
 * `TURNSEAL_ROOTS=site=./site,notes=/srv/notes`. What is not there is not bound, and a run that
 * needs it says so.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import type { Roots } from "@turnseal/ports";
import { isRootName } from "@turnseal/protocol/artifact";

type Environment = Readonly<Record<string, string | undefined>>;

export function bindRoots({ TURNSEAL_ROOTS: text = "" }: Environment): Roots {
  const pairs = text.split(",").flatMap((pair): [string, string][] => {
    const [name = "", ...rest] = pair.split("=");
    const folder = rest.join("=");
    const isBound = isRootName(name.trim()) && folder !== "" && isFolder(folder);
    return isBound ? [[name.trim(), resolve(folder)]] : [];
  });
  return folderRoots(Object.fromEntries(pairs));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
