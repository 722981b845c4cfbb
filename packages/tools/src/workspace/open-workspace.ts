/** The folder of a command as a workspace. */
import { dirname } from "node:path";
import type { Loop } from "@turnseal/protocol/authoring";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { findClosed } from "../sandbox/find-closed.ts";
import { workspaceVerbs } from "./workspace-verbs.ts";

/** Folders that every sandbox shows. */
const SYSTEM = /^\/(usr|bin|lib|lib64|sbin)\//;
/** An account that only reads, as which commands of root run. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The verbs for the folder in which the command runs; `root` is its name in a grant. */
export function openWorkspace(root: string): readonly Loop<never, unknown>[] {
  const node = findNode();
  return workspaceVerbs({
    ...{ root, folder: process.cwd() },
    sandbox: bubblewrap({ readable: node === undefined ? [] : [node] }),
    env: node === undefined ? {} : { PATH: `${node}/bin:/usr/local/bin:/usr/bin:/bin` },
  });
}

/** Where this Node is installed, if the sandbox does not show it anyway. Commands test with it. */
function findNode(): string | undefined {
  if (SYSTEM.test(process.execPath)) return undefined;
  const node = dirname(dirname(process.execPath));
  const isOpen = process.getuid?.() !== 0 || findClosed(node, NOBODY) === undefined;
  return isOpen ? node : undefined;
}
