/**
 * Binds the folders of this machine in which tools change files, from the environment:
 * `TURNSEAL_ROOTS=site=./site,notes=/srv/notes`. A missing folder is not bound, and a run that
 * needs it reports that; the folder is named, so that the operator finds the wrong path. The root
 * `here` is the folder of the process, unless it is bound there.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import type { Roots } from "@turnseal/ports";
import { isRootName } from "@turnseal/protocol/artifact";
import { WORKSPACE_ROOT } from "../workspace.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type BoundRoots =
  | {
      readonly kind: "bound";
      readonly roots: Roots;
      /** Missing folders, by root. */
      readonly missing: Readonly<Record<string, string>>;
    }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

export function bindRoots({ TURNSEAL_ROOTS: text = "" }: Environment): BoundRoots {
  const folders = new Map<string, string>();
  const here = { [WORKSPACE_ROOT]: resolve() };
  for (const pair of text.trim() === "" ? [] : text.split(",")) {
    const [first = "", ...rest] = pair.split("=");
    const [name, folder] = [first.trim(), rest.join("=")];
    // Half of a folder with a comma in its name would be another folder.
    if (!isRootName(name) || folder.trim() === "")
      return unusable(`${JSON.stringify(pair.slice(0, 100))} is no name with a folder`);
    if (folders.has(name)) return unusable(`${name} is there twice`);
    folders.set(name, resolve(folder));
  }
  const there: Record<string, string> = {};
  const missing: Record<string, string> = {};
  for (const [name, folder] of folders) (isFolder(folder) ? there : missing)[name] = folder;
  return { kind: "bound", roots: folderRoots({ ...here, ...there }), missing };
}

function unusable(message: string): BoundRoots {
  const next = "TURNSEAL_ROOTS=site=./site,notes=/srv/notes, with no comma in a folder";
  return { kind: "unusable", message: `TURNSEAL_ROOTS cannot be read: ${message}`, next };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
